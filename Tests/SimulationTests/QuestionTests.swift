import ClosedLoop
import Devices
import Dosing
import Quantities
import Simulation
import Testing

@Suite("A program outside decides")
struct QuestionTests {
  private static func fixture(_ strategy: DosingStrategy = .tempBasal) -> Fixture {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000), (6, 1_200)]
    fixture.glucose = 190
    fixture.isClosedLoop = true
    fixture.strategy = strategy
    fixture.sensor = .generic
    fixture.duration = .hours(6)
    return fixture
  }

  private static func run(
    _ seat: ControllerSeat, _ fixture: Fixture = fixture(), rules: ControllerRules = .init()
  ) throws -> Run {
    var setup = try fixture.setup()
    setup.controller = seat
    setup.controllerRules = rules
    return Run(setup)
  }

  /// The result of a run whose questions all get one answer.
  private static func result(
    of answer: ControllerAnswer, _ fixture: Fixture = fixture(), rules: ControllerRules = .init()
  ) throws -> RunResult {
    var run = try run(.controller, fixture, rules: rules)
    while run.nextQuestion() != nil { try run.answer(.commands(answer)) }
    return run.finish()
  }

  @Test(
    "The algorithm in the seat of the algorithm gives the built-in run",
    arguments: [DosingStrategy.tempBasal, .automaticBolus])
  func algorithmGivesTheSame(strategy: DosingStrategy) throws {
    let builtIn = try Self.fixture(strategy).result()
    var run = try Self.run(.algorithm, Self.fixture(strategy))
    var engine = DosingEngine()
    var count = 0
    while let question = run.nextQuestion() {
      guard case .algorithm(let input) = question.content else { break }
      #expect(question.number == count)
      count += 1
      try run.answer(.recommendation(engine.answer(to: input)))
    }
    let asked = run.finish()
    #expect(count > 60)
    #expect(builtIn.pulses == asked.pulses)
    #expect(builtIn.trace.rows == asked.trace.rows)
    #expect(builtIn.digest == asked.digest)
  }

  @Test("A program that changes nothing gives the pulses of open loop")
  func nothingIsOpenLoop() throws {
    var open = Self.fixture()
    open.isClosedLoop = false
    let asked = try Self.result(of: ControllerAnswer())
    #expect(try open.result().pulses == asked.pulses)
    #expect(asked.cycles.due == asked.cycles.completed)
  }

  @Test("A copy at a question goes on to the same bytes, and answers to one leave the other")
  func copiesAreIndependent() throws {
    var run = try Self.run(.controller)
    let answer = Answer.commands(
      ControllerAnswer(tempBasal: .start(unitsPerHour: 1.4, duration: .minutes(30))))
    for _ in 0..<20 where run.nextQuestion() != nil { try run.answer(answer) }
    let next = run.nextQuestion()
    let standing = try #require(next)
    var copy = run
    var other = run
    try other.answer(.commands(ControllerAnswer(tempBasal: nil, bolus: 3)))
    while other.nextQuestion() != nil { try other.answer(answer) }
    #expect(copy.question?.number == standing.number)
    while run.nextQuestion() != nil { try run.answer(answer) }
    while copy.nextQuestion() != nil { try copy.answer(answer) }
    let digest = run.finish().digest
    let (copied, differing) = (copy.finish().digest, other.finish().digest)
    #expect(copied == digest)
    #expect(differing != digest)
  }

  @Test("A run stands at its question until it is answered")
  func waits() throws {
    var run = try Self.run(.controller)
    let next = run.nextQuestion()
    let question = try #require(next)
    let hasGoneOn = run.step()
    #expect(!hasGoneOn)
    run.advance(through: .at(3))
    #expect(run.now == .at(0))
    let same = run.nextQuestion()
    #expect(same?.number == question.number)
    let recommendation = AlgorithmAnswer(recommendation: .failure(.missingGlucose))
    let wrongSeat = Self.refusal(of: .recommendation(recommendation), in: &run)
    #expect(wrongSeat == .wrongSeat)
    let endless = ControllerAnswer(tempBasal: nil, bolus: .nan)
    let notFinite = Self.refusal(of: .commands(endless), in: &run)
    #expect(notFinite == .notFinite)
    #expect(run.question?.number == question.number)
    try run.answer(.missing("Nobody is there."))
    let again = Self.refusal(of: .missing("Again."), in: &run)
    #expect(again == .nothingAsked)
  }

  /// Why a run does not take an answer.
  private static func refusal(of answer: Answer, in run: inout Run) -> AnswerError? {
    do throws(AnswerError) {
      try run.answer(answer)
      return nil
    } catch {
      return error
    }
  }

  @Test("A missing answer fails the cycle, and what the pump runs goes on")
  func missingAnswer() throws {
    var run = try Self.run(.controller)
    while run.nextQuestion() != nil { try run.answer(.missing("No answer came.")) }
    let result = run.finish()
    #expect(result.cycles.completed == 0)
    #expect(result.cycleOutcomes.allSatisfy { $0.failure == "No answer came." })
    var open = Self.fixture()
    open.isClosedLoop = false
    #expect(try open.result().pulses == result.pulses)
  }

  /// What the guards made of the first answer, as the second question tells it.
  private static func report(
    on answer: ControllerAnswer, _ change: (inout Fixture) -> Void = { _ in },
    rules: ControllerRules = .init()
  ) throws -> [CommandReport] {
    var fixture = fixture()
    change(&fixture)
    var run = try run(.controller, fixture, rules: rules)
    _ = run.nextQuestion()
    try run.answer(.commands(ControllerAnswer()))
    _ = run.nextQuestion()
    try run.answer(.commands(answer))
    let next = run.nextQuestion()
    return try #require(next).last
  }

  @Test("Guards cut a command, and the next question says by which")
  func guardsCut() throws {
    let high = ControllerAnswer(tempBasal: .start(unitsPerHour: 9, duration: .minutes(40)))
    let cut = try #require(try Self.report(on: high).first)
    #expect(cut.command.guards == [.maxBasal, .duration])
    let most = InsulinRate(milliunitsPerHour: 3_000)
    #expect(
      cut.command.given == .startTempBasal(most, duration: .minutes(30), automatic: true))
    #expect(cut.outcome == .carriedOut)

    let low = ControllerAnswer(tempBasal: .start(unitsPerHour: -1, duration: .minutes(30)))
    #expect(try Self.report(on: low).first?.command.guards == [.belowZero])
    let fine = ControllerAnswer(
      tempBasal: .start(unitsPerHour: 0.15000000000000002, duration: .minutes(30)))
    #expect(try Self.report(on: fine).first?.command.guards == [])
    let between = ControllerAnswer(
      tempBasal: .start(unitsPerHour: 0.17, duration: .minutes(30)), bolus: 11)
    let both = try Self.report(on: between)
    #expect(both.map(\.command.guards) == [[.pumpStep], [.maxBolus]])
    let open = try Self.report(on: between, { $0.isClosedLoop = false })
    #expect(open.map(\.command.guards) == [[.openLoop], [.openLoop]])
    #expect(open.map(\.outcome) == [.notSent, .notSent])
    let unguarded = try Self.report(on: high, rules: ControllerRules(guards: .pump))
    #expect(unguarded.first?.command.guards == [.duration])
  }

  @Test("A bolus behind a command that failed is told of as not sent")
  func notSentAfterFailure() throws {
    // No bolus runs that could be cancelled.
    var answer = ControllerAnswer(tempBasal: nil, bolus: 2)
    answer.cancelsBolus = true
    let told = try Self.result(of: answer).troubles.filter { $0.text.contains("not sent") }
    #expect(
      told.contains {
        $0.text.hasPrefix("The bolus of 2.00 U was not sent: the command before it failed.")
      }, "\(told)")
  }

  @Test("A second bolus waits for the first, and a suspended pump only resumes")
  func guardsHoldBack() throws {
    var run = try Self.run(.controller)
    func next(_ answer: ControllerAnswer) throws -> [[CommandGuard]] {
      _ = run.nextQuestion()
      try run.answer(.commands(answer))
      let next = run.nextQuestion()
      return try #require(next).last.map(\.command.guards)
    }
    _ = try next(ControllerAnswer())
    #expect(try next(ControllerAnswer(tempBasal: nil, bolus: 8)) == [[]])
    #expect(try next(ControllerAnswer(tempBasal: nil, bolus: 1)) == [[.bolusInProgress]])
    var suspend = ControllerAnswer()
    suspend.suspends = true
    #expect(try next(suspend) == [[]])
    #expect(try next(ControllerAnswer(tempBasal: .cancel)) == [[.suspended]])
    var resume = ControllerAnswer(tempBasal: .start(unitsPerHour: 1, duration: .minutes(30)))
    resume.resumes = true
    #expect(try next(resume) == [[], []])
  }

  @Test("Guards are happenings, by their names")
  func guardsAreRecorded() throws {
    let result = try Self.result(
      of: ControllerAnswer(tempBasal: .start(unitsPerHour: 9, duration: .minutes(30))))
    let guards = result.trace.happenings.filter { $0.kind == .guarded }
    // A cycle at the very end is not among those that were due.
    #expect(guards.count == result.cycles.due + 1)
    #expect(guards.allSatisfy { $0.name == "maxBasal" })
  }

  @Test("Only a privileged program is told the truth")
  func truthIsPrivileged() throws {
    var run = try Self.run(.controller)
    let next = run.nextQuestion()
    #expect(next?.truth == nil)
    var privileged = try Self.run(.controller, rules: ControllerRules(isPrivileged: true))
    let told = privileged.nextQuestion()
    let truth = try #require(told?.truth)
    #expect(truth.glucose.mgdL == 190)
  }
}

extension DosingEngine {
  /// What a program in the seat of the algorithm answers that computes as the app does.
  mutating func answer(to input: AlgorithmInput) -> AlgorithmAnswer {
    let result = cycle(input)
    return AlgorithmAnswer(
      recommendation: result.recommendation, insulinOnBoard: result.activeInsulin,
      carbsOnBoard: result.activeCarbs, predictedGlucose: predictedGlucose)
  }
}
