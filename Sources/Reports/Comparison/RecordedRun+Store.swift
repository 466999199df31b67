public import HealthStore
internal import Quantities
internal import StructuredText

/// What a health store holds beside its samples, as tables that are compared.
extension RecordedRun {
  /// Takes what is left of deleted samples, a row each: what was deleted, when and by whom.
  ///
  /// - Parameters:
  ///   - deletions: What is left of them, in any order.
  ///   - registry: The sources and clients of the store.
  ///   - name: The name of the store's file.
  public mutating func read(
    deletions: [Tombstone], in registry: StoreRegistry, named name: String
  ) {
    var writer = CSVWriter(header: [
      "time", "time_end", "type", "source", "time_deleted", "deleted_by",
    ])
    let rows = deletions.map { stone in
      let source =
        registry.sources.indices.contains(Int(stone.source))
        ? registry.sources[Int(stone.source)].name : ""
      return [
        stone.start.description, stone.end.description, stone.type.name, source,
        stone.deleted.description, registry.name(of: stone.deletedBy),
      ]
    }
    for row in rows.sorted(by: { $0.lexicographicallyPrecedes($1) }) { writer.append(row: row) }
    take(writer, named: "\(name) deleted")
  }

  /// Takes what each app may write and read, a row for each type of which the person was asked, and
  /// the order of sources that the person made.
  public mutating func read(permissionsOf registry: StoreRegistry, named name: String) {
    var writer = CSVWriter(header: ["app", "type", "write", "read"])
    for family in registry.families.map(\.name).sorted() {
      for type in ObjectType.allCases {
        let allowed = registry.authorization(of: family, for: type)
        guard allowed != .notDetermined else { continue }
        writer.append(row: [family, type.name, "\(allowed.share)", "\(allowed.read)"])
      }
    }
    take(writer, named: "\(name) permissions", isOfEnd: true)
    var priorities = CSVWriter(header: ["type", "sources"])
    for entry in registry.priorities.sorted(by: { $0.type.rawValue < $1.type.rawValue }) {
      let sources = entry.sources.filter(registry.sources.indices.contains)
      priorities.append(
        row: [
          entry.type.name, sources.map { registry.sources[$0].name }.joined(separator: ", "),
        ])
    }
    take(priorities, named: "\(name) priorities", isOfEnd: true)
  }
}
