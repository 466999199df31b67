internal import StructuredText

/// The records of runs that are over.
extension ServeSession {
  /// The most rows of one answer.
  static let maximumRows = 4_096

  private func finished(_ field: JSONField) throws(RequestError) -> ServedResult {
    let (_, served) = try open(field)
    guard let finished = served.finished else {
      throw RequestError("The run is not over yet; its records come with its end.", path: "run")
    }
    return finished
  }

  /// A part of a table, column by column.
  func records(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "table", "from"])
    let finished = try finished(field)
    guard let name = field.required("table").choice(of: ServedResult.tables),
      let text = finished.table(name)
    else { throw RequestError(field) }
    let first = Int(field["from"].exists ? field["from"].integer(in: 0...Int64.max) ?? 0 : 0)
    try RequestError.check(field)
    guard let table = TableColumns(text, name: name) else {
      throw RequestError("The table cannot be read.", code: 70)
    }
    let rows = min(first, table.count)..<min(first + Self.maximumRows, table.count)
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
    return [
      .init("type", "records"), .init("table", .string(name)), .init("columns", .object(columns)),
      .init("types", .object(types)),
      .init("next", rows.upperBound < table.count ? .integer(Int64(rows.upperBound)) : .null),
    ]
  }

  /// Writes the files of a run into a folder.
  func writeFiles(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "folder"])
    guard let folder = field.required("folder").text() else { throw RequestError(field) }
    let finished = try finished(field)
    do {
      try write(finished, folder)
    } catch {
      throw RequestError("\(error)", code: 74, path: "folder")
    }
    return [.init("type", "written"), .init("folder", .string(folder))]
  }
}
