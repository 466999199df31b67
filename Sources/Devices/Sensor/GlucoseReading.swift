public import Quantities

/// One value of a CGM, as an app receives it.
public struct GlucoseReading: Hashable, Sendable {
  /// Where the measured value lies against what the sensor can report.
  public enum Condition: String, Hashable, Sendable {
    /// Within the range.
    case inRange
    /// Below the range: LOW.
    case belowRange
    /// Above the range: HIGH.
    case aboveRange
  }

  /// The number of the sensor that measured it, from 1.
  public var sensor: Int
  /// The number of the sample since that sensor's insertion, by its period.
  public var number: Int64
  /// The time the reading is stamped with.
  public var instant: Instant
  /// When it reaches the app: later than its stamp after a loss of contact.
  public var arrival: Instant
  /// The reported value: rounded, and within the sensor's range.
  public var glucose: GlucoseConcentration
  /// Where the value lies against the sensor's range.
  public var condition: Condition
  /// The rate of change in milligrams per decilitre per minute, in tenths; nothing when too few
  /// samples precede it.
  public var trendRate: Double?
  /// Whether it may be shown but not used, as after a calibration.
  public var isDisplayOnly: Bool
  /// Whether the sensor itself says that the value must not be used.
  public var isUnreliable: Bool

  /// Creates a `GlucoseReading` from its parts; see the properties.
  public init(
    sensor: Int = 1, number: Int64 = 0, instant: Instant, arrival: Instant? = nil,
    glucose: GlucoseConcentration, condition: Condition = .inRange, trendRate: Double? = nil,
    isDisplayOnly: Bool = false, isUnreliable: Bool = false
  ) {
    self.sensor = sensor
    self.number = number
    self.instant = instant
    self.arrival = arrival ?? instant
    self.glucose = glucose
    self.condition = condition
    self.trendRate = trendRate
    self.isDisplayOnly = isDisplayOnly
    self.isUnreliable = isUnreliable
  }

  /// The class of the rate of change.
  public var trend: GlucoseTrend? { trendRate.flatMap { GlucoseTrend(rate: $0) } }

  /// Whether the value lies outside what the sensor can report.
  public var isOutOfRange: Bool { condition != .inRange }
}
