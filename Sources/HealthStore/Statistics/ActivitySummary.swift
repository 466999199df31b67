public import Quantities

/// The user's activity on one calendar day.
///
/// HealthKit: `HKActivitySummary`.
///
/// A value of its own and no sample: it is worked out from samples and cannot be saved.
public struct ActivitySummary: Hashable, Sendable {
  /// The day.
  public var day: CivilTime
  /// Energy of movement, in kilocalories.
  public var activeEnergy: Double
  /// How long the user exercised.
  public var exercise: TimeSpan
  /// The hours of the day in which the user stood, or rolled.
  public var standHours: Int
  /// What the user wanted to reach.
  public var goals: ActivityGoals

  /// Creates a `ActivitySummary` from its parts; see the properties.
  public init(
    day: CivilTime, activeEnergy: Double, exercise: TimeSpan, standHours: Int,
    goals: ActivityGoals
  ) {
    self.day = day
    self.activeEnergy = activeEnergy
    self.exercise = exercise
    self.standHours = standHours
    self.goals = goals
  }
}

/// What the user wants to reach every day.
///
/// HealthKit: `activeEnergyBurnedGoal`, `appleExerciseTimeGoal` and `appleStandHoursGoal` of
/// `HKActivitySummary`.
public struct ActivityGoals: Hashable, Sendable {
  /// Energy of movement, in kilocalories.
  public var activeEnergy: Double
  /// How long the user wants to exercise.
  public var exercise: TimeSpan
  /// In how many hours the user wants to stand.
  public var standHours: Int

  /// Creates a `ActivityGoals` from its parts; see the properties.
  public init(activeEnergy: Double, exercise: TimeSpan, standHours: Int) {
    self.activeEnergy = activeEnergy
    self.exercise = exercise
    self.standHours = standHours
  }
}

/// The name of a calendar day; all four parts are needed.
///
/// HealthKit: `DateComponents`.
public struct DayComponents: Hashable, Sendable {
  /// 1 for the common era.
  public var era: Int?
  /// The year; `nil` where it is missing.
  public var year: Int?
  /// The month; `nil` where it is missing.
  public var month: Int?
  /// The day of the month; `nil` where it is missing.
  public var day: Int?

  /// Creates a `DayComponents` from its parts; see the properties.
  public init(era: Int? = nil, year: Int? = nil, month: Int? = nil, day: Int? = nil) {
    self.era = era
    self.year = year
    self.month = month
    self.day = day
  }

  func civilTime() throws(HealthStoreError) -> CivilTime {
    guard era == 1, let year, let month, let day else { throw .invalidArgument(.incompleteDay) }
    let civil = CivilTime(year: year, month: month, day: day)
    guard civil.isValid else { throw .invalidArgument(.incompleteDay) }
    return civil
  }
}

extension ActivitySummary: CustomStringConvertible {
  /// The three rings as text, such as `move 320/500 kcal, exercise 22/30 min, stand 9/12 h`.
  public var description: String { text(usesWheelchair: false) }

  /// The three rings as text; for somebody in a wheelchair the same hours are roll hours.
  public func text(usesWheelchair: Bool) -> String {
    let move = "move \(Int(activeEnergy.rounded()))/\(Int(goals.activeEnergy.rounded())) kcal"
    let minutes = exercise.quotient(by: .minutes(1))
    let train = "exercise \(minutes)/\(goals.exercise.quotient(by: .minutes(1))) min"
    let hours = usesWheelchair ? "roll" : "stand"
    return "\(move), \(train), \(hours) \(standHours)/\(goals.standHours) h"
  }
}

extension HealthRecordStore {
  /// The summaries of calendar days that have any activity, in their order.
  ///
  /// Permission for summaries is one of its own, and shows nothing but the day's figures.
  /// HealthKit: `HKActivitySummaryQuery`.
  ///
  /// - Throws: `invalidArgument` when a day lacks its era, year, month or day.
  public func activitySummaries(
    from first: DayComponents, through last: DayComponents, goals: ActivityGoals,
    on clock: WallClock, as client: ClientID
  ) throws(HealthStoreError) -> [ActivitySummary] {
    try ActivitySummary.summaries(
      from: first, through: last, goals: goals, on: clock, as: client, in: contents)
  }
}
