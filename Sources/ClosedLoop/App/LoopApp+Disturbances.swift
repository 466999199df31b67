internal import Devices
internal import Dosing
public import Quantities

/// Wrong data in the app.
extension LoopApp {
  /// The algorithm sees wrong data from now on, until the disturbance of this id ends.
  public mutating func begin(_ disturbance: DataDisturbance, id: String, at now: Instant) {
    var held = 0.0
    if case .corrupt(let target, _) = disturbance { held = presentValue(of: target, at: now) }
    disturbances.begin(disturbance, id: id, at: now, holding: held)
  }

  /// The disturbances of an id are over.
  public mutating func endDisturbance(id: String) { disturbances.end(id: id) }

  private func presentValue(of target: CorruptTarget, at now: Instant) -> Double {
    switch target {
    case .glucose: glucose.store.latest(at: now)?.glucose.mgdL ?? 0
    case .insulinOnBoard: insulinOnBoard(at: now) ?? 0
    case .carbsOnBoard: cycles.carbsOnBoard ?? 0
    case .recommendedRate: pump.runningTemp?.rate.unitsPerHour ?? therapies.neutralRate(at: now)
    case .recommendedBolus: cycles.lastDecision?.bolus.units ?? 0
    }
  }
}
