public import Quantities

/// What a workout sample says beyond its times.
///
/// HealthKit: `HKWorkout`.
public struct Workout: Hashable, Sendable {
  /// The kind of activity.
  ///
  /// HealthKit: `HKWorkoutActivityType`; raw values are HealthKit's.
  public struct Activity: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let cycling = Self(rawValue: 13)
    public static let running = Self(rawValue: 37)
    public static let swimming = Self(rawValue: 46)
    public static let walking = Self(rawValue: 52)
    public static let wheelchairWalkPace = Self(rawValue: 70)
    public static let wheelchairRunPace = Self(rawValue: 71)
  }

  public var activity: Activity
  /// The time of activity, without pauses.
  public var duration: TimeSpan
  /// The energy burned, in kilocalories.
  public var kilocalories: Double?
  /// The distance covered, in metres.
  public var metres: Double?

  public init(
    activity: Activity, duration: TimeSpan, kilocalories: Double? = nil, metres: Double? = nil
  ) {
    self.activity = activity
    self.duration = duration
    self.kilocalories = kilocalories
    self.metres = metres
  }
}
