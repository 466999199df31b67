/// A table of plain text with aligned columns, for a terminal or a log.
public struct TerminalTable: Hashable, Sendable {
  /// On which side a column's text stands.
  public enum Alignment: Hashable, Sendable {
    /// The side on which the text stands.
    case left, right
  }

  /// The heads of the columns; an empty list leaves the head out.
  public var header: [String]
  /// One alignment for each column; missing ones are left.
  public var alignments: [Alignment]
  /// The rows, from top to bottom.
  public var rows: [[String]] = []
  /// How many spaces stand before the first column.
  public var indent = 2
  /// How many spaces stand between two columns.
  public var gap = 2

  /// Creates a table without rows.
  public init(header: [String] = [], _ alignments: [Alignment]) {
    self.header = header
    self.alignments = alignments
  }

  /// The lines of the table without line ends or trailing spaces.
  public var lines: [String] {
    let all = ((header.isEmpty ? [] : [header]) + rows).map { $0.map(InertText.line) }
    let columns = all.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      all.map { column < $0.count ? TextWidth.columns(of: $0[column]) : 0 }.max() ?? 0
    }
    return all.map { line($0, widths: widths) }
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    assert(cells.count <= widths.count, "Every column has a width.")
    var line = String(repeating: " ", count: indent)
    for (column, cell) in cells.enumerated() {
      if column > 0 { line += String(repeating: " ", count: gap) }
      let room = String(repeating: " ", count: widths[column] - TextWidth.columns(of: cell))
      let isRight = column < alignments.count && alignments[column] == .right
      line += isRight ? room + cell : cell + room
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
