public import Quantities
internal import WorkCounting

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
    if basal.count == 1 {
      var onBoard = InsulinOnBoardAtOneRate(
        against: basal[0], at: instant, near: doses.first?.startDate ?? basal[0].startDate)
      onBoard.add(doses)
      return onBoard.units
    }
    let precomputed = try PrecomputedInsulin.annotate(doses: doses, basal: basal)
    return Dosing.insulinOnBoard(
      precomputed.elements, at: precomputed.axis.seconds(instant))
  }
}

/// Net insulin on board where one scheduled rate holds throughout, dose by dose.
///
/// Each dose is one element then, and none has to be kept.
public struct InsulinOnBoardAtOneRate: Sendable {
  private let instant: Instant
  private let axis: TimeAxis
  private let entry: AlgorithmInput.ScheduleEntry
  private var sum: InsulinOnBoardSum
  /// What the schedule gives in some whole steps, in U.
  private var scheduled: InlineArray<13, Double>
  /// Whether the instant lies on a whole second.
  private let isWhole: Bool

  /// Begins with no doses.
  ///
  /// - Parameters:
  ///   - rate: The scheduled rate, in U/h, and from when to when it holds.
  ///   - instant: When the insulin is on board.
  ///   - origin: An instant near which the doses begin.
  public init(
    against rate: AlgorithmInput.ScheduleEntry, at instant: Instant, near origin: Instant
  ) {
    self.instant = instant
    axis = TimeAxis(near: origin)
    entry = rate
    sum = InsulinOnBoardSum(at: axis.seconds(instant))
    scheduled = .init { rate.value * (Double($0) * TimeAxis.step / 60 / 60) }
    isWhole = instant.millisecondsSince1970 % 1_000 == 0
    assert(scheduled.count == OnBoardTable.longest + 1, "There is a figure for each duration.")
  }

  /// What is on board of the doses so far, in U.
  public var units: Double { sum.units }

  /// Adds a dose; one that starts later counts nothing.
  public mutating func add(_ dose: AlgorithmInput.InsulinDose) { put(dose) }

  /// Adds doses; those of which exactly nothing is left are passed over.
  public mutating func add(_ doses: [AlgorithmInput.InsulinDose]) {
    // In a loop, since a lazy sequence takes twice as long in every cycle.
    let span = doses.span
    Work.visit(rows: span.count)
    for index in span.indices where !span[index].isSpent(at: instant) { put(span[index]) }
  }

  @inline(__always)
  private mutating func put(_ dose: AlgorithmInput.InsulinDose) {
    // Whole seconds are exact on the axis, so that whole numbers find the place in the table.
    let age = instant.millisecondsSince1970 &- dose.startDate.millisecondsSince1970
    let lasted = dose.endDate.millisecondsSince1970 &- dose.startDate.millisecondsSince1970
    let step = TimeAxis.stepMilliseconds
    guard isWhole, age >= 0, age < step * Int64(TimeAxis.maximumSteps), age % step == 0,
      lasted >= 0, lasted <= step * Int64(OnBoardTable.longest), lasted % step == 0
    else { return putOffGrid(dose) }
    let count = Int(lasted / step)
    var units = dose.volume
    if dose.type == .basal {
      guard entry.endDate >= dose.startDate, entry.startDate <= dose.endDate else { return }
      units = count > 0 ? units - scheduled[count] : 0
    }
    sum.add(units, of: dose.insulinModel, atStep: Int(age / step), of: count)
  }

  /// Adds a dose that does not last whole steps, or begins between them.
  @inline(never)
  private mutating func putOffGrid(_ dose: AlgorithmInput.InsulinDose) {
    let rate = ScheduleSpan(
      start: axis.seconds(entry.startDate), end: axis.seconds(entry.endDate), value: entry.value)
    let element = element(
      type: dose.type, start: axis.seconds(dose.startDate), end: axis.seconds(dose.endDate),
      volume: dose.volume, model: dose.insulinModel, rate: rate)
    if let element { sum.add(element) }
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
    let step = TimeAxis.stepMilliseconds
    guard lasted > step else { return lasted >= 0 }
    return lasted <= step * Int64(OnBoardTable.longest) && lasted % step == 0
      && startDate.millisecondsSince1970 % 1_000 == 0
  }

  /// The time after which no insulin acts, and the delay that a long dose is counted ahead, in
  /// milliseconds.
  private static let spentAfter = Int64(InsulinModel.longestEffectDuration + 600) * 1_000
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
