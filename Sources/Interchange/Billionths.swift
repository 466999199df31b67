extension Double {
  /// The nearest number of billionths: what is made of decimal amounts keeps no rest of binary
  /// fractions.
  var toBillionths: Double { (self * 1e9).rounded() / 1e9 }
}
