internal import Dosing
internal import HealthStore
public import Quantities

/// What the app shows of its records.
extension LoopApp {
  /// Net insulin on board at an instant, in U; nothing when the schedule makes it impossible to
  /// say.
  ///
  /// Whether basal was reported to the health store makes no difference. A disturbance shows.
  public func insulinOnBoard(at now: Instant) -> Double? {
    let present = bodyInsulin(at: now)
    guard !disturbances.isEmpty else { return present }
    return present.map { $0 + wrongInsulin(at: now) }
  }

  /// How far the insulin on board that the app believes in is from what its doses say, in U.
  func wrongInsulin(at now: Instant) -> Double {
    disturbances.wrongInsulin(besides: bodyInsulin(at: now), therapies.current)
  }

  /// What the doses that the app knows amount to.
  func bodyInsulin(at now: Instant) -> Double? {
    insulin.insulinOnBoard(at: now, pump, therapies)
  }

  /// Carbohydrates on board in the last cycle, in grams; nothing when it had none.
  public var carbsOnBoard: Double? { lastDecision?.carbsOnBoard }

  /// The doses that make a difference to insulin on board at an instant.
  public func countedDoses(at now: Instant) -> [DoseEntry] {
    insulin.counted(from: DataWindows(at: now).doses.lowerBound, to: now, pump, therapies)
  }

  /// The event history that a person sees, earliest first.
  public var eventHistory: [HistoryEvent] { pumpEvents.events }

  /// The insulin deliveries that count, earliest first.
  public var insulinDeliveries: InsulinDeliveryStore.ActiveRows { delivery.activeRows }

  /// Whether a delivery counts in insulin on board while it acts.
  ///
  /// A basal program that still runs counts by the pulses given so far, not by its row.
  public func countsAsDelivered(_ dose: DoseEntry) -> Bool { dose.countsAsDelivered }

  /// The active carbohydrate entries, by the time of eating.
  public var carbEntries: [CarbStore.Row] { carbs.activeRows }

  /// Up to when basal delivery has been cut into segments.
  public var reportedUntil: Instant { insulin.reporter.reportedUntil }

  /// The next instant at which a segment of scheduled basal ends by itself: an entry of the
  /// schedule or midnight of its clock.
  public func nextScheduledTrigger(after instant: Instant) -> Instant? {
    let pieces = therapies.basal.timeline(from: instant, to: instant + .days(2)).segments
    return pieces.first?.end
  }
}
