internal import ClosedLoop
internal import Dosing
internal import Quantities

/// The bolus calculator in a pump, with the settings that a person has put into it.
///
/// It knows the boluses and what is entered of injections, and nothing of basal.
struct PumpCalculator: Sendable {
  /// The settings.
  let therapy: TherapySettings
  /// The zone of the pump's clock, by which the settings change over the day.
  let clock: WallClock
  /// The pulses of the pump, in the order of time.
  let pulses: PumpPulses
  /// What was injected, in the order of time.
  let injections: [InjectionRecord]
  /// The curve of the pump's insulin.
  let model: InsulinModel
  /// How far the pump's clock is ahead.
  var clockError = TimeSpan.zero

  /// What it advises; `glucose` is a value recent enough to be corrected.
  func bolus(
    by calculator: BolusCalculator, glucose: GlucoseConcentration?, at now: Instant
  ) -> CalculatedBolus {
    let time = clock.timeOfDay(at: now + clockError)
    return calculator.bolus(
      carbRatio: therapy.carbRatio.value(at: time).gramsPerUnit,
      sensitivity: therapy.sensitivity.value(at: time).mgdLPerUnit,
      range: therapy.targets.value(at: time), glucose: glucose,
      insulinOnBoard: bolusOnBoard(at: now))
  }

  /// What still acts of boluses and injections, in U.
  ///
  /// What the algorithm gave by itself is not among the boluses. An injection counts by the curve
  /// by which the app would count it, and basal insulin not at all.
  func bolusOnBoard(at now: Instant) -> Double {
    let longest = TimeSpan.seconds(Int64(InsulinModel.longestEffectDuration))
    func left(of units: Double, since instant: Instant, by model: InsulinModel) -> Double {
      let age = (now - instant).seconds
      return units * LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: age)
    }
    var sum = 0.0
    for pulse in pulses.reversed() {
      guard now - pulse.instant <= longest else { break }
      guard pulse.channel == .userBolus else { continue }
      sum += left(of: pulse.recorded.units, since: pulse.instant, by: model)
    }
    for injection in injections.reversed() {
      guard now - injection.instant <= longest else { break }
      guard let model = injection.countedModel else { continue }
      sum += left(of: injection.units, since: injection.instant, by: model)
    }
    return sum
  }
}
