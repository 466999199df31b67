import Interchange
import StructuredText
import Testing

@testable import Formats

@Suite("Loop testing scenarios")
struct LoopScenarioTests {
  /// A small testing scenario with everything before and after the reference date.
  static let text = """
    {"glucoseValues": [{"mgdlValue": 101.5, "dateOffset": -600}, {"mgdlValue": 104, "dateOffset": \
    -300.0},
       {"mgdlValue": 107, "dateOffset": 0}, {"mgdlValue": 111, "dateOffset": 300}],
     "basalDoses": [{"unitsPerHourValue": 1.2, "dateOffset": -1800, "duration": 1800},
       {"unitsPerHourValue": 0, "dateOffset": 600, "duration": 1200}],
     "bolusDoses": [{"unitsValue": 2.5, "dateOffset": -900, "deliveryDuration": 90},
       {"unitsValue": 1, "dateOffset": 1200, "deliveryDuration": 60}],
     "carbEntries": [{"gramValue": 20, "dateOffset": -300, "absorptionTime": 10800},
       {"gramValue": 15, "dateOffset": 900, "absorptionTime": 7200, "enteredAtOffset": -900},
       {"gramValue": 12, "dateOffset": -600, "absorptionTime": 3600, "enteredAtOffset": 450}],
     "deviceActions": [{"managerIdentifier": "pump", "details": "x"}]}
    """

  static func outcome(_ text: String, base: String? = "base/adult.json5") throws -> ImportOutcome {
    let importer = try #require(LoopScenarioImporter(start: "2026-01-05T12:00:00", base: base))
    return importer.importing(Array(text.utf8), file: "Sine Curve.json")
  }

  @Test("Past and future around the reference date become history and events")
  func imports() throws {
    let outcome = try Self.outcome(Self.text)
    let scenario = try #require(outcome.scenario)
    #expect(outcome.id == "sine-curve")
    #expect(scenario.at("extends") == ["base/adult.json5"])
    #expect(scenario.at("patient", "initialGlucose") == 107)
    #expect(scenario.at("clock", "duration") == "1h")
    #expect(scenario.at("history", "glucose") == [["-10m", 101.5], ["-5m", 104], ["+0m", 107]])
    #expect(scenario.at("cgm", "trace") == [["+5m", 111]])
    #expect(scenario.at("history", "doses", "0", "basal") == 1.2)
    #expect(scenario.at("history", "doses", "1", "bolus") == 2.5)
    #expect(scenario.at("history", "carbs")?.count == 1)
    let events = try #require(scenario.at("events"))
    #expect(events.at("0", "at") == "d0 12:07:30")
    #expect(events.at("0", "entry", "grams") == 12)
    #expect(events.at("0", "entry", "eatenAt") == "-17m30s")
    #expect(events.at("1", "basal", "duration") == "20m")
    #expect(events.at("2", "meal", "grams") == 15)
    #expect(events.at("2", "entry", "at") == "-15m")
    #expect(events.at("3", "bolus", "units") == 1)
    // No limit of the app cuts what the pump has given.
    #expect(events.at("3", "bolus", "by") == "pump")
    #expect(outcome.count(.lost) == 1)
    #expect(outcome.count(.decided) == 5)
    let sentences = outcome.problems.map(\.sentence).filter { $0.contains("after the start") }
    #expect(
      sentences == [
        "2 doses after the start become events; Loop leaves them out until time is stepped. "
          + "A bolus is given on the pump, as it is there.",
        "3 readings are the past; 1 after the start is shown again.",
        "1 carb entry is made after the start; Loop hides it until then.",
      ])
  }

  @Test("Import, export and import again is a fixed point")
  func isAFixedPoint() throws {
    let first = try #require(try Self.outcome(Self.text).text())
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: first, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: problems).exporting(root)
    #expect(problems.problems.isEmpty)
    let again = try Self.outcome(JSONWriter().text(exported)).text()
    #expect(again == first)
  }

  @Test("Asked for, the body makes its own glucose, and an export still has the readings")
  func leavesGlucoseToTheBody() throws {
    let importer = try #require(
      LoopScenarioImporter(start: "2026-01-05T12:00:00", base: "b.json5", replaysGlucose: false))
    let outcome = importer.importing(Array(Self.text.utf8), file: "a.json")
    let scenario = try #require(outcome.scenario)
    #expect(scenario.at("cgm") == nil)
    #expect(scenario.at("x-loop", "futureGlucose") == [["+0m", 107], ["+5m", 111]])
    #expect(
      outcome.problems.map(\.sentence).filter { $0.hasPrefix("1 reading ") } == [
        "1 reading after the start is a remark; the body makes its own glucose.",
        "1 reading lies at the start, where the body begins and the sensor shows its own, and is a "
          + "remark.",
      ])
    // The body starts with the reading at the start, and the sensor measures that.
    #expect(scenario.at("history", "glucose") == [["-10m", 101.5], ["-5m", 104]])
    let text = try #require(outcome.text())
    let root = try #require(JSONReader.read(text: text, file: "a").root)
    let exported = LoopScenarioExporter(problems: ProblemList()).exporting(root)
    #expect(exported.at("glucoseValues")?.count == 4)
    // Without a base nothing else says where the body begins.
    let bare = try #require(
      LoopScenarioImporter(start: "2026-01-05T12:00:00", replaysGlucose: false))
    let alone = try #require(bare.importing(Array(Self.text.utf8), file: "a.json").scenario)
    #expect(alone.at("history", "glucose") == [["-10m", 101.5], ["-5m", 104], ["+0m", 107]])
    #expect(alone.at("x-loop", "futureGlucose") == [["+5m", 111]])
  }

  @Test("An export holds the same data as the file it came from, in the app's own form")
  func exports() throws {
    let first = try #require(try Self.outcome(Self.text).text())
    let root = try #require(JSONReader.read(text: first, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: ProblemList()).exporting(root)
    #expect(exported.at("glucoseValues")?.count == 4)
    #expect(exported.at("glucoseValues", "0", "dateOffset") == -600)
    #expect(exported.at("basalDoses", "1", "duration") == 1_200)
    #expect(exported.at("bolusDoses", "0", "deliveryDuration") == 90)
    #expect(exported.at("deviceActions", "0", "managerIdentifier") == "pump")
  }

  @Test("What a testing scenario cannot say is reported with its place")
  func reportsWhatIsLost() throws {
    let text = """
      {clock: {start: '2026-01-05T12:00:00'}, history: {glucose: {flat: 120}},
       events: [{at: '+1h', suspend: true}, {at: '18:00', meal: {grams: 30}},
         {at: '13:00', meal: {grams: 10}, entry: false}],
       faults: [{at: '+1h', cgm: {dropout: {}}}]}
      """
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: text, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: problems).exporting(root)
    #expect(problems.problems.map(\.position.line) == [2, 3, 4])
    #expect(exported.at("carbEntries", "0", "dateOffset") == 21_600)
    #expect(exported.at("glucoseValues")?.count == 73)
  }

  @Test("Times of day, days and dates are times in history and readings, as they are in a run")
  func exportsTimes() throws {
    let text = """
      {clock: {start: '2026-01-05T12:00:00'},
       history: {glucose: [['2026-01-05T11:55:00', 119], ['+0m', 118]],
         doses: [{at: '2026-01-05T11:00:00', bolus: 1},
           {at: 'd0 11:10', basal: 2, duration: '20m'}],
         carbs: [{at: '2026-01-05T11:30:00', grams: 20}]},
       cgm: {model: 'trace', trace: [['12:05', 120], ['+10m', 121]]}}
      """
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: text, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: problems).exporting(root)
    #expect(problems.problems.isEmpty, "\(problems.problems)")
    #expect(
      exported.at("glucoseValues") == [
        ["mgdlValue": 119, "dateOffset": -300], ["mgdlValue": 118, "dateOffset": 0],
        ["mgdlValue": 120, "dateOffset": 300], ["mgdlValue": 121, "dateOffset": 600],
      ])
    #expect(exported.at("bolusDoses", "0", "dateOffset") == -3_600)
    #expect(exported.at("basalDoses", "0", "dateOffset") == -3_000)
    #expect(exported.at("carbEntries", "0", "dateOffset") == -1_800)
  }

  @Test("Readings after the start go over beside a past that is flat")
  func exportsReadingsAfterFlat() throws {
    let text = """
      {clock: {start: '2026-01-05T12:00:00'}, history: {glucose: {flat: 120}},
       cgm: {model: 'trace', trace: [['+5m', 150], ['+10m', 160]]}}
      """
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: text, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: problems).exporting(root)
    #expect(problems.problems.isEmpty)
    // Six hours of every five minutes with both ends, and two.
    #expect(exported.at("glucoseValues")?.count == 75)
    #expect(exported.at("glucoseValues", "72", "dateOffset") == 0)
    #expect(exported.at("glucoseValues", "72", "mgdlValue") == 120)
    #expect(exported.at("glucoseValues", "74", "dateOffset") == 600)
    #expect(exported.at("glucoseValues", "74", "mgdlValue") == 160)
  }

  @Test("Readings, doses and food go over with times of day and dates, and each reading once")
  func exportsDates() throws {
    let text = """
      {clock: {start: '2026-01-05T12:00:00'}, history: {
         glucose: [['2026-01-05T11:55:00', 120], ['2026-01-05T12:00:00Z', 121], ['+5m', 5]],
         doses: [{at: '2026-01-05T11:00:00', bolus: 2}],
         carbs: [{at: '2026-01-05T10:00:00', grams: 20}]},
       cgm: {model: 'trace', trace: [['+0m', 121], ['12:30', 150], ['d0 12:35', 160]]}}
      """
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: text, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: problems).exporting(root)
    #expect(problems.problems.isEmpty)
    let readings = try #require(exported.at("glucoseValues"))
    #expect(readings.count == 4)
    for (index, offset) in [-300, 0, 1_800, 2_100].enumerated() {
      #expect(readings.at("\(index)", "dateOffset") == .integer(Int64(offset)))
    }
    #expect(exported.at("bolusDoses", "0", "dateOffset") == -3_600)
    #expect(exported.at("carbEntries", "0", "dateOffset") == -7_200)
    // Another sensor does not show the trace.
    let ideal = try #require(
      JSONReader.read(text: text.replacing("'trace'", with: "'ideal'"), file: "a.json5").root)
    let other = LoopScenarioExporter(problems: problems).exporting(ideal)
    #expect(other.at("glucoseValues")?.count == 2)
  }

  @Test("An entry goes over as the app is told of it, with what the meal says where it is silent")
  func exportsEntries() throws {
    let text = """
      {clock: {start: '2026-01-05T12:00:00'}, history: {carbs: [{at: '-30m', grams: 8,
        entered: false}], doses: [{at: '-1h', bolus: 2, reported: 1.5}]}, events: [
        {at: '13:00', meal: {grams: 30, absorption: '2h30m'}, entry: {grams: 40, at: '13:20',
          eatenAt: '+5m'}},
        {at: '14:00', meal: {grams: 20, absorption: '2h'}, entry: {absorption: '4h'}},
        {at: '15:00', entry: {grams: 5, eatenAt: '-10m', edits: [{at: '+1h', grams: 6}]}},
        {at: '16:00', bolus: {units: 3, cancelAt: '+30s'}},
        {at: '17:00', if: 'glucose.cgm < 70', meal: {grams: 15}}]}
      """
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: text, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: problems).exporting(root)
    #expect(problems.sorted.map(\.position.line) == [1, 2, 3, 5, 6, 7, 8])
    func carbs(_ place: String, _ key: String) -> JSONValue? {
      exported.at("carbEntries", place, key)
    }
    #expect(exported.at("carbEntries")?.count == 3)
    #expect(carbs("0", "gramValue") == 40)
    #expect(carbs("0", "dateOffset") == 3_900)
    #expect(carbs("0", "enteredAtOffset") == 4_800)
    #expect(carbs("0", "absorptionTime") == 9_000)
    #expect(carbs("1", "gramValue") == 20)
    #expect(carbs("1", "absorptionTime") == 14_400)
    #expect(carbs("1", "enteredAtOffset") == nil)
    #expect(carbs("2", "dateOffset") == 10_200)
    #expect(carbs("2", "enteredAtOffset") == 10_800)
    #expect(exported.at("bolusDoses", "0", "unitsValue") == 1.5)
    #expect(exported.at("bolusDoses", "1", "unitsValue") == 3)
  }

  @Test("Glucose goes over in mg/dL, and time as it passes where clocks change")
  func exportsUnitsAndTime() throws {
    let text = """
      {glucoseUnit: 'mmol/L', clock: {start: '2026-03-08T00:30:00', timeZone: 'America/Chicago'},
       history: {glucose: [['-5m', 5.5], ['+0m', 6]]},
       events: [{at: '03:10', bolus: {units: 1}}, {at: 'd0 04:00', meal: {grams: 9}}]}
      """
    let root = try #require(JSONReader.read(text: text, file: "a.json5").root)
    let exported = LoopScenarioExporter(problems: ProblemList()).exporting(root)
    // 5.5 and 6 times 18.0156; from 00:30 to 03:10 pass 1 h 40 min, for 02:00 is 03:00.
    #expect(exported.at("glucoseValues", "0", "mgdlValue") == 99.09)
    #expect(exported.at("glucoseValues", "1", "mgdlValue") == 108.09)
    #expect(exported.at("bolusDoses", "0", "dateOffset") == 6_000)
    #expect(exported.at("carbEntries", "0", "dateOffset") == 9_000)
  }

  /// A file with some of the lists, which are empty else.
  private static func file(basals: String = "", boluses: String = "", carbs: String = "") -> String
  {
    """
    {"glucoseValues": [{"mgdlValue": 110, "dateOffset": -300}], "basalDoses": [\(basals)],
     "bolusDoses": [\(boluses)], "carbEntries": [\(carbs)]}
    """
  }

  @Test(
    "No part of a temp basal is too short for a scenario",
    arguments: [
      // A day and half a minute: the first part leaves the last a minute more.
      ("-90000", "86430", ["23h59m", "1m30s"]), ("-90000", "86400", ["24h"]),
      // Of the two minutes from 3 days and 100 seconds before the start 20 seconds are left.
      ("-259300", "120", []), ("-259300", "160", ["1m"]),
    ] as [(String, String, [String])])
  func dividesBasals(offset: String, duration: String, parts: [String]) throws {
    let outcome = try Self.outcome(
      Self.file(
        basals: """
          {"unitsPerHourValue": 1, "dateOffset": \(offset), "duration": \(duration)}
          """))
    let history = try #require(outcome.scenario, "\(outcome.problems)").at("history")
    let doses = history?.at("doses")
    #expect((doses?.count ?? 0) == parts.count)
    for (index, part) in parts.enumerated() {
      #expect(doses?.at("\(index)", "duration") == .string(part))
    }
    #expect((outcome.count(.lost) > 0) == parts.isEmpty)
  }

  @Test("Food of long ago that is entered after the start is left out once")
  func leavesOutOnce() throws {
    let outcome = try Self.outcome(
      Self.file(
        carbs: """
          {"gramValue": 30, "dateOffset": -345600, "absorptionTime": 10800, "enteredAtOffset": 600}
          """))
    for quantity in [ImportAccount.Quantity.carbohydratesEaten, .carbohydratesEntered] {
      #expect(outcome.account.unexplained(of: quantity) == ImportAccount.Amount(0))
    }
  }

  @Test("A run has time left for what begins last", arguments: [(3_599, "1h"), (3_600, "2h")])
  func lasts(offset: Int, duration: String) throws {
    let outcome = try Self.outcome(
      Self.file(
        boluses: "{\"unitsValue\": 1, \"dateOffset\": \(offset), \"deliveryDuration\": 0}"))
    #expect(outcome.scenario?.at("clock", "duration") == .string(duration))
  }

  @Test("A file without body and therapy says so")
  func asksForABase() throws {
    let outcome = try Self.outcome(Self.text, base: nil)
    #expect(outcome.scenario?.at("patient") == nil)
    #expect(outcome.problems.contains { $0.sentence.contains("--extends") })
    #expect(LoopScenarioImporter(start: "noon") == nil)
  }

  @Test(
    "A file that cannot be used gives a located reason",
    arguments: [
      "", "[]", "{\"glucoseValues\": []}",
      "{\"glucoseValues\": [{}], \"basalDoses\": [], \"bolusDoses\": [], \"carbEntries\": []}",
      "{\"glucoseValues\": 5, \"basalDoses\": [], \"bolusDoses\": [], \"carbEntries\": []}",
      "{\"glucoseValues\": [{\"mgdlValue\": 1e9, \"dateOffset\": 0}], \"basalDoses\": [], "
        + "\"bolusDoses\": [], \"carbEntries\": []}",
    ])
  func refuses(text: String) throws {
    let outcome = try Self.outcome(text)
    #expect(outcome.scenario == nil)
    #expect(outcome.problems.contains { $0.severity == .error && $0.code != nil })
  }
}
