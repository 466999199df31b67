import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Tables with several sections, each below names of its own")
struct TableSectionTests {
  private static let head = """
    Tandem Diabetes Care Inc.
    t:connect Therapy Timeline Data Export
    Patient Name, Sample Name
    Patient DOB, 1/1/1990
    Report Generated On, 4/24/2026 7:50:04 PM

    """
  private static let readings = """
    DeviceType,SerialNumber,Description,EventDateTime,Readings (CGM / BGM)
    "t:slim X2 Insulin Pump","11111111","EGV","2026-04-01T00:01:33","235",
    "t:slim X2 Insulin Pump","11111111","EGV","2026-04-01T00:06:33","230",
    "t:slim X2 Insulin Pump","11111111","BG","2026-04-01T00:07:10","241",

    """
  private static let onBoard = """
    Type,EventID,EventDateTime,IOB
    "IOB","81","2026-04-01T00:00:19","13.24"
    "IOB","9","2026-04-01T00:03:12","12.80"

    """
  private static let rates = """
    Type,EventDateTime,BasalRate
    "Basal","2026-04-01T00:00:00","0.8"

    """
  private static let boluses = """
    Type,Description,BG,CompletionDateTime,InsulinDelivered,BolexStartDateTime,\
    BolexCompletionDateTime,BolexInsulinDelivered,EventDateTime,RequestDateTime,CarbSize
    "Bolus","Standard/Correction","141","2026-04-01T12:58:26","13.53",,,,\
    "2026-04-01T12:53:36","2026-04-01T12:53:36","75",
    "Bolus","Extended 50.00%/0.25","131","2026-04-01T16:03:25","0.20","2026-04-01T16:03:25",\
    "2026-04-01T16:18:25","0.35","2026-04-01T16:02:04","2026-04-01T16:02:04","0",

    """

  private func good(_ text: String) throws -> RecordTable {
    let problems = ProblemList()
    let table = RecordTable.read(Array(text.utf8), file: "a.csv", problems: problems)
    return try #require(table, "\(problems.sorted)")
  }

  @Test("t:connect: sections are read in any order, and what they hold besides is counted")
  func readsTConnect() throws {
    let (readings, onBoard, rates, boluses) = (
      Self.readings, Self.onBoard, Self.rates, Self.boluses
    )
    for order in [[readings, onBoard, rates, boluses], [boluses, rates, readings, onBoard]] {
      var table = try good(([Self.head] + order).joined(separator: "\n"))
      #expect(table.program == "t:connect")
      #expect(table.glucoseColumns == ["Readings (CGM / BGM)"])
      #expect(
        Set(table.rows.map(\.value)) == [
          .glucose(235), .glucose(230), .meter(241), .bolus(13.53), .carbohydrates(75),
          .bolus(0.2), .bolus(0.35),
        ])
      #expect(table.rows.count == 7)
      #expect(
        table.report.omissions.map { "\($0.count) \($0.reason)" }.sorted() == [
          "1 basal rates, which are not read: the basal insulin of the table is missing",
          "2 insulin on board that the pump computed",
        ])
      let doses = table.samples(on: .utc).map(\.sample)
        .filter { $0.type == .insulinDelivery }
      #expect(
        doses.map { "\($0.start) \(($0.end - $0.start).minutes)" } == [
          "2026-04-01T12:53:36Z 0.0", "2026-04-01T16:02:04Z 0.0", "2026-04-01T16:03:25Z 15.0",
        ])
    }
  }

  @Test("CareLink: a day's sum of automatic insulin is no bolus at midnight")
  func leavesOutSums() throws {
    let names = """
      Index;Date;Time;Bolus Type;Bolus Volume Delivered (U);BWZ Carb Input (grams);\
      Sensor Glucose (mg/dL);Bolus Source
      """
    let table = try good(
      """
      -------;MiniMed 780G MMT-1886;Pump;NG0000000X;-------
      \(names)
      0,0;2026/07/29;11:54:31;Normal;8,0;;;CLOSED_LOOP_FOOD_BOLUS
      1,0;2026/07/29;11:49:09;;;40,00;;
      -------;MiniMed 780G MMT-1886;Pump;NG0000000X;Aggregated Auto Insulin Data
      \(names)
      2,0;2026/07/29;00:00:00;Normal;27,895;;;CLOSED_LOOP_AUTO_INSULIN
      -------;MiniMed 780G MMT-1886;Sensor;NG0000000X;-------
      \(names)
      3,0;2026/07/29;18:47:11;;;;117;
      """)
    #expect(table.rows.map(\.value) == [.bolus(8), .carbohydrates(40), .glucose(117)])
    let sums = try #require(table.report.omissions.first { $0.reason.contains("automatic") })
    #expect(sums.count == 1 && sums.first?.line == 7)
  }

  @Test("CareLink: a meal that is marked is food, and of marked insulin no kind is known")
  func readsMarkers() throws {
    let table = try good(
      """
      Index;Date;Time;BWZ Carb Input (grams);Sensor Glucose (mg/dL);Event Marker
      0,0;2026/07/25;09:35:28;;;Meal: 60,00grams
      1,0;2026/07/25;09:36:28;;;Insulin: 27,00
      2,0;2026/07/25;09:40:00;;117;
      3,0;2026/07/25;10:00:00;;;Exercise: Medium
      4,0;2026/07/25;10:05:00;;;Meal: 0,00grams
      """)
    #expect(table.rows.map(\.value) == [.carbohydrates(60), .glucose(117)])
    #expect(
      table.report.omissions.map { "\($0.first?.line ?? 0): \($0.reason)" } == [
        "3: insulin of an event marker, which does not say of what kind it is",
        "5: event markers other than meals in grams", "6: a meal without grams",
      ])
  }

  @Test("A table of one section with t:connect's names is read by these")
  func readsJoinedTables() throws {
    let table = try good(
      """
      EventDateTime,DeviceMode,Basal,Readings (CGM / BGM)
      2026-04-01 00:01:33,sleep,0.8,235
      """)
    #expect(table.rows.map(\.value) == [.glucose(235)])
  }
}
