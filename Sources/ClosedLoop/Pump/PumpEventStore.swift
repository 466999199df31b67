public import HealthStore
public import Quantities
internal import WorkCounting

/// What the pump reported, apart from the insulin delivery that follows from it.
///
/// Rows are unique by their raw bytes, by which a pump numbers its events: of two at one instant
/// the lower number happened first. An event the user deletes leaves a mark, so that a pump that
/// reports its history again does not bring it back (LoopDocs, Apple HealthKit FAQs; LoopKit,
/// `DoseStore.swift`).
public struct PumpEventStore: Sendable, Equatable {
  /// One row.
  public struct Row: Sendable, Equatable {
    /// The event.
    public var event: HistoryEvent
    /// Rises with every change to the store; a remote service asks for the rows above its last.
    public var modificationCounter: Int64
    /// When the user removed the event from the history; nothing while it is shown.
    @OptionalInstant public var deletedAt: Instant?
  }

  /// How long rows are kept; the Loop app keeps 7 days.
  public var retention: TimeSpan

  /// The instant up to which the pump's history is known to be complete.
  public private(set) var lastReconciliation: Instant?

  /// All rows, by date and then by identifier.
  private var rows: [Row] = []
  /// Where each row lies, by its raw bytes: what the pump reports again is found without a search
  /// through the history.
  private var dates: [SyncIdentifier: Instant] = [:]
  /// The rows whose events may still change; a pump has two at the most.
  private var pending: [SyncIdentifier] = []
  /// The rows that the user deleted from the history.
  private var hidden: Set<SyncIdentifier> = []
  /// The longest that an event goes on after its date: none that is older than this before an
  /// instant reaches it.
  private var longest = TimeSpan.zero
  /// The modification counter of the last change.
  private(set) var counter: Int64 = 0
  /// The modification counter of the last change to a bolus.
  private var lastBolusChange: Int64 = 0 { didSet { bolusChanges += 1 } }
  /// Rises with every change to a bolus, and when one is removed.
  private(set) var bolusChanges: Int64 = 0
  /// Rises with every change to a temp basal, suspension or resume.
  private(set) var programChanges: Int64 = 0
  /// The date of the oldest temp basal, suspension or resume that was added, changed or removed
  /// since ``takeOldestProgramChange()``; `nil` for none.
  private var oldestProgramChange: Instant?

  /// Creates a `PumpEventStore` from its parts; see the properties.
  public init(retention: TimeSpan = .days(7)) { self.retention = retention }

  /// Takes in what the pump reported.
  ///
  /// `lastReconciliation` is the instant up to which the history is complete; nothing when the pump
  /// could not be read to its end. With `replacingPending` all unfinished events give way to those
  /// given, which state how each stands now.
  ///
  /// - Returns: Whether they only repeat that the newest event runs on as it is known.
  @discardableResult
  public mutating func add(
    _ events: [HistoryEvent], lastReconciliation: Instant?, replacingPending: Bool = true,
    at now: Instant
  ) -> Bool {
    if replacingPending, repeats(events) {
      repeatLast(lastReconciliation: lastReconciliation)
      return true
    }
    note(lastReconciliation)
    if replacingPending, let ended = events.first, isEnd(ended) {
      replaceNewest(by: ended, at: now)
      for event in events.dropFirst() { insert(event, at: now) }
      return false
    }
    var new = events
    let replaced = replacingPending ? pending : []
    for raw in replaced {
      guard let index = index(of: raw) else { continue }
      // Most reports only repeat what runs.
      if let same = new.firstIndex(of: rows[index].event) {
        new.remove(at: same)
        noteChange(ofRow: index)
      } else {
        remove(at: index)
      }
    }
    for event in new { insert(event, at: now) }
    // The mark of a deletion goes with an event that the pump no longer reports.
    for raw in replaced where dates[raw] == nil { hidden.remove(raw) }
    return false
  }

  /// Whether an event tells what became of the newest, and no other may still change: then it takes
  /// its place, and nothing else moves.
  private func isEnd(_ event: HistoryEvent) -> Bool {
    guard isNewestRunning else { return false }
    let last = rows.count - 1
    return rows[last].event.syncIdentifier == event.syncIdentifier
      && rows[last].event.date == event.date && rows[last].event.kind == event.kind
      && rows[last].event != event
  }

  private mutating func replaceNewest(by event: HistoryEvent, at now: Instant) {
    assert(isNewestRunning, "What is replaced is the newest event.")
    let last = rows.count - 1
    counter += 1
    rows[last] = Row(
      event: event, modificationCounter: counter,
      deletedAt: rows[last].deletedAt == nil ? nil : now)
    longest = max(longest, event.end - event.date)
    if event.dose?.kind == .bolus { lastBolusChange = counter }
    if event.isProgram { noteProgramChange(at: event.date) }
    if !event.isMutable { pending.removeAll() }
  }

  /// Notes that the newest event runs on as it is known.
  ///
  /// There must be one.
  mutating func repeatLast(lastReconciliation: Instant?) {
    assert(isNewestRunning, "What is repeated is the newest event.")
    note(lastReconciliation)
    noteChange(ofRow: rows.count - 1)
  }

  private mutating func note(_ reconciliation: Instant?) {
    guard let reconciliation else { return }
    lastReconciliation = max(lastReconciliation ?? reconciliation, reconciliation)
  }

  /// Whether a report says nothing but that the newest event runs on as it is known.
  private func repeats(_ events: [HistoryEvent]) -> Bool {
    events.count == 1 && newestRuns(as: events[0])
  }

  /// Whether the newest event runs on as it is told.
  func newestRuns(as event: HistoryEvent) -> Bool {
    isNewestRunning && rows[rows.count - 1].event == event
  }

  /// Whether one event may still change, and it is the newest.
  var isNewestRunning: Bool {
    guard pending.count == 1, !rows.isEmpty else { return false }
    return rows[rows.count - 1].event.syncIdentifier == pending[0]
  }

  private mutating func noteChange(ofRow index: Int) {
    counter += 1
    rows[index].modificationCounter = counter
    if rows[index].event.dose?.kind == .bolus { lastBolusChange = counter }
  }

  /// Removes an event from the history that is shown, and from nowhere else.
  ///
  /// - Returns: The event, or nothing when there is none with the identifier.
  public mutating func delete(syncIdentifier: SyncIdentifier, at now: Instant) -> HistoryEvent? {
    guard
      let index = rows.firstIndex(where: {
        $0.deletedAt == nil && $0.event.syncIdentifier == syncIdentifier
      })
    else { return nil }
    rows[index].deletedAt = now
    noteChange(ofRow: index)
    hidden.insert(rows[index].event.syncIdentifier)
    return rows[index].event
  }

  /// Shows a deleted event again.
  public mutating func restore(syncIdentifier: SyncIdentifier) {
    guard let index = rows.firstIndex(where: { $0.event.syncIdentifier == syncIdentifier })
    else { return }
    rows[index].deletedAt = nil
    noteChange(ofRow: index)
    hidden.remove(rows[index].event.syncIdentifier)
  }

  /// The events that are shown, in the order of the history.
  public var events: [HistoryEvent] { Array(shown) }

  /// Events that are shown, which are looked for as they are asked for.
  package typealias ShownEvents = LazyMapSequence<LazyFilterSequence<[Row]>, HistoryEvent>

  /// The events that are shown, in the order of the history, without a list of them.
  package var shown: ShownEvents { rows.lazy.filter { $0.deletedAt == nil }.map(\.event) }

  /// The events that are shown and go on until an instant or beyond, or are dated then or later.
  func events(endingFrom first: Instant) -> [HistoryEvent] {
    rows[places(from: first - longest)].lazy
      .filter { $0.deletedAt == nil && $0.event.end >= first }.map(\.event)
  }

  /// Whether an event of some kind is shown that began at or after an instant.
  func contains(from start: Instant, where isMeant: (HistoryEvent.Kind) -> Bool) -> Bool {
    places(from: start).contains { rows[$0].deletedAt == nil && isMeant(rows[$0].event.kind) }
  }

  /// The boluses that are shown and began at or after an instant; none without an instant.
  func boluses(from start: Instant?) -> [DoseEntry] {
    guard let start else { return [] }
    var boluses: [DoseEntry] = []
    for index in places(from: start) where rows[index].deletedAt == nil {
      guard let dose = rows[index].event.dose, dose.kind == .bolus else { continue }
      boluses.append(dose)
    }
    return boluses
  }

  /// Whether the history shows an event with the identifier.
  public func contains(syncIdentifier: SyncIdentifier) -> Bool {
    // Those that are asked for are of the last day, whatever came before it.
    rows.lastIndex {
      $0.deletedAt == nil
        && ($0.event.dose?.syncIdentifier ?? $0.event.syncIdentifier) == syncIdentifier
    } != nil
  }

  /// The boluses among rows that changed since a modification counter, with whether they are shown.
  func boluses(from start: Instant, changedAfter counter: Int64) -> [(
    dose: DoseEntry, isShown: Bool
  )] {
    guard counter < lastBolusChange else { return [] }
    var found: [(dose: DoseEntry, isShown: Bool)] = []
    for index in places(from: start)
    where rows[index].modificationCounter > counter {
      guard let dose = rows[index].event.dose, dose.kind == .bolus else { continue }
      found.append((dose, rows[index].deletedAt == nil))
    }
    return found
  }

  /// The identifiers of boluses that may still change, deleted ones too.
  var unfinishedBoluses: [SyncIdentifier] {
    var identifiers: [SyncIdentifier] = []
    for raw in pending {
      guard let index = index(of: raw), rows[index].event.dose?.kind == .bolus,
        let identifier = rows[index].event.dose?.syncIdentifier
      else { continue }
      identifiers.append(identifier)
    }
    return identifiers
  }

  /// The temp basals, suspensions and resumes that began at or after an instant, deleted ones too.
  func programs(from start: Instant) -> [DoseEntry] {
    rows[places(from: start)].compactMap { row in
      row.event.dose.flatMap { $0.kind == .bolus ? nil : $0 }
    }
  }

  /// The programs from which follows what ran after an instant: those from the last temp basal on
  /// that began by then, deleted ones too.
  ///
  /// A temp basal ends what ran or was suspended before it. Whatever ends after `reported` or may
  /// still change is therefore reconciled from these as from all programs since `start`; what they
  /// leave out had ended by `reported`.
  func programs(from start: Instant, stillRunningAfter reported: Instant) -> [DoseEntry] {
    let begin = firstIndex(from: start)
    let firstPending = pending.compactMap { index(of: $0) }.min() ?? rows.count
    var first = max(begin, rows.partitioningIndexNearEnd { $0.event.date > reported })
    while first > begin {
      first -= 1
      if first <= firstPending, rows[first].event.dose?.kind == .tempBasal { break }
    }
    var programs: [DoseEntry] = []
    // A pump may tell of a suspension or its end after an alarm that it came before.
    var standstill = Standstill()
    Work.visit(rows: rows.count - first)
    for index in first..<rows.count {
      let event = rows[index].event
      guard event.dose?.kind != .bolus, let dose = standstill.dose(of: event) else { continue }
      programs.append(dose)
    }
    return programs
  }

  /// Forgets events older than the retention.
  public mutating func purge(at now: Instant) {
    guard !rows.isEmpty, rows[0].event.date < now - retention else { return }
    let kept = firstIndex(from: now - retention)
    bolusChanges += 1
    if rows[..<kept].contains(where: \.event.isProgram) { oldestProgramChange = rows[0].event.date }
    for row in rows[..<kept] {
      dates[row.event.syncIdentifier] = nil
      hidden.remove(row.event.syncIdentifier)
      if row.event.isMutable { pending.removeAll { $0 == row.event.syncIdentifier } }
    }
    assert(kept <= rows.count, "No more is forgotten than is there.")
    Work.visit(rows: rows.count)
    rows.removeFirst(kept)
  }

  // MARK: - Rows

  private mutating func noteProgramChange(at date: Instant) {
    programChanges += 1
    oldestProgramChange = min(oldestProgramChange ?? date, date)
  }

  /// The date of the oldest temp basal, suspension or resume that was added, changed or removed
  /// since this was last asked; `nil` for none.
  mutating func takeOldestProgramChange() -> Instant? {
    defer { oldestProgramChange = nil }
    return oldestProgramChange
  }

  private mutating func insert(_ event: HistoryEvent, at now: Instant) {
    if let existing = index(of: event.syncIdentifier) {
      guard rows[existing].event.isMutable else { return }
      remove(at: existing)
    }
    counter += 1
    let row = Row(
      event: event, modificationCounter: counter,
      deletedAt: hidden.contains(event.syncIdentifier) ? now : nil)
    // What a pump reports is nearly always the newest.
    var index = rows.count
    while index > 0, event.precedes(rows[index - 1].event) { index -= 1 }
    Work.visit(rows: rows.count - index)
    rows.insert(row, at: index)
    longest = max(longest, event.end - event.date)
    if event.dose?.kind == .bolus { lastBolusChange = counter }
    if event.isProgram { noteProgramChange(at: event.date) }
    assert(
      index == 0 || rows[index - 1].event.date <= event.date,
      "Events are kept in the order of time.")
    dates[event.syncIdentifier] = event.date
    if event.isMutable { pending.append(event.syncIdentifier) }
  }

  private mutating func remove(at index: Int) {
    assert(rows.indices.contains(index), "Only an event that is there is removed.")
    Work.visit(rows: rows.count - index)
    let event = rows.remove(at: index).event
    if event.isProgram { noteProgramChange(at: event.date) }
    if event.dose?.kind == .bolus { bolusChanges += 1 }
    dates[event.syncIdentifier] = nil
    if event.isMutable { pending.removeAll { $0 == event.syncIdentifier } }
  }

  private func index(of identifier: SyncIdentifier) -> Int? {
    // What is looked for is nearly always the newest.
    if let last = rows.last, last.event.syncIdentifier == identifier { return rows.count - 1 }
    guard let date = dates[identifier] else { return nil }
    return rows[firstIndex(from: date)...].firstIndex { $0.event.syncIdentifier == identifier }
  }

  private func firstIndex(from start: Instant) -> Int {
    rows.partitioningIndexNearEnd { $0.event.date >= start }
  }

  /// The places of the rows dated at or after an instant, all of which are looked at.
  private func places(from start: Instant) -> Range<Int> {
    let places = firstIndex(from: start)..<rows.count
    Work.visit(rows: places.count)
    return places
  }
}

extension HistoryEvent {
  /// Whether the event is a temp basal, a suspension or a resume, or may count as one.
  fileprivate var isProgram: Bool { dose.map { $0.kind != .bolus } ?? (standstill != nil) }
}
