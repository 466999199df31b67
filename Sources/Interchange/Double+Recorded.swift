internal import StructuredText

extension Double {
  /// Reads a number of a person's record; nothing for words such as `nan` and `inf`, which stay
  /// text where it may be one, as a store's file would give the first back as 0, and for
  /// hexadecimal.
  init?(recorded text: some StringProtocol) { self.init(decimal: text) }

  /// The nearest number of billionths: what is made of decimal amounts keeps no rest of binary
  /// fractions.
  var toBillionths: Double { (self * 1e9).rounded() / 1e9 }
}
