public import ClosedLoop
public import Dosing
public import HealthStore
public import Quantities

/// Who decides about insulin in a run.
public enum ControllerSeat: Hashable, Sendable {
  /// The Loop algorithm in the app.
  case loop
  /// A program in place of the algorithm: it gets the algorithm's input and recommends. Everything
  /// around it stays the app's.
  case algorithm
  /// A program in place of the whole decision: it gets what the app knows and says what to do.
  case controller
}

/// What a program outside is in a run.
public enum ProgramRole: String, Hashable, Sendable, CaseIterable {
  /// It decides about insulin.
  case controller
  /// It is the body.
  case body
}

/// Who recommends the boluses that people take as recommended, while a program decides.
public enum BolusAdviser: String, Hashable, Sendable, CaseIterable {
  /// The Loop algorithm in the app.
  case loop
  /// The program.
  case program
}

/// How a program outside decides in a run.
public struct ControllerRules: Hashable, Sendable {
  /// Which guards stand between the program and the pump, in the seat of the controller.
  public var guards = GuardSet.app
  /// How far back the program is told the past.
  public var history = TimeSpan.days(1)
  /// Whether it is told the truth about the body as well.
  public var isPrivileged = false
  /// Who recommends boluses to people; where nobody has said it, Loop does, and a warning tells it.
  public var manualBolus: BolusAdviser?

  /// Creates a `ControllerRules` from its parts; see the properties.
  public init(guards: GuardSet = .app, history: TimeSpan = .days(1), isPrivileged: Bool = false) {
    assert(history >= .zero, "A program is told the past, not the future.")
    self.guards = guards
    self.history = history
    self.isPrivileged = isPrivileged
  }
}

extension Setup {
  /// Whether a program decides that is told the truth about the body.
  public var isPrivileged: Bool { controller != .loop && controllerRules.isPrivileged }
}

/// What a run asks from outside: a decision at a cycle of the loop, a bolus for a person who wants
/// one recommended, or how a body lives.
public struct Question: Sendable {
  /// What is to be decided.
  public enum Content: Sendable {
    /// What the algorithm recommends for an input.
    case algorithm(AlgorithmInput)
    /// What the app is to do.
    case controller(ControllerView)
    /// How the body outside is, after what has entered it.
    case body(BodyQuestion)
  }

  /// What is true of the body, for programs that may know it.
  public struct Truth: Hashable, Sendable {
    /// Glucose in plasma.
    public var glucose: GlucoseConcentration
    /// Glucose where the sensor measures.
    public var sensed: GlucoseConcentration
    /// Insulin that still acts, in U; `nil` where the model does not know it.
    public var insulinOnBoard: Double?
    /// What was eaten since the question before, or the start, in grams.
    public var carbsEaten: CarbohydrateMass
    /// What has reached the body since the question before, or the start, in U, injections
    /// included.
    public var insulinReachedBody: Double
  }

  /// The number of the question in its run, from 0; decisions and the body are counted apart.
  public var number: Int
  /// When it is asked: by the phone's clock, or in true time where the body is asked.
  public var instant: Instant
  /// The time since the start of the run, by the same clock.
  public var elapsed: TimeSpan
  /// The date and time that the phone shows.
  public var local: CivilTime
  /// What is asked.
  public var content: Content
  /// Whether a person waits for a bolus to be recommended; a decision is asked for otherwise.
  public var isForBolus = false
  /// What became of the commands of the answer before.
  public var last: [CommandReport]
  /// `nil` unless the program may know the truth.
  public var truth: Truth?
  /// The carbohydrate entries that the app had before the run began, by which a program knows that
  /// they are no news: their times are the phone's, and its clock may have jumped since.
  public var carbsFromBefore: Set<SyncIdentifier> = []

  /// Who is asked.
  public var role: ProgramRole {
    if case .body = content { .body } else { .controller }
  }
}

/// A command of a program, with what became of it.
public struct CommandReport: Hashable, Sendable {
  /// What became of what was given.
  public enum Outcome: Hashable, Sendable {
    /// A guard held it back.
    case notSent
    /// A command before it failed, so that it was not sent.
    case notReached
    /// The pump has carried it out.
    case carriedOut
    /// It is on its way to the pump; what becomes of it is told with a later question.
    case underway
    /// The pump refused it, or it did not reach the pump; the sentence says which.
    case failed(String)
  }

  /// What was asked for, and what the guards made of it.
  public var command: ControllerCommand
  /// What became of it.
  public var outcome: Outcome
}

/// What somebody answers to a ``Question``.
public enum Answer: Sendable {
  /// Of a program in place of the algorithm.
  case recommendation(AlgorithmAnswer)
  /// Of a program that decides instead of the app.
  case commands(ControllerAnswer)
  /// Of a program that recommends a bolus to a person, in either seat: units, or why none.
  case bolus(Result<Double, AlgorithmError>)
  /// Of the body outside.
  case lived(BodyAnswer)
  /// No answer came; the sentence says why. What the pump runs goes on.
  case missing(String)
}

/// Why a run does not take an answer.
public enum AnswerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The run stands at no question.
  case nothingAsked
  /// The answer is one for the other seat, or to another kind of question.
  case wrongSeat
  /// A number of the answer is not finite, or a glucose is none that a body can have.
  case notFinite

  public var description: String {
    switch self {
    case .nothingAsked: "The run stands at no question; ask it for the next one first."
    case .wrongSeat: "The answer is not one to what was asked of the seat of the program."
    case .notFinite: "A number of the answer is not finite, or not one that a body can have."
    }
  }
}
