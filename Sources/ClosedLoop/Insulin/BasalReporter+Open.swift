import Dosing
import Quantities

/// A stretch of basal that is not reported yet, without what only names it.
struct OpenStretch {
  /// Scheduled basal, a temp basal or a suspension.
  var kind: DoseEntry.Kind
  var start: Instant
  var end: Instant
  /// The rate that was programmed.
  var rate: InsulinRate
  /// What the pump has counted of it.
  var units: InsulinAmount
  /// The insulin in the pump; `nil` where that is not known, and for scheduled basal.
  var insulinType: InsulinType?
}

extension BasalReporter {
  /// Visits what ``open(from:at:_:)`` lists, in its order, without a list and without names.
  ///
  /// Every cycle counts what runs, twice, and most of what a dose says of itself matters only once
  /// it is reported.
  func visitOpen(
    from earliest: Instant, at instant: Instant, _ delivery: Delivery,
    _ visit: (OpenStretch) -> Void
  ) {
    passing(over: earliest).visitOpen(at: instant, delivery) {
      if $0.end >= earliest { visit($0) }
    }
  }

  private func visitOpen(
    at instant: Instant, _ delivery: Delivery, _ visit: (OpenStretch) -> Void
  ) {
    guard instant > reportedUntil else { return }
    if isHeld(by: delivery.programs, at: instant) {
      let last = delivery.programs.count - 1
      // Looked at where it is: a copy of a dose holds its identifiers as well.
      let end = heldEnd(of: delivery.programs.span[last], at: instant)
      visitParts(of: last, from: reportedUntil, to: end, delivery, visit)
      return visitScheduled(from: end, to: instant, delivery, visit)
    }
    var cursor = reportedUntil
    visitRuns(of: delivery.programs, through: instant, isFinal: false) { run in
      let start = min(run.start, instant)
      visitScheduled(from: cursor, to: start, delivery, visit)
      cursor = max(cursor, start)
      visitParts(of: run.program, from: max(cursor, run.start), to: run.end, delivery, visit)
      cursor = max(cursor, run.end)
    }
    visitScheduled(from: cursor, to: instant, delivery, visit)
  }

  private func visitScheduled(
    from start: Instant, to end: Instant, _ delivery: Delivery, _ visit: (OpenStretch) -> Void
  ) {
    delivery.basal.visit(from: start, to: end) { piece in
      visit(
        OpenStretch(
          kind: .basal, start: piece.start, end: piece.end, rate: piece.value,
          units: units(
            from: piece.start, to: piece.end, rate: piece.value, delivery.pulses)))
    }
  }

  /// Visits the parts of a program, cut where the schedule is.
  private func visitParts(
    of program: Int, from start: Instant, to end: Instant, _ delivery: Delivery,
    _ visit: (OpenStretch) -> Void
  ) {
    let programs = delivery.programs.span
    let (kind, insulin) = (programs[program].kind, programs[program].insulinType)
    let rate =
      kind == .tempBasal
      ? InsulinRate(roundingUnitsPerHour: programs[program].unitsPerHour) ?? .zero : .zero
    delivery.basal.visit(from: start, to: end) { piece in
      visit(
        OpenStretch(
          kind: kind == .suspend ? .suspend : .tempBasal, start: piece.start, end: piece.end,
          rate: rate,
          units: units(from: piece.start, to: piece.end, rate: rate, delivery.pulses),
          insulinType: insulin))
    }
  }
}
