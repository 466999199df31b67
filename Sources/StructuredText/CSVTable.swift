/// A whole file of comma-separated values with a header row.
public struct CSVTable: Sendable {
  /// The names of the columns.
  public let header: [CSVReader.Field]
  /// The rows below the header; each has as many fields as the header.
  public let rows: [[CSVReader.Field]]

  /// Reads a table and reports ragged rows, repeated column names and what the reader finds.
  ///
  /// A row with too few or too many fields is reported and left out. Nothing is returned for a file
  /// without a header. Empty fields behind the last column that has anything count as nothing, and
  /// a row of empty fields as an empty line: spreadsheets write them. Blanks are nothing in both. A
  /// table whose columns are separated by something else is refused.
  ///
  /// `separator` is the byte between fields.
  public init?(
    _ bytes: [UInt8], file: String, separator: UInt8 = UInt8(ascii: ","), problems: ProblemList
  ) {
    var reader = CSVReader(bytes, file: file, separator: separator)
    defer { problems.add(reader.problems) }
    guard let line = reader.next() else {
      if reader.problems.isEmpty {
        problems.error(
          at: TextPosition(file: file, line: 1, column: 1),
          "The table is empty; its first line must name the columns.")
      }
      return nil
    }
    if let field = line.first, line.count == 1,
      let other = Self.separator(in: field.text, insteadOf: separator)
    {
      problems.error(
        at: field.position,
        "The columns of this table are separated by \(other), and not by "
          + "\(Self.name(of: separator)). Save it with these.")
      return nil
    }
    var lines: [[CSVReader.Field]] = []
    while let row = reader.next() { lines.append(row) }
    // A column without a name stays where a row has something in it.
    let widest = lines.lazy.map(\.countToLastText).max() ?? 0
    let header = line.withoutEmptyEnd(keeping: max(1, widest))
    var seen: Set<String> = []
    for field in header where !seen.insert(field.text).inserted {
      problems.error(
        at: field.position, "The column \"\(field.text)\" is there twice. Rename one of them.")
    }
    var rows: [[CSVReader.Field]] = []
    for whole in lines where whole.countToLastText > 0 {
      let row = whole.withoutEmptyEnd(keeping: header.count)
      if row.count == header.count {
        rows.append(row)
      } else if let first = row.first {
        problems.error(
          at: first.position,
          "This row has \(WordList.counted(row.count, "field")); the header names "
            + "\(WordList.counted(header.count, "column")).")
      }
    }
    self.header = header
    self.rows = rows
  }

  /// The characters that separate columns, and what they are called.
  private static let separators: KeyValuePairs<UInt8, String> = [
    UInt8(ascii: ","): "commas", UInt8(ascii: ";"): "semicolons", 0x09: "tabs",
  ]

  /// What a separator is called.
  private static func name(of separator: UInt8) -> String {
    separators.first { $0.key == separator }?.value ?? "commas"
  }

  /// What separates the names of columns in a line that is a single one by the separator expected.
  private static func separator(in line: String, insteadOf expected: UInt8) -> String? {
    separators.first { $0.key != expected && line.utf8.contains($0.key) }?.value
  }

  /// The place of a column in each row; nothing when there is no such column.
  public func index(of column: String) -> Int? { header.firstIndex { $0.text == column } }
}

extension [CSVReader.Field] {
  /// How many fields there are up to the last that has more than blanks.
  public var countToLastText: Int {
    lastIndex { $0.text.utf8.contains { $0 != 0x20 && $0 != 0x09 } }.map { $0 + 1 } ?? 0
  }

  /// The fields without the empty ones at their end, as far as there are more than so many.
  ///
  /// - Parameter least: How many fields stay, empty or not.
  /// - Returns: The fields that are left.
  public func withoutEmptyEnd(keeping least: Int) -> [CSVReader.Field] {
    count <= least ? self : Array(prefix(Swift.max(least, countToLastText)))
  }
}
