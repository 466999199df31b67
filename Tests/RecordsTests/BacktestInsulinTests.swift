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
}
