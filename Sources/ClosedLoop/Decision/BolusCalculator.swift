internal import Dosing
public import Quantities

/// A bolus calculator as pumps and meters have one: it knows no prediction and no trend.
///
/// The bolus is carbohydrates / CR + (glucose − target) / ISF − insulin on board (S. Schmidt,
/// K. Nørgaard, "Bolus calculators", J Diabetes Sci Technol 8:1035, 2014). Insulin on board is
/// taken off the correction alone, and neither makes the bolus for the carbohydrates smaller.
public struct BolusCalculator: Hashable, Sendable {
  /// The carbohydrates that were counted.
  public var carbohydrates: CarbohydrateMass
  /// What a correction aims at; `nil` for the middle of the correction range, after presets.
  public var target: GlucoseConcentration?
  /// The glucose above which there is a correction; `nil` for the target.
  public var correctsAbove: GlucoseConcentration?
  /// Whether insulin on board is taken off the correction.
  public var countsInsulinOnBoard: Bool

  /// Creates a calculator; see the properties.
  public init(
    carbohydrates: CarbohydrateMass, target: GlucoseConcentration? = nil,
    correctsAbove: GlucoseConcentration? = nil, countsInsulinOnBoard: Bool = true
  ) {
    assert(carbohydrates.grams >= 0, "Nobody eats less than nothing.")
    self.carbohydrates = carbohydrates
    self.target = target
    self.correctsAbove = correctsAbove
    self.countsInsulinOnBoard = countsInsulinOnBoard
  }
}

/// What a calculator advises.
public struct CalculatedBolus: Hashable, Sendable {
  /// What the carbohydrates need, in U.
  public let meal: Double
  /// What glucose above the target needs, less insulin on board, in U.
  public let correction: Double
  /// Whether there was a glucose value to correct by.
  public let hasGlucose: Bool

  /// The whole bolus, in U.
  public var units: Double { meal + correction }
}

extension LoopApp {
  /// What a calculator advises by the settings in force and the newest glucose value, which must be
  /// as recent as the algorithm asks (`DataRecency.limit`).
  public func bolus(by calculator: BolusCalculator, at now: Instant) -> CalculatedBolus {
    therapies.bolus(
      by: calculator, glucose: disturbances.recentGlucose(in: glucose.store, at: now),
      insulinOnBoard: insulinOnBoard(at: now) ?? 0, at: now)
  }
}

extension TherapyHistory {
  /// What a calculator advises by the settings in force at an instant.
  fileprivate func bolus(
    by calculator: BolusCalculator, glucose: GlucoseConcentration?,
    insulinOnBoard onBoard: @autoclosure () -> Double, at now: Instant
  ) -> CalculatedBolus {
    guard let carbRatio = carbRatio(at: now), let sensitivity = sensitivity(at: now)
    else { return CalculatedBolus(meal: 0, correction: 0, hasGlucose: glucose != nil) }
    return calculator.bolus(
      carbRatio: carbRatio, sensitivity: sensitivity,
      range: correctionRange(at: now, isForMeal: calculator.carbohydrates.grams > 0),
      glucose: glucose, insulinOnBoard: onBoard())
  }
}

extension TherapyHistory {
  /// The correction range after presets at an instant; for a meal the pre-meal range, which ends
  /// with its entry, is none.
  private func correctionRange(at instant: Instant, isForMeal: Bool) -> GlucoseRange {
    guard let preset = presets.active(at: instant), let range = preset.targets,
      !(isForMeal && preset.isPreMeal)
    else { return target(at: instant) }
    return range
  }
}

extension BolusCalculator {
  /// What is advised by the settings of one instant.
  ///
  /// - Parameters:
  ///   - carbRatio: The CR, in g/U, above 0.
  ///   - sensitivity: The ISF, in mg/dL per U, above 0.
  ///   - range: The correction range.
  ///   - glucose: A glucose value recent enough to be corrected; `nil` where there is none.
  ///   - onBoard: The insulin that still acts, in U; asked for only where it counts.
  /// - Returns: The parts of the bolus.
  public func bolus(
    carbRatio: Double, sensitivity: Double, range: GlucoseRange, glucose: GlucoseConcentration?,
    insulinOnBoard onBoard: @autoclosure () -> Double
  ) -> CalculatedBolus {
    assert(carbRatio > 0 && sensitivity > 0, "Settings are above zero.")
    let meal = carbohydrates.grams / carbRatio
    let target = target ?? range.midpoint
    guard let glucose, glucose > correctsAbove ?? target else {
      return CalculatedBolus(meal: meal, correction: 0, hasGlucose: glucose != nil)
    }
    let needed = (glucose.mgdL - target.mgdL) / sensitivity
    let counted = countsInsulinOnBoard ? onBoard() : 0
    return CalculatedBolus(
      meal: meal, correction: max(0, needed - max(0, counted)), hasGlucose: true)
  }
}
