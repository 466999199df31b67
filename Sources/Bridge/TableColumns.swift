internal import Quantities
internal import StructuredText

/// A table of a run that is over, column by column.
struct TableColumns {
  /// What the cells of a column are; a column without a value is one of texts.
  enum Cells {
    /// Numbers, `nil` where a cell is empty.
    case numbers([Double?])
    /// Texts.
    case texts([String])
  }

  /// The columns in the order of the table.
  let columns: [(name: String, cells: Cells)]
  /// How many rows there are.
  let count: Int

  /// Reads a table as its file has it; `nil` if it cannot be read.
  init?(_ text: String, name: String) {
    guard let table = CSVTable(Array(text.utf8), file: name, problems: ProblemList()) else {
      return nil
    }
    count = table.rows.count
    columns = table.header.enumerated().map { index, column in
      let texts = table.rows.map { $0.indices.contains(index) ? $0[index].text : "" }
      let numbers = texts.map { Double($0) }
      let isNumber =
        zip(texts, numbers).allSatisfy { $0.isEmpty || $1 != nil } && texts.contains { $0 != "" }
      return (column.text, isNumber ? .numbers(numbers) : .texts(texts))
    }
  }
}

/// What came of the wish for a column.
public enum ColumnAnswer: Sendable {
  /// Its numbers, row by row; not a number where a cell is empty. Times are seconds since 1970.
  case numbers([Double])
  /// Why there are none, in a sentence.
  case refused(String)
}

extension ServeSession {
  /// The numbers of a column of a run that is over.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - table: The table's name, that of its file without the ending.
  ///   - run: The run's name in this session.
  /// - Returns: The numbers, or why there are none.
  public func column(_ column: String, of table: String, of run: String) -> ColumnAnswer {
    guard let served = runs[run] else { return .refused("There is no run \"\(run)\".") }
    guard let finished = served.finished else {
      return .refused("The run is not over yet; its records come with its end.")
    }
    guard let text = finished.table(table) else {
      return .refused(
        "There is no table \"\(table)\"; it must be one of "
          + ServedResult.tables.joined(separator: ", ") + ".")
    }
    guard let columns = TableColumns(text, name: table) else {
      return .refused("The table cannot be read.")
    }
    guard let found = columns.columns.first(where: { $0.name == column }) else {
      let names = columns.columns.map(\.name)
      return .refused(
        "The table \(table) has no column \"\(column)\"."
          + NearestName.suggestion(for: column, among: names))
    }
    switch found.cells {
    case .numbers(let numbers): return .numbers(numbers.map { $0 ?? .nan })
    case .texts(let texts):
      let instants = texts.map { Instant(iso8601: $0)?.secondsSince1970 }
      guard zip(texts, instants).allSatisfy({ $0.isEmpty || $1 != nil }) else {
        return .refused("\"\(column)\" is a column of text; a message \"records\" has it.")
      }
      return .numbers(instants.map { $0 ?? .nan })
    }
  }
}
