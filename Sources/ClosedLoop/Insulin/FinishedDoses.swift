internal import Dosing
internal import HealthStore
internal import Quantities
internal import WorkCounting

/// The boluses and finished basal stretches as the algorithm takes them, kept from cycle to cycle.
///
/// Invariant: while nothing that the list was made from has changed, and for any window that begins
/// at or after ``from``, it holds exactly the doses that a search through the delivery store finds,
/// in their order. What still runs is not in it. A cycle adds what the store says was added; where
/// it says less, the list is made again.
struct FinishedDoses: Sendable {
  private struct Entry: Sendable {
    var dose: AlgorithmInput.InsulinDose
    /// The hash of the identifier.
    ///
    /// Two of the same hash are taken for one identifier; where they are not, that costs time and
    /// changes nothing.
    var hash: Int
    /// Whether the dose makes a difference to insulin on board.
    var counts: Bool
  }

  /// What the list was made from, beside the deliveries.
  private struct Origin: Sendable, Equatable {
    var presets: Int64
    var insulin: AppInsulin
  }

  private var entries: [Entry] = []
  /// The doses of all entries, and of those that count.
  private var listed: [AlgorithmInput.InsulinDose] = []
  private var counted: [AlgorithmInput.InsulinDose] = []
  /// Over which time the doses of all entries reach.
  private(set) var extent = DoseExtent()
  /// What of all entries the algorithm has seen in the last cycle.
  private(set) var kept = KeptElements()
  /// When the first of them has ended.
  private var earliestEnd = Instant(millisecondsSince1970: .max)
  private var origin: Origin?
  /// How many changes of the deliveries the list has followed.
  private var changes: Int64 = 0
  /// The beginning of the window for which the list was made.
  private var from: Instant?
  /// Whether no identifier stands twice: then nothing has to be left out.
  private var isDistinct = true

  /// How often the list was made from all deliveries, and how many changes it followed.
  private(set) var work = (made: 0, followed: 0)

  /// Brings the list up to date.
  mutating func refresh(
    at now: Instant, _ delivery: InsulinDeliveryStore, _ presets: PresetHistory,
    _ insulin: AppInsulin
  ) {
    let start = DataWindows(at: now).doses.lowerBound
    let origin = Origin(presets: presets.counter, insulin: insulin)
    if isDistinct, self.origin == origin, let from, from <= start,
      let missed = delivery.finishedChanges.since(changes), follow(missed, from: from, presets)
    {
      changes = delivery.finishedChanges.count
      forget(before: start)
    } else {
      self.origin = origin
      make(from: start, delivery, presets, insulin)
    }
  }

  /// The doses of a window, both ends included, and whether they are all of the list; `nil` when
  /// the list is not up to date.
  func doses(
    from start: Instant, to end: Instant, _ delivery: InsulinDeliveryStore,
    _ presets: PresetHistory, _ insulin: AppInsulin, listsScheduled: Bool
  ) -> (doses: [AlgorithmInput.InsulinDose], isWhole: Bool)? {
    guard let from, from <= start, isDistinct, changes == delivery.finishedChanges.count,
      origin == Origin(presets: presets.counter, insulin: insulin)
    else { return nil }
    let doses = listsScheduled ? listed : counted
    if earliestEnd >= start, listed.last.map({ $0.startDate <= end }) ?? true {
      return (doses, isWhole: listsScheduled)
    }
    return (doses.filter { $0.endDate >= start && $0.startDate <= end }, isWhole: false)
  }

  /// Notes that the algorithm has seen the doses: all of them as they are listed, or others.
  mutating func noteLook(isWhole: Bool) { kept.noteLook(at: isWhole ? listed.count : 0) }

  /// Those of some doses that are not in the list; `nil` where that cannot be told, or one of them
  /// is there otherwise.
  func missing(
    of doses: [DoseEntry], _ delivery: InsulinDeliveryStore, _ insulin: AppInsulin
  ) -> [DoseEntry]? {
    var missing: [DoseEntry] = []
    for dose in doses {
      let hash = dose.syncIdentifier?.hashValue
      guard let identifier = dose.syncIdentifier,
        let entry = entries.last(where: { $0.hash == hash })
      else {
        missing.append(dose)
        continue
      }
      let row = delivery.row(syncIdentifier: identifier, from: dose.start)
      guard row?.isFinished == true, entry.dose == dose.algorithmDose(insulin) else { return nil }
    }
    return missing
  }

  // MARK: - Keeping up

  /// Makes the list from all deliveries that end at or after an instant.
  private mutating func make(
    from start: Instant, _ delivery: InsulinDeliveryStore, _ presets: PresetHistory,
    _ insulin: AppInsulin
  ) {
    work.made += 1
    changes = delivery.finishedChanges.count
    from = start
    entries.removeAll(keepingCapacity: true)
    var hashes: Set<Int> = []
    delivery.visitFinished(from: start) { row in
      let entry = Self.entry(row, presets, insulin)
      hashes.insert(entry.hash)
      entries.append(entry)
    }
    isDistinct = hashes.count == entries.count
    list()
  }

  /// Lists the doses of the entries, those from an index on anew.
  private mutating func list(changedFrom index: Int = 0) {
    kept.noteChange(from: index)
    listed.removeAll(keepingCapacity: true)
    counted.removeAll(keepingCapacity: true)
    extent = DoseExtent()
    earliestEnd = Instant(millisecondsSince1970: .max)
    Work.visit(rows: entries.count)
    for entry in entries { list(entry) }
  }

  private mutating func list(_ entry: Entry) {
    listed.append(entry.dose)
    extent.add(entry.dose)
    if entry.counts { counted.append(entry.dose) }
    earliestEnd = min(earliestEnd, entry.dose.endDate)
  }

  /// Takes over what was added and removed; false if that cannot be told one by one.
  private mutating func follow(
    _ missed: ArraySlice<FinishedChanges.Change>, from: Instant, _ presets: PresetHistory
  ) -> Bool {
    guard let origin else { return false }
    for change in missed {
      work.followed += 1
      // The identifier is looked for among all.
      Work.visit(rows: entries.count)
      switch change {
      case .added(let row):
        guard row.dose.end >= from else { continue }
        let entry = Self.entry(row, presets, origin.insulin)
        guard !entries.contains(where: { $0.hash == entry.hash }) else { return false }
        let index = entries.partitioningIndex { $0.dose.startDate > entry.dose.startDate }
        entries.insert(entry, at: index)
        if index == entries.count - 1 { list(entry) } else { list(changedFrom: index) }
      case .removed(let row):
        guard row.dose.end >= from else { continue }
        let hash = row.syncIdentifier.hashValue
        guard let index = entries.lastIndex(where: { $0.hash == hash }) else { return false }
        entries.remove(at: index)
        list(changedFrom: index)
      }
    }
    return true
  }

  /// Forgets doses that no window reaches any more.
  private mutating func forget(before start: Instant) {
    from = start
    guard earliestEnd < start else { return }
    Work.visit(rows: entries.count)
    // They are mostly the first ones, since doses mostly end in the order in which they begin.
    let gone = entries.firstIndex { $0.dose.endDate >= start } ?? entries.count
    entries.removeFirst(gone)
    extent.removeFirst(gone, of: listed)
    listed.removeFirst(gone)
    kept.noteRemovedFirst(gone)
    counted.removeFirst(counted.firstIndex { $0.endDate >= start } ?? counted.count)
    findEarliestEnd()
    guard earliestEnd < start else { return }
    entries.removeAll { $0.dose.endDate < start }
    list()
  }

  private mutating func findEarliestEnd() {
    var earliest = Instant(millisecondsSince1970: .max)
    for dose in listed where dose.endDate < earliest { earliest = dose.endDate }
    earliestEnd = earliest
  }

  private static func entry(
    _ row: borrowing InsulinDeliveryStore.Row, _ presets: PresetHistory, _ insulin: AppInsulin
  ) -> Entry {
    let isCounted =
      row.dose.kind != .basal || presets.changesNeeds(from: row.dose.start, to: row.dose.end)
    return Entry(
      dose: row.dose.algorithmDose(insulin), hash: row.syncIdentifier.hashValue,
      counts: isCounted)
  }
}
