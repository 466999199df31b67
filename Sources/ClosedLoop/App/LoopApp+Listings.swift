internal import Dosing
internal import HealthStore
public import Quantities

/// What the app shows of its records.
extension LoopApp {
  /// Gives up the event history, for who has written it down and asks the app nothing more.
  package mutating func releaseEvents() { pump.releaseEvents() }

  /// Gives up the deliveries, for who has written them down and asks the app nothing more.
  package mutating func releaseDeliveries() { insulin.releaseDeliveries() }

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

  /// The doses that make a difference to insulin on board at an instant.
  public func countedDoses(at now: Instant) -> [DoseEntry] {
    insulin.counted(from: DataWindows(at: now).doses.lowerBound, to: now, pump, therapies)
  }
}
