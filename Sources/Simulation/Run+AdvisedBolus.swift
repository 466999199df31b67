internal import ClosedLoop
internal import Dosing
internal import Quantities

/// What a person is advised to take as a bolus, by the app or by the calculator of a pump.
extension Run {
  /// What the app recommends or a calculator advises, in units; `nil` for neither, which is noted.
  mutating func advisedUnits(_ request: BolusRequest) -> Double? {
    guard case .calculated(let calculator, _, _) = request.amount else {
      tellOfAdviser(request)
      let decision = state.phone.recommendBolus(at: state.now)
      if let refusal = decision.refusal {
        noteNoRecommendation(request, "\(refusal)")
        return nil
      }
      return decision.bolus.units
    }
    let bolus =
      setup.hasApp
      ? state.phone.bolus(by: calculator, at: state.now) : bolus(byPumpWith: calculator)
    if !bolus.hasGlucose {
      note(
        .warning, request.name,
        "The calculator has no glucose of the last 15 minutes and corrects nothing.")
    }
    return bolus.units
  }

  /// What the pump's calculator advises by the settings that a person has put into it and the
  /// newest reading of the sensor.
  private func bolus(byPumpWith calculator: BolusCalculator) -> CalculatedBolus {
    let therapy = setup.app.configuration.therapy
    let time = state.phone.zone.civilTime(at: state.now).timeOfDay
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
    for pulse in state.delivery.record.pulses.reversed() {
      guard state.now - pulse.instant <= longest else { break }
      guard pulse.channel == .userBolus else { continue }
      sum += left(of: pulse.recorded.units, since: pulse.instant, by: setup.pumpInsulinModel)
    }
    for injection in state.delivery.body.injections.reversed() {
      guard state.now - injection.instant <= longest else { break }
      guard let model = injection.model else { continue }
      sum += left(of: injection.units, since: injection.instant, by: model)
    }
    return sum
  }
}
