import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Glooko's tables of boluses and of basal")
struct GlookoTableTests {
  private func read(_ text: String) throws -> (table: RecordTable, samples: [Sample]) {
    let problems = ProblemList()
    let found = RecordTable.read(Array(text.utf8), file: "g.csv", problems: problems)
    var table = try #require(found, "\(problems.sorted)")
    #expect(table.program == "Glooko")
    let samples = table.samples(on: WallClock(initialOffset: .hours(1))).map(\.sample)
    return (table, samples)
  }

  @Test("A bolus is what was delivered, its food is read, and what was given later is told")
  func boluses() throws {
    let (table, _) = try read(
      """
      Name:Jane Doe,Date Range:2026-07-01 - 2026-07-02
      Timestamp,Insulin Type,Blood Glucose Input (mg/dl),Carbs Input (g),Carbs Ratio,\
      Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
      2026-07-01 17:20,Normal,188.0,44.0,8.0,5.5,5.5,0.0,PDM1
      2026-07-01 20:00,Combination,0.0,0.0,10.0,3.0,1.0,2.0,PDM1
      """)
    #expect(table.rows.map(\.value) == [.bolus(5.5), .carbohydrates(44), .bolus(3)])
    #expect(table.report.remarks.map(\.count) == [1])
    #expect(table.report.omissions.isEmpty)
  }

  @Test("A bolus of which only the parts are stated is their sum")
  func parts() throws {
    let (table, _) = try read(
      """
      Name:Jane Doe,Date Range:2026-07-01 - 2026-07-02
      Timestamp,Insulin Type,Blood Glucose Input (mg/dl),Carbs Input (g),Carbs Ratio,\
      Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
      2026-07-01 17:20,Normal,0,,8.0,,1.5,,PDM1
      2026-07-01 20:00,Combination,0,,10.0,,1.0,2.5,PDM1
      """)
    #expect(table.rows.map(\.value) == [.bolus(1.5), .bolus(3.5)])
    #expect(table.report.omissions.isEmpty)
    #expect(table.report.remarks.map(\.count) == [1])
    #expect(table.report.remarks.first?.first?.line == 4)
  }

  @Test("A part of a delivery is not below 0, whatever the parts come to")
  func partsBelowZero() {
    let problems = ProblemList()
    let text = """
      Name:Jane Doe,Date Range:2026-07-01 - 2026-07-02
      Timestamp,Insulin Type,Blood Glucose Input (mg/dl),Carbs Input (g),Carbs Ratio,\
      Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
      2026-07-01 20:00,Combination,0,,10.0,,-1.0,2.5,PDM1
      2026-07-01 21:00,Combination,0,,10.0,,2.5,-1.0,PDM1
      """
    let table = RecordTable.read(Array(text.utf8), file: "g.csv", problems: problems)
    #expect(table == nil)
    let sentence = "\"-1.0\" is no amount, as it is below 0. Write a number from 0 on."
    #expect(
      problems.sorted.map { "\($0)" } == [
        "g.csv:3:39: error: \(sentence)", "g.csv:4:43: error: \(sentence)",
      ])
  }

  @Test("Basal is its units or its rate over its minutes, in any language")
  func basal() throws {
    let (table, samples) = try read(
      """
      Name:Jane Doe,Datumsbereich:01.07.2026 - 02.07.2026
      Zeitstempel,Insulin-Typ,Dauer (Minuten),Prozentsatz (%),Rate,Abgegebenes Insulin (E),\
      Seriennummer
      01.07.2026 02:00,Eingeplant,30,,"0,6",,PDM1
      01.07.2026 01:00,Temporär,60,150,"0,9","0,85",PDM1
      01.07.2026 00:30,Unterbrechung,30,,,,PDM1
      01.07.2026 00:25,Automatisch,5,,,"0,1",PDM1
      01.07.2026 00:20,Eingeplant,,,"0,6",,PDM1
      """)
    let made = samples.map { sample in
      let minutes = (sample.end - sample.start).minutes
      let temp = sample.metadata.programmedTempBasalRate == nil ? "" : " temp"
      let suspend = sample.metadata.isSuspend == true ? " suspend" : ""
      return "\(sample.start) \(minutes) \(sample.storedValue ?? -1)\(temp)\(suspend)"
    }
    #expect(
      made == [
        "2026-06-30T23:25:00Z 5.0 0.1", "2026-06-30T23:30:00Z 30.0 0.0 suspend",
        "2026-07-01T00:00:00Z 60.0 0.85 temp", "2026-07-01T01:00:00Z 30.0 0.3",
      ])
    #expect(samples.allSatisfy { $0.metadata.insulinDeliveryReason == .basal })
    #expect(
      table.report.omissions.map(\.reason) == [
        "basal without a duration, or without a rate or units"
      ])
  }
}
