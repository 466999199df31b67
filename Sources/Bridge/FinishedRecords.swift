internal import Quantities
internal import StructuredText

/// The tables of a run that is over, as requests ask for them.
struct FinishedRecords {
  private let run: OpenRun
  private let result: ServedResult

  /// The most rows of one answer.
  private static let maximumRows = 4_096

  /// The records of a run, which must be over.
  init(of run: OpenRun) throws(RequestError) {
    self.run = run
    result = try Self.result(of: run)
  }

  /// The result of a run, which must be over.
  static func result(of run: OpenRun) throws(RequestError) -> ServedResult {
    guard let finished = run.served.finished else {
      throw RequestError("The run is not over yet; its records come with its end.", path: "run")
    }
    return finished
  }

  /// A table, column by column; `nil` for a name that is none.
  private func columns(of name: String) throws(RequestError) -> TableColumns? {
    if let table = run.table, table.name == name { return table.columns }
    guard let text = result.table(name) else { return nil }
    guard let columns = TableColumns(text, name: name) else {
      throw RequestError("The table cannot be read.", code: 70)
    }
    run.table = (name, columns)
    return columns
  }

  /// A part of a table, column by column.
  func part(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "table", "from"])
    guard let name = field.required("table").choice(of: ServedResult.tables) else {
      throw RequestError(field)
    }
    let first = Int(field["from"].exists ? field["from"].integer(in: 0...Int64.max) ?? 0 : 0)
    try RequestError.check(field)
    guard let table = try columns(of: name) else { throw RequestError(field) }
    let begin = min(first, table.count)
    let rows = begin..<min(begin + Self.maximumRows, table.count)
    var (columns, types): ([JSONValue.Member], [JSONValue.Member]) = ([], [])
    for column in table.columns {
      let (cells, type): ([JSONValue], String) =
        switch column.cells {
        case .numbers(let all): (all[rows].map { $0.map { .number($0) } ?? .null }, "number")
        case .texts(let all): (all[rows].map { .string($0) }, "text")
        }
      columns.append(.init(column.name, .array(cells)))
      types.append(.init(column.name, .string(type)))
    }
    if rows.upperBound == table.count { run.table = nil }
    return [
      .init("type", "records"), .init("table", .string(name)), .init("columns", .object(columns)),
      .init("types", .object(types)),
      .init("next", rows.upperBound < table.count ? .integer(Int64(rows.upperBound)) : .null),
    ]
  }

  /// The numbers of a column, row by row.
  func numbers(
    _ column: String, of table: String
  ) throws(RequestError) -> [Double] {
    guard let columns = try columns(of: table)?.columns else {
      throw RequestError(
        "There is no table \"\(table)\"; it must be one of "
          + ServedResult.tables.joined(separator: ", ") + ".")
    }
    guard let found = columns.first(where: { $0.name == column }) else {
      throw RequestError(
        "The table \(table) has no column \"\(column)\"."
          + NearestName.suggestion(for: column, among: columns.map(\.name)))
    }
    switch found.cells {
    case .numbers(let numbers): return numbers.map { $0 ?? .nan }
    case .texts(let texts):
      let instants = texts.map { Instant(iso8601: $0)?.secondsSince1970 }
      guard zip(texts, instants).allSatisfy({ $0.isEmpty || $1 != nil }) else {
        throw RequestError("\"\(column)\" is a column of text; a message \"records\" has it.")
      }
      return instants.map { $0 ?? .nan }
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
