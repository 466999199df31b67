internal import HealthStore
internal import Quantities

/// Finds samples, each with its device, its metadata and its content.
final class SampleReader {
  private let byUUID: SQLiteStatement
  private let bySync: SQLiteStatement
  private let byParent: SQLiteStatement
  private let byTime: SQLiteStatement
  private let byTimeReversed: SQLiteStatement
  private let byRow: SQLiteStatement
  private let types: TypeTable
  private let longest: LongestSamples
  private let devices: DeviceTable
  private let metadata: MetadataTable
  private let contents: ContentTables
  private let registry: RegistryTables
  private let rules: RowCheck

  /// The columns of a sample in the order in which they are read.
  private static let columns = """
    SELECT o.row_id, o.uuid, o.type_id, o.revision_id, o.device_id, o.start_ms, o.end_ms,
      o.created_ms, o.value, o.orig_value, o.orig_unit, o.category, o.parent_row_id, o.sync_id,
      o.sync_version, o.external_id, o.has_metadata, r.source_id
    FROM object o JOIN source_revision r ON r.id = o.revision_id
    """

  init(
    _ connection: borrowing SQLiteConnection, _ types: TypeTable, _ longest: LongestSamples,
    _ devices: DeviceTable, _ metadata: MetadataTable, _ contents: ContentTables,
    _ registry: RegistryTables
  ) throws(HealthStoreError) {
    byUUID = try connection.prepare("\(Self.columns) WHERE o.uuid = ?1")
    bySync = try connection.prepare(
      """
      \(Self.columns) WHERE o.sync_id = ?1 AND o.type_id = ?2 AND r.source_id = ?3
      ORDER BY o.row_id DESC LIMIT 1
      """)
    byParent = try connection.prepare(
      "\(Self.columns) WHERE o.parent_row_id = ?1 ORDER BY o.row_id")
    byTime = try connection.prepare(
      """
      \(Self.columns) WHERE o.type_id = ?1 AND o.start_ms >= ?2 AND o.start_ms < ?3
      ORDER BY o.start_ms, o.row_id
      """)
    byTimeReversed = try connection.prepare(
      """
      \(Self.columns) WHERE o.type_id = ?1 AND o.start_ms >= ?2 AND o.start_ms < ?3
      ORDER BY o.start_ms DESC, o.row_id DESC
      """)
    byRow = try connection.prepare(
      "\(Self.columns) WHERE o.type_id = ?1 AND o.row_id > ?2 ORDER BY o.row_id")
    self.types = types
    self.longest = longest
    self.devices = devices
    self.metadata = metadata
    self.contents = contents
    self.registry = registry
    rules = RowCheck(path: connection.path)
  }

  func stored(_ uuid: SampleUUID) throws(HealthStoreError) -> StoredSample? {
    byUUID.bind(1, uuid: uuid)
    defer { byUUID.reset() }
    return try byUUID.step() ? sample(in: byUUID) : nil
  }

  func stored(
    syncIdentifier: SyncIdentifier, type: ObjectType, source: Int32
  ) throws(HealthStoreError) -> StoredSample? {
    bySync.bind(1, text: syncIdentifier.description)
    bySync.bind(2, integer: types.row(of: type))
    bySync.bind(3, integer: Int64(source) + 1)
    defer { bySync.reset() }
    return try bySync.step() ? sample(in: bySync) : nil
  }

  func members(of row: Int64) throws(HealthStoreError) -> [StoredSample] {
    byParent.bind(1, integer: row)
    defer { byParent.reset() }
    var members: [StoredSample] = []
    while try byParent.step() { members.append(try sample(in: byParent)) }
    return members
  }

  func visit(
    _ scan: StoreScan, _ body: (StoredSample) -> Bool
  ) throws(HealthStoreError) {
    switch scan {
    case .rows(let type, let row):
      byRow.bind(1, integer: types.row(of: type))
      byRow.bind(2, integer: row)
      try visit(byRow, body)
    case .time(let type, let from, let end):
      bind(byTime, type, from, end)
      try visit(byTime, body)
    case .timeReversed(let type, let from, let end):
      bind(byTimeReversed, type, from, end)
      try visit(byTimeReversed, body)
    }
  }

  private func bind(
    _ statement: borrowing SQLiteStatement, _ type: ObjectType, _ from: Instant, _ end: Instant
  ) {
    let (earliest, overflow) = from.millisecondsSince1970.subtractingReportingOverflow(
      longest[type].milliseconds)
    statement.bind(1, integer: types.row(of: type))
    statement.bind(2, integer: overflow ? .min : earliest)
    statement.bind(3, integer: end.millisecondsSince1970)
  }

  private func visit(
    _ statement: borrowing SQLiteStatement, _ body: (StoredSample) -> Bool
  ) throws(HealthStoreError) {
    defer { statement.reset() }
    while try statement.step() {
      guard body(try sample(in: statement)) else { return }
    }
  }

  /// The sample in the current row of a statement.
  private func sample(
    in row: borrowing SQLiteStatement
  ) throws(HealthStoreError) -> StoredSample {
    let number = row.integer(0)
    guard let type = types.type(at: row.integer(2)) else {
      throw rules.damaged("object", number, "its type is unknown")
    }
    let revision = try rules.place(
      row.integer(3), in: registry.revisionCount, "object", number, "revision")
    let source = try rules.place(
      row.integer(17), in: registry.sourceCount, "object", number, "source")
    for column in 5...7 as ClosedRange<Int32> {
      try rules.check(row.integer(column), in: RowRules.milliseconds, "object", number, "time")
    }
    guard row.integer(5) <= row.integer(6) else {
      throw rules.damaged("object", number, "it ends before it starts")
    }
    var metadata = Metadata()
    if let identifier = row.optionalText(13) { metadata[.syncIdentifier] = .text(identifier) }
    if let version = row.optionalInteger(14) { metadata[.syncVersion] = .number(Double(version)) }
    if let external = row.optionalText(15) { metadata[.externalUUID] = .text(external) }
    if row.integer(16) != 0 { try self.metadata.read(of: number, into: &metadata) }
    let device = try row.optionalInteger(4).map { (place) throws(HealthStoreError) in
      try rules.known(devices.device(at: place), place, "object", number, "its device")
    }
    let sample = Sample(
      restoring: row.uuid(1), type: type, start: .init(millisecondsSince1970: row.integer(5)),
      end: .init(millisecondsSince1970: row.integer(6)),
      value: try value(of: type, number: number, in: row),
      device: device, metadata: metadata)
    try row.check()
    return StoredSample(
      row: number, sample: sample, revision: Int32(revision), source: Int32(source),
      created: .init(millisecondsSince1970: row.integer(7)),
      parent: row.optionalInteger(12) ?? 0)
  }

  private func value(
    of type: ObjectType, number: Int64, in row: borrowing SQLiteStatement
  ) throws(HealthStoreError) -> SampleValue {
    switch type.kind {
    case .category: return .category(Int(row.integer(11)))
    case .correlation: return .correlation([])
    case .document: return .document(try contents.document(number))
    case .workout: return .workout(try contents.workout(number))
    case .quantity, .characteristic, .activitySummary:
      if let text = row.optionalText(10) {
        let unit = try rules.known(try? HealthUnit(text), text, "object", number, "its unit")
        return .quantity(.init(row.real(9), unit))
      }
      return .quantity(.init(row.real(8), type.unit ?? .count))
    }
  }

  /// The samples of all types.
  func all() throws(HealthStoreError) -> [StoredSample] {
    var found: [StoredSample] = []
    for type in ObjectType.allCases where type.isSampleType {
      try visit(.rows(type, after: 0)) { stored in
        found.append(stored)
        return true
      }
    }
    return found
  }
}
