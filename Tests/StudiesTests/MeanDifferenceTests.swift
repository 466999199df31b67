import RunPlans
import Testing

@testable import Studies

@Suite("Interval of a mean difference")
struct MeanDifferenceTests {
  struct Expected: Sendable {
    let mean, deviation, t, p, skewness: Double
    let student, studentised, corrected: (Double, Double)
    let bootstrapP, bias, acceleration: Double
  }

  static let cases: [(name: String, values: [Double], expected: Expected)] = [
    (
      "eight", CheckData.eight,
      Expected(
        mean: 3.375, deviation: 3.33541601603, t: 2.861994276, p: 0.02426826248,
        skewness: -0.12771655, student: (0.5865224283, 6.163477572),
        studentised: (0.4778095377, 6.214764364), corrected: (1.125, 5.5), bootstrapP: 0.0328,
        bias: -0.02168620271, acceleration: -0.007525769807)
    ),
    (
      "range", CheckData.range,
      Expected(
        mean: 1.88333333333, deviation: 1.85513211161, t: 3.516761961, p: 0.004825856862,
        skewness: 0.26610776, student: (0.7046386236, 3.062028043),
        studentised: (0.7508275403, 3.164521326), corrected: (0.9333333333, 2.975),
        bootstrapP: 0.003, bias: 0.01278543103, acceleration: 0.01280311534)
    ),
    (
      "low", CheckData.low,
      Expected(
        mean: -0.25, deviation: 0.470721730291, t: -2.375148451, p: 0.02822442907,
        skewness: -1.9538614, student: (-0.4703045512, -0.02969544881),
        studentised: (-0.6846552746, -0.07976920305), corrected: (-0.54, -0.105),
        bootstrapP: 0.0026, bias: -0.08407940469, acceleration: -0.0728161146)
    ),
  ]

  @Test("Every interval and p is that of the independent programs", arguments: cases.indices)
  func agrees(index: Int) throws {
    let (name, values, expected) = Self.cases[index]
    let differences = try #require(PairedDifferences(values))
    #expect(agree(differences.mean, expected.mean), "\(name)")
    #expect(agree(differences.standardDeviation, expected.deviation))
    #expect(agree(differences.skewness, expected.skewness, 1e-7))
    let t = try #require(differences.studentT())
    #expect(agree(t, expected.t))
    let law = StudentLaw(degreesOfFreedom: Double(values.count - 1))
    #expect(agree(law.twoSidedP(t), expected.p))
    let student = try #require(differences.studentInterval(confidence: 95))
    #expect(agree(student.lower, expected.student.0))
    #expect(agree(student.upper, expected.student.1))
    let resampled = ResampledMean(differences)
    let studentised = resampled.studentisedInterval(confidence: 95)
    #expect(agree(studentised.lower, expected.studentised.0))
    #expect(agree(studentised.upper, expected.studentised.1))
    #expect(resampled.studentisedP == expected.bootstrapP)
    let correction = try #require(resampled.correction)
    #expect(agree(correction.bias, expected.bias))
    #expect(agree(correction.acceleration, expected.acceleration))
    let corrected = try #require(resampled.biasCorrectedInterval(confidence: 95))
    #expect(agree(corrected.lower, expected.corrected.0))
    #expect(agree(corrected.upper, expected.corrected.1))
  }

  @Test("So many patients the skew wants")
  func wants() throws {
    let wanted = try Self.cases.map {
      try #require(PairedDifferences($0.values)).countWantedBySkew
    }
    #expect(wanted == [1, 2, 96])
    // Those that lie evenly want none, in any order.
    for values in [[0.1, 0.2, 0.3, 0.4, 0.5], [0.5, 0.1, 0.3, 0.2, 0.4], [1.1, 1.2, 1.3]] {
      #expect(try #require(PairedDifferences(values)).countWantedBySkew == 0)
    }
  }

  @Test("The interval that decides is the wider at each end, and p the greater")
  func isTheWider() throws {
    let resampled = ResampledMean(try #require(PairedDifferences(CheckData.range)))
    let interval = resampled.interval(confidence: 95)
    #expect(agree(interval.lower, 0.7046386236) && agree(interval.upper, 3.164521326))
    #expect(agree(resampled.twoSidedP, 0.004825856862))
  }

  @Test("The interval agrees with its p at every margin")
  func agreesWithItsP() throws {
    let resampled = ResampledMean(try #require(PairedDifferences(CheckData.range)))
    let lower = try #require(resampled.interval(confidence: 95).lower)
    #expect(resampled.oneSidedP(against: lower - 1e-6) <= 0.025)
    #expect(resampled.oneSidedP(against: lower + 1e-6) > 0.025)
  }

  @Test("The sign of the differences turns the interval, and no more")
  func mirrors() throws {
    let differences = try #require(PairedDifferences(CheckData.low))
    let there = ResampledMean(differences)
    let back = ResampledMean(differences.negated)
    #expect(back.interval(confidence: 95) == there.interval(confidence: 95).negated)
    #expect(back.oneSidedP(against: 0.1) == there.oneSidedPBelow(-0.1))
    #expect(back.twoSidedP == there.twoSidedP)
  }

  @Test("Equal differences give a point")
  func pointOfEqualDifferences() throws {
    let zero = ResampledMean(try #require(PairedDifferences([0, 0, 0, 0, 0])))
    #expect(zero.isExact)
    #expect(zero.interval(confidence: 95) == IntervalOfMean(lower: 0, upper: 0))
    #expect(zero.twoSidedP == 1)
    #expect(zero.biasCorrectedInterval(confidence: 95) == nil)
    let two = ResampledMean(try #require(PairedDifferences([2, 2, 2])))
    #expect(two.interval(confidence: 99) == IntervalOfMean(lower: 2, upper: 2))
    #expect(PairedDifferences([]) == nil)
  }

  @Test("One patient alone gives no interval, and meets no goal")
  func onePatient() throws {
    let one = ResampledMean(try #require(PairedDifferences([-4.1])))
    #expect(one.interval(confidence: 95) == IntervalOfMean(lower: nil, upper: nil))
    #expect(one.studentisedInterval(confidence: 95) == one.interval(confidence: 95))
    #expect(one.twoSidedP == 1 && one.studentisedP == 1)
    #expect(one.oneSidedP(against: -10) == 1 && one.oneSidedPBelow(0) == 1)
    #expect(!GoalTest(.superior(by: 0), one, better: .lower, confidence: 95).isMet)
  }

  @Test("One difference among twenty leaves an end open, and meets no margin")
  func leavesAnEndOpen() throws {
    var values = Array(repeating: 0.0, count: 20)
    values[7] = 3
    let resampled = ResampledMean(try #require(PairedDifferences(values)))
    let interval = resampled.interval(confidence: 95)
    #expect(interval.upper == nil)
    let test = GoalTest(
      .noninferior(margin: 1_000), resampled, better: .lower, confidence: 95)
    #expect(!test.isMet)
  }

  @Test("Nine of ten who differ by the same leave an end open in every unit")
  func leavesAnEndOpenInEveryUnit() throws {
    for amount in [1, 1.0 / 3, 876_600.0 / 7] {
      let values = Array(repeating: amount, count: 9) + [0]
      for strata in [nil, ["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"]] {
        let resampled = ResampledMean(try #require(PairedDifferences(values, strata: strata)))
        // Of all resamples 0.9¹⁰, 35 %, hold none of the tenth patient; of b alone 0.8⁵, 33 %.
        #expect(resampled.studentisedInterval(confidence: 95).lower == nil, "\(amount)")
      }
    }
  }

  @Test(
    "Resamples with the mean itself are found in every unit",
    arguments: [1.0 / 3, 100.0 / 865, 36_525.0 / 7, 876_600.0 / 7])
  func biasInEveryUnit(factor: Double) throws {
    let whole = ResampledMean(try #require(PairedDifferences(CheckData.eight)))
    let other = ResampledMean(
      try #require(PairedDifferences(CheckData.eight.map { $0 * factor })))
    #expect(other.correction?.bias == whole.correction?.bias)
  }

  @Test("Differences that round alike are alike")
  func rounds() throws {
    let differences = try #require(PairedDifferences([71.1 - 70.4, 81.2 - 80.5]))
    #expect(differences.values[0] == differences.values[1])
    #expect(differences.isConstant)
  }

  @Test(
    "Strata of one patient, or without any spread, do not make an interval a point",
    arguments: [
      ["a", "b", "c", "d", "e", "f", "g", "h"], ["a", "a", "a", "b", "b", "b", "b", "c"],
      ["a", "a", "a", "a", "b", "b", "b", "b"],
    ])
  func drawsFromAll(strata: [String]) throws {
    let values: [Double] = strata.last == "b" ? [1, 1, 1, 1, 3, 3, 3, 3] : CheckData.eight
    let plain = try #require(PairedDifferences(values))
    let grouped = try #require(PairedDifferences(values, strata: strata))
    #expect(grouped.hasUnusableStrata && !plain.hasUnusableStrata)
    #expect(grouped.standardError == plain.standardError)
    let interval = ResampledMean(grouped).interval(confidence: 95)
    #expect(interval == ResampledMean(plain).interval(confidence: 95))
    #expect(interval.lower != interval.upper)
  }

  @Test("Drawing within strata leaves the difference between them out of the interval")
  func drawsWithinStrata() throws {
    let values: [Double] = [0, 0.1, 0.2, 0.1, 5, 5.1, 5.2, 5.1]
    let strata = ["a", "a", "a", "a", "b", "b", "b", "b"]
    let plain = try #require(PairedDifferences(values))
    let grouped = try #require(PairedDifferences(values, strata: strata))
    // Both groups have a variance of 0.02 / 3, so the stratified error is sqrt(0.02 / 3 / 8).
    #expect(agree(grouped.standardError, (0.02 / 3 / 8).squareRoot()))
    let narrow = ResampledMean(grouped).interval(confidence: 95)
    let wide = ResampledMean(plain).interval(confidence: 95)
    let width = try #require(narrow.upper) - #require(narrow.lower)
    let plainWidth = try #require(wide.upper) - #require(wide.lower)
    #expect(width < plainWidth / 10)
  }

  /// Three strata of two: each lies 1 from its mean, so that s² is 2 in each, the stratified error
  /// is sqrt(3 · 2 · 2) / 6, and three degrees of freedom are left (R: qt(0.975, 3)).
  @Test("Each stratum takes a degree of freedom from Student's t")
  func freedomWithinStrata() throws {
    let differences = try #require(
      PairedDifferences([9, 11, 19, 21, 29, 31], strata: ["a", "a", "b", "b", "c", "c"]))
    let error: Double = 12.0.squareRoot() / 6
    let half: Double = 3.182446305 * error
    let interval = try #require(differences.studentInterval(confidence: 95))
    #expect(agree(interval.lower, 20 - half, 1e-8))
    #expect(agree(interval.upper, 20 + half, 1e-8))
    let told = ResampledMean(differences).interval(confidence: 95)
    let (lower, upper) = (told.lower ?? -Double.infinity, told.upper ?? Double.infinity)
    #expect(lower < 20.001 - half)
    #expect(upper > 19.999 + half)
    // Without strata five are left (qt(0.975, 5)), and s² is 406 / 5.
    let plain = try #require(PairedDifferences([9, 11, 19, 21, 29, 31]))
    let wide = try #require(plain.studentInterval(confidence: 95))
    let plainError = (406.0 / 30).squareRoot()
    #expect(agree(wide.lower, 20 - 2.570581836 * plainError, 1e-7))
  }

  @Test("Parts of the variance are those of the mixed model")
  func variances() throws {
    let parts = try #require(
      VarianceParts([
        [0.2, -0.1, 0.4, 0], [1.1, 0.8, 1.5, 0.9], [-0.3, -0.2, 0.1, -0.6],
        [0.5, 0.7, 0.2, 0.4], [0, 0.3, -0.1, 0.1],
      ]))
    #expect(agree(parts.mean, 0.295))
    #expect(agree(parts.totalError, 0.2243602015, 1e-9))
    #expect(agree(parts.chanceError, 0.05484827557, 1e-9))
    #expect(agree(parts.withinPatients, 0.06016666667, 1e-9))
    #expect(agree(parts.betweenPatients, 0.2366458333, 1e-9))
    let means = [0.125, 1.075, -0.25, 0.45, 0.075]
    let interval = try #require(PairedDifferences(means)?.studentInterval(confidence: 95))
    #expect(agree(interval.lower, -0.3279237831, 1e-9))
    #expect(agree(interval.upper, 0.9179237831, 1e-9))
    #expect(VarianceParts([[1], [2]])?.chanceError == nil)
    // Each patient's replicates have a variance of 2 and a mean of 1: less than chance makes of it.
    let alike = try #require(VarianceParts([[0, 2], [2, 0], [0, 2]]))
    #expect(alike.totalError == 0)
    #expect(agree(alike.withinPatients, 2))
    #expect(alike.betweenPatients == nil)
  }

  @Test("Slopes over the doses are compared over patients")
  func slopes() throws {
    let rows: [[Double]] = [
      [3.1, 2.4, 2.0, 1.9, 1.2], [5.0, 4.1, 3.9, 3.0, 2.2], [1.0, 1.1, 0.6, 0.4, 0.5],
      [2.2, 2.5, 1.9, 1.1, 1.3], [7.9, 6.1, 5.5, 4.0, 3.1], [0.9, 0.4, 0.5, 0.2, 0.1],
    ]
    let points = [-1, -0.5, 0, 0.5, 1].map { [$0] }
    let slopes = try rows.map { row in
      try #require(DoseSlopes.coefficients(row, at: points))[1]
    }
    for (slope, expected) in zip(slopes, [-0.86, -1.34, -0.34, -0.64, -2.34, -0.36]) {
      #expect(agree(slope, expected, 1e-9))
    }
    let differences = try #require(PairedDifferences(slopes))
    #expect(agree(differences.mean, -0.98, 1e-9))
    #expect(agree(differences.standardError, 0.3110841258, 1e-9))
    let interval = try #require(differences.studentInterval(confidence: 95))
    #expect(agree(interval.lower, -1.779667203, 1e-9))
    #expect(agree(interval.upper, -0.1803327968))
    let t = try #require(differences.studentT())
    #expect(agree(StudentLaw(degreesOfFreedom: 5).twoSidedP(t), 0.02537114, 1e-6))
  }

  @Test("Two axes give two slopes and their product")
  func productOfAxes() throws {
    let axis: [Double] = [-1, 0, 1]
    var points: [[Double]] = []
    for x in axis { for y in axis { points.append([x, y]) } }
    let values: [Double] = points.map { point in
      let linear = 4 + 2 * point[0] - 3 * point[1]
      return linear + point[0] * point[1] / 2
    }
    let found = try #require(DoseSlopes.coefficients(values, at: points))
    for (value, expected) in zip(found, [4, 2, -3, 0.5]) { #expect(agree(value, expected)) }
    #expect(DoseSlopes.coefficients([1, 2], at: [[1], [1]]) == nil)
    // Three points say nothing of four coefficients, whatever is lost in rounding.
    for (x, y) in [(12.7, 110.1), (7.3, 33.3), (3.3, 71.7), (1, 1)] {
      let four = [[0, 0], [0, y], [x, 0], [x, y]]
      for missing in 0..<4 {
        let some = (0..<4).map { $0 == missing ? nil : Double(110 + 7 * $0) }
        #expect(DoseSlopes.coefficients(some, at: four) == nil, "\(x), \(y) without \(missing)")
      }
    }
    // Doses as small as these do.
    let small = try #require(DoseSlopes.coefficients([1, 3], at: [[0], [1e-8]]))
    #expect((small[1] / 2e8 - 1).magnitude < 1e-9)
  }
}
