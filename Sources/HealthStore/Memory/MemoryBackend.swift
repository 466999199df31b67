public import Quantities

/// Keeps a health store in arrays.
///
/// A copy is a checkpoint.
///
/// HealthKit keeps its samples in an encrypted database that no app sees.
public struct MemoryBackend: StoreBackend, Sendable {
  private var columns: [SampleColumn]
  private var stones: [[Tombstone]]
  private var index = UUIDIndex()
  /// The live samples with a sync identifier.
  private var synced = SyncIndex()
  /// The members of correlations by the row of the correlation.
  private var children: [Int64: [SampleUUID]] = [:]
  /// Which samples belong to which workouts.
  public private(set) var workoutLinks: [WorkoutLink] = []
  private var queue = UploadQueue()
  public private(set) var lastRow: Int64 = 0

  /// Creates an empty store.
  public init() {
    let count = ObjectType.allCases.count
    columns = ObjectType.allCases.map { SampleColumn($0) }
    stones = Array(repeating: [], count: count)
  }

  public func loadRegistry() -> StoreRegistry { StoreRegistry() }

  public mutating func apply(_ batch: StoreBatch) throws(HealthStoreError) {
    if let run = batch.run { try insert(run) }
    try insert(batch.inserted)
    for link in batch.links where !workoutLinks.contains(link) { workoutLinks.append(link) }
    for tombstone in batch.deleted {
      remove(tombstone.uuid)
      assert(
        stones[Int(tombstone.type.rawValue)].last.map { $0.row < tombstone.row } ?? true,
        "Deletions are kept in the order of their rows.")
      stones[Int(tombstone.type.rawValue)].append(tombstone)
    }
    for stored in batch.pruned { remove(stored.sample.uuid) }
    if batch.purgedTombstones > 0 {
      for type in stones.indices { stones[type].removeAll { $0.row <= batch.purgedTombstones } }
    }
    for change in batch.uploads { queue.apply(change) }
    assert(
      batch.deleted.allSatisfy { $0.row <= batch.lastRow },
      "Rows of a batch are numbered up to its last.")
    lastRow = max(lastRow, batch.lastRow)
    if !batch.deleted.isEmpty || !batch.pruned.isEmpty { compactWhereWorthwhile() }
  }

  public mutating func insert(_ stored: StoredSample) throws(HealthStoreError) {
    index.reserve(1, in: columns)
    guard put(stored) else {
      throw .invalidArgument(.duplicateUUID(stored.sample.uuid), object: nil)
    }
    lastRow = max(lastRow, stored.row)
  }

  public func stored(_ uuid: SampleUUID) -> StoredSample? {
    place(of: uuid).map { columns[Int($0.type.rawValue)][$0.position] }
  }

  public func holds(_ uuid: SampleUUID) -> Bool { place(of: uuid) != nil }

  public func stored(
    syncIdentifier: SyncIdentifier, type: ObjectType, source: Int32
  ) -> StoredSample? {
    synced.position(of: syncIdentifier, type, source: source, in: columns).map {
      columns[Int(type.rawValue)][$0]
    }
  }

  public func members(of row: Int64) -> [StoredSample] {
    (children[row] ?? []).compactMap { stored($0) }
  }

  public func samples(ofWorkout uuid: SampleUUID) -> [SampleUUID] {
    workoutLinks.filter { $0.workout == uuid }.map(\.sample).sorted {
      (stored($0)?.row ?? 0) < (stored($1)?.row ?? 0)
    }
  }

  public func workouts(ofSample uuid: SampleUUID) -> [SampleUUID] {
    workoutLinks.filter { $0.sample == uuid }.map(\.workout).sorted {
      (stored($0)?.row ?? 0) < (stored($1)?.row ?? 0)
    }
  }

  public func visit(_ scan: StoreScan, _ body: (StoredSample) -> Bool) {
    switch scan {
    case .time(let type, _, _), .timeReversed(let type, _, _), .rows(let type, _):
      columns[Int(type.rawValue)].visit(scan, body)
    }
  }

  public func visit(
    _ type: ObjectType, from start: Instant, to end: Instant, writtenBy source: Int32,
    _ body: (StoredSample) -> Void
  ) {
    columns[Int(type.rawValue)].visit(from: start, to: end, writtenBy: source, body)
  }

  /// Visits the live samples of a type in the order of their rows, as they lie here: nothing is
  /// copied of what quantities have in common, which ``traits(of:)`` tells.
  package func visit(
    _ type: ObjectType, quantities: (PackedSample, SyncIdentifier?) -> Void,
    others: (StoredSample) -> Void
  ) {
    columns[Int(type.rawValue)].visit(quantities: quantities, others: others)
  }

  /// What quantities of a type have in common, each once.
  package func traits(of type: ObjectType) -> [SampleTraits] {
    columns[Int(type.rawValue)].traits.all
  }

  public func tombstones(of type: ObjectType, after row: Int64) -> [Tombstone] {
    let all = stones[Int(type.rawValue)]
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].row > row { high = middle } else { low = middle + 1 }
    }
    return Array(all[low...])
  }

  /// The changes that make the queues of uploads out of empty ones.
  package var allUploadChanges: [UploadChange] { queue.allChanges }

  public func uploads(of service: String, limit: Int) -> [Upload] {
    queue.waiting(for: service, limit: limit)
  }

  public func toldSamples(of service: String, type: ObjectType) -> [SampleUUID] {
    queue.told(to: service, of: type)
  }
}

extension MemoryBackend {
  private func place(of uuid: SampleUUID) -> UUIDIndex.Place? {
    index.place(of: uuid, in: columns)
  }

  /// Inserts a run all or nothing.
  private mutating func insert(_ run: SampleRun) throws(HealthStoreError) {
    index.reserve(run.samples.count, in: columns)
    var done = 0
    while done < run.samples.count {
      let stretch = run.stretch(from: done)
      let type = run.samples[done].type
      let first = columns[Int(type.rawValue)].rows.count
      columns[Int(type.rawValue)].append(run, stretch)
      let count = index.insert(type, from: first, in: columns)
      done = stretch.upperBound
      guard count < stretch.count else { continue }
      assert(count < stretch.count, "A run that fails does so within it.")
      let failed = stretch.lowerBound + count
      for sample in run.samples[..<failed] { index.remove(sample.uuid, in: columns) }
      for sample in run.samples[..<done].reversed() {
        columns[Int(sample.type.rawValue)].removeLast()
      }
      throw .invalidArgument(.duplicateUUID(run.samples[failed].uuid), object: nil)
    }
  }

  private mutating func insert(_ inserted: [StoredSample]) throws(HealthStoreError) {
    index.reserve(inserted.count, in: columns)
    // Looked at where they are: to take a sample out copies all of its metadata.
    let span = inserted.span
    for count in span.indices where !put(span[count]) {
      for earlier in inserted[..<count].reversed() { takeBack(earlier) }
      throw .invalidArgument(.duplicateUUID(span[count].sample.uuid), object: nil)
    }
  }

  /// Puts in a sample for which room was made; whether it did, or the identity is already there.
  private mutating func put(_ stored: StoredSample) -> Bool {
    let type = stored.sample.type
    let column = Int(type.rawValue)
    let position = columns[column].rows.count
    columns[column].append(stored)
    guard index.insert(type, from: position, in: columns) == 1 else {
      columns[column].removeLast()
      return false
    }
    synced.put(type, position, in: columns)
    if stored.parent != 0 { children[stored.parent, default: []].append(stored.sample.uuid) }
    return true
  }

  /// Undoes the insertion of a sample that is the last of its type.
  private mutating func takeBack(_ stored: StoredSample) {
    let type = stored.sample.type
    forget(stored)
    synced.remove(type, columns[Int(type.rawValue)].rows.count - 1, in: columns)
    index.remove(stored.sample.uuid, in: columns)
    columns[Int(type.rawValue)].removeLast()
  }

  private mutating func remove(_ uuid: SampleUUID) {
    guard let place = place(of: uuid) else { return }
    let type = Int(place.type.rawValue)
    assert(
      place.position < columns[type].rows.count,
      "The index knows only places that are there.")
    forget(columns[type][place.position])
    synced.remove(place.type, place.position, in: columns)
    index.remove(uuid, in: columns)
    columns[type].markGone(place.position)
    if !workoutLinks.isEmpty {
      workoutLinks.removeAll { $0.workout == uuid || $0.sample == uuid }
    }
  }

  /// Forgets which members a sample has, and of which it is one.
  private mutating func forget(_ stored: StoredSample) {
    if stored.parent != 0 {
      children[stored.parent]?.removeAll { $0 == stored.sample.uuid }
      if children[stored.parent]?.isEmpty == true { children[stored.parent] = nil }
    }
    children[stored.row] = nil
  }

  private mutating func compactWhereWorthwhile() {
    var isStale = false
    // Both indexes are made again with it, which takes all that live.
    let live = columns.reduce(0) { $0 + $1.rows.count - $1.goneCount }
    for type in columns.indices
    where columns[type].goneCount > max(1_024, live / 8)
      && columns[type].goneCount * 2 > columns[type].rows.count
    {
      columns[type] = columns[type].compacted()
      isStale = true
    }
    guard isStale else { return }
    index = UUIDIndex(of: columns)
    synced = SyncIndex(of: columns)
  }
}
