public import ScenarioLanguage
public import StructuredText

/// The patients of a scenario: rows of a table, or bodies that a model generates.
public struct Cohort: Sendable {
  /// One patient: a name for the run, and the values that make the difference.
  public struct Member: Sendable {
    /// The name of the patient.
    public let id: String
    /// The name in the table, where it cannot be a name of results; `nil` where it is the id.
    public var writtenID: String?
    /// The values that differ from the scenario's, with their addresses.
    public let assignments: [(path: ScenarioPath, value: JSONNode)]
    /// The group that a study's table gives the patient; `nil` where none is asked for.
    public var group: String?
  }

  /// The most patients of one cohort.
  public static let maximumCount = 1_000_000

  /// The patients, in the order of the table.
  public let members: [Member]

  /// Reads the cohort of a scenario; nothing when it has none or it cannot be used.
  static func read(
    of document: ScenarioDocument, with reader: ScenarioReader, problems: ProblemList
  ) -> Cohort? {
    guard let node = document.tree["cohort"] else { return nil }
    let field = Field(node, at: "cohort", in: .plain, problems: problems)
    guard node.members != nil else {
      field.reportUnusable(expected: "an object such as { from: 'adults.csv', columns: {…} }")
      return nil
    }
    let block = CohortBlock.block.value(CohortBlock(), of: field)
    if field["generate"].exists {
      for key in ["from", "columns", "id", "skip", "take"] where field[key].exists {
        field[key].error(
          "\"\(field[key].path)\" belongs to a table, and beside \"generate\" there is none. "
            + "Remove one of them.")
      }
      return block.bodies.map { generated($0, at: field["generate"].position) }
    }
    guard let name = (block.table ?? field.required("from")).text(), let table = block.table?.node,
      let columns = columns(block.columns ?? field.required("columns")),
      let file = reader.bytes(of: name, namedBy: table, in: document, problems: problems)
    else { return nil }
    let rows =
      file.path.lowercased().hasSuffix(".csv") || file.path.lowercased().hasSuffix(".tsv")
      ? CohortRows(csv: file.bytes, file: file.path, problems: problems)
      : CohortRows(json: file.bytes, file: file.path, problems: problems)
    guard let rows else { return nil }
    checkRemarks(field["columns"], beside: rows.columns)
    warn(ofTaking: block, of: rows, field)
    let chosen = rows.selection(skip: block.skip, limit: block.limit)
    guard !chosen.isEmpty else {
      if rows.count == 0 {
        field["from"].error("The table has no rows; it needs one for each patient.")
      } else {
        field["skip"].error(
          "\"cohort.skip\" is \(block.skip), and the table has "
            + "\(WordList.counted(rows.count, "row")): nobody is left. Make it smaller.")
      }
      return nil
    }
    return members(
      of: chosen, named: rows.columns, columns,
      idColumn: block.identity, study: document.tree["study"], field, problems)
  }

  // MARK: - Tables

  /// More rows than there are are a mistake in the number, or in the table.
  private static func warn(ofTaking block: CohortBlock, of rows: CohortRows, _ field: Field) {
    let left = rows.count - block.skip
    guard let limit = block.limit, left > 0, limit > left else { return }
    let which = block.skip > 0 ? " after the \(block.skip) left out" : ""
    field["take"].warnOfNoEffect(
      "\"cohort.take\" is \(limit), and the table has \(WordList.counted(left, "row"))\(which): "
        + "\(left == 1 ? "it is" : "all of them are") taken, as without it.")
  }

  /// Refuses a column whose name is that of a remark, where what stands there may be the path that
  /// it is to set: it would set nothing.
  private static func checkRemarks(_ field: Field, beside names: [String]) {
    for member in field.node?.members ?? []
    where JSONField.isCarried(member.key) && names.contains(member.key)
      && mayBePath(member.value)
    {
      field.problems.error(
        at: member.keyPosition,
        "\"\(member.key)\" is a remark here, and the table has a column of that name. Rename the "
          + "column.")
    }
  }

  /// Whether a text is a path; no key of the format has a blank in it.
  private static func mayBePath(_ node: JSONNode) -> Bool {
    guard let text = node.string, let path = try? ScenarioPath(text),
      case .key(let first)? = path.parts.first
    else { return false }
    return !first.contains(" ")
  }

  private struct Column {
    let name: String
    let position: TextPosition
    let path: ScenarioPath
  }

  private static func columns(_ field: Field) -> [Column]? {
    guard let members = field.members() else { return nil }
    guard !members.isEmpty else {
      field.error("\"columns\" names no column of the table; it maps each column to a path.")
      return nil
    }
    return members.compactMap { key, position, member in
      guard let text = member.text(),
        let path = ScenarioPath(text, at: member.position, problems: field.problems)
      else { return nil }
      return Column(name: key, position: position, path: path)
    }
  }

  private static func members(
    of rows: [CohortRows.Row], named names: [String], _ columns: [Column], idColumn: String?,
    study: JSONNode?, _ field: Field, _ problems: ProblemList
  ) -> Cohort {
    let strata = study?["strata"]?.string
    let ids = idColumn.map { [($0, field["id"].position)] } ?? []
    for (name, position) in columns.map({ ($0.name, $0.position) }) + ids
    where !names.contains(name) {
      let near = NearestName.suggestion(for: name, among: names)
      problems.error(at: position, "The table has no column \"\(name)\".\(near)")
    }
    var taken: [String: Int] = [:]
    let members = rows.map { row in
      let written = row.text(idColumn ?? "id")
      let given = written.map(RunName.safe)
      if let study, let name = given, taken[name] != nil {
        problems.error(
          at: row.value(idColumn ?? "id")?.position ?? study.position,
          "The patient \"\(name)\" is there twice. In a study each row needs an id of its own.")
      }
      let id = unique(given ?? "p\(row.number)", &taken)
      return Member(
        id: id, writtenID: written == id ? nil : written,
        assignments: columns.compactMap { column in
          row.value(column.name).map { (column.path, $0) }
        },
        group: strata.flatMap { row.text($0) })
    }
    warn(ofChangedIDs: members, field)
    for column in columns where names.contains(column.name) {
      warn(ofMissing: column.name, at: column.position, in: rows, of: members, problems) { _ in
        "there \"\(column.path)\" is what the scenario says, or the default"
      }
    }
    let position = field["from"].position
    if let strata, names.contains(strata) {
      warn(ofMissing: strata, at: position, in: rows, of: members, problems) {
        "\($0 == 1 ? "it is a group of its own" : "they are a group of their own")"
      }
    }
    let identity = idColumn ?? "id"
    if names.contains(identity) {
      warn(ofMissing: identity, at: position, in: rows, of: members, problems) {
        "\($0 == 1 ? "it has its name" : "they have their names") from the number of the row"
      }
    }
    return Cohort(members: members)
  }

  /// Names of the table that the results cannot have: with letters that file systems refuse, too
  /// long, or there twice.
  private static func warn(ofChangedIDs members: [Member], _ field: Field) {
    let changed = members.compactMap { member in member.writtenID.map { ($0, member.id) } }
    guard !changed.isEmpty else { return }
    let shown = WordList.text(changed.map { "\"\($0)\" is \"\($1)\"" }, atMost: 3)
    field.warning(
      code: "W-NAMES",
      """
      The results name \(changed.count == 1 ? "a patient" : "\(changed.count) patients") \
      otherwise than the table: \(shown). Names consist of letters, digits, "-", "_", "." \
      and "#", at most \(RunName.maximumLength), and each is there once.
      """)
  }

  /// Patients of whom the table has no value where others have one, and what that comes to for so
  /// many of them.
  private static func warn(
    ofMissing column: String, at position: TextPosition, in rows: [CohortRows.Row],
    of members: [Member], _ problems: ProblemList, _ consequence: (_ count: Int) -> String
  ) {
    let missing = zip(rows, members).filter { $0.0.value(column) == nil }
    guard let first = missing.first else { return }
    let ids = WordList.text(missing.map { "\"\($0.1.id)\"" }, atMost: 3)
    problems.warning(
      at: first.0.place(ofMissing: column) ?? position, code: "W-EMPTY",
      """
      The table has no "\(column)" of \(ids), \
      \(missing.count) of \(WordList.counted(rows.count, "patient")): \
      \(consequence(missing.count)). Write the value, or leave the row out.
      """)
  }

  private static func unique(_ id: String, _ taken: inout [String: Int]) -> String {
    let count = (taken[id] ?? 0) + 1
    taken[id] = count
    guard count > 1 else { return id }
    return unique("\(id)-\(count)", &taken)
  }
}
