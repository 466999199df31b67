import Foundation
import ScenarioLanguage
import Scenarios
import StructuredText
import Studies
import Testing
import Typesetting

@testable import Pages
@testable import loopsim

/// Pages of studies whose cases are made up: many patients, nobody harmed, nobody left alive.
@Suite("Pages of studies")
struct StudyPageTests {
  /// What became of a case.
  private struct Case {
    var status = "ok"
    /// Time below 70 mg/dL in percent, and the ends of glucose.
    var below: Double?
    var low = 80.0
    var high = 200.0
    /// For how much of the time the sensor showed readings, in percent.
    var wear: Double?
    var days = 1.0
  }

  private static let digest = StudyDigest(plan: "p", cases: "c", summary: "s")

  private func page(
    patients: Int, _ made: (_ patient: Int, _ isTreated: Bool) -> Case
  ) throws -> StudyPage {
    StudyPage(try analysis(patients: patients, made), digest: Self.digest)
  }

  private func analysis(
    patients: Int, harm: String = "harm: { above: 4 }", arms: String = "", sweep: String = "",
    metric: String = "below(70)", goal: String = "noninferior: 1",
    _ made: (_ patient: Int, _ isTreated: Bool) -> Case
  ) throws -> StudyAnalysis {
    let people = (0..<patients).map { "p\($0),\(40 + $0 % 40),\($0 % 2 == 0 ? "even" : "odd")" }
    let files = [
      "study.json5": """
      { format: 'loopsim/1', id: 'made', title: 'A <study>', clock: { duration: '1h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
        variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } }\(arms) },
        \(sweep)
        study: { control: 'plain', strata: 'group',
          primary: [{ id: 'below', metric: '\(metric)', better: 'lower', \(goal),
            \(harm) }] } }
      """,
      "people.csv": "id,isf,group\n" + people.joined(separator: "\n") + "\n",
    ]
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    let runs = ScenarioCheck.plan("study.json5", reader: &reader, problems: problems)
    let plan = StudyPlan(
      of: try #require(runs, "\(problems.sorted)"), file: "study.json5",
      files: FrozenFiles(files.map { .init(path: $0.key, text: $0.value) }), version: "test")
    let whole = StudyProtocol(plan, digest: StudyPlan.digest(of: plan.bytes), problems: problems)
    let study = try #require(whole, "\(problems.sorted)")
    let header = CaseRow.header(study.design)
    let hours = (0..<24).map { "\(100 + $0)" }.joined(separator: " ")
    let rows = try (0..<plan.units).flatMap { study.cases(ofUnit: $0) }.map { item in
      let made = made(item.patient, item.arm == 1)
      let patient = study.patient(item.patient)
      var known = [
        "case": "\(item.number)", "unit": "\(item.unit)", "patient": patient.id,
        "group": patient.group ?? "", "replicate": "\(item.replicate)",
        "point": "\(item.point)",
        "arm": plan.arms[item.arm], "status": made.status, "days": "\(made.days)", "seed": "7",
        "digest": "0", "ended": "2026-01-05T01:00:00Z",
      ]
      known["below"] = made.below.map { "\($0)" } ?? ""
      known["wear"] = made.wear.map { "\($0)" }
      if made.status == "ok" {
        known["percentile2.5"] = "\(made.low)"
        known["percentile97.5"] = "\(made.high)"
        known["glucose_by_hour"] = hours
      }
      return try #require(CaseRow(header.map { known[$0] ?? "" }))
    }
    let bytes = CaseRow.table(rows, header: header, withHeader: true)
    let table = CaseTable(bytes, file: "cases.csv", study: study, problems: problems)
    return StudyAnalysis(try #require(table, "\(problems.sorted)"), of: study)
  }

  @Test("Of more patients than can be told apart the page shows quantiles and fields, and is small")
  func many() throws {
    let page = try page(patients: 320) { patient, isTreated in
      let below = Double(patient % 7) / 2
      return Case(below: isTreated ? below + 0.5 : below, low: 60 + Double(patient % 50))
    }
    let html = page.html
    #expect(html.utf8.count < 100_000)
    #expect(html.contains("320 patients, 0.50 to 0.50, the best at the right."))
    #expect(html.contains("squares show how many lie in a field"))
    // The dots of the treatment are those of intervals, not one for each patient.
    #expect(html.split(separator: "class=\"c1\"").count < 10)
    #expect(!html.contains("A <study>") && html.contains("A &lt;study&gt;"))
    #expect(page.figures.contains { $0.name == "patients.svg" && $0.text.utf8.count < 30_000 })
  }

  @Test("Where nobody is harmed, the patients nearest to the rule are named")
  func nobodyHarmed() throws {
    let html = try page(patients: 8) { patient, isTreated in
      Case(below: isTreated ? Double(patient) / 2 : 0)
    }.html
    #expect(html.contains("<p class=\"big\">0 <small>of 8 newly above 4 %"))
    #expect(html.contains("Nobody; nearest to the rule"))
    #expect(html.contains("verdict ok") && !html.contains("Newly harmed, the worst first"))
    // By its value an arm is sorted, however that is written.
    #expect(html.contains("<td class=\"num opt\" data-v=\"1.5\">1.50</td>"))
  }

  @Test("Each harmed patient is a pair against the rule, the worst first, and the spared follow")
  func harmed() throws {
    let page = try page(patients: 8) { patient, isTreated in
      switch patient {
      case 0: Case(below: isTreated ? 6 : 1)
      case 1: Case(below: isTreated ? 9 : 1)
      case 2: Case(below: isTreated ? 1 : 5)
      case 3: Case(below: 7)
      default: Case(below: 1)
      }
    }
    let html = page.html
    let (first, second) = (html.firstRange(of: "✕ p1<"), html.firstRange(of: "✕ p0<"))
    #expect(try #require(first).lowerBound < #require(second).lowerBound)
    #expect(html.contains("▲ p2<") && html.contains("Harmed under both arms: p3 (7.00 → 7.00)"))
    let chart = try #require(page.figures.first { $0.name == "harmed-below.svg" }).text
    // From 0 to the largest of 9: control 1 and treatment 9 of p1, and the rule at 4.
    #expect(chart.contains("class=\"mg\" d=\"M4478 0v1000\""))
    #expect(chart.contains("class=\"c0\" d=\"M1344 500h1\""))
    #expect(chart.contains("class=\"c2\" d=\"M9700 500h1\""))
  }

  @Test("Of many harmed, spared and both the rest is counted, with the table that has them")
  func manyChanged() throws {
    // 51 of each: one more than are listed.
    let html = try page(patients: 153) { patient, isTreated in
      switch patient % 3 {
      case 0: Case(below: isTreated ? 9 : 0)
      case 1: Case(below: isTreated ? 0 : 9)
      default: Case(below: 9)
      }
    }.html
    #expect(html.contains("<p class=\"small\">and 1 more in results.harms.csv</p>"))
    #expect(html.contains("<p class=\"small\">and 1 more in results.patients.csv</p>"))
    #expect(html.contains("(9.00 → 9.00), and 1 more in results.patients.csv.</p>"))
    #expect(html.contains("<p class=\"small\">Intervals of 95 %.</p>"))
  }

  @Test("Arms without cards of their own stand in a table, with whom they harm")
  func manyArms() throws {
    let others = (2...6).map { ", t\($0): { therapy: { maxBolus: \($0) } }" }.joined()
    let analysis = try analysis(patients: 6, arms: others) { patient, isTreated in
      Case(below: 1)
    }
    let html = StudyPage(analysis, digest: Self.digest).html
    #expect(analysis.comparisons.count == 6)
    #expect(!html.contains("Who was harmed? t6") && html.contains("Who was harmed? t4"))
    #expect(
      html.contains(
        "The first 4 of 6 comparisons have cards above, with their answers alone: single patients "
          + "and days are drawn where there are no more. Here alone stand t5, t6. "))
    // Every comparison has its intervals.
    #expect(html.contains(">t4: below") && html.contains(">t6: below"))
    #expect(html.contains("Every arm against plain") && html.contains(">t6<"))
    let few = try page(patients: 6) { _, _ in Case(below: 1) }.html
    #expect(!few.contains("Every arm against"))
  }

  @Test("Arms at several points of a sweep are told with their point")
  func armsOfASweep() throws {
    let sweep = "sweep: { 'therapy.maxBolus': [4, 6] },"
    let analysis = try analysis(patients: 6, sweep: sweep) { patient, isTreated in
      Case(below: isTreated && patient == 2 ? 9 : 1)
    }
    let html = StudyPage(analysis, digest: Self.digest).html
    for point in [4, 6] {
      #expect(html.contains("Who was harmed? high at \(point)"))
      #expect(html.contains("high at \(point) against plain"))
    }
    // 8 points of one of 6: put in order by the number, as a sign of minus is none to the script.
    #expect(html.matches(of: /data-v="1\.3333\d*">\+1\.33</).count == 2)
    let harms = String(decoding: StudyTables(analysis).harms, as: UTF8.self)
    #expect(harms.contains("high at 4 - plain,below,above 4,p2,"), "\(harms)")
    #expect(harms.contains("high at 6 - plain,below,above 4,p2,"), "\(harms)")
  }

  @Test("Where nobody survives, the page says so and draws no empty chart")
  func allLethal() throws {
    let html = try page(patients: 6) { _, _ in Case(status: "lethal", below: 100) }.html
    #expect(html.contains("Lethal runs: 6 with plain, 6 with high."))
    #expect(!html.contains("Control and variability") && !html.contains("Insulin by hour"))
    #expect(html.contains("0 ok, 12 lethal, 0 failed"))
  }

  @Test("The estimate stands within its chart, also where the interval has no end")
  func estimateWithinChart() throws {
    let html = try page(patients: 10) { patient, isTreated in
      Case(below: !isTreated ? 0 : patient == 0 ? 24 : patient == 1 ? 19 : 0)
    }.html
    #expect(html.contains("benefit −4.300, interval −100.000 to"))
    #expect(!html.contains("class=\"c1\" d=\"M-"))
  }

  @Test("Fewer lows for want of time are not drawn as better, and it is said why")
  func fewerForWantOfTime() throws {
    func html(days: Double) throws -> String {
      let analysis = try analysis(
        patients: 8, harm: "harm: { more: 1 }", metric: "lows(54,15m)", goal: "superior: true"
      ) { patient, isTreated in
        isTreated
          ? Case(status: "lethal", below: Double(1 + patient % 2), days: days) : Case(below: 10)
      }
      return StudyPage(analysis, digest: Self.digest).html
    }
    let forest = try #require(try html(days: 0.5).firstRange(of: "id=\"forest-0\""))
    let early = try html(days: 0.5)[forest.lowerBound...]
    #expect(early.contains("Undecided") && !early.contains("Better"))
    #expect(early.contains("as its shorter time spares nobody.</p>"))
    let late = try html(days: 1)
    #expect(late.contains("Better") && !late.contains("spares nobody"))
  }

  @Test("Where no run of an arm is known, the page has no p, and the text no value of both")
  func nothingKnown() throws {
    let analysis = try analysis(patients: 6) { _, isTreated in
      isTreated ? Case(status: "failed") : Case(below: 1)
    }
    #expect(!StudyPage(analysis, digest: Self.digest).html.contains("1.0000"))
    let text = StudyText(analysis).lines.joined(separator: " ")
    #expect(text.contains("no patient has a value under both"))
  }

  @Test("The page says of how many patients an end point tells, and which arms are the same")
  func partsAndTwins() throws {
    let part = try page(patients: 6) { patient, isTreated in
      patient == 2 && isTreated
        ? Case(status: "failed") : Case(below: isTreated ? Double(patient) / 2 : 0)
    }.html
    #expect(part.contains("5 of 6 patients are compared"))
    #expect(part.contains("time below 70 mg/dL, %; 5 of 6 patients"))
    #expect(part.contains("1 of 12 runs failed.</h1>"))
    let twins = try page(patients: 6) { _, _ in Case(below: 1) }.html
    #expect(twins.contains("! high and plain are the same run, in each of 6 pairs."))
    #expect(!part.contains("are the same run"))
  }

  @Test("Without a rule of harm nobody is said to be unharmed, and numbers have their units")
  func noRule() throws {
    let analysis = try analysis(patients: 8, harm: "") { patient, isTreated in
      Case(below: isTreated && patient == 3 ? 9 : 1)
    }
    let page = StudyPage(analysis, digest: Self.digest)
    #expect(page.html.contains("No rule of harm is given"))
    #expect(!page.html.contains("Newly harmed") && !page.html.contains("verdict ok\" aria-l"))
    #expect(page.html.contains("+1.000 points</b>"))
    #expect(page.html.contains("Every patient: time below 70 mg/dL, %"))
    #expect(page.html.contains("A single one of 8 patients differs, and unevenly"))
    #expect(
      StudyText(analysis).lines.contains(
        "Harm  no rule of harm is given; lethal runs alone are counted"))
    #expect(StudyText(analysis).lines.contains { $0.hasPrefix("1 below, %") })
    // No end is known on the side of harm: the interval runs on, and does not end at the edge.
    #expect(analysis.comparisons.first?.results.first?.interval?.upper == nil)
    #expect(page.html.components(separatedBy: "◀").count == 3 && !page.html.contains("▶"))
    // A share is no further from another than 100 points, whatever the resamples say.
    let interval = try #require(analysis.comparisons.first?.results.first?.toldInterval)
    #expect((-100...100).contains(try #require(interval.lower)))
    #expect((-100...100).contains(try #require(interval.upper)))
    #expect(page.html.contains(", interval −100.000 to "))
    // Bands say where the margin is, also where a reader has colours of their own.
    #expect(page.html.contains(".bx{forced-color-adjust:none}"))
  }

  @Test("The interval of a group ends where shares of time end")
  func intervalOfGroup() throws {
    let analysis = try analysis(patients: 22) { patient, isTreated in
      Case(below: isTreated && patient == 3 ? 9 : 1)
    }
    let result = try #require(analysis.comparisons.first?.results.first)
    #expect(result.groups.contains { $0.interval != nil && $0.interval?.upper == nil })
    let page = StudyPage(analysis, digest: Self.digest).html
    let cards = page.components(separatedBy: ">Groups: ")
    #expect(cards.count == 2)
    let figures = try #require(cards.last?.components(separatedBy: "</section>").first)
    #expect(figures.contains(", 100]") && !figures.contains("–]"), "\(figures)")
  }

  /// Ten patients newly harmed and none spared: p = 2 × 0.5¹⁰ = 0.00195.
  @Test("A p below the last decimal is not said to be naught")
  func smallP() throws {
    let page = try page(patients: 30) { patient, isTreated in
      Case(below: isTreated && patient < 10 ? 9 : 1)
    }
    #expect(page.html.contains("McNemar p &lt; 0.01."))
    // Five are seen at once, and the others unfold, so that what follows stays on the first sheet.
    let parts = page.html.split(separator: "<summary>The next 5</summary>")
    #expect(parts.count == 2 && parts.map { $0.matches(of: /✕ p\d+</).count } == [5, 5])
    #expect(PageNumber.p(0.00196, 4) == "0.0020" && PageNumber.p(0.00001, 4) == "< 0.0001")
    #expect(PageNumber.p(1, 2) == "1.00" && PageNumber.p(nil, 2) == "–")
  }

  @Test("The page tells what the text tells beside the figures")
  func notes() throws {
    // All of a group of two differ by the same.
    let analysis = try analysis(patients: 6, metric: "below(70)@cgm") { patient, isTreated in
      Case(below: isTreated ? Double(patient % 2 + 1) : 0, wear: isTreated ? 79.25 : 100)
    }
    let page = StudyPage(analysis, digest: Self.digest).html
    let wear = "he sensor showed readings for 100.0 % of the time under plain and 79.3 % under high"
    let group = "below: the interval takes all patients as one group"
    let text = StudyText(analysis).lines.joined(separator: " ")
    #expect(text.contains("Note  t" + wear) && text.contains("Note  " + group), "\(text)")
    #expect(page.contains("! T" + wear), "\(page)")
    #expect(page.contains("! Below: the interval takes all patients as one group"))
  }

  @Test("What the check of a study's scenario warned of and noted stays beside it, and on its page")
  func keepsWarnings() async throws {
    let scratch = try StudyCommandTests().smallScratch()
    let whole = try scratch.text(of: "study.json5")
    func study(_ text: String, in folder: String) async throws -> String {
      try Files.write(text, to: scratch.file("study.json5"))
      let done = await program([
        "study", scratch.file("study.json5"), "--out", scratch.file(folder), "--report",
        scratch.file("\(folder).html"),
      ])
      #expect(done.code == 0, "\(done.error)")
      return try scratch.text(of: "\(folder).html")
    }
    let idle = "pump: { clockDrift: '9s/day' }, study: {"
    let page = try await study(whole.replacing("study: {", with: idle), in: "out")
    let kept = try scratch.text(of: "out/warnings.txt")
    #expect(kept.contains("has no effect: the basal schedule is the same"), "\(kept)")
    #expect(page.contains("has no effect: the basal schedule is the same"))
    let again = await program(["study", "report", scratch.file("out")])
    #expect(again.error.contains("has no effect: the basal schedule is the same"), "\(again.error)")
    let few = "The study has 5 patients: its intervals treat them as drawn from a population that"
    #expect(try scratch.text(of: "out/notes.txt").contains(few))
    #expect(page.contains(few) && !kept.contains(few))
    #expect(again.error.contains(few), "\(again.error)")
    #expect(await program(["study", "verify", scratch.file("out")]).code == 0)
    #expect(try await !study(whole, in: "fine").contains("has no effect"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("fine/warnings.txt")))
  }

  @Test(
    "A forest marks the margin where the goal has it",
    arguments: [
      ("superior: true", []), ("superior: 2", [1]), ("noninferior: 2", [-1]),
      ("equivalent: 2", [-1, 1]),
    ] as [(String, [Double])])
  func margins(goal: String, margins: [Double]) throws {
    let analysis = try analysis(patients: 6, goal: goal) { patient, isTreated in
      Case(below: isTreated ? Double(patient) : 0)
    }
    let result = try #require(analysis.comparisons.first?.results.first)
    #expect(ForestRow(result).margins == margins)
    #expect(ForestRow(result).ends.count == 3 + margins.count)
  }

  @Test("The axis of shares of variance is written with the end that it has")
  func endOfShares() async throws {
    let scratch = try Scratch()
    let file = scratch.file("study.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'shares', clock: { duration: '30m' }, app: { closedLoop: false },
        patient: { model: 'tidepool-simple', initialGlucose: 120, needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        sweep: { sobol: { n: 3, of: { 'cgm.bias.offset': { uniform: [0, 20] },
          'cgm.bias.gain': { uniform: [0.9, 1.1] } } } },
        study: { primary: [{ id: 'seen', metric: 'mean@cgm', better: 'lower' }] } }
      """, to: file)
    let words = ["study", file, "--out", scratch.file("out"), "--report", scratch.file("p.html")]
    let done = await program(words)
    #expect(done.code == 0, "\(done.error)")
    let bytes = try Files.read(scratch.file("out/results.summary.json"))
    let summary = JSONReader.read(bytes, file: "s").root
    let sensitivity = summary?["sensitivity"]
    let point = sensitivity?["endpoints"]?.items?.first
    var ends: [Double] = []
    for index in point?["estimates"]?.items ?? [] {
      ends += ["first", "total"].compactMap { index[$0]?.double }
      ends += ["first_interval", "total_interval"].compactMap { index[$0]?.items?.last?.double }
    }
    #expect(ends.count == 8)
    let end = try #require(ends.max())
    try #require(end > 1)
    let text = StudyNumber.fixed(end, 2)
    #expect(try scratch.text(of: "p.html").contains("0 · share of variance · \(text)<"))
  }
}
