public import Quantities

/// Where a service sends its records.
public protocol UploadSink {
  /// Sends one record; says whether the receiver has acknowledged it.
  mutating func send(_ record: UploadRecord) -> Bool
}

/// One record for a receiver, who tells repetitions by the identity.
public struct UploadRecord: Hashable, Sendable {
  /// The place of the record in the queue.
  public let upload: Upload
  /// The sample as it is now; nothing when it was deleted.
  public let sample: Sample?

  /// Creates a `UploadRecord` from its parts; see the properties.
  public init(upload: Upload, sample: Sample?) {
    self.upload = upload
    self.sample = sample
  }
}

extension SubscriptionService {
  /// The longest wait before a record is sent again.
  static let longestWait = TimeSpan.hours(1)

  /// Sends what is due, and returns how many records were acknowledged.
  ///
  /// A record that is not acknowledged is tried again later: after 1, 2, 4 … minutes, at most an
  /// hour. Until then the later records of its type wait, so that their order is kept. Those of a
  /// type about which the user took back every decision wait until it is asked for.
  @discardableResult
  public func upload<Backend>(
    to sink: inout some UploadSink, in store: inout HealthRecordStore<Backend>, at now: Instant,
    limit: Int = .max
  ) throws(HealthStoreError) -> Int {
    var sent = 0
    for queue in [name, intradayName] {
      var blocked: Set<ObjectType> = []
      let waiting = try store.backend.uploads(of: queue, limit: .max)
      for upload in waiting where sent < limit && !blocked.contains(upload.type) {
        guard upload.due <= now else {
          blocked.insert(upload.type)
          continue
        }
        let isSent: Bool
        do {
          isSent = try send(upload, to: &sink, in: &store, at: now)
        } catch .authorizationNotDetermined {
          isSent = false
        }
        if isSent { sent += 1 } else { blocked.insert(upload.type) }
      }
    }
    return sent
  }

  /// How many records wait.
  public func waitingCount<Backend>(
    in store: HealthRecordStore<Backend>
  ) throws(HealthStoreError) -> Int {
    try store.backend.uploads(of: name, limit: .max).count
      + store.backend.uploads(of: intradayName, limit: .max).count
  }

  /// When the last of the records that wait is due; `nil` where none waits.
  public func lastDue<Backend>(
    in store: HealthRecordStore<Backend>
  ) throws(HealthStoreError) -> Instant? {
    let records = try store.backend.uploads(of: name, limit: .max)
    let intraday = try store.backend.uploads(of: intradayName, limit: .max)
    return (records + intraday).map(\.due).max()
  }

  private func send<Backend>(
    _ upload: Upload, to sink: inout some UploadSink,
    in store: inout HealthRecordStore<Backend>, at now: Instant
  ) throws(HealthStoreError) -> Bool {
    let sample =
      upload.operation == .add ? try store.sample(upload.uuid, as: client) : nil
    var upload = upload
    upload.state = .inFlight
    upload.attempts += 1
    try note(.update(upload), in: &store)
    guard sink.send(UploadRecord(upload: upload, sample: sample)) else {
      upload.state = .failed
      let doublings = min(upload.attempts - 1, 10)
      upload.due = now + min(.minutes(1 << Int64(doublings)), Self.longestWait)
      try note(.update(upload), in: &store)
      return false
    }
    try note(.acknowledge(upload), in: &store)
    return true
  }

  private func note<Backend>(
    _ change: UploadChange, in store: inout HealthRecordStore<Backend>
  ) throws(HealthStoreError) {
    var batch = StoreBatch()
    batch.uploads = [change]
    try store.contents.commit(batch)
  }
}
