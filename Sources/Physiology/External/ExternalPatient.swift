public import Quantities

/// A body whose equations somebody else solves: it keeps what enters it, and is told its glucose.
///
/// Nobody knows its glucose between two answers: until the next one it is that of the last. It
/// knows every condition until its keeper says otherwise.
public struct ExternalPatient: Patient {
  /// The instant up to which everything that enters has been kept.
  public private(set) var now: Instant
  /// The instant through which the keeper has lived; `nil` before the first answer.
  public private(set) var livedThrough: Instant?
  /// What has entered since the last answer.
  public private(set) var intake = ExternalIntake()
  private var state: State

  /// What a keeper says of its body at an instant.
  public struct State: Hashable, Sendable {
    /// The glucose in plasma.
    public var glucose: GlucoseConcentration
    /// The glucose where a sensor sits.
    public var sensed: GlucoseConcentration
    /// The insulin given that has not acted yet, in U; `nil` where the body does not know it.
    public var insulinOnBoard: Double?

    /// What a keeper says; without a glucose of its own the sensor's place has that in plasma.
    public init(
      glucose: GlucoseConcentration, sensed: GlucoseConcentration? = nil,
      insulinOnBoard: Double? = nil
    ) {
      self.glucose = glucose
      self.sensed = sensed ?? glucose
      self.insulinOnBoard = insulinOnBoard
    }
  }

  /// Creates a body of which nothing is known yet but a glucose to begin with.
  public init(at start: Instant, glucose: GlucoseConcentration) {
    now = start
    state = State(glucose: glucose)
  }

  /// The body outside that a patient is, with or without what varies in it; `nil` where it is one
  /// of this package's.
  public static func within(_ patient: any Patient) -> ExternalPatient? {
    (patient as? ExternalPatient) ?? (patient as? VaryingPatient)?.base as? ExternalPatient
  }

  /// The glucose in plasma, as last told.
  public var glucose: GlucoseConcentration { state.glucose }
  /// The same: how it was computed is the keeper's affair.
  public var computedGlucose: GlucoseConcentration { state.glucose }
  /// The range outside of which it is said that nobody knows how far the model holds.
  public var modelRange: ModelRange { .external }
  /// The glucose where a sensor sits, as last told.
  public var sensedGlucose: GlucoseConcentration { state.sensed }
  /// The insulin that has not acted yet, in U, as last told.
  public var insulinOnBoard: Double? { state.insulinOnBoard }

  /// Lets time pass; what the body is then is not known before the keeper says it.
  public mutating func advance(to instant: Instant) { now = max(now, instant) }

  /// Keeps insulin for the keeper.
  public mutating func receive(_ insulin: InsulinInput) {
    intake.insulin.append(ExternalIntake.Row(instant: now, what: insulin))
  }

  /// Keeps a meal for the keeper.
  public mutating func eat(_ meal: MealInput) {
    intake.meals.append(ExternalIntake.Row(instant: now, what: meal))
  }

  /// Keeps a condition for the keeper, who says later whether it knows it.
  public mutating func apply(_ condition: BodyCondition) -> Bool {
    if case .variation = condition { return false }
    intake.conditions.append(ExternalIntake.Row(instant: now, what: condition))
    return true
  }

  /// Takes what the keeper says of the body as it is ``now``, with all that has entered it.
  public mutating func take(_ state: State) {
    self.state = state
    livedThrough = now
    intake = ExternalIntake()
  }
}

/// What has entered a body since somebody last asked, each list in the order of time.
public struct ExternalIntake: Hashable, Sendable {
  /// Something with the instant at which it entered.
  public struct Row<What: Hashable & Sendable>: Hashable, Sendable {
    /// When it entered.
    public var instant: Instant
    /// What entered.
    public var what: What

    /// Something that entered at an instant.
    public init(instant: Instant, what: What) {
      self.instant = instant
      self.what = what
    }
  }

  /// Pulses, injections, and rates of a continuous inflow.
  public var insulin: [Row<InsulinInput>] = []
  /// Food, from the first bite on.
  public var meals: [Row<MealInput>] = []
  /// Anything else that a body meets.
  public var conditions: [Row<BodyCondition>] = []

  /// Nothing has entered.
  public init() {}
}

extension ModelRange {
  /// The range outside of which a body of another program is named; it has limits of its own.
  static let external = Self(
    from: .mgdL(20), through: .mgdL(600),
    omission: "is another program's, which does not say how far it holds")
}

extension VaryingPatient {
  /// Takes what the keeper of a body outside says of it; a body of this package does not change.
  public mutating func take(_ state: ExternalPatient.State) {
    guard var own = base as? ExternalPatient else { return }
    own.take(state)
    base = own
  }
}

extension BodyCondition {
  /// The word for the condition and its figure, as a keeper of a body is told; `nil` for what
  /// varies by itself, of which a keeper is told the factors.
  public var figure: (word: String, value: Double)? {
    switch self {
    case .exercise(let intensity): ("exercise", intensity)
    case .insulinSensitivity(let factor): ("insulinSensitivity", factor)
    case .glucoseProduction(let factor): ("glucoseProduction", factor)
    case .gastricEmptying(let factor): ("gastricEmptying", factor)
    case .insulinAbsorption(let factor): ("insulinAbsorption", factor)
    case .glucagon(let milligrams): ("glucagon", milligrams)
    case .variation: nil
    }
  }

  /// The words of all conditions that a keeper of a body may be told.
  public static let words = [
    "exercise", "insulinSensitivity", "glucoseProduction", "gastricEmptying", "insulinAbsorption",
    "glucagon",
  ]
}
