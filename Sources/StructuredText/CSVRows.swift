/// A table whose rows are written one after the other when they are asked for, whole as a text or
/// piece by piece into a file: of a long table no more than a piece is in memory then.
public struct CSVRows {
  private let header: [String]
  private let count: Int
  private let write: (_ index: Int, _ table: inout CSVWriter) -> Void

  /// How many bytes a piece has before it is handed over, at a whole row.
  private static let pieceSize = 1 << 16

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - header: The names of the columns, one or more.
  ///   - count: How many things the rows are made of.
  ///   - write: Writes the rows of a thing by its index, one or more, whole, or none.
  public init(
    header: [String], count: Int, write: @escaping (_ index: Int, _ table: inout CSVWriter) -> Void
  ) {
    assert(count >= 0, "A table is made of nothing or more.")
    self.header = header
    self.count = count
    self.write = write
  }

  /// Describes a table of which each element of a list is a row, or several.
  public init<Elements: RandomAccessCollection>(
    header: [String], of elements: Elements,
    write: @escaping (_ element: Elements.Element, _ table: inout CSVWriter) -> Void
  ) where Elements.Index == Int {
    self.init(header: header, count: elements.count) {
      write(elements[elements.startIndex + $0], &$1)
    }
  }

  /// The whole table.
  public var text: String {
    var table = CSVWriter(header: header)
    for index in 0..<count { write(index, &table) }
    return table.text
  }

  /// Hands over the table in pieces of whole rows, as UTF-8; ends with the first error.
  public func forEachPiece<Trouble>(
    _ take: (_ piece: [UInt8]) throws(Trouble) -> Void
  ) throws(Trouble) {
    var table = CSVWriter(header: header)
    for index in 0..<count {
      write(index, &table)
      if table.bytes.count >= Self.pieceSize {
        try take(table.bytes)
        table.removeWrittenRows()
      }
    }
    try take(table.bytes)
  }
}
