import Foundation
import Typesetting
import Simulation
import StructuredText
import Testing

@testable import loopsim

/// What every form of a run's answer must tell: what went wrong, and what became of expectations.
@Suite("Every form of the answer")
struct AnswerFormsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  /// A pod that expires: it stops, cycles are missed, and it has warned before.
  private static let file = root + "/Scenarios/pump/pod-expires.json5"

  /// What went wrong in the run, from the result itself.
  private func troubles() throws -> [RunTrouble] {
    let planned = try RunSelection(nil, in: Self.file).planned
    let result = try #require(ScenarioBatch.carryOut(planned, seed: nil).result)
    return result.troubles
  }

  @Test("What went wrong stands in text, line, JSON, JUnit, TAP, GitHub, page and tables")
  func tellsTroubles() async throws {
    let scratch = try Scratch()
    let troubles = try troubles()
    #expect(troubles.count == 3)
    let out = scratch.file("out")
    let (junit, tap) = (scratch.file("junit.xml"), scratch.file("run.tap"))
    let text = await program([
      "run", Self.file, "--out", out, "--report", "--junit", junit, "--tap", tap, "--github",
    ])
    let json = await program([
      "run", Self.file, "--out", scratch.file("json"), "--format", "json",
    ])
    let quiet = scratch.file("quiet.json5")
    try Files.write(scenario(), to: quiet)
    let both = await program([
      "run", Self.file, quiet, "--out", scratch.file("batch"), "--report",
    ])
    let replay = await program([
      "verify", Self.file, "--results", scratch.file("none"), "--format", "json",
    ])
    let run = out + "/pod-expires"
    let page = try contents(run + "/report.html")
    let batchPage = try contents(scratch.file("batch") + "/report.html")
    let batch = try contents(scratch.file("batch") + "/batch.json")
    #expect(batch.contains(#""troubles": {"#) && batch.contains(#""stop": 1"#))
    let runs = try contents(scratch.file("batch") + "/runs.csv").split(separator: "\n")
    let column = try #require(runs[0].split(separator: ",").firstIndex(of: "went_wrong"))
    let row = try #require(runs.first { $0.hasPrefix("pod-expires,") })
    let fields = row.split(separator: ",", omittingEmptySubsequences: false)
    #expect(fields[column] == "3")
    let kinds = try #require(runs[0].split(separator: ",").firstIndex(of: "troubles"))
    let told = Set(troubles.map(\.kind.rawValue))
    #expect(Set(fields[kinds].split(separator: " ").map(String.init)) == told && told.count > 1)
    for (place, trouble) in troubles.enumerated() {
      // In JSON the number of times and the moments have keys of their own.
      let sentence = trouble.sentence
      let alone = "\"\(trouble.text.replacing("\"", with: #"\""#))\""
      let inXML = sentence.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing("\"", with: "&quot;")
      let inHTML = Markup(text: sentence).text
      #expect(text.output.contains("  \(sentence)\n"), "text")
      #expect(json.output.contains(alone), "JSON")
      #expect(replay.output.contains(alone), "JSON of a replay")
      #expect(try contents(run + "/summary.json").contains(alone), "summary.json")
      #expect(try contents(junit).contains("value=\"\(inXML)\""), "JUnit")
      #expect(
        try contents(tap).contains("# went wrong in pod-expires: \(sentence)\n"), "TAP")
      #expect(text.output.contains(sentence.replacing("%", with: "%25")), "GitHub")
      #expect(page.contains(inHTML), "page")
      #expect(batchPage.contains(inHTML), "page of a batch")
      if place == 0 { #expect(both.output.contains("went wrong: \(sentence) And 2 more."), "line") }
    }
    #expect(text.output.contains("title=went wrong in pod-expires::The pump gave nothing"))
    // A run in which nothing went wrong says nothing of it.
    #expect(!both.output.contains("quiet-night; went wrong"))
  }

  @Test("Verdicts tell value, bound, unit and time, those over several runs too")
  func tellsVerdicts() async throws {
    let scratch = try Scratch()
    let file = scratch.file("arms.json5")
    let arms = """
      variants: { one: {}, two: { therapy: { basal: [['00:00', 0.8]] } } },
      expect: [
        { id: 'mean', metric: 'mean', max: 90, variants: ['one'] },
        { id: 'low', series: 'glucose.true', always: { above: 70 }, variants: ['one'] },
        { id: 'high', series: 'glucose.true', always: { below: 80 }, variants: ['one'] },
        { id: 'dose', compare: { metric: 'basalUnits', this: 'two', other: 'one' },
          difference: { max: 0.5 } },
        { id: 'share', metric: 'mean', max: 60, across: 'fraction>=0.5' },
      """
    try Files.write(
      scenario().replacing("quiet-night", with: "arms").replacing("expect: [", with: arms), to: file
    )
    let out = scratch.file("out")
    let result = await program(["run", file, "--out", out, "--format", "json"])
    #expect(result.code == 1, "\(result.error)")
    let runs = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let own = try #require(runs.first?["expectations"] as? [[String: Any]])
    func verdict(_ id: String, in list: [[String: Any]]) throws -> [String: Any] {
      try #require(list.first { $0["id"] as? String == id }, "\(id)")
    }
    let mean = try verdict("mean", in: own)
    #expect(mean["outcome"] as? String == "failed")
    #expect(((mean["value"] as? Double ?? 0) - 110).magnitude < 1)
    #expect(mean["max"] as? Double == 90)
    #expect(mean["unit"] as? String == "mg/dL")
    let low = try verdict("low", in: own)
    #expect(low["outcome"] as? String == "passed")
    #expect(((low["value"] as? Double ?? 0) - 110).magnitude < 1)
    #expect(low["min"] as? Double == 70)
    let high = try verdict("high", in: own)
    #expect(high["at"] as? String == runs.first?["start"] as? String)
    // The last run carries what the runs together are held to.
    let joint = try #require(runs.last?["joint"] as? [[String: Any]])
    let dose = try verdict("dose", in: joint)
    #expect(dose["run"] as? String == "arms/two")
    #expect((dose["value"] as? Double ?? 0) > 0.7 && dose["max"] as? Double == 0.5)
    #expect(dose["unit"] as? String == "U")
    #expect(try verdict("share", in: joint)["value"] as? Double == 0)
    #expect(try verdict("share", in: joint)["min"] as? Double == 0.5)
    let batch = try JSONSerialization.jsonObject(with: Data(contents(out + "/batch.json").utf8))
    let kept = try #require((batch as? [String: Any])?["joint"] as? [[String: Any]])
    #expect(kept.count == joint.count)
    #expect(kept.first?["file"] as? String == file)
    let replay = await program([
      "verify", file, "--results", scratch.file("none"), "--format", "json",
    ])
    #expect(replay.output.contains("\"joint\""))
    #expect(replay.output.contains("\"max\": 0.5"))
  }

  @Test("What fails of several runs together is no failure of the last of them")
  func keepsJointApart() async throws {
    let scratch = try Scratch()
    let file = scratch.file("arms.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'arms', clock: { duration: '1h' }, random: { replicates: 2 },
        patient: { model: 'tidepool-simple', initialGlucose: 110,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        expect: [{ id: 'low', metric: 'mean', max: 60, across: 'mean' }] }
      """, to: file)
    let out = scratch.file("out")
    let result = await program(["run", file, "--out", out, "--report", "--quiet"])
    #expect(result.code == 1, "\(result.error)")
    #expect(result.output.contains("failed  arms  low: mean of mean@true over 2 runs"))
    #expect(!result.output.contains("ok      arms/r1"))
    let batch = try JSONSerialization.jsonObject(with: Data(contents(out + "/batch.json").utf8))
    #expect((batch as? [String: Any])?["failed"] as? Int == 0)
    let rows = try contents(out + "/runs.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let place = try #require(rows.first?.firstIndex(of: "verdict"))
    #expect(rows.dropFirst().map { $0[place] } == ["ok", "ok"])
    let page = try contents(out + "/report.html")
    #expect(page.contains("<h1>1 expectation of several runs fails</h1>"))
    let (kept, drawn) = (scratch.file("kept"), scratch.file("replay.html"))
    let replay = await program(["verify", file, "--results", kept, "--report", drawn])
    #expect(replay.output.contains("failed   arms  low: mean of mean@true over 2 runs"))
    #expect(!replay.output.contains("failed   arms/r1"))
    #expect(try contents(drawn).contains("</span> in arms: mean of mean@true over 2 runs"))
  }

  @Test("A run that cannot be carried out stands in the JSON with what is in its way")
  func tellsRefusals() async throws {
    let scratch = try Scratch()
    let file = scratch.file("wrong.json5")
    try Files.write(scenario().replacing("format:", with: "nonsense: 1, format:"), to: file)
    let result = await program(["run", file, "--out", scratch.file("out"), "--format", "json"])
    #expect(result.code == 65)
    #expect(result.output.contains("\"outcome\": \"error\""))
    #expect(result.output.contains("nonsense"))
  }

  private func contents(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("Glucose is in the unit of the scenario: limits, verdicts, figures and the chart")
  func keepsUnit() async throws {
    let scratch = try Scratch()
    let file = scratch.file("molar.json5")
    // The body rests where it starts.
    try Files.write(
      """
      { format: 'loopsim/1', id: 'molar', glucoseUnit: 'mmol/L', clock: { duration: '2h' },
        patient: { model: 'tidepool-simple', initialGlucose: 6.1, needs: {
          basal: [['00:00', 0.8]], sensitivity: [['00:00', 2.5]], carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 2.5]],
          carbRatio: [['00:00', 10]], target: [['00:00', [5.5, 6.5]]] }, cgm: { model: 'ideal' },
        expect: [
          { id: 'mean', metric: 'mean', max: 6 },
          { id: 'range', metric: 'tir(3.9,10)', max: 50 },
          { id: 'series', series: 'glucose.true', always: { below: 5.5 } },
          { id: 'holds', series: 'glucose.true', within: [6, 6.2] },
        ] }
      """, to: file)
    let result = await program([
      "run", file, "--out", scratch.file("out"),
    ])
    #expect(result.code == 1, "\(result.error)")
    for part in [
      "Expectations: 1 of 4 hold.", " > 6 mmol/L", "tir(3.9,10)@true 100 > 50 %", "6.1",
      "> 5.5 mmol/L at", "above 13.9 mmol/L", "3.9 to 10.0, target", "tight range 3.9–7.8",
    ] {
      #expect(result.output.contains(part), "\(part) in \(result.output)")
    }
    #expect(!result.output.contains("mg/dL"), "\(result.output)")
  }

  @Test("A run in mmol/L has no figure in mg/dL in its text, its files and its page")
  func saysMolar() async throws {
    let scratch = try Scratch()
    let file = scratch.file("molar.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'molar', glucoseUnit: 'mmol/L', clock: { duration: '4h' },
        patient: { model: 'tidepool-simple', initialGlucose: 6.1, floor: { glucose: 1.1 }, needs: {
          basal: [['00:00', 0.8]], sensitivity: [['00:00', 2.5]], carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 2.5]],
          carbRatio: [['00:00', 10]], target: [['00:00', [5.5, 6.5]]] }, cgm: { model: 'ideal' },
        app: { closedLoop: false },
        events: [
          { at: '+30m', fingerstick: { entry: 'app' } },
          { at: '+40m', fingerstick: { value: 5.9, entry: 'meter' } },
          { at: '+1h', cgm: { calibrate: 6 } },
          { at: '+1h', healthStore: { write: { glucose: 7.2, source: 'Meter' } } },
          { at: '+1h', bolus: { units: 9 } },
        ] }
      """, to: file)
    let out = scratch.file("out")
    let run = await program(["run", file, "--out", out, "--report"])
    #expect(run.code == 1)
    let state = await program(["replay", file, "--at", "+1h30m"])
    let happened = try String(contentsOfFile: out + "/molar/happenings.csv", encoding: .utf8)
    for sentence in [
      "A meter shows 6.1 mmol/L.", "6.1 mmol/L are typed in the app.",
      "Meter writes a glucose of 5.9 mmol/L.", "The sensor is calibrated with 6 mmol/L.",
      "Glucose is below 1.1 mmol/L, which nobody survives.",
    ] { #expect(happened.contains(sentence), "\(sentence)") }
    #expect(run.output.contains("glucose fell below 1.1 mmol/L"))
    #expect(run.output.contains(" < 1.1 mmol/L"))
    #expect(state.output.contains(/glucose at the sensor +\d\.\d\d mmol\/L/))
    let page = try String(contentsOfFile: out + "/molar/report.html", encoding: .utf8)
    let summary = try String(contentsOfFile: out + "/molar/summary.json", encoding: .utf8)
    for (name, text) in [
      ("text", run.output), ("state", state.output), ("happenings", happened), ("page", page),
      ("summary", summary),
    ] {
      let figure = text.firstMatch(of: /[0-9][^<>\n]{0,3} ?mg\/dL/)
      #expect(figure == nil, "\(name): \(figure.map { String($0.0) } ?? "")")
    }
  }

  @Test("What comes to nothing is 0 in JSON, and not -0")
  func nothing() async throws {
    let scratch = try Scratch()
    let file = scratch.file("s.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 's', clock: { duration: '3h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]],
          carbRatio: [['00:00', 10]] },
        output: { save: [] }, events: [{ at: '+1h', pump: { remove: true } }],
        faults: [{ id: 'leak', at: '+2h', pump: { unrequested: { units: 2 } } }] }
      """, to: file)
    let run = await program(["run", file, "--out", scratch.file("out"), "--format", "json"])
    #expect(
      run.output.contains(
        "The pump gave 2.00 U at 02:00:00 without a command, of which none reached"))
    #expect(run.output.contains(#""units": 0"#))
    #expect(run.output.firstMatch(of: /-0(\.0*)?[,\n]/) == nil)
  }
}
