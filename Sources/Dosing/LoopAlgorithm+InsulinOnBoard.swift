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
  ///
  /// Those of `others` count as if they stood behind the first ones.
  public static func insulinOnBoard(
    of doses: [AlgorithmInput.InsulinDose], and others: [AlgorithmInput.InsulinDose] = [],
    basal: [AlgorithmInput.ScheduleEntry], at instant: Instant
  ) throws(AlgorithmError) -> Double {
    if basal.count == 1 {
      return insulinOnBoard(of: doses, and: others, rate: basal[0], at: instant)
    }
    let precomputed = try PrecomputedInsulin.annotate(
      doses: others.isEmpty ? doses : doses + others, basal: basal)
    return Dosing.insulinOnBoard(
      precomputed.elements, at: precomputed.axis.seconds(instant))
  }

  /// The same where one scheduled rate holds throughout: each dose is one element, and none has to
  /// be kept.
  private static func insulinOnBoard(
    of doses: [AlgorithmInput.InsulinDose], and others: [AlgorithmInput.InsulinDose],
    rate: AlgorithmInput.ScheduleEntry, at instant: Instant
  ) -> Double {
    let first = doses.first ?? others.first
    let axis = TimeAxis(near: first?.startDate ?? rate.startDate)
    let span = ScheduleSpan(
      start: axis.seconds(rate.startDate), end: axis.seconds(rate.endDate), value: rate.value)
    var sum = InsulinOnBoardSum(at: axis.seconds(instant))
    // In loops, since a lazy sequence takes twice as long in every cycle.
    let finished = doses.span
    for index in finished.indices where !finished[index].isSpent(at: instant) {
      sum.add(finished[index], against: span, axis, at: instant)
    }
    for dose in others { sum.add(dose, against: span, axis, at: instant) }
    return sum.units
  }
}

extension InsulinOnBoardSum {
  @inline(__always)
  fileprivate mutating func add(
    _ dose: AlgorithmInput.InsulinDose, against rate: ScheduleSpan, _ axis: TimeAxis,
    at instant: Instant
  ) {
    let element = element(
      type: dose.type, start: axis.seconds(dose.startDate), end: axis.seconds(dose.endDate),
      volume: dose.volume, model: dose.insulinModel, rate: rate)
    guard let element else { return }
    // Whole seconds are exact on the axis, so that whole numbers find the place in the table.
    let age = instant.millisecondsSince1970 &- dose.startDate.millisecondsSince1970
    let lasted = dose.endDate.millisecondsSince1970 &- dose.startDate.millisecondsSince1970
    let step = Int64(TimeAxis.step) * 1_000
    if age >= 0, age < step * Int64(TimeAxis.maximumSteps), age % step == 0, lasted >= 0,
      lasted <= step * Int64(OnBoardTable.longest), lasted % step == 0,
      dose.startDate.millisecondsSince1970 % 1_000 == 0
    {
      add(element, atStep: Int(age / step), of: Int(lasted / step))
    } else {
      add(element)
    }
  }
}

extension AlgorithmInput.InsulinDose {
  /// Whether exactly nothing of the dose is on board any more, as is told without computing it.
  ///
  /// That holds when every insulin has acted, and of what was given at once or over some whole
  /// steps from a whole second on: there the fractions of the steps add up to 1 without rounding.
  @inline(__always)
  func isSpent(at instant: Instant) -> Bool {
    let age = instant.millisecondsSince1970 &- endDate.millisecondsSince1970
    guard age > Self.spentAfter else { return false }
    let lasted = endDate.millisecondsSince1970 &- startDate.millisecondsSince1970
    guard lasted > Self.step else { return lasted >= 0 }
    return lasted <= Self.step * Int64(OnBoardTable.longest) && lasted % Self.step == 0
      && startDate.millisecondsSince1970 % 1_000 == 0
  }

  /// The time after which no insulin acts, and the delay that a long dose is counted ahead, in
  /// milliseconds.
  private static let spentAfter = Int64(InsulinModel.longestEffectDuration + 600) * 1_000
  private static let step = Int64(TimeAxis.step) * 1_000
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
