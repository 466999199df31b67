import Arguments
import ClosedLoop
import Dosing
import Foundation
import Interchange
import Quantities
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import loopsim

@Suite("Replay of a run's state")
struct ReplayTests {
  /// Scenarios of the library that dose in different ways, some with faults.
  static let scenarios = Extent.some(
    of: [
      "closed-loop/high-glucose-automatic-bolus", "closed-loop/three-meals-closed-loop",
      "closed-loop/jittered-cycles", "closed-loop/preset-for-running",
      "external-insulin/pen-dose", "deletion/deleted-bolus-in-closed-loop",
      "cgm/noisy-sensor", "pump/occlusion-late-alarm", "closed-loop/phone-clock-jumps",
      "basal-reporting/travel-does-not-move-the-schedule",
    ], every: 5)

  private static func path(_ scenario: String) -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return root.appendingPathComponent("Scenarios/\(scenario).json5").path
  }

  /// A number as replay shows it.
  private func shown(_ value: Double?) -> String {
    value.map { FixedDecimal.text($0, decimals: 6) } ?? "none"
  }

  private func shown(_ recommendation: Recommendation?) -> [String] {
    guard case .automatic(let dose) = recommendation else { return ["\(recommendation as Any)"] }
    return [
      shown(dose.basalAdjustment.unitsPerHour), "\(dose.basalAdjustment.duration)",
      shown(dose.bolusUnits),
    ]
  }

  @Test("What a cycle was given, written and read again, gives its decision", arguments: scenarios)
  func predictReproducesDecisions(scenario: String) throws {
    var run = Run(try RunSelection(nil, in: Self.path(scenario)).build().setup)
    var cycles = 0
    var earlier: Instant?
    while run.step() {
      guard run.now != earlier, run.cycleInput != nil else { continue }
      earlier = run.now
      cycles += 1
      guard cycles % 7 == 1 else { continue }
      let app = run.snapshot.app
      let (input, decision) = (app.input, try #require(app.lastDecision))
      #expect(app.isCycle)
      let text = AlgorithmInputFile.text(input)
      let reading = AlgorithmInputFile.read(Array(text.utf8), file: "input")
      let read = try #require(reading.input, "\(reading.problems)")
      #expect(read == input)
      #expect(AlgorithmInputFile.text(read) == text)
      let output = LoopAlgorithm.run(read)
      #expect(
        output.predictedGlucose.map { shown($0.quantity.mgdL) }
          == decision.predictedGlucose.map { shown($0.quantity.mgdL) }, "\(run.now)")
      #expect(
        output.predictedGlucose.map(\.startDate) == decision.predictedGlucose.map(\.startDate))
      #expect(shown(output.activeInsulin) == shown(decision.insulinOnBoard), "\(run.now)")
      #expect(shown(output.activeCarbs) == shown(decision.carbsOnBoard), "\(run.now)")
      #expect(
        shown(try? output.recommendation.get()) == shown(decision.recommendation),
        "\(run.now)")
    }
    #expect(cycles > 20)
  }

  @Test("A replay shows the figures of the timeline", arguments: scenarios)
  func showsTheTimeline(scenario: String) throws {
    let setup = try RunSelection(nil, in: Self.path(scenario)).build().setup
    var whole = Run(setup)
    while whole.step() {}
    var run = Run(setup)
    for row in whole.finish().trace.rows {
      run.advance(through: row.instant)
      let state = run.snapshot
      #expect(state.instant == row.instant)
      #expect(state.body.glucose == row.trueGlucose, "\(row.instant)")
      #expect(state.body.insulinOnBoard == row.bodyInsulin, "\(row.instant)")
      #expect(state.pump.rate == row.programmedRate, "\(row.instant)")
      #expect(state.pump.scheduledRate == row.scheduledRate, "\(row.instant)")
      #expect(state.app.insulinOnBoard == row.insulinOnBoard, "\(row.instant)")
      #expect(state.app.carbsOnBoard == row.carbsOnBoard, "\(row.instant)")
    }
  }

  @Test("At a row of the timeline at which nothing else is due the body stands at that row")
  func showsRowsAlone() async throws {
    // Sensor and loop come every five minutes, and a row every two.
    let text = """
      { format: 'loopsim/1', clock: { duration: '1h' }, output: { every: '2m' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        events: [{ at: '00:10', meal: { grams: 60 } }, { at: '00:20', bolus: { units: 8 } }] }
      """
    let scratch = try Scratch()
    let file = scratch.file("rows.json5")
    try Files.write(text, to: file)
    let setup = try RunSelection(nil, in: file).build().setup
    var whole = Run(setup)
    while whole.step() {}
    let rows = whole.finish().trace.rows
    // From 0 to 60 minutes.
    #expect(rows.count == 31)
    for row in rows {
      // Each from the beginning: to look between two steps of the body divides a step.
      var run = Run(setup)
      run.advance(through: row.instant)
      #expect(run.now == row.instant)
      #expect(run.snapshot.body.glucose == row.trueGlucose, "\(row.instant)")
      #expect(run.snapshot.body.insulinOnBoard == row.bodyInsulin, "\(row.instant)")
    }
  }

  @Test("While the phone is off nobody sees the app's insulin and carbohydrates on board")
  func phoneOff() async throws {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', clock: { duration: '6h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        events: [{ at: '00:30', meal: { grams: 40 } }, { at: '00:30', bolus: { units: 4 } }],
        faults: [{ id: 'flat', during: ['01:00', '1h'], phone: { off: {} } }] }
      """
    let file = scratch.file("flat.json5")
    try Files.write(text, to: file)
    let setup = try RunSelection(nil, in: file).build().setup
    var whole = Run(setup)
    while whole.step() {}
    var run = Run(setup)
    var without = 0
    for row in whole.finish().trace.rows {
      run.advance(through: row.instant)
      let app = run.snapshot.app
      #expect(app.insulinOnBoard == row.insulinOnBoard, "\(row.instant)")
      #expect(app.carbsOnBoard == row.carbsOnBoard, "\(row.instant)")
      if app.insulinOnBoard == nil, app.carbsOnBoard == nil { without += 1 }
    }
    // From 01:00 until 01:55, every five minutes.
    #expect(without == 12)
    let shown = await program(["replay", file, "--at", "01:30"])
    #expect(shown.code == 0, "\(shown.error)")
    for line in ["phone                  off", "insulin on board       unknown"] {
      #expect(shown.output.contains(line), "\(shown.output)")
    }
  }

  @Test("Looking at an instant between two steps changes nothing that comes after")
  func lookingChangesNothing() throws {
    let setup = try RunSelection(nil, in: Self.path("basal-reporting/temp-cancelled")).build().setup
    var whole = Run(setup)
    while whole.step() {}
    var looked = Run(setup)
    looked.advance(through: setup.start + .minutes(50))
    #expect(looked.now == setup.start + .minutes(50))
    while looked.step() {}
    #expect(looked.finish().digest == whole.finish().digest)
  }

  @Test("The command shows the pump, and gives an input whose prediction is the cycle's")
  func showsState() async throws {
    let file = Self.path("closed-loop/three-meals-closed-loop")
    let folder = try Scratch()
    let input = folder.file("input.json")
    let text = await program(["replay", file, "--at", "07:15", "--input", input])
    #expect(text.code == 0 && text.error.isEmpty)
    #expect(text.output.contains("three-meals-closed-loop at 2026-01-15T07:15:00-06:00 (+7h15m)"))
    for title in ["Body", "Pump", "Sensor", "App", "Last decision", "Health store", "Faults"] {
      #expect(text.output.contains("\n\(title)"), "\(title)")
    }
    let json = await program(["replay", file, "--at", "+7h15m", "--format", "json"])
    let state = try #require(JSONReader.read(text: json.output, file: "state").root)
    #expect(state["time"]?.string == "2026-01-15T07:15:00-06:00")
    let predicted = await program(["predict", input])
    let output = try #require(JSONReader.read(text: predicted.output, file: "output").root)
    let decision = state["decision"]?["predicted_glucose"]?.items ?? []
    #expect(decision.count > 70)
    #expect(
      decision.map { shown($0["mgdL"]?.double) }
        == (output["predictedGlucose"]?.items ?? []).map { shown($0["quantity"]?.double) })
    let alone = await program(
      ["replay", file, "--at", "2026-01-15T07:15:00-06:00", "--format", "input"])
    #expect(alone.output == (try folder.text(of: "input.json")))
  }

  @Test("A phone's wrong clock hides neither the cycle nor its input")
  func wrongPhoneClock() async throws {
    let file = Self.path("closed-loop/phone-clock-jumps")
    let folder = try Scratch()
    let result = await program(
      ["replay", file, "--at", "09:30", "--format", "json", "--input", folder.file("input.json")])
    #expect(result.code == 0 && result.error.isEmpty, "\(result.error)")
    let state = try #require(JSONReader.read(text: result.output, file: "state").root)
    let predicted = await program(["predict", folder.file("input.json")])
    #expect(predicted.code == 0, "\(predicted.error)")
    let output = try #require(JSONReader.read(text: predicted.output, file: "output").root)
    let decision = try #require(state["decision"])
    #expect(state["app"]?["clock_error_seconds"]?.double ?? 0 != 0)
    #expect(
      (decision["predicted_glucose"]?.items ?? []).map { shown($0["mgdL"]?.double) }
        == (output["predictedGlucose"]?.items ?? []).map { shown($0["quantity"]?.double) })
    let text = await program(["replay", file, "--at", "09:30"])
    for title in ["App", "Last decision"] {
      #expect(text.output.contains("\n\(title), by the phone's clock\n"), "\(text.output)")
    }
  }

  @Test("A decision is marked by the phone's clock of its own time, whatever that is now")
  func clockThen() async {
    // The clock is an hour ahead from 09:01 to 10:01, and cycles come every five minutes.
    let file = Self.path("closed-loop/phone-clock-jumps")
    let before = await program(["replay", file, "--at", "09:02"])
    #expect(before.output.contains("\nApp, by the phone's clock\n"), "\(before.output)")
    #expect(before.output.contains("\nLast decision\n"), "\(before.output)")
    let after = await program(["replay", file, "--at", "10:02"])
    #expect(after.output.contains("\nApp\n"), "\(after.output)")
    let title = "\nLast decision, by the phone's clock, then 1h ahead\n"
    #expect(after.output.contains(title), "\(after.output)")
  }

  @Test("At the end of a run it is said that its results hold one more look at the pump")
  func end() async {
    let file = Self.path("external-insulin/logged-in-the-app")
    let result = await program(["replay", file, "--at", "12:00"])
    #expect(result.code == 0 && result.output.contains("insulin samples  1\n"))
    #expect(result.error.contains("one more look at pump and sensor"), "\(result.error)")
    #expect(await program(["replay", file, "--at", "11:59:59"]).error.isEmpty)
  }

  @Test("Between two cycles the input is what the app would give, and that is said")
  func betweenCycles() async {
    let file = Self.path("closed-loop/three-meals-closed-loop")
    let result = await program(["replay", file, "--at", "07:17", "--format", "input"])
    #expect(result.code == 0)
    #expect(result.error.contains("No cycle of the loop falls on this instant"))
    #expect(result.output.contains("\"predictionStart\": \"2026-01-15T13:17:00Z\""))
  }

  @Test(
    "A time or a run that there is not is told with what there is",
    arguments: [
      (["--at", "25:99"], 64, "\"25:99\" is not a time. Write a time such as '18:30'"),
      ([], 64, "Say when"),
      (["--at", "d9 07:00"], 65, "outside the run from 2026-01-15T00:00:00-06:00"),
      (["--at=-9h"], 65, "is 2026-01-14T15:00:00-06:00, outside the run"),
      (["--at", "07:00", "--run", "tree-meals-closed-loop"], 65, "Did you mean \"three-meals"),
    ] as [([String], Int32, String)])
  func refuses(words: [String], code: Int32, sentence: String) async {
    let result = await program(
      ["replay", Self.path("closed-loop/three-meals-closed-loop")] + words)
    #expect(result.code == code)
    #expect(result.error.contains(sentence), "\(result.error)")
    #expect(result.output.isEmpty)
  }

  @Test("After a lethal end the state is that of the end, and that is said")
  func lethalEnd() async throws {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '6h' },
        patient: { model: 'tidepool-simple', initialGlucose: 100, floor: { glucose: 40 },
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        events: [{ at: '08:30', injection: { units: 5 }, entry: false }] }
      """
    try Files.write(text, to: scratch.file("low.json5"))
    let console = QuietConsole()
    let words = ["replay", scratch.file("low.json5"), "--at", "+5h"]
    #expect(await Loopsim.run(words, to: console) == 0)
    #expect(console.error.contains("The run ended as lethal at 2026-01-15T09:"))
    #expect(console.output.contains("2026-01-15T09:"))
  }

  @Test("A rate below 0, to which too much insulin on board leads, is shown as 0 with its reason")
  func belowNothing() async throws {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '2h' },
        therapy: { maxBolus: 5 },
        patient: { model: 'tidepool-simple', initialGlucose: 150,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        events: [{ at: '08:30', injection: { units: 30 } }] }
      """
    try Files.write(text, to: scratch.file("much.json5"))
    let words = ["replay", scratch.file("much.json5"), "--at", "08:35"]
    let shown = await program(words)
    // Some 30 U are on board, and twice the maximum bolus is 10 U: (10 - 30) / 0.5 h + 1 U/h.
    #expect(
      shown.output.contains("recommended       0.0000 U/h for 30m (for -39."), "\(shown.output)")
    #expect(shown.output.contains(" U/h: no pump takes insulin back)\n"), "\(shown.output)")
    // What reads JSON gets the algorithm's own number, as LoopAlgorithm gives it.
    let json = await program(words + ["--format", "json"])
    #expect(json.output.contains("\"rate_U_per_h\": -39."), "\(json.output)")
  }

  @Test("A time beyond a change of the clocks has its offset")
  func changeOfClocks() async throws {
    let folder = try Scratch()
    let file = folder.file("night.json5")
    let text = """
      { format: 'loopsim/1', app: { closedLoop: false },
        clock: { start: '2026-10-25T00:00:00', timeZone: 'Europe/Berlin', duration: '4h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        events: [{ at: '02:45', basal: { rate: 1, duration: '30m' } }] }
      """
    try Files.write(text, to: file)
    let before = await program(["replay", file, "--at", "2026-10-25T02:50:00+02:00"])
    #expect(before.output.contains("since 02:45:00 until 2026-10-25T02:15:00+01:00"))
    #expect(before.output.contains("next sample    02:55:00"))
    let after = await program(["replay", file, "--at", "2026-10-25T02:10:00+01:00"])
    #expect(after.output.contains("since 2026-10-25T02:45:00+02:00 until 02:15:00"))
  }

  @Test("A failure ends with the line that replays it, and the line works")
  func failuresCanBeReplayed() async throws {
    let folder = try Scratch()
    let file = folder.file("my night.json5")
    try Files.write(scenario(expectedUnits: 2.5), to: file)
    let junit = folder.file("junit.xml")
    let result = await program(
      ["run", file, "--out", folder.file("out"), "--junit", junit, "--seed", "4"])
    #expect(result.code == 1)
    let line = try #require(
      result.output.split(separator: "\n").first { $0.contains("loopsim replay ") })
    let command = line.drop { $0 == " " }
    #expect(command.hasPrefix("loopsim replay '\(file)' --run quiet-night --at 2026-"))
    #expect(command.hasSuffix(" --seed 4"))
    #expect(try folder.text(of: "junit.xml").contains("loopsim replay "))
    let time = try #require(command.split(separator: " ").first { $0.hasPrefix("2026-") })
    let words = ["replay", file, "--run", "quiet-night", "--at", String(time)]
    #expect(await program(words).code == 0)
  }
}
