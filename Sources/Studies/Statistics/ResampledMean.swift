internal import Determinism
internal import Outcomes

/// The mean of paired differences with its studentised bootstrap, and what is decided by it.
///
/// Patients are drawn with replacement, within their stratum where there are strata, and each
/// resample gives t* = (mean* − mean) / (s* / √n) (Hall, Ann Stat 16:927, 1988). Unlike
/// Student's interval this one follows the skew of differences of which most are zero. The
/// generator is SplitMix64 with seed 1, started anew for each set of differences, so that other
/// programs can repeat it.
///
/// Decisions are read off the wider of this interval and Student's, end by end, and off the greater
/// of both p. Each errs on the unsafe side where the other does not: with 20 patients and a level
/// of 5 % the bootstrap rejects a true mean in 11 % of studies where half of the differences are
/// zero and the rest lie symmetrically with long tails (Student: 4 %), and Student in 23 % where
/// four of five are zero and the rest are log-normal (the bootstrap: 2 %).
public struct ResampledMean: Sendable {
  /// How many resamples are drawn.
  public static let resamples = 9_999
  /// The most patients for whom resamples are drawn; above, Student's law is the same.
  public static let maximumPatients = 10_000

  /// The differences.
  public let differences: PairedDifferences
  /// The studentised means in ascending order; empty where all differences are equal.
  private let studentised: [Double]
  /// The means in ascending order.
  private let means: [Double]
  private let standardError: Double
  /// Whether there are so many patients that Student's law stands in for resamples.
  public let usesStudent: Bool

  /// Draws the resamples.
  ///
  /// - Parameters:
  ///   - differences: The differences of the patients.
  ///   - resamples: How many resamples, at least 1.
  ///   - seed: The state from which the generator starts.
  public init(
    _ differences: PairedDifferences, resamples: Int = Self.resamples, seed: UInt64 = 1
  ) {
    self.differences = differences
    standardError = differences.standardError ?? 0
    usesStudent = differences.count > Self.maximumPatients
    guard !differences.isConstant, standardError > 0, !usesStudent else {
      studentised = []
      means = []
      return
    }
    assert(differences.count > 1, "Differences that are not constant are two or more.")
    var stream = RandomStream(state: seed)
    var drawing = Drawing(differences)
    var studentised: [Double] = []
    var means: [Double] = []
    studentised.reserveCapacity(resamples)
    means.reserveCapacity(resamples)
    let tolerance = PairedDifferences.tolerance(differences.values)
    for _ in 0..<max(1, resamples) {
      let (mean, deviation) = drawing.next(from: &stream)
      let distance = mean - differences.mean
      means.append(mean)
      if deviation == 0 {
        let isThere = distance.magnitude <= tolerance
        studentised.append(isThere ? 0 : distance < 0 ? -.infinity : .infinity)
      } else {
        studentised.append(distance / (deviation / drawing.rootOfCount))
      }
    }
    self.studentised = studentised.sorted()
    self.means = means.sorted()
  }

  private var law: StudentLaw { StudentLaw(degreesOfFreedom: differences.degreesOfFreedom) }

  /// Whether all differences are equal, so that the interval is that point.
  public var isExact: Bool { studentised.isEmpty && !usesStudent || standardError == 0 }

  /// Whether there is one difference alone, which says nothing of how far others lie from it.
  private var isAlone: Bool { differences.count < 2 }

  /// The interval that decides: the wider, end by end, of ``studentisedInterval(confidence:)`` and
  /// Student's.
  ///
  /// - Parameter confidence: In percent.
  /// - Returns: The interval; an end that no resample bounds is `nil`.
  public func interval(confidence: Double) -> IntervalOfMean {
    let studentised = studentisedInterval(confidence: confidence)
    guard !isExact, let student = differences.studentInterval(confidence: confidence) else {
      return studentised
    }
    return studentised.hull(student)
  }

  /// The studentised interval; an end that no resample bounds is `nil`, as both are of one patient.
  public func studentisedInterval(confidence: Double) -> IntervalOfMean {
    guard !isExact else {
      let mean = isAlone ? nil : differences.mean
      return IntervalOfMean(lower: mean, upper: mean)
    }
    if usesStudent, let interval = differences.studentInterval(confidence: confidence) {
      return interval
    }
    let share = (100 - confidence) / 200
    assert((0..<100).contains(confidence), "A confidence lies between 0 and 100 percent.")
    let total = studentised.count + 1
    // Without the last bits, so that 10 % of 10,000 are a thousand.
    let place = Int((Double(total) * share + 1e-9).rounded(.down))
    guard place >= 1 else { return IntervalOfMean(lower: nil, upper: nil) }
    func end(_ t: Double) -> Double? {
      let end = differences.mean - t * standardError
      return end.isFinite ? end : nil
    }
    return IntervalOfMean(
      lower: end(studentised[total - place - 1]), upper: end(studentised[place - 1]))
  }

  /// The one-sided p of the hypothesis that the mean is at most `value`.
  ///
  /// It agrees with ``interval(confidence:)``: it is at most α/2 when the interval lies above.
  public func oneSidedP(against value: Double) -> Double {
    guard !isExact else { return differences.mean > value && !isAlone ? 0 : 1 }
    let observed = (differences.mean - value) / standardError
    return max(law.upperTail(observed), share { $0 >= observed })
  }

  /// The one-sided p of the hypothesis that the mean is at least `value`.
  public func oneSidedPBelow(_ value: Double) -> Double {
    guard !isExact else { return differences.mean < value && !isAlone ? 0 : 1 }
    let observed = (differences.mean - value) / standardError
    return max(law.upperTail(-observed), share { $0 <= observed })
  }

  /// The two-sided p of the hypothesis that the mean is zero.
  public var twoSidedP: Double {
    guard !isExact else { return differences.mean == 0 || isAlone ? 1 : 0 }
    return max(law.twoSidedP(differences.mean / standardError), studentisedP)
  }

  /// The two-sided p of the hypothesis that the mean is zero, by the resamples alone.
  public var studentisedP: Double {
    guard !isExact else { return differences.mean == 0 || isAlone ? 1 : 0 }
    let observed = differences.mean / standardError
    if usesStudent { return law.twoSidedP(observed) }
    return min(1, 2 * min(share { $0 >= observed }, share { $0 <= observed }))
  }

  /// The share of the resamples, and of what was observed, that is as far out; 0 without resamples.
  private func share(_ isOut: (Double) -> Bool) -> Double {
    guard !usesStudent else { return 0 }
    return Double(1 + studentised.count(where: isOut)) / Double(studentised.count + 1)
  }

  /// The bias-corrected and accelerated interval (Efron, JASA 82:171, 1987) of the same
  /// resamples; `nil` where it does not exist.
  public func biasCorrectedInterval(confidence: Double) -> IntervalOfMean? {
    guard let correction else { return nil }
    func end(_ share: Double) -> Double? {
      let z = correction.bias + NormalLaw.quantile(share)
      let place = NormalLaw.lowerTail(correction.bias + z / (1 - correction.acceleration * z))
      return Statistics.quantile(sorted: means, place)
    }
    let share = (100 - confidence) / 200
    guard let lower = end(share), let upper = end(1 - share) else { return nil }
    return IntervalOfMean(lower: lower, upper: upper)
  }

  /// The bias z₀ and the acceleration a of that interval.
  var correction: (bias: Double, acceleration: Double)? {
    guard !isExact else { return nil }
    let mean = differences.mean
    let tolerance = PairedDifferences.tolerance(differences.values)
    let below = means.count { $0 - mean < -tolerance }
    let notAbove = means.count { $0 - mean <= tolerance }
    let bias = NormalLaw.quantile(Double(below + notAbove) / Double(2 * means.count))
    guard bias.isFinite else { return nil }
    let distances = differences.values.map { $0 - mean }
    let squares = distances.reduce(0) { $0 + $1 * $1 }
    let cubes = distances.reduce(0) { $0 + $1 * $1 * $1 }
    return (bias, cubes / (6 * squares * squares.squareRoot()))
  }
}

/// Draws resamples of differences, one after the other.
private struct Drawing {
  let rootOfCount: Double
  private let count: Int
  /// The values of each stratum; one list where there are no strata.
  private let groups: [[Double]]
  private var drawn: [Double]

  init(_ differences: PairedDifferences) {
    count = differences.count
    assert(count > 0, "Something is drawn from.")
    rootOfCount = Double(count).squareRoot()
    if let strata = differences.strata, let last = strata.max() {
      groups = (0...last).map { stratum in
        zip(differences.values, strata).filter { $0.1 == stratum }.map(\.0)
      }
    } else {
      groups = [differences.values]
    }
    drawn = Array(repeating: 0, count: count)
  }

  /// The mean of the next resample, and the deviation that its standard error goes by: 0 where all
  /// of a group are the same, whatever is lost in their sum.
  mutating func next(from stream: inout RandomStream) -> (mean: Double, deviation: Double) {
    var place = 0
    var sum = 0.0
    for group in groups {
      let size = Double(group.count)
      for _ in 0..<group.count {
        let value = group[Int(stream.unit() * size)]
        drawn[place] = value
        sum += value
        place += 1
      }
    }
    assert(place == count, "As many are drawn as there are.")
    let mean = sum / Double(count)
    guard count > 1 else { return (mean, 0) }
    guard groups.count == 1 else { return (mean, deviationWithinStrata) }
    let first = drawn[0]
    guard drawn.contains(where: { $0 != first }) else { return (mean, 0) }
    var squares = 0.0
    for index in 0..<count {
      let distance = drawn[index] - mean
      squares += distance * distance
    }
    return (mean, (squares / Double(count - 1)).squareRoot())
  }

  private var deviationWithinStrata: Double {
    var place = 0
    var total = 0.0
    for group in groups {
      let own = drawn[place..<(place + group.count)]
      place += group.count
      guard let first = own.first, own.contains(where: { $0 != first }) else { continue }
      let mean = own.reduce(0, +) / Double(group.count)
      let squares = own.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      total += Double(group.count) * squares / Double(group.count - 1)
    }
    return (total / Double(count)).squareRoot()
  }
}
