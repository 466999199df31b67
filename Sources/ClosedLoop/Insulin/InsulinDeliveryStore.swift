public import HealthStore
public import Quantities
internal import WorkCounting

/// The insulin that was delivered, from whatever source, and its counterpart in the health store.
///
/// Doses come from the pump's events, from the basal reporter, from what a person logs in the app,
/// and from samples of other apps. Insulin on board follows from the active rows. A row whose
/// sample was deleted stays as a mark (`deletedAt`), as in LoopKit (`InsulinDeliveryStore.swift`,
/// `CachedInsulinDeliveryObject`).
public struct InsulinDeliveryStore: Sendable, Equatable {
  /// How long rows are kept; the Loop app keeps 7 days.
  public var retention: TimeSpan

  /// All rows, by start; deleted ones are among them.
  public private(set) var rows: [Row] = []

  /// The longest dose so far: no row that started earlier than this before an instant reaches it.
  private var longest = TimeSpan.zero
  /// Every row that started before this is finished, or no longer counts.
  private var finishedBefore = Self.earliest
  /// Every row that started before this has its sample or is not due to get one, as of the instant
  /// from which samples were due when that was last asked.
  private var settledBefore = Self.earliest
  private var dueFrom = Self.earliest
  /// What has happened to the finished doses and the boluses that are active.
  private(set) var finishedChanges = FinishedChanges()
  /// How many rows have a sample.
  private var samples: [SampleUUID: Int] = [:]
  /// An instant before all rows.
  private static let earliest = Instant(millisecondsSince1970: .min)
  /// The modification counter of the last change.
  private(set) var counter: Int64 = 0
  /// How often a dose was added, removed, or began or ceased to count.
  private(set) var doseChanges: Int64 = 0
  /// Whether a sample was deleted since doses were last revived.
  private var hasDeletions = false

  /// Creates a `InsulinDeliveryStore` from its parts; see the properties.
  public init(retention: TimeSpan = .days(7)) { self.retention = retention }

  // MARK: - Reading

  /// The active doses that overlap a stretch of time, both ends included, by start.
  public func doses(from start: Instant, to end: Instant) -> [DoseEntry] {
    var doses: [DoseEntry] = []
    for index in places(from: start, to: end)
    where rows[index].isActive && rows[index].dose.end >= start { doses.append(rows[index].dose) }
    return doses
  }

  /// The places of all rows that overlap a stretch of time, both ends included, and of others that
  /// end before it; all of them are looked at.
  func places(from start: Instant, to end: Instant) -> Range<Int> {
    let places = firstIndex(from: start - longest)..<firstIndex(after: end)
    Work.visit(rows: places.count)
    return places
  }

  /// The row with an identifier, active or not.
  public func row(syncIdentifier: SyncIdentifier) -> Row? {
    index(of: syncIdentifier).map { rows[$0] }
  }

  /// The row with an identifier whose dose starts at an instant.
  func row(syncIdentifier: SyncIdentifier, from start: Instant) -> Row? {
    index(of: syncIdentifier, startingAt: start).map { rows[$0] }
  }

  /// Whether a row has a sample.
  func has(sample: SampleUUID) -> Bool { samples[sample] != nil }

  /// Active rows, which are looked for as they are asked for.
  public typealias ActiveRows = LazyFilterSequence<[Row]>

  /// The active rows.
  public var activeRows: ActiveRows { rows.lazy.filter(\.isActive) }

  /// The active rows whose doses end at or after an instant.
  func activeRows(endingFrom instant: Instant) -> some Sequence<Row> {
    rows[places(from: instant - longest)].lazy.filter {
      $0.isActive && $0.dose.end >= instant
    }
  }

  /// The finished doses that have no sample yet and are still due to have one.
  public mutating func pendingWrites(since earliest: Instant) -> [Row] {
    if earliest < dueFrom { settledBefore = Self.earliest }
    dueFrom = earliest
    var found: [Row] = []
    var settled: Instant?
    for index in places(from: settledBefore) {
      guard rows[index].isActive, rows[index].sampleID == nil else { continue }
      let row = rows[index]
      guard row.dose.isMutable || max(row.dose.end, row.createdAt) >= earliest else { continue }
      settled = settled ?? row.dose.start
      if !row.dose.isMutable { found.append(row) }
    }
    assert(found.allSatisfy { $0.sampleID == nil }, "What is to be written has no sample.")
    settledBefore = settled ?? rows.last?.dose.start ?? settledBefore
    return found
  }

  /// Whether a sample was deleted, or an event restored, since doses were last revived.
  var mayRevive: Bool { hasDeletions }

  /// Visits the active boluses and finished doses that end at or after an instant, by start.
  func visitFinished(from start: Instant, _ visit: (borrowing Row) -> Void) {
    for index in places(from: start - longest)
    where rows[index].isFinished && rows[index].dose.end >= start {
      visit(rows[index])
    }
  }

  // MARK: - Changing

  /// Takes in a dose under its identifier; one without an identifier is passed over.
  ///
  /// Only a row that may still change is replaced: a finished one stays as it is stored.
  mutating func present(
    _ dose: DoseEntry, event: SyncIdentifier? = nil, provenance: String, at now: Instant
  ) {
    guard let identifier = dose.syncIdentifier else { return }
    guard let index = index(of: identifier, startingAt: dose.start, by: provenance) else {
      insert(
        Row(
          dose: dose, eventIdentifier: event, provenance: provenance, hasLoopKitOrigin: true,
          createdAt: now))
      return
    }
    guard rows[index].dose.isMutable, rows[index].dose != dose || !rows[index].isActive
    else { return }
    let row = Row(
      dose: dose, eventIdentifier: event ?? rows[index].eventIdentifier, provenance: provenance,
      hasLoopKitOrigin: true, createdAt: rows[index].createdAt)
    if index + 1 == rows.count || rows[index + 1].dose.start > dose.start {
      replace(at: index, by: row)
    } else {
      remove(at: index)
      insert(row)
    }
  }

  /// Lets finished doses count again whose sample was deleted while the event history has them;
  /// they get another sample.
  mutating func restoreDeletedRows(
    since earliest: Instant, where hasEvent: (SyncIdentifier) -> Bool
  ) {
    guard hasDeletions else { return }
    for index in places(from: earliest) where !rows[index].isActive {
      guard !rows[index].dose.isMutable, let event = rows[index].eventIdentifier, hasEvent(event)
      else { continue }
      touch(index) {
        $0.deletedAt = nil
        $0.sampleID = nil
        $0.writtenAt = nil
      }
    }
    hasDeletions = false
  }

  /// Takes note that the event history shows an event again, whose dose may have to come back.
  mutating func noteRestoredEvent() { hasDeletions = true }

  /// Lets the unfinished doses of the app stop counting that are not among those given.
  mutating func dropUnfinished(except identifiers: some Collection<SyncIdentifier>, at now: Instant)
  {
    var unfinished: Instant?
    for index in places(from: finishedBefore)
    where rows[index].isActive && rows[index].dose.isMutable {
      if identifiers.contains(rows[index].syncIdentifier) {
        unfinished = unfinished ?? rows[index].dose.start
      } else {
        touch(index) { $0.deletedAt = now }
      }
    }
    finishedBefore = unfinished ?? rows.last?.dose.start ?? finishedBefore
  }

  /// Adds a dose that came from the health store.
  ///
  /// A dose of the same source that is known by its identifier is not there twice: it only gets the
  /// sample, and counts again. Of another app's it is what the new sample says, a later version.
  mutating func add(
    _ dose: DoseEntry, sample: SampleUUID, provenance: String, hasLoopKitOrigin: Bool,
    isForeign: Bool = false, at now: Instant
  ) {
    guard dose.syncIdentifier != nil, !has(sample: sample) else { return }
    let known = index(of: dose.syncIdentifier ?? "", startingAt: dose.start, by: provenance)
    if let known, isForeign, rows[known].dose != dose {
      remove(at: known)
    } else if let index = known, !rows[index].dose.isMutable {
      touch(index) {
        $0.sampleID = sample
        $0.writtenAt = now
        $0.deletedAt = nil
      }
      return
    }
    insert(
      Row(
        dose: dose, sampleID: sample, writtenAt: now, provenance: provenance,
        hasLoopKitOrigin: hasLoopKitOrigin, createdAt: now))
  }

  /// Notes the sample that was written for a dose.
  mutating func noteSample(_ sample: SampleUUID, for identifier: SyncIdentifier, at now: Instant) {
    // Another source's dose of the same name has its own sample already.
    let unwritten = rows.lastIndex { $0.sampleID == nil && $0.syncIdentifier == identifier }
    guard let index = unwritten ?? index(of: identifier) else { return }
    Work.visit(rows: rows.count - index)
    touch(index) {
      $0.sampleID = sample
      $0.writtenAt = now
    }
  }

  /// Lets the dose with a sample stop counting, because the sample was deleted.
  ///
  /// - Returns: The row as it was, or nothing when no active row has the sample.
  @discardableResult
  mutating func noteDeletion(ofSample sample: SampleUUID, at now: Instant) -> Row? {
    guard let count = samples[sample] else { return nil }
    let isMeant = { (row: Row) in row.isActive && row.sampleID == sample }
    // What is deleted is mostly of the last day, whatever came before it.
    guard let index = count == 1 ? rows.lastIndex(where: isMeant) : rows.firstIndex(where: isMeant)
    else { return nil }
    Work.visit(rows: rows.count - index)
    let row = rows[index]
    touch(index) { $0.deletedAt = now }
    hasDeletions = true
    return row
  }

  /// Forgets rows older than the retention, deleted ones too.
  ///
  /// - Returns: Those of them that counted.
  @discardableResult
  public mutating func purge(at now: Instant) -> [Row] {
    let limit = now - retention
    guard !rows.isEmpty, rows[0].dose.start < limit else { return [] }
    let isOld = { (row: Row) in row.dose.end < limit && !row.dose.isMutable }
    Work.visit(rows: rows.count)
    guard rows.contains(where: isOld) else { return [] }
    let forgotten = rows.filter { isOld($0) && $0.isActive }
    rows.removeAll(where: isOld)
    finishedChanges.noteOther()
    samples = [:]
    for row in rows { count(row.sampleID, 1) }
    return forgotten
  }

  // MARK: - Rows

  private func index(of identifier: SyncIdentifier) -> Int? {
    // What is looked for is nearly always recent.
    rows.lastIndex { $0.dose.syncIdentifier == identifier }
  }

  /// The row with an identifier, looked for where its start puts it.
  ///
  /// The identifier of one source says nothing of another's: with a `provenance` only its own rows
  /// are meant.
  private func index(
    of identifier: SyncIdentifier, startingAt start: Instant, by provenance: String? = nil
  ) -> Int? {
    var index = firstIndex(after: start) - 1
    while index >= 0, rows[index].dose.start == start {
      if rows[index].dose.syncIdentifier == identifier,
        provenance == nil || provenance == rows[index].provenance
      {
        return index
      }
      index -= 1
    }
    return nil
  }

  private func firstIndex(after start: Instant) -> Int {
    rows.partitioningIndexNearEnd { $0.dose.start > start }
  }

  private func firstIndex(from start: Instant) -> Int {
    rows.partitioningIndexNearEnd { $0.dose.start >= start }
  }

  /// The places of the rows that start at or after an instant, all of which are looked at.
  private func places(from start: Instant) -> Range<Int> {
    let places = firstIndex(from: start)..<rows.count
    Work.visit(rows: places.count)
    return places
  }

  private mutating func insert(_ row: Row) {
    var row = row
    counter += 1
    assert(row.dose.syncIdentifier != nil, "A row is known by the sync identifier of its dose.")
    row.modificationCounter = counter
    doseChanges += 1
    let place = firstIndex(after: row.dose.start)
    Work.visit(rows: rows.count - place)
    rows.insert(row, at: place)
    if row.isFinished { finishedChanges.note(.added(row)) }
    note(row)
  }

  /// Puts a row in the place of one with the same start, behind which no other has it.
  private mutating func replace(at index: Int, by row: Row) {
    assert(rows[index].dose.start == row.dose.start, "A row has its place by its start.")
    if rows[index].isFinished { finishedChanges.note(.removed(rows[index])) }
    count(rows[index].sampleID, -1)
    counter += 1
    doseChanges += 1
    rows[index] = row
    rows[index].modificationCounter = counter
    if row.isFinished { finishedChanges.note(.added(rows[index])) }
    note(rows[index])
  }

  private mutating func remove(at index: Int) {
    assert(rows.indices.contains(index), "Only a row that is there is removed.")
    Work.visit(rows: rows.count - index)
    let row = rows.remove(at: index)
    doseChanges += 1
    count(row.sampleID, -1)
    if row.isFinished { finishedChanges.note(.removed(row)) }
  }

  private mutating func count(_ sample: SampleUUID?, _ change: Int) {
    guard let sample else { return }
    assert(change == 1 || change == -1, "Rows come and go one by one.")
    assert(samples[sample, default: 0] + change >= 0, "A sample stands in no less than no row.")
    if change > 0 {
      samples[sample, default: 0] += 1
    } else {
      let rows = samples[sample, default: 0] - 1
      samples[sample] = rows > 0 ? rows : nil
    }
  }

  private mutating func touch(_ index: Int, _ change: (inout Row) -> Void) {
    assert(rows.indices.contains(index), "A row that changes is there.")
    count(rows[index].sampleID, -1)
    let (wasActive, wasFinished) = (rows[index].isActive, rows[index].isFinished)
    change(&rows[index])
    if rows[index].isFinished != wasFinished { finishedChanges.noteOther() }
    if rows[index].isActive != wasActive { doseChanges += 1 }
    counter += 1
    rows[index].modificationCounter = counter
    note(rows[index])
  }

  /// Takes a row that is new or has changed into account wherever rows are looked for.
  private mutating func note(_ row: Row) {
    longest = max(longest, row.dose.duration)
    count(row.sampleID, 1)
    guard row.isActive else { return }
    if row.sampleID == nil { settledBefore = min(settledBefore, row.dose.start) }
    if row.dose.isMutable { finishedBefore = min(finishedBefore, row.dose.start) }
  }
}
