import StructuredText

extension ScenarioReader {
  /// The keys whose values may name a table of readings.
  private static let tableKeys: Set<String> = ["glucose", "trace"]

  /// Whether a key is such a one, or an address of a sweep that ends with one.
  private static func namesTable(_ key: String) -> Bool {
    key.split(separator: ".").last.map { tableKeys.contains(String($0)) } ?? false
  }

  /// The rows of a table, which stand where its name does, as no rows do that a file has itself.
  private static func filled(_ rows: JSONNode, from name: JSONNode) -> JSONMember {
    JSONMember(key: "rows", keyPosition: name.position, value: rows)
  }

  /// Whether a member is the rows of the table that a value names.
  static func isFilled(_ member: JSONMember, from name: JSONNode) -> Bool {
    member.key == "rows" && member.keyPosition == name.position
  }

  /// The tree with the rows of every table of readings beside its name, as `rows`; nothing where
  /// no table is named.
  ///
  /// Rows keep the places that they have in their file. A table in a remark is not read.
  func fillingTables(
    of node: JSONNode, in folder: String, key: String = "", problems: ProblemList
  ) -> JSONNode? {
    var copy = node
    switch node.value {
    case .object(var members):
      var isChanged = false
      for place in members.indices where !JSONField.isCarried(members[place].key) {
        let member = members[place]
        if let filled = fillingTables(
          of: member.value, in: folder, key: member.key, problems: problems)
        {
          members[place].value = filled
          isChanged = true
        }
      }
      let isTable = Self.namesTable(key)
      let isRecord = node["timeline"] != nil
      for (isMeant, word) in [(isTable, "csv"), (isRecord, "matches")]
      where isMeant && node[word] != nil {
        guard let rows = node["rows"] else { continue }
        problems.error(
          at: rows.position,
          "Rows stand here or in a table, of which only one is read; remove \"rows\" or "
            + "\"\(word)\".")
      }
      if isTable, let name = node["csv"], node["rows"] == nil,
        let rows = rows(of: name, in: folder, problems: problems)
      {
        members.append(Self.filled(rows, from: name))
        isChanged = true
      }
      if isRecord, let name = node["matches"], node["rows"] == nil,
        let rows = recordRows(of: name, in: folder, problems: problems)
      {
        members.append(Self.filled(rows, from: name))
        isChanged = true
      }
      guard isChanged else { return nil }
      copy.value = .object(members)
    case .array(var items):
      var isChanged = false
      for place in items.indices {
        // Each value of a sweep may name a table of its own.
        if let filled = fillingTables(of: items[place], in: folder, key: key, problems: problems) {
          items[place] = filled
          isChanged = true
        }
      }
      guard isChanged else { return nil }
      copy.value = .array(items)
    default: return nil
    }
    return copy
  }

  /// A table that a scenario names.
  private func table(_ name: JSONNode, in folder: String, problems: ProblemList) -> CSVTable? {
    guard let path = name.string,
      let file = bytes(of: path, namedBy: name, in: folder, problems: problems)
    else { return nil }
    let separator = path.lowercased().hasSuffix(".tsv") ? UInt8(0x09) : UInt8(ascii: ",")
    return CSVTable(file.bytes, file: file.path, separator: separator, problems: problems)
  }

  /// A table of records as a list of rows, the names of its columns first; empty cells are null.
  private func recordRows(
    of name: JSONNode, in folder: String, problems: ProblemList
  ) -> JSONNode? {
    guard let table = table(name, in: folder, problems: problems) else { return nil }
    let header = table.header.map { JSONNode(.string($0.text), at: $0.position) }
    let rows = table.rows.map { row in
      let cells = row.map { cell in
        let value: JSONNode.Value =
          cell.text.isEmpty
          ? .null : Double(decimal: cell.text).map { .number($0) } ?? .string(cell.text)
        return JSONNode(value, at: cell.position)
      }
      return JSONNode(.array(cells), at: row.first?.position ?? name.position)
    }
    let position = table.header.first?.position ?? name.position
    return JSONNode(.array([JSONNode(.array(header), at: position)] + rows), at: name.position)
  }

  /// The columns `time` and `glucose` of a table, as a list of pairs.
  private func rows(of name: JSONNode, in folder: String, problems: ProblemList) -> JSONNode? {
    guard let table = table(name, in: folder, problems: problems) else { return nil }
    let names = table.header.map(\.text)
    guard let time = names.firstIndex(of: "time"), let glucose = names.firstIndex(of: "glucose")
    else {
      problems.error(
        at: table.header.first?.position ?? name.position,
        "A table of readings needs the columns \"time\" and \"glucose\".")
      return nil
    }
    var pairs: [JSONNode] = []
    for row in table.rows where !row[glucose].text.isEmpty {
      let field = row[glucose]
      guard let value = Double(decimal: field.text) else {
        problems.error(at: field.position, "\"\(field.text)\" is no number.")
        continue
      }
      pairs.append(
        JSONNode(
          .array([
            JSONNode(.string(row[time].text), at: row[time].position),
            JSONNode(.number(value), at: field.position),
          ]), at: row[time].position))
    }
    return JSONNode(.array(pairs), at: name.position)
  }
}
