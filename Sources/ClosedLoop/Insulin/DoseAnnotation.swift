internal import HealthStore
public import Quantities

extension DoseEntry {
  /// The dose with the scheduled basal rate that held beside it, split where that rate changes.
  ///
  /// Part `i` of `n` has the identifier of the whole followed by ` i/n`, and the share of the
  /// insulin that its share of the time gives (LoopKit, `annotated(with:)`). Boluses, scheduled
  /// basal and doses that already carry their scheduled rate stay as they are.
  public func annotated(with basal: ScheduleHistory<InsulinRate>) -> [DoseEntry] {
    guard kind != .bolus, kind != .basal, scheduledBasalRate == nil else { return [self] }
    guard end > start else {
      var annotated = self
      annotated.scheduledBasalRate = basal.value(at: start).unitsPerHour
      return [annotated]
    }
    let pieces = basal.timeline(from: start, to: end).segments
    assert(!pieces.isEmpty, "A schedule has a rate at every time.")
    guard pieces.count > 1 else {
      var annotated = self
      annotated.scheduledBasalRate = pieces.first?.value.unitsPerHour
      return [annotated]
    }
    return pieces.enumerated().map { index, piece in
      let identifier = syncIdentifier?.part(index + 1, of: pieces.count)
      var part = trimmed(from: piece.start, to: piece.end, syncIdentifier: identifier)
      part.scheduledBasalRate = piece.value.unitsPerHour
      return part
    }
  }
}

extension Array where Element == DoseEntry {
  /// The doses with the scheduled basal rate beside each; see ``DoseEntry/annotated(with:)``.
  public func annotated(with basal: ScheduleHistory<InsulinRate>) -> [DoseEntry] {
    flatMap { $0.annotated(with: basal) }
  }

  /// The doses with the scheduled basal between them made visible.
  ///
  /// A pump that does not report the scheduled basal leaves gaps between reconciled doses. From
  /// `start` on each gap is filled with pieces of the schedule, cut at its borders and at midnight.
  /// Nothing is added after the last dose, and a dose that ends after `end` may still be cancelled
  /// and is left out (LoopKit, `overlayBasalSchedule(_:startingAt:endingAt:)`).
  /// A pump that reports scheduled segments itself has no gaps to fill: `insertingScheduled` is
  /// then false.
  public func overlaying(
    _ basal: ScheduleHistory<InsulinRate>, from start: Instant, to end: Instant,
    insertingScheduled: Bool = true
  ) -> [DoseEntry] {
    var filled: [DoseEntry] = []
    var cursor = start
    var previous: DoseEntry?
    for dose in self {
      guard dose.kind != .bolus else {
        filled.append(dose)
        continue
      }
      guard dose.end <= end else { continue }
      if insertingScheduled, cursor < dose.start {
        for piece in basal.timeline(from: cursor, to: dose.start).segments {
          filled.append(.scheduledBasal(piece, after: previous))
        }
      }
      filled.append(dose)
      cursor = dose.end
      previous = dose
    }
    return filled
  }
}

extension DoseEntry {
  /// Scheduled basal over one piece of the schedule, with the attributes of the dose before it.
  static func scheduledBasal(
    _ piece: Timeline<InsulinRate>.Segment, after previous: DoseEntry? = nil
  ) -> DoseEntry {
    assert(piece.start < piece.end, "A piece of a schedule lasts some time.")
    assert(piece.value >= .zero, "A scheduled rate cannot be negative.")
    let rate = piece.value.unitsPerHour
    return DoseEntry(
      .basal, from: piece.start, to: piece.end, .unitsPerHour(rate),
      syncIdentifier: .scheduledBasal(from: piece.start, to: piece.end),
      scheduledBasalRate: rate, insulinType: previous?.insulinType,
      isAutomatic: previous?.isAutomatic)
  }
}
