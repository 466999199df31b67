import ClosedLoop
import Devices
import Physiology
import Quantities
import Simulation
import Testing

@Suite("A body outside is asked how it lives")
struct BodyQuestionTests {
  /// Somebody outside who keeps a body of ours, and lives by what a question tells alone.
  private struct Keeper {
    var body: any Patient
    var unknown: [String] = []
    private(set) var asked: [BodyQuestion] = []

    init(_ body: any Patient) { self.body = body }

    mutating func answer(_ question: BodyQuestion) -> Answer {
      asked.append(question)
      let intake = question.intake
      var deeds: [(at: Instant, act: (inout any Patient) -> Bool, word: String?)] = []
      for row in intake.insulin {
        deeds.append(
          (
            row.instant,
            {
              $0.receive(row.what)
              return true
            }, nil
          ))
      }
      for row in intake.meals {
        deeds.append(
          (
            row.instant,
            {
              $0.eat(row.what)
              return true
            }, nil
          ))
      }
      for row in intake.conditions {
        deeds.append((row.instant, { $0.apply(row.what) }, row.what.figure?.word))
      }
      unknown = []
      for deed in deeds.sorted(by: { $0.at < $1.at }) {
        body.advance(to: deed.at)
        if !deed.act(&body), let word = deed.word { unknown.append(word) }
      }
      body.advance(to: question.to)
      let state = ExternalPatient.State(
        glucose: body.glucose, sensed: body.sensedGlucose, insulinOnBoard: body.insulinOnBoard)
      return .lived(BodyAnswer(state, unknown: unknown))
    }
  }

  private static func fixture() -> Fixture {
    var fixture = Fixture()
    fixture.glucose = 190
    fixture.isClosedLoop = true
    fixture.sensor = .generic
    fixture.duration = .hours(6)
    let meal = MealInput(grams: 30, absorption: .hours(3))
    fixture.events = [
      ScenarioEvent(at: .at(1, 2, 30), .eat(meal, name: "snack")),
      ScenarioEvent(at: .at(2, 1), .inject(units: 1.5, formulation: .humalog, name: "pen")),
      ScenarioEvent(at: .at(2, 3), .apply(.exercise(intensity: 0.4), name: "walk")),
      ScenarioEvent(at: .at(3, 7), .apply(.insulinSensitivity(factor: 0.8), name: "sick")),
    ]
    return fixture
  }

  /// The setup with a body outside, and the keeper of the body that it replaces.
  private static func outside(_ setup: Setup) -> (setup: Setup, keeper: Keeper) {
    var setup = setup
    let keeper = Keeper(setup.patient)
    setup.patient = ExternalPatient(at: setup.beginning, glucose: .mgdL(100))
    return (setup, keeper)
  }

  private static func live(_ run: inout Run, with keeper: inout Keeper) throws {
    while let question = run.nextQuestion() {
      guard case .body(let asked) = question.content else { return }
      #expect(question.number == keeper.asked.count)
      #expect(question.instant == asked.to)
      try run.answer(keeper.answer(asked))
    }
  }

  @Test("A body outside with our equations lives as ours does", arguments: [false, true])
  func sameAsOurs(varies: Bool) throws {
    var setup = try Self.fixture().setup()
    setup.preRoll = .hours(1)
    if varies {
      setup.events.append(
        ScenarioEvent(
          at: .at(1), .apply(.variation([.stress(level: 0.3, start: .at(1))]), name: "stress")))
      setup.patient = VaryingPatient(setup.patient, modulators: [])
    }
    var built = Run(setup)
    while built.step() {}
    let ours = built.finish()
    var keeper = Keeper(setup.patient)
    if let varying = setup.patient as? VaryingPatient {
      keeper = Keeper(varying.base)
      setup.patient = VaryingPatient(
        ExternalPatient(at: setup.beginning, glucose: .mgdL(100)), modulators: [])
    } else {
      (setup, keeper) = Self.outside(setup)
    }
    #expect(setup.isBodyAsked)
    var run = Run(setup)
    try Self.live(&run, with: &keeper)
    let theirs = run.finish()
    #expect(theirs.trace.rows.count == ours.trace.rows.count)
    for (one, other) in zip(ours.trace.rows, theirs.trace.rows) {
      #expect(abs(one.trueGlucose.mgdL - other.trueGlucose.mgdL) <= 1e-9)
      #expect(one.reading == other.reading)
      #expect(one.recommendation == other.recommendation)
    }
    #expect(ours.pulses == theirs.pulses)
    #expect(ours.injections == theirs.injections)
    let first = try #require(keeper.asked.first)
    #expect(first.from == first.to)
    #expect(first.to == setup.beginning)
    for (one, next) in zip(keeper.asked, keeper.asked.dropFirst()) {
      #expect(next.from == one.to)
      #expect(next.to > next.from)
    }
    for question in keeper.asked {
      let instants =
        question.intake.insulin.map(\.instant) + question.intake.meals.map(\.instant)
        + question.intake.conditions.map(\.instant)
      #expect(instants.allSatisfy { question.from <= $0 && $0 <= question.to })
    }
    let warnings = theirs.trace.happenings.filter { $0.kind == .warning && $0.name == "exercise" }
    #expect(warnings.map(\.text) == ["The patient model does not know exercise; nothing changes."])
  }

  @Test("It is asked at the beginning, at samples and at rows, and never in between")
  func whenAsked() throws {
    var fixture = Self.fixture()
    fixture.isClosedLoop = false
    var setup = try fixture.setup()
    // The trace has a row every four minutes, of which every other one is written down.
    setup.outputInterval = .minutes(8)
    var keeper: Keeper
    (setup, keeper) = Self.outside(setup)
    var run = Run(setup)
    try Self.live(&run, with: &keeper)
    let minutes = keeper.asked.map { ($0.to - setup.start).quotient(by: .minutes(1)) }
    let due = (0...360).filter { $0 % 4 == 0 || $0 % 5 == 0 }.map(Int64.init)
    #expect(minutes == due)
  }

  @Test("A floor is looked at where the body answers, and ends the run")
  func floor() throws {
    var setup = try Self.fixture().setup()
    setup.lethalGlucose = .mgdL(10)
    setup.patient = ExternalPatient(at: setup.beginning, glucose: .mgdL(100))
    var run = Run(setup)
    while let question = run.nextQuestion() {
      guard case .body(let asked) = question.content else { break }
      let hours = (asked.to - setup.start).hours
      try run.answer(.lived(BodyAnswer(.init(glucose: .mgdL(100 - 40 * hours)))))
    }
    #expect(run.finish().lethalEnd?.instant == .at(2, 20))
  }

  @Test("What no body can be is refused, and the run still stands at the question")
  func refusals() throws {
    let (setup, _) = Self.outside(try Self.fixture().setup())
    var run = Run(setup)
    _ = run.nextQuestion()
    for glucose in [-0.1, 2_000.1, .nan, .infinity] {
      #expect(throws: AnswerError.notFinite) {
        try run.answer(.lived(BodyAnswer(.init(glucose: .mgdL(glucose)))))
      }
    }
    #expect(throws: AnswerError.wrongSeat) { try run.answer(.missing("late")) }
    #expect(throws: AnswerError.wrongSeat) { try run.answer(.commands(ControllerAnswer())) }
    #expect(run.question?.number == 0)
    // A copy at a question goes on by itself, and leaves the other where it stands.
    var copy = run
    try copy.answer(.lived(BodyAnswer(.init(glucose: .mgdL(120)))))
    #expect(copy.nextQuestion()?.number == 1)
    #expect(run.question?.number == 0)
  }

  @Test("A program may decide about a body that is a program too")
  func bothAsked() throws {
    var (setup, keeper) = Self.outside(try Self.fixture().setup())
    setup.controller = .controller
    var run = Run(setup)
    var decisions = 0
    while let question = run.nextQuestion() {
      switch question.content {
      case .body(let asked): try run.answer(keeper.answer(asked))
      default:
        #expect(question.number == decisions)
        decisions += 1
        try run.answer(.commands(ControllerAnswer()))
      }
    }
    let result = run.finish()
    var ours = try Self.fixture().setup()
    ours.controller = .controller
    var other = Run(ours)
    var questions = 0
    while other.nextQuestion() != nil {
      questions += 1
      try other.answer(.commands(ControllerAnswer()))
    }
    #expect(decisions == questions)
    #expect(result.cycles.completed == result.cycles.due)
    #expect(result.violations.isEmpty)
  }
}
