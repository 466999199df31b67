public import HealthStore
public import Quantities

extension DoseEntry {
  /// The steps per unit to which LoopKit rounds a rate without known delivery: 0.05 U.
  static let reportStepsPerUnit = 20.0

  /// The volume that was programmed, in U.
  public var programmedUnits: Double {
    switch amount {
    case .units(let units): units
    case .unitsPerHour(let rate): rate * duration.hours
    }
  }

  /// The rate that was programmed, in U/h; 0 for a volume given in no time.
  public var unitsPerHour: Double {
    switch amount {
    case .unitsPerHour(let rate): return rate
    case .units(let units):
      let hours = duration.hours
      return hours == 0 ? 0 : units / hours
    }
  }

  /// The volume to count and to report, in U.
  ///
  /// It is what was delivered where that is known; otherwise the programmed volume, for a rate
  /// rounded to the nearest 0.05 U with halves away from zero, as LoopKit does.
  public var deliverableUnits: Double {
    if let deliveredUnits { return deliveredUnits }
    switch amount {
    case .units(let units): return units
    case .unitsPerHour:
      return (programmedUnits * Self.reportStepsPerUnit).rounded() / Self.reportStepsPerUnit
    }
  }

  /// What the dose adds to the insulin of the schedule, in U; negative where it withholds.
  public var netBasalUnits: Double {
    switch kind {
    case .bolus: return deliveredUnits ?? programmedUnits
    case .basal: return 0
    case .tempBasal, .suspend, .resume:
      let hours = duration.hours
      guard hours > 0 else { return 0 }
      return deliverableUnits - (scheduledBasalRate ?? 0) * hours
    }
  }

  /// The dose with its delivery filled in, once it can no longer change.
  public var resolvingDelivery: DoseEntry {
    guard !isMutable, deliveredUnits == nil else { return self }
    var resolved = self
    switch (amount, kind) {
    case (.units(let units), _): resolved.deliveredUnits = units
    case (_, .tempBasal): resolved.deliveredUnits = deliverableUnits
    case (_, .basal): resolved.deliveredUnits = programmedUnits
    default: break
    }
    return resolved
  }

  /// The part of the dose within a stretch of time, with its share of the insulin.
  ///
  /// A rate stays as it is; a volume and a known delivery shrink in proportion to time. The part
  /// has the identifier that is given, for the whole one names the whole dose.
  public func trimmed(
    from newStart: Instant? = nil, to newEnd: Instant? = nil, syncIdentifier: SyncIdentifier? = nil
  ) -> DoseEntry {
    var part = self
    part.start = max(newStart ?? start, start)
    part.end = max(part.start, min(newEnd ?? end, end))
    part.syncIdentifier = syncIdentifier
    assert(part.start <= part.end, "A part of a dose ends after it starts.")
    guard duration > .zero, part.duration < duration else { return part }
    let share = deliverableUnits * (part.duration.seconds / duration.seconds)
    if deliveredUnits != nil { part.deliveredUnits = share }
    if case .units = amount { part.amount = .units(share) }
    return part
  }
}
