import Quantities
import Testing

@testable import Outcomes

@Suite("Risk indices")
struct RiskIndicesTests {
  /// Kovatchev's risk function evaluated to six decimals with a calculator of 30 digits.
  @Test(
    "The risk of a value follows Kovatchev's function",
    arguments: [
      (20, 100.041508, 0), (40, 36.417547, 0), (50, 22.500445, 0), (54, 18.461365, 0),
      (70, 7.755206, 0), (90, 1.724747, 0), (112, 0.000738, 0), (113, 0, 0.000636),
      (140, 0, 1.664988), (180, 0, 7.729312), (250, 0, 22.436200), (400, 0, 57.046099),
      (600, 0, 99.948051),
    ] as [(Double, Double, Double)])
  func followsTheFunction(mgdL: Double, low: Double, high: Double) {
    #expect(abs(GlucoseRisk.low(mgdL) - low) < 6e-7)
    #expect(abs(GlucoseRisk.high(mgdL) - high) < 6e-7)
  }

  @Test(
    "GRADE scores follow their formula and stop at 50",
    arguments: [
      (20, 50), (40, 38.23383), (54, 11.067287), (70, 2.03967), (90, 0.008448), (110, 1.308585),
      (140, 5.124497), (180, 10.88), (250, 20.182856), (400, 35.56993), (600, 49.903298),
    ] as [(Double, Double)])
  func gradesValues(mgdL: Double, score: Double) {
    #expect(abs(GlucoseRisk.grade(mgdL) - score) < 6e-6)
  }

  /// Scores by the formula of Hill and others: 7.8 mmol/L 5.198192, 6.0 mmol/L 1.117332, 8.0 mmol/L
  /// 5.710118.
  @Test("A reading of 7.8 mmol/L is at the upper end of GRADE's target, as of the tight range")
  func sharesGradeAtTheLimit() throws {
    let mmolL = [7.8, 7.8, 6.0, 8.0]
    let indices = try #require(
      RiskIndices(series(mmolL.map { GlucoseConcentration.mmolL($0).mgdL })))
    #expect(agree(indices.gradeTargetPercent, 66.847578, relative: 1e-5))
    #expect(agree(indices.gradeHighPercent, 33.152422, relative: 1e-5))
    #expect(indices.gradeLowPercent == 0)
  }

  @Test("The indices that every summary has are those of all", arguments: 1...20)
  func mainOnes(seed: UInt64) throws {
    var generator = seed
    let values = (0..<300).map { _ -> Double in
      generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 20 + Double(generator >> 40).truncatingRemainder(dividingBy: 4_000) / 10
    }
    let all = try #require(RiskIndices(series(values)))
    let main = try #require(MainRiskIndices(series(values)))
    #expect(main.lowBloodGlucoseIndex == all.lowBloodGlucoseIndex)
    #expect(main.highBloodGlucoseIndex == all.highBloodGlucoseIndex)
    #expect(main.glycemiaRiskIndex == all.glycemiaRiskIndex)
    #expect(MainRiskIndices(series([])) == nil)
  }

  @Test("The glycaemia risk index weighs the four shares and stops at 100")
  func weighsShares() {
    func risk(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
      RiskIndices.glycemiaRisk(below54: a, from54To69: b, from181To250: c, above250: d)
    }
    #expect(agree(risk(1, 3, 20, 5), 34.2))
    #expect(risk(50, 0, 0, 50) == 100)
    #expect(
      [20, 20.1, 40, 60.5, 80, 81].map(RiskIndices.glycemiaRiskZone) == [
        "A", "B", "B", "D", "D", "E",
      ])
  }

  /// One reading of 100 below 54 mg/dL, 5 to 69, 20 of 181 to 250 and 4 above: 1 + 0.8 · 5 and
  /// 4 + 0.5 · 20, of which the index is 3 · 5 + 1.6 · 14 (Klonoff and others, 2023).
  @Test("The glycaemia risk index has a component of lows and one of highs")
  func components() throws {
    let values = run(50, 1) + run(60, 5) + run(100, 70) + run(200, 20) + run(300, 4)
    let risk = try #require(RiskIndices(series(values)))
    #expect(agree(risk.glycemiaRiskLowComponent, 5))
    #expect(agree(risk.glycemiaRiskHighComponent, 14))
    #expect(agree(risk.glycemiaRiskIndex, 37.4))
  }

  @Test("A glucose of 112.5 mg/dL carries no risk worth naming")
  func hasAZero() throws {
    let risk = try #require(RiskIndices(series(run(112.5174, 288))))
    #expect(risk.bloodGlucoseRiskIndex < 1e-9)
    #expect(risk.glycemiaRiskIndex == 0)
  }

  @Test("The daily risk range adds each day's greatest low and high risk")
  func addsDailyRanges() throws {
    let values = day(of: 112, with: [(10, [70]), (50, [180])]) + day(of: 112, with: [(9, [50])])
    let risk = try #require(RiskIndices(series(values)))
    let expected = (7.755206 + 7.729312 + 22.500445 + 0) / 2
    #expect(agree(risk.averageDailyRiskRange, expected, relative: 1e-6))
  }

  @Test("The midnight with which whole days end is no day of the daily risk range")
  func closesTheLastDay() throws {
    let expected = 7.755206 + 7.729312
    let first = day(of: 112, with: [(10, [70]), (50, [180])])
    let risk = try #require(RiskIndices(series(first + [180])))
    #expect(agree(risk.averageDailyRiskRange, expected, relative: 1e-6))
    // Five minutes on a second day has begun, and one reading a day is a day each.
    let begun = try #require(RiskIndices(series(first + [180, 180])))
    #expect(agree(begun.averageDailyRiskRange, (expected + 7.729312) / 2, relative: 1e-6))
    let daily = try #require(RiskIndices(series([70, 180], every: 1_440)))
    #expect(agree(daily.averageDailyRiskRange, expected / 2, relative: 1e-6))
  }

  @Test("A date to which a traveller comes back is one day")
  func countsADateOnce() throws {
    // From 20:00 on 4 March; at 01:00 on the 5th it becomes 08:00 on the 4th.
    let start = monday + .hours(11)
    let clock = WallClock(
      initialOffset: .hours(9),
      transitions: [.init(instant: start + .hours(5), offset: .hours(-8))])
    var values = run(112, 24)
    values[4] = 180
    values[6] = 50
    values[22] = 70
    let trip = series(values, every: 60, from: start, clock: clock)
    let expected = (22.500445 + 0 + 7.755206 + 7.729312) / 2
    #expect(agree(RiskIndices(trip)?.averageDailyRiskRange, expected, relative: 1e-6))
    #expect(DataSufficiency(trip)?.calendarDays == 2)
  }

  @Test("The index of glycaemic control, the M-value and the J-index follow their formulas")
  func followsOlderIndices() throws {
    let risk = try #require(RiskIndices(series([50, 240])))
    #expect(agree(risk.lowIndex, 900 / 60))
    #expect(agree(risk.highIndex, 158.48931924611134 / 60))
    #expect(agree(risk.jIndex, 0.001 * 279.350288425444 * 279.350288425444))
    let reference = try #require(RiskIndices(series([90, 90])))
    #expect(reference.mValue90 == 0)
    #expect(agree(reference.mValue100, 0.0957970, relative: 1e-4))
    #expect(RiskIndices(series([])) == nil)
  }

  @Test("A monitoring index of 100 means all in range, nothing low and little spread")
  func indexesMonitoring() {
    #expect(continuousGlucoseMonitoringIndex(series([100, 110, 120])) == 100)
    #expect(continuousGlucoseMonitoringIndex(series([100])) == nil)
  }
}
