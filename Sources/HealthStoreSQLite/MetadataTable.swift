internal import HealthStore
internal import Quantities

/// The metadata of samples, with the numbers under which a file knows the keys.
final class MetadataTable {
  private var keys: [Int64: MetadataKey] = [:]
  private var rows: [MetadataKey: Int64] = [:]
  /// The first keys: those of nearly all entries, which are found sooner one after the other.
  private var firstKeys: [MetadataKey] = []
  /// An entry of a row, under the number of its key.
  private struct Entry {
    var row: Int64
    var key: Int64
    var value: MetadataValue
  }

  /// Entries that are to be inserted together with those that follow.
  private var waiting: [Entry] = []
  private let insertKey: SQLiteStatement
  private let insertEntry: SQLiteStatement
  private let insertMany: SQLiteStatement
  private let entries: SQLiteStatement
  private let rules: RowCheck

  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    insertKey = try connection.prepare("INSERT INTO metadata_key VALUES(?1, ?2)")
    insertEntry = try connection.prepare(
      SQLiteStatement.insertion(into: "metadata", columns: Self.columns, rows: 1))
    insertMany = connection.prepareLate(
      SQLiteStatement.insertion(
        into: "metadata", columns: Self.columns, rows: SQLiteStatement.rowsAtOnce))
    entries = try connection.prepare(
      "SELECT key_id, kind, number, instant_ms, text FROM metadata WHERE row_id = ?1")
    rules = RowCheck(path: connection.path)
  }

  /// Forgets what was read.
  func forget() {
    keys = [:]
    rows = [:]
    firstKeys = []
    waiting = []
  }

  /// Reads the keys.
  func load(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    let statement = try connection.prepare("SELECT id, key FROM metadata_key ORDER BY id")
    while try statement.step() {
      try rules.checkOrder("metadata_key", statement.integer(0), after: keys.count)
      let key = MetadataKey(statement.text(1))
      note(key, row: statement.integer(0))
    }
  }

  /// Inserts an entry of a sample, at the latest with ``insertWaiting()``.
  func insert(_ entry: Metadata.Entry, row: Int64) throws(HealthStoreError) {
    assert(row > 0, "The metadata is that of a row.")
    waiting.append(Entry(row: row, key: try self.row(of: entry.key), value: entry.value))
    guard waiting.count == SQLiteStatement.rowsAtOnce else { return }
    for (index, entry) in waiting.enumerated() {
      Self.bind(entry, to: insertMany, from: Int32(index) * Int32(Self.columns))
    }
    waiting.removeAll(keepingCapacity: true)
    try insertMany.run()
  }

  /// Inserts the entries that wait for others.
  func insertWaiting() throws(HealthStoreError) {
    for entry in waiting {
      Self.bind(entry, to: insertEntry, from: 0)
      try insertEntry.run()
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private static let columns = 6

  /// Binds an entry to the parameters after `first`.
  private static func bind(_ entry: Entry, to insert: borrowing SQLiteStatement, from first: Int32)
  {
    insert.bind(first + 1, integer: entry.row)
    insert.bind(first + 2, integer: entry.key)
    for column in 4...6 as ClosedRange<Int32> { insert.bindNull(first + column) }
    let kind: Int64
    switch entry.value {
    case .text(let text):
      kind = 1
      insert.bind(first + 6, text: text)
    case .number(let number):
      kind = 2
      insert.bind(first + 4, real: number)
    case .flag(let flag):
      kind = 3
      insert.bind(first + 4, real: flag ? 1 : 0)
    case .date(let date):
      kind = 4
      insert.bind(first + 5, integer: date.millisecondsSince1970)
    case .quantity(let quantity):
      kind = 5
      insert.bind(first + 4, real: quantity.value)
      insert.bind(first + 6, text: quantity.unit.unitString)
    }
    insert.bind(first + 3, integer: kind)
  }

  /// Reads the entries of a sample.
  func read(of row: Int64, into metadata: inout Metadata) throws(HealthStoreError) {
    entries.bind(1, integer: row)
    defer { entries.reset() }
    while try entries.step() {
      let (place, kind) = (entries.integer(0), entries.integer(1))
      let key = try rules.known(keys[place], place, "metadata", row, "its key")
      let number = entries.real(2)
      switch kind {
      case 1: metadata[key] = .text(entries.text(4))
      case 2: metadata[key] = .number(number)
      case 3: metadata[key] = .flag(number == 1)
      case 4:
        let instant = entries.integer(3)
        try rules.check(instant, in: RowRules.milliseconds, "metadata", row, "instant_ms")
        metadata[key] = .date(.init(millisecondsSince1970: instant))
      case 5:
        let text = entries.text(4)
        let unit = try rules.known(try? HealthUnit(text), text, "metadata", row, "its unit")
        metadata[key] = .quantity(.init(number, unit))
      default: throw rules.damaged("metadata", row, "its kind is \(kind), which is unknown")
      }
    }
  }

  private func row(of key: MetadataKey) throws(HealthStoreError) -> Int64 {
    for index in firstKeys.indices where firstKeys[index] == key { return Int64(index) + 1 }
    if let row = rows[key] { return row }
    let row = Int64(keys.count) + 1
    insertKey.bind(1, integer: row)
    insertKey.bind(2, text: key.rawValue)
    try insertKey.run()
    note(key, row: row)
    return row
  }

  /// Notes a key that is new here; keys are numbered from 1.
  private func note(_ key: MetadataKey, row: Int64) {
    rows[key] = row
    keys[row] = key
    if firstKeys.count < 16, row == firstKeys.count + 1 { firstKeys.append(key) }
  }
}

/// Metadata split into what has a column of its own and the rest.
struct SplitMetadata {
  var syncIdentifier: String?
  var syncVersion: Int?
  var externalIdentifier: String?
  var rest: [Metadata.Entry] = []

  init(_ metadata: Metadata) {
    guard !metadata.isEmpty else { return }
    syncIdentifier = metadata.syncIdentifier?.description
    // The other entries lie as they are: no list of all is made.
    let others = metadata.with(syncIdentifier: nil).entries
    rest.reserveCapacity(others.count)
    for entry in others {
      switch (entry.key, entry.value) {
      case (.externalUUID, .text(let text)): externalIdentifier = text
      case (.syncVersion, .number(let number)) where Int(exactly: number) != nil:
        syncVersion = Int(exactly: number)
      default: rest.append(entry)
      }
    }
  }
}
