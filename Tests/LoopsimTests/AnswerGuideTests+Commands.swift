import Foundation
import StructuredText
import Testing

@testable import loopsim

extension AnswerGuideTests {
  /// A meal with its bolus, after which the pump is suspended for twenty minutes.
  private static let meal = scenario(
    "meal",
    """
    app: { dosing: 'automaticBolus' },
    events: [{ at: '+30m', meal: { grams: 30 } }, { at: '+31m', bolus: { units: 2 } },
      { at: '+2h', suspend: true }, { at: '+2h20m', resume: true }]
    """)

  /// A scratch folder with `meal.json5`, its result in `out/meal`, and `bad.json5`.
  private static func lived() async throws -> Scratch {
    let scratch = try Scratch()
    try Files.write(meal, to: scratch.file("meal.json5"))
    try Files.write(scenario("bad", "clokc: 1"), to: scratch.file("bad.json5"))
    let run = await program([
      "run", scratch.file("meal.json5"), "--quiet", "--out", scratch.file("out"),
    ])
    #expect(run.code == 0, "\(run.error)")
    return scratch
  }

  @Test("Every column of a health store's tables is described, and none besides")
  func stores() async throws {
    let scratch = try await Self.lived()
    let store = scratch.file("out/meal/health.sqlite")
    for word in ["types", "samples", "timeline", "sources", "authorize", "person"] {
      let line = ["store", word, store] + (word == "samples" ? ["InsulinDelivery"] : [])
      let csv = await program(line + ["--format", "csv"])
      #expect(Self.header(csv.output) == (try Self.columns("store \(word)")), "\(csv.error)")
      let json = await program(line + ["--format", "json"])
      try Self.hold([json.output], against: "store \(word)")
    }
    let text = await program(["store", "timeline", store])
    #expect(text.output.hasPrefix("start "))
    #expect(text.output.contains("  rate U/h  programmed U  reported pulses  reported U  "))
    // Without the pulses of the pump nothing is said of it.
    try FileManager.default.removeItem(atPath: scratch.file("out/meal/pulses.csv"))
    let alone = await program(["store", "timeline", store, "--format", "csv"])
    let ofPump = ["pump_pulses", "pump_U", "reported_minus_pump_U"]
    #expect(
      Self.header(alone.output)
        == (try Self.columns("store timeline").filter { !ofPump.contains($0) }))
  }

  @Test("What is told of an import, a deletion and an upload is described")
  func exchange() async throws {
    let scratch = try Scratch()
    let (store, report) = (scratch.file("new.sqlite"), scratch.file("report.json"))
    try Files.write(Self.dump, to: scratch.file("dump.json"))
    let imported = await program([
      "store", "import", store, scratch.file("dump.json"), "--report", report,
    ])
    #expect(imported.code == 0, "\(imported.error)")
    func names(_ output: String) -> [String] {
      output.prefix { !$0.isNewline }.split(separator: " ").map(String.init)
    }
    #expect(names(imported.output) == (try Self.columns("store import")))
    try Self.hold(
      [try scratch.text(of: "report.json")], against: "store import --report",
      rare: Set(
        ["amount", "count", "first", "reason"].map { "amounts[].differences[].\($0)" }
          + ["count", "first", "reason"].map { "remarks[].\($0)" }
          + ["count", "reason"].map { "store.refused[].\($0)" }))

    let folder = scratch.file("sent")
    _ = await program(["store", "upload", store, folder, "--subscribe", "diabetes"])
    let added = await program([
      "store", "add", store, "BloodGlucose", "112", "--at", "2026-02-03T03:00:00Z",
    ])
    let id = String(added.output.dropLast())
    _ = await program(["store", "upload", store, folder])
    let deleted = await program(["store", "delete", store, id])
    #expect(names(deleted.output) == (try Self.columns("store delete")), "\(deleted.error)")
    _ = await program(["store", "upload", store, folder])
    let sent = try ["add", "delete"].map { try scratch.text(of: "sent/\(id).\($0).json") }
    try Self.hold(sent, against: "store upload")
  }

  @Test("Every key of what is said of scenarios and runs is described")
  func scenarios() async throws {
    let scratch = try await Self.lived()
    let (meal, bad) = (scratch.file("meal.json5"), scratch.file("bad.json5"))
    func output(_ words: String...) async -> String { await program(words).output }
    try Self.hold([await output("check", bad, "--format", "json")], against: "check --format json")
    try Self.hold(
      [await output("expand", meal, "--format", "json")], against: "expand --format json")
    let failed = await output("run", bad, "--format", "json", "--out", scratch.file("bad"))
    try Self.hold([failed], against: "run --format json", rare: ["joint"])
    // Of one that was carried out it is what its summary is.
    let whole = await output("run", meal, "--format", "json", "--out", scratch.file("again"))
    let summary = try scratch.text(of: "again/meal/summary.json")
    let keys = [whole, "[\(summary)]"].map { text -> [String]? in
      guard case .array(let runs)? = JSONReader.read(Array(text.utf8), file: "run").root?.value,
        case .object(let members)? = runs.first?.value
      else { return nil }
      return members.map(\.key)
    }
    #expect(keys[0] != nil && keys[0] == keys[1])
    let kept = scratch.file("kept")
    try Self.hold(
      [await output("verify", meal, bad, "--results", kept, "--format", "json")],
      against: "verify --format json")
    // Before the first cycle, while the bolus runs, and between a cycle and the next.
    var states: [String] = []
    for time in ["+0m", "+31m", "+1h"] {
      states.append(await output("replay", meal, "--at", time, "--format", "json"))
    }
    try Self.hold(states, against: "replay --format json")

    var answers: [String] = []
    for time in ["+1h", "+2h10m"] {
      _ = await output("replay", meal, "--at", time, "--input", scratch.file("input.json"))
      answers.append(await output("predict", scratch.file("input.json")))
    }
    let input = try scratch.text(of: "input.json")
    for (from, to) in [
      ("\"automaticBolus\"", "\"manualBolus\""), ("\"glucoseHistory\"", "\"formerGlucose\""),
    ] {
      #expect(input.contains(from))
      let other =
        to == "\"formerGlucose\""
        ? input.replacing(from, with: "\"glucoseHistory\" : [], \(to)")
        : input.replacing(from, with: to)
      try Files.write(other, to: scratch.file("other.json"))
      answers.append(await output("predict", scratch.file("other.json")))
    }
    try Self.hold(answers, against: "predict")
  }

  @Test("Every key of the report on imported scenarios is described")
  func importedScenarios() async throws {
    let scratch = try await Self.lived()
    let (loop, report) = (scratch.file("loop.json"), scratch.file("report.json"))
    let exported = await program([
      "export", "loop-scenario", scratch.file("meal.json5"), "--out", loop,
    ])
    #expect(exported.code == 0, "\(exported.error)")
    let imported = await program([
      "import", "loop-scenario", loop, "--out", scratch.file("back.json5"), "--report", report,
    ])
    #expect(imported.code == 0, "\(imported.error)")
    try Self.hold(
      [try scratch.text(of: "report.json")], against: "import --report",
      rare: Set(
        ["amount", "count", "first", "reason"].map { "files[].amounts[].differences[].\($0)" }))
  }

  @Test("Every key of what is said of bodies and devices is described")
  func devices() async throws {
    for (words, name) in [
      (["patients", "adult#001"], "patients"), (["pumps"], "pumps, sensors"),
      (["sensors"], "pumps, sensors"),
    ] {
      let csv = await program(words + ["--format", "csv"])
      #expect(Self.header(csv.output) == (try Self.columns("\(name) --format csv")))
      let json = await program(words + ["--format", "json"])
      try Self.hold([json.output], against: "\(name) --format json")
    }
    let judged = await program([
      "cgm", "accuracy", "--sensors", "2", "--days", "1", "--format", "json",
    ])
    try Self.hold([judged.output], against: "cgm accuracy --format json")
  }
}
