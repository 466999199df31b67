/// Writes comma-separated values: a header, then rows, each line ended by LF.
///
/// Fields are quoted only where RFC 4180 requires it.
public struct CSVWriter: Sendable {
  /// The table so far, as UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// How many fields each row has.
  public let columns: Int
  private var fieldsInRow = 0

  /// Creates a table with the names of its columns.
  ///
  /// - Precondition: There is at least one column.
  public init(header: [String]) {
    precondition(!header.isEmpty, "A table has at least one column.")
    columns = header.count
    append(row: header)
  }

  /// The table so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Forgets the rows so far, which stand somewhere else now; rows go on where they were.
  ///
  /// - Precondition: The last row is whole.
  public mutating func removeWrittenRows() {
    precondition(fieldsInRow == 0, "Only whole rows are written.")
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds a row of texts.
  ///
  /// - Precondition: There are as many fields as columns.
  public mutating func append(row: [String]) {
    precondition(row.count == columns, "A row has as many fields as the table has columns.")
    for text in row { field(text) }
  }

  /// Adds the next field of a row; the row ends with its last column.
  public mutating func field(_ text: String) {
    let needsQuotes = Self.needsQuotes(text.utf8Span.span)
    // A row of one empty field would be an empty line, which readers skip.
    if needsQuotes || columns == 1 && text.isEmpty {
      separate()
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
      endField()
    } else {
      field(plain: text.utf8Span.span)
    }
  }

  /// Adds the next field of a row as UTF-8 text that needs no quotes.
  ///
  /// - Precondition: There is no comma, quote or end of line in it, and there is a letter in it if
  ///   the table has one column.
  public mutating func field(plain text: Span<UInt8>) {
    assert(!Self.needsQuotes(text), "A plain text needs no quotes.")
    separate()
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    endField()
  }

  /// Adds the next field of a row as a number of thousandths in decimal, with at least so many
  /// decimals.
  public mutating func field(thousandths: Int64, atLeast decimals: Int) {
    separate()
    FixedDecimal.append(thousandths: thousandths, atLeast: decimals, to: &bytes)
    endField()
  }

  /// Adds the next field of a row as an integer.
  public mutating func field(_ number: Int64) {
    separate()
    bytes.append(contentsOf: number.description.utf8)
    endField()
  }

  /// Adds the next field of a row as a number with a fixed number of decimals; empty for `nil`.
  public mutating func field(_ number: Double?, decimals: Int) {
    separate()
    if let number { FixedDecimal.append(number, decimals: decimals, to: &bytes) }
    endField()
  }

  /// Adds the next field of a row as the shortest number that reads back equal; empty for `nil`.
  public mutating func field(shortest number: Double?) {
    separate()
    if let number { bytes.append(contentsOf: number.description.utf8) }
    endField()
  }

  private static func needsQuotes(_ text: Span<UInt8>) -> Bool {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return true
      default: continue
      }
    }
    return false
  }

  private mutating func separate() {
    if fieldsInRow > 0 { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func endField() {
    fieldsInRow += 1
    if fieldsInRow == columns {
      bytes.append(UInt8(ascii: "\n"))
      fieldsInRow = 0
    }
  }
}

extension CSVWriter {
  /// A table in which no cell is a formula to a spreadsheet; unchanged when it is no table.
  ///
  /// Spreadsheets execute cells that begin with `=`, `+`, `-`, `@`, a tab or a carriage return.
  /// Such a cell gets an apostrophe in front, by which they take it for text, unless it is a
  /// number.
  /// Source: OWASP, "CSV Injection".
  public static func withoutFormulas(_ table: String) -> String {
    let problems = ProblemList()
    guard let read = CSVTable(Array(table.utf8), file: "", problems: problems),
      !problems.hasErrors, !read.header.isEmpty
    else { return table }
    var writer = CSVWriter(header: read.header.map { withoutFormula($0.text) })
    for row in read.rows { writer.append(row: row.map { withoutFormula($0.text) }) }
    return writer.text
  }

  private static func withoutFormula(_ cell: String) -> String {
    guard let first = cell.utf8.first, "=+-@\t\r".utf8.contains(first), Double(cell) == nil
    else { return cell }
    return "'" + cell
  }
}
