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
    Patient Name, Ann Example
    Patient DOB, 2/3/1980
    Report Generated On, 4/25/2026 8:15:00 AM

    """
  private static let readings = """
    DeviceType,SerialNumber,Description,EventDateTime,Readings (CGM / BGM)
    "t:slim X2 Insulin Pump","90200417","EGV","2026-04-01T00:02:11","187",
    "t:slim X2 Insulin Pump","90200417","EGV","2026-04-01T00:07:11","183",
    "t:slim X2 Insulin Pump","90200417","BG","2026-04-01T00:08:05","190",

    """
  private static let onBoard = """
    Type,EventID,EventDateTime,IOB
    "IOB","81","2026-04-01T00:01:05","7.4"
    "IOB","9","2026-04-01T00:04:40","7.1"

    """
  private static let rates = """
    Type,EventDateTime,BasalRate
    "Basal","2026-04-01T00:00:00","0.8"

    """
  private static let boluses = """
    Type,Description,BG,CompletionDateTime,InsulinDelivered,BolexStartDateTime,\
    BolexCompletionDateTime,BolexInsulinDelivered,EventDateTime,RequestDateTime,CarbSize
    "Bolus","Standard/Correction","152","2026-04-01T12:56:41","6.35",,,,\
    "2026-04-01T12:54:10","2026-04-01T12:54:10","48",
    "Bolus","Extended 50.00%/0.25","128","2026-04-01T16:05:10","0.20","2026-04-01T16:05:10",\
    "2026-04-01T16:20:10","0.35","2026-04-01T16:04:00","2026-04-01T16:04:00","0",

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
          .glucose(187), .glucose(183), .meter(190), .bolus(6.35), .carbohydrates(48),
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
        doses.map { "\($0.start) \($0.end)" } == [
          "2026-04-01T12:54:10Z 2026-04-01T12:56:41Z", "2026-04-01T16:04:00Z 2026-04-01T16:05:10Z",
          "2026-04-01T16:05:10Z 2026-04-01T16:20:10Z",
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
      -------;MiniMed 780G MMT-1886;Pump;NG1234567K;-------
      \(names)
      0,0;2026/07/28;12:10:20;Normal;7,5;;;CLOSED_LOOP_FOOD_BOLUS
      1,0;2026/07/28;12:08:00;;;35,00;;
      -------;MiniMed 780G MMT-1886;Pump;NG1234567K;Aggregated Auto Insulin Data
      \(names)
      2,0;2026/07/28;00:00:00;Normal;24,35;;;CLOSED_LOOP_AUTO_INSULIN
      -------;MiniMed 780G MMT-1886;Sensor;NG1234567K;-------
      \(names)
      3,0;2026/07/28;18:40:00;;;;124;
      """)
    #expect(table.rows.map(\.value) == [.bolus(7.5), .carbohydrates(35), .glucose(124)])
    let sums = try #require(table.report.omissions.first { $0.reason.contains("automatic") })
    #expect(sums.count == 1 && sums.first?.line == 7)
  }

  @Test("CareLink: a meal that is marked is food, and of marked insulin no kind is known")
  func readsMarkers() throws {
    let table = try good(
      """
      Index;Date;Time;BWZ Carb Input (grams);Sensor Glucose (mg/dL);Event Marker
      0,0;2026/07/24;09:20:00;;;Meal: 55,00grams
      1,0;2026/07/24;09:21:00;;;Insulin: 16,00
      2,0;2026/07/24;09:40:00;;124;
      3,0;2026/07/24;10:00:00;;;Exercise: Medium
      4,0;2026/07/24;10:05:00;;;Meal: 0,00grams
      5,0;2026/07/24;10:10:00;;;:
      """)
    #expect(table.rows.map(\.value) == [.carbohydrates(55), .glucose(124)])
    #expect(
      table.report.omissions.map { "\($0.first?.line ?? 0): \($0.reason)" } == [
        "3: insulin of an event marker, which does not say of what kind it is",
        "5: event markers other than meals in grams", "6: a meal without grams",
      ])
  }

  @Test("CareLink: of food in exchanges it is said that it is not read, beside a bolus or alone")
  func exchanges() throws {
    let table = try good(
      """
      Index;Date;Time;Bolus Volume Delivered (U);BWZ Carb Ratio (U/Ex);\
      BWZ Carb Input (exchanges);Sensor Glucose (mmol/L)
      0,0;2026/03/04;08:10:00;4;1;4;
      1,0;2026/03/04;08:11:00;;1;4,5;
      2,0;2026/03/04;08:15:00;;;;6,5
      """)
    #expect(table.rows.count == 2 && table.rows.first?.value == .bolus(4))
    let words = "food in exchanges, whose size the table does not state"
    #expect(table.report.remarks.map { "\($0.first?.line ?? 0) \($0.reason)" } == ["2 \(words)"])
    #expect(table.report.omissions.map { "\($0.first?.line ?? 0) \($0.reason)" } == ["3 \(words)"])
  }

  @Test("A table of one section with t:connect's names is read by these")
  func readsJoinedTables() throws {
    let table = try good(
      """
      EventDateTime,DeviceMode,Basal,Readings (CGM / BGM)
      2026-04-01 00:02:11,sleep,0.8,187
      """)
    #expect(table.rows.map(\.value) == [.glucose(187)])
  }
}
