import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

@testable import Expectations

@Suite("Expectations that hold although nothing was looked at, or fail although nothing is wrong")
struct VacuousExpectationTests {
  /// Two hours of a body that five units from a pen at the start would kill, were they given.
  private static func text(
    _ expectations: String, events: String = "", patient: String = "", therapy: String = ""
  ) -> String {
    """
    { format: 'loopsim/1',
      clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '2h' },
      patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 0.4]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] }\(patient) },
      app: { closedLoop: false }, therapy: { \(therapy) },
      events: [\(events)], expect: [\(expectations)] }
    """
  }

  private static func build(_ text: String) -> (BuiltRun?, [String]) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    let built = plan.flatMap { RunBuilder.build($0.run(at: 0), problems: problems) }
    return (built, problems.sorted.map(\.description))
  }

  private static func run(_ text: String) throws -> (RunResult, [Expectations.Expectation]) {
    let (found, problems) = build(text)
    let built = try #require(found, "\(problems)")
    var run = Run(built.setup)
    while run.step() {}
    return (run.finish(), built.expectations)
  }

  private static func outcomes(_ text: String) throws -> [ExpectationResult] {
    let (result, expectations) = try run(text)
    let measurements = RunMeasurements(result)
    return expectations.map {
      $0.evaluate(
        result, measurements: measurements, file: "s.json5", in: surroundings(MemoryFiles([:])))
    }
  }

  @Test(
    "What looks at no instant of the run does not hold",
    arguments: [
      "event: { kind: 'bolus' }, count: 0, between: ['03:00', '04:00']",
      "event: { kind: 'bolus' }, max: 3, after: '+3h'",
      "event: { kind: 'bolus' }, count: 0, outside: ['+0m..+6h']",
      "event: { kind: 'bolus' }, count: 0, outside: ['+1h..+6h', '+0m..+90m']",
      "timeline: 'healthStore.basal', equals: [], between: ['03:00', '04:00']",
    ])
  func nothingLookedAt(expectation: String) throws {
    let outcomes = try Self.outcomes(Self.text("{ id: 'a', \(expectation) }"))
    #expect(outcomes.map(\.outcome) == [.failed])
    #expect(outcomes.map(\.message) == ["nothing is left to look at in this run"])
  }

  @Test(
    "A window to leave out that has no moment of the run is warned of",
    arguments: [
      ("'+3h..+4h'", true), ("'-2h..+0m'", true), ("'-2h..+1m'", false),
      ("'+2h..+4h'", false), ("['00:30', '+1h']", false),
    ])
  func leavesNothingOut(window: String, isTold: Bool) {
    let (_, problems) = Self.build(
      Self.text("{ id: 'a', series: 'iob.app', within: [-9, 9], outside: [\(window)] }"))
    let told = problems.filter {
      $0.contains(
        "warning: Nothing is left out here: no moment of the run from 2026-01-15T00:00:00Z to "
          + "2026-01-15T02:00:00Z lies in this window.")
    }
    #expect(told.count == (isTold ? 1 : 0), "\(problems)")
  }

  @Test("What leaves a part of the run out looks at the rest")
  func restLookedAt() throws {
    let outcomes = try Self.outcomes(
      Self.text(
        """
        { id: 'gap', event: { kind: 'bolus' }, count: 0, outside: ['+0m..+1h', '+61m..+6h'] },
        { id: 'end', event: { kind: 'bolus' }, count: 0, outside: ['+0m..+2h'] },
        { id: 'window', event: { kind: 'bolus' }, count: 0, between: ['00:30', '05:00'] }
        """))
    #expect(outcomes.map(\.message) == ["", "", ""])
  }

  @Test(
    "What holds of every run is told by its place",
    arguments: [
      ("event: { kind: 'bolus' }, min: 0", "there are always 0 events or more"),
      ("timeline: 'healthStore.basal', mode: 'contains', equals: []", "mode 'contains'"),
      ("timeline: 'healthStore.basal', mode: 'ordered', equals: []", "mode 'ordered'"),
      ("timeline: 'healthStore.basal', mode: 'prefix', equals: []", "mode 'prefix'"),
    ])
  func nothingCanFail(expectation: String, part: String) {
    let (_, problems) = Self.build(Self.text("{ id: 'a', \(expectation) }"))
    #expect(
      problems.contains { $0.contains("error: Nothing can fail: ") && $0.contains(part) },
      "\(problems)")
  }

  @Test("A number of events from 0 on that has another limit can fail")
  func canFail() {
    let (_, problems) = Self.build(
      Self.text(
        """
        { id: 'a', event: { kind: 'bolus' }, min: 0, max: 2 },
        { id: 'b', timeline: 'healthStore.basal', equals: [] }
        """))
    #expect(problems == [])
  }

  @Test(
    "Each row is a sample of its own, whichever of those near it",
    arguments: [
      // The samples begin at 00:00, 00:30 and 01:00.
      (["00:00", "00:10"], "20m", ""),
      (["00:10", "00:15"], "20m", ""),
      (["00:15", "00:20", "00:25"], "20m", "no sample beside those of other rows is"),
      (["00:15", "00:00"], "20m", ""),
      (["00:40", "00:20"], "20m", ""),
      (["00:20", "00:15", "00:45"], "30m", ""),
      (["00:10", "00:12"], "12m", "no sample beside those of other rows is"),
      (["00:10", "00:10"], "12m", "only 1 of 2 samples is"),
      (["00:10"], "5m", "no sample is"),
    ])
  func ownSample(starts: [String], tolerance: String, begin: String) throws {
    let rows = starts.map { "['d0 \($0)', 'd0 02:00', 0.4, 0.2, 'basal']" }
    let outcomes = try Self.outcomes(
      Self.text(
        """
        { id: 'a', timeline: 'healthStore.basal', mode: 'contains', columns: ['start'],
          tolerance: { time: '\(tolerance)' }, equals: [\(rows.joined(separator: ", "))] }
        """,
        events: "{ at: '00:30', basal: { rate: 0.2, duration: '30m' } }"))
    #expect(outcomes.map(\.outcome) == [begin.isEmpty ? .passed : .failed])
    #expect(outcomes[0].message.hasPrefix(begin), "\(outcomes[0].message)")
  }

  @Test(
    "A lethal end is expected by what counts it, and by nothing of another time or name",
    arguments: [
      ("count: 1", true), ("count: 0", true), ("count: 1, between: ['01:00', '01:50']", true),
      ("count: 0, between: ['00:05', '00:10']", false), ("count: 0, after: '01:55'", false),
      ("count: 0, outside: ['01:00..02:00']", false),
    ])
  func lethal(rest: String, isCounted: Bool) throws {
    // Of five units two fifths have acted after 86 minutes, which take 100 of the 110 mg/dL.
    let (result, expectations) = try Self.run(
      Self.text(
        "{ id: 'a', event: { kind: 'lethal' }, \(rest) }",
        events: "{ at: '00:00', injection: { units: 5, insulin: 'humalog' } }",
        patient: ", floor: { glucose: 10 }"))
    #expect(result.lethalEnd?.instant == result.start + .minutes(86))
    let failure = Expectations.Expectation.survival(of: result, expectations, file: "s.json5")
    #expect((failure == nil) == isCounted)
  }

  @Test("Who looks for a lethal end of another name does not count the one there is")
  func otherName() throws {
    let (result, expectations) = try Self.run(
      Self.text(
        "{ id: 'a', event: { kind: 'lethal', name: 'thirst' }, count: 0 }",
        events: "{ at: '00:00', injection: { units: 5, insulin: 'humalog' } }",
        patient: ", floor: { glucose: 10 }"))
    #expect(Expectations.Expectation.survival(of: result, expectations, file: "s.json5") != nil)
  }

  @Test(
    "A bolus is held to the limit of its moment, also where that changes at the same instant",
    arguments: [
      (10, "{ at: '01:10', bolus: { units: 8 } }, { at: '01:10', settings: { maxBolus: 5 } }"),
      (10, "{ at: '01:10', settings: { maxBolus: 5 } }, { at: '01:10', bolus: { units: 8 } }"),
      (10, "{ at: '00:00', bolus: { units: 8 } }, { at: '00:00', settings: { maxBolus: 5 } }"),
      (
        6,
        """
        { at: '01:10', settings: { maxBolus: 9 } }, { at: '01:10', bolus: { units: 8 } },
        { at: '01:10', settings: { maxBolus: 5 } }
        """
      ),
    ])
  func limitOfTheInstant(first: Int, acts: String) throws {
    let outcomes = try Self.outcomes(
      Self.text(
        "{ id: 'limits', invariant: 'limits-respected' }", events: acts,
        therapy: "maxBolus: \(first)"))
    #expect(outcomes.map(\.message) == [""])
  }
}
