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
  public var question: Question? { state.asking.question }

  /// The last row of the trace; `nil` before the first.
  public var lastRow: TraceRow? { state.trace.rows.last }

  /// Lives on to the next question; `nil` when the run is over.
  ///
  /// A run that stands at a question gives the same one again.
  public mutating func nextQuestion() -> Question? {
    while state.asking.question == nil, step() {}
    return state.asking.question
  }

  /// Answers the question at which the run stands, and ends the step in which it was asked, unless
  /// the same step asks another.
  ///
  /// Where it throws, the run still stands at the question.
  public mutating func answer(_ answer: Answer) throws(AnswerError) {
    guard let question = state.asking.question else { throw .nothingAsked }
    switch (answer, question.content) {
    case (.lived(let answer), .body):
      guard answer.isPossible else { throw .notFinite }
      state.asking.question = nil
      return goOn(from: answer)
    case (_, .body): throw .wrongSeat
    case (.bolus(let answer), _) where question.isForBolus:
      if case .success(let units) = answer, !units.isFinite { throw .notFinite }
      return goOn(from: answer)
    case (.missing(let reason), _) where question.isForBolus: return goOn(without: reason)
    case (_, _) where question.isForBolus: throw .wrongSeat
    case (.recommendation(let answer), .algorithm):
      state.asking.question = nil
      act(on: decided(state.phone.decide(with: answer, at: state.now)))
    case (.commands(let answer), .controller):
      guard answer.isFinite else { throw .notFinite }
      state.asking.question = nil
      let (decision, commands) = state.phone.decide(
        with: answer, guards: setup.controllerRules.guards, at: state.now)
      carryOut(commands, of: decided(decision, note: answer.note))
    case (.missing(let reason), _):
      state.asking.question = nil
      state.row.recommendation = "none: \(reason)"
      noteCycle(failure: reason, insulinOnBoard: state.phone.insulinOnBoard(at: state.now))
    default: throw .wrongSeat
    }
    _ = goOn()
  }

  /// Goes through the decisions that are left in a cycle and ends the step; false where the run is
  /// over, and true where it waits for an answer.
  mutating func goOn() -> Bool {
    while state.asking.cyclesLeft > 0 {
      state.asking.cyclesLeft -= 1
      switch setup.controller {
      case .loop: act(on: decide())
      case .algorithm:
        if let input = state.phone.beginAlgorithmCycle(at: state.now) {
          ask(.algorithm(input))
          return true
        }
        act(on: decided(state.phone.decide(with: nil, at: state.now)))
      case .controller:
        let history = setup.controllerRules.history
        ask(.controller(state.phone.beginControllerCycle(at: state.now, history: history)))
        return true
      }
    }
    report()
    state.phone.save()
    return endStep()
  }

  /// Asks the program that decides.
  mutating func ask(_ content: Question.Content, isForBolus: Bool = false) {
    assert(state.asking.question == nil, "One question is asked at a time.")
    assert(setup.controller != .loop, "A run in which Loop decides asks nobody.")
    assert(state.asking.isInCycle != isForBolus, "Decisions are asked for in cycles.")
    let shown = state.phone.shownTime(at: state.now)
    var question = Question(
      number: state.asking.count, instant: shown, elapsed: shown - setup.start,
      local: state.phone.civilTime(at: state.now), content: content, last: state.asking.last)
    question.isForBolus = isForBolus
    if setup.controllerRules.isPrivileged { question.truth = truth() }
    state.asking.count += 1
    state.asking.last = []
    state.asking.question = question
  }

  private mutating func truth() -> Question.Truth {
    let new = state.delivery.record.pulses.dropFirst(state.asking.pulsesTold)
    assert(state.asking.pulsesTold <= state.delivery.record.pulses.count, "Pulses do not go away.")
    state.asking.pulsesTold = state.delivery.record.pulses.count
    return Question.Truth(
      glucose: state.delivery.body.glucose, sensed: state.delivery.body.sensedGlucose,
      insulinOnBoard: state.delivery.body.insulinOnBoard, carbsEaten: state.row.carbsEaten,
      insulinReachedBody: new.reduce(0) { $0 + $1.physicalUnits })
  }

  /// The commands that passed the guards go to the pump, and what became of each is kept for the
  /// next question.
  private mutating func carryOut(_ commands: [ControllerCommand], of decision: Decision) {
    var isEnacted = false
    var hasFailed = false
    for command in commands {
      var report = CommandReport(command: command, outcome: .notSent)
      for guarding in command.guards {
        note(.guarded, guarding.rawValue, command.sentence(on: guarding))
      }
      if let given = command.given {
        if hasFailed {
          report.outcome = .notReached
        } else {
          if case .startBolus(let amount, _) = given {
            state.appRecord.note(BolusRequestRecord(amount, by: nil, at: state.now))
          }
          state.asking.failure = nil
          let isSent = send(given)
          isEnacted = isEnacted || isSent
          hasFailed = !isSent
          if let failure = state.asking.failure {
            report.outcome = .failed("\(failure)")
          } else {
            report.outcome = setup.commandLatency > .zero ? .underway : .carriedOut
          }
        }
      }
      state.asking.last.append(report)
    }
    if isEnacted {
      state.appRecord.noteEnacted(at: state.now)
      ingestPump()
    }
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
  /// Why the last command failed at once.
  var failure: PumpError?
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
