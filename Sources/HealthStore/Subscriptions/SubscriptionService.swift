public import Quantities

/// A service that uploads what is new in a health store.
///
/// It reads and uploads, and writes no samples. What it is subscribed to, how far it has come, and
/// what is still to be sent are kept in the store, so that they survive a restart; a record leaves
/// the queue only when the receiver has acknowledged it.
///
/// It is a client of the store as Validic's library is one of HealthKit, by `HKObserverQuery` and
/// `HKAnchoredObjectQuery`.
public struct SubscriptionService: Hashable, Sendable {
  /// The name of the user's login with the service.
  public let name: String
  /// The client as which the service reads.
  public let client: ClientID
  /// Whether the service may have fine-grained steps.
  public var isIntradayEnabled: Bool
  /// Whether observers run, which is to be asked for at every launch.
  public private(set) var isObserving = false

  /// Creates a `SubscriptionService` from its parts; see the properties.
  public init(name: String, client: ClientID, isIntradayEnabled: Bool = false) {
    self.name = name
    self.client = client
    self.isIntradayEnabled = isIntradayEnabled
  }

  /// The queue of fine-grained steps, which is apart from that of the other records.
  var intradayName: String { "\(name)/intraday" }

  /// The types to which the service is subscribed, also after a restart.
  public func subscriptions<Backend>(in store: HealthRecordStore<Backend>) -> [ObjectType] {
    entry(in: store).types
  }

  func entry<Backend>(
    in store: HealthRecordStore<Backend>
  ) -> StoreRegistry.SubscriptionEntry {
    store.registry.subscriptions.first { $0.service == name }
      ?? .init(service: name, types: [], anchors: [])
  }

  /// Subscribes to exactly these types; duplicates collapse, and an empty list ends everything.
  ///
  /// A type that was subscribed before goes on where it was; a new one begins now.
  public mutating func setSubscriptions<Backend>(
    _ types: [ObjectType], in store: inout HealthRecordStore<Backend>
  ) throws(HealthStoreError) {
    let old = entry(in: store)
    var kept = StoreRegistry.SubscriptionEntry(service: name, types: [], anchors: [])
    for type in types where !kept.types.contains(type) {
      let index = old.types.firstIndex(of: type)
      kept.types.append(type)
      kept.anchors.append(index.map { old.anchors[$0] } ?? store.lastRow)
    }
    isObserving = !kept.types.isEmpty
    try store.contents.commit([.subscription(kept)])
  }

  /// Starts the observers again, as early as possible at every launch.
  ///
  /// What was being sent when the service ended is to be sent again.
  public mutating func observeCurrentSubscriptions<Backend>(
    in store: inout HealthRecordStore<Backend>
  ) throws(HealthStoreError) {
    isObserving = true
    var batch = StoreBatch()
    for queue in [name, intradayName] {
      for var upload in try store.backend.uploads(of: queue, limit: .max)
      where upload.state == .inFlight {
        upload.state = .pending
        batch.uploads.append(.update(upload))
      }
    }
    if !batch.uploads.isEmpty { try store.contents.commit(batch) }
  }

  /// Queues what has changed since the last time, and returns how many records that are.
  ///
  /// Where deletions may have been forgotten before they were told, what the service was told of is
  /// held against what is there: the receiver would keep what is gone for ever. The anchors move in
  /// the transaction that queues.
  @discardableResult
  public func collect<Backend>(
    in store: inout HealthRecordStore<Backend>, at now: Instant
  ) throws(HealthStoreError) -> Int {
    guard isObserving else { return 0 }
    var entry = entry(in: store)
    var queue = QueueBuilder(service: name, now: now, row: store.lastRow)
    var intraday = QueueBuilder(service: intradayName, now: now, row: store.lastRow)
    for (index, type) in entry.types.enumerated() {
      let changes: SampleChanges
      do {
        changes = try store.changes(
          of: type, since: QueryAnchor(row: entry.anchors[index]), as: client)
      } catch .authorizationNotDetermined {
        // The user took back every decision about the type; it waits until it is asked for.
        continue
      }
      try queue.add(changes, of: type, in: store.backend)
      if type == .stepCount, isIntradayEnabled {
        intraday.row = queue.row
        try intraday.add(changes, of: type, in: store.backend)
        queue.row = intraday.row
      }
      entry.anchors[index] = changes.anchor.row
    }
    guard !queue.uploads.isEmpty else { return 0 }
    var batch = StoreBatch()
    batch.uploads = queue.uploads + intraday.uploads
    batch.registry = [.subscription(entry)]
    batch.lastRow = queue.row
    try store.contents.commit(batch)
    return batch.uploads.count
  }

  /// Queues samples from before the subscription: six months back, or seven days of intraday steps.
  ///
  /// What was queued before is not queued again, so that a second call does nothing.
  public func fetchHistory<Backend>(
    _ sets: [HistorySet], in store: inout HealthRecordStore<Backend>, at now: Instant,
    on clock: WallClock
  ) throws(HealthStoreError) {
    var batch = StoreBatch()
    batch.lastRow = store.lastRow
    for set in sets where set != .intraday || isIntradayEnabled {
      let start =
        set == .intraday
        ? now - .days(7) : CalendarInterval.months(6).start(of: -1, from: now, on: clock)
      let samples = try store.samples(
        of: set.type, matching: .samples(start: start, end: now, options: .strictStartDate),
        as: client)
      var queue = QueueBuilder(
        service: set == .intraday ? intradayName : name, now: now, row: batch.lastRow)
      queue.add(samples, .add)
      batch.uploads += queue.uploads
      batch.lastRow = queue.row
    }
    if !batch.uploads.isEmpty { try store.contents.commit(batch) }
  }

  /// Ends the user's login: no subscriptions, and nothing new is queued.
  ///
  /// What is queued already is still sent.
  public mutating func endLogin<Backend>(
    in store: inout HealthRecordStore<Backend>
  ) throws(HealthStoreError) {
    isObserving = false
    try store.contents.commit([.subscription(.init(service: name, types: [], anchors: []))])
  }

  /// Forgets what was queued and delivered, so that uploading would start from the beginning.
  public func forgetQueue<Backend>(
    in store: inout HealthRecordStore<Backend>
  ) throws(HealthStoreError) {
    var batch = StoreBatch()
    batch.uploads = [.forget(service: name), .forget(service: intradayName)]
    try store.contents.commit(batch)
  }
}

/// Numbers records on their way into a queue, in the sequence of rows.
struct QueueBuilder {
  let service: String
  let now: Instant
  var row: Int64
  var uploads: [UploadChange] = []

  /// Numbers what was added, and then what was deleted; a deletion after which the sample was
  /// saved again comes first, as what was added is there now.
  ///
  /// Before that comes what is gone although no deletion is told.
  mutating func add(
    _ changes: SampleChanges, of type: ObjectType, in backend: some StoreBackend
  ) throws(HealthStoreError) {
    if changes.mayHaveMissedDeletions {
      let deleted = Set(changes.deleted.map(\.uuid))
      for uuid in try backend.toldSamples(of: service, type: type)
      where !deleted.contains(uuid) {
        if try !backend.holds(uuid) { add(uuid, type, .delete) }
      }
    }
    let there: Set<SampleUUID> =
      changes.deleted.isEmpty ? [] : Set(changes.added.map(\.uuid))
    for object in changes.deleted where there.contains(object.uuid) {
      add(object.uuid, object.type, .delete)
    }
    add(changes.added, .add)
    for object in changes.deleted where !there.contains(object.uuid) {
      add(object.uuid, object.type, .delete)
    }
  }

  mutating func add(_ samples: [Sample], _ operation: Upload.Operation) {
    for sample in samples { add(sample.uuid, sample.type, operation) }
  }

  private mutating func add(_ uuid: SampleUUID, _ type: ObjectType, _ operation: Upload.Operation) {
    row += 1
    uploads.append(
      .enqueue(
        Upload(
          service: service, number: row, type: type, uuid: uuid, operation: operation, due: now,
          enqueued: now)))
  }
}
