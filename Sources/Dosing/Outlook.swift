internal import WorkCounting

/// What is expected of glucose from everything that is known: steps 6 to 11 of a prediction.
///
/// A value is meant to be used again: its arrays keep their storage.
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`, `generatePrediction`.
struct Outlook: Sendable {
  var discrepancies: [Discrepancy] = []
  var correction: RetrospectiveCorrection?
  var retrospection = Prediction.Effects()
  var momentum: Momentum?
  /// Why momentum does not count; `nil` where it does.
  var momentumAbsence: MomentumAbsence? = .notAsked
  var usesRetrospection = false
  private(set) var prediction = Prediction()
  /// The prediction before that, whose storage is used again: whoever keeps the last one has not
  /// to give it up.
  private var former = Prediction()

  /// Finds what insulin and carbs have not explained lately, and corrects for it.
  ///
  /// Discrepancies that are too old to count are listed only where `isWhole` says so.
  mutating func lookBack<Velocities: RandomAccessCollection>(
    from last: GlucosePoint, _ velocities: Velocities, _ carbs: Prediction.Effects,
    isIntegral: Bool, isWhole: Bool
  ) where Velocities.Element == Velocity, Velocities.Index == Int {
    subtractCarbEffect(
      carbs.values, from: carbs.firstStep, of: velocities,
      since: isWhole ? -.infinity : last.start - RetrospectiveCorrection.reach,
      into: &discrepancies)
    Work.compute(points: discrepancies.count)
    correction = RetrospectiveCorrection(
      discrepancies, lastGlucose: last.start, isIntegral: isIntegral)
    retrospection.values.removeAll(keepingCapacity: true)
    retrospection.firstStep = TimeAxis.floorStep(last.start)
    correction?.appendEffect(from: last, to: &retrospection.values)
  }

  /// Combines the effects that count into a prediction from the last glucose sample.
  mutating func predict<Points: RandomAccessCollection>(
    at start: Double, _ glucose: Points, carbs: Prediction.Effects,
    insulin: InsulinEffectGrid?, insulinLastStep: Int?, _ options: PredictionOptions
  ) where Points.Element == GlucosePoint, Points.Index == Int {
    assert(!glucose.isEmpty, "A prediction goes out from a glucose.")
    let effects = options.effects
    let isGated = options.generation == .current
    findMomentum(glucose, at: start, isGated: isGated, options)
    usesRetrospection =
      effects.contains(.retrospection)
      && (!isGated
        || isGradualLately(glucose, at: start, threshold: options.gradualTransitionsThreshold))
      && (options.includePositiveVelocityAndRC || !(retrospection.net > 0))
    let usesInsulin = effects.contains(.insulin)
    swap(&prediction, &former)
    prediction.combine(
      from: glucose[glucose.count - 1], carbs: effects.contains(.carbs) ? carbs : nil,
      insulin: usesInsulin ? insulin : nil, insulinLastStep: usesInsulin ? insulinLastStep : nil,
      retrospection: usesRetrospection ? retrospection : nil,
      momentum: momentumAbsence == nil ? momentum : nil)
    // The older app predicts no further than insulin acts that is given at the last glucose.
    let begin = options.generation == .older ? glucose[glucose.count - 1].start : start
    prediction.extend(to: begin + InsulinModel.longestEffectDuration)
    assert(
      prediction.time(prediction.count - 1) >= begin + InsulinModel.longestEffectDuration,
      "A prediction reaches as far as insulin acts from there.")
  }

  private mutating func findMomentum<Points: RandomAccessCollection>(
    _ glucose: Points, at start: Double, isGated: Bool, _ options: PredictionOptions
  ) where Points.Element == GlucosePoint, Points.Index == Int {
    (momentum, momentumAbsence) = (nil, .notAsked)
    guard options.effects.contains(.momentum) else { return }
    do throws(MomentumAbsence) {
      let found = try Momentum(glucose, at: start, isGated: isGated)
      momentum = found
      momentumAbsence = options.includePositiveVelocityAndRC || !(found.net > 0) ? nil : .rising
    } catch {
      momentumAbsence = error
    }
  }
}

/// Whether glucose changed gradually in the last half hour: at least 2 samples, without a jump.
func isGradualLately<Points: RandomAccessCollection>(
  _ glucose: Points, at time: Double, threshold: Double
) -> Bool where Points.Element == GlucosePoint, Points.Index == Int {
  guard let end = glucose.closestPrior(to: time) else { return false }
  var begin = end + 1
  while begin > 0, glucose[begin - 1].start >= time - 1_800 { begin -= 1 }
  return end > begin && isGradual(glucose, in: begin...end, threshold: threshold)
}
