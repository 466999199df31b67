internal import ClosedLoop
internal import Devices
internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText

/// Many runs of one scenario in which the caller decides, member by member.
public struct RunBatch: Sendable {
  /// The numbers of an action: a temp basal in U/h, a bolus in U.
  public static let actionWidth = 2
  /// The numbers of an observation: glucose, its age, its trend, insulin on board, the pump's rate,
  /// the scheduled rate, minutes since midnight.
  public static let observationWidth = 7
  /// The numbers of what is true: glucose, glucose at the sensor, insulin that reached the body.
  public static let truthWidth = 3
  /// The most members.
  public static let maximumMembers = 10_000

  /// How a run stands.
  public enum End: UInt8, Sendable {
    /// It goes on, or has not begun.
    case none = 0
    /// The body did not survive.
    case lethal = 1
    /// It came to the end of the scenario.
    case over = 2
  }

  /// One run, and what was last seen of it.
  struct Member: Sendable {
    var run: Run?
    var end = End.none
    var observation = [Double](repeating: 0, count: RunBatch.observationWidth)
    var truth = [Double](repeating: 0, count: RunBatch.truthWidth)
  }

  private let source: ExpandedRun
  private(set) var members: [Member]
  /// How many cycles a run has.
  public let horizon: Int

  init(_ source: ExpandedRun, setup: Setup, members: Int) {
    precondition(
      members >= 0 && members <= Self.maximumMembers,
      "A batch has a number of members that was checked.")
    assert(setup.cycleInterval > .zero, "Cycles of the loop are some time apart.")
    self.source = source
    self.members = Array(repeating: Member(), count: members)
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

  /// Begins the run of a member.
  public mutating func reset(_ member: Int, seed: UInt64) {
    guard members.indices.contains(member),
      let built = RunBuilder.build(source, seed: seed, problems: ProblemList())
    else { return }
    members[member] = Member()
    members[member].run = Run(Self.asked(built.setup))
    goOn(member)
  }

  /// Acts once in a member whose run is not over.
  public mutating func act(_ member: Int, rate: Double, bolus: Double) {
    guard members.indices.contains(member), members[member].run?.question != nil else { return }
    var answer = ControllerAnswer()
    if rate >= 0 { answer.tempBasal = .start(unitsPerHour: rate, duration: .minutes(30)) }
    if bolus > 0 { answer.bolus = bolus }
    // The run stands at a question of this seat, so it takes the answer.
    guard (try? members[member].run?.answer(.commands(answer))) != nil else { return }
    goOn(member)
  }

  /// Makes a member a copy of a member of a batch.
  public mutating func copy(_ from: Int, of other: RunBatch, to member: Int) -> Bool {
    guard members.indices.contains(member), other.members.indices.contains(from) else {
      return false
    }
    members[member] = other.members[from]
    return true
  }

  /// The setup with the seat of the caller, who may know the truth.
  static func asked(_ setup: Setup) -> Setup {
    var setup = setup
    setup.controller = .controller
    setup.controllerRules.isPrivileged = true
    setup.controllerRules.history = .hours(1)
    return setup
  }

  private mutating func goOn(_ member: Int) {
    guard let question = members[member].run?.nextQuestion() else {
      let isLethal = members[member].run?.snapshot.lethalEnd != nil
      members[member].end = isLethal ? .lethal : .over
      members[member].run = nil
      return
    }
    if let truth = question.truth {
      members[member].truth = [
        truth.glucose.mgdL, truth.sensed.mgdL, truth.insulinReachedBody,
      ]
    }
    assert(members[member].truth.count == Self.truthWidth, "What is true has its width.")
    guard case .controller(let view) = question.content else { return }
    let newest = view.glucose.last { !$0.isDisplayOnly }
    // Without a reading in the window the last one holds, and its age grows.
    let before = members[member].observation
    let age = newest.map { (question.instant - $0.date).seconds / 60 }
    let cycle = (members[member].run?.setup.cycleInterval.seconds ?? 300) / 60
    let schedule = view.settings.basal.value(at: question.local.timeOfDay).unitsPerHour
    members[member].observation = [
      newest?.glucose.mgdL ?? before[0], age ?? before[1] + cycle,
      newest.map { $0.trendRate ?? 0 } ?? before[2], view.insulinOnBoard ?? before[3],
      view.pump.status?.program?.rate.unitsPerHour ?? schedule, schedule,
      Double(question.local.timeOfDay.milliseconds) / 60_000,
    ]
  }
}
