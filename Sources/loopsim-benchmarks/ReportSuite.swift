import Arguments
import Expectations
import HealthStore
import Outcomes
import Pages
import Quantities
import Records
import Reports
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Studies
import Typesetting

/// Every kind of page, from runs that are over: what a reader waits for besides the run.
enum ReportSuite {
  static let suite = Suite(
    name: "report",
    cases: [
      page("run of a day") { ReportMaterial.runPage(ReportMaterial.day) },
      page("run of 14 days") { ReportMaterial.runPage(ReportMaterial.fortnight) },
      page("figures of a day as files") { ReportMaterial.figures(ReportMaterial.day) },
      page("batch of 100 runs") {
        BatchPage(ReportMaterial.batch, joint: [], version: "").html(linksToRuns: true)
      },
      page("replay of 500 runs, 10 failing") {
        ReplayPage(ReportMaterial.replays, lines: [], version: "").html
      },
      page("comparison of two days") {
        ComparePage("a", "b", ReportMaterial.pairs, version: "").html
      },
      page("health store of 14 days") {
        ReportMaterial.audit.map { HealthStorePage($0, file: "f", version: "").html } ?? ""
      },
      page("audit of 14 days") {
        ReportMaterial.audit.map { AuditPage($0, file: "f", version: "").html } ?? ""
      },
      page("glucose of 100 people") {
        GlucosePage(ReportMaterial.people, unit: .milligramsPerDecilitre, version: "").html
      },
      page("study of 100 patients") {
        ReportMaterial.study.map { StudyPage($0, digest: ReportMaterial.digest).html } ?? ""
      },
    ])

  private static func page(
    _ name: String, _ draw: @escaping @Sendable () -> String
  ) -> Benchmark {
    Benchmark(name: name, unit: "page", units: 1) {
      var sum = Checksum()
      for byte in opaque(draw()).utf8 { sum.absorb(UInt64(byte)) }
      return sum.value
    }
  }
}

/// The results that the pages are drawn from, each made once.
private enum ReportMaterial {
  /// A run that is over, with what a page of it is made from.
  struct Lived: Sendable {
    var summary: RunSummary
    var observation: RunObservation
    var source: ExpandedRun
  }

  static let day = lived(days: 1)
  static let fortnight = lived(days: 14)

  static func runPage(_ lived: Lived?) -> String {
    guard let lived else { return "" }
    return RunPage(report(of: lived)).html
  }

  static func figures(_ lived: Lived?) -> String {
    guard let lived else { return "" }
    return RunPage(report(of: lived)).figures().map(\.text).joined()
  }

  private static func report(of lived: Lived, withDoses: Bool = true) -> RunReport {
    RunReport(
      lived.summary, lived.observation, of: lived.source, file: "day.json5",
      withDoses: withDoses)
  }

  static let batch: [BatchRow] = {
    guard let day,
      let row = BatchRow(report(of: day, withDoses: false), hasFailed: false)
    else { return [] }
    return (0..<100).map { index in
      var copy = row
      copy.id = "cohort/arm-\(index % 2)/adult#\(index)"
      copy.coordinates.variant = "arm-\(index % 2)"
      return copy
    }
  }()

  static let replays: [ReplayOutcome] = (0..<500).map { index in
    let start = Instant(secondsSince1970: 1_772_582_400)
    let id = "scenario-\(index)"
    let file = "Scenarios/folder-\(index % 9)/\(id).json5"
    guard index % 50 == 0 else {
      return ReplayOutcome(id: id, file: file, title: "A day", state: .passed)
    }
    let kept = (0..<48).map { half in
      ReplayOutcome.Segment(
        start: start + .minutes(30) * Int64(half), end: start + .minutes(30) * Int64(half + 1),
        units: 0.3)
    }
    var found = kept
    found[15].units = 0.35
    return ReplayOutcome(
      id: id, file: file, title: "A day", state: .failed,
      differences: [
        ReplayOutcome.Difference(
          file: "basal-segments.csv", instant: start + .hours(7), kept: "07:30,0.30",
          found: "07:30,0.35", count: 41)
      ], kept: kept, found: found)
  }

  static let pairs: [ComparePage.Pair] = {
    let (left, right) = (recorded(shift: 0), recorded(shift: 7))
    guard let left, let right else { return [] }
    let comparison = RunComparison(
      left, right, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: false)
    return [.init(name: "day", left: left, right: right, comparison: comparison)]
  }()

  /// The timeline of a day as it is read from a file.
  private static func recorded(shift: Int) -> RecordedRun? {
    var writer = CSVWriter(header: ["time", "seconds", "glucose_true_mgdL", "iob_U"])
    for row in 0..<288 {
      writer.append(row: [
        "2026-01-15T00:00:00Z", "\(row * 300)", "\(100 + (row + shift) % 80)", "\(row % 5)",
      ])
    }
    return CSVTable(writer.bytes, file: "timeline.csv", problems: ProblemList()).map {
      RecordedRun(tables: [.init("timeline.csv", $0)])
    }
  }

  static let audit: Audit? = {
    guard let run = fortnight?.summary.run,
      let samples = try? run.store.allSamples(
        of: [.insulinDelivery, .dietaryCarbohydrates, .bloodGlucose])
    else { return nil }
    return Audit(samples.filter { !$0.sample.hasUndeterminedDuration })
  }()

  static let people: [GlucosePage.Person] = {
    guard let series = fortnight?.summary.measurements.cgm else { return [] }
    return (0..<100).map { .init(name: "person-\($0)", series: series) }
  }()

  static let digest = StudyDigest(plan: "p", cases: "c", summary: "s")

  static let study: StudyAnalysis? = {
    let rows = (0..<100).map { "p\($0),\(40 + $0 % 40),\($0 % 3)\n" }.joined()
    let files = [
      "study.json5": """
      { format: 'loopsim/1', id: 'small', title: 'A study', clock: { duration: '6h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120, floor: { glucose: 20 },
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
        variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },
        study: { control: 'plain', strata: 'group',
          primary: [{ metric: 'below(70)', better: 'lower', noninferior: 1,
            harm: { above: 1 } }],
          secondary: [{ metric: 'mean@cgm', better: 'lower', superior: true }] } }
      """,
      "people.csv": "id,isf,group\n" + rows,
    ]
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    guard let runs = ScenarioCheck.plan("study.json5", reader: &reader, problems: problems)
    else { return nil }
    let plan = StudyPlan(
      of: runs, file: "study.json5",
      files: FrozenFiles(files.map { .init(path: $0.key, text: $0.value) }), version: "")
    let whole = StudyProtocol(plan, digest: StudyPlan.digest(of: plan.bytes), problems: problems)
    guard let whole else { return nil }
    let cases = (0..<plan.units).flatMap { unit in
      whole.cases(ofUnit: unit).compactMap { whole.carryOut($0) }
    }
    let bytes = CaseRow.table(cases, header: CaseRow.header(whole.design), withHeader: true)
    return CaseTable(bytes, file: "cases.csv", study: whole, problems: problems).map {
      StudyAnalysis($0, of: whole)
    }
  }()

  /// Carries out days of three meals in closed loop.
  private static func lived(days: Int) -> Lived? {
    let meals = MealDay.meals.map { meal -> String in
      let time = "\(meal.minute / 60 < 10 ? "0" : "")\(meal.minute / 60):00"
      return """
        { at: { daily: '\(time)' }, meal: { grams: \(Int(meal.grams)), absorption: '3h' } },
        { at: { daily: '\(time)' }, bolus: { take: 'recommended' } },
        """
    }.joined()
    let text = """
      { format: 'loopsim/1', id: 'day', random: { seed: 1 },
        clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '\(days)d' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001', initialGlucose: 120 },
        cgm: { model: 'ar1' }, supplies: 'automatic', events: [\(meals)] }
      """
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["day.json5": text]))
    guard let document = reader.read("day.json5", problems: problems),
      let plan = RunPlan(document, reader: reader, problems: problems),
      let built = RunBuilder.build(plan.run(at: 0), problems: problems)
    else {
      // Without a run the cases would time nothing; the figures must not look as if they did.
      for problem in problems.sorted {
        PlainConsole().write("\(problem.description)\n", to: .error)
      }
      return nil
    }
    let source = plan.run(at: 0)
    var run = Run(built.setup)
    var observation = RunObservation(run)
    observation.observe(run)
    while run.step() { observation.observe(run) }
    observation.end(run)
    let result = run.finish()
    var summary = RunSummary(
      result, RunMeasurements(result), title: built.title, expectations: [], version: "",
      scenarioDigest: built.scenarioDigest)
    summary.coordinates = RunCoordinates(source, file: "day.json5")
    return Lived(summary: summary, observation: observation, source: source)
  }
}
