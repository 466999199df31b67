internal import HealthStore
internal import Quantities

/// The tables of a file with their prepared statements.
final class StoreTables {
  let connection: SQLiteConnection
  private let begin: SQLiteStatement
  private let beginReading: SQLiteStatement
  private let commit: SQLiteStatement
  private let rollback: SQLiteStatement
  private let setLastRow: SQLiteStatement
  private let setLongest: SQLiteStatement
  let samples: SampleStatements
  let registry: RegistryStatements
  let types: TypeTable
  /// The devices of the file by their row, and the other way round.
  var devices: [Int64: Device] = [:]
  var deviceRows: [Device: Int64] = [:]
  var keys: [Int64: MetadataKey] = [:]
  var keyRows: [MetadataKey: Int64] = [:]
  /// The longest sample of each type, which bounds where an overlapping one can start.
  var longest: [TimeSpan]
  var changedLongest: Set<ObjectType> = []
  /// How many sources and revisions the file has; what a sample names must be among them.
  var sourceCount = 0
  var revisionCount = 0
  /// Whether the file is held still for many questions.
  private var isReading = false

  init(_ connection: consuming SQLiteConnection) throws(HealthStoreError) {
    types = try TypeTable(connection)
    longest = types.longest
    begin = try connection.prepare("BEGIN IMMEDIATE")
    beginReading = try connection.prepare("BEGIN")
    commit = try connection.prepare("COMMIT")
    rollback = try connection.prepare("ROLLBACK")
    setLastRow = try connection.prepare("REPLACE INTO meta(key, value) VALUES('lastRow', ?1)")
    setLongest = try connection.prepare("UPDATE type SET longest_ms = ?2 WHERE id = ?1")
    samples = try SampleStatements(connection)
    registry = try RegistryStatements(connection)
    self.connection = connection
    try loadDevices()
    try loadKeys()
    try countSources()
  }

  /// Holds the file still for many questions: each by itself would lock it anew.
  func startReading() throws(HealthStoreError) {
    guard !isReading else { return }
    try beginReading.run()
    isReading = true
  }

  /// Lets go of the file.
  func stopReading() throws(HealthStoreError) {
    guard isReading else { return }
    isReading = false
    try commit.run()
  }

  /// Runs a body in one transaction: all of it happens, or nothing.
  func transaction(_ body: () throws(HealthStoreError) -> Void) throws(HealthStoreError) {
    try stopReading()
    try begin.run()
    do {
      try body()
      try commit.run()
    } catch {
      try? rollback.run()
      try? forgetUncommitted()
      throw error
    }
  }

  /// Reads again what a transaction that came to nothing may have changed in memory.
  private func forgetUncommitted() throws(HealthStoreError) {
    devices = [:]
    deviceRows = [:]
    keys = [:]
    keyRows = [:]
    changedLongest = []
    try loadDevices()
    try loadKeys()
    try countSources()
  }

  private func countSources() throws(HealthStoreError) {
    sourceCount = Int(try connection.number("SELECT count(*) FROM source"))
    revisionCount = Int(try connection.number("SELECT count(*) FROM source_revision"))
  }

  func lastRow() throws(HealthStoreError) -> Int64 {
    let statement = try connection.prepare("SELECT value FROM meta WHERE key = 'lastRow'")
    let last = try statement.step() ? setting("lastRow", statement.text(0), RowRules.rows) : 0
    for table in ["object", "tombstone"] {
      let range = try connection.prepare("SELECT min(row_id), max(row_id) FROM \(table)")
      guard try range.step(), !range.isNull(0) else { continue }
      for row in [range.integer(0), range.integer(1)] where row < 1 || row > last {
        throw damaged(table, row, "rows are from 1 to \(last) in this file")
      }
    }
    return last
  }

  func finishBatch(lastRow: Int64) throws(HealthStoreError) {
    setLastRow.bind(1, text: "\(lastRow)")
    try setLastRow.run()
    for type in ObjectType.allCases where changedLongest.contains(type) {
      setLongest.bind(1, integer: types.row(of: type))
      setLongest.bind(2, integer: longest[Int(type.rawValue)].milliseconds)
      try setLongest.run()
    }
    changedLongest = []
  }

  func noteDuration(_ duration: TimeSpan, of type: ObjectType) {
    guard longest[Int(type.rawValue)] < duration else { return }
    longest[Int(type.rawValue)] = duration
    changedLongest.insert(type)
  }

  private func loadDevices() throws(HealthStoreError) {
    let statement = try connection.prepare(
      """
      SELECT id, name, manufacturer, model, hardware, firmware, software, local_id, udi
      FROM device ORDER BY id
      """)
    while try statement.step() {
      try checkOrder("device", statement.integer(0), after: devices.count)
      let device = Device(
        name: statement.optionalText(1), manufacturer: statement.optionalText(2),
        model: statement.optionalText(3), hardwareVersion: statement.optionalText(4),
        firmwareVersion: statement.optionalText(5), softwareVersion: statement.optionalText(6),
        localIdentifier: statement.optionalText(7), udiDeviceIdentifier: statement.optionalText(8))
      devices[statement.integer(0)] = device
      deviceRows[device] = statement.integer(0)
    }
  }

  private func loadKeys() throws(HealthStoreError) {
    let statement = try connection.prepare("SELECT id, key FROM metadata_key ORDER BY id")
    while try statement.step() {
      try checkOrder("metadata_key", statement.integer(0), after: keys.count)
      let key = MetadataKey(statement.text(1))
      keys[statement.integer(0)] = key
      keyRows[key] = statement.integer(0)
    }
  }
}

/// The numbers under which a file knows the types.
struct TypeTable {
  private var rows: [Int64]
  private var types: [Int64: ObjectType] = [:]
  private(set) var longest: [TimeSpan]

  /// Reads the table, and adds the types that the file does not know yet.
  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    rows = Array(repeating: 0, count: ObjectType.allCases.count)
    longest = Array(repeating: .zero, count: rows.count)
    var highest: Int64 = 0
    let read = try connection.prepare("SELECT id, identifier, longest_ms FROM type ORDER BY id")
    while try read.step() {
      let row = read.integer(0)
      guard RowRules.types.contains(row) else {
        throw .damaged(
          path: connection.path, table: "type", row: row,
          reason: "a type's number is from 1 to \(RowRules.types.upperBound)")
      }
      guard (0...RowRules.milliseconds.upperBound).contains(read.integer(2)) else {
        throw .damaged(
          path: connection.path, table: "type", row: row, reason: "longest_ms cannot be meant")
      }
      highest = max(highest, row)
      guard let type = ObjectType(identifier: read.text(1)) else { continue }
      rows[Int(type.rawValue)] = row
      types[row] = type
      longest[Int(type.rawValue)] = .milliseconds(read.integer(2))
    }
    guard rows.contains(0) else { return }
    try connection.execute("BEGIN IMMEDIATE")
    let write = try connection.prepare(
      "INSERT INTO type(id, identifier, name, kind, unit, aggregation) VALUES(?, ?, ?, ?, ?, ?)")
    for type in ObjectType.allCases where rows[Int(type.rawValue)] == 0 {
      highest += 1
      write.bind(1, integer: highest)
      write.bind(2, text: type.identifier)
      write.bind(3, text: type.name)
      write.bind(4, text: type.kind.rawValue)
      write.bind(5, text: type.unit?.unitString)
      write.bind(6, text: type.aggregation.rawValue)
      try write.run()
      rows[Int(type.rawValue)] = highest
      types[highest] = type
    }
    try connection.execute("COMMIT")
  }

  func row(of type: ObjectType) -> Int64 { rows[Int(type.rawValue)] }

  func type(at row: Int64) -> ObjectType? { types[row] }
}
