import Expectations
import Foundation
import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Scenarios

@Suite("A floor of glucose")
struct FloorTests {
  private static func built(_ text: String) throws -> BuiltRun {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let read = reader.read("s.json5", problems: problems)
    let document = try #require(read, "\(problems.problems)")
    let planned = RunPlan(document, reader: reader, problems: problems)
    let plan = try #require(planned, "\(problems.problems)")
    let built = RunBuilder.build(plan.run(at: 0), problems: problems)
    return try #require(built, "\(problems.sorted.map(\.description))")
  }

  private static func result(_ built: BuiltRun) -> RunResult {
    var run = Run(built.setup)
    while run.step() {}
    return run.finish()
  }

  /// One of each model, with an injection that is far too much.
  private static let bodies = [
    "model: 'tidepool-simple', needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]], "
      + "carbRatio: [['00:00', 10]] }",
    "model: 'uva-padova-s2008', name: 'adult#001'", "model: 'uva-padova-s2013', name: 'adult#001'",
    "model: 'hovorka'", "model: 'ivp', name: 'ivp#003'", "model: 'bergman'",
  ]

  private static func scenario(_ body: String, floor: String) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '8h' }, patient: { \(body)\(floor) },
      therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]] },
      app: { closedLoop: false }, output: { every: '1m' },
      events: [{ at: '+10m', injection: { units: 25 }, entry: false }] }
    """
  }

  @Test(
    "Every body dies at the minute at which it crosses its floor",
    arguments: Extent.some(of: bodies, every: 3))
  func everyModel(body: String) throws {
    let free = Self.result(try Self.built(Self.scenario(body, floor: "")))
    let first = try #require(free.trace.rows.first { $0.trueGlucose.mgdL < 50 })
    let ended = Self.result(
      try Self.built(Self.scenario(body, floor: ", floor: { glucose: 50 }")))
    let end = try #require(ended.lethalEnd)
    #expect(end.instant == first.instant)
    #expect(abs(end.glucose.mgdL - first.trueGlucose.mgdL) < 1e-9)
    #expect(ended.trace.rows.last?.instant == end.instant)
    #expect(ended.trace.rows.dropLast().allSatisfy { $0.trueGlucose.mgdL >= 50 })
    let lived = ended.trace.rows.dropLast()
    #expect(lived.elementsEqual(free.trace.rows.prefix(lived.count)))
    #expect(ended.violations.isEmpty)
  }

  /// (exp(-t/70) - exp(-t/55)) / 15, summed up over whole minutes: the simple metabolism model of
  /// tidepool-org/data-science-models, after Palerm et al.
  private static func minuteOfDeath(drop: Double, of whole: Double) -> Int {
    var cleared = 0.0
    for minute in 0..<480 {
      let t = Double(minute)
      cleared += (exp(-t / 70) - exp(-t / 55)) / 15
      if cleared * whole > drop { return minute }
    }
    return 480
  }

  @Test("A dose of the simple body kills it at the minute of the closed form")
  func closedForm() throws {
    // No basal and no need of one: 25 U by 40 mg/dL, from 120 to below 10.
    let text = """
      { format: 'loopsim/1', clock: { duration: '8h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120, floor: {},
          needs: { basal: [['00:00', 0]], sensitivity: [['00:00', 40]],
            carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 0.05]] },
        app: { closedLoop: false },
        events: [{ at: '+0m', suspend: true },
          { at: '+30m', injection: { units: 5 }, entry: false }] }
      """
    let result = Self.result(try Self.built(text))
    let minute = Self.minuteOfDeath(drop: 110, of: 200)
    #expect((110...120).contains(minute))
    #expect(result.lethalEnd?.instant == result.start + .minutes(Int64(30 + minute)))
  }

  // MARK: - Expectations

  private static func outcomes(_ expectations: String) throws -> (
    [ExpectationResult], ExpectationResult?
  ) {
    let text = """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '8h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120, floor: { glucose: 10 },
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]],
            carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false },
        events: [{ at: '+30m', injection: { units: 5 }, entry: false }], expect: [\(expectations)] }
      """
    let built = try built(text)
    let result = result(built)
    let measurements = RunMeasurements(result)
    let results = built.expectations.map {
      $0.evaluate(
        result, measurements: measurements, file: "s.json5",
        in: GoldenFiles(files: MemoryFiles([:])) { _ in "" })
    }
    return (results, Expectation.survival(of: result, built.expectations, file: "s.json5"))
  }

  @Test("A lethal end that nobody expects is a failure of its own, with its time")
  func unexpected() throws {
    let (_, survival) = try Self.outcomes("{ id: 'basal', metric: 'basalUnits', min: 1 }")
    let failure = try #require(survival)
    #expect(failure.outcome == .failed)
    #expect(failure.expectation == "survival")
    #expect(failure.message.contains("ended as lethal at 2026-01-15T02:2"), "\(failure.message)")
    #expect(failure.moment?.time.hasPrefix("2026-01-15T02:2") == true)
  }

  @Test("An expectation of the event takes the failure's place, whether it holds or not")
  func expected() throws {
    let (counted, survival) = try Self.outcomes(
      """
      { id: 'so', event: { kind: 'lethal' }, count: 1 },
      { id: 'not-so', event: { kind: 'lethal' }, count: 0 }
      """)
    #expect(survival == nil)
    #expect(counted.map(\.outcome) == [.passed, .failed])
  }

  @Test("What there is is looked at, and what lies after the end fails")
  func afterTheEnd() throws {
    let (results, _) = try Self.outcomes(
      """
      { id: 'before', series: 'glucose.true', never: { below: 60 }, between: ['+0m', '+1h'] },
      { id: 'across', series: 'glucose.true', never: { above: 130 }, between: ['+1h', '+6h'] },
      { id: 'after', series: 'glucose.true', never: { below: 60 }, after: '+5h' },
      { id: 'metric-after', metric: 'tir(70,180)', min: 0, after: '+5h' },
      { id: 'count-after', event: { kind: 'alert' }, count: 0, after: '+5h' },
      { id: 'law', invariant: 'insulin-conservation' }
      """)
    #expect(results.map(\.outcome) == [.passed, .passed, .failed, .failed, .failed, .passed])
    #expect(results[2].message.hasPrefix("nothing is left to look at"))
  }

  @Test(
    "Mistakes have their places",
    arguments: [
      ("floor: { glucose: 100 }", "must be a number from 1 to 70 (mg/dL), not 100"),
      ("floor: { glucos: 10 }", "\"glucos\" is not a known key"),
      ("initialGlucose: 30, floor: { glucose: 40 }", "The body begins below its floor"),
      ("floor: 10", "object"),
    ])
  func mistakes(keys: String, part: String) throws {
    let problems = ProblemList()
    let text = """
      { format: 'loopsim/1', patient: { model: 'hovorka', \(keys) },
        therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]],
          carbRatio: [['00:00', 10]] } }
      """
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    _ = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems).map {
      RunBuilder.build($0.run(at: 0), problems: problems)
    }
    let sentences = problems.sorted.map(\.description)
    #expect(
      sentences.contains { $0.hasPrefix("s.json5:1:") && $0.contains(part) }, "\(sentences)")
  }
}
