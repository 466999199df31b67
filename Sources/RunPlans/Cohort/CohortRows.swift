import StructuredText

/// The rows of a cohort's table, whatever kind of file it is.
struct CohortRows {
  /// One row, with the name of each column and the place of each value.
  struct Row {
    /// The row's number in its file, from 0.
    let number: Int
    var members: [JSONMember]
    /// Where the row stands, in a table of objects.
    var position: TextPosition?
    /// Where its empty fields stand.
    var empty: [String: TextPosition] = [:]
    /// What numbers are written as where they would be written otherwise, such as `007`.
    var written: [String: String] = [:]

    /// The text of a value as the table has it; `nil` where there is none.
    func text(_ column: String) -> String? {
      guard let node = value(column), !node.isNull else { return nil }
      return written[column] ?? node.string ?? JSONWriter().line(JSONValue(node))
    }

    /// Where a value is missing.
    func place(ofMissing column: String) -> TextPosition? { empty[column] ?? position }

    func value(_ column: String) -> JSONNode? { members.first { $0.key == column }?.value }
  }

  private let rows: [Row]
  /// The names of the columns.
  let columns: [String]
  /// How many rows there are.
  var count: Int { rows.count }

  /// Reads a table of comma-separated values, or of tab-separated ones from a `.tsv` file.
  ///
  /// Fields that are numbers become numbers; empty fields are left out.
  init?(csv bytes: [UInt8], file: String, problems: ProblemList) {
    let separator = file.lowercased().hasSuffix(".tsv") ? UInt8(0x09) : UInt8(ascii: ",")
    guard
      let table = CSVTable(bytes, file: file, separator: separator, problems: problems)
    else { return nil }
    columns = table.header.map(\.text)
    rows = table.rows.enumerated().map { number, fields in
      var row = Row(number: number, members: [])
      for (name, field) in zip(table.header, fields) {
        guard !field.text.isEmpty else {
          row.empty[name.text] = field.position
          continue
        }
        let node = JSONNode(Self.value(of: field.text), at: field.position)
        let text = field.text.trimmingPrefix(" ")
        if node.string == nil, JSONWriter().line(JSONValue(node)) != text {
          row.written[name.text] = String(text)
        }
        row.members.append(JSONMember(key: name.text, keyPosition: name.position, value: node))
      }
      return row
    }
  }

  /// Reads a JSON list of objects.
  init?(json bytes: [UInt8], file: String, problems: ProblemList) {
    let reading = JSONReader.read(bytes, file: file)
    problems.add(reading.problems)
    guard let root = reading.root else { return nil }
    guard let items = root.items, items.allSatisfy({ $0.members != nil }) else {
      problems.error(at: root.position, "A cohort must be a list of objects, one for each patient.")
      return nil
    }
    rows = items.enumerated().map { number, item in
      Row(number: number, members: item.members ?? [], position: item.position)
    }
    var names: Set<String> = []
    columns = rows.flatMap(\.members).map(\.key).filter { names.insert($0).inserted }
  }

  func selection(skip: Int, limit: Int?) -> [Row] {
    assert(
      skip >= 0 && limit ?? 0 >= 0, "A selection passes over a number of rows and takes a number.")
    let rest = rows.dropFirst(skip)
    return Array(rest.prefix(limit ?? rest.count))
  }

  private static func value(of text: String) -> JSONNode.Value {
    let trimmed = text.trimmingPrefix(" ")
    let looksNumeric = trimmed.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains(byte)
    }
    guard looksNumeric else { return .string(text) }
    if let integer = Int64(trimmed) { return .integer(integer) }
    if let number = Double(trimmed), number.isFinite { return .number(number) }
    return .string(text)
  }
}
