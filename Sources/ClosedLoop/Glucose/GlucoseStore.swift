internal import Devices
public import HealthStore
public import Quantities
internal import WorkCounting

/// The glucose the app knows of, and what of it is still to be written to the health store.
///
/// Rules of LoopKit (`GlucoseStore.swift`): a sample whose identifier is known is not taken twice;
/// a sample is written once its storage delay is over; a write that fails is tried again with the
/// next change.
public struct GlucoseStore: Sendable {
  /// One row.
  public struct Row: Sendable, Equatable {
    /// When it was measured.
    public var date: Instant
    /// What was measured.
    public var glucose: GlucoseConcentration
    /// What identifies it in the health store.
    public let syncIdentifier: SyncIdentifier
    /// The identifier of the source that measured.
    public var provenance: String
    /// A calibration or a value for display: not for prediction.
    public var isDisplayOnly: Bool
    /// Whether a person typed it in.
    public var wasUserEntered: Bool
    /// Whether it lies outside the sensor's range, in the sensor's word.
    public var condition: String?
    /// The arrow beside it, in the sensor's word.
    public var trend: String?
    /// The trend in mg/dL per minute.
    public var trendRate: Double?
    /// The identity of its sample; `nil` while it has none.
    public var sampleID: SampleUUID?
    /// When the row is due to be written; nothing when it never is, or has been.
    public var eligibleAt: Instant?
    /// The number of the change, which grows with each.
    public var modificationCounter: Int64

    /// Creates a `Row` from its parts; see the properties.
    public init(
      date: Instant, glucose: GlucoseConcentration, syncIdentifier: SyncIdentifier,
      provenance: String,
      isDisplayOnly: Bool = false, wasUserEntered: Bool = false, condition: String? = nil,
      trend: String? = nil, trendRate: Double? = nil, sampleID: SampleUUID? = nil
    ) {
      self.date = date
      self.glucose = glucose
      self.syncIdentifier = syncIdentifier
      self.provenance = provenance
      self.isDisplayOnly = isDisplayOnly
      self.wasUserEntered = wasUserEntered
      self.condition = condition
      self.trend = trend
      self.trendRate = trendRate
      self.sampleID = sampleID
      modificationCounter = 0
    }

    /// Whether two rows stand for one value of one source.
    fileprivate func isSame(as other: borrowing Row) -> Bool {
      syncIdentifier == other.syncIdentifier && provenance == other.provenance
    }
  }

  /// What the app's CGM asks of the store.
  public struct SensorPolicy: Hashable, Sendable {
    /// How long a value waits before it is written; nothing when it is never written.
    public var healthStorageDelay: TimeSpan?
    /// How long the app keeps its own samples in the health store; nothing for as long as they
    /// live.
    ///
    /// It is 3 hours where Dexcom's app writes the same values later.
    public var managedInterval: TimeSpan?

    /// Creates a `SensorPolicy` from its parts; see the properties.
    public init(healthStorageDelay: TimeSpan? = .zero, managedInterval: TimeSpan? = nil) {
      self.healthStorageDelay = healthStorageDelay
      self.managedInterval = managedInterval
    }

    /// A CGM whose vendor's app writes to the health store 3 hours later (LoopDocs).
    public static let dexcomApp = Self(managedInterval: VendorApp.managedInterval)
  }

  /// How far back the app removes its own samples: 7 days.
  static let managedReach = TimeSpan.days(7)

  /// What the CGM asks of the store.
  public var policy: SensorPolicy
  /// How long rows are kept; the algorithm looks back 12 hours and a minute.
  public var retention: TimeSpan

  /// All rows, by date; those before ``gone`` are forgotten and only keep their places for a while.
  ///
  /// An array moves all that stay with those that leave, which is not worth it for each.
  private var stored: [Row] = []
  private var gone = 0

  /// How many rows wait to be written; they are among the newest.
  private var waiting = 0
  /// The modification counter of the last change.
  private(set) var counter: Int64 = 0
  /// How many rows were taken from the beginning: a row's index and this are its number.
  private(set) var forgotten = 0
  /// The values that came while writing was not allowed, and of which the health store never hears.
  public private(set) var neverWritten = GlucoseStretches()
  /// The values that were too old to keep, and still waited to be written.
  private var forgottenWaiting = GlucoseStretches()
  /// The values that an app in whose place this one starts had lost before it was to write them.
  public private(set) var lostUnwritten = GlucoseStretches()
  /// When the health store last took nothing.
  private var refusal: Refusal?

  /// That the health store took nothing of what was due at an instant.
  private struct Refusal {
    /// The last change of which it could have taken something.
    var counter: Int64
    var instant: Instant

    /// Whether a row was due then.
    func concerns(_ row: Row) -> Bool {
      guard let eligible = row.eligibleAt else { return false }
      return row.modificationCounter <= counter && eligible <= instant
    }
  }
  /// How often a row was removed, or added elsewhere than at the end: then numbers change.
  private(set) var rearrangements: Int64 = 0

  /// Creates a `GlucoseStore` from its parts; see the properties.
  public init(policy: SensorPolicy = .init(), retention: TimeSpan = .hours(36)) {
    self.policy = policy
    self.retention = retention
  }

  /// All rows, by date.
  public var rows: ArraySlice<Row> { stored[gone...] }

  /// The newest value that is not later than an instant.
  public func latest(at instant: Instant) -> Row? {
    indexOfLatest(at: instant).map { stored[$0] }
  }

  /// The newest value that is not later than an instant, where another source than one wrote it.
  package func latestGlucose(notOf source: String, at instant: Instant) -> GlucoseConcentration? {
    guard let index = indexOfLatest(at: instant), stored[index].provenance != source else {
      return nil
    }
    return stored[index].glucose
  }

  private func indexOfLatest(at instant: Instant) -> Int? {
    let index = firstIndex(after: instant)
    return index > gone ? index - 1 : nil
  }

  /// The newest value of all, which may lie in the future when a clock is wrong.
  public var newest: Row? { stored.last }

  /// When the newest value of all was measured.
  var newestDate: Instant? { stored.last?.date }

  /// The rows between two instants, both included.
  public func rows(from start: Instant, to end: Instant) -> ArraySlice<Row> {
    let first = firstIndex(after: start - .milliseconds(1))
    return stored[first..<max(first, firstIndex(after: end))]
  }

  // MARK: - Changing

  /// Adds values of the app's own CGM or typed in by the user.
  ///
  /// - Returns: Whether anything new was among them.
  @discardableResult
  mutating func add(_ new: [Row]) -> Bool {
    var isNew = false
    for row in new where add(row) { isNew = true }
    return isNew
  }

  /// Adds a value; false if it is known.
  @discardableResult
  mutating func add(_ row: consuming Row) -> Bool {
    guard !isKnown(row) else { return false }
    let date = row.date
    row.eligibleAt = policy.healthStorageDelay.map { date + $0 }
    insert(row)
    return true
  }

  /// Adds a sample of the health store, unless it is known.
  mutating func receive(_ sample: Sample, from source: String) {
    guard let glucose = sample.glucose else { return }
    guard
      !rows(from: sample.start, to: sample.start).contains(where: { $0.sampleID == sample.uuid })
    else { return }
    insert(
      Row(
        date: sample.start, glucose: glucose,
        syncIdentifier: sample.metadata.syncIdentifier ?? .init(sample.uuid),
        provenance: source, isDisplayOnly: sample.metadata.isGlucoseDisplayOnly,
        wasUserEntered: sample.metadata.wasUserEntered, sampleID: sample.uuid))
  }

  /// Removes the row of a sample that was deleted.
  mutating func noteDeletion(ofSample sample: SampleUUID) {
    guard let index = rows.lastIndex(where: { $0.sampleID == sample }) else { return }
    assert(stored[index].eligibleAt == nil || waiting > 0, "A row that waits is counted.")
    if stored.remove(at: index).eligibleAt != nil { waiting -= 1 }
    rearrangements += 1
  }

  /// Lets values that came after a change never be written.
  mutating func keepBack(after counter: Int64) {
    guard waiting > 0 else { return }
    Work.visit(rows: rows.count)
    for index in rows.indices
    where stored[index].modificationCounter > counter && stored[index].eligibleAt != nil {
      stored[index].eligibleAt = nil
      waiting -= 1
      neverWritten.add(stored[index].date)
    }
  }

  /// The values that should have been written by an instant, and were not.
  public func overdue(at now: Instant) -> GlucoseStretches {
    var overdue = forgottenWaiting
    guard waiting > 0 else { return overdue }
    for row in rows {
      if let eligible = row.eligibleAt, eligible <= now { overdue.add(row.date) }
    }
    return overdue
  }

  /// Keeps in mind what another store, which is given up, has not written and this does not hold.
  mutating func passOverUnwritten(of other: Self) {
    neverWritten = other.neverWritten
    forgottenWaiting = other.forgottenWaiting
    lostUnwritten = other.lostUnwritten
    for row in other.rows where row.eligibleAt != nil {
      guard rows(from: row.date, to: row.date).isEmpty else { continue }
      if other.refusal?.concerns(row) == true {
        forgottenWaiting.add(row.date)
      } else {
        lostUnwritten.add(row.date)
      }
    }
  }

  /// Notes that the health store took nothing of what was due.
  mutating func noteRefusal(at now: Instant) { refusal = Refusal(counter: counter, instant: now) }

  /// The place of the row that is due to be written where there is one alone, as nearly always.
  func onlyDue(at now: Instant) -> Int? {
    guard waiting == 1, let last = stored.indices.last, let eligible = stored[last].eligibleAt,
      eligible <= now
    else { return nil }
    return last
  }

  /// The places of the rows that are due to be written, in the order in which they came.
  func due(at now: Instant) -> [Int] {
    guard waiting > 0 else { return [] }
    var due: [Int] = []
    var left = waiting
    var index = stored.count
    while left > 0, index > gone {
      index -= 1
      guard let eligible = stored[index].eligibleAt else { continue }
      left -= 1
      if eligible <= now { due.append(index) }
    }
    Work.visit(rows: stored.count - index)
    assert(left == 0, "Every row that waits is among the rows.")
    guard due.count > 1 else { return due }
    return due.sorted { stored[$0].modificationCounter < stored[$1].modificationCounter }
  }

  /// The sample for the row at a place.
  func sample(
    at place: Int, uuid: SampleUUID, knowing known: inout GlucoseMetadata
  ) -> Sample { stored[place].sample(uuid: uuid, knowing: &known) }

  /// When the row at a place was measured.
  func date(at place: Int) -> Instant { stored[place].date }

  /// Notes the sample that was written for a row that was due.
  mutating func noteSample(_ sample: SampleUUID, at index: Int) {
    assert(rows.indices.contains(index), "A row that was written is there.")
    counter += 1
    stored[index].sampleID = sample
    if stored[index].eligibleAt != nil { waiting -= 1 }
    stored[index].eligibleAt = nil
    stored[index].modificationCounter = counter
  }

  /// The stretch in which the app removes its own samples from the health store, after adding a
  /// value at `newest`; nothing when it does not.
  func managedWindow(newest: Instant, at now: Instant) -> (start: Instant, end: Instant)? {
    guard let interval = policy.managedInterval else { return nil }
    let end = min(now - interval, newest)
    let start = now - Self.managedReach
    return start < end ? (start, end) : nil
  }

  /// Forgets rows older than the retention.
  public mutating func purge(at now: Instant) {
    // Not at every reading: one that is forgotten late makes no difference.
    guard stored.count - gone >= 64, stored[gone + 63].date <= now - retention else { return }
    let first = firstIndex(after: now - retention)
    if waiting > 0 {
      for row in stored[gone..<first] where row.eligibleAt != nil {
        forgottenWaiting.add(row.date)
        waiting -= 1
      }
    }
    assert(waiting >= 0, "No fewer than no rows wait.")
    gone = first
    guard gone >= stored.count - gone else { return }
    Work.visit(rows: stored.count)
    stored.removeFirst(gone)
    forgotten += gone
    gone = 0
  }

  // MARK: - Rows

  /// Whether the value is among the newest rows, or those of its time.
  private func isKnown(_ row: borrowing Row) -> Bool {
    // The name of a reading is that of one time: rows of others need not be looked at.
    if !row.syncIdentifier.isReading(at: row.date) {
      Work.visit(rows: min(64, rows.count))
      for index in rows.indices.suffix(64) where stored[index].isSame(as: row) { return true }
    }
    var index = firstIndex(after: row.date)
    while index > gone, stored[index - 1].date == row.date {
      index -= 1
      if stored[index].isSame(as: row) { return true }
    }
    return false
  }

  private mutating func insert(_ row: consuming Row) {
    counter += 1
    row.modificationCounter = counter
    if row.eligibleAt != nil { waiting += 1 }
    let index = firstIndex(after: row.date)
    guard index < stored.count else { return stored.append(row) }
    rearrangements += 1
    Work.visit(rows: stored.count - index)
    stored.insert(row, at: index)
  }

  private func firstIndex(after instant: Instant) -> Int {
    (gone..<stored.count).partitioningIndexNearEnd { stored[$0].date > instant }
  }
}
