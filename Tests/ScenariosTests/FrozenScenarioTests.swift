import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Scenarios

/// A frozen run is the run itself, row by row and record by record.
@Suite("Frozen runs")
struct FrozenScenarioTests {
  private typealias Fixture = BehaviourFixture

  /// A day or more of everything that comes by chance.
  private static func text(seed: UInt64, days: Int = 1) -> String {
    Fixture.text(
      """
      events: [
        { at: { daily: '06:30', jitter: '25m' }, id: 'tea', meal: { grams: 8 }, entry: false },
        { at: ['10:00', '15:00'], bolus: { take: 'recommended' } },
        { at: { daily: '10:00' }, exercise: { duration: '30m' } },
        { at: { daily: '22:00', days: [0], jitter: '3h' }, bolus: { units: 1, cancelAt: '+20s' } },
      ],
      faults: [
        { every: { mean: '9h' }, cgm: { dropout: {} } },
        { id: 'chance', during: ['03:00', '1h'], pump: { commLoss: {} }, probability: 0.5 },
        { id: 'spikes', every: { mean: '5h', count: 4 }, cgm: { spike: { delta: 60 } },
          probability: 0.7 },
        { id: 'forgets', user: { miss: { match: ['breakfast', 'dinner'], probability: 0.3 } } },
        { user: { late: { of: 'bolus', probability: 0.5, by: { uniform: ['5m', '50m'] } } } },
        { id: 'carers', user: { double: { match: 'lunch', probability: 0.4 } } },
        { id: 'guess', user: { misestimate: { bias: 0.9, sd: 0.3 } }, probability: 0.8 },
      ],
      behaviour: {
        meals: [
          { name: 'breakfast', window: ['07:00', '09:00'], probability: 0.8,
            grams: { lognormal: { median: 40, sigma: 0.3, max: 120 } } },
          { name: 'lunch', window: ['12:00', '14:00'], grams: { uniform: [20, 80] },
            absorption: { uniform: ['2h', '5h'] } },
          { name: 'dinner', window: ['23:30', '00:30'], grams: { choices: [50, 70] } },
        ],
        announce: { probability: 0.85, bias: 0.9, cv: 0.3,
          delay: { choices: ['-15m', '0m', '20m'] } },
        bolus: { probability: 0.8, minUnits: 0.4 },
        correction: { above: 170, probability: 0.7, delay: { uniform: ['0m', '25m'] },
          lockout: '45m' },
        rescue: { below: 80, grams: { uniform: [5, 10] }, delay: '10m', lockout: '30m',
          probability: 0.8, entry: \(seed % 2 == 0) },
      },
      expect: [{ id: 'bound', outside: ['chance', 'spikes'], series: 'glucose.true',
        within: [10, 900] }]
      """, days: days, seed: seed,
      app: "dosing: '\(seed % 3 == 0 ? "automaticBolus" : "tempBasal")', "
        + "manualBolusAccept: { probability: 0.5, minUnits: 0.2 }")
  }

  private static func frozen(_ text: String, run place: Int = 0) throws -> (String, RunResult) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let read = reader.read("s.json5", problems: problems)
    let document = try #require(read)
    let planned = RunPlan(document, reader: reader, problems: problems)
    let plan = try #require(planned)
    let run = plan.run(at: place)
    let found = RunBuilder.build(run, problems: problems)
    let built = try #require(found, "\(problems.sorted.map(\.description))")
    let result = Fixture.result(built)
    return (FrozenScenario(run, built: built, result: result).text, result)
  }

  /// A run and its frozen scenario, and what comes of that.
  private struct Twice {
    var text: String
    var original: RunResult
    /// The frozen scenario, frozen again, and its run.
    var textAgain: String
    var again: RunResult

    init(seed: UInt64, days: Int = 1) throws {
      (text, original) = try FrozenScenarioTests.frozen(
        FrozenScenarioTests.text(seed: seed, days: days))
      (textAgain, again) = try FrozenScenarioTests.frozen(text)
    }

    /// A day with one seed, made once for the tests that look at it.
    static let day = Result { try Self(seed: 5) }
  }

  private static func expectSame(_ first: RunResult, _ second: RunResult) {
    #expect(first.trace.rows == second.trace.rows)
    #expect(first.trace.happenings == second.trace.happenings)
    #expect(first.pulses == second.pulses)
    #expect(first.boluses == second.boluses)
    #expect(first.programs == second.programs)
    #expect(first.eventHistory == second.eventHistory)
    #expect(first.insulinDelivery == second.insulinDelivery)
    #expect(first.insulinSamples == second.insulinSamples)
    #expect(first.basalSamples == second.basalSamples)
    #expect(first.cycleOutcomes == second.cycleOutcomes)
    #expect(first.faultWindows == second.faultWindows)
    #expect(first.agreement.differences == second.agreement.differences)
    #expect(first.digest == second.digest)
  }

  @Test(
    "A frozen run gives the same rows and records",
    arguments: Extent.of([5], whole: [0, 1, 2, 5]) as [UInt64])
  func repeats(seed: UInt64) throws {
    let twice = try seed == 5 ? Twice.day.get() : Twice(seed: seed)
    Self.expectSame(twice.original, twice.again)
    #expect(!twice.original.reactions.isEmpty)
    #expect(twice.again.reactions.isEmpty)
  }

  @Test("Nothing is left to chance in it, and freezing it again changes nothing")
  func isFixed() throws {
    let twice = try Extent.isWhole ? Twice(seed: 10, days: 3) : Twice.day.get()
    for word in ["behaviour:", "jitter", "every", "uniform", "normal", "choices", "$"] {
      #expect(!twice.text.contains("\(word):"), "\(word)")
    }
    func body(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter {
        !$0.trimmingPrefix(while: { $0 == " " }).hasPrefix("//") && !$0.contains("id: 's-frozen")
      }
    }
    #expect(body(twice.textAgain) == body(twice.text))
  }

  @Test("Another seed changes the sensor and leaves the person's part as it was frozen")
  func keepsEvents() throws {
    let day = try Twice.day.get()
    let other = try Fixture.result(
      day.text.replacing("random: { seed: 5 }", with: "random: { seed: 6 }"))
    func eaten(_ run: RunResult) -> [Happening] { run.trace.happenings.filter { $0.kind == .meal } }
    #expect(eaten(other) == eaten(day.original))
    #expect(other.trace.rows.map(\.reading) != day.original.trace.rows.map(\.reading))
  }

  @Test("A replicate and a variant are frozen with their own numbers and expectations")
  func variants() throws {
    let text = Self.text(seed: 3)
      .replacing("random: { seed: 3 }", with: "random: { seed: 3, replicates: 3 }")
      .replacing(
        "expect: [",
        with: """
          variants: { one: {}, two: { therapy: { maxBasal: 3 } } },
          expect: [{ id: 'first', metric: 'tdd', min: 0, variants: ['one'] },
            { id: 'second', metric: 'tdd', min: 0, variants: ['two'] },
          """)
    let (frozen, original) = try Self.frozen(text, run: 5)
    #expect(original.id == "s/two/r2")
    #expect(frozen.contains("id: 's-two-r2-frozen'"))
    #expect(frozen.contains("random: { seed: 3, replicate: 2 }"))
    #expect(frozen.contains("'second'") && !frozen.contains("'first'"))
    #expect(!frozen.contains("variants"))
    Self.expectSame(original, try Fixture.result(frozen))
  }

  @Test("What had no effect in the run is left out: the copy passes the strictest check")
  func passesTheCheck() throws {
    let text = """
      { format: 'loopsim/1', id: 'day', random: { seed: 4 },
        clock: { start: '2026-01-15T12:00:00', duration: '8h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        behaviour: { announce: { probability: 0.000001 },
          meals: [{ name: 'tea', window: ['14:00', '15:00'], grams: 20 }] },
        faults: [
          { id: 'rare', every: { mean: '366d' }, cgm: { dropout: {} } },
          { id: 'gap', during: ['16:00', '+30m'], cgm: { dropout: {} } },
          { id: 'never', during: ['17:00', '+30m'], probability: 0.000001, pump: { commLoss: {} } },
          { id: 'slip', user: { miss: { of: 'meal', match: 'tea', probability: 0.000001 } } },
          { id: 'often', during: ['18:00', '+30m'], probability: 0.999999, pump: { commLoss: {} } },
        ],
        expect: [
          { id: 'both', series: 'glucose.true', within: [10, 900], outside: ['never', 'gap'] },
          { id: 'one', series: 'glucose.true', within: [10, 900], outside: ['rare', 'rare#2'] },
        ] }
      """
    func check(_ text: String) -> [String] {
      let problems = ProblemList()
      var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
      _ = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
      return problems.sorted.map(\.description)
    }
    #expect(check(text) == [])
    let (frozen, original) = try Self.frozen(text)
    #expect(check(frozen) == [], "\(frozen)")
    for word in ["'rare'", "'never'", "'slip'", "probability", "absorption"] {
      #expect(!frozen.contains(word), "\(word) in \(frozen)")
    }
    #expect(frozen.contains("outside: ['gap']"), "\(frozen)")
    // What chance made stands above what it made, wherever that has moved.
    let lines = frozen.split(separator: "\n")
    let often = try #require(lines.firstIndex { $0.contains("id: 'often'") }, "\(frozen)")
    #expect(lines[often - 1].contains("Drawn by chance: faults[4], s.json5:"), "\(frozen)")
    Self.expectSame(original, try Fixture.result(frozen))
  }

  @Test("Heart rates, presets and observed glucose that other variants make use of are left out")
  func othersUse() throws {
    let text = """
      { format: 'loopsim/1', id: 'two', clock: { duration: '2h' },
        patient: { model: 'hovorka', heartRate: { resting: 55 } },
        therapy: { presets: { ride: { insulinNeeds: 0.5 } }, workoutTarget: [140, 160] },
        history: { observed: { csv: 'o.csv' } },
        variants: { rest: {}, sport: { events: [
          { at: '00:30', preset: 'ride', duration: '1h' },
          { at: '01:00', exercise: { heartRate: 120, duration: '30m' } }] } },
        expect: [{ compare: { metric: 'mean', other: 'observed' }, ratio: { min: 0.1 },
          variants: 'sport' }] }
      """
    let (rest, original) = try Self.frozen(text)
    #expect(!rest.contains("heartRate") && !rest.contains("observed"), "\(rest)")
    #expect(!rest.contains("history") && !rest.contains("presets"), "\(rest)")
    #expect(!rest.contains("workoutTarget"), "\(rest)")
    Self.expectSame(original, try Fixture.result(rest))
    let (sport, _) = try Self.frozen(text, run: 1)
    #expect(sport.contains("heartRate: { resting: 55 }"), "\(sport)")
    #expect(sport.contains("observed: { csv: 'o.csv' }"), "\(sport)")
    #expect(sport.contains("presets: { ride: { insulinNeeds: 0.5 } }"), "\(sport)")
  }

  /// A body of a minimal model takes up a meal as fast as the meal says.
  @Test("How long a meal takes stays in it where the body heeds that, though no app is told")
  func absorption() throws {
    for (app, entry) in [("", ", entry: false"), ("app: 'none',", "")] {
      let text = """
        { format: 'loopsim/1', id: 'snack', \(app) clock: { duration: '4h' },
          patient: { model: 'ivp', name: 'ivp#004' },
          events: [{ at: '01:00', meal: { grams: 56, absorption: '30m' }\(entry) }] }
        """
      let (frozen, original) = try Self.frozen(text)
      #expect(frozen.contains("absorption: '30m'"), "\(frozen)")
      Self.expectSame(original, try Fixture.result(frozen))
    }
  }

  @Test("It reads like a scenario written by hand, and says where each part came from")
  func reads() throws {
    let text = """
      { format: 'loopsim/1', id: 'tea-time', random: { seed: 2 },
        clock: { start: '2026-01-15T12:00:00', duration: '8h' },
        patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        behaviour: { meals: [{ name: 'tea', window: ['16:00', '17:00'], grams: 20 }], bolus: {} } }
      """
    let lines = try Self.frozen(text).0.split(separator: "\n").map(String.init)
    #expect(lines[0] == "// The run tea-time of s.json5 with seed 2, written down by")
    #expect(lines.contains("  id: 'tea-time-frozen',"))
    #expect(lines.contains("  clock: { start: '2026-01-15T12:00:00', duration: '8h' },"))
    let remarks = lines.filter {
      $0.hasPrefix("    // Drawn by chance: behaviour.meals[0], s.json5:5:")
    }
    #expect(remarks.count == 2, "\(lines)")
    let meal = try #require(lines.first { $0.contains("id: 'tea#1'") })
    #expect(meal.hasPrefix("    { id: 'tea#1', at: 'd0 16:"))
    #expect(meal.hasSuffix("meal: { grams: 20, absorption: '3h' } },"))
  }

  @Test("Paths are those seen from the frozen file; what needs other runs is left out, with a name")
  func pathsAndOmissions() throws {
    let text = """
      { format: 'loopsim/1', id: 'day', clock: { start: '2026-01-15T12:00:00', duration: '2h' },
        patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        history: { observed: { csv: 'observed/night.csv' }, glucose: { csv: 'past.csv' } },
        variants: { one: {}, two: {} },
        expect: [
          { id: 'golden', golden: '../golden/{run}.csv' },
          { id: 'observed', compare: { series: 'glucose.true', other: 'observed' },
            difference: { min: -5 } },
          { id: 'kept', compare: { metric: 'mean', this: 'two', other: 'kept/timeline.csv' },
            difference: { min: -5 } },
          { id: 'of-one', compare: { metric: 'mean', this: 'one', other: 'kept/timeline.csv' },
            difference: { min: -5 } },
          { id: 'rows', timeline: 'healthStore.basal', matches: 'rows.csv', mode: 'prefix' },
          { id: 'all', metric: 'mean', min: 50, across: 'all' },
          { id: 'most', metric: 'mean', min: 50, across: 'fraction>=0.9' },
          { id: 'better', compare: { metric: 'mean', other: 'one' }, difference: { min: 0 } },
        ] }
      """
    let files = [
      "sub/day.json5": text, "sub/past.csv": "time,glucose\n-5m,111\n",
      "sub/rows.csv": "kind\nbasal\n",
    ]
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files), allowsOutside: true)
    let read = reader.read("sub/day.json5", problems: problems)
    let document = try #require(read, "\(problems.problems)")
    let planned = RunPlan(document, reader: reader, problems: problems)
    let run = try #require(planned).run(at: 1)
    let found = RunBuilder.build(run, problems: problems)
    let built = try #require(found, "\(problems.sorted.map(\.description))")
    let frozen = FrozenScenario(
      run, built: built, result: Fixture.result(built), in: "frozen/here", from: "/home")
    for path in [
      "golden: '../../golden/day/two.csv'", "csv: '../../sub/observed/night.csv'",
      "other: '../../sub/kept/timeline.csv'", "matches: '../../sub/rows.csv'", "['-5m', 111.0]",
    ] { #expect(frozen.text.contains(path), "\(path) in \(frozen.text)") }
    for id in ["golden", "observed", "kept", "rows", "all"] {
      #expect(frozen.text.contains("id: '\(id)'"), "\(id)")
    }
    #expect(!frozen.text.contains("across") && !frozen.text.contains("past.csv"))
    #expect(!frozen.text.contains("of-one") && !frozen.text.contains("this:"))
    let omissions = frozen.omissions.map(\.description)
    #expect(omissions.count == 2)
    #expect(omissions[0].hasPrefix("sub/day.json5:16:"))
    #expect(omissions[0].contains("warning: the expectation \"most\" looks at several runs"))
    #expect(omissions[1].contains("\"better\" compares with the run of the variant \"one\""))
    // It is a whole file: from its own folder everything it names is found.
    let again = ProblemList()
    var second = ScenarioReader(
      files: MemoryFiles([
        "frozen/here/f.json5": frozen.text, "sub/rows.csv": files["sub/rows.csv"] ?? "",
      ]), allowsOutside: true)
    let plan = ScenarioCheck.plan("frozen/here/f.json5", reader: &second, problems: again)
    #expect(plan != nil && !again.hasErrors, "\(again.sorted.map(\.description))")
  }

  @Test("A fault that came by chance says once how long it lasts")
  func lengths() throws {
    let (text, result) = try Self.frozen(
      Fixture.text(
        """
        faults: [
          { every: { mean: '2h' }, app: { crash: { restartAfter: '7m' } } },
          { every: { mean: '2h' }, app: { skipLoops: { until: '+20m' } } },
        ]
        """, days: 1))
    #expect(text.contains("'7m'],") && text.contains("app: { crash: {} }"), "\(text)")
    #expect(text.contains("'20m'],") && text.contains("app: { skipLoops: {} }"), "\(text)")
    #expect(!text.contains("restartAfter") && !text.contains("until"))
    Self.expectSame(result, try Self.frozen(text).1)
  }

  @Test(
    "A path as it is seen from a folder",
    arguments: [
      ("/a/b/c.csv", "/a/b", "c.csv"), ("/a/b/c.csv", "/a/d/e", "../../b/c.csv"),
      ("/a/c.csv", "/", "a/c.csv"), ("a/c.csv", "", "a/c.csv"), ("c.csv", "a", "../c.csv"),
      ("/c.csv", "a", "/c.csv"), ("../c.csv", "", "../c.csv"), ("c.csv", "../a", "c.csv"),
      ("/a/b", "/a/b", "../b"),
    ])
  func relativePaths(path: String, folder: String, expected: String) {
    #expect(FilePath.relative(path, from: folder) == expected)
  }
}
