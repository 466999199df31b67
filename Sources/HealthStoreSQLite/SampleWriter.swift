internal import HealthStore
internal import Quantities

/// Writes samples, each with its device, its metadata and its content.
final class SampleWriter {
  private let insert: SQLiteStatement
  private let insertMany: SQLiteStatement
  private let delete: SQLiteStatement
  private let types: TypeTable
  private let longest: LongestSamples
  private let devices: DeviceTable
  private let metadata: MetadataTable
  private let contents: ContentTables

  /// How many samples ``insertMany`` inserts.
  ///
  /// What a statement costs besides its rows is shared by them; more than some twenty gain little.
  private static let rowsAtOnce = 20

  /// The parameters that all rows of ``insertMany`` share: type, revision, device and creation.
  private static let sharedParameters: Int32 = 4

  /// The parameters of each of its rows: row, identity, start, end and value.
  private static let parametersOfRow: Int32 = 5

  /// Inserts plain quantities in the unit of their type.
  private static var manyRows: String {
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
    let marks = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12"
    insert = try connection.prepare(
      "INSERT INTO object VALUES(\(marks), ?13, ?14, ?15, ?16, ?17)")
    insertMany = try connection.prepare(Self.manyRows)
    delete = try connection.prepare("DELETE FROM object WHERE row_id = ?1")
    self.types = types
    self.longest = longest
    self.devices = devices
    self.metadata = metadata
    self.contents = contents
  }

  func insert(_ stored: StoredSample) throws(HealthStoreError) {
    assert(stored.row > 0, "Rows are numbered from 1.")
    let sample = stored.sample
    let split = SplitMetadata(sample.metadata)
    longest.note(sample.duration, of: sample.type)
    insert.bind(1, integer: stored.row)
    insert.bind(2, uuid: sample.uuid)
    insert.bind(3, integer: types.row(of: sample.type))
    insert.bind(4, integer: Int64(stored.revision) + 1)
    insert.bind(5, integer: try sample.device.map(devices.row(of:)))
    insert.bind(6, integer: sample.start.millisecondsSince1970)
    insert.bind(7, integer: sample.end.millisecondsSince1970)
    insert.bind(8, integer: stored.created.millisecondsSince1970)
    let isOriginal = sample.quantity?.unit == sample.type.unit
    insert.bind(9, real: sample.storedValue)
    insert.bind(10, real: isOriginal ? nil : sample.quantity?.value)
    insert.bind(11, text: isOriginal ? nil : sample.quantity?.unit.unitString)
    insert.bind(12, integer: sample.category.map { Int64($0) })
    insert.bind(13, integer: stored.parent == 0 ? nil : stored.parent)
    insert.bind(14, text: split.syncIdentifier)
    insert.bind(15, integer: split.syncVersion.map { Int64($0) })
    insert.bind(16, text: split.externalIdentifier)
    insert.bind(17, integer: split.rest.isEmpty ? 0 : 1)
    do {
      try insert.run()
    } catch .storage(code: 2_067, _) {
      throw .invalidArgument(.duplicateUUID(sample.uuid))
    }
    for entry in split.rest { try metadata.insert(entry, row: stored.row) }
    try contents.insert(contentOf: sample, row: stored.row)
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
    insertMany.bind(1, integer: types.row(of: type))
    insertMany.bind(2, integer: Int64(run.revision) + 1)
    insertMany.bind(3, integer: try span[part.lowerBound].device.map(devices.row(of:)))
    insertMany.bind(4, integer: run.created.millisecondsSince1970)
    var parameter = Self.sharedParameters
    for index in part {
      let (start, end) = (span[index].start, span[index].end)
      longest.note(end - start, of: type)
      insertMany.bind(parameter + 1, integer: run.firstRow + Int64(index))
      insertMany.bind(parameter + 2, uuid: span[index].uuid)
      insertMany.bind(parameter + 3, integer: start.millisecondsSince1970)
      insertMany.bind(parameter + 4, integer: end.millisecondsSince1970)
      insertMany.bind(parameter + 5, real: span[index].quantity?.value)
      parameter += Self.parametersOfRow
    }
    do {
      try insertMany.run()
      return true
    } catch .storage(code: 2_067, _) {
      // Inserted one by one, the one that is known tells its identity.
      return false
    }
  }
}
