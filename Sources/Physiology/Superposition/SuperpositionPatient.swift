public import Quantities

/// A patient who obeys the notions of its therapy: sensitivity, carb ratio and basal rate.
///
/// Every unit lowers glucose by the insulin sensitivity and every gram raises it by sensitivity
/// over carb ratio, each along its curve, and the effects add up. The basal schedule balances the
/// patient's own glucose production. This is not physiology: it isolates what an algorithm does
/// wrong by itself. The equations are those of Tidepool's simple metabolism model and simulator
/// (tidepool-org/data-science-models and data-science-simulator).
///
/// What happens on the five-minute grid that starts with the patient's life equals that model
/// exactly; a pulse or a meal between two grid points acts from its own second on. Continuous basal
/// and the patient's own balance are counted in lumps at the end of each five minutes.
public struct SuperpositionPatient: Patient {
  /// The parameters of the patient.
  public let parameters: SuperpositionParameters
  public private(set) var now: Instant

  private var doses = SuperposedDoses()
  private var depot = InsulinDepot()
  private var meals: [SuperposedMeal] = []
  /// Glucose without the doses and meals still listed, in mg/dL.
  private var settled: Double
  /// Glucose now, in mg/dL, which is asked for more often than it changes.
  private var level: Double
  private var nextLump: Instant
  /// The glucose of the last grid point, in mg/dL, which the patient's own secretion answers.
  private var secretingGlucose: Double?
  /// The continuous inflow in U/h, and the units it has brought since the last lump.
  private var rate: Double
  private var pending = 0.0
  private var condition = ConditionFactors()

  private static let grid = TimeSpan.minutes(5)

  /// Creates a patient at a glucose concentration, with the basal insulin of eight hours on board.
  ///
  /// - Parameters:
  ///   - parameters: Who it is.
  ///   - start: The first instant of its life, and of its five-minute grid.
  ///   - glucose: The glucose it starts at.
  ///   - initialRate: The basal rate, in U/h, at which insulin flowed in the five minutes up to the
  ///     start and flows on until another is received. Left out, the patient's own basal flowed
  ///     until then, and from the start on it has only the insulin it receives.
  ///   - absorption: How the insulin is absorbed that flowed until the start.
  /// - Throws: ``PatientError/unusableParameter(patient:name:value:allowed:)``.
  public init(
    _ parameters: SuperpositionParameters, at start: Instant, glucose: GlucoseConcentration,
    initialRate: Double? = nil, heldBy absorption: InsulinAbsorption = .rapid
  ) throws(PatientError) {
    try parameters.check()
    guard glucose.mgdL.isFinite else {
      throw .unusableParameter(
        patient: parameters.identifier, name: "glucose", value: glucose.mgdL, allowed: "a number")
    }
    self.parameters = parameters
    now = start
    nextLump = start
    settled = glucose.mgdL
    level = settled
    let own = parameters.basalRate.value(at: parameters.clock.timeOfDay(at: start))
    rate = initialRate ?? 0
    let speed = absorption.speed
    // What is cleared at another speed than the need counts for itself.
    let need = speed == 1 ? 0 : sensitivity() * own / 12
    for step in stride(from: Int64(95), through: 1, by: -1) {
      let instant = start - Self.grid * step
      doses.append(units: own / 12, effect: -need, speed: speed, at: instant)
      if need != 0 { doses.append(units: 0, effect: need, at: instant) }
    }
    settled -= doses.effect(at: start)
    if speed == 1 {
      pending = (initialRate ?? own) / 12
    } else {
      doses.append(units: own / 12, effect: -need, speed: speed, at: start)
    }
    if case .depot(let release) = absorption { depot.fill(at: own / 60, release, until: start) }
    lump()
    level = summedLevel()
  }

  public var glucose: GlucoseConcentration { .mgdL(level) }

  /// What is settled, with the doses and meals that are at work.
  private func summedLevel() -> Double {
    var sum = settled + doses.effect(at: now)
    for meal in meals { sum += meal.rise(at: now) }
    return sum
  }

  public var computedGlucose: GlucoseConcentration { glucose }

  public var modelRange: ModelRange { .addedEffects }

  public var sensedGlucose: GlucoseConcentration { glucose }

  /// What was pumped or released since the last lump has not acted at all.
  public var insulinOnBoard: Double? {
    doses.onBoard(at: now) + depot.units(at: now) + pending
  }

  public mutating func advance(to instant: Instant) {
    guard now < instant else { return }
    while now < instant {
      assert(now < nextLump, "Insulin is lumped together when it is time.")
      let end = min(instant, nextLump)
      pending += rate * (end - now).hours
      if !depot.isEmpty { pending += depot.released(from: now, to: end).underSkin }
      now = end
      if now == nextLump { lump() }
    }
    // What is received or eaten now changes glucose from now on.
    level = summedLevel()
  }

  public mutating func receive(_ insulin: InsulinInput) {
    switch insulin.course {
    case .rate(let unitsPerHour): rate = unitsPerHour
    case .pulse(let units):
      if case .depot(let release) = insulin.absorption {
        depot.add(units, release, at: now)
        return
      }
      let speed = insulin.absorption.speed
      guard units >= 0 else {
        doses.takeBack(units: -units, speed: speed)
        return
      }
      doses.append(
        units: units, effect: -sensitivity() * units, speed: speed, isWhole: true, at: now)
    }
  }

  /// Begins to absorb a meal; the pace of eating does not matter here.
  public mutating func eat(_ meal: MealInput) {
    guard meal.grams > 0, meal.grams.isFinite else { return }
    let time = timeOfDay()
    let perGram =
      parameters.insulinSensitivity.value(at: time) / parameters.carbRatio.value(at: time)
    let curve = CarbohydrateCurve(
      absorptionMinutes: meal.absorption?.minutes ?? 180, emptying: condition.gastricEmptying)
    assert(perGram > 0, "A gram of carbohydrate raises glucose.")
    meals.append(SuperposedMeal(start: now, rise: perGram * meal.grams, curve: curve))
  }

  /// Takes up insulin sensitivity, glucose production and gastric emptying from now on.
  public mutating func apply(_ condition: BodyCondition) -> Bool {
    if case .insulinAbsorption = condition { return false }
    return self.condition.take(condition)
  }

  private func timeOfDay() -> TimeOfDay { parameters.clock.timeOfDay(at: now) }

  private func sensitivity() -> Double {
    parameters.insulinSensitivity.value(at: timeOfDay()) * condition.insulinSensitivity
  }

  /// Counts the continuous insulin of the last five minutes against the patient's own need.
  private mutating func lump() {
    assert(now == nextLump, "Insulin is lumped together when it is time.")
    let time = timeOfDay()
    // Where insulin works less, production stays as it is, so that more insulin balances it.
    let production = parameters.basalRate.value(at: time) / 12 * condition.glucoseProduction
    let effect =
      parameters.insulinSensitivity.value(at: time)
      * (production - condition.insulinSensitivity * pending)
    if pending != 0 || effect != 0 { doses.append(units: pending, effect: effect, at: now) }
    pending = 0
    secrete()
    settle()
    depot.clear(at: now)
    nextLump = now + Self.grid
  }

  /// Lets the patient's own pancreas act, all at once in the next step.
  ///
  /// It answers the glucose of five minutes ago: the original predicts a step before it takes up
  /// its current glucose. In the first two steps that is the glucose at the start.
  ///
  /// Source: tidepool-org/data-science-simulator, `VirtualPatient.predict`.
  private mutating func secrete() {
    let own = parameters.secretion
    guard own.perGlucose > 0 || own.basalProduction > 0 else { return }
    let current = summedLevel()
    let above = max((secretingGlucose ?? current) - own.basalGlucose, 0)
    secretingGlucose = current
    let units = 5 * (own.perGlucose * above + own.basalProduction * own.basalGlucose)
    meals.append(SuperposedMeal(start: now, drop: -sensitivity() * units))
  }

  /// Takes into the base what no longer changes.
  private mutating func settle() {
    settled += doses.retire(at: now)
    let finished = meals.filter { $0.isOver(at: now) }
    guard !finished.isEmpty else { return }
    for meal in finished { settled += meal.rise(at: now) }
    meals.removeAll { $0.isOver(at: now) }
  }
}
