import Foundation
import Reports
import StructuredText
import Testing

@testable import loopsim

@Suite("What studies and commands answer")
struct AnswerGuideTests {
  /// The keys of trees, held against those that the guide knows.
  private struct Keys {
    /// Those of the guide.
    let known: Set<String>
    /// Those of the guide that were met.
    var met: Set<String> = []
    /// Those that the guide does not know.
    var unknown: Set<String> = []

    init(_ file: OutputGuide.File) { known = Set(file.names) }

    mutating func read(_ node: JSONNode, at path: String = "") {
      if known.contains(path) {
        met.insert(path)
        return
      }
      switch node.value {
      case .object(let members):
        for member in members {
          read(member.value, at: path.isEmpty ? member.key : "\(path).\(member.key)")
        }
      case .array(let items) where !items.isEmpty:
        // The objects of a list that is the whole of a tree have their keys without it.
        for item in items { read(item, at: path.isEmpty ? "" : "\(path)[]") }
      case .null, .array:
        // What is not there now may have keys at another time.
        let hasKeys = known.contains { $0.hasPrefix("\(path).") || $0.hasPrefix("\(path)[]") }
        if !hasKeys { unknown.insert(path) }
      default: unknown.insert(path)
      }
    }
  }

  private static func described(_ name: String) throws -> OutputGuide.File {
    let files = OutputGuide.chapters.flatMap(\.files)
    return try #require(files.first { $0.name == name }, "\(name)")
  }

  /// Holds texts of JSON against the guide: every key is in it, and it has no other than those
  /// and `rare` ones, of which it has each.
  static func hold(
    _ texts: [String], against name: String, rare: Set<String> = []
  ) throws {
    var keys = Keys(try described(name))
    for text in texts {
      let reading = JSONReader.read(Array(text.utf8), file: name)
      keys.read(try #require(reading.root, "\(reading.problems)"))
    }
    #expect(keys.unknown.sorted() == [], "\(name)")
    #expect(keys.known.subtracting(keys.met).sorted() == rare.sorted(), "\(name)")
  }

  // MARK: - Studies

  static func scenario(_ id: String, _ rest: String) -> String {
    """
    { format: 'loopsim/1', id: '\(id)', clock: { duration: '3h' },
      patient: { model: 'tidepool-simple', initialGlucose: 120, needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      \(rest) }
    """
  }

  private static let cohort = """
    cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
    """

  private static let arms = scenario(
    "arms",
    cohort + """
      events: [{ at: '+30m', suspend: true }, { at: '+40m', resume: true },
        { at: '+1h', bolus: { units: 2 } }],
      variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },
      study: { control: 'plain', strata: 'group', multiplicity: 'holm',
        primary: [{ id: 'first', metric: 'mean', better: 'lower', noninferior: 60 }],
        secondary: [{ id: 'second', metric: 'tir(70,180)', better: 'higher', superior: true,
          daily: ['00:00', '03:00'] }],
        safety: [
          { id: 'mean', metric: 'lows(70)', better: 'lower', per: 'week', harm: { more: 1 } },
        ] }
      """)

  private static let sweep = scenario(
    "sweep",
    cohort + """
      sweep: { 'therapy.maxBolus': [1, 2, 4] },
      study: { control: { 'therapy.maxBolus': 1 },
        primary: [{ id: 'first', metric: 'mean', better: 'lower', noninferior: 60 }] }
      """)

  private static func sampled(_ method: String) -> String {
    scenario(
      method,
      """
      sweep: { \(method): { n: 3, of: { 'cgm.bias.offset': { uniform: [0, 20] },
        'patient.initialGlucose': { uniform: [100, 140] } } } },
      study: { primary: [{ id: 'point', metric: 'mean@cgm', better: 'lower' }] }
      """)
  }

  /// The names in the first line of a table.
  static func header(_ text: String) -> [String] {
    text.prefix { !$0.isNewline }.split(separator: ",").map(String.init)
  }

  static func columns(
    _ name: String, endPoints: [String] = [], settings: [String] = []
  ) throws -> [String] {
    try described(name).columns.flatMap { column in
      switch column.name {
      case "ENDPOINT": endPoints
      case "SETTING": settings
      default: [column.name]
      }
    }
  }

  @Test(
    "Every column of a study's tables and every key of its trees is described, and none besides")
  func studies() async throws {
    let scratch = try Scratch()
    let people = "abcdef".enumerated().map { "\($1),\(30 + 10 * $0),\($0 % 2)\n" }.joined()
    try Files.write("id,isf,group\n" + people, to: scratch.file("people.csv"))
    let files = [
      "arms": Self.arms, "sweep": Self.sweep, "sobol": Self.sampled("sobol"),
      "morris": Self.sampled("morris"),
    ]
    for (name, text) in files {
      try Files.write(text, to: scratch.file("\(name).json5"))
      let done = await program([
        "study", scratch.file("\(name).json5"), "--out", scratch.file(name), "--jobs", "1",
      ])
      #expect(done.code == 0, "\(name): \(done.error)")
    }
    func header(_ file: String) throws -> [String] { Self.header(try scratch.text(of: file)) }

    // An end point that is called as a figure keeps its name, and the figure has another.
    let cases = try Self.columns("results.cases.csv", endPoints: ["first", "second", "mean"])
    let place = try #require(cases.lastIndex(of: "mean"))
    var renamed = cases
    renamed[place] = "run_mean"
    #expect(try header("arms/results.cases.csv") == renamed)
    for name in ["results.patients.csv", "results.harms.csv"] {
      #expect(try header("arms/\(name)") == Self.columns(name))
    }
    #expect(
      try header("sweep/results.surface.csv")
        == Self.columns("results.surface.csv", settings: ["therapy.maxBolus"]))
    for method in ["sobol", "morris"] {
      // What is called as a column beside it has another name: no column is there twice.
      let points = try Self.columns(
        "results.surface.csv of a sampled sweep", endPoints: ["endpoint_point"],
        settings: ["cgm.bias.offset", "patient.initialGlucose"])
      #expect(try header("\(method)/results.surface.csv") == points)
      #expect(
        try header("\(method)/results.sensitivity.csv")
          == Self.columns("results.sensitivity.csv by `\(method)`"))
    }

    let folders = files.keys.sorted()
    func texts(_ file: String) throws -> [String] {
      try folders.map { try scratch.text(of: "\($0)/\(file)") }
    }
    let programs = ["role", "command", "name", "version", "privileged"].map { "programs[].\($0)" }
    try Self.hold(
      texts("results.summary.json"), against: "results.summary.json",
      rare: Set(
        programs + ["pilot", "sd", "wish", "n", "reached"].map { "precision.\($0)" }
          + ["value", "interval", "p"].map { "comparisons[].endpoints[].rates.ratio.\($0)" } + [
            "comparisons[].endpoints[].goal.met_by_deaths",
            "comparisons[].endpoints[].left_out_pairs", "dose_slopes[].left_out",
            "flow.failed[].count", "flow.failed[].reason", "flow.implausible_treated",
          ]))
    try Self.hold(texts("results.manifest.json"), against: "results.manifest.json")
    try Self.hold(
      texts("plan.json"), against: "plan.json",
      rare: Set(
        programs + ["follows"]
          + ["half_width", "patients", "rows_sha256", "sd"].map { "pilot.\($0)" }))
    try Self.hold(texts("layout.json"), against: "layout.json")
    for (folder, form) in [("shards", "manifest.json"), ("attempts", ".json")] {
      let below = scratch.file("arms/\(folder)")
      let names = try FileManager.default.contentsOfDirectory(atPath: below)
      let name = try #require(names.first { $0.hasSuffix(form) })
      try Self.hold(
        [try scratch.text(of: "arms/\(folder)/\(name)")],
        against: folder == "shards" ? "shards/*.manifest.json" : "attempts/*.json")
    }
    let status = await program(["study", "status", scratch.file("arms"), "--format", "json"])
    try Self.hold([status.output], against: "study status --format json")
  }

  // MARK: - Commands

  static let dump = """
    { "treatments": [
      { "_id": "a", "eventType": "Correction Bolus", "insulin": 2,
        "created_at": "2026-02-03T02:00:00Z", "enteredBy": "loop://Loop" },
      { "_id": "b", "eventType": "Correction Bolus", "insulin": 2,
        "created_at": "2026-02-03T02:00:00Z", "enteredBy": "loop://Loop" },
      { "_id": "c", "eventType": "Carb Correction", "carbs": 20,
        "created_at": "2026-02-03T02:05:00Z", "enteredBy": "loop://Loop" },
      { "_id": "d", "eventType": "Carb Correction", "carbs": 20,
        "created_at": "2026-02-03T02:05:00Z", "enteredBy": "loop://Loop" },
      { "_id": "e", "eventType": "Temp Basal", "rate": 1, "duration": 30,
        "created_at": "2026-02-03T02:00:00Z", "enteredBy": "loop://Loop" } ],
      "entries": [
      { "type": "sgv", "sgv": 110, "date": 1770084000000, "device": "d" },
      { "type": "sgv", "sgv": 112, "date": 1770084300000, "device": "d" } ],
      "devicestatus": [ { "created_at": "2026-02-03T02:05:00Z", "loop": {
        "timestamp": "2026-02-03T02:05:00Z", "iob": { "iob": 1.5 }, "cob": { "cob": 20 },
        "predicted": { "startDate": "2026-02-03T02:05:00Z", "values": [112, 113] } } } ] }
    """

  @Test("Every key of an audit and of a backtest is described, and every column of its tables")
  func records() async throws {
    let scratch = try Scratch()
    let dump = scratch.file("dump.json")
    try Files.write(Self.dump, to: dump)
    let audit = await program(["audit", dump, "--zone", "UTC", "--format", "json"])
    try Self.hold(
      [audit.output], against: "audit --format json",
      rare: ["bolusesWrittenWithinTwoCycles.count", "bolusesWrittenWithinTwoCycles.of"])
    try Files.write(Self.scenario("t", ""), to: scratch.file("t.json5"))
    let backtest = await program([
      "backtest", dump, "--zone", "UTC", "--therapy", scratch.file("t.json5"), "--format", "json",
      "--out", scratch.file("out"),
    ])
    try Self.hold([backtest.output], against: "backtest --format json")
    // There is no reading as far ahead as the loop's own prediction is compared.
    #expect(backtest.output.contains("\"cycles\": 0"))
    #expect(backtest.output.contains("\"largest_difference\": null"))
    for (file, name) in [("t.csv", "THERAPY.csv"), ("t-estimate.csv", "THERAPY-estimate.csv")] {
      let header = Self.header(try scratch.text(of: "out/\(file)"))
      #expect(header == (try Self.columns("backtest --out: \(name)")))
    }
  }

  @Test("Every key of outcomes and of a comparison is described, and the figures of a store")
  func runs() async throws {
    let scratch = try Scratch()
    // Four days between 20 and 260 mg/dL, with a wave of ten hours and a half.
    let rows = (0..<1_152).map { place in
      let (day, minute) = (place * 5).quotientAndRemainder(dividingBy: 1_440)
      let time = String(format: "2026-03-%02dT%02d:%02d:00", day + 1, minute / 60, minute % 60)
      return "\(time),\(140 + Int(120 * sin(Double(place) / 20)))\n"
    }
    try Files.write("time,glucose_mgdL\n" + rows.joined(), to: scratch.file("glucose.csv"))
    let outcomes = await program(["outcomes", scratch.file("glucose.csv"), "--format", "json"])
    try Self.hold([outcomes.output], against: "outcomes --format json")

    let file = scratch.file("v.json5")
    let noise = "cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } }, "
    for (folder, variants, seed) in [("one", "plain: {}, high: {}", "7"), ("two", "high: {}", "9")]
    {
      try Files.write(Self.scenario("v", noise + "variants: { \(variants) }"), to: file)
      let words = ["run", file, "--quiet", "--out", scratch.file(folder), "--seed", seed]
      let run = await program(words)
      #expect(run.code == 0, "\(run.error)")
    }
    let compared = await program([
      "compare", scratch.file("one/v"), scratch.file("two/v"), "--format", "json",
    ])
    try Self.hold([compared.output], against: "compare --format json")
    let store = ["store", "statistics", scratch.file("one/v/high"), "BloodGlucose"]
    let figures = await program(store + ["--format", "csv"])
    #expect(Self.header(figures.output) == (try Self.columns("store statistics")))
  }
}
