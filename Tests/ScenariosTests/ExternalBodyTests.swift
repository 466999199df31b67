import ClosedLoop
import Dosing
import Physiology
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import Testing

@testable import Scenarios

@Suite("A body that is a program outside")
struct ExternalBodyTests {
  private static let needs =
    "needs: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] }"

  private static func build(
    _ patient: String, more: String = "", checksStep: Bool = false
  ) -> (BuiltRun?, [String]) {
    let problems = ProblemList()
    let text = """
      { format: 'loopsim/1', clock: { duration: '6h', preRoll: '1h' },
        patient: { model: 'external', \(patient) }, \(more) }
      """
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    guard let document = reader.read("s.json5", problems: problems),
      let plan = RunPlan(document, reader: reader, problems: problems)
    else { return (nil, problems.problems.map(\.description)) }
    var run = plan.run(at: 0)
    run.checksStep = checksStep
    ScenarioCheck.check(run, of: document, problems: problems)
    let built = RunBuilder.build(run, problems: problems)
    return (built, problems.sorted.map(\.description))
  }

  private static let command = "command: ['python3', 'body.py']"

  @Test("Its program, parameters and needs are read")
  func keys() throws {
    let (built, problems) = Self.build(
      """
      \(Self.command), \(Self.needs), initialGlucose: 140, timeout: '5s', \
      parameters: { weight: 70, sex: 'f', curve: [1, 2] }, environment: { OMP_NUM_THREADS: '1' }
      """)
    #expect(problems == [])
    let run = try #require(built)
    let body = try #require(run.body)
    #expect(body.role == .body)
    #expect(body.command == ["python3", "body.py"])
    #expect(body.timeout == .seconds(5))
    #expect(body.startTimeout == .seconds(60))
    #expect(body.initialGlucose == .mgdL(140))
    #expect(body.parameters["sex"] == .string("f"))
    #expect(body.environment?.map(\.name) == ["OMP_NUM_THREADS"])
    #expect(run.programs.map(\.role) == [.body])
    #expect(run.setup.isBodyAsked)
    #expect(run.setup.basalNeed == 0.8)
    #expect(run.setup.app.therapy.sensitivity.entries.first?.value.mgdLPerUnit == 50)
    #expect(run.setup.patient.now == run.setup.beginning)
  }

  @Test("The basal need at the beginning is that of the hour, not of midnight")
  func needOfTheHour() throws {
    func need(_ clock: String, _ patient: String) throws -> Double? {
      let needs = """
        needs: { basal: [['00:00', 0.8], ['05:00', 1.1], ['06:30', 0.6]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] }
        """
      let problems = ProblemList()
      let text = "{ format: 'loopsim/1', clock: { \(clock) }, patient: { \(patient), \(needs) } }"
      var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
      let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
      let run = try #require(plan, "\(problems.sorted)").run(at: 0)
      let built = RunBuilder.build(run, problems: problems)
      return try #require(built, "\(problems.sorted)").setup.basalNeed
    }
    // The world begins an hour before seven in the morning of Chicago.
    let clock =
      "start: '2026-01-15T07:00:00', timeZone: 'America/Chicago', duration: '1h', preRoll:"
    for patient in ["model: 'external', \(Self.command)", "model: 'tidepool-simple'"] {
      #expect(try need("\(clock) '1h'", patient) == 1.1)
      #expect(try need("\(clock) '0s'", patient) == 0.6)
      #expect(try need("\(clock) '3h'", patient) == 0.8)
    }
  }

  @Test("What varies in a body is told to the program, whatever it makes of it")
  func varies() throws {
    let (built, problems) = Self.build(
      "\(Self.command), \(Self.needs), dawn: { amplitude: 0.3 }",
      more: "events: [{ at: '+1h', exercise: { heartRate: 120, duration: '30m' } }]")
    #expect(problems == [])
    var run = Run(try #require(built).setup)
    var words: Set<String> = []
    var shares: [Double] = []
    while let question = run.nextQuestion() {
      guard case .body(let asked) = question.content else { break }
      for row in asked.intake.conditions {
        guard let figure = row.what.figure else { continue }
        words.insert(figure.word)
        if figure.word == "exercise" { shares.append(figure.value) }
      }
      try run.answer(.lived(BodyAnswer(.init(glucose: .mgdL(120)))))
    }
    #expect(words == ["exercise", "glucoseProduction"])
    // From 60 to 180 beats a minute, 120 is half of the reserve.
    #expect(shares == [0.5, 0])
  }

  @Test(
    "What it cannot do is refused by name and place",
    arguments: [
      ("command: ['a']", "", "\"patient.needs\" is missing"),
      ("command: ['a'], needs: 'table'", "", "one of our patients'"),
      ("command: [], NEEDS", "", "must have a program and its words"),
      ("command: ['a'], transcript: 'b', NEEDS", "", "remove \"command\" or \"transcript\""),
      ("command: 'python3 body.py', NEEDS", "", "command"),
      ("command: ['a'], NEEDS, timeout: '0s'", "", "timeout"),
      ("command: ['a'], NEEDS, initialGlucose: 30, floor: { glucose: 40 }", "", "below its floor"),
    ])
  func refuses(patient: String, more: String, part: String) {
    let (built, problems) = Self.build(patient.replacing("NEEDS", with: Self.needs), more: more)
    #expect(built == nil)
    #expect(problems.contains { $0.contains(part) && $0.hasPrefix("s.json5:2:") }, "\(problems)")
  }

  @Test("A twin with half the step cannot be had of it")
  func checkStep() {
    let (built, problems) = Self.build("\(Self.command), \(Self.needs)", checksStep: true)
    #expect(built == nil)
    #expect(problems.contains { $0.contains("--check-step") }, "\(problems)")
  }

  @Test(
    "Keys of our models have no effect on it, and keys of its have none on ours",
    arguments: [
      "name: 'adult#001'", "integration: 'reference'", "weight: 70", "secretion: { perGlucose: 1 }",
      "gastricMemory: 'wholeMeal'", "uptakeInLows: false", "glucagon: 'lt1'",
      "generated: { member: 1 }",
    ])
  func idleKeys(key: String) {
    let (built, problems) = Self.build("\(Self.command), \(Self.needs), \(key)")
    #expect(built != nil, "\(problems)")
    #expect(problems.count == 1 && problems[0].contains("W-NOEFFECT"), "\(problems)")
  }

  @Test("Without a command the scenario is one for a client")
  func noCommand() throws {
    let (built, problems) = Self.build(Self.needs)
    #expect(problems == [])
    #expect(try #require(built).body?.command == [])
  }
}
