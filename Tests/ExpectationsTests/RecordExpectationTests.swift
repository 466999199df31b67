import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

@testable import Expectations

@Suite("Expectations of records")
struct RecordExpectationTests {
  private static let clock = "start: '2026-01-15T00:00:00', timeZone: 'UTC'"

  /// Four hours of 0.4 U/h with a temp basal of 0.2 U/h in the second, and two meals.
  private static func text(_ expectations: String, more: String, clock: String) -> String {
    """
    { format: 'loopsim/1',
      clock: { \(clock), duration: '4h' },
      patient: { model: 'tidepool-simple', initialGlucose: 150, needs: { basal: [['00:00', 0.4]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, \(more)
      events: [{ at: '01:00', id: 't', basal: { rate: 0.2, duration: '1h' } },
        { at: '02:30', id: 'a', meal: { grams: 5 } }, { at: '03:00', id: 'b', meal: { grams: 5 } }],
      expect: [\(expectations)] }
    """
  }

  private static func build(
    _ expectations: String, more: String = "", clock: String = clock, files: [String: String]
  ) -> (BuiltRun?, [String]) {
    let problems = ProblemList()
    var all = files
    all["s.json5"] = text(expectations, more: more, clock: clock)
    var reader = ScenarioReader(files: MemoryFiles(all))
    let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    let built = plan.flatMap { RunBuilder.build($0.run(at: 0), problems: problems) }
    return (built, problems.sorted.map(\.description))
  }

  private static func outcomes(
    _ expectations: String, more: String = "", clock: String = clock,
    files: [String: String] = [:]
  ) throws -> [ExpectationResult] {
    let (found, problems) = build(expectations, more: more, clock: clock, files: files)
    let built = try #require(found, "\(problems)")
    var run = Run(built.setup)
    while run.step() {}
    let result = run.finish()
    let measurements = RunMeasurements(result)
    return built.expectations.map {
      $0.evaluate(
        result, measurements: measurements, file: "s.json5", in: surroundings(MemoryFiles([:])))
    }
  }

  private static let table = """
    start,end,rate_U_per_h,units,kind
    2026-01-15T00:00:00Z,2026-01-15T01:00:00Z,0.40,0.40,basal
    01:00,02:00,0.2,0.2,tempBasal
    02:00,04:00,0.4,0.80,basal
    """

  @Test("A dose that another source wrote once more is there twice")
  func duplicates() throws {
    func outcome(_ scope: String) throws -> ExpectationResult {
      let more = """
        faults: [{ id: 'twice', during: ['02:00', '1h'],
          healthStore: { duplicate: { scope: '\(scope)' } } }],
        """
      return try #require(
        try Self.outcomes("{ id: 'once', invariant: 'no-duplicate-records' }", more: more).first)
    }
    // The temp basal from 01:00 to 02:00 is written while all that is written is copied.
    let twice = try outcome("insulin")
    #expect(twice.outcome == .failed)
    #expect(twice.message.contains("of 01:00:00 (0.20 U) comes a second time from Copy"))
    #expect(try outcome("glucose").outcome == .passed)
  }

  @Test("Rows of a table, whole and in part, and each time the opposite")
  func matchesTable() throws {
    let files = [
      "rows.csv": Self.table,
      "wrong.csv": Self.table.replacing("0.2,0.2,", with: "0.2,0.15,"),
      "kinds.csv": "kind\nbasal\ntempBasal\nbasal\n",
      "late.csv": "start,kind\n01:00:02,tempBasal\n",
    ]
    let results = try Self.outcomes(
      """
      { id: 'all', timeline: 'healthStore.basal', matches: 'rows.csv' },
      { id: 'units', timeline: 'healthStore.basal', matches: 'wrong.csv' },
      { id: 'no-units', timeline: 'healthStore.basal', matches: 'wrong.csv',
        columns: ['start', 'end', 'rate_U_per_h', 'kind'] },
      { id: 'kinds', timeline: 'healthStore.basal', matches: 'kinds.csv' },
      { id: 'prefix', timeline: 'healthStore.basal', matches: 'late.csv', mode: 'prefix' },
      { id: 'contains', timeline: 'healthStore.basal', matches: 'late.csv', mode: 'contains' },
      { id: 'tolerant', timeline: 'healthStore.basal', matches: 'late.csv', mode: 'contains',
        tolerance: { time: '2s' } }
      """, files: files)
    #expect(
      results.map(\.outcome) == [.passed, .failed, .passed, .passed, .failed, .failed, .passed],
      "\(results.map(\.message))")
  }

  @Test("A failure shows the rows aligned: what was expected, what was found, what is both")
  func difference() throws {
    let rows = """
      ['00:00', '01:00', 0.4, 0.4, 'basal'], ['02:00', '04:00', 0.4, 0.75, 'basal']
      """
    let results = try Self.outcomes(
      "{ id: 'rows', timeline: 'healthStore.basal', equals: [\(rows)] }")
    #expect(
      results[0].body.split(separator: "\n").map { String($0.prefix(23)) } == [
        "- expected, + found", "  00:00:00 to 01:00:00 ", "- 02:00:00 to 04:00:00 ",
        "+ 01:00:00 to 02:00:00 ", "+ 02:00:00 to 04:00:00 ",
      ], "\(results[0].body)")
  }

  @Test("Every kind of event that a pump reports can be asked for")
  func reportedKinds() throws {
    let results = try Self.outcomes(
      ["alarm", "alarmCleared", "tempBasal", "bolus"].map {
        "{ id: '\($0)', events: { kind: '\($0)', in: 'eventHistory' }, count: 1 }"
      }.joined(separator: ", "),
      more: "faults: [{ id: 'x', during: ['00:30', '10m'], pump: { alarm: {} } }],")
    #expect(results.map(\.outcome) == [.passed, .passed, .passed, .failed])
  }

  @Test("Equal rows far from a difference are left out")
  func context() {
    let found = (0..<40).map { ["\($0)", "x"] }
    var expected = found
    expected[20] = ["20", "other"]
    let text = AlignedDifference(expected: expected, found: found) { expected[$0] == found[$1] }
      .text
    let lines: [Substring] = [
      "- expected, + found", "  …", "  17  x", "  18  x", "  19  x", "- 20  other", "+ 20  x",
      "  21  x", "  22  x", "  23  x", "  …",
    ]
    #expect(text.split(separator: "\n") == lines)
  }

  @Test("A failure says what differs where rows are alike but for their day or their pulses")
  func alikeRows() throws {
    let results = try Self.outcomes(
      """
      { id: 'day', timeline: 'healthStore.basal', mode: 'contains',
        equals: [['d1 01:00', 'd1 02:00', 0.2, 0.2, 'tempBasal']] },
      { id: 'pulses', timeline: 'healthStore.basal', mode: 'prefix',
        equals: [['00:00', '01:00', 0.4, 0.4, 'basal', 0.35]] }
      """)
    #expect(
      results[0].message == "no sample is d1 01:00:00 to 02:00:00  0.20 U/h  0.20 U  tempBasal")
    let row = "00:00:00 to 01:00:00  0.40 U/h  0.40 U  basal"
    #expect(
      results[1].message
        == "row 1 should be \(row)  0.35 U in pulses, and is \(row)  0.4 U in pulses")
  }

  @Test("Of an hour that the clock shows twice the second is told as such")
  func secondShowing() throws {
    let row = "['01:00~2', '01:30~2', 0.1, 0.1, 'basal']"
    let results = try Self.outcomes(
      "{ id: 'a', timeline: 'healthStore.basal', mode: 'contains', equals: [\(row)] }",
      clock: "start: '2026-11-01T00:00:00', timeZone: 'America/Chicago'")
    #expect(
      results[0].message == "no sample is 01:00:00~2 to 01:30:00~2  0.10 U/h  0.10 U  basal")
  }

  @Test("A row that is to be there twice is not found once")
  func sameRowTwice() throws {
    let check = "timeline: 'healthStore.basal', mode: 'contains', columns: ['kind'], equals: "
    func row(_ kind: String) -> String { "['00:00', '01:00', 0, 0, '\(kind)']" }
    let results = try Self.outcomes(
      """
      { id: 'basal', \(check)[\(row("basal")), \(row("basal"))] },
      { id: 'temp', \(check)[\(row("tempBasal")), \(row("tempBasal"))] }
      """)
    #expect(results.map(\.outcome) == [.passed, .failed])
    #expect(results[1].message == "only 1 of 2 samples is tempBasal")
  }

  @Test("A tolerance that is a number is one of the amounts")
  func plainTolerance() throws {
    let rows = "mode: 'prefix', equals: [['00:00', '01:00', 0.4, 0.3, 'basal']]"
    let results = try Self.outcomes(
      """
      { id: 'near', timeline: 'healthStore.basal', tolerance: 0.1, \(rows) },
      { id: 'far', timeline: 'healthStore.basal', tolerance: 0.09, \(rows) }
      """)
    #expect(results.map(\.outcome) == [.passed, .failed])
  }

  @Test("Where the store has nothing up to the end of the run there is a gap")
  func gapAtTheEnd() throws {
    let law = "{ id: 'tiled', invariant: 'no-gaps-in-basal' }"
    let whole = try Self.outcomes(law)
    #expect(whole.map(\.outcome) == [.passed], "\(whole.map(\.message))")
    let silent = try Self.outcomes(
      law, more: "faults: [{ id: 'f', during: ['01:30', '3h'], healthStore: { writeFail: {} } }],")
    #expect(
      silent[0].message == """
        no-gaps-in-basal: the last basal sample ends before the run does at 2026-01-15T01:00:00Z
        """)
  }

  @Test("Names come in their order, others between them or not")
  func order() throws {
    let results = try Self.outcomes(
      """
      { id: 'so', event: { kind: 'meal' }, order: ['a', 'b'] },
      { id: 'not-so', event: { kind: 'meal' }, order: ['b', 'a'] },
      { id: 'absent', event: { kind: 'meal' }, order: ['a', 'c'] },
      { id: 'at-least-one', event: { kind: 'meal' } },
      { id: 'none', event: { kind: 'injection' } }
      """)
    #expect(results.map(\.outcome) == [.passed, .failed, .failed, .passed, .failed])
    #expect(results[1].message.contains("no \"a\" after \"b\" at 2026-01-15T03:00:00Z"))
    #expect(results[1].body.contains("2026-01-15T02:30:00Z  a"))
  }

  @Test("Durations are those of the pump's events, not of the timeline, which has none")
  func durations() throws {
    let results = try Self.outcomes(
      """
      { id: 'so', events: { kind: 'tempBasal' }, eachDuration: { min: '1h', max: '1h' } },
      { id: 'not-so', events: { kind: 'tempBasal' }, eachDuration: { max: '59m' } },
      { id: 'delivery', events: { kind: 'tempBasal', in: 'insulinDelivery' },
        eachDuration: { max: '30m' } }
      """)
    #expect(results.map(\.outcome) == [.passed, .failed, .failed])
    #expect(results[1].message.contains("lasts 1h > 59m"), "\(results[1].message)")
  }

  @Test("A figure is measured from the start of the run on, and a warning tells it")
  func beforeTheStart() throws {
    let clock = "\(Self.clock), preRoll: '2h'"
    let expectations = """
      { id: 'basal', metric: 'basalUnits', equals: 0.4, between: ['-1h', '+1h'] },
      { id: 'net', metric: 'netBasalUnits', equals: 0, between: ['-1h', '+1h'] },
      { id: 'a-day', metric: 'tdd', equals: 9.6, between: ['-1h', '+1h'] },
      { id: 'readings', metric: 'noCGMPercent', max: 0, after: '-1h' },
      { id: 'nothing', metric: 'basalUnits', equals: 0, between: ['-2h', '-1h'] },
      { id: 'samples', timeline: 'healthStore.basal', mode: 'prefix', after: '-2h',
        equals: [['-2h', '00:00', 0.4, 0.8, 'basal']] }
      """
    let results = try Self.outcomes(expectations, clock: clock)
    #expect(
      results.map(\.outcome) == [.passed, .passed, .passed, .passed, .failed, .passed],
      "\(results.map(\.message))")
    #expect(results[4].message == "basalUnits has no value in this stretch of the run")
    let (_, problems) = Self.build(expectations, clock: clock, files: [:])
    let start = "the start of the run at 2026-01-15T00:00:00Z"
    let clipped = "This begins before \(start), from which on it is looked at."
    #expect(problems.count { $0.contains(clipped) } == 4, "\(problems)")
    #expect(
      problems.count { $0.contains("Nothing is left to look at: this ends before \(start)") } == 1)
    #expect(problems.count == 5, "\(problems)")
  }

  @Test("Times of day in rows count from what is looked at, and spans from the start of the run")
  func timesOfRows() throws {
    let rows = """
      equals: [['22:00', '00:00', 0.4, 0.8, 'basal'], ['+0h', '+1h', 0.4, 0.4, 'basal']]
      """
    let check = "timeline: 'healthStore.basal', mode: 'prefix', \(rows)"
    let results = try Self.outcomes(
      """
      { id: 'after', \(check), after: '-2h' },
      { id: 'between', \(check), between: ['-2h', '+2h'] },
      { id: 'both', \(check), after: '-2h', between: ['-3h', '+2h'] },
      { id: 'spans', timeline: 'healthStore.basal', mode: 'prefix', between: ['-2h', '+2h'],
        equals: [['-2h', '00:00', 0.4, 0.8, 'basal']] }
      """, clock: "\(Self.clock), preRoll: '2h'")
    #expect(
      results.map(\.outcome) == [.passed, .passed, .passed, .passed], "\(results.map(\.message))")
  }

  @Test("A suspension has its length where the app counts insulin")
  func suspension() throws {
    let results = try Joint.results(
      """
      { id: 'so', events: { kind: 'suspend', in: 'insulinDelivery' },
        eachDuration: { min: '5m', max: '5m' } },
      { id: 'not-so', events: { kind: 'suspend', in: 'insulinDelivery' },
        eachDuration: { max: '4m' } }
      """, more: "events: [{ at: '00:05', suspend: { duration: '5m' } }],")
    #expect(results.map(\.outcome) == [.passed, .failed], "\(results.map(\.message))")
    #expect(results[1].message.contains("lasts 5m > 4m"), "\(results[1].message)")
  }

  @Test("What still runs at the end has lasted until then, and is not too short")
  func runningAtTheEnd() throws {
    let results = try Joint.results(
      """
      { id: 'longest', events: { kind: 'tempBasal' }, eachDuration: { max: '20m' } },
      { id: 'shortest', events: { kind: 'tempBasal' }, eachDuration: { min: '2h' } },
      { id: 'too-long', events: { kind: 'tempBasal' }, eachDuration: { max: '19m' } }
      """, more: "events: [{ at: '00:10', basal: { rate: 1, duration: '1h' } }],")
    #expect(results.map(\.outcome) == [.passed, .passed, .failed], "\(results.map(\.message))")
    #expect(results[2].message.contains("lasts 20m > 19m"))
  }

  private typealias Joint = JointExpectationTests

  @Test(
    "Mistakes have their places",
    arguments: [
      ("timeline: 'healthStore.basal', matches: 'none.csv'", "s.json5:8:", "none.csv"),
      ("timeline: 'healthStore.basal', matches: 'bad.csv'", "bad.csv:2:7:", "\"25:00\""),
      ("timeline: 'healthStore.basal', matches: 'odd.csv'", "odd.csv:1:1:", "no column of basal"),
      (
        "timeline: 'healthStore.basal', matches: 'bad.csv', columns: ['units']", "bad.csv:1:1:",
        "no column \"units\""
      ),
      (
        "timeline: 'healthStore.basal', matches: 'bad.csv', columns: ['unit']", "s.json5:8:",
        "Did you mean \"units\"?"
      ),
      (
        "timeline: 'healthStore.basal', matches: 'bad.csv', equals: []", "s.json5:8:",
        "remove this or"
      ),
      (
        "timeline: 'healthStore.basal', matches: 'blank.csv'", "blank.csv:3:1:", "says nothing"
      ),
      (
        "timeline: 'healthStore.basal', columns: ['true_units'], equals: [['00:00', '01:00', 0.4, "
          + "0.4, 'basal']]", "s.json5:8:", "says nothing"
      ),
      ("event: { kind: 'meal', name: 'a' }, order: ['a', 'b']", "s.json5:8:", "remove \"name\""),
      ("event: { kind: 'meal' }, order: ['a']", "s.json5:8:", "two names"),
      (
        "event: { kind: 'bolus', in: 'eventHistory' }, order: ['a', 'b']", "s.json5:8:",
        "has names"
      ),
      (
        "events: { kind: 'tempBasal', in: 'timeline' }, eachDuration: { max: '30m' }", "s.json5:8:",
        "no duration"
      ),
      (
        "events: { kind: 'suspend' }, eachDuration: { max: '10m' }", "s.json5:8:",
        "\"suspend\" is a moment, which lasts no time. Write in: 'insulinDelivery'"
      ),
      (
        "events: { kind: 'alarm', in: 'eventHistory' }, eachDuration: { min: '1m' }", "s.json5:8:",
        "\"alarm\" is a moment"
      ),
    ])
  func mistakes(keys: String, place: String, part: String) {
    let files = [
      "bad.csv": "start,end,kind\n00:00,25:00,basal\n", "odd.csv": "when,what\n00:00,basal\n",
      "blank.csv": "start,end,kind,note\n00:00,01:00,basal,\n,,,a note\n",
    ]
    let (built, problems) = Self.build("{ id: 'x', \(keys) }", files: files)
    #expect(built == nil)
    #expect(
      problems.contains { $0.hasPrefix(place) && $0.contains(part) }, "\(problems)")
  }
}
