extension ZoneTable {
  private static let endOfName = UInt8(ascii: " ")
  private static let endOfNames = UInt8(ascii: "|")
  private static let endOfRecord = UInt8(ascii: ";")

  /// The record with a name in it.
  ///
  /// Most programs read one zone, so the table is looked through and not kept in another form.
  static func record(named name: String) -> Substring.UTF8View? {
    for part in parts {
      if let record = record(named: name.utf8Span.span, in: part) { return record }
    }
    return nil
  }

  private static func record(named wanted: Span<UInt8>, in part: String) -> Substring.UTF8View? {
    let bytes = part.utf8Span.span
    var start = 0
    while start < bytes.count {
      let (end, isNamed) = endOfRecord(from: start, named: wanted, in: bytes)
      if isNamed {
        let first = part.utf8.index(part.startIndex, offsetBy: start)
        return part.utf8[first..<part.utf8.index(first, offsetBy: end - start)]
      }
      start = end + 1
    }
    return nil
  }

  /// Where a record ends, and whether it has a name.
  private static func endOfRecord(
    from start: Int, named wanted: Span<UInt8>, in bytes: Span<UInt8>
  ) -> (end: Int, isNamed: Bool) {
    var isNamed = false
    var index = start
    var first = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == endOfName || byte == endOfNames {
        if index - first == wanted.count {
          isNamed = isNamed || wanted.indices.allSatisfy { wanted[$0] == bytes[first + $0] }
        }
        first = index + 1
      }
      index += 1
      if byte == endOfNames { break }
    }
    while index < bytes.count, bytes[index] != endOfRecord { index += 1 }
    return (index, isNamed)
  }

  /// The names of all zones, in the order of the table.
  static var names: [String] {
    parts.flatMap { part in
      part.utf8.split(separator: endOfRecord).flatMap { record in
        record.prefix { $0 != endOfNames }.split(separator: endOfName).map { String(Substring($0)) }
      }
    }
  }
}
