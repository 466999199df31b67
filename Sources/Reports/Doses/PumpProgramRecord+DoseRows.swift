internal import Quantities
internal import Simulation

extension PumpProgramRecord {
  /// The program, cut where its rate changed.
  var atEachRate: [Self] {
    var pieces = [self]
    for change in rateChanges + scheduledRates where change.instant > start && change.instant < end
    {
      guard var next = pieces.last, next.rate != change.rate else { continue }
      pieces[pieces.count - 1].end = change.instant
      (next.start, next.rate) = (change.instant, change.rate)
      pieces.append(next)
    }
    return pieces
  }

  /// What a row of basal is called in which the program runs.
  var doseKind: DoseRow.Kind {
    switch kind {
    case .scheduled: .scheduledBasal
    case .tempBasal: .tempBasal
    case .suspended: .suspended
    case .stopped: .stopped
    }
  }
}

extension [PumpProgramRecord] {
  /// Those of them, in the order of time, that have a part between two instants.
  func within(_ start: Instant, _ end: Instant) -> ArraySlice<PumpProgramRecord> {
    let first = partitioningIndex { $0.end > start }
    let last = partitioningIndex { $0.start >= end }
    return self[first..<Swift.max(first, last)]
  }

  /// Whether an alarm, and no person, kept the pump from giving anything between two instants, but
  /// for what the app learned late.
  func stop(_ start: Instant, _ end: Instant) -> Bool {
    let pieces = within(start, end)
    return pieces.first?.kind == .stopped && !pieces.contains { $0.kind == .suspended }
  }
}
