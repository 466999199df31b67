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

  /// Reads a finite number with a decimal point or a decimal comma.
  ///
  /// Of both marks the last is that of decimals, as none stands between thousands behind it:
  /// `1.234,5` and `1,234.5` are the same number. Whether the only mark of `1,234` is one between
  /// thousands nobody can tell from the number, and it is taken for that of decimals.
  public init?(pointOrComma text: some StringProtocol) {
    guard text.utf8.contains(UInt8(ascii: ",")) || text.utf8.count(where: { $0 == 0x2e }) > 1 else {
      self.init(decimal: text)
      return
    }
    let marks = text.filter { $0 == "." || $0 == "," }
    guard let last = marks.last, let first = marks.first, first != last else {
      guard marks.count < 2 else { return nil }
      self.init(decimal: String(text.map { $0 == "," ? "." : $0 }))
      return
    }
    let parts = text.split(separator: last, omittingEmptySubsequences: false)
    let groups = parts[0].split(separator: first, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty,
      (parts[1] + groups.joined()).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      (1...3).contains(groups[0].count), !groups[0].hasPrefix("0"),
      groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    self.init(decimal: groups.joined() + "." + parts[1])
  }
}
