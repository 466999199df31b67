internal import Outcomes

/// The differences of a metric between two treatments of the same patients, one for each patient.
///
/// Every difference is rounded to 10⁻⁹ of the unit before it is compared, ranked or counted:
/// 71.1 − 70.4 and 81.2 − 80.5 are then the same difference. Rates can be of a million for each
/// event, where numbers do not go so far: they are rounded to thirteen digits.
public struct PairedDifferences: Hashable, Sendable {
  /// The differences, in the order of the patients.
  public let values: [Double]
  /// The number of the stratum of each patient, from 0 in the order of first appearance; `nil`
  /// without strata, and where they cannot be drawn from.
  let strata: [Int]?
  /// Whether strata were given that say nothing of chance.
  ///
  /// One of them holds a single patient, or the patients of each do not differ. Patients are then
  /// drawn from all of them.
  public let hasUnusableStrata: Bool
  /// The mean difference.
  public let mean: Double
  /// The sample standard deviation; `nil` below two patients.
  public let standardDeviation: Double?

  /// Creates the differences; `nil` without any.
  ///
  /// - Parameters:
  ///   - values: Treatment minus control, one for each patient, finite.
  ///   - strata: The group of each patient, within which resamples are drawn.
  public init?(_ values: [Double], strata: [String]? = nil) {
    let values = values.map(Self.rounded)
    guard let mean = Statistics.mean(values) else { return nil }
    self.values = values
    let numbers = strata.flatMap { $0.count == values.count ? Self.numbered($0) : nil }
    self.strata = numbers.flatMap { Self.canBeDrawn(values, within: $0) ? $0 : nil }
    hasUnusableStrata = numbers != nil && self.strata == nil
    self.mean = mean
    standardDeviation = Statistics.standardDeviation(values)
  }

  /// Whether strata say how far chance reaches.
  ///
  /// A stratum of one patient is drawn as it is: where there are only such the interval would be a
  /// point, whatever the differences.
  private static func canBeDrawn(_ values: [Double], within strata: [Int]) -> Bool {
    var counts: [Int: Int] = [:]
    for stratum in strata { counts[stratum, default: 0] += 1 }
    guard counts.values.allSatisfy({ $0 > 1 }) else { return false }
    return values.allSatisfy { $0 == values[0] } || stratifiedDeviation(values, strata) > 0
  }

  /// A value to 10⁻⁹ of its unit, or to thirteen digits where these end before; zero has no sign.
  public static func rounded(_ value: Double) -> Double {
    let steps = steps(for: value.magnitude)
    return (value * steps).rounded() / steps + 0
  }

  /// How many steps of rounding the unit has where values are as large.
  private static func steps(for magnitude: Double) -> Double {
    var steps = 1e9
    while steps > 1, magnitude * steps > 1e13 { steps /= 10 }
    return steps
  }

  /// By how much two means of as many of these values, or of their negatives, may differ that would
  /// be the same without rounding: three times 0.333333333 are not 1.
  static func tolerance(_ values: [Double]) -> Double {
    1 / steps(for: values.reduce(0) { max($0, $1.magnitude) })
  }

  /// The number of patients.
  public var count: Int { values.count }

  /// Whether all patients have the same difference.
  public var isConstant: Bool { values.allSatisfy { $0 == values[0] } }

  /// The same differences with the sign turned.
  public var negated: Self { Self(values.map { -$0 }, strata: strata, of: self) }

  private init(_ values: [Double], strata: [Int]?, of other: Self) {
    self.values = values
    self.strata = strata
    hasUnusableStrata = other.hasUnusableStrata
    mean = -other.mean
    standardDeviation = other.standardDeviation
  }

  /// The standard error of the mean, that of the stratified mean where there are strata.
  public var standardError: Double? {
    guard let standardDeviation else { return nil }
    let root = Double(count).squareRoot()
    return (strata == nil ? standardDeviation : Self.stratifiedDeviation(values, strata)) / root
  }

  /// The third central moment by the second to the power of 1½, both with n below; 0 without
  /// spread.
  public var skewness: Double {
    let n = Double(count)
    let second = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / n
    let third = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) } / n
    return second > 0 ? third / (second * second.squareRoot()) : 0
  }

  /// How many patients an interval of the mean should have at this skew: 25 times its square.
  ///
  /// The rule is that of W. G. Cochran, *Sampling Techniques*, 1977.
  public var countWantedBySkew: Int {
    // None where they lie evenly, whatever is lost in the sum.
    Int(Self.rounded(25 * skewness * skewness).rounded(.up))
  }

  /// The degrees of freedom of the standard error: each stratum has a mean of its own, about which
  /// its patients lie.
  var degreesOfFreedom: Double { Double(count - 1 - (strata?.max() ?? 0)) }

  /// The interval by Student's t; `nil` below two patients.
  public func studentInterval(confidence: Double) -> IntervalOfMean? {
    guard let standardError, count > 1 else { return nil }
    let quantile = StudentLaw(degreesOfFreedom: degreesOfFreedom)
      .quantile(1 - (100 - confidence) / 200)
    return IntervalOfMean(
      lower: mean - quantile * standardError, upper: mean + quantile * standardError)
  }

  /// Student's t for the hypothesis that the mean is `value`; `nil` without spread.
  public func studentT(against value: Double = 0) -> Double? {
    guard let standardError, standardError > 0 else { return nil }
    return (mean - value) / standardError
  }

  /// The number of each text in the order of first appearance.
  private static func numbered(_ texts: [String]) -> [Int] {
    var numbers: [String: Int] = [:]
    return texts.map { text in
      let number = numbers[text] ?? numbers.count
      numbers[text] = number
      return number
    }
  }

  /// The square root of Σ nₕ sₕ² / n: the deviation that the stratified mean goes by.
  static func stratifiedDeviation(_ values: [Double], _ strata: [Int]?) -> Double {
    assert(strata.map { $0.count == values.count } ?? true, "Each value has a stratum.")
    guard let strata, let last = strata.max() else { return 0 }
    var total = 0.0
    for stratum in 0...last {
      let own = zip(values, strata).filter { $0.1 == stratum }.map(\.0)
      if let deviation = Statistics.standardDeviation(own) {
        total += Double(own.count) * deviation * deviation
      }
    }
    return (total / Double(values.count)).squareRoot()
  }
}

/// An interval of a mean; an end that is `nil` lies beyond every number.
public struct IntervalOfMean: Hashable, Sendable {
  /// The lower end.
  public var lower: Double?
  /// The upper end.
  public var upper: Double?

  /// Creates a `IntervalOfMean` from its parts; see the properties.
  public init(lower: Double?, upper: Double?) {
    self.lower = lower
    self.upper = upper
  }

  /// The narrowest interval that contains this one and another.
  func hull(_ other: Self) -> Self {
    func end(_ one: Double?, _ two: Double?, _ wider: (Double, Double) -> Double) -> Double? {
      guard let one, let two else { return nil }
      return wider(one, two)
    }
    return Self(lower: end(lower, other.lower, min), upper: end(upper, other.upper, max))
  }

  /// On which side of no difference it lies as a whole: 1 above, -1 below, 0 on neither.
  var side: Int {
    if let lower, lower > 0 { return 1 }
    if let upper, upper < 0 { return -1 }
    return 0
  }

  /// The interval of the same values with the sign turned.
  public var negated: Self { Self(lower: upper.map { -$0 }, upper: lower.map { -$0 }) }
}
