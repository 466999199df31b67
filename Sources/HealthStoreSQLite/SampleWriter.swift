internal import HealthStore
internal import Quantities

/// Writes samples, each with its device, its metadata and its content.
final class SampleWriter {
  private let insert: SQLiteStatement
  private let insertMany: SQLiteStatement
  /// Inserts many that differ in nothing but identity, time and value.
  private let insertAlike: SQLiteStatement
  private let delete: SQLiteStatement
  private let types: TypeTable
  private let longest: LongestSamples
  private let devices: DeviceTable
  private let metadata: MetadataTable
  private let contents: ContentTables

  private static let rowsAtOnce = SQLiteStatement.rowsAtOnce
  private static let columns = 17

  /// The parameters that all rows of ``insertAlike`` share: type, revision, device and creation.
  private static let sharedParameters: Int32 = 4

  /// The parameters of each of its rows: row, identity, start, end and value.
  private static let parametersOfRow: Int32 = 5

  /// Inserts plain quantities in the unit of their type.
  private static var alikeRows: String {
    let rows = (0..<Int32(rowsAtOnce)).map { row in
      let first = sharedParameters + parametersOfRow * row + 1
      return """
        (?\(first), ?\(first + 1), ?1, ?2, ?3, ?\(first + 2), ?\(first + 3), ?4, ?\(first + 4), \
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0)
        """
    }
    return "INSERT INTO object VALUES \(rows.joined(separator: ", "))"
  }

  init(
    _ connection: borrowing SQLiteConnection, _ types: TypeTable, _ longest: LongestSamples,
    _ devices: DeviceTable, _ metadata: MetadataTable, _ contents: ContentTables
  ) throws(HealthStoreError) {
    insert = try connection.prepare(
      SQLiteStatement.insertion(into: "object", columns: Self.columns, rows: 1))
    insertMany = connection.prepareLate(
      SQLiteStatement.insertion(into: "object", columns: Self.columns, rows: Self.rowsAtOnce))
    insertAlike = connection.prepareLate(Self.alikeRows)
    delete = try connection.prepare("DELETE FROM object WHERE row_id = ?1")
    self.types = types
    self.longest = longest
    self.devices = devices
    self.metadata = metadata
    self.contents = contents
  }

  /// Inserts samples, each with what belongs to it.
  func insert(_ samples: [StoredSample]) throws(HealthStoreError) {
    var next = 0
    while next < samples.count {
      let part = samples[next..<min(next + Self.rowsAtOnce, samples.count)]
      next = part.endIndex
      if part.count == Self.rowsAtOnce, try insertAtOnce(part) { continue }
      for stored in part { try insert(stored) }
    }
    try metadata.insertWaiting()
  }

  /// Inserts as many samples as the statement for many has room for; says whether it did, or one of
  /// the identities is known.
  private func insertAtOnce(_ samples: ArraySlice<StoredSample>) throws(HealthStoreError) -> Bool {
    var first: Int32 = 0
    var rest: [(row: Int64, entries: [Metadata.Entry])] = []
    for stored in samples {
      let split = SplitMetadata(stored.sample.metadata)
      try bind(stored, split, to: insertMany, from: first)
      if !split.rest.isEmpty { rest.append((stored.row, split.rest)) }
      first += Int32(Self.columns)
    }
    guard try ifNew({ () throws(HealthStoreError) in try insertMany.run() }) else { return false }
    for (row, entries) in rest {
      for entry in entries { try metadata.insert(entry, row: row) }
    }
    for stored in samples { try contents.insert(contentOf: stored.sample, row: stored.row) }
    return true
  }

  private func insert(_ stored: StoredSample) throws(HealthStoreError) {
    let split = SplitMetadata(stored.sample.metadata)
    try bind(stored, split, to: insert, from: 0)
    guard try ifNew({ () throws(HealthStoreError) in try insert.run() }) else {
      throw .invalidArgument(.duplicateUUID(stored.sample.uuid))
    }
    for entry in split.rest { try metadata.insert(entry, row: stored.row) }
    try contents.insert(contentOf: stored.sample, row: stored.row)
  }

  /// Runs an insertion; says whether it was done, or an identity in it is known.
  private func ifNew(
    _ insertion: () throws(HealthStoreError) -> Void
  ) throws(HealthStoreError) -> Bool {
    do {
      try insertion()
      return true
    } catch .storage(code: 2_067, _) {
      return false
    }
  }

  /// Binds a sample to the parameters after `first`.
  private func bind(
    _ stored: StoredSample, _ split: SplitMetadata, to insert: borrowing SQLiteStatement,
    from first: Int32
  ) throws(HealthStoreError) {
    assert(stored.row > 0, "Rows are numbered from 1.")
    let sample = stored.sample
    longest.note(sample.duration, of: sample.type)
    insert.bind(first + 1, integer: stored.row)
    insert.bind(first + 2, uuid: sample.uuid)
    insert.bind(first + 3, integer: types.row(of: sample.type))
    insert.bind(first + 4, integer: Int64(stored.revision) + 1)
    insert.bind(first + 5, integer: try sample.device.map(devices.row(of:)))
    insert.bind(first + 6, integer: sample.start.millisecondsSince1970)
    insert.bind(first + 7, integer: sample.end.millisecondsSince1970)
    insert.bind(first + 8, integer: stored.created.millisecondsSince1970)
    let isOriginal = sample.quantity?.unit == sample.type.unit
    insert.bind(first + 9, real: sample.storedValue)
    insert.bind(first + 10, real: isOriginal ? nil : sample.quantity?.value)
    insert.bind(first + 11, text: isOriginal ? nil : sample.quantity?.unit.unitString)
    insert.bind(first + 12, integer: sample.category.map { Int64($0) })
    insert.bind(first + 13, integer: stored.parent == 0 ? nil : stored.parent)
    insert.bind(first + 14, text: split.syncIdentifier)
    insert.bind(first + 15, integer: split.syncVersion.map { Int64($0) })
    insert.bind(first + 16, text: split.externalIdentifier)
    insert.bind(first + 17, integer: split.rest.isEmpty ? 0 : 1)
  }

  func delete(_ row: Int64) throws(HealthStoreError) {
    delete.bind(1, integer: row)
    try delete.run()
  }

  /// Inserts a run, many samples at once where they differ in nothing but identity, time and value.
  func insert(_ run: SampleRun) throws(HealthStoreError) {
    var next = 0
    while next < run.samples.count {
      let part = next..<min(next + Self.rowsAtOnce, run.samples.count)
      next = part.upperBound
      if isUniform(run, part), try insertAtOnce(run, part) { continue }
      for index in part { try insert(run[index]) }
    }
    try metadata.insertWaiting()
  }

  /// Whether a part of a run is as long as the statement for many, of one type in its own unit, and
  /// of one device.
  private func isUniform(_ run: SampleRun, _ part: Range<Int>) -> Bool {
    guard part.count == Self.rowsAtOnce else { return false }
    let samples = run.samples.span
    let type = samples[part.lowerBound].type
    let device = samples[part.lowerBound].device
    guard let unit = type.unit else { return false }
    for index in part {
      guard samples[index].type == type, samples[index].quantity?.unit == unit,
        samples[index].device == device
      else { return false }
    }
    return true
  }

  /// Inserts a uniform part of a run; says whether it did, or one of the identities is known.
  private func insertAtOnce(
    _ run: SampleRun, _ part: Range<Int>
  ) throws(HealthStoreError) -> Bool {
    assert(part.count == Self.rowsAtOnce, "The statement for many has room for so many rows.")
    let span = run.samples.span
    let type = span[part.lowerBound].type
    insertAlike.bind(1, integer: types.row(of: type))
    insertAlike.bind(2, integer: Int64(run.revision) + 1)
    insertAlike.bind(3, integer: try span[part.lowerBound].device.map(devices.row(of:)))
    insertAlike.bind(4, integer: run.created.millisecondsSince1970)
    var parameter = Self.sharedParameters
    for index in part {
      let (start, end) = (span[index].start, span[index].end)
      longest.note(end - start, of: type)
      insertAlike.bind(parameter + 1, integer: run.firstRow + Int64(index))
      insertAlike.bind(parameter + 2, uuid: span[index].uuid)
      insertAlike.bind(parameter + 3, integer: start.millisecondsSince1970)
      insertAlike.bind(parameter + 4, integer: end.millisecondsSince1970)
      insertAlike.bind(parameter + 5, real: span[index].quantity?.value)
      parameter += Self.parametersOfRow
    }
    // Inserted one by one, one that is known tells its identity.
    return try ifNew { () throws(HealthStoreError) in try insertAlike.run() }
  }
}
