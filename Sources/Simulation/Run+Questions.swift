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
    guard let question = asking.question else { throw .nothingAsked }
    switch (answer, question.content) {
    case (.lived(let answer), .body):
      guard answer.isPossible else { throw .notFinite }
      asking.question = nil
      return goOn(from: answer)
    case (_, .body): throw .wrongSeat
    case (.bolus(let answer), _) where question.isForBolus:
      if case .success(let units) = answer, !units.isFinite { throw .notFinite }
      return goOn(from: answer)
    case (.missing(let reason), _) where question.isForBolus: return goOn(without: reason)
    case (_, _) where question.isForBolus: throw .wrongSeat
    case (.recommendation(let answer), .algorithm):
      asking.question = nil
      world.act(on: world.decided(world.phone.decide(with: answer, at: world.now)))
    case (.commands(let answer), .controller):
      guard answer.isFinite else { throw .notFinite }
      asking.question = nil
      let (decision, commands) = world.phone.decide(
        with: answer, guards: setup.controllerRules.guards, at: world.now)
      _ = world.decided(decision, note: answer.note)
      asking.last += world.carryOut(commands)
    case (.missing(let reason), _):
      asking.question = nil
      world.row.recommendation = "none: \(reason)"
      world.noteCycle(failure: reason, insulinOnBoard: world.phone.insulinOnBoard(at: world.now))
    default: throw .wrongSeat
    }
    _ = goOn()
  }

  /// Goes through the decisions that are left in a cycle and ends the step; false where the run is
  /// over, and true where it waits for an answer.
  mutating func goOn() -> Bool {
    while asking.cyclesLeft > 0 {
      assert(asking.question == nil, "A run that stands at a question waits for its answer.")
      asking.cyclesLeft -= 1
      switch setup.controller {
      case .loop: world.act(on: world.decide())
      case .algorithm:
        if let input = world.phone.beginAlgorithmCycle(at: world.now) {
          ask(.algorithm(input))
          return true
        }
        world.act(on: world.decided(world.phone.decide(with: nil, at: world.now)))
      case .controller:
        let history = setup.controllerRules.history
        ask(.controller(world.phone.beginControllerCycle(at: world.now, history: history)))
        return true
      }
    }
    world.report()
    world.phone.save()
    return endStep()
  }

  /// Asks the program that decides.
  mutating func ask(_ content: Question.Content, isForBolus: Bool = false) {
    assert(asking.question == nil, "One question is asked at a time.")
    assert(setup.controller != .loop, "A run in which Loop decides asks nobody.")
    assert(asking.isInCycle != isForBolus, "Decisions are asked for in cycles.")
    let shown = world.phone.shownTime(at: world.now)
    var question = Question(
      number: asking.count, instant: shown, elapsed: shown - setup.start,
      local: world.phone.civilTime(at: world.now), content: content, last: asking.last)
    question.isForBolus = isForBolus
    if setup.controllerRules.isPrivileged { question.truth = truth() }
    asking.count += 1
    asking.last = []
    asking.question = question
  }

  private mutating func truth() -> Question.Truth {
    let new = world.delivery.record.pulses.dropFirst(asking.pulsesTold)
    assert(asking.pulsesTold <= world.delivery.record.pulses.count, "Pulses do not go away.")
    asking.pulsesTold = world.delivery.record.pulses.count
    return Question.Truth(
      glucose: world.delivery.body.glucose, sensed: world.delivery.body.sensedGlucose,
      insulinOnBoard: world.delivery.body.insulinOnBoard, carbsEaten: world.row.carbsEaten,
      insulinReachedBody: new.reduce(0) { $0 + $1.physicalUnits })
  }
}

/// What a run keeps of the questions it asks.
struct Asking: Sendable {
  /// How often the body was asked, where it is one outside.
  var bodyCount = 0
  /// What people do once the body has answered; `nil` where it was asked how it begins.
  var acts: [ScenarioEvent]?
  /// The person who waits for a bolus to be recommended, and what people do after that.
  var bolus: (event: ScenarioEvent, request: BolusRequest, rest: ArraySlice<ScenarioEvent>)?
  /// Whether it was told that Loop recommends boluses beside a program that decides.
  var hasToldOfAdviser = false
  /// The conditions that the body outside said it does not know.
  var unknown: Set<String> = []
  /// The question at which the run stands.
  var question: Question?
  /// How many have been asked.
  var count = 0
  /// Whether the step that is underway is one of a cycle.
  var isInCycle = false
  /// How often the loop still runs in the cycle that is underway.
  var cyclesLeft = 0
  /// What became of the commands of the last answer.
  var last: [CommandReport] = []
  /// How many pulses the program has been told of.
  var pulsesTold = 0
}

extension ControllerCommand {
  /// What a guard did, in a sentence.
  func sentence(on guarding: CommandGuard) -> String {
    guard let given else { return "The \(asked) was not sent: \(guarding.words)." }
    return "The \(asked) became a \(given): \(guarding.words)."
  }
}

extension CommandGuard {
  /// Why the guard acted.
  fileprivate var words: String {
    switch self {
    case .openLoop: "the app is in open loop"
    case .pumpUnknown: "the pump has not said what it is doing"
    case .deliveryUncertain: "nobody knows whether the last command was carried out"
    case .stopped: "an alarm has stopped the pump"
    case .suspended: "delivery is suspended"
    case .staleGlucose: "glucose or pump data are missing or too old"
    case .unreliableGlucose: "the CGM's values are unreliable"
    case .belowZero: "nothing below 0 can be given"
    case .maxBasal: "the maximum basal rate"
    case .maxBolus: "the maximum bolus"
    case .maxActiveInsulin: "the limit of insulin on board"
    case .bolusInProgress: "a bolus is being given"
    case .pumpStep: "the pump's steps"
    case .pumpMaximum: "the most that the pump gives"
    case .duration: "the durations that the pump accepts"
    }
  }
}
