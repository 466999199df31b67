internal import ClosedLoop
internal import Dosing
internal import Quantities

/// The bolus calculator of a pump, where there is no app.
extension Run {
  /// What the pump's calculator advises by the settings that a person has put into it and the
  /// newest reading of the sensor.
  mutating func bolus(byPumpWith calculator: BolusCalculator) -> CalculatedBolus {
    let therapy = setup.app.configuration.therapy
    let time = state.phone.zone.civilTime(at: state.now).timeOfDay
    receiveReadings()
    return calculator.bolus(
      carbRatio: therapy.carbRatio.value(at: time).gramsPerUnit,
      sensitivity: therapy.sensitivity.value(at: time).mgdLPerUnit,
      range: therapy.targets.value(at: time), glucose: state.person.recentGlucose(at: state.now),
      insulinOnBoard: bolusOnBoard)
  }

  /// What still acts of boluses and injections, in U: a pump's calculator knows of no basal.
  private var bolusOnBoard: Double {
    let longest = TimeSpan.seconds(
      Int64(InsulinModel.allCases.map(\.effectDuration).max() ?? 0))
    func left(of units: Double, since instant: Instant, by model: InsulinModel) -> Double {
      let age = (state.now - instant).seconds
      return units * LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: age)
    }
    var sum = 0.0
    for pulse in state.delivered.pulses.reversed() {
      guard state.now - pulse.instant <= longest else { break }
      guard pulse.channel == .userBolus else { continue }
      sum += left(of: pulse.recorded.units, since: pulse.instant, by: setup.pumpInsulinModel)
    }
    for injection in state.body.injections.reversed() {
      guard state.now - injection.instant <= longest else { break }
      guard let model = injection.model else { continue }
      sum += left(of: injection.units, since: injection.instant, by: model)
    }
    return sum
  }
}
