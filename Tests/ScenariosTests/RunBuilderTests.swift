import HealthStore
import Physiology
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import Testing

@testable import Scenarios

@Suite("From a scenario to a run")
struct RunBuilderTests {
  private static let body = """
    patient: { model: 'tidepool-simple', initialGlucose: 110,
      needs: { basal: [['00:00', 0.4]], sensitivity: [['00:00', 50]],
        carbRatio: [['00:00', 10]] } },
    clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '2h' },
    app: { closedLoop: false },
    """

  private static func build(_ rest: String, body: String = body) -> (BuiltRun?, [String]) {
    let problems = ProblemList()
    let text = "{ format: 'loopsim/1', \(body)\n\(rest) }"
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    guard let document = reader.read("s.json5", problems: problems),
      let plan = RunPlan(document, reader: reader, problems: problems)
    else { return (nil, problems.problems.map(\.description)) }
    let built = RunBuilder.build(plan.run(at: 0), problems: problems)
    return (built, problems.sorted.map(\.description))
  }

  @Test("The error of a meter is in per cent")
  func meterError() throws {
    let (built, problems) = Self.build(
      "events: [{ at: '+1m', fingerstick: { error: 10, entry: false } }]")
    #expect(problems == [])
    var run = Run(try #require(built).setup)
    while run.step() {}
    let texts = run.finish().trace.happenings.map(\.text)
    #expect(texts.contains("A meter shows 121 mg/dL."))
  }

  @Test("The health store of a run shows glucose in the scenario's unit")
  func unitOfTheStore() throws {
    let (plain, _) = Self.build("")
    #expect(
      try #require(plain).setup.store.registry.preferredUnit(for: .bloodGlucose)
        == .milligramPerDecilitre)
    let (molar, problems) = Self.build(
      "glucoseUnit: 'mmol/L'",
      body: Self.body.replacing("110", with: "6.1").replacing("50]]", with: "2.8]]"))
    #expect(problems == [])
    #expect(
      try #require(molar).setup.store.registry.preferredUnit(for: .bloodGlucose)
        == .millimolePerLitre)
  }

  @Test("To wait while a pod gives a bolus is no trouble")
  func waitingForBolus() throws {
    // 8 U take 5 min 20 s at 1.5 U a minute, across one cycle.
    let (built, problems) = Self.build(
      "pump: { model: 'omnipodDASH' }, events: [{ at: '+64m', bolus: { units: 8 } }]",
      body: Self.body.replacing("closedLoop: false", with: "closedLoop: true"))
    #expect(problems == [])
    var run = Run(try #require(built).setup)
    while run.step() {}
    let result = run.finish()
    let failures = Set(result.cycleOutcomes.compactMap(\.failure))
    #expect(failures == ["A bolus is being given; wait for its end."])
    #expect(result.cycles.completed < result.cycles.due)
    #expect(result.troubles.filter { $0.kind == .missedCycles } == [])
  }

  @Test(
    "Every mistake is one located sentence",
    arguments: [
      ("events: [{ at: '01:00', bolus: { units: -2 } }]", "units"),
      ("events: [{ at: '01:00', bolus: { units: NaN } }]", "finite"),
      ("events: [{ at: '05:00', bolus: { units: 2 } }]", "outside the run"),
      ("events: [{ at: '01:00', bolos: { units: 2 } }]", "bolus"),
      (
        "events: [{ at: '01:00', basal: { rate: 9, duration: '30m' } }], therapy: { maxBasal: 3 }",
        "above the maximum"
      ),
      ("events: [{ at: '01:00', basal: { rate: 1, duration: 30 } }]", "'30m'"),
      ("therapy: { basal: [['00:00', 0.4], ['06:00', 0.5], ['05:00', 0.6]] }", "ascend"),
      ("therapy: { basal: [['00:00', 0.42]] }", "0.42"),
      ("therapy: { target: [['00:00', [5.5, 6.0]]] }", "mmol/L"),
      ("faults: [{ at: '01:00', pump: { oclusion: {} } }]", "occlusion"),
      ("expect: [{ metric: 'tri(70,180)', min: 5 }]", "tir"),
      ("expect: [{ series: 'glucose.treu', never: { below: 50 } }]", "glucose.true"),
      ("expect: [{ invariant: 'insulin-conversation' }]", "insulin-conservation"),
      ("expect: [{ metric: 'mean' }]", "no bound"),
      ("events: [{ at: '01:00', meal: { grams: 9, shape: 'triangle' } }]", "published equations"),
      (
        "history: { doses: [{ at: '-1h', basal: 1, duration: '30m', insulin: 'humalog' }] }",
        "Only a bolus"
      ),
      ("history: { doses: [{ at: '-1h', bolus: 1, insulin: 'humalo' }] }", "humalog"),
    ])
  func reports(rest: String, part: String) {
    let (built, problems) = Self.build(rest)
    #expect(built == nil)
    #expect(problems.contains { $0.contains(part) }, "\(problems)")
    for problem in problems { #expect(problem.hasPrefix("s.json5:"), "\(problem)") }
  }

  @Test("All problems of a file come in one go")
  func reportsAll() {
    let (_, problems) = Self.build(
      """
      events: [{ at: '01:00', bolus: { units: -2 } }, { at: '09:00', suspend: {} }],
      therapy: { maxBolus: 'ten' }
      """)
    #expect(problems.count == 3, "\(problems)")
  }

  @Test("A setting without effect is a warning")
  func warns() {
    let (built, problems) = Self.build(
      "",
      body: Self.body.replacing(
        "closedLoop: false", with: "closedLoop: false, applicationFactor: 0.3"))
    #expect(built != nil)
    #expect(problems.contains { $0.contains("W-NOEFFECT") }, "\(problems)")
  }

  @Test("A block that says nothing is the same as none; so is a default that is stated")
  func emptyBlocks() throws {
    func digest(_ rest: String) throws -> UInt64 {
      let (built, problems) = Self.build(rest)
      var run = Run(try #require(built, "\(problems)").setup)
      while run.step() {}
      return run.finish().digest
    }
    let plain = try digest("")
    #expect(try digest("cgm: {}, pump: {}, healthStore: {}, therapy: {}, output: {}") == plain)
    #expect(try digest("pump: { history: 'complete' }") == plain)
    let meal = "events: [{ at: '01:00', meal: { grams: 9"
    #expect(try digest("\(meal), shape: 'model' } }]") == digest("\(meal) } }]"))
  }

  @Test("A past dose of a stated insulin is an injection that was logged at its time")
  func pastInjection() throws {
    let (built, problems) = Self.build(
      "history: { doses: [{ at: '-1h', bolus: 2, insulin: 'fiasp' }] }")
    let setup = try #require(built, "\(problems)").setup
    guard case .inject(let units, let formulation, _) = setup.events[0].action,
      case .writeToHealthStore(let write) = setup.events[1].action
    else {
      Issue.record("The events are \(setup.events).")
      return
    }
    #expect(units == 2)
    #expect(formulation.id == "fiasp")
    #expect(write.start == setup.start - .hours(1))
    #expect(setup.events.map(\.instant) == [write.start, write.start])
    #expect(setup.preRoll == .hours(1))
  }

  @Test("The loop's inputs are kept only where a scenario asks, and needless wishes are warned of")
  func loopInputs() throws {
    func output(_ save: String, expect: String = "") throws -> (OutputSelection, [String]) {
      let (built, problems) = Self.build("output: \(save), expect: [\(expect)]")
      return (try #require(built, "\(problems)").output, problems)
    }
    let law = "{ invariant: 'monotone-time' }"
    #expect(try output("{}").0.loopInputs == nil)
    let all = try output("{ save: ['loopInputs'] }")
    #expect(all.0.loopInputs == .all && all.0.files.isEmpty && all.1.isEmpty)
    let some = try output("{ save: ['timeline', 'loopInputs:failures'] }", expect: law)
    #expect(some.0.loopInputs == .aroundFailures && some.0.files == [.timeline] && some.1.isEmpty)
    #expect(try output("{ save: ['loopInputs:failures'] }").1.count == 1)
    let both = try output("{ save: ['loopInputs:failures', 'loopInputs'] }", expect: law)
    #expect(both.0.loopInputs == .all && both.1.count == 1)
  }

  @Test(
    "Who asks for the summary is told that it is always kept",
    arguments: ["summary", "summary.json"])
  func summaryIsKept(word: String) throws {
    let (_, problems) = Self.build("output: { save: ['\(word)', 'ledger'] }")
    #expect(problems.count == 1, "\(problems)")
    let sentence =
      "error: The summary is always kept, and \"output.save\" names what is kept beside it. Leave "
      + "'\(word)' out; an empty list keeps the summary alone."
    #expect(problems.first?.contains(sentence) == true, "\(problems)")
  }

  /// The rows from which figures are taken are no further apart than five minutes.
  @Test(
    "What no row sees is warned of, whether rows are kept or not",
    arguments: [
      ("every: '5m'", []), ("every: '20m'", []), ("every: '1h', save: []", []),
      ("every: '7m'", ["its last 1m are in no row of the timeline, and in no figure"]),
      ("every: '7m', save: []", ["its last 1m are in no figure of glucose."]),
      ("every: '45m'", ["its last 30m are in no row of the timeline."]),
      ("every: '45m', save: []", []),
      (
        "every: '14m'",
        ["its last 8m are in no row of the timeline, and 3m20s are in no figure of glucose."]
      ),
    ])
  func rowsApart(output: String, warnings: [String]) throws {
    let (_, problems) = Self.build("output: { \(output) }")
    #expect(problems.count == warnings.count, "\(problems)")
    for (problem, warning) in zip(problems, warnings) {
      #expect(problem.contains(warning) && problem.hasSuffix("[W-RUN]"), "\(problem)")
    }
  }

  @Test("Rows that would be a thousandth of a second apart are refused, and fractions are not")
  func countlessRows() throws {
    // 300007 is a prime.
    let (_, problems) = Self.build("output: { every: '300007ms' }")
    let sentence =
      "A row every 5m7ms would need rows every 1ms between: rows are at most five minutes apart, "
      + "and one of them falls on each. Write whole seconds, such as '5m'."
    #expect(problems.contains { $0.contains("error: \(sentence)") }, "\(problems)")
    #expect(Self.build("output: { every: '1500ms', save: [] }").1 == [])
  }

  @Test("A meal and its entry are two events that may differ")
  func mealAndEntry() throws {
    let (built, problems) = Self.build(
      """
      events: [{ at: '00:30', meal: { grams: 60 }, entry: { at: '+20m', grams: 45,
        edits: [{ at: '+40m', grams: 60 }] } }]
      """)
    let events = try #require(built, "\(problems)").setup.events
    #expect(events.map { ($0.instant - events[0].instant).minutes } == [0, 20, 40])
    guard case .eat(let meal, _) = events[0].action, case .enterCarbs(let entry) = events[1].action,
      case .editCarbs(_, let grams, _, _) = events[2].action
    else {
      Issue.record("The events are \(events).")
      return
    }
    #expect(meal.grams == 60)
    #expect(entry.grams == 45)
    #expect(entry.eatenAt == events[0].instant)
    #expect(grams == 60)
  }
}
