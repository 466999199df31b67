extension Double {
  /// Reads a finite number as tables write it, in decimal.
  ///
  /// There is none in words such as `nan` and `inf`, nor in hexadecimal, which Swift reads and no
  /// table has.
  public init?(decimal text: some StringProtocol) {
    guard let number = Double(text), number.isFinite,
      !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") })
    else { return nil }
    self = number
  }
}
