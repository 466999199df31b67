import Foundation
import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

@testable import Expectations

/// Surroundings whose timeline has time and glucose alone.
func surroundings(
  _ files: MemoryFiles, keep: (@Sendable (String, String) -> String?)? = nil
) -> GoldenFiles {
  GoldenFiles(
    files: files,
    timeline: { run in
      var table = CSVWriter(header: ["time", "glucose_true_mgdL", "mode"])
      for row in run.trace.rows {
        table.append(row: [
          run.clock.iso8601(row.instant), FixedDecimal.text(row.trueGlucose.mgdL, decimals: 3),
          row.mode.rawValue,
        ])
      }
      return table.text
    }, keepGolden: keep)
}

@Suite("Expectations that look beyond one run")
struct JointExpectationTests {
  /// Runs a scenario of half an hour that rests at 110 mg/dL, and gives every result.
  ///
  /// The body's start is set by variants or a sweep, so that values are known.
  static func results(
    _ expectations: String, isMolar: Bool = false, more: String = "", files: [String: String] = [:],
    lacking: String = "",
    keep: (@Sendable (String, String) -> String?)? = nil
  ) throws -> [ExpectationResult] {
    let text = """
      { format: 'loopsim/1',
        clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '30m' },
        glucoseUnit: '\(isMolar ? "mmol/L" : "mg/dL")',
        patient: { model: 'tidepool-simple', initialGlucose: \(isMolar ? 6.1 : 110), needs: {
          basal: [['00:00', 0.0]], sensitivity: [['00:00', \(isMolar ? 3 : 50)]],
          carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 0.05]] },
        app: { closedLoop: false }, pump: { model: 'generic50' }, \(more)
        expect: [\(expectations)] }
      """
    var all = files
    all["d/s.json5"] = text
    let memory = MemoryFiles(all)
    let problems = ProblemList()
    var reader = ScenarioReader(files: memory)
    let planned = ScenarioCheck.plan("d/s.json5", reader: &reader, problems: problems)
    let plan = try #require(planned)
    var joint = JointExpectations(file: "d/s.json5")
    var results: [ExpectationResult] = []
    for place in 0..<plan.count {
      let expanded = plan.run(at: place)
      if expanded.id == lacking {
        joint.miss(expanded.place)
        continue
      }
      let built = try #require(
        RunBuilder.build(expanded, problems: problems), "\(problems.problems)")
      var run = Run(built.setup)
      while run.step() {}
      let result = run.finish()
      let measurements = RunMeasurements(result)
      for expectation in built.expectations {
        if expectation.joinsRuns {
          joint.take([
            expectation.contribution(
              of: result, measurements: measurements, place: expanded.place, file: "d/s.json5",
              in: surroundings(memory, keep: keep))
          ])
        } else {
          results.append(
            expectation.evaluate(
              result, measurements: measurements, file: "d/s.json5",
              in: surroundings(memory, keep: keep)))
        }
      }
    }
    return results + joint.results()
  }

  /// Four starts, so that glucose begins at 100, 110, 120 and 130.
  static let sweep = "sweep: { 'patient.initialGlucose': [100, 110, 120, 130] },"
  static let variants =
    "variants: { low: { patient: { initialGlucose: 100 } }, high: { patient: { "
    + "initialGlucose: 150 } } },"

  @Test(
    "Runs are judged together",
    arguments: [
      ("metric: 'maxGlucose', max: 125, across: 'all'", "1 of 4 runs fails; the first is s/s3: "),
      ("metric: 'maxGlucose', max: 135, across: 'all'", ""),
      ("metric: 'maxGlucose', max: 125, across: 'fraction>=0.75'", ""),
      (
        "metric: 'maxGlucose', max: 125, across: 'fraction>=0.76'",
        "3 of 4 runs pass, a share of 0.75 < 0.76; the first is s/s3: "
      ),
      ("metric: 'maxGlucose', min: 114.99, max: 115.01, across: 'mean'", ""),
      (
        "metric: 'maxGlucose', max: 114, across: 'mean'",
        "mean of maxGlucose@true over 4 runs is 115 > 114 mg/dL"
      ),
      // The quantile of type 7: 100 + 0.05 · 3 · 10 and 130 - 0.05 · 3 · 10.
      ("metric: 'maxGlucose', min: 101.49, max: 101.51, across: 'p05'", ""),
      ("metric: 'maxGlucose', min: 128.49, max: 128.51, across: 'p95'", ""),
      (
        "metric: 'maxGlucose', max: 128, across: 'p95'",
        "p95 of maxGlucose@true over 4 runs is 128.5 > 128 mg/dL"
      ),
      ("invariant: 'insulin-conservation', across: 'all'", ""),
    ])
  func across(expectation: String, message: String) throws {
    let results = try Self.results("{ id: 'a', \(expectation) }", more: Self.sweep)
    try #require(results.count == 1)
    #expect(results[0].run == "s")
    #expect(results[0].outcome == (message.isEmpty ? .passed : .failed), "\(results[0].message)")
    #expect(results[0].message.hasPrefix(message), "\(results[0].message)")
    #expect((results[0].moment?.run == nil) == message.isEmpty)
  }

  @Test("Each variant is judged by itself")
  func variantsApart() throws {
    let results = try Self.results(
      "{ id: 'a', metric: 'maxGlucose', max: 120, across: 'mean' }", more: Self.variants)
    #expect(results.map(\.run) == ["s/low", "s/high"])
    #expect(results.map(\.outcome) == [.passed, .failed])
  }

  @Test("Of a run that ended early its end is shown, in what looks at several runs too")
  func endedEarly() throws {
    let results = try Self.results(
      "{ id: 'a', metric: 'maxGlucose', max: 50, across: 'all' }",
      more: "variants: { a: { patient: { initialGlucose: 70, floor: { glucose: 70 } } } }, "
        + "events: [{ at: '00:01', injection: { units: 20 } }],")
    #expect(results.map(\.outcome) == [.failed])
    let time = try #require(results[0].moment?.time)
    #expect(time > "2026-01-15T00:01:00Z" && time < "2026-01-15T00:30:00Z")
  }

  @Test("A run without a result is an error of what it belongs to")
  func missingRun() throws {
    var joint = JointExpectations(file: "s.json5")
    #expect(joint.results().isEmpty)
    joint.miss(
      RunPlace(id: "s/r1", scenario: "s", variant: nil, point: nil, patient: nil, replicate: 1))
    #expect(joint.results().isEmpty)
  }

  @Test(
    "A variant is compared with another",
    arguments: [
      ("metric: 'maxGlucose', other: 'low'", "difference: { min: 49.9, max: 50.1 }", ""),
      (
        "metric: 'maxGlucose', other: 'low'", "difference: { max: 10 }",
        "maxGlucose@true 150 − 100 (s/low) is 50 > 10 mg/dL"
      ),
      ("metric: 'maxGlucose', this: 'low', other: 'high'", "ratio: { max: 0.7 }", ""),
      (
        "metric: 'maxGlucose', this: 'low', other: 'high'", "ratio: { min: 0.7 }",
        "maxGlucose@true 100 ÷ 150 (s/high) is 0.6667 < 0.7"
      ),
      ("series: 'glucose.true', other: 'low'", "difference: { min: 49, max: 51 }", ""),
      (
        "series: 'glucose.true', other: 'low'", "difference: { max: 49 }",
        "the series 150 − 100 (s/low) is 50 > 49 mg/dL at 2026-01-15T00:00:00Z (first of 7)"
      ),
    ])
  func compare(subject: String, bounds: String, message: String) throws {
    let results = try Self.results(
      "{ id: 'c', compare: { \(subject) }, \(bounds) }", more: Self.variants)
    try #require(results.count == 1)
    #expect(results[0].message == message)
    #expect(results[0].outcome == (message.isEmpty ? .passed : .failed))
  }

  @Test("Each run is compared with the one of the same point and replicate")
  func partners() throws {
    let results = try Self.results(
      """
      { id: 'c', compare: { metric: 'maxGlucose', other: 'b' },
        difference: { min: -0.1, max: 0.1 } },
      { id: 'm', compare: { metric: 'maxGlucose', other: 'b' }, difference: { min: 1 },
        across: 'mean' }
      """, more: "variants: { a: {}, b: {} }, \(Self.sweep)")
    #expect(results.map(\.run) == ["s/a/s0", "s/a/s1", "s/a/s2", "s/a/s3", "s/a"])
    #expect(results.prefix(4).allSatisfy { $0.outcome == .passed })
    #expect(
      results[4].message == "mean of maxGlucose@true against b over 4 runs is 0 < 1 mg/dL")
  }

  private static let kept = """
    time,glucose_true_mgdL
    2026-01-15T00:00:00Z,110.000
    2026-01-15T00:05:00Z,110.0
    2026-01-15T00:10:00Z,110
    2026-01-15T00:15:00Z,110
    2026-01-15T00:20:00Z,109.99
    2026-01-15T00:25:00Z,109
    2026-01-15T00:30:00Z,108

    """

  @Test("A golden file is compared column by column, each with its tolerance, within the scope")
  func golden() throws {
    let results = try Self.results(
      """
      { id: 'wide', golden: 'golden/{run}.csv', tolerance: { glucose: 3 } },
      { id: 'early', golden: 'golden/{id}.csv', tolerance: 0.5, between: ['00:00', '00:20'] },
      { id: 'strict', golden: 'golden/s.csv', tolerance: { 'glucose.true': 0.5 } },
      { id: 'typo', golden: 'golden/s.csv', tolerance: { glocose: 0.5 } },
      { id: 'none', golden: 'golden/{variant}.{replicate}.csv' }
      """, files: ["d/golden/s.csv": Self.kept])
    #expect(results.map(\.outcome) == [.passed, .passed, .failed, .failed, .failed])
    #expect(
      results[2].message.hasPrefix(
        "d/golden/s.csv: row 2026-01-15T00:25:00Z, column glucose_true_mgdL: kept 109, found 110"
      ))
    #expect(results[2].moment?.time == "2026-01-15T00:25:00Z")
    #expect(results[3].message.hasPrefix("d/golden/s.csv has no column \"glocose\""))
    #expect(
      results[4].message
        == "the golden file d/golden/main.r0.csv is missing; keep one with: "
        + "loopsim run d/s.json5 --update-golden")
  }

  @Test("A ratio to nothing is no value, alone and among the values of runs")
  func ratioToNothing() throws {
    let compared = "compare: { metric: 'lows(54,15m)', this: 'high', other: 'low' }"
    let results = try Self.results(
      """
      { id: 'each', \(compared), ratio: { max: 0.5 } },
      { id: 'mean', \(compared), ratio: { max: 0.5 }, across: 'mean' },
      { id: 'p95', \(compared), ratio: { min: 0.5 }, across: 'p95' }
      """, more: Self.variants)
    #expect(results.allSatisfy { $0.outcome == .failed }, "\(results.map(\.message))")
    #expect(results.allSatisfy { $0.message.contains("is to be divided by 0") })
  }

  @Test("What was measured before and after a run is no part of the comparison with it")
  func observedOutside() throws {
    // The run lasts from 00:00; 900 mg/dL was measured before it.
    let table = "time,glucose\n2026-01-14T22:00:00Z,900\n+1m,110\n+11m,110\n"
    let results = try Self.results(
      "{ id: 'mean', compare: { metric: 'mean', other: 'observed' }, difference: { min: -1 } }",
      more: "history: { observed: { csv: 'o.csv' } },", files: ["d/o.csv": table])
    #expect(results.map(\.outcome) == [.passed], "\(results.map(\.message))")
  }

  @Test("Readings that were observed as 10.0 mmol/L are in range, as the consensus has it")
  func observedAtLimit() throws {
    // Half of what was observed is in range; converted, 10.0 mmol/L would be 180.16 mg/dL.
    let table = "time,glucose\n+1m,10.0\n+6m,10.1\n+11m,3.9\n+16m,3.8\n"
    let results = try Self.results(
      """
      { id: 'o', compare: { metric: 'tir(3.9,10)', other: 'observed' },
        difference: { min: 50, max: 50 } }
      """, isMolar: true, more: "history: { observed: { csv: 'o.csv' } },",
      files: ["d/o.csv": table])
    #expect(results.map(\.outcome) == [.passed], "\(results.map(\.message))")
  }

  @Test("On request the timeline is kept instead of compared")
  func keepsGolden() throws {
    let results = try Self.results("{ id: 'g', golden: 'golden/{run}.csv' }") { path, text in
      path == "d/golden/s.csv" && text.hasPrefix("time,glucose_true_mgdL,mode\n") ? nil : "wrong"
    }
    #expect(results.map(\.outcome) == [.passed], "\(results.map(\.message))")
  }

  @Test("What was observed is compared at the rows nearest to it")
  func observed() throws {
    let table = "time,glucose\n+1m,112\n00:11,109\n2026-01-15T00:21:00Z,140\n"
    let results = try Self.results(
      """
      { id: 'near', compare: { series: 'glucose.true', other: 'observed' },
        difference: { min: -5, max: 5 }, between: ['00:00', '00:15'] },
      { id: 'far', compare: { series: 'glucose.true', other: 'observed' },
        difference: { min: -5 } },
      { id: 'mean', compare: { metric: 'mean', other: 'observed' }, difference: { max: 0 } }
      """, more: "history: { observed: { csv: 'o.csv' } },", files: ["d/o.csv": table])
    #expect(results.map(\.outcome) == [.passed, .failed, .passed], "\(results.map(\.message))")
    #expect(results[1].message.contains("at 2026-01-15T00:20:00Z"))
  }

  @Test("A timeline of an earlier run is compared by metric and by series")
  func results() throws {
    let header =
      "time,glucose_true_mgdL,glucose_cgm_mgdL,scheduled_rate_U_per_h,programmed_rate_U_per_h,"
      + "basal_delivered_U,bolus_delivered_U,iob_U,insulin_in_body_U,cob_g\n"
    let rows = ["00:00", "00:05", "00:10"].map {
      "2026-01-15T\($0):00Z,100,101,0.05,0.05,0,0,0.5,,\n"
    }
    let results = try Self.results(
      """
      { id: 's', compare: { series: 'glucose.true', other: 'k.csv' },
        difference: { min: 9, max: 11 } },
      { id: 'i', compare: { series: 'iob.app', other: 'k.csv' }, difference: { min: 0 } },
      { id: 'm', compare: { metric: 'mean', other: 'k.csv' }, ratio: { min: 1.09, max: 1.11 } },
      { id: 'x', compare: { metric: 'mean', other: 'absent.csv' }, ratio: { min: 1 } }
      """, files: ["d/k.csv": header + rows.joined()])
    #expect(
      results.map(\.outcome) == [.passed, .failed, .passed, .failed], "\(results.map(\.message))")
    #expect(results[3].message.contains("There is no file \"d/absent.csv\""))
  }

  @Test(
    "A stretch that goes beyond the end of the run is warned of, as what is inherited may have one",
    arguments: [
      ("event: { kind: 'bolus' }, count: 0, after: '20:00'", 1),
      ("metric: 'boluses', max: 0, between: ['19:00', '20:00']", 1),
      ("metric: 'boluses', max: 0, between: ['00:10', '20:00']", 1),
      ("metric: 'boluses', max: 0, between: ['00:10', '00:30']", 0),
      ("metric: 'boluses', max: 0, after: '00:30'", 0),
    ])
  func warnsOfStretch(expectation: String, count: Int) throws {
    let text = """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '30m' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.4]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        expect: [{ id: 'a', \(expectation) }] }
      """
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let planned = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    let plan = try #require(planned)
    #expect(RunBuilder.build(plan.run(at: 0), problems: problems) != nil)
    let told = problems.sorted.filter { $0.sentence.contains("after the end of the run at 2026") }
    #expect(Set(told.map(\.position)).count == count, "\(problems.sorted)")
    #expect(told.allSatisfy { $0.severity == .warning })
  }

  @Test(
    "What cannot be is told by its place",
    arguments: [
      ("metric: 'mean', max: 9, across: 'most'", "\"across\" is one of 'each', 'all'"),
      ("invariant: 'monotone-time', across: 'mean'", "Only a metric has a mean"),
      ("series: 'glucose.true', within: [1, 900], across: 'p05'", "Only a metric has a p05"),
      ("compare: { metric: 'mean', other: 'low' }", "needs difference or ratio"),
      ("compare: { metric: 'mean', other: 'lov' }, ratio: { min: 1 }", "Did you mean \"low\"?"),
      ("compare: { other: 'low' }, ratio: { min: 1 }", "either a metric or a series"),
      ("compare: { metric: 'tdd', other: 'a.csv' }, ratio: { min: 1 }", "only metrics of glucose"),
      ("compare: { metric: 'mean', other: 'observed' }, ratio: { min: 1 }", "observed.csv"),
      ("compare: { metric: 'mean', other: 'low' }, ratio: {}", "The bounds are empty"),
      ("series: 'glucose.true', within: [1, 900], never: {}", "\"never\" is empty"),
      ("metric: 'mean', max: 9, outside: ['00:10..00:20']", "\"outside\" is for series"),
      ("metric: 'mean', max: 9, tolerance: 1", "\"tolerance\" goes with \"equals\""),
      (
        "event: { kind: 'bolus' }, count: 0, between: ['00:05', '00:10'], after: '00:20'",
        "Nothing is left to look at"
      ),
      ("metric: 'askedUnits', max: 9, after: '00:10'", "the accounts of the whole run"),
      ("invariant: 'monotone-time', after: '00:10'", "A law holds in the whole run"),
      ("golden: 'golden/{ran}.csv'", "\"{ran}\" is no part of a run's name"),
      ("golden: 'golden.json'", "its name ends in .csv"),
      ("golden: 'golden.csv', tolerance: { time: 5 }", "A span of time needs"),
      ("golden: 'golden.csv', tolerance: { glucose: '5m' }", "tolerance.glucose"),
    ])
  func refuses(expectation: String, sentence: String) throws {
    let text = """
      { format: 'loopsim/1', clock: { duration: '30m' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.4]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } }, \(Self.variants)
        expect: [{ id: 'a', \(expectation) }] }
      """
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    if let plan { _ = RunBuilder.build(plan.run(at: 0), problems: problems) }
    let errors = problems.sorted.filter { $0.severity == .error }
    #expect(errors.contains { $0.sentence.contains(sentence) }, "\(errors)")
    #expect(errors.allSatisfy { $0.position.line >= 3 }, "\(errors)")
  }

  @Test("A scenario whose runs are looked at together is told from others")
  func joinsRuns() throws {
    func plan(_ expectation: String) throws -> RunPlan {
      let text = "{ format: 'loopsim/1', \(Self.variants) expect: [{ \(expectation) }] }"
      let problems = ProblemList()
      var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
      let read = reader.read("s.json5", problems: problems)
      let document = try #require(read)
      return try #require(RunPlan(document, reader: reader, problems: problems))
    }
    #expect(try plan("metric: 'mean', across: 'all'").joinsRuns)
    #expect(try plan("compare: { metric: 'mean', other: 'low' }").joinsRuns)
    #expect(!(try plan("metric: 'mean', across: 'each'").joinsRuns))
    #expect(!(try plan("compare: { metric: 'mean', other: 'x/timeline.csv' }").joinsRuns))
  }
}
