internal import ClosedLoop
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
      ? state.phone.bolus(by: calculator, at: state.now)
      : pumpCalculator.bolus(
        by: calculator, glucose: state.person.recentGlucose(at: state.now), at: state.now)
    if !bolus.hasGlucose {
      note(
        .warning, request.name,
        "The calculator has no glucose of the last 15 minutes and corrects nothing.")
    }
    return bolus.units
  }

  /// The calculator in the pump, into which a person puts the newest reading of the sensor.
  private var pumpCalculator: PumpCalculator {
    PumpCalculator(
      therapy: setup.app.configuration.therapy, clock: state.phone.zone,
      pulses: state.delivery.record.pulses, injections: state.delivery.body.injections,
      model: setup.pumpInsulinModel)
  }
}
