extension Double {
  /// Reads a number of a person's record; nothing for words such as `nan` and `inf`, which stay
  /// text where it may be one, as a store's file would give the first back as 0, and for
  /// hexadecimal, which Swift reads and no record has.
  init?(recorded text: some StringProtocol) {
    guard let number = Double(text), number.isFinite,
      !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") })
    else { return nil }
    self = number
  }

  /// The nearest number of billionths: what is made of decimal amounts keeps no rest of binary
  /// fractions.
  var toBillionths: Double { (self * 1e9).rounded() / 1e9 }
}
