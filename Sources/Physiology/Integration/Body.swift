import Quantities

/// A model with its state, its clock and its plate: what every compartment patient is made of.
struct Body<Model: CompartmentModel>: Sendable {
  private(set) var now: Instant
  var state: Model.State
  var model: Model
  /// The continuous inflow of insulin, in U/min.
  var insulinRate = 0.0
  private(set) var plate = Plate()
  private(set) var depot = InsulinDepot()
  private let integration: Integration
  private var step = 1.0

  init(model: Model, state: Model.State, now: Instant, integration: Integration) {
    self.model = model
    self.state = state
    self.now = now
    self.integration = integration
  }

  mutating func eat(_ meal: MealInput) { plate.add(meal) }

  /// The injected insulin that is not yet released, in U.
  var unreleased: Double { depot.isEmpty ? 0 : depot.units(at: now) }

  /// Takes insulin that does not lie ready under the skin; answers whether it was such.
  mutating func takesSlowly(_ units: Double, _ absorption: InsulinAbsorption) -> Bool {
    switch absorption {
    case .rapid, .ultraRapid: return false
    case .depot(let release): depot.add(units, release, at: now)
    case .inhaled: depot.add(units, nil, at: now)
    }
    return true
  }

  /// Fills the depot as it is after a long time at a rate, in U/min, of an insulin that is released
  /// slowly.
  mutating func fillDepot(at rate: Double, _ absorption: InsulinAbsorption) {
    guard case .depot(let release) = absorption else { return }
    depot.fill(at: rate, release, until: now)
  }

  mutating func advance(to instant: Instant) {
    while now < instant {
      assert(insulinRate >= 0, "Insulin does not flow out of a body.")
      if let bite = plate.nextBite(at: now) { model.beginBite(bite, state: state) }
      let bite = plate.bite
      var end = min(instant, bite?.end ?? instant)
      var inflow = Inflow(insulin: insulinRate, carbohydrate: bite?.rate ?? 0)
      if !depot.isEmpty {
        end = min(end, depot.nextChange(after: now))
        let released = depot.released(from: now, to: end)
        inflow.insulin += released.underSkin / (end - now).minutes
        inflow.plasmaInsulin = released.intoPlasma / (end - now).minutes
        depot.clear(at: end)
      }
      assert(now < end, "A body lives forward in time.")
      assert(inflow.carbohydrate >= 0, "Food does not flow out of a body.")
      assert(inflow.plasmaInsulin >= 0, "Insulin does not flow out of the blood.")
      integrate(minutes: (end - now).minutes, inflow: inflow, isEating: bite != nil)
      now = end
    }
  }

  private mutating func integrate(minutes: Double, inflow: Inflow, isEating: Bool) {
    assert(minutes > 0, "A body is solved over some time.")
    switch integration {
    case .fixed(let step, let whileEating):
      let usual = max((isEating ? whileEating : step).minutes, 1e-5)
      guard model.longestStep(at: state).isFinite else {
        model.classicalSteps(&state, inflow: inflow, minutes: minutes, longest: usual)
        break
      }
      let count = max(1, (minutes / usual - 1e-9).rounded(.up))
      for _ in 0..<Int(count) {
        let longest = max(min(usual, model.longestStep(at: state)), 1e-5)
        model.classicalSteps(&state, inflow: inflow, minutes: minutes / count, longest: longest)
      }
    case .adaptive(let tolerance, let longest):
      model.adaptiveSteps(
        &state, inflow: inflow, minutes: minutes, longest: max(longest.minutes, 1e-5),
        tolerance: max(tolerance, 1e-14), step: &step)
    }
    state.clearTraces()
  }
}
