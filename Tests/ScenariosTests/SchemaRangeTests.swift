import ClosedLoop
import Devices
import Dosing
import Foundation
import Quantities
import ScenarioLanguage
import Simulation
import StructuredText
import Testing

@testable import Scenarios

/// What the reference publishes is what a run is built from: ranges and defaults of every key.
@Suite("Ranges and defaults of the reference")
struct SchemaRangeTests {
  /// Fails where the reference says something else of a form, where a value that it takes is
  /// refused by reading or by the check of the file, or where another one passes.
  private static func expect<Value>(
    _ form: Form<Value>, _ words: String, takes inside: [String], refuses outside: [String]
  ) throws {
    #expect(form.shape.words == words)
    for (text, isInside) in inside.map({ ($0, true) }) + outside.map({ ($0, false) }) {
      let (reading, checking) = (ProblemList(), ProblemList())
      let node = try #require(JSONReader.read(text: text, file: "probe").root)
      let isRead = form.read(Field(node, in: .plain, problems: reading)) != nil
      let field = Field(node, in: .plain, problems: checking)
      SchemaCheck(problems: checking).check(field, form.shape)
      #expect((isRead && !reading.hasErrors) == isInside, "\(words): \(text)")
      #expect(!checking.hasErrors == isInside, "\(words): \(text)")
    }
  }

  @Test("A form takes both ends of the range that the reference says, and nothing beyond them")
  func forms() throws {
    try Self.expect(
      .number(0.05...20, "mg/dL"), "number 0.05 … 20 mg/dL", takes: ["0.05", "20"],
      refuses: ["0.049", "20.1", "'1'"])
    try Self.expect(
      .integer(1...1_000), "whole number 1 … 1000", takes: ["1", "1000"],
      refuses: ["0", "1001", "1.5"])
    try Self.expect(
      .law(0.1...200, "g"), "number or law 0.1 … 200 g",
      takes: ["0.1", "200", "{ uniform: [0.1, 200] }"], refuses: ["0.09", "{ uniform: [1, 201] }"])
    try Self.expect(
      .glucose(20...600), "glucose 20 … 600 mg/dL", takes: ["20", "600"], refuses: ["19", "601"])
    try Self.expect(
      .glucoseChange(-200...200), "glucose difference -200 … 200 mg/dL", takes: ["-200", "200"],
      refuses: ["-201", "201"])
    try Self.expect(
      .glucoseRange(40...400), "`[low, high]` glucose 40 … 400 mg/dL", takes: ["[40, 400]"],
      refuses: ["[39, 400]", "[40, 401]", "[100, 90]"])
    try Self.expect(
      .units(0.001...50), "insulin 0.001 … 50 U, whole milliunits", takes: ["0.001", "50"],
      refuses: ["0", "50.001", "0.0015"])
    try Self.expect(
      .rate(0...35), "insulin rate 0 … 35 U/h, whole milliunits", takes: ["0", "35"],
      refuses: ["-0.001", "35.001"])
    try Self.expect(
      Form.sensitivity, "glucose per U 1 … 2000 mg/dL", takes: ["1", "2000"],
      refuses: ["0.9", "2001"])
    try Self.expect(
      Form.carbRatio, "number 0.1 … 500 g/U", takes: ["0.1", "500"], refuses: ["0.09", "501"])
    try Self.expect(
      .duration(.minutes(1)...(.hours(1))), "duration 1m … 1h", takes: ["'1m'", "'1h'"],
      refuses: ["'59s'", "'61m'", "5"])
    try Self.expect(
      .durationPerDay(.hours(-12)...(.hours(12))), "duration -12h … 12h for each day (`'2s/day'`)",
      takes: ["'12h/day'", "'-12h/day'"], refuses: ["'721m/day'", "'-13h/day'", "'12h'"])
    try Self.expect(
      .durationLaw(.minutes(10)...(.hours(12))), "duration or law 10m … 12h",
      takes: ["'10m'", "'12h'"], refuses: ["'9m'", "'13h'"])
    try Self.expect(
      .schedule(.rate(0...50)), "schedule of insulin rate 0 … 50 U/h, whole milliunits",
      takes: ["[['00:00', 0]]", "[['00:00', 50]]"], refuses: ["[['00:00', 50.001]]", "[]"])
    try Self.expect(
      .listOrOne(.units(0...1)), "insulin 0 … 1 U, whole milliunits, or a list of them",
      takes: ["1", "[0, 1]"], refuses: ["1.001", "[-0.001]"])
    try Self.expect(
      .either(.words([("none", 0.0)]), .number(2...3)), "`'none'`, or number 2 … 3",
      takes: ["'none'", "2", "3"], refuses: ["'some'", "1.9", "true"])
  }

  @Test(
    "Keys of the expansion take both ends of their ranges",
    arguments: [
      ("random: { replicates: N }", 1, 1_000_000), ("random: { replicate: N }", 0, 999_999),
      ("budget: { maxRuns: N }", 1, 100_000_000), ("budget: { maxSeconds: N }", 0, 1_000_000_000),
    ] as [(String, Int, Int)])
  func rangesOfTheExpansion(text: String, low: Int, high: Int) {
    for (value, isInside) in [(low, true), (high, true), (low - 1, false), (high + 1, false)] {
      let body = text.replacingOccurrences(of: "N", with: "\(value)")
      let problems = ProblemList()
      var reader = ScenarioReader(
        files: MemoryFiles([
          "s.json5": """
          { format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
            \(body)\(body.hasPrefix("budget") ? "" : ", budget: { maxRuns: 100000000 }") }
          """
        ]))
      _ = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
      #expect(problems.hasErrors != isInside, "\(body): \(problems.sorted)")
    }
  }

  // MARK: - Defaults in words

  /// The figures that `loopsim sensors` lists.
  @Test(
    "What a scenario leaves to its sensor is the sensor's own, as the reference says",
    arguments: [
      ("ideal", 5, 0, 0, 400), ("gaussian", 5, 0, 0, 400), ("mard9", 5, 0, 0, 400),
      ("ar1", 5, 6, 0, 400), ("dexcomG6", 5, 6, 120, 400), ("libre1", 1, 6, 60, 500),
      ("libre2", 1, 6, 60, 400), ("eversenseE3", 5, 6, 1_440, 400),
    ] as [(String, Int, Int, Int, Double)])
  func sensors(model: String, period: Int, lag: Int, warmUp: Int, highest: Double) throws {
    let built = try BehaviourFixture.built(
      """
      { format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        cgm: { model: '\(model)' } }
      """)
    let profile = built.setup.sensor.profile
    #expect(profile.period.minutes == Double(period))
    #expect(profile.lag.minutes == Double(lag))
    #expect(profile.warmUp.minutes == Double(warmUp))
    #expect(profile.maximum.mgdL == highest)
    for key in ["interval", "lag", "range", "warmUp", "life"] {
      let row = SchemaTable().rows.first { $0.path == "cgm.\(key)" }
      #expect(row?.standard?.hasPrefix("the sensor's own") == true, "\(key)")
    }
  }

  @Test("An entry that nobody eats has no meal whose values it could have")
  func loneEntries() {
    let rows = SchemaTable().rows
    func defaults(_ key: String) -> [String?] {
      rows.filter { $0.path == "events[].entry.\(key)" }.map(\.standard)
    }
    #expect(defaults("absorption") == ["the meal's", "'3h'"])
    #expect(defaults("eatenAt") == ["the meal's", "when it is typed"])
    #expect(defaults("grams") == ["the meal's", nil])
  }

  @Test("Schedules that a therapy leaves out are those of the body's needs")
  func therapies() throws {
    let built = try BehaviourFixture.built(
      """
      { format: 'loopsim/1',
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 12]] } } }
      """)
    let therapy = built.setup.app.configuration.therapy
    #expect(therapy.sensitivity.entries.map(\.value.mgdLPerUnit) == [50])
    #expect(therapy.carbRatio.entries.map(\.value.gramsPerUnit) == [12])
    for key in ["basal", "sensitivity", "carbRatio"] {
      #expect(SchemaTable().rows.first { $0.path == "therapy.\(key)" }?.standard == "the needs")
    }
  }

  // MARK: - Which Loop

  @Test(
    "The algorithm's options are those that the named Loop has",
    arguments: [
      ("", false, "current"), ("algorithm: 'loop-algorithm'", false, "current"),
      ("algorithm: 'loop'", false, "current"), ("algorithm: 'loop-3'", false, "older"),
      ("algorithm: 'loop-3.4'", false, "older"), ("algorithm: 'tidepool'", true, "current"),
      ("algorithm: 'tidepool', midAbsorptionISF: false", false, "current"),
      ("midAbsorptionISF: true", true, "current"),
    ] as [(String, Bool, String)])
  func versions(app: String, isMid: Bool, generation: String) throws {
    let built = try BehaviourFixture.built(BehaviourFixture.text("", days: 1, app: app))
    let configuration = built.setup.app.configuration
    #expect(configuration.therapy.usesMidAbsorptionISF == isMid)
    #expect(configuration.generation.rawValue == generation)
    #expect(configuration.therapy.includesPositiveVelocityAndRC)
    #expect(!configuration.therapy.usesIntegralRetrospectiveCorrection)
  }
}
