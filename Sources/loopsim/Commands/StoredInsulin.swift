import ClosedLoop
import Dosing
import HealthStore
import HealthStoreSQLite
import Quantities

/// Insulin on board as the samples of a store alone tell it.
enum StoredInsulin {
  /// How far back insulin acts that is still counted.
  private static let window = TimeSpan.hours(24)

  /// Net insulin on board in U, with the activity of rapid-acting insulin in adults.
  ///
  /// Boluses of any source count, and temp basals and suspensions that Loop wrote, each against the
  /// scheduled rate that stands in its metadata, also where one overlaps another. What has no end
  /// yet holds what was given so far.
  static func onBoard(in store: SQLiteHealthStore, at now: Instant) throws -> Double {
    let samples = try store.samples(
      of: .insulinDelivery, from: now - window, to: now + .milliseconds(1), as: .user)
    let doses = samples.compactMap { sample -> RelativeDose? in
      guard let dose = DoseEntry(sample), dose.kind != .basal, let units = sample.storedValue
      else { return nil }
      return RelativeDose(
        type: dose.kind == .bolus
          ? .bolus : .basal(scheduledRate: dose.scheduledBasalRate ?? 0),
        startDate: dose.start,
        endDate: sample.hasUndeterminedDuration ? max(dose.start, now) : dose.end, volume: units,
        insulinModel: .rapidActingAdult)
    }
    return LoopAlgorithm.insulinOnBoard(of: doses, at: now)
  }
}

/// What a deletion does to the insulin on board.
struct InsulinEffect: CustomStringConvertible {
  var instant: Instant
  var before: Double
  var after: Double

  var description: String {
    guard Self.text(before) != Self.text(after) else {
      return "Insulin on board at \(instant) stays \(Self.text(after)) U by this store's samples."
    }
    // What was given less than scheduled is below zero, and without it there is more.
    let risk = after < before ? "insulin that is not needed" : "less insulin than is needed"
    return """
      Caution: insulin on board at \(instant) goes from \(Self.text(before)) to \
      \(Self.text(after)) U by this store's samples, so Loop may deliver \(risk).
      """
  }

  private static func text(_ units: Double) -> String {
    HealthQuantity.text(of: (units * 100).rounded() / 100)
  }
}
