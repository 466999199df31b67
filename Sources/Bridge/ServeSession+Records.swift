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
    let problems = ProblemList()
    guard let table = CSVTable(Array(text.utf8), file: name, problems: problems) else {
      throw RequestError("The table cannot be read.", code: 70)
    }
    let rows = table.rows.dropFirst(first).prefix(Self.maximumRows)
    let next = first + rows.count
    var (columns, types): ([JSONValue.Member], [JSONValue.Member]) = ([], [])
    for (index, column) in table.header.enumerated() {
      let all = table.rows.map { $0.indices.contains(index) ? $0[index].text : "" }
      let isNumber = all.allSatisfy { $0.isEmpty || Double($0) != nil } && all.contains { $0 != "" }
      let cells: [JSONValue] = rows.map { row in
        let cell = row.indices.contains(index) ? row[index].text : ""
        guard isNumber else { return .string(cell) }
        return Double(cell).map { .number($0) } ?? .null
      }
      columns.append(.init(column.text, .array(cells)))
      types.append(.init(column.text, isNumber ? "number" : "text"))
    }
    return [
      .init("type", "records"), .init("table", .string(name)), .init("columns", .object(columns)),
      .init("types", .object(types)),
      .init("next", next < table.rows.count ? .integer(Int64(next)) : .null),
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
