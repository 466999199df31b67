import Devices
import Quantities
import Testing

@Suite("Accuracy of a CGM")
struct AccuracyTests {
  static func pair(_ reference: Double, _ reading: Double) -> AccuracyPair {
    AccuracyPair(reference: reference, reading: reading)
  }

  @Test("D29 Forty of forty: no bound by the normal approximation, 93.7 % by Wilson, 92.8 % exact")
  func bounds() {
    #expect(BinomialBound.normal(passed: 40, of: 40) == 1)
    #expect(abs(BinomialBound.wilson(passed: 40, of: 40) - 0.937) < 5e-4)
    #expect(abs(BinomialBound.exact(passed: 40, of: 40) - 0.928) < 5e-4)
  }

  @Test("The exact bound of 98 % needs 149 passes, and that of 99 % needs 299")
  func neededCounts() {
    #expect(BinomialBound.exact(passed: 149, of: 149) > 0.98)
    #expect(BinomialBound.exact(passed: 148, of: 148) < 0.98)
    #expect(BinomialBound.exact(passed: 299, of: 299) > 0.99)
    #expect(BinomialBound.exact(passed: 298, of: 298) < 0.99)
  }

  @Test("The exact bound is the share at which so many passes have 5 %")
  func exactBound() {
    // Ten trials with nine passes: P(X ≥ 9) = 10 p⁹ (1−p) + p¹⁰.
    let p = BinomialBound.exact(passed: 9, of: 10)
    let p9 = p * p * p * p * p * p * p * p * p
    #expect(abs(10 * p9 * (1 - p) + p9 * p - 0.05) < 1e-9)
    #expect(BinomialBound.exact(passed: 0, of: 10) == 0)
    #expect(BinomialBound.exact(passed: 0, of: 0) == 0)
    let many = BinomialBound.exact(passed: 23_017, of: 25_101)
    #expect(abs(many - BinomialBound.wilson(passed: 23_017, of: 25_101)) < 1e-3)
  }

  @Test("D30 A difference of exactly 15 mg/dL is not within for iCGM, and is in the ISO manner")
  func strictness() {
    let pair = Self.pair(75, 60)
    let criterion = ContinuousMonitorControls.judge([pair]).first { $0.criterion == .A }
    #expect(criterion?.count == 1)
    #expect(criterion?.matching == 0)
    #expect(AgreementRule(limit: 15, cut: 70, side: .reading).accepts(pair))
    #expect(!AgreementRule(limit: 15, cut: 70, side: .reading, isStrict: true).accepts(pair))
    #expect(AgreementRule(limit: 15).accepts(Self.pair(200, 230)))
    #expect(!AgreementRule(limit: 15, isStrict: true).accepts(Self.pair(200, 230)))
  }

  @Test("A difference of exactly a limit is one of decimals too, in percent and in every grid")
  func decimals() {
    // 13.2 is 20 % of 66, 27.06 is 15 % of 180.4, 21.39 is 30 % of 71.3, and 15 from 64.1 is 49.1.
    #expect(AgreementRule(limit: 20, cut: 0).accepts(Self.pair(66, 79.2)))
    #expect(AgreementRule(limit: 15).accepts(Self.pair(180.4, 153.34)))
    #expect(AgreementRule(limit: 30, cut: 0).accepts(Self.pair(71.3, 49.91)))
    #expect(!AgreementRule(limit: 30, cut: 0).accepts(Self.pair(71.3, 49.9)))
    let strict = ContinuousMonitorControls.judge([
      Self.pair(66, 79.2), Self.pair(180.4, 153.34), Self.pair(71.3, 49.91), Self.pair(64.1, 49.1),
    ])
    // A has the readings 49.91 and 49.1, B the others; G has all, of which 15 % are within 20 %.
    #expect(strict.prefix(2).map(\.count) == [2, 2] && strict.prefix(2).map(\.matching) == [0, 0])
    #expect(strict.first { $0.criterion == .G }?.matching == 1)
    #expect(ClarkeGrid.zone(reference: 66, test: 79.2) == .A)
    #expect(ClarkeGrid.zone(reference: 66, test: 79.3) == .D)
    // On the lines of zone C: 1.4 times 17.3 is 24.22, and 110 above 80.1 is 190.1.
    #expect(ClarkeGrid.zone(reference: 147.3, test: 24.22) == .B)
    #expect(ClarkeGrid.zone(reference: 80.1, test: 190.1) == .B)
    // The line of zone B of type 1 rises by 12 from each 11: from 50 at 30 to 56 at 35.5.
    #expect(ParkesGrid.type1.zone(reference: 35.5, test: 56) == .A)
    #expect(ParkesGrid.type1.zone(reference: 35.5, test: 56.1) == .B)
  }

  @Test("A criterion that judges no pair has no bound, and the least or the most as before")
  func withoutPairs() throws {
    let results = ContinuousMonitorControls.judge([Self.pair(100, 110)])
    // The only reading, 110, is from 70 to 180: B and E judge it, and G every reading.
    #expect(results.filter { $0.bounds != nil }.map(\.criterion) == [.B, .E, .G])
    #expect(results.filter(\.limitIsLeast).map(\.criterion) == [.A, .B, .C, .D, .E, .F, .G])
    let first = try #require(results.first)
    #expect(first.criterion == .A && first.count == 0 && first.isThin && first.isMet == nil)
  }

  @Test("D31 Points fall into the zones of the Clarke grid")
  func clarke() {
    for (reference, test, zone) in [
      (60, 65, ErrorZone.A), (60, 190, .E), (200, 75, .B), (250, 150, .D), (300, 60, .E),
      (160, 20, .C), (100, 215, .C), (100, 200, .B), (50, 60, .A), (60, 100, .D), (100, 115, .A),
      // Each rule by what it keeps out: low values, the lines of C, and the corners of D and E.
      (40, 60, .A), (40, 70, .D), (65, 181, .E), (150, 100, .B), (200, 90, .B), (250, 50, .E),
      (70, 180, .E),
    ] as [(Double, Double, ErrorZone)] {
      #expect(ClarkeGrid.zone(reference: reference, test: test) == zone)
    }
  }

  @Test("D32 At a reference of 523.5 a test of 142 lies in zone C of the Parkes grid")
  func parkes() {
    #expect(ParkesGrid.type1.zone(reference: 523.5, test: 142.0) == .C)
    #expect(ParkesGrid.type1.zone(reference: 523.5, test: 140.2) == .D)
    for (reference, test, zone) in [
      (100, 100, ErrorZone.A), (100, 140, .B), (20, 120, .D), (10, 200, .E), (100, 20, .B),
      (200, 50, .C), (300, 20, .D), (50, 100, .C),
    ] as [(Double, Double, ErrorZone)] {
      #expect(ParkesGrid.type1.zone(reference: reference, test: test) == zone)
    }
    #expect(ParkesGrid.type2.zone(reference: 110, test: 10) == .C)
    #expect(ParkesGrid.type2.zone(reference: 10, test: 200) == .D)
  }

  @Test("A report adds up what single pairs say")
  func report() throws {
    let pairs = [
      AccuracyPair(reference: 100, reading: 110, sensor: 1, day: 1),
      AccuracyPair(reference: 200, reading: 180, sensor: 1, day: 2),
      AccuracyPair(reference: 50, reading: 60, sensor: 2, day: 1),
      AccuracyPair(reference: 30, reading: 40, condition: .belowRange, sensor: 2, day: 1),
      AccuracyPair(reference: 0, reading: 100),
    ]
    let report = AccuracyReport(pairs)
    #expect(report.all.count == 3)
    #expect(report.lowCount == 1)
    #expect(abs(report.all.mard - 0.4 / 3) < 1e-12)
    #expect(abs(report.all.medianARD - 0.1) < 1e-12)
    #expect(abs(report.all.bias) < 1e-12)
    #expect(report.all.agreement == [1, 1, 1, 1])
    #expect(report.byDay.map(\.summary.count) == [2, 1])
    #expect(report.byRange.map(\.summary.count) == [0, 1, 2, 0, 0])
    #expect(report.clarke.reduce(0, +) == 1)
    #expect(report.surveillance == nil)
  }

  @Test("An ideal sensor meets every criterion, and one that is 25 % high fails")
  func studies() throws {
    func judge(_ error: SensorErrorModel, bias: Double = 1) -> [Bool?] {
      var profile = SensorProfile.ideal
      profile.error = error
      profile.wear = .days(2)
      let study = AccuracyStudy(profile: profile, sensors: 4, spacing: .minutes(5))
      let pairs = study.run().map { pair in
        var biased = pair
        biased.reading *= bias
        return biased
      }
      return AccuracyReport(pairs).controls.map(\.isMet)
    }
    let ideal = judge(.ideal)
    #expect(ideal.allSatisfy { $0 != false })
    #expect(judge(.ideal, bias: 1.25)[6] == false)
  }

  @Test("The end of the wear belongs to its last day", arguments: [(24, 1), (36, 2), (48, 2)])
  func days(hours: Int64, last: Int) {
    let study = AccuracyStudy(profile: .ideal, sensors: 1, wear: .hours(hours))
    let days = study.run().map(\.day)
    // One pair each quarter of an hour, that of the insertion and that of the end included.
    #expect(days.count == Int(hours) * 4 + 1)
    #expect(days.first == 1 && days.last == last)
    #expect(days.count { $0 == 1 } == (last == 1 ? 97 : 96))
  }

  @Test("Ranges end where those of the special controls do, and the last has all that is higher")
  func ranges() {
    let readings = [69.9, 70, 180, 180.2, 250, 250.3, 480]
    let report = AccuracyReport(readings.map { AccuracyPair(reference: $0, reading: $0) })
    #expect(report.byRange.map(\.summary.count) == [0, 1, 2, 2, 2])
    #expect(report.byRange.map(\.name) == ["40-53", "54-69", "70-180", "181-250", "above 250"])
    // A, B and C: below 70, from 70 to 180, and above 180.
    #expect(report.controls.prefix(3).map(\.count) == [1, 2, 4])
  }

  @Test("A population of ten-day sensors has a MARD near 8 % against interstitial glucose")
  func population() throws {
    var profile = SensorProfile.dexcomG6
    profile.period = .minutes(5)
    let study = AccuracyStudy(
      profile: profile, sensors: 24, wear: .days(4), spacing: .minutes(30),
      referenceIsLagged: true, seed: 3)
    let pairs = study.run()
    let report = AccuracyReport(pairs)
    #expect(report.all.mard > 0.06 && report.all.mard < 0.12)
    let interval = try #require(AccuracyReport.mardInterval(of: pairs, draws: 200, seed: 1))
    #expect(interval.contains(report.all.mard))
    #expect(report.clarke[0] + report.clarke[1] > 0.98)
  }

  @Test("A grid of scores must be square and large, and grades the magnitude of a score")
  func surveillance() throws {
    #expect(SurveillanceGrid(scores: [[0]]) == nil)
    let row = (0...600).map { Double($0) / 100 }
    let grid = try #require(SurveillanceGrid(scores: Array(repeating: row, count: 601)))
    #expect(grid.score(reference: 250, test: 9_999) == 2.5)
    // Published: none 0 to 0.5, slight above that to 1.5, moderate to 2.5, severe to 3.5.
    let scores = [0, 0.5, 0.51, 1.5, -2.5, 2.51, -3.5, 3.51]
    #expect(
      scores.map { SurveillanceGrid.Risk(score: $0) }
        == [.none, .none, .slight, .slight, .moderate, .high, .high, .extreme])
  }
}
