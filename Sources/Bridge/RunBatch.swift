internal import ClosedLoop
internal import Devices
internal import Quantities
internal import RunPlans
internal import Scenarios
internal import Simulation
internal import StructuredText

/// Many runs of one scenario in which the caller decides, member by member.
public struct RunBatch: Sendable {
  /// The numbers of an action: a temp basal in U/h, a bolus in U.
  public static let actionWidth = 2
  /// The numbers of an observation: glucose, its age, its trend, insulin on board, the pump's rate,
  /// the scheduled rate, minutes since midnight, how long the temp basal goes on, the bolus given,
  /// the carbohydrates entered.
  public static let observationWidth = observationNames.count
  /// The names of these numbers.
  static let observationNames = [
    "glucose", "age", "trend", "iob", "rate", "scheduledRate", "minuteOfDay", "tempBasalLeft",
    "bolus", "carbsEntered",
  ]
  /// The numbers of what is true: glucose, glucose at the sensor, insulin that reached the body.
  public static let truthWidth = truthNames.count
  /// The names of these numbers.
  static let truthNames = ["glucose", "sensed", "insulinReachedBody"]
  /// The most members.
  public static let maximumMembers = 10_000

  /// What lives in a batch.
  public enum Kind: String, Sendable, CaseIterable {
    /// Everything of a scenario: app, guards, faults, health store, records.
    case scenario
    /// Body, pump and sensor; see `PatientRun`.
    case patient
  }

  /// How a run stands.
  public enum End: UInt8, Sendable {
    /// It goes on, or has not begun.
    case none = 0
    /// The body did not survive.
    case lethal = 1
    /// It came to the end of the scenario.
    case over = 2
  }

  private let source: ExpandedRun
  /// The digest of the scenario.
  private let scenarioDigest: String
  private let kind: Kind
  /// Whether the truth about the bodies is told.
  let isPrivileged: Bool
  private let fractions: InsulinFractions
  private(set) var members: [BatchMember]
  /// How many cycles a run has.
  public let horizon: Int
  /// The settings and the pump of the scenario, as messages have them.
  let begin: [JSONValue.Member]

  init(
    _ source: ExpandedRun, built: BuiltRun, kind: Kind, isPrivileged: Bool = true, members: Int
  ) {
    let setup = built.setup
    precondition(
      members >= 0 && members <= Self.maximumMembers,
      "A batch has a number of members that was checked.")
    assert(setup.cycleInterval > .zero, "Cycles of the loop are some time apart.")
    self.source = source
    scenarioDigest = built.scenarioDigest
    self.kind = kind
    self.isPrivileged = isPrivileged
    fractions = InsulinFractions(of: setup)
    begin = BeginMessage.members(setup)
    self.members = Array(repeating: BatchMember(), count: members)
    horizon = Int((setup.end - setup.start).milliseconds / setup.cycleInterval.milliseconds)
  }

  /// How many members there are.
  public var count: Int { members.count }

  /// What a member was last seen as; `nil` for a member that is none.
  public func observation(of member: Int) -> [Double]? {
    members.indices.contains(member) ? members[member].observation : nil
  }

  /// What is true of a member's body; `nil` for a member that is none.
  public func truth(of member: Int) -> [Double]? {
    members.indices.contains(member) ? members[member].truth : nil
  }

  /// How a member's run stands; `nil` for a member that is none.
  public func end(of member: Int) -> End? {
    members.indices.contains(member) ? members[member].end : nil
  }

  /// Whether the run of any member has begun.
  var hasBegun: Bool { members.contains(where: \.hasBegun) }

  /// Begins the run of a member.
  public mutating func reset(_ member: Int, seed: UInt64) {
    guard members.indices.contains(member),
      let built = RunBuilder.build(source, seed: seed, problems: ProblemList())
    else { return }
    let isSame = fractions.holds(for: built.setup)
    members[member] =
      switch kind {
      case .scenario: BatchMember(Run(asked(built.setup)))
      case .patient: BatchMember(PatientRun(built.setup, counting: isSame ? fractions : nil))
      }
  }

  /// Acts once in a member whose run is not over.
  public mutating func act(_ member: Int, rate: Double, bolus: Double) {
    guard members.indices.contains(member) else { return }
    members[member].act(rate: rate, bolus: bolus)
  }

  /// Makes a member a copy of a member of a batch of the same scenario and environment: one of
  /// another would go on by its own settings, and begin anew by those of this batch.
  ///
  /// - Returns: Why there is no such copy; `nil` where it is made.
  public mutating func copy(_ from: Int, of other: RunBatch, to member: Int) -> String? {
    guard members.indices.contains(member), other.members.indices.contains(from) else {
      return "The batch has no such member."
    }
    guard scenarioDigest == other.scenarioDigest else {
      return "The batches are of two scenarios, and their members cannot be copied to one another."
    }
    guard kind == other.kind, isPrivileged == other.isPrivileged else {
      return "The batches are of two environments, and their members cannot be copied to one "
        + "another."
    }
    members[member] = other.members[from]
    return nil
  }

  /// The setup with the seat of the caller.
  private func asked(_ setup: Setup) -> Setup {
    var setup = setup
    setup.controller = .controller
    setup.controllerRules.isPrivileged = isPrivileged
    setup.controllerRules.history = .hours(1)
    return setup
  }
}
