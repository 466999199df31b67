public import RunPlans

extension Goal {
  /// Whether an interval of the mean benefit, in the direction that is good, meets the goal.
  ///
  /// An end that is missing meets nothing.
  public func isMet(by benefit: IntervalOfMean) -> Bool {
    switch self {
    case .superior(let by): benefit.lower.map { $0 > by } ?? false
    case .noninferior(let margin): benefit.lower.map { $0 > -margin } ?? false
    case .equivalent(let margin):
      (benefit.lower.map { $0 > -margin } ?? false) && (benefit.upper.map { $0 < margin } ?? false)
    }
  }
}

/// What came of a goal.
public enum GoalVerdict: String, CaseIterable, Hashable, Sendable {
  /// The interval lies where the goal asks.
  case met
  /// The interval does not lie there.
  case notMet = "not met"
  /// The interval lies wholly on the worse side of zero.
  case worse
  /// The data cannot say.
  case notEstimable = "not estimable"
  /// An earlier goal of the sequence was not met.
  case notTested = "not tested"
}

/// A goal that was looked at by itself.
public struct GoalTest: Hashable, Sendable {
  /// The goal.
  public let goal: Goal
  /// Whether it was met, taken alone.
  public let isMet: Bool
  /// The probability of as good a result if the goal were just not true: two-sided for superiority
  /// by nothing, else one-sided.
  public let p: Double
  /// Whether the interval lies wholly on the worse side of zero.
  public let isWorse: Bool
  /// Whether it lies wholly beyond the margin on the worse side.
  public let isWorseByMargin: Bool

  /// Looks at the differences, treatment less control, at a confidence in percent.
  public init(
    _ goal: Goal, _ differences: ResampledMean, better: BetterDirection, confidence: Double
  ) {
    self.goal = goal
    assert((0..<100).contains(confidence), "A confidence lies between 0 and 100 percent.")
    let isTurned = better == .lower
    let interval = differences.interval(confidence: confidence)
    let benefit = isTurned ? interval.negated : interval
    isMet = goal.isMet(by: benefit)
    isWorse = benefit.upper.map { $0 < 0 } ?? false
    isWorseByMargin = benefit.upper.map { $0 < -goal.margin } ?? false
    func above(_ value: Double) -> Double {
      isTurned
        ? differences.oneSidedPBelow(-value) : differences.oneSidedP(against: value)
    }
    func below(_ value: Double) -> Double {
      isTurned
        ? differences.oneSidedP(against: -value) : differences.oneSidedPBelow(value)
    }
    p =
      switch goal {
      case .superior(let by): by == 0 ? differences.twoSidedP : above(by)
      case .noninferior(let margin): above(-margin)
      case .equivalent(let margin): max(above(-margin), below(margin))
      }
  }

  /// The test by which a goal is judged that must be met in others too: of all the least
  /// convincing, with its p; where it is not met by itself, this one.
  func held(against others: [Self]) -> Self {
    guard isMet else { return self }
    return others.reduce(self) { least, other in
      guard least.isMet == other.isMet else { return least.isMet ? other : least }
      return other.p > least.p ? other : least
    }
  }
}

extension Multiplicity {
  /// The confidence of each of several arms against one control (Bonferroni), in percent.
  public static func confidence(_ confidence: Double, arms: Int) -> Double {
    100 - (100 - confidence) / Double(max(1, arms))
  }

  /// The verdicts of goals in their order, tested at a confidence in percent.
  ///
  /// `nil` stands for a goal that cannot be estimated.
  public func verdicts(
    primary: [GoalTest?], secondary: [GoalTest?], confidence: Double
  ) -> (primary: [GoalVerdict], secondary: [GoalVerdict]) {
    var isOpen = true
    func inSequence(_ tests: [GoalTest?]) -> [GoalVerdict] {
      tests.map { test in
        guard isOpen else { return .notTested }
        guard let test, test.isMet else {
          isOpen = false
          return Self.unmet(test)
        }
        return .met
      }
    }
    let first = inSequence(primary)
    guard self == .holm else { return (first, inSequence(secondary)) }
    guard isOpen else { return (first, secondary.map { _ in .notTested }) }
    return (first, Self.holm(secondary, confidence: confidence))
  }

  /// The p of goals by Holm's method, all two-sided; those that cannot be estimated count as 1.
  static func holmP(_ tests: [GoalTest?]) -> [Double] {
    // All on one scale: a one-sided p counts twice, as the two-sided level does.
    holmAdjusted(
      tests.map { test in
        test.map { $0.goal == .superior(by: 0) ? $0.p : min(1, 2 * $0.p) } ?? 1
      })
  }

  private static func holm(_ tests: [GoalTest?], confidence: Double) -> [GoalVerdict] {
    assert((0..<100).contains(confidence), "A confidence lies between 0 and 100 percent.")
    let alpha = (100 - confidence) / 100
    return zip(tests, holmP(tests)).map { test, p in
      guard let test, test.isMet, p <= alpha else { return unmet(test) }
      return .met
    }
  }

  private static func unmet(_ test: GoalTest?) -> GoalVerdict {
    guard let test else { return .notEstimable }
    return test.isWorse ? .worse : .notMet
  }
}

/// Adjusts the p values of several tests by Holm's method, in the order given.
///
/// The method is that of Holm (Scand J Stat 6:65, 1979).
public func holmAdjusted(_ values: [Double]) -> [Double] {
  let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
  var adjusted = values
  var greatest = 0.0
  for (rank, index) in order.enumerated() {
    greatest = max(greatest, min(1, values[index] * Double(values.count - rank)))
    adjusted[index] = greatest
  }
  return adjusted
}
