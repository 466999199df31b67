internal import ClosedLoop
internal import Dosing
internal import HealthStore
internal import Quantities

/// The questions of a run to programs outside.
///
/// At most one stands at a time, together with what goes on when it is answered. Questions are
/// numbered in the order in which they are asked, decisions and the body apart. What became of the
/// commands of an answer, and which insulin reached the body, is told with one question only.
struct Asking: Sendable {
  /// What goes on when the question that stands is answered.
  enum Waiting: Sendable {
    /// The cycle of the loop in which a decision is asked for.
    case cycle
    /// What people do once the body has answered; `nil` where it was asked how it begins.
    case acts([ScenarioEvent]?)
    /// A person who waits for a bolus to be recommended.
    case bolus(AskedBolus)
  }

  /// The question at which the run stands.
  private(set) var question: Question?
  private var waiting = Waiting.cycle
  /// How many decisions have been asked for.
  private var count = 0
  /// How often the body was asked, where it is one outside.
  private var bodyCount = 0
  /// What became of the commands of the last answer.
  private var last: [CommandReport] = []
  /// How many pulses and injections the program has been told of.
  private var (pulsesTold, injectionsTold) = (0, 0)
  /// The conditions that the body outside said it does not know.
  private var unknown: Set<String> = []
  /// Whether it was told that Loop recommends boluses beside a program that decides.
  private var hasToldOfAdviser = false
  /// The carbohydrate entries that the app had before the run; `nil` until it begins.
  private var carbsFromBefore: Set<SyncIdentifier>?
  private let seat: ControllerSeat
  private let rules: ControllerRules
  private let start: Instant

  init(beginning setup: Setup) {
    seat = setup.controller
    rules = setup.controllerRules
    start = setup.start
  }

  /// Whether a program has yet to be told, from `instant` on, what was entered before the run.
  func isStart(_ instant: Instant) -> Bool {
    seat == .controller && carbsFromBefore == nil && instant >= start
  }

  /// Takes note of the carbohydrate entries that the app has as the run begins.
  mutating func noteCarbs(fromBefore entries: Set<SyncIdentifier>) { carbsFromBefore = entries }

  // MARK: - Questions

  /// Asks the program that decides.
  ///
  /// - Parameters:
  ///   - content: What is asked.
  ///   - waiting: What goes on with the answer.
  ///   - shown: What the phone's clock shows.
  ///   - local: The date and time that it shows.
  ///   - settled: What became of commands that were on their way.
  ///   - truth: What is true of the body; `nil` where the program may not know it.
  mutating func ask(
    _ content: Question.Content, for waiting: Waiting, at shown: Instant, local: CivilTime,
    settled: [CommandReport], truth: Question.Truth?
  ) {
    assert(question == nil, "One question is asked at a time.")
    assert(seat != .loop, "A run in which Loop decides asks nobody.")
    settle(settled)
    var asked = Question(
      number: count, instant: shown, elapsed: shown - start, local: local, content: content,
      last: last)
    if case .bolus = waiting { asked.isForBolus = true }
    asked.truth = truth
    asked.carbsFromBefore = carbsFromBefore ?? []
    count += 1
    last = []
    question = asked
    self.waiting = waiting
  }

  /// Asks the body how it is at an instant; what people do waits for the answer.
  mutating func ask(_ body: BodyQuestion, local: CivilTime, before acts: [ScenarioEvent]?) {
    assert(question == nil, "One question is asked at a time.")
    question = Question(
      number: bodyCount, instant: body.to, elapsed: body.to - start, local: local,
      content: .body(body), last: [])
    bodyCount += 1
    waiting = .acts(acts)
  }

  /// Takes what has reached the body from the start on, of all pulses and injections of which the
  /// program has not been told, in U.
  mutating func takeUntold(of pulses: PumpPulses, _ injections: [InjectionRecord]) -> Double {
    assert(pulsesTold <= pulses.count, "Pulses do not go away.")
    assert(injectionsTold <= injections.count, "Injections do not go away.")
    var units = 0.0
    for pulse in pulses.dropFirst(pulsesTold) where pulse.counts(from: start) {
      units += pulse.physicalUnits
    }
    for injection in injections.dropFirst(injectionsTold) where injection.instant >= start {
      units += injection.units
    }
    (pulsesTold, injectionsTold) = (pulses.count, injections.count)
    return units
  }

  // MARK: - Answers

  /// Takes an answer to the question that stands, which then does not stand any more.
  ///
  /// - Returns: What goes on with it.
  /// - Throws: Why it is none to that question, which then still stands.
  mutating func take(_ answer: Answer) throws(AnswerError) -> Waiting {
    guard let question else { throw .nothingAsked }
    try answer.check(against: question)
    self.question = nil
    defer { waiting = .cycle }
    return waiting
  }

  /// Keeps what became of commands of the last answer, for the next question.
  mutating func note(_ reports: [CommandReport]) { last += reports }

  /// Takes note of what became of commands that were on their way: of those of the last answer, and
  /// before them of earlier ones, which were told of as underway.
  private mutating func settle(_ reports: [CommandReport]) {
    var earlier: [CommandReport] = []
    for report in reports {
      let place = last.firstIndex { $0.command == report.command && $0.outcome == .underway }
      if let place { last[place] = report } else { earlier.append(report) }
    }
    last = earlier + last
  }

  /// The conditions among some that the body has not said before that it does not know.
  mutating func takeUnknown(of conditions: [String]) -> [String] {
    conditions.filter { unknown.insert($0).inserted }
  }

  // MARK: - Boluses

  /// Whether a person's request is a question to the program that decides.
  func asksProgram(for request: BolusRequest) -> Bool {
    guard seat != .loop, rules.manualBolus == .program else { return false }
    if case .recommended = request.amount { return true }
    return false
  }

  /// Whether it has to be told now that Loop recommends a bolus although a program decides: the
  /// first time, where nobody has said who does.
  mutating func takeNewsOfAdviser(for request: BolusRequest) -> Bool {
    guard case .recommended = request.amount, seat != .loop, rules.manualBolus == nil,
      !hasToldOfAdviser
    else { return false }
    hasToldOfAdviser = true
    return true
  }
}

/// A bolus that a program is asked to recommend to a person.
struct AskedBolus: Sendable {
  /// The event in which the person asks.
  var event: ScenarioEvent
  var request: BolusRequest
  /// What people do after that.
  var rest: ArraySlice<ScenarioEvent>
}

extension Answer {
  /// Checks that it is one to a question.
  fileprivate func check(against question: Question) throws(AnswerError) {
    switch (self, question.content) {
    case (.lived(let answer), .body): guard answer.isPossible else { throw .notFinite }
    case (_, .body): throw .wrongSeat
    case (.bolus(let answer), _) where question.isForBolus:
      if case .success(let units) = answer, !units.isFinite { throw .notFinite }
    case (.missing, _): break
    case (_, _) where question.isForBolus: throw .wrongSeat
    case (.recommendation, .algorithm): break
    case (.commands(let answer), .controller):
      guard answer.isFinite else { throw .notFinite }
    default: throw .wrongSeat
    }
  }
}
