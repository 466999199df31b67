/// A whole file of comma-separated values with a header row.
public struct CSVTable: Sendable {
  /// The names of the columns.
  public let header: [CSVReader.Field]
  /// The rows below the header; each has as many fields as the header.
  public let rows: [[CSVReader.Field]]

  /// Reads a table and reports ragged rows, repeated column names and what the reader finds.
  ///
  /// A row with too few or too many fields is reported and left out. Nothing is returned for a file
  /// without a header.
  ///
  /// `separator` is the byte between fields.
  public init?(
    _ bytes: [UInt8], file: String, separator: UInt8 = UInt8(ascii: ","), problems: ProblemList
  ) {
    var reader = CSVReader(bytes, file: file, separator: separator)
    defer { problems.add(reader.problems) }
    guard let header = reader.next() else {
      if reader.problems.isEmpty {
        problems.error(
          at: TextPosition(file: file, line: 1, column: 1),
          "The table is empty; its first line must name the columns.")
      }
      return nil
    }
    var seen: Set<String> = []
    for field in header where !seen.insert(field.text).inserted {
      problems.error(
        at: field.position, "The column \"\(field.text)\" is there twice. Rename one of them.")
    }
    var rows: [[CSVReader.Field]] = []
    while let row = reader.next() {
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

  /// The place of a column in each row; nothing when there is no such column.
  public func index(of column: String) -> Int? { header.firstIndex { $0.text == column } }
}
