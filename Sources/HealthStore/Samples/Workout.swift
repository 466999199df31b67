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

    /// HealthKit's 13.
    public static let cycling = Self(rawValue: 13)
    /// HealthKit's 37.
    public static let running = Self(rawValue: 37)
    /// HealthKit's 46.
    public static let swimming = Self(rawValue: 46)
    /// HealthKit's 52.
    public static let walking = Self(rawValue: 52)
    /// HealthKit's 70.
    public static let wheelchairWalkPace = Self(rawValue: 70)
    /// HealthKit's 71.
    public static let wheelchairRunPace = Self(rawValue: 71)
  }

  /// Something that happened during a workout.
  ///
  /// HealthKit: `HKWorkoutEvent`.
  public struct Event: Hashable, Sendable {
    /// What happened.
    ///
    /// HealthKit: `HKWorkoutEventType`; raw values are HealthKit's.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
      /// The workout was interrupted.
      case pause = 1
      /// It went on, or something else happened, by HealthKit's names.
      case resume, lap, marker, motionPaused, motionResumed, segment, pauseOrResumeRequest
    }

    /// What happened.
    public var kind: Kind
    /// When it happened.
    public var instant: Instant
    /// How long it lasted; nothing for what happened at an instant.
    public var duration: TimeSpan

    /// Creates a `Event` from its parts; see the properties.
    public init(_ kind: Kind, at instant: Instant, duration: TimeSpan = .zero) {
      self.kind = kind
      self.instant = instant
      self.duration = duration
    }
  }

  /// What was done.
  public var activity: Activity
  /// The time of activity, without pauses.
  public var duration: TimeSpan
  /// The energy burned, in kilocalories.
  public var kilocalories: Double?
  /// The distance covered, in metres.
  public var metres: Double?
  /// What happened meanwhile, in the order given.
  public var events: [Event]

  /// Creates a `Workout` from its parts; see the properties.
  public init(
    activity: Activity, duration: TimeSpan, kilocalories: Double? = nil, metres: Double? = nil,
    events: [Event] = []
  ) {
    self.activity = activity
    self.duration = duration
    self.kilocalories = kilocalories
    self.metres = metres
    self.events = events
  }
}
