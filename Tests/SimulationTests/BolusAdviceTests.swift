import ClosedLoop
import Devices
import Dosing
import Quantities
import Simulation
import Testing

@Suite("A program recommends boluses to people")
struct BolusAdviceTests {
  /// Three hours in which a person enters 40 g and takes what is recommended.
  private static func fixture(_ request: BolusRequest = Self.request()) -> Fixture {
    var fixture = Fixture()
    fixture.glucose = 150
    fixture.isClosedLoop = true
    fixture.sensor = .generic
    fixture.duration = .hours(3)
    let entry = CarbEntryRequest(name: "lunch", grams: 40, absorption: nil, eatenAt: .at(1, 2))
    fixture.events = [
      ScenarioEvent(at: .at(1, 2), id: "lunch", .enterCarbs(entry)),
      ScenarioEvent(at: .at(1, 2), id: "for-lunch", .bolus(request)),
      ScenarioEvent(at: .at(1, 2), id: "after", .remark("The next act.")),
    ]
    return fixture
  }

  private static func request(
    scale: Double = 1, cap: Double? = nil, minimum: Double = 0
  ) -> BolusRequest {
    BolusRequest(
      .recommended(scale: scale, cap: cap), minimumUnits: minimum, name: "for-lunch")
  }

  private static func run(
    _ seat: ControllerSeat, _ fixture: Fixture, adviser: BolusAdviser? = .program,
    guards: GuardSet = .app
  ) throws -> Run {
    var setup = try fixture.setup()
    setup.controller = seat
    setup.controllerRules.manualBolus = adviser
    setup.controllerRules.guards = guards
    return Run(setup)
  }

  /// The run of a program that changes nothing in its cycles and recommends `units`.
  private static func asked(
    _ units: Double, _ fixture: Fixture = fixture(), guards: GuardSet = .app
  ) throws -> (result: RunResult, last: [CommandReport]) {
    var run = try run(.controller, fixture, guards: guards)
    var last: [CommandReport] = []
    while let question = run.nextQuestion() {
      last += question.last
      try run.answer(question.isForBolus ? .bolus(.success(units)) : .commands(.init()))
    }
    return (run.finish(), last)
  }

  @Test("The algorithm in its seat recommends what the app itself would")
  func algorithm() throws {
    let builtIn = try Self.fixture().result()
    #expect(builtIn.boluses.count == 1)
    var run = try Self.run(.algorithm, Self.fixture())
    var engine = DosingEngine()
    var boluses = 0
    while let question = run.nextQuestion() {
      guard case .algorithm(let input) = question.content else { break }
      if question.isForBolus {
        boluses += 1
        #expect(input.recommendationType == .manualBolus)
        let output = LoopAlgorithm.run(input)
        guard case .success(.manual(let manual)) = output.recommendation else { break }
        try run.answer(.bolus(.success(manual.amount)))
      } else {
        try run.answer(.recommendation(engine.answer(to: input)))
      }
    }
    let asked = run.finish()
    #expect(boluses == 1)
    #expect(asked.trace.happenings == builtIn.trace.happenings)
    #expect(asked.digest == builtIn.digest)
  }

  @Test("A program is told of the entry, and its bolus is given; acts after it are done")
  func controller() throws {
    var run = try Self.run(.controller, Self.fixture())
    while let question = run.nextQuestion() {
      guard question.isForBolus, case .controller(let view) = question.content else {
        try run.answer(.commands(.init()))
        continue
      }
      #expect(question.instant == .at(1, 2))
      #expect(view.carbs.map(\.entry.mass.grams) == [40])
      #expect(throws: AnswerError.wrongSeat) { try run.answer(.commands(.init())) }
      #expect(throws: AnswerError.notFinite) { try run.answer(.bolus(.success(.nan))) }
      try run.answer(.bolus(.success(2.5)))
      #expect(throws: AnswerError.nothingAsked) { try run.answer(.bolus(.success(1))) }
    }
    let result = run.finish()
    #expect(result.boluses.map(\.delivered.units) == [2.5])
    #expect(result.bolusRequests.map(\.requester) == [.user])
    #expect(result.trace.happenings.contains { $0.text == "The next act." })
  }

  @Test("The person scales, caps and declines as with the app's own recommendation")
  func person() throws {
    let half = try Self.asked(4, Self.fixture(Self.request(scale: 0.5))).result
    #expect(half.boluses.map(\.asked.units) == [2])
    let capped = try Self.asked(4, Self.fixture(Self.request(cap: 1.5))).result
    #expect(capped.boluses.map(\.asked.units) == [1.5])
    let declined = try Self.asked(0.3, Self.fixture(Self.request(minimum: 0.5)))
    #expect(declined.result.boluses.isEmpty)
    #expect(declined.last.map(\.outcome) == [.notSent])
    #expect(declined.result.trace.happenings.contains { $0.text.contains("not worth taking") })
  }

  @Test("Guards cut what is recommended, and tell the program in its next question")
  func guards() throws {
    let (result, last) = try Self.asked(80)
    let report = try #require(last.first)
    #expect(report.command.asked == .bolus(units: 80))
    #expect(report.command.guards == [.maxBolus])
    #expect(report.outcome == .carriedOut)
    let limit = try #require(result.limits.last?.maximumBolus)
    #expect(result.boluses.map(\.asked) == [limit])
    #expect(result.trace.happenings.contains { $0.kind == .guarded && $0.name == "maxBolus" })
    let negative = try Self.asked(-1)
    #expect(negative.result.boluses.isEmpty)
    #expect(negative.last.map(\.command.guards) == [[.belowZero]])
    let fine = try Self.asked(1.234_567)
    #expect(fine.last.map(\.command.guards) == [[.pumpStep]])
  }

  @Test("Without fresh glucose the app gives no recommended bolus, unless its guards are off")
  func stale() throws {
    var fixture = Self.fixture()
    fixture.events.insert(
      ScenarioEvent(at: .at(0, 1), id: "stop", .sensor(.stop)), at: 0)
    let (result, last) = try Self.asked(2, fixture)
    #expect(result.boluses.isEmpty)
    #expect(last.map(\.command.guards) == [[.staleGlucose]])
    #expect(try Self.asked(2, fixture, guards: .pump).result.boluses.count == 1)
    // The algorithm is not asked, as the app would not ask its own.
    var run = try Self.run(.algorithm, fixture)
    while let question = run.nextQuestion() {
      #expect(!question.isForBolus)
      try run.answer(.missing("None."))
    }
    #expect(run.finish().trace.happenings.contains { $0.text.hasPrefix("No bolus is recommended") })
  }

  @Test("Where no answer comes nothing is recommended, and the run goes on")
  func missing() throws {
    var run = try Self.run(.controller, Self.fixture())
    while let question = run.nextQuestion() {
      try run.answer(question.isForBolus ? .missing("Late.") : .commands(.init()))
    }
    let result = run.finish()
    #expect(result.boluses.isEmpty)
    #expect(result.trace.happenings.contains { $0.text == "No bolus is recommended: Late." })
    #expect(result.trace.happenings.contains { $0.text == "The next act." })
  }

  @Test("Where nobody says who recommends, Loop does, and a warning tells it once")
  func nobodySays() throws {
    for (adviser, warnings) in [(nil, 1), (BolusAdviser.loop, 0)] {
      var run = try Self.run(.controller, Self.fixture(), adviser: adviser)
      while let question = run.nextQuestion() {
        #expect(!question.isForBolus)
        try run.answer(.commands(.init()))
      }
      let result = run.finish()
      #expect(result.boluses.count == 1)
      #expect(
        result.trace.happenings.count { $0.kind == .warning && $0.name == "for-lunch" }
          == warnings)
    }
  }

  @Test("A copy at the question goes on to the same bytes")
  func copies() throws {
    var run = try Self.run(.controller, Self.fixture())
    while let question = run.nextQuestion(), !question.isForBolus {
      try run.answer(.commands(.init()))
    }
    var other = run
    for _ in 0..<2 {
      swap(&run, &other)
      try run.answer(.bolus(.success(3)))
      while run.nextQuestion() != nil { try run.answer(.commands(.init())) }
    }
    #expect(run.finish().digest == other.finish().digest)
  }
}
