import ClosedLoop
import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Insulin of a record with which a backtest does not reckon")
struct BacktestInsulinTests {
  private let therapy = TherapySettings.ofMaker

  @Test("Basal of another app than Loop is told as not read, and not that there is none")
  func otherBasal() {
    var maker = RecordMaker()
    for step in 0..<120 as Range<Int64> { maker.glucose(110, .minutes(5) * step) }
    maker.day(by: "Other")
    maker.bolus(2, .hours(2), by: "Other")
    maker.bolus(1, .hours(3), hasReason: false)
    maker.food(20, .hours(2))
    let result = Backtest("plain", samples: maker.samples, therapy: therapy, clock: .utc)
    #expect(
      BacktestText.lacking(result) == [
        "48 samples of basal, 14.4 U, are of no app built on LoopKit, whose basal alone an app "
          + "reads: no cycle reckons with them.",
        "1 sample of insulin, 1 U, is not said to be basal or boluses: no cycle reckons with it.",
        "For 48 of 120 cycles the record holds no insulin that counts of the six hours before: "
          + "they are reckoned as if the therapy's scheduled basal, and nothing else, had been "
          + "given.",
        "For 72 of 120 cycles the record holds no basal that counts of the six hours before: they "
          + "are reckoned as if the therapy's scheduled basal had been given.",
      ])
  }

  @Test("Basal that another app copied is not read, and so not counted twice")
  func copiedBasal() {
    var maker = RecordMaker()
    maker.day()
    maker.day(by: "Cloud")
    maker.bolus(2, .hours(12))
    #expect(BacktestText.twice(Audit.copies(in: maker.samples)) == nil)
    #expect(Audit(maker.samples, Audit.Options()).contains(.duplicateAcross))
    maker.bolus(2, .hours(12) + .seconds(20), by: "Cloud")
    #expect(
      BacktestText.twice(Audit.copies(in: maker.samples))
        == "The record holds 2 U of insulin twice, and every cycle counts them twice; 'loopsim "
        + "audit' names them.")
  }

  @Test("Basal that lasts for days is known, and given, to its end")
  func longBasal() throws {
    var maker = RecordMaker()
    maker.basal(36, .zero, .hours(60))
    for step in 0..<720 as Range<Int64> { maker.glucose(110, .minutes(5) * step) }
    let result = Backtest("plain", samples: maker.samples, therapy: therapy, clock: .utc)
    // 0.6 U/h in five minutes.
    #expect(result.rows.allSatisfy { abs($0.delivered - 0.05) < 1e-9 })
    // At the first reading nothing had been given.
    #expect(result.rows.dropFirst().allSatisfy { $0.known == .basal })
  }

  @Test("A suspension of two days lacks the schedule to its end")
  func longSuspension() throws {
    var maker = RecordMaker()
    maker.day(without: Set(2..<48))
    maker.basal(0, .hours(1), .hours(49), isSuspend: true)
    maker.basal(0.3, .hours(49), .hours(49) + .minutes(30))
    let points = Audit(maker.samples).insulinOnBoard.points
    func onBoard(_ span: TimeSpan) throws -> Double {
      try #require(points.first { $0.instant == RecordMaker.midnight + span }).all
    }
    // What the schedule did not give in six hours and ten minutes is the same at any hour.
    #expect(try onBoard(.hours(20)) < -1)
    #expect(abs(try onBoard(.hours(48)) - (try onBoard(.hours(20)))) < 1e-9)
  }
}
