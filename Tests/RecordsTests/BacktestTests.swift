import ClosedLoop
import Dosing
import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Records

@Suite("The backtest of a record")
struct BacktestTests {
  private let therapy = TherapySettings.ofMaker

  private func flat(_ mgdL: Double = 110) -> RecordMaker {
    var maker = RecordMaker()
    for step in 0..<120 as Range<Int64> { maker.glucose(mgdL, .minutes(5) * step) }
    return maker
  }

  private func test(_ maker: RecordMaker) -> Backtest {
    Backtest("plain", samples: maker.samples, therapy: therapy, clock: .utc)
  }

  @Test("Level glucose without doses is predicted level, and no error is found")
  func level() throws {
    var maker = flat()
    maker.day()
    let result = test(maker)
    #expect(result.rows.count == 120)
    let all = try #require(result.errors.first { $0.group == "all" })
    #expect(all.horizons.map(\.count) == [114, 108, 96, 84])
    #expect(all.horizons.allSatisfy { $0.rootMeanSquare < 1e-6 })
    let hour = result.rows[13]
    #expect(abs(hour.delivered - 0.05) < 1e-9)
    #expect(hour.insulinOnBoard.map { abs($0) < 1e-9 } == true)
    // In range all of the time: the scheduled 0.6 U/h, and none of it below the suspend threshold.
    #expect(result.rows[13...].allSatisfy { $0.tempBasal.map { abs($0 - 0.6) < 1e-9 } == true })
    #expect(test(flat(70)).rows[13...].allSatisfy { $0.tempBasal == 0 })
  }

  @Test("A dose that was written late is not seen before, and lowers the prediction after")
  func writtenLate() throws {
    var maker = flat()
    maker.bolus(2, .hours(2), written: .hours(3))
    let result = test(maker)
    let before = try #require(
      result.rows.first { $0.instant == RecordMaker.midnight + .minutes(170) })
    let after = try #require(
      result.rows.first { $0.instant == RecordMaker.midnight + .minutes(185) })
    #expect((before.insulinOnBoard ?? 0) == 0)
    #expect((after.insulinOnBoard ?? 0) > 1)
    #expect((after.predicted[3] ?? 0) < (before.predicted[3] ?? 0) - 30)
    #expect(try #require(result.errors.first).horizons[3].bias < 0)
  }

  @Test("Of readings that a person entered it is said that no cycle goes by them")
  func byHand() {
    var maker = flat()
    let own = test(maker)
    #expect(!BacktestText.lacking(own).contains { $0.contains("a person entered") })
    maker.glucose(90, .hours(1) + .minutes(2), by: "Meter")
    let last = maker.samples.removeLast()
    var metadata = last.sample.metadata
    metadata[.wasUserEntered] = .flag(true)
    maker.samples.append(
      RestoredSample(
        Sample(
          restoring: last.sample.uuid, type: .bloodGlucose, start: last.sample.start,
          end: last.sample.end, value: last.sample.value, metadata: metadata,
          sourceRevision: last.sample.sourceRevision), created: last.created))
    let both = test(maker)
    #expect(both.rows.count == own.rows.count && both.readingsByHand == 1)
    #expect(
      BacktestText.lacking(both).contains(
        "1 reading that a person entered, as those of a meter, is not used: no cycle goes by it."))
  }

  @Test("Readings of another sensor are used where the first has none, and it is said")
  func sensors() throws {
    var maker = RecordMaker()
    maker.day()
    for step in 0..<60 as Range<Int64> { maker.glucose(110, .minutes(5) * step) }
    // Ten beside the first sensor, forty after it; a meter in the pause after both.
    for step in 50..<100 as Range<Int64> {
      maker.glucose(110, .minutes(5) * step + .minutes(1), by: "Other")
    }
    maker.glucose(90, .hours(10), by: "Meter")
    let result = test(maker)
    #expect(
      result.glucoseSources == [
        .init(name: "CGM", used: 60, unused: 0), .init(name: "Other", used: 40, unused: 10),
        .init(name: "Meter", used: 0, unused: 1),
      ])
    #expect(result.rows.count == 100)
    #expect(result.rows.last?.instant == RecordMaker.midnight + .minutes(496))
    #expect(BacktestText.lacking(result).last?.contains("40 of 50 of Other") == true)
  }

  @Test("A record without insulin, basal or food is told so, and what is assumed in its place")
  func lacking() throws {
    let food = "The record holds no carbohydrates: what food did is an error of the predictions."
    #expect(
      BacktestText.lacking(test(flat())) == [
        "The record holds no insulin of the six hours before any cycle: each is reckoned as if the "
          + "therapy's scheduled basal, and nothing else, had been given.", food,
      ])
    // A cycle every five minutes to 09:55; of those a bolus at 02:00 stands in the six hours before
    // from 02:00 to 07:55, which are 72, and 48 are left.
    var boluses = flat()
    boluses.bolus(2, .hours(2))
    boluses.food(20, .hours(2))
    let told = test(boluses)
    #expect(told.rows.count { $0.known == .bolusesAlone } == 72)
    #expect(
      BacktestText.lacking(told) == [
        "For 48 of 120 cycles the record holds no insulin of the six hours before: they are "
          + "reckoned as if the therapy's scheduled basal, and nothing else, had been given.",
        "For 72 of 120 cycles the record holds no basal of the six hours before: they are reckoned "
          + "as if the therapy's scheduled basal had been given.",
      ])
    #expect(BacktestText.lines([told]).contains { $0.hasPrefix("For 72 of 120 cycles") })
    let json = BacktestText.json([told], .init("UTC", from: "arguments", remark: nil))
    #expect(json["lacking"]?.items?.count == 2)
    #expect(json["reading"]?.items?.isEmpty == true)
    // What was left out of the files goes with the answer.
    let read = BacktestText.lines([told], reading: ["a.csv:7:1: 144 records are left out."])
    #expect(read.contains("Reading the files:"))
    #expect(read.contains("  a.csv:7:1: 144 records are left out."))
    var whole = flat()
    whole.day()
    whole.food(20, .hours(2))
    #expect(BacktestText.lacking(test(whole)).isEmpty)
  }

  @Test("Where no reading stands so far ahead there is no error, and not one of 0")
  func noReadingAhead() throws {
    var maker = RecordMaker()
    for step in 0..<10 as Range<Int64> { maker.glucose(60, .minutes(5) * step) }
    let result = test(maker)
    let json = BacktestText.json([result], .init("UTC", from: "arguments", remark: nil))
    let therapy = try #require(json["therapies"]?.items?.first)
    let horizons = try #require(therapy["errors"]?.items?.first?["horizons"]?.items)
    #expect(horizons.map { $0["count"] } == [4, 0, 0, 0])
    #expect(horizons.map { $0["bias_mgdL"] == .null } == [false, true, true, true])
    #expect(horizons.map { $0["rmse_mgdL"] == .null } == [false, true, true, true])
    #expect(horizons.map { $0["mae_mgdL"] == .null } == [false, true, true, true])
  }

  @Test("A cycle without enough glucose says why it gave nothing; the table has every cycle")
  func table() throws {
    let result = test(flat(300))
    let text = String(decoding: BacktestText.table(result), as: UTF8.self)
    #expect(text.split(separator: "\n").count == 121)
    #expect(result.rows.last.map { ($0.tempBasal ?? 0) > 0.6 } == true)
    let lines = BacktestText.lines([result])
    #expect(lines[0].hasPrefix("plain: 120 cycles"))
    #expect(lines.last?.contains("Not a medical device") == true)
    let json = BacktestText.json([result], .init("UTC", from: "arguments", remark: nil))
    #expect(json["therapies"]?.items?.count == 1)
  }

  @Test("Of readings every minute those start a cycle that come 4.2 minutes after another or later")
  func everyMinute() throws {
    var maker = RecordMaker()
    for step in 0..<60 as Range<Int64> { maker.glucose(110, .minutes(1) * step) }
    let result = test(maker)
    let starts = (0..<12 as Range<Int64>).map { RecordMaker.midnight + .minutes(5) * $0 }
    #expect(result.rows.map(\.instant) == starts && result.readingsBetween == 48)
    let told =
      "48 readings lie within 4.2 minutes of a cycle that another starts, and start none, as in "
      + "the app: later cycles go by them."
    #expect(BacktestText.lacking(result).contains(told))
    // Where the loop says when it had its cycles, those next to them do.
    let said = (0..<12 as Range<Int64>).map { step in
      LoopFigures(
        instant: RecordMaker.midnight + .minutes(5) * step + .minutes(2) + .seconds(10),
        insulinOnBoard: 0, carbsOnBoard: 0, predictionStart: RecordMaker.midnight, predicted: [])
    }
    let own = Backtest(
      "own", samples: maker.samples, therapy: therapy, clock: .utc, figures: said)
    #expect(own.rows.map(\.instant) == starts.map { $0 + .minutes(2) })
  }

  @Test("Thousands of readings within two seconds start one cycle", .timeLimit(.minutes(1)))
  func atOnce() throws {
    var maker = RecordMaker()
    for step in 0..<20_000 as Range<Int64> {
      maker.glucose(110 + Double(step % 200) / 100, .milliseconds(step / 10))
    }
    maker.glucose(110, .minutes(5))
    #expect(test(maker).rows.count == 2)
  }

  @Test("A jump of glucose counts by the rules of the app whose therapy it is")
  func generation() throws {
    var maker = RecordMaker()
    for step in 0..<24 as Range<Int64> { maker.glucose(110, .minutes(5) * step) }
    maker.glucose(160, .hours(2))
    func predicted(_ generation: LoopGeneration) throws -> Double {
      let result = Backtest(
        "jump", samples: maker.samples, therapy: therapy, generation: generation, clock: .utc)
      return try #require(result.rows.last?.predicted[0])
    }
    // LoopAlgorithm takes neither momentum nor retrospection after a jump of 50 mg/dL. In Loop 3
    // both count: retrospection alone, 50 mg/dL in half an hour that fade within one, gives more
    // than 30.
    #expect(abs(try predicted(.current) - 160) < 1e-9)
    #expect(try predicted(.older) > 190)
  }

  @Test("The share that Loop 3 gives at once follows the time since the cycle before")
  func shareOfOlderApp() throws {
    var maker = RecordMaker()
    for step in 0..<6 as Range<Int64> { maker.glucose(200, .seconds(270) * step) }
    var therapy = therapy
    therapy.strategy = .automaticBolus
    func boluses(_ generation: LoopGeneration) -> [Double] {
      Backtest(
        "share", samples: maker.samples, therapy: therapy, generation: generation, clock: .utc
      ).rows.map { $0.bolus ?? .nan }
    }
    // (200 - 107.5) / 50 = 1.85 U, of which 0.4 are 0.74, and nine tenths of these 0.666.
    let whole = [0.74, 0.74, 0.74, 0.74, 0.74, 0.74]
    let parts = [0.74, 0.666, 0.666, 0.666, 0.666, 0.666]
    #expect(zip(boluses(.current), whole).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(zip(boluses(.older), parts).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test("A record without insulin is replayed under inhaled insulin, too")
  func inhaled() {
    var therapy = therapy
    therapy.insulinType = .afrezza
    therapy.usesMidAbsorptionISF = true
    let result = Backtest("inhaled", samples: flat().samples, therapy: therapy, clock: .utc)
    #expect(result.rows.count == 120)
    #expect(result.rows.allSatisfy { $0.error == nil && $0.predicted[3] == 110 })
  }
}
