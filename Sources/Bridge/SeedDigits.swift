extension UInt64 {
  /// The seed that the digits of a text say; `nil` where there is anything but digits, such as a
  /// sign, or where the number is too large.
  init?(digits text: String) {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}
