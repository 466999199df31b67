import ClosedLoop
import Dosing
import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Records

@Suite("The linear estimate of another therapy")
struct CounterfactualTests {
  private func therapy(basal: Int64 = 600, sensitivity: Double = 50) -> TherapySettings {
    TherapySettings(
      basal: .init(always: InsulinRate(milliunitsPerHour: basal)),
      sensitivity: .init(always: InsulinSensitivity(mgdLPerUnit: sensitivity)),
      carbRatio: .init(always: CarbohydrateRatio(gramsPerUnit: 10)),
      targets: .init(always: GlucoseRange(lower: .mgdL(100), upper: .mgdL(115))),
      suspendThreshold: .mgdL(75), maximumBolus: InsulinAmount(milliunits: 10_000),
      maximumBasalRate: InsulinRate(milliunitsPerHour: 4_000))
  }

  private func record(_ mgdL: Double, without missing: Range<Int64> = 0..<0) -> RecordMaker {
    var maker = RecordMaker()
    for step in 0..<180 as Range<Int64> where !missing.contains(step) {
      maker.glucose(mgdL, .minutes(5) * step)
    }
    maker.day()
    return maker
  }

  private func estimate(_ maker: RecordMaker, _ therapy: TherapySettings) -> Counterfactual {
    Backtest("other", samples: maker.samples, therapy: therapy, clock: .utc).counterfactual
  }

  /// The part of a dose that has acted, by the formula of the exponential model with a peak at
  /// 75 min, 6 h of action and 10 min of delay (LoopKit/LoopAlgorithm).
  private func acted(_ minutes: Double) -> Double {
    let (end, peak, t) = (360.0, 75.0, minutes - 10)
    if t <= 0 { return 0 }
    if t >= end { return 1 }
    let tau = peak * (1 - peak / end) / (1 - 2 * peak / end)
    let a = 2 * tau / end
    let s = 1 / (1 - a + (1 + a) * _exp(-end / tau))
    return s * (1 - a) * ((t * t / (tau * end * (1 - a)) - t / tau - 1) * _exp(-t / tau) + 1)
  }

  private func _exp(_ x: Double) -> Double {
    // The series of the exponential function, after halving until it converges fast.
    let halvings = 10
    var (term, sum) = (1.0, 1.0)
    let small = x / Double(1 << halvings)
    for k in 1...20 {
      term *= small / Double(k)
      sum += term
    }
    for _ in 0..<halvings { sum *= sum }
    return sum
  }

  @Test("What was given is what the record says, also in segments that hold half a pulse")
  func recordedUnits() {
    var maker = RecordMaker()
    // A schedule of 1 U/h is 0.08333 U in five minutes: 0.1, 0.1 and 0.05 U as pulses.
    for step in 0..<36 as Range<Int64> {
      maker.glucose(110, .minutes(5) * step)
      maker.basal(
        step % 3 == 2 ? 0.05 : 0.1, .minutes(5) * step, .minutes(5) * (step + 1), scheduled: 1)
    }
    let backtest = Backtest(
      "own", samples: maker.samples, therapy: therapy(basal: 1_000), clock: .utc)
    let delivered = backtest.rows.map { ($0.delivered * 1_000).rounded() }
    #expect(delivered == (0..<36).map { $0 % 3 == 2 ? 50 : 100 })
    let given = backtest.counterfactual.rows.map(\.given).reduce(0, +)
    // Twelve times 0.25 U; the last reading stands at the end of the last but one segment.
    #expect((given * 1_000).rounded() == 3_000, "\(given)")
  }

  @Test("A therapy that gives what was given changes nothing")
  func same() {
    let result = estimate(record(110), therapy())
    #expect(result.rows.count == 180)
    #expect(result.share == 1)
    #expect(result.stretches == 3)
    #expect(result.rows.allSatisfy { abs($0.estimated - 110) < 1e-9 })
    #expect(result.rows.allSatisfy { abs($0.given - 0.05) < 1e-9 })
    #expect(result.estimated.inRange == 1)
  }

  @Test("Nothing is reckoned after the end of the record")
  func endOfRecord() {
    // Readings up to 01:00, and a schedule of 0.6 U/h that is written up to then.
    var maker = RecordMaker()
    for step in 0...12 as ClosedRange<Int64> { maker.glucose(110, .minutes(5) * step) }
    for step in 0..<12 as Range<Int64> {
      maker.basal(0.05, .minutes(5) * step, .minutes(5) * (step + 1), scheduled: 0.6)
    }
    let rows = estimate(maker, therapy()).rows
    #expect(rows.count == 13)
    let given = rows.map(\.given).reduce(0, +)
    let alternative = rows.map(\.alternative).reduce(0, +)
    #expect(abs(given - 0.6) < 1e-9)
    #expect(abs(alternative - 0.6) < 1e-9)
  }

  @Test("Basal that is not recorded was not withheld: the schedule is taken for given")
  func notRecorded() {
    // Readings up to 03:55, and a schedule of 0.6 U/h that is written up to 02:00.
    var maker = RecordMaker()
    for step in 0..<48 as Range<Int64> { maker.glucose(110, .minutes(5) * step) }
    for step in 0..<24 as Range<Int64> {
      maker.basal(0.05, .minutes(5) * step, .minutes(5) * (step + 1), scheduled: 0.6)
    }
    let backtest = Backtest("own", samples: maker.samples, therapy: therapy(), clock: .utc)
    let rows = backtest.counterfactual.rows
    #expect(rows.count == 48)
    #expect(rows.allSatisfy { ($0.estimated - 110).magnitude < 1e-6 })
    // From 02:00 until the last reading.
    #expect(abs(rows.map(\.assumed).reduce(0, +) - 1.15) < 1e-9)
    #expect(rows.prefix(24).allSatisfy { $0.assumed == 0 })
    #expect(
      BacktestText.lines([backtest]).contains(
        "    by the loop 2.35 U were given, 1.15 U of them scheduled basal that is not recorded, "
          + "and would have been 2.35 U"))
  }

  @Test("The difference of insulin acts by the model and the sensitivity, stretch by stretch")
  func formula() throws {
    let result = estimate(record(135), therapy(sensitivity: 150))
    #expect(result.endedByDifference == 0)
    #expect(result.rows.contains { $0.estimated < $0.observed - 10 })
    for (place, row) in result.rows.enumerated() {
      let start = place - place % 72
      var expected = 135.0
      for earlier in result.rows[start..<place] {
        let minutes = (row.instant - earlier.instant).minutes
        expected -= (earlier.alternative - earlier.given) * 150 * acted(minutes)
      }
      #expect(abs(row.estimated - expected) < 1e-6, "\(row.instant)")
    }
  }

  @Test("A stretch ends where the difference is too large for a straight line, and is counted")
  func tooLarge() {
    let result = estimate(record(350), therapy())
    #expect(result.stretches == 3)
    #expect(result.endedByDifference >= 2)
    #expect(result.share < 0.9)
    #expect(result.rows.allSatisfy { ($0.estimated - $0.observed).magnitude <= 60 })
    let text = BacktestText.lines([
      Backtest("other", samples: record(350).samples, therapy: therapy(), clock: .utc)
    ])
    #expect(text.contains { $0.contains("linear estimate of glucose under this therapy") })
  }

  @Test("Whose unit is mmol/L reads errors, means and limits in mmol/L")
  func molar() {
    let backtest = Backtest("a", samples: record(135).samples, therapy: therapy(), clock: .utc)
    let text = BacktestText.lines([backtest], in: .millimolesPerLitre)
    #expect(text.contains { $0.contains("prediction minus reading, mmol/L") })
    // 135 mg/dL / 18.0156.
    #expect(text.contains { $0.contains("observed") && $0.contains(" 7.49 ") }, "\(text)")
    #expect(text.contains { $0.contains("below 3.9  3.9-10.0  above 10.0") }, "\(text)")
    #expect(text.contains { $0.contains("ended by a difference above 3.3 mmol/L: 0,") })
    #expect(!text.contains { $0.contains("mg/dL") })
  }

  @Test("No share of glucose is below nothing where all of it is out of range")
  func nothingInRange() {
    var maker = RecordMaker()
    for step in 0..<9 as Range<Int64> { maker.glucose(60, .minutes(5) * step) }
    maker.glucose(190, .minutes(45))
    let observed = estimate(maker, therapy()).observed
    #expect(observed.below70 == 0.9)
    #expect(observed.inRange == 0)
    #expect(observed.above180 == 0.1)
  }

  @Test("A pause of readings ends a stretch")
  func pause() {
    let result = estimate(record(110, without: 40..<60), therapy())
    #expect(result.endedByPause == 1)
    #expect(result.rows.count == 160)
  }

  @Test("What a person asked for stays as it was")
  func boluses() throws {
    var maker = record(110)
    maker.bolus(1, .hours(2))
    let result = estimate(maker, therapy())
    let row = try #require(result.rows.first { $0.instant == RecordMaker.midnight + .hours(2) })
    #expect(abs(row.given - 0.05) < 1e-9)
    // The therapy knows of the bolus and gives less afterwards.
    let after = result.rows.filter {
      $0.instant > row.instant && $0.instant <= row.instant + .minutes(20)
    }
    #expect(after.count == 4)
    #expect(after.allSatisfy { $0.alternative < $0.given - 0.01 })
  }
}

@Suite("A loop's own figures beside a backtest")
struct LoopFiguresTests {
  private static let status = """
    [{"device":"loop://iPhone","created_at":"2026-03-04T02:00:05Z","loop":{"name":"Loop",
      "timestamp":"2026-03-04T02:00:04Z","iob":{"iob":0.0,"timestamp":"2026-03-04T02:00:00Z"},
      "cob":{"cob":0,"timestamp":"2026-03-04T02:00:00Z"},
      "predicted":{"startDate":"2026-03-04T02:00:00Z","values":[\(Self.level)]}}},
     {"device":"loop://iPhone","created_at":"2026-03-04T03:00:05Z","loop":{
      "iob":{"iob":1.5},"cob":{"cob":12},
      "predicted":{"startDate":"2026-03-04T03:00:00Z","values":[110,108,106]}}},
     {"device":"openaps://x","created_at":"2026-03-04T03:00:05Z","openaps":{}},
     {"device":"loop://iPhone","created_at":"2026-03-05T03:00:05Z","loop":{"iob":{"iob":1}}}]
    """
  private static let level = (0..<80).map { _ in "110.4" }.joined(separator: ",")

  @Test("A prediction ends with what is no number: no later value comes earlier for it")
  func endsPredictions() throws {
    let text = """
      [{"loop":{"timestamp":"2026-03-04T02:00:00Z","predicted":{"startDate":\
      "2026-03-04T02:00:00Z","values":[100,110,null,130]}}}]
      """
    let root = try #require(JSONReader.read(text: text, file: "s.json").root)
    #expect(LoopFigures.read(root).map(\.predicted) == [[100, 110]])
    // One document, a dump, and what the third interface answers.
    let one = String(text.dropFirst().dropLast())
    for other in [
      one, "{\"devicestatus\":\(text)}", "{\"status\":200,\"result\":\(text)}",
      "{\"status\":200,\"result\":\(one)}",
    ] {
      let root = try #require(JSONReader.read(text: other, file: "s.json").root)
      #expect(LoopFigures.read(root).map(\.predicted) == [[100, 110]])
      #expect(LoopFigures.count(in: root) == 1)
    }
  }

  @Test("Figures that agree and that differ are counted, with causes")
  func compares() throws {
    var maker = RecordMaker()
    for step in 0..<120 as Range<Int64> { maker.glucose(110, .minutes(5) * step) }
    maker.day()
    let root = try #require(JSONReader.read(text: Self.status, file: "s.json").root)
    let figures = LoopFigures.read(root)
    #expect(figures.count == 3)
    let therapy = TherapySettings(
      basal: .init(always: InsulinRate(milliunitsPerHour: 600)),
      sensitivity: .init(always: InsulinSensitivity(mgdLPerUnit: 50)),
      carbRatio: .init(always: CarbohydrateRatio(gramsPerUnit: 10)),
      targets: .init(always: GlucoseRange(lower: .mgdL(100), upper: .mgdL(115))),
      maximumBolus: InsulinAmount(milliunits: 10_000),
      maximumBasalRate: InsulinRate(milliunitsPerHour: 4_000))
    let test = Backtest(
      "own", samples: maker.samples, therapy: therapy, clock: .utc, figures: figures)
    let found = try #require(test.figures)
    // The prediction of one cycle reaches the horizons: it is one cycle, and not one for each.
    #expect(found.figures.map(\.count) == [2, 2, 1])
    #expect(found.figures.map(\.equal) == [1, 1, 1])
    #expect(found.causes.map(\.cycles) == [1])
    #expect(found.causes.first?.cause == .insulin)
    #expect(found.unmatched == 1)
    #expect(BacktestText.lines([test]).contains { $0.contains("insulin on board, within 0.05 U") })
    #expect(Backtest("none", samples: maker.samples, therapy: therapy, clock: .utc).figures == nil)
    // Of two files that overlap.
    let again = Backtest(
      "again", samples: maker.samples, therapy: therapy, clock: .utc, figures: figures + figures)
    #expect(again.figures?.figures.map(\.count) == [2, 2, 1] && again.figures?.unmatched == 1)
  }

  @Test("What the loop said beside cycles that are not asked for is none without a reading")
  func asksForAPart() throws {
    var maker = RecordMaker()
    for step in 0..<120 as Range<Int64> { maker.glucose(110, .minutes(5) * step) }
    let said = (0..<120 as Range<Int64>).map { step in
      LoopFigures(
        instant: RecordMaker.midnight + .minutes(5) * step + .seconds(20), insulinOnBoard: 0,
        carbsOnBoard: 0, predictionStart: RecordMaker.midnight, predicted: [])
    }
    let test = Backtest(
      "part", samples: maker.samples, therapy: .ofMaker, clock: .utc,
      from: RecordMaker.midnight + .hours(3), to: RecordMaker.midnight + .hours(5), figures: said)
    // From 03:00 to 04:55.
    #expect(test.rows.count == 24)
    #expect(test.figures?.unmatched == 0)
    #expect(test.figures?.figures.map(\.count) == [24, 24, 0])
  }
}
