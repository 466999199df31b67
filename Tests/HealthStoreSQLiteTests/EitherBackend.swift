import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

/// The two backends behind one type, so that a law is written once and runs on both.
enum EitherBackend: StoreBackend {
  case memory(MemoryBackend)
  case file(SQLiteBackend)

  func loadRegistry() throws(HealthStoreError) -> StoreRegistry {
    switch self {
    case .memory(let backend): backend.loadRegistry()
    case .file(let backend): try backend.loadRegistry()
    }
  }

  var lastRow: Int64 {
    switch self {
    case .memory(let backend): backend.lastRow
    case .file(let backend): backend.lastRow
    }
  }

  mutating func apply(_ batch: StoreBatch) throws(HealthStoreError) {
    switch self {
    case .memory(var backend):
      try backend.apply(batch)
      self = .memory(backend)
    case .file(let backend): try backend.apply(batch)
    }
  }

  func stored(_ uuid: SampleUUID) throws(HealthStoreError) -> StoredSample? {
    switch self {
    case .memory(let backend): backend.stored(uuid)
    case .file(let backend): try backend.stored(uuid)
    }
  }

  mutating func insert(_ stored: StoredSample) throws(HealthStoreError) {
    switch self {
    case .memory(var backend):
      try backend.insert(stored)
      self = .memory(backend)
    case .file(var backend): try backend.insert(stored)
    }
  }

  func stored(
    syncIdentifier: SyncIdentifier, type: ObjectType, source: Int32
  ) throws(HealthStoreError) -> StoredSample? {
    switch self {
    case .memory(let backend):
      backend.stored(syncIdentifier: syncIdentifier, type: type, source: source)
    case .file(let backend):
      try backend.stored(syncIdentifier: syncIdentifier, type: type, source: source)
    }
  }

  func members(of row: Int64) throws(HealthStoreError) -> [StoredSample] {
    switch self {
    case .memory(let backend): backend.members(of: row)
    case .file(let backend): try backend.members(of: row)
    }
  }

  func samples(ofWorkout uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    switch self {
    case .memory(let backend): backend.samples(ofWorkout: uuid)
    case .file(let backend): try backend.samples(ofWorkout: uuid)
    }
  }

  func workouts(ofSample uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    switch self {
    case .memory(let backend): backend.workouts(ofSample: uuid)
    case .file(let backend): try backend.workouts(ofSample: uuid)
    }
  }

  func visit(_ scan: StoreScan, _ body: (StoredSample) -> Bool) throws(HealthStoreError) {
    switch self {
    case .memory(let backend): backend.visit(scan, body)
    case .file(let backend): try backend.visit(scan, body)
    }
  }

  func tombstones(
    of type: ObjectType, after row: Int64
  ) throws(HealthStoreError) -> [Tombstone] {
    switch self {
    case .memory(let backend): backend.tombstones(of: type, after: row)
    case .file(let backend): try backend.tombstones(of: type, after: row)
    }
  }

  func uploads(of service: String, limit: Int) throws(HealthStoreError) -> [Upload] {
    switch self {
    case .memory(let backend): backend.uploads(of: service, limit: limit)
    case .file(let backend): try backend.uploads(of: service, limit: limit)
    }
  }

  func toldSamples(
    of service: String, type: ObjectType
  ) throws(HealthStoreError) -> [SampleUUID] {
    switch self {
    case .memory(let backend): backend.toldSamples(of: service, type: type)
    case .file(let backend): try backend.toldSamples(of: service, type: type)
    }
  }
}

/// Where the store of a law keeps its samples.
enum Place: String, CaseIterable, CustomTestStringConvertible {
  case memory, file

  var testDescription: String { rawValue }
}

/// A store with two apps, identities and times for a law.
struct World {
  typealias Store = HealthRecordStore<EitherBackend>

  var store: Store
  var generator = SplitMix(state: 11)
  let start = Instant(secondsSince1970: 1_700_006_400)
  let loop: ClientID
  let dexcom: ClientID

  init(_ place: Place, granting authorization: Authorization? = .full) throws {
    let backend: EitherBackend =
      switch place {
      case .memory: .memory(MemoryBackend())
      case .file: .file(try SQLiteBackend(path: ":memory:"))
      }
    store = try HealthRecordStore(opening: backend)
    loop = try store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop", version: "3.4"),
      granting: authorization)
    dexcom = try store.register(
      HealthClient(bundleIdentifier: "com.dexcom.G7", name: "Dexcom"), granting: authorization)
  }

  mutating func uuid() -> SampleUUID { SampleUUID(using: &generator) }

  func minute(_ minute: Int64) -> Instant { start + .minutes(minute) }

  mutating func glucose(
    _ mgdL: Double, minute: Int64, metadata: Metadata = .none
  ) -> Sample {
    .bloodGlucose(.mgdL(mgdL), at: self.minute(minute), uuid: uuid(), metadata: metadata)
  }

  mutating func synced(_ identifier: SyncIdentifier, version: Int, mgdL: Double = 100) -> Sample {
    var metadata = Metadata()
    metadata.setSync(identifier: identifier, version: version)
    return glucose(mgdL, minute: 0, metadata: metadata)
  }

  mutating func quantity(
    _ type: ObjectType, _ value: Double, from: Int64, to: Int64? = nil, unit: HealthUnit? = nil
  ) throws -> Sample {
    try Sample(
      type, quantity: HealthQuantity(value, unit ?? type.unit ?? .count), start: minute(from),
      end: minute(to ?? from), uuid: uuid())
  }

  mutating func save(_ samples: Sample..., by client: ClientID) throws {
    try store.save(samples, as: client, at: start)
  }

  /// The identities of the samples of a type that a client sees, in the order of starts.
  func seen(_ type: ObjectType = .bloodGlucose, by client: ClientID) throws -> [SampleUUID] {
    try store.samples(of: type, as: client).map(\.uuid)
  }
}

/// A store error with HealthKit's code.
func failure(_ body: () throws -> Void) -> Int? {
  do {
    try body()
    return nil
  } catch let error as HealthStoreError {
    return error.code
  } catch {
    return -1
  }
}
