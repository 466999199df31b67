public import Quantities

extension LoopAlgorithm {
  /// Net insulin on board at an instant, in U, without a prediction.
  ///
  /// Doses count against the basal schedule as in ``run(_:)``; a dose that starts later counts
  /// nothing.
  ///
  /// Throws `notSorted` for a schedule that is not sorted.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `insulinOnBoard(at:)`.
  public static func insulinOnBoard(
    of doses: [AlgorithmInput.InsulinDose], basal: [AlgorithmInput.ScheduleEntry],
    at instant: Instant
  ) throws(AlgorithmError) -> Double {
    if basal.count == 1 { return insulinOnBoard(of: doses, rate: basal[0], at: instant) }
    let precomputed = try PrecomputedInsulin.annotate(doses: doses, basal: basal)
    return Dosing.insulinOnBoard(
      precomputed.elements, at: precomputed.axis.seconds(instant))
  }

  /// The same where one scheduled rate holds throughout: each dose is one element, and none has to
  /// be kept.
  private static func insulinOnBoard(
    of doses: [AlgorithmInput.InsulinDose], rate: AlgorithmInput.ScheduleEntry, at instant: Instant
  ) -> Double {
    let axis = TimeAxis(near: doses.first?.startDate ?? rate.startDate)
    let span = ScheduleSpan(
      start: axis.seconds(rate.startDate), end: axis.seconds(rate.endDate), value: rate.value)
    // In a loop, since a lazy sequence takes twice as long in every cycle.
    var sum = InsulinOnBoardSum(at: axis.seconds(instant))
    for dose in doses {
      let element = element(
        type: dose.type, start: axis.seconds(dose.startDate), end: axis.seconds(dose.endDate),
        volume: dose.volume, model: dose.insulinModel, rate: span)
      if let element { sum.add(element) }
    }
    return sum.units
  }
}

extension LoopAlgorithm {
  /// The fraction of a dose still on board so many seconds after it was given at once; 0 before.
  ///
  /// Source: LoopKit/LoopAlgorithm, `ExponentialInsulinModel.swift`,
  /// `percentEffectRemaining(at:)`.
  public static func fractionOnBoard(
    of model: InsulinModel, secondsAfter seconds: Double
  ) -> Double {
    InsulinActivity.of(model).fractionOnBoard(seconds, of: 0)
  }

  /// Net insulin on board at an instant, in U, of doses that are set against the schedule already.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `insulinOnBoard(at:)`.
  public static func insulinOnBoard(of doses: [RelativeDose], at instant: Instant) -> Double {
    let axis = TimeAxis(near: doses.first?.startDate ?? instant)
    return Dosing.insulinOnBoard(
      doses.map { DoseElement($0, axis) }, at: axis.seconds(instant))
  }
}
