internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Quantities

/// A run in which a program outside decides: it stops at a question and goes on with an answer.
///
///     var run = Run(setup)
///     while let question = run.nextQuestion() { try run.answer(decide(question)) }
///     let result = run.finish()
///
/// A copy taken at a question is a checkpoint; answers to one do not touch the other.
extension Run {
  /// The question at which the run stands; `nil` while it stands at none.
  public var question: Question? { asking.question }

  /// The last row of the trace; `nil` before the first.
  public var lastRow: TraceRow? { world.trace.rows.last }

  /// Lives on to the next question; `nil` when the run is over.
  ///
  /// A run that stands at a question gives the same one again.
  public mutating func nextQuestion() -> Question? {
    while asking.question == nil, step() {}
    return asking.question
  }

  /// Answers the question at which the run stands, and ends the step in which it was asked, unless
  /// the same step asks another.
  ///
  /// Where it throws, the run still stands at the question.
  public mutating func answer(_ answer: Answer) throws(AnswerError) {
    switch (try asking.take(answer), answer) {
    case (.acts(let acts), .lived(let answer)): goOn(with: acts, from: answer)
    case (.bolus(let asked), .bolus(let answer)): goOn(after: asked, with: answer)
    case (.bolus(let asked), .missing(let reason)): goOn(after: asked, without: reason)
    case (.cycle, _):
      carryOut(answer)
      _ = goOn()
    default: assertionFailure("What was asked for goes on with an answer to it.")
    }
  }

  /// Does in a cycle what the program has answered.
  private mutating func carryOut(_ answer: Answer) {
    switch answer {
    case .recommendation(let answer):
      world.act(on: world.decided(world.phone.decide(with: answer, at: world.now)))
    case .commands(let answer):
      let (decision, commands) = world.phone.decide(
        with: answer, guards: setup.controllerRules.guards, at: world.now)
      _ = world.decided(decision, note: answer.note)
      asking.note(world.carryOut(commands))
    case .missing(let reason):
      world.row.recommendation = "none: \(reason)"
      world.noteCycle(failure: reason, insulinOnBoard: world.phone.insulinOnBoard(at: world.now))
    case .bolus, .lived: assertionFailure("In a cycle a decision is asked for.")
    }
  }

  /// Goes through the decisions that are left in a cycle and ends the step; false where the run is
  /// over, and true where it waits for an answer.
  mutating func goOn() -> Bool {
    assert(asking.question == nil, "A run that stands at a question waits for its answer.")
    while agenda.takeDecision() {
      switch setup.controller {
      case .loop: world.act(on: world.decide())
      case .algorithm:
        if let input = world.phone.beginAlgorithmCycle(at: world.now) {
          ask(.algorithm(input), for: .cycle)
          return true
        }
        world.act(on: world.decided(world.phone.decide(with: nil, at: world.now)))
      case .controller:
        let history = setup.controllerRules.history
        let view = world.phone.beginControllerCycle(at: world.now, history: history)
        ask(.controller(view), for: .cycle)
        return true
      }
    }
    world.report()
    world.phone.save(at: world.now)
    return endStep()
  }

  /// Asks the program that decides.
  mutating func ask(_ content: Question.Content, for waiting: Asking.Waiting) {
    asking.ask(
      content, for: waiting, at: world.phone.shownTime(at: world.now),
      local: world.phone.civilTime(at: world.now), settled: world.link.takeReports(),
      truth: setup.controllerRules.isPrivileged ? truth() : nil)
  }

  /// What only the body knows at the end of a run, counted from the last question on; `nil` where
  /// the program may not see it.
  public mutating func takeTruth() -> Question.Truth? {
    setup.controllerRules.isPrivileged ? truth() : nil
  }

  private mutating func truth() -> Question.Truth {
    let units = asking.takeUntold(
      of: world.delivery.record.pulses, world.delivery.body.injections)
    defer { world.eatenUntold = .zero }
    return Question.Truth(
      glucose: world.delivery.body.glucose, sensed: world.delivery.body.sensedGlucose,
      insulinOnBoard: world.delivery.body.insulinOnBoard, carbsEaten: world.eatenUntold,
      insulinReachedBody: units)
  }
}
