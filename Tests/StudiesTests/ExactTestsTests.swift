import RunPlans
import TestSupport
import Testing

@testable import Studies

@Suite("Ranks, shares, rates and sizes")
struct ExactTestsTests {
  @Test("Signed ranks and their estimate")
  func ranks() throws {
    let eight = SignedRanks(CheckData.eight)
    #expect((eight.positive, eight.negative, eight.p) == (33, 3, 0.0390625))
    // Rounding makes 0.7 the same from 71.1 - 70.4 and 81.2 - 80.5; without it W- is 7.
    let range = SignedRanks(CheckData.range)
    #expect((range.positive, range.negative, range.p) == (71.5, 6.5, 0.00732421875))
    let low = SignedRanks(CheckData.low)
    #expect((low.positive, low.negative, low.p) == (4, 51, 0.015625))
    #expect(SignedRanks([0, 0]).p == 1)
    let estimates: [([Double], Double, Double, Double)] = [
      (CheckData.eight, 3.25, 0.5, 6.5), (CheckData.range, 1.9, 0.6, 3.2),
      (CheckData.low, -0.15, -0.35, 0),
    ]
    for (values, estimate, lower, upper) in estimates {
      let found = try #require(HodgesLehmann(values, confidence: 95))
      #expect((found.estimate - estimate).magnitude < 1e-9)
      #expect((found.interval.lower ?? .nan) - lower < 1e-9)
      #expect(((found.interval.upper ?? .nan) - upper).magnitude < 1e-9)
      #expect(((found.interval.lower ?? .nan) - lower).magnitude < 1e-9)
    }
  }

  @Test("The place of the interval's ends among the averages")
  func places() {
    let counts = [8, 12, 20, 30, 50, 100, 200]
    #expect(
      counts.map { HodgesLehmann.place($0, share: 0.025) } == [4, 14, 53, 138, 435, 1956, 8445])
  }

  /// All values lie on one side of the middle with probability 2 × 0.5ⁿ: 6.25 % of five, 3.1 % of
  /// six.
  @Test("Five differences give no interval of 95 % by ranks, and six give their whole range")
  func fewDifferences() throws {
    for values in [[4.0], [4, 5], [1, 2, 3, 4, 5]] {
      let found = try #require(HodgesLehmann(values, confidence: 95))
      #expect(found.interval == IntervalOfMean(lower: nil, upper: nil))
    }
    let six = try #require(HodgesLehmann([1, 2, 3, 4, 5, 7], confidence: 95))
    #expect(six.interval == IntervalOfMean(lower: 1, upper: 7))
    let five = try #require(HodgesLehmann([1, 2, 3, 4, 5], confidence: 90))
    #expect(five.interval == IntervalOfMean(lower: 1, upper: 5))
  }

  /// The value is SciPy's, with its continuity correction.
  @Test("Above two hundred differences the normal law takes over")
  func normalLaw() {
    let ranks = SignedRanks((1...201).map { Double($0 % 3 == 0 ? -$0 : $0) })
    #expect(ranks.negative == 6_834)
    #expect(agree(ranks.p, 5.919378624820904e-05))
  }

  @Test("Sign flips: all of them, or 9,999 by chance")
  func flips() {
    #expect(SignFlips.p(CheckData.eight) == 0.0390625)
    #expect(SignFlips.p(CheckData.range) == 0.005859375)
    #expect(SignFlips.p(CheckData.low) == 0.015625)
    #expect(SignFlips.p([0, 0, 0]) == 1)
    let many = Array(repeating: 1.0, count: 30)
    #expect(SignFlips.p(many) == 1e-4)
  }

  /// Readings of 865 by which the time in range of eight patients differs: of all 256 exchanges of
  /// signs 184 have a sum of 29 or more, or of -29 or less.
  @Test(
    "Sums that are the same are so in every unit",
    arguments: [1, 1.0 / 3, 100.0 / 865, 36_525.0 / 7, 876_600.0 / 7])
  func flipsInEveryUnit(factor: Double) {
    let readings: [Double] = [1, -42, -5, -1, -1, 3, 1, 15]
    let values = readings.map { PairedDifferences.rounded($0 * factor) }
    #expect(SignFlips.p(values) == 184.0 / 256)
    #expect(SignedRanks(values).p == SignedRanks(readings).p)
  }

  @Test(
    "Exact intervals of shares",
    arguments: [
      (0, 100, 0, 0.0362166926), (1, 100, 0.000253146, 0.0544593854),
      (3, 30, 0.0211171370, 0.2652884505), (4, 30, 0.0375534963, 0.3072183503),
    ])
  func shares(count: Int, total: Int, lower: Double, upper: Double) throws {
    let interval = try #require(ShareOfPatients(count, of: total)).interval(confidence: 95)
    #expect((interval.lowerBound - lower).magnitude < 1e-9)
    #expect(agree(interval.upperBound, upper, 1e-8))
    let all = try #require(ShareOfPatients(total - count, of: total)).interval(confidence: 95)
    #expect((all.lowerBound - (1 - interval.upperBound)).magnitude < 1e-12)
    #expect(ShareOfPatients(3, of: 2) == nil)
  }

  @Test("Patients who changed sides")
  func changes() {
    #expect(agree(ChangedPatients(newly: 9, spared: 2).p, 0.0654296875, 1e-12))
    #expect(agree(ChangedPatients(newly: 5, spared: 0).p, 0.0625, 1e-12))
    #expect(agree(ChangedPatients(newly: 0, spared: 4).p, 0.125, 1e-12))
    #expect(ChangedPatients(newly: 0, spared: 0).p == 1)
  }

  @Test("Ranks between which a quantile lies")
  func quantiles() {
    func ranks(_ count: Int, _ share: Double) -> [Int?] {
      let quantile = QuantileOfPatients(count: count, share: share, confidence: 95)
      return [quantile.lowerRank, quantile.upperRank]
    }
    #expect(ranks(20, 0.5) == [6, 15])
    #expect(ranks(100, 0.5) == [40, 61])
    #expect(ranks(100, 0.95) == [90, 100])
    #expect(ranks(1_000, 0.95) == [936, 964])
    #expect(ranks(30, 0.95) == [26, nil])
  }

  @Test(
    "Exact intervals of rates",
    arguments: [
      (0, 0, 3.68887945), (1, 0.02531781, 5.57164339), (2, 0.24220928, 7.22468767),
      (3, 0.61867212, 8.76727307), (5, 1.62348639, 11.66833208), (10, 4.79538870, 18.39035604),
      (18, 10.66794078, 28.44776027), (100, 81.36399125, 121.62679379),
    ])
  func rates(events: Double, lower: Double, upper: Double) throws {
    let rate = try #require(EventRate(counts: [events], times: [1]))
    let interval = rate.exactInterval(confidence: 95)
    #expect((interval.lowerBound - lower).magnitude < 1e-8)
    #expect((interval.upperBound - upper).magnitude < 1e-8)
  }

  @Test("None in a time bounds the rate by three over it, and clusters widen the interval")
  func clusters() throws {
    let none = try #require(EventRate(counts: [0], times: [1]))
    #expect(agree(none.upperBound(confidence: 95), 2.99573227, 1e-8))
    let counts: [Double] = [0, 0, 1, 0, 4, 0, 0, 2, 0, 1, 0, 0, 7, 0, 0, 1, 0, 0, 0, 3]
    let rate = try #require(
      EventRate(counts: counts, times: Array(repeating: 0.005, count: 20)))
    #expect(agree(rate.value, 190, 1e-12))
    #expect(agree(rate.dispersion, 3.487534626, 1e-9))
    #expect(rate.isClustered)
    // Five more who were not observed change nothing.
    let nobody = Array(repeating: 0.0, count: 5)
    let unseen = EventRate(
      counts: counts + nobody, times: Array(repeating: 0.005, count: 20) + nobody)
    #expect(unseen == rate)
    let exact = rate.exactInterval(confidence: 95)
    #expect(agree(exact.lowerBound, 114.39, 1e-4))
    #expect(agree(exact.upperBound, 296.71, 1e-4))
    let widened = rate.interval(confidence: 95)
    #expect(agree(widened.lowerBound, 77.502053, 1e-7))
    #expect(agree(widened.upperBound, 465.794111, 1e-8))
    #expect(EventRate(counts: [], times: []) == nil)
  }

  /// n - 1 patients of 1/n each and one of 1 - 1/n come to n - 1, whatever n is.
  @Test("A single event says nothing of clusters, however many patients there are")
  func singleEvent() throws {
    for count in 2...40 {
      for time in [1.0 / 36_525, 3.0 / 36_525, 2, 14] {
        let others = Array(repeating: 0.0, count: count - 1)
        let rate = try #require(
          EventRate(counts: [1] + others, times: Array(repeating: time, count: count)))
        #expect(!rate.isDispersed, "\(count) patients")
      }
    }
    let two = try #require(EventRate(counts: [2, 0, 0], times: [1, 1, 1]))
    #expect(two.isDispersed)
  }

  @Test("The ratio of two rates by the conditional test")
  func ratios() throws {
    let ratio = try #require(
      RateRatio(treatment: (12, 1), control: (25, 1), confidence: 95))
    #expect(agree(ratio.value, 0.48, 1e-12))
    #expect(agree(ratio.interval.lower, 0.2197184288))
    #expect(agree(ratio.interval.upper, 0.9914498436))
    #expect(agree(ratio.p, 0.0470310274))
    let none = try #require(RateRatio(treatment: (0, 1), control: (5, 1), confidence: 95))
    #expect(none.value == 0)
    #expect(agree(none.interval.upper, 1.0912791052))
    #expect(agree(none.p, 0.0625, 1e-12))
    let all = try #require(RateRatio(treatment: (5, 2), control: (0, 1), confidence: 95))
    #expect(all.value == nil)
    #expect(all.interval.upper == nil)
  }

  @Test(
    "Quantiles and tails of Student's law",
    arguments: [
      (1.0, 12.7062047362), (7, 2.36462425159), (11, 2.20098516009), (29, 2.04522964213),
      (99, 1.98421695159), (999_999, 1.95996635682),
    ])
  func student(freedom: Double, expected: Double) {
    #expect(agree(StudentLaw(degreesOfFreedom: freedom).quantile(0.975), expected, 1e-11))
  }

  @Test("Far tails keep their relative accuracy")
  func tails() {
    let law = StudentLaw(degreesOfFreedom: 29)
    #expect(agree(law.quantile(0.995), 2.75638590367, 1e-11))
    #expect(agree(law.twoSidedP(40), 6.34687732973e-27, 1e-11))
    let wide = StudentLaw(degreesOfFreedom: 1_000_000)
    #expect(agree(2 * wide.upperTail(6), 1.97384981235e-09, 1e-10))
    #expect(NormalLaw.lowerTail(-37) > 0)
  }

  @Test("Power and numbers of patients")
  func sizes() {
    #expect(
      agree(StudySize.power(count: 20, ratio: 0.5, isTwoSided: true), 0.564504418439, 1e-10))
    #expect(
      agree(StudySize.power(count: 30, ratio: 0.5, isTwoSided: false), 0.753962724995, 1e-10))
    #expect(
      [0.5, 0.2, 0.1].map { StudySize.count(ratio: $0, power: 0.9, isTwoSided: true) }
        == [44, 265, 1_053])
    #expect(
      [0.5, 0.2].map { StudySize.count(ratio: $0, power: 0.9, isTwoSided: false) } == [44, 265])
    #expect(agree(StudySize.equivalencePower(count: 30, ratio: 0.5), 0.508333526506, 1e-9))
    #expect(
      agree(
        StudySize.equivalencePower(count: 30, ratio: 0.5, confidence: 90), 0.696508614164, 1e-9))
    #expect(
      [2, 5, 10, 20].map { StudySize.count(forHalfWidthRatio: $0) } == [18, 99, 387, 1_540])
    // Both sides have to hold: numerical integrals of the law of two one-sided tests.
    #expect(
      [2, 1, 0.5, 0.2].map {
        StudySize.count(ratio: $0, power: 0.9, confidence: 95, goal: .equivalent(margin: 3))
      } == [6, 16, 54, 327])
    #expect(
      [2, 1, 0.5].map {
        StudySize.count(ratio: $0, power: 0.9, confidence: 97.5, goal: .noninferior(margin: 3))
      } == [6, 16, 53])
  }

  @Test(
    "A pilot sets the number of patients",
    arguments: [
      (100, 0.183, 0.02, 0.1952072991, 369), (100, 0.549, 0.05, 0.5856219, 530),
      (50, 2.211, 0.5, 2.4309432192, 94),
    ])
  func pilots(
    count: Int, deviation: Double, halfWidth: Double, cautious: Double, expected: Int
  ) throws {
    let found = StudySize.cautiousDeviation(deviation, count: count)
    #expect(agree(found, cautious, 1e-7))
    #expect(StudySize.count(forHalfWidthRatio: found / halfWidth) == expected)
  }

  @Test("Simulated power is that of the formula where the pilot is nearly normal")
  func simulates() throws {
    let pilot = (1..<40).map { NormalLaw.quantile(Double($0) / 40) + 0.5 }
    let differences = try #require(PairedDifferences(pilot))
    let power = try #require(
      StudySize.simulatedPower(
        count: 20, pilot: differences, goal: .superior(by: 0), better: .higher,
        studies: Extent.of(100, whole: 300)))
    // The formula gives 0.57 for two sides; three binomial errors of 300 studies are 0.09, and
    // those of 100 are 0.15.
    #expect((power - 0.58).magnitude < Extent.of(0.16, whole: 0.1))
  }
}
