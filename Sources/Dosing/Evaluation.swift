import Quantities

/// One full evaluation of the algorithm, stage by stage.
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`, `generatePrediction`.
struct Evaluation {
  let axis: TimeAxis
  let start: Double
  let glucose: [GlucosePoint]
  let doses: [AlgorithmInput.InsulinDose]
  let entries: [AlgorithmInput.CarbEntry]
  let basal: [ScheduleSpan]
  let sensitivity: [ScheduleSpan]
  let carbRatio: [ScheduleSpan]
  let options: PredictionOptions

  var elements: [DoseElement] = []
  var activeInsulin = 0.0
  /// The insulin effect; nothing where the basal schedule starts after the first dose.
  var insulin: InsulinEffectGrid?
  var velocities: [Velocity] = []
  var records: [CarbRecord] = []
  var carbs = Prediction.Effects()
  var activeCarbs = 0.0
  var outlook = Outlook()

  var prediction: Prediction { outlook.prediction }

  /// The last glucose sample, whatever its date.
  ///
  /// - Precondition: There is one.
  var lastGlucose: GlucosePoint { glucose[glucose.count - 1] }

  /// Runs every stage, from doses and perhaps an insulin effect `given` where those are known.
  ///
  /// There must be a glucose sample.
  mutating func run(given: PrecomputedInsulin.Slice? = nil) throws(AlgorithmError) {
    if let given {
      elements = given.elements
      activeInsulin = insulinOnBoard(elements, at: start)
      if let effect = given.effect { insulin = effect } else { try computeInsulinEffect() }
    } else {
      try annotateDoses()
    }
    computeCounteraction()
    try absorbCarbs()
    try computeCarbEffect()
    outlook.lookBack(
      from: glucose[glucose.count - 1], velocities, carbs, isIntegral: options.isIntegral,
      isWhole: true)
    outlook.predict(
      at: start, glucose, carbs: carbs, insulin: insulin, insulinLastStep: insulin?.lastStep,
      options)
  }

  /// Steps 1 to 3: doses against the basal schedule, insulin on board, insulin effect.
  private mutating func annotateDoses() throws(AlgorithmError) {
    let firstDose = doses.first.map { axis.seconds($0.startDate) } ?? start
    guard let first = basal.first, first.start <= firstDose else { return }
    elements.reserveCapacity(doses.count + doses.count / 4)
    for dose in doses {
      annotate(
        type: dose.type, start: axis.seconds(dose.startDate), end: axis.seconds(dose.endDate),
        volume: dose.volume, model: dose.insulinModel, basal: basal, into: &elements)
    }
    try computeInsulinEffect()
    activeInsulin = insulinOnBoard(elements, at: start)
  }

  /// Computes the insulin effect over the doses' action and the glucose history.
  private mutating func computeInsulinEffect() throws(AlgorithmError) {
    var from = elements.first?.start ?? start
    var to = elements.first?.end ?? start
    for element in elements {
      from = min(from, element.start)
      to = max(to, element.end + InsulinActivity.of(element.model).effectDuration)
    }
    from = min(from, glucose[0].start)
    to = max(to, lastGlucose.start)
    insulin = try InsulinEffectGrid(
      of: elements, over: TimeAxis.grid(from: from, to: to), sensitivity: sensitivity,
      isMidAbsorption: options.useMidAbsorptionISF, axis: axis)
  }

  private mutating func computeCounteraction() {
    guard let insulin else { return }
    guard
      let first = glucose.firstIndex(where: {
        $0.start >= Double(insulin.firstStep) * TimeAxis.step
      })
    else { return }
    velocities.reserveCapacity(glucose.count)
    var walk = CounteractionWalk(sample: first, step: insulin.firstStep)
    while let round = walk.next(
      glucose, lastStep: insulin.lastStep, insulin: { insulin.change(from: $0, to: $1) })
    {
      velocities.append(round.velocity)
    }
  }

  /// Step 5, first half: what was observed of each carbohydrate entry.
  private mutating func absorbCarbs() throws(AlgorithmError) {
    guard !entries.isEmpty else { return }
    let end = velocities.last?.end
    for entry in entries {
      let point = CarbPoint(entry, axis)
      let sensitivity = try carbSensitivity(
        at: point.start, sensitivity, carbRatio: carbRatio, axis: axis)
      records.append(CarbRecord(point, sensitivity: sensitivity, observedUntil: end))
    }
    for velocity in velocities {
      distribute(velocity, over: &records, in: records.indices)
    }
  }

  /// Step 5, second half: the carb effect from 3 hours before now, and carbs on board.
  private mutating func computeCarbEffect() throws(AlgorithmError) {
    guard let grid = try carbGrid(of: records, at: start) else { return }
    carbs.firstStep = grid.lowerBound
    carbs.values = Array(repeating: 0, count: grid.count)
    for record in records {
      record.addEffect(to: &carbs.values, from: carbs.firstStep, options.carbAbsorptionModel)
      activeCarbs += record.carbsOnBoard(at: start, options.carbAbsorptionModel)
    }
  }
}

/// The grid steps of the carb effect: from 3 hours before now until all is absorbed.
///
/// There are none without entries, and one at least with some.
func carbGrid(
  of records: [CarbRecord], at now: Double
) throws(AlgorithmError) -> ClosedRange<Int>? {
  guard let first = records.first else { return nil }
  var last = first.start
  for record in records {
    last = max(last, record.start + record.estimatedTime + CarbRecord.delay)
  }
  let from = now - 10_800
  let grid = try TimeAxis.grid(from: from, to: max(from, last))
  return grid.lowerBound...max(grid.lowerBound, TimeAxis.ceilStep(last))
}

/// Carbohydrate sensitivity at a time: ISF over carbohydrate ratio, in mg/dL per g.
///
/// Throws when no ISF or no ratio starts at or before the time.
func carbSensitivity(
  at time: Double, _ sensitivity: [ScheduleSpan], carbRatio: [ScheduleSpan], axis: TimeAxis
) throws(AlgorithmError) -> Double {
  guard let isf = sensitivity.closestPrior(to: time) else {
    throw .sensitivityMissingAtCarbs(axis.instant(time))
  }
  guard let ratio = carbRatio.closestPrior(to: time) else {
    throw .carbRatioMissingAtCarbs(axis.instant(time))
  }
  return sensitivity[isf].value / carbRatio[ratio].value
}
