import Foundation
import Reports
import TestSupport
import Testing

@testable import loopsim

/// The charts of every kind of page as files.
@Suite("Charts as files")
struct ChartFileTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The charts in a folder, by name.
  private func charts(_ folder: String) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      #expect(text.hasPrefix("<svg xmlns=") && text.hasSuffix("</svg>\n"), "\(name)")
      #expect(text.contains("<title>") && !text.contains("var(--"), "\(name)")
      files[name] = text
    }
    return files
  }

  @Test(
    "A study's charts are those of its page: the people, the goals, the day, the grid",
    .enabled(if: Extent.isWhole, "Ten days are lived. StudyPageTests looks at such charts too."))
  func study() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'small', title: 'A small study', clock: { duration: '24h' },
        random: { seed: 7 }, output: { save: [] },
        patient: { model: 'tidepool-simple', initialGlucose: 120, floor: { glucose: 20 },
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } }, app: { closedLoop: false },
        events: [{ at: '+6h', bolus: { units: 0.5 } }],
        cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
        variants: { plain: {}, more: { therapy: { basal: [['00:00', 1], ['18:00', 1.1]] } } },
        study: { control: 'plain', strata: 'group',
          primary: [{ id: 'low', metric: 'below(70)', better: 'lower', noninferior: 1,
            harm: { above: 1 } }],
          secondary: [{ metric: 'tdd', better: 'lower' }] } }
      """, to: scratch.file("study.json5"))
    try Files.write(
      "id,isf,group\na,40,small\nb,50,small\nc,60,small\nd,70,large\ne,80,large\n",
      to: scratch.file("people.csv"))
    let (out, svg) = (scratch.file("out"), scratch.file("svg"))
    let done = await program(["study", scratch.file("study.json5"), "--out", out])
    #expect(done.code == 0, "\(done.error)")
    let page = await program(["report", out, "--svg", svg, "-o", "-"])
    #expect(page.code == 0, "\(page.error)")
    for part in [
      "Control and variability, <span data-unit>mg/dL</span>", "Insulin by hour, U</h2>",
      "How the day runs, <span data-unit>mg/dL</span>", "<h3>small",
      "Newly harmed, the worst first", "Hollow control, filled treatment", "class=\"wm\"",
      "Left of each pair, grey: plain; right, blue: more.", "Mean of patients: plain 24.5 U a day",
    ] {
      #expect(page.output.contains(part), "\(part)")
    }
    let ids = page.output.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    let files = try charts(svg)
    #expect(
      files.keys.sorted() == [
        "end-points.svg", "goals.svg", "harmed-low.svg", "insulin-by-hour.svg", "patients.svg",
        "profile-by-group.svg", "profile.svg", "variability-grid.svg",
      ])
    // The shapes of a chart are the same on the page and in its file.
    let grid = try #require(files["variability-grid.svg"])
    let dots = try #require(grid.firstMatch(of: /class="c1" d="([^"]+)"/))
    #expect(page.output.contains("class=\"c1\" d=\"\(dots.1)\""))
    #expect(await program(["report", out, "--day", "2", "-o", "-"]).code == 64)
  }

  @Test("A day of a run is drawn by its number or its date, or every day to a file of its own")
  func days() async throws {
    let scratch = try Scratch()
    let file = scratch.file("nights.json5")
    // An hour of the 2nd, and the 3rd and 4th, as a run of more than 30 hours is drawn by days.
    try Files.write(
      """
      { format: 'loopsim/1', id: 'nights', title: 'Nights',
        clock: { start: '2026-03-02T23:00', timeZone: 'Europe/Berlin', duration: '49h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
      """, to: file)
    func draw(_ day: String) async throws -> (code: Int32, error: String, [String: String]) {
      let svg = scratch.file("svg-\(day)")
      let told = await program(["report", file, "-o", "-", "--svg", svg, "--day", day])
      let drawn = FileManager.default.fileExists(atPath: svg) ? try charts(svg) : [:]
      return (told.code, told.error, drawn.filter { $0.key.hasPrefix("timeline") })
    }
    let second = try await draw("2").2
    #expect(second.keys.sorted() == ["timeline.svg"])
    #expect(second["timeline.svg"]?.contains("<title>Nights, Tue 3 Mar 2026") == true)
    #expect(try await draw("2026-03-03").2 == second)
    let all = try await draw("all").2
    #expect(
      all.keys.sorted() == (2...4).map { "timeline-2026-03-0\($0).svg" }, "\(all.keys)")
    #expect(all["timeline-2026-03-03.svg"] == second["timeline.svg"])
    for wrong in ["0", "4", "2026-03-05"] {
      let told = try await draw(wrong)
      #expect(told.code == 64)
      #expect(
        told.error.contains(
          "The run has no day \(wrong). It has the days 1 to 3, 2026-03-02 to 2026-03-04."),
        "\(told.error)")
    }
    #expect(try await draw("3.3.").code == 64)
  }

  @Test("A batch, a comparison and measured glucose give their charts as files")
  func batch() async throws {
    let scratch = try Scratch()
    let (file, out) = try await runTwoVariants(in: scratch)
    let svg = scratch.file("batch")
    #expect(await program(["report", out, "--svg", svg, "-o", scratch.file("p.html")]).code == 0)
    #expect(try charts(svg).keys.contains("insulin-by-hour.svg"))
    #expect(try charts(svg).keys.contains("time-in-ranges.svg"))
    // The same twice differs in nothing and has no chart.
    let same = await program([
      "compare", "\(file)@quiet-night/one", "\(file)@quiet-night/one", "--svg", scratch.file("no"),
    ])
    #expect(same.code == 0 && same.error.contains("No chart differs"))
    let other = scratch.file("other.json5")
    try Files.write(scenario().replacing("seed: 1", with: "seed: 2"), to: other)
    let glucose = scratch.file("glucose")
    let page = scratch.file("glucose.html")
    let measured = await program([
      "outcomes", out, "--no-chart", "--report", page, "--svg", glucose,
    ])
    #expect(measured.code == 0, "\(measured.error)")
    #expect(try charts(glucose).keys.contains("variability-grid.svg"))
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("Every series (2)") && html.contains("in range and"))
  }

  @Test("Of runs whose names are alike as those of files every chart is there")
  func alikeNames() async throws {
    let scratch = try Scratch()
    let noisy = scenario().replacing("'ideal'", with: "'ar1'")
    try FileManager.default.createDirectory(
      atPath: scratch.file("in"), withIntermediateDirectories: false)
    for id in ["a-b", "a-b-2"] {
      try Files.write(noisy.replacing("quiet-night", with: id), to: scratch.file("in/\(id).json5"))
    }
    try Files.write(
      noisy.replacing("id: 'quiet-night',", with: "id: 'a', variants: { b: {} },"),
      to: scratch.file("in/a.json5"))
    for seed in ["1", "2"] {
      let words = ["run", scratch.file("in"), "--quiet", "--seed", seed]
      #expect(await program(words + ["--out", scratch.file(seed)]).code == 0)
    }
    let svg = scratch.file("svg")
    let compared = await program(["compare", scratch.file("1"), scratch.file("2"), "--svg", svg])
    #expect(compared.code == 1 && compared.output.contains("3 runs: 0 the same, 3 different."))
    #expect(try charts(svg).keys.sorted() == ["a-b-2.svg", "a-b-3.svg", "a-b.svg"])
  }

  @Test("A comparison's figure has the series that its page has")
  func comparison() async throws {
    let scratch = try Scratch()
    let folder = Self.root + "/Scenarios/basal-reporting/"
    let svg = scratch.file("svg")
    let compared = await program([
      "compare", folder + "basal-reporting-day.json5",
      folder + "constant-day-in-one-sample.json5", "--svg", svg,
    ])
    #expect(compared.code == 1, "\(compared.error)")
    let text = try #require(try charts(svg)["comparison.svg"])
    #expect(text.contains(">True glucose, mg/dL<") && text.contains(">Programmed rate, U/h<"))
  }

  @Test("A store's file and its audit give a chart a day, and a changed replay its lanes")
  func records() async throws {
    let scratch = try Scratch()
    let out = scratch.file("out")
    let file = Self.root + "/Scenarios/health-store/samples-twice.json5"
    #expect(await program(["run", file, "--quiet", "--out", out]).code <= 1)
    let store = out + "/samples-twice/health.sqlite"
    let (days, judged) = (scratch.file("days"), scratch.file("judged"))
    let page = await program([
      "report", store, "--zone", "UTC", "--svg", days, "-o", scratch.file("store.html"),
    ])
    #expect(page.code == 0, "\(page.error)")
    let audit = await program([
      "audit", store, "--zone", "UTC", "--svg", judged, "-o", scratch.file("audit.txt"),
    ])
    #expect(audit.code == 0, "\(audit.error)")
    #expect(try !charts(days).isEmpty && charts(days).keys == charts(judged).keys)
    let (plain, found) = (try charts(days).values.first, try charts(judged).values.first)
    #expect(plain?.contains("Findings") == false && found?.contains("Findings") == true)
    // A replay against results that were changed by hand.
    let kept = scratch.file("kept")
    let day = Self.root + "/Scenarios/basal-reporting/basal-reporting-day.json5"
    try FileManager.default.createDirectory(
      atPath: kept + "/basal-reporting", withIntermediateDirectories: true)
    let result = "/basal-reporting/basal-reporting-day"
    try FileManager.default.copyItem(atPath: Self.root + "/Results" + result, toPath: kept + result)
    let table = kept + result + "/basal-segments.csv"
    let text = try String(contentsOfFile: table, encoding: .utf8)
    try Files.write(text.replacing("0.60,", with: "0.65,"), to: table)
    let svg = scratch.file("replay")
    let replay = await program(["verify", day, "--results", kept, "--svg", svg, "--quiet"])
    #expect(replay.code == 1)
    #expect(try charts(svg)["basal-reporting-day.svg"]?.contains(">Expected<") == true)
  }

  @Test("No chart takes the place of another, whatever numbers their names end with")
  func names() {
    // The second of a name would be "a-2", which another chart is called.
    #expect(
      ChartFolder.names(of: ["a.svg", "a.svg", "a-2.svg", "b.svg", "a.svg"])
        == ["a.svg", "a-3.svg", "a-2.svg", "b.svg", "a-4.svg"])
  }
}
