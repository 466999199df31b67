public import HealthStore
public import Quantities
internal import WorkCounting

/// The carbohydrates a person entered, as a log of what was done to each entry.
///
/// An entry is active while its newest row creates or updates it. Nothing is overwritten, so that a
/// remote service can replay the history (LoopKit, `CarbStore.swift`).
public struct CarbStore: Sendable, Equatable {
  /// What a row says happened to its entry.
  public enum Operation: String, Hashable, Sendable {
    /// It was entered.
    case create
    /// It was changed.
    case update
    /// It was deleted.
    case delete
  }

  /// What a person enters.
  public struct Entry: Hashable, Sendable {
    /// When the food is eaten.
    public var date: Instant
    /// How much carbohydrate.
    public var mass: CarbohydrateMass
    /// How long it takes to be absorbed; `nil` for the app's standard.
    public var absorptionTime: TimeSpan?
    /// What it was, in words or a picture.
    public var foodType: String?

    /// Creates a `Entry` from its parts; see the properties.
    public init(
      date: Instant, mass: CarbohydrateMass, absorptionTime: TimeSpan? = nil,
      foodType: String? = nil
    ) {
      self.date = date
      self.mass = mass
      self.absorptionTime = absorptionTime
      self.foodType = foodType
    }
  }

  /// One row of the log.
  public struct Row: Sendable, Equatable {
    /// The entry as it was then.
    public var entry: Entry
    /// What identifies the entry through all of its versions.
    public var syncIdentifier: SyncIdentifier
    /// The version of the entry, from 1.
    public var syncVersion: Int
    /// The identifier of the source of the entry.
    public var provenance: String
    /// The sample in the health store, while there is one.
    public var sampleID: SampleUUID?
    /// Whether the entry was made in this app.
    public var isCreatedByThisApp: Bool
    /// When the person entered it.
    public var userCreatedAt: Instant
    /// When the person changed it last; `nil` where nobody did.
    public var userUpdatedAt: Instant?
    /// When the person deleted it; `nil` where nobody did.
    public var userDeletedAt: Instant?
    /// What happened to the entry.
    public var operation: Operation
    /// When the row was added.
    public var addedAt: Instant
    /// When a newer row took its place; `nil` for the row in force.
    public var supersededAt: Instant?
    /// The number of the change, which grows with each.
    public var modificationCounter: Int64
    /// Whether the health store needs to hear nothing more of the row.
    var isSettled = false

    /// Whether the row states how its entry stands, and the entry is there.
    public var isActive: Bool { supersededAt == nil && operation != .delete }
  }

  /// Why an entry cannot be changed.
  public enum Refusal: Error, Hashable, Sendable {
    /// There is no entry of the identifier.
    case unknownEntry(SyncIdentifier)
    /// Another app made the entry.
    case unauthorized(SyncIdentifier, provenance: String)
    /// The mass lies outside what the app takes.
    case massOutOfRange(CarbohydrateMass)
    /// The absorption time lies outside what the app takes.
    case absorptionTimeOutOfRange(TimeSpan)
    /// The time of eating lies too far from now.
    case dateOutOfRange(Instant, now: Instant)
  }

  /// How long rows are kept; the algorithm looks back 12 hours and a minute.
  public var retention: TimeSpan

  /// All rows, in the order in which they were added.
  public private(set) var rows: [Row] = []

  /// The places of the active rows, by the time of eating and then by counter; both stay as they
  /// are while a row is active.
  private var active: [Int] = []
  /// The health store needs to hear nothing more of the rows before this place.
  private var firstUnsettled = 0
  /// How many rows of deleted entries have a sample that is still in the health store.
  private var undeleted = 0

  /// The rows that were too old to keep, and of which the health store never heard.
  private var forgottenUnwritten: [Row] = []

  private var counter: Int64 = 0
  private var created: UInt64 = 0

  /// Creates a `CarbStore` from its parts; see the properties.
  public init(retention: TimeSpan = .days(7)) { self.retention = retention }

  /// What the entries follow from, as it is.
  package struct State: Sendable, Equatable {
    private var latestChange: Int64
    private var count: Int

    fileprivate init(_ store: borrowing CarbStore) {
      latestChange = store.counter
      count = store.active.count
    }
  }

  /// What the entries follow from: while it is the same, so are they.
  package var state: State { State(self) }

  /// The rows of the entries that are there, by the time of eating.
  public var activeRows: [Row] { active.map { rows[$0] } }

  /// The active rows eaten at or after an instant, by the time of eating.
  func activeRows(from start: Instant) -> [Row] {
    active[active.partitioningIndex { rows[$0].entry.date >= start }...].map { rows[$0] }
  }

  /// Visits the active rows eaten within a stretch of time, both ends included, by the time of
  /// eating.
  func visitActive(in window: ClosedRange<Instant>, _ visit: (borrowing Row) -> Void) {
    var place = active.partitioningIndex { rows[$0].entry.date >= window.lowerBound }
    while place < active.count, rows[active[place]].entry.date <= window.upperBound {
      visit(rows[active[place]])
      Work.visit(rows: 1)
      place += 1
    }
  }

  /// The rows changed since a modification counter, in the order of their changes.
  public func rows(changedAfter counter: Int64, limit: Int = .max) -> [Row] {
    let changed = rows.filter { $0.modificationCounter > counter }
    let ordered = changed.sorted { $0.modificationCounter < $1.modificationCounter }
    return Array(ordered.prefix(limit))
  }

  /// Gives no entry a name that another list has given.
  mutating func passOverNames(of other: CarbStore) { created = max(created, other.created) }

  // MARK: - What the user does

  /// Adds an entry and returns its row.
  mutating func add(_ entry: Entry, provenance: String, at now: Instant) throws(Refusal) -> Row {
    try Self.check(entry, at: now)
    created += 1
    let row = Row(
      entry: entry, syncIdentifier: SyncIdentifier("\(provenance).carbs.\(created)"),
      syncVersion: 1,
      provenance: provenance, isCreatedByThisApp: true, userCreatedAt: now, operation: .create,
      addedAt: now, modificationCounter: 0)
    return append(row)
  }

  /// Replaces an entry the app made, and returns the new row.
  mutating func edit(_ syncIdentifier: SyncIdentifier, to entry: Entry, at now: Instant)
    throws(Refusal) -> Row
  {
    try Self.check(entry, at: now)
    let index = try editableIndex(syncIdentifier)
    var row = rows[index]
    supersede(index, at: now)
    row.entry = entry
    row.syncVersion += 1
    row.userUpdatedAt = now
    row.operation = .update
    row.addedAt = now
    row.sampleID = nil
    row.isSettled = false
    return append(row)
  }

  /// Deletes an entry the app made, and returns the row as it was.
  mutating func delete(_ syncIdentifier: SyncIdentifier, at now: Instant) throws(Refusal) -> Row {
    let index = try editableIndex(syncIdentifier)
    let old = rows[index]
    supersede(index, at: now)
    var row = old
    // A change that has not been written leaves the sample as it was before.
    row.sampleID = old.sampleID ?? writtenSample(of: syncIdentifier)
    row.isSettled = false
    row.operation = .delete
    row.userDeletedAt = now
    row.addedAt = now
    if row.sampleID == nil { row.isSettled = true }
    _ = append(row)
    return old
  }

  // MARK: - What the health store says

  /// Notes the sample that was written for a row.
  mutating func noteSample(_ sample: SampleUUID?, forRow counter: Int64) {
    guard let index = rows.lastIndex(where: { $0.modificationCounter == counter }) else { return }
    if rows[index].isUndeleted { undeleted -= 1 }
    rows[index].sampleID = sample
    rows[index].isSettled = true
    advance()
  }

  /// The place of the first row from a place on that states an entry of the app for which there is
  /// no sample yet; `nil` if there is none.
  func pendingWrite(from place: Int) -> Int? {
    rows[min(max(place, firstUnsettled), rows.count)...].firstIndex(where: \.isUnwritten)
  }

  /// The rows that the health store does not hold as they are: entries of the app without a sample,
  /// and deleted ones that still have theirs.
  public var unstoredRows: [Row] {
    forgottenUnwritten + rows[firstUnsettled...].filter { $0.isUnwritten || $0.isUndeleted }
  }

  /// The rows of deleted entries whose sample is still in the health store.
  var pendingDeletions: [(counter: Int64, sample: SampleUUID)] {
    guard undeleted > 0 else { return [] }
    return rows[firstUnsettled...].compactMap { row in
      row.isUndeleted ? row.sampleID.map { (row.modificationCounter, $0) } : nil
    }
  }

  /// Takes in a carbohydrate sample that the health store reports as new.
  mutating func receive(_ sample: Sample, from source: String, isOwn: Bool, at now: Instant) {
    guard let mass = sample.carbohydrates,
      !rows.contains(where: { $0.sampleID == sample.uuid })
    else { return }
    let metadata = sample.metadata
    let standing = rows.indices.filter { index in
      rows[index].syncIdentifier == metadata.syncIdentifier
        && rows[index].provenance == source
        && rows[index].supersededAt == nil
    }
    let known = standing.last
    let entry = Entry(
      date: sample.start, mass: mass, absorptionTime: metadata.absorptionTime,
      foodType: metadata.text(.foodType))
    let userCreated = known.map { rows[$0].userCreatedAt } ?? metadata.date(.userCreatedDate)
    for index in standing { supersede(index, at: now) }
    _ = append(
      Row(
        entry: entry,
        syncIdentifier: metadata.syncIdentifier ?? .init(sample.uuid),
        syncVersion: metadata.syncVersion ?? 1, provenance: source, sampleID: sample.uuid,
        isCreatedByThisApp: isOwn, userCreatedAt: userCreated ?? now,
        userUpdatedAt: known == nil ? nil : metadata.date(.userUpdatedDate),
        operation: known == nil ? .create : .update, addedAt: now, modificationCounter: 0,
        isSettled: true))
  }

  /// Takes in that a sample was deleted; a sample of no active entry changes nothing.
  mutating func noteDeletion(ofSample sample: SampleUUID, at now: Instant) {
    guard let index = rows.lastIndex(where: { $0.isActive && $0.sampleID == sample })
    else { return }
    var row = rows[index]
    supersede(index, at: now)
    row.operation = .delete
    row.userDeletedAt = row.isCreatedByThisApp ? now : nil
    row.addedAt = now
    row.sampleID = nil
    row.isSettled = true
    _ = append(row)
  }

  /// Forgets rows that were eaten and added longer ago than the retention.
  public mutating func purge(at now: Instant) {
    let limit = now - retention
    guard let first = rows.first, first.addedAt < limit else { return }
    let isOld = { (row: Row) in row.addedAt < limit && row.entry.date < limit }
    forgottenUnwritten += rows.filter { isOld($0) && ($0.isUnwritten || $0.isUndeleted) }
    rows.removeAll(where: isOld)
    undeleted = rows.count(where: \.isUndeleted)
    active = rows.indices.filter { rows[$0].isActive }.sorted { precedes($0, $1) }
    firstUnsettled = 0
    advance()
  }

  // MARK: - Rows

  private func editableIndex(_ syncIdentifier: SyncIdentifier) throws(Refusal) -> Int {
    guard
      let index = rows.lastIndex(where: { $0.isActive && $0.syncIdentifier == syncIdentifier })
    else { throw .unknownEntry(syncIdentifier) }
    guard rows[index].isCreatedByThisApp else {
      throw .unauthorized(syncIdentifier, provenance: rows[index].provenance)
    }
    return index
  }

  /// The sample of the latest version of an entry that the health store was given; `nil` for none.
  private func writtenSample(of syncIdentifier: SyncIdentifier) -> SampleUUID? {
    rows.last { $0.syncIdentifier == syncIdentifier && $0.sampleID != nil }?.sampleID
  }

  private mutating func supersede(_ index: Int, at now: Instant) {
    assert(rows.indices.contains(index), "A row that is superseded is there.")
    if rows[index].isActive { active.remove(at: place(of: index)) }
    counter += 1
    assert(rows[index].supersededAt == nil, "A row gives way once.")
    rows[index].supersededAt = now
    rows[index].modificationCounter = counter
    advance()
  }

  private mutating func append(_ row: Row) -> Row {
    counter += 1
    var row = row
    row.modificationCounter = counter
    assert(row.syncVersion >= 0, "Versions of an entry are counted upwards.")
    assert(
      rows.last.map { $0.modificationCounter <= counter } ?? true, "Changes are numbered upwards.")
    rows.append(row)
    if row.isUndeleted { undeleted += 1 }
    if row.isActive { active.insert(rows.count - 1, at: place(of: rows.count - 1)) }
    advance()
    return row
  }

  /// Where an active row stands, or belongs, among the active ones.
  private func place(of index: Int) -> Int { active.partitioningIndex { !precedes($0, index) } }

  private func precedes(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (rows[first], rows[second])
    return (one.entry.date, one.modificationCounter)
      < (other.entry.date, other.modificationCounter)
  }

  /// Passes over the rows of which the health store needs to hear nothing more.
  private mutating func advance() {
    while firstUnsettled < rows.count,
      !rows[firstUnsettled].isUnwritten, !rows[firstUnsettled].isUndeleted
    {
      firstUnsettled += 1
      Work.visit(rows: 1)
    }
  }
}

extension CarbStore.Row {
  /// Whether the row states an entry of the app for which there is no sample yet.
  fileprivate var isUnwritten: Bool { isActive && !isSettled && isCreatedByThisApp }

  /// Whether the row deletes an entry whose sample is still in the health store.
  fileprivate var isUndeleted: Bool { operation == .delete && !isSettled && sampleID != nil }
}
