internal import Dosing
internal import Quantities

/// The boluses and finished basal stretches as the algorithm takes them, kept from cycle to cycle.
///
/// Invariant: while nothing that the list was made from has changed, and for any window that begins
/// at or after ``from``, it holds exactly the doses that a search through the delivery store finds.
/// What still runs is not in it.
struct FinishedDoses: Sendable {
  private struct Entry: Sendable {
    var dose: AlgorithmInput.InsulinDose
    /// Whether the dose makes a difference to insulin on board.
    var counts: Bool
  }

  /// What the list was made from.
  private struct Origin: Sendable, Equatable {
    var deliveries: Int64
    var presets: Int64
    var insulin: AppInsulin

    init(_ delivery: InsulinDeliveryStore, _ presets: PresetHistory, _ insulin: AppInsulin) {
      deliveries = delivery.finishedChanges
      self.presets = presets.counter
      self.insulin = insulin
    }
  }

  private var entries: [Entry] = []
  private var origin: Origin?
  /// The beginning of the window for which the list was made.
  private var from: Instant?
  /// Whether no identifier stands twice: then nothing has to be left out.
  private var isDistinct = true

  /// Makes the list again where something has changed.
  mutating func refresh(
    at now: Instant, _ delivery: InsulinDeliveryStore, _ presets: PresetHistory,
    _ insulin: AppInsulin
  ) {
    let start = DataWindows(at: now).doses.lowerBound
    let origin = Origin(delivery, presets, insulin)
    if let from, self.origin == origin, from <= start, start < from + .hours(2) { return }
    self.origin = origin
    from = start
    entries.removeAll(keepingCapacity: true)
    var identifiers: Set<String> = []
    delivery.visitFinished(from: start) { row in
      let isCounted =
        row.dose.kind != .basal || presets.changesNeeds(from: row.dose.start, to: row.dose.end)
      entries.append(Entry(dose: row.dose.algorithmDose(insulin), counts: isCounted))
      identifiers.insert(row.syncIdentifier)
    }
    isDistinct = identifiers.count == entries.count
  }

  /// The doses of a window, both ends included; `nil` when the list is not up to date.
  func doses(
    from start: Instant, to end: Instant, _ delivery: InsulinDeliveryStore,
    _ presets: PresetHistory, _ insulin: AppInsulin, listsScheduled: Bool
  ) -> [AlgorithmInput.InsulinDose]? {
    guard let from, from <= start, isDistinct, origin == Origin(delivery, presets, insulin)
    else { return nil }
    var doses: [AlgorithmInput.InsulinDose] = []
    doses.reserveCapacity(entries.count + 2)
    for entry in entries
    where (listsScheduled || entry.counts) && entry.dose.endDate >= start
      && entry.dose.startDate <= end
    {
      doses.append(entry.dose)
    }
    return doses
  }
}
