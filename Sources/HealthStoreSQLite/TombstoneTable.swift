internal import HealthStore
internal import Quantities

/// The traces of deletions.
final class TombstoneTable {
  private let insert: SQLiteStatement
  private let purge: SQLiteStatement
  private let stones: SQLiteStatement
  private let types: TypeTable
  private let registry: RegistryTables
  private let rules: RowCheck

  init(
    _ connection: borrowing SQLiteConnection, _ types: TypeTable, _ registry: RegistryTables
  ) throws(HealthStoreError) {
    let marks = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12"
    insert = try connection.prepare("INSERT INTO tombstone VALUES(\(marks))")
    purge = try connection.prepare("DELETE FROM tombstone WHERE row_id <= ?1")
    stones = try connection.prepare(
      """
      SELECT row_id, uuid, type_id, source_id, start_ms, end_ms, sync_id, sync_version,
        external_id, object_row_id, deleted_ms, deleted_by
      FROM tombstone WHERE type_id = ?1 AND row_id > ?2 ORDER BY row_id
      """)
    self.types = types
    self.registry = registry
    rules = RowCheck(path: connection.path)
  }

  func insert(_ stone: Tombstone) throws(HealthStoreError) {
    insert.bind(1, integer: stone.row)
    insert.bind(2, uuid: stone.uuid)
    insert.bind(3, integer: types.row(of: stone.type))
    insert.bind(4, integer: Int64(stone.source) + 1)
    insert.bind(5, integer: stone.start.millisecondsSince1970)
    insert.bind(6, integer: stone.end.millisecondsSince1970)
    insert.bind(7, text: stone.syncIdentifier?.description)
    insert.bind(8, integer: stone.syncVersion.map { Int64($0) })
    insert.bind(9, text: stone.externalIdentifier)
    insert.bind(10, integer: stone.objectRow)
    insert.bind(11, integer: stone.deleted.millisecondsSince1970)
    insert.bind(12, integer: Int64(stone.deletedBy.number))
    try insert.run()
  }

  /// Forgets the traces up to a row.
  func purge(upTo row: Int64) throws(HealthStoreError) {
    purge.bind(1, integer: row)
    try purge.run()
  }

  /// The traces of a type above a row, ascending by row.
  func tombstones(
    of type: ObjectType, after row: Int64
  ) throws(HealthStoreError) -> [Tombstone] {
    stones.bind(1, integer: types.row(of: type))
    stones.bind(2, integer: row)
    defer { stones.reset() }
    var found: [Tombstone] = []
    while try stones.step() {
      let row = stones.integer(0)
      let source = try rules.place(
        stones.integer(3), in: registry.sourceCount, "tombstone", row, "source")
      for column in [4, 5, 10] as [Int32] {
        try rules.check(
          stones.integer(column), in: RowRules.milliseconds, "tombstone", row, "time")
      }
      found.append(
        Tombstone(
          row: row, uuid: stones.uuid(1), type: type, source: Int32(source),
          start: .init(millisecondsSince1970: stones.integer(4)),
          end: .init(millisecondsSince1970: stones.integer(5)),
          syncIdentifier: stones.optionalText(6).map { SyncIdentifier($0) },
          syncVersion: stones.optionalInteger(7).map { Int($0) },
          externalIdentifier: stones.optionalText(8), objectRow: stones.integer(9),
          deleted: .init(millisecondsSince1970: stones.integer(10)),
          deletedBy: ClientID(number: Int(stones.integer(11)))))
    }
    return found
  }
}
