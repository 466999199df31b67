public import Quantities

/// What the basal side of a pump is doing: the schedule, a temp basal, or nothing.
public struct BasalProgram: Hashable, Sendable {
  /// What runs.
  public enum Kind: Hashable, Sendable {
    /// The basal schedule.
    case scheduled
    /// A temp basal.
    case tempBasal
    /// Nothing: delivery is suspended.
    case suspended
    /// An alarm has stopped all delivery.
    case stopped(PumpAlarm)
  }

  /// What runs.
  public var kind: Kind
  /// When the program took over.
  public var start: Instant
  /// When it ends by itself, for a temp basal.
  public var end: Instant?
  /// The rate when it took over; a program that follows the schedule changes it at entries.
  public var rate: InsulinRate
  /// The percentage of the scheduled rate, for a temp basal of a pump that thinks in percent.
  public var percent: Int64?
  /// Whether an algorithm asked for it, not a person.
  public var isAutomatic: Bool
  /// The pump event that tells of it, except for the schedule.
  public var event: PumpEvent.Identifier?
  /// What the pump has counted as basal insulin since the start.
  public var delivered: InsulinAmount

  /// Creates a `BasalProgram` from its parts; see the properties.
  public init(
    kind: Kind, start: Instant, end: Instant? = nil, rate: InsulinRate = .zero,
    percent: Int64? = nil, isAutomatic: Bool = false, event: PumpEvent.Identifier? = nil,
    delivered: InsulinAmount = .zero
  ) {
    self.kind = kind
    self.start = start
    self.end = end
    self.rate = rate
    self.percent = percent
    self.isAutomatic = isAutomatic
    self.event = event
    self.delivered = delivered
  }
}

/// Why a basal program ended.
public enum BasalProgramEnd: String, Hashable, Sendable {
  /// A temp basal ran to its end.
  case expired
  /// A temp basal was cancelled.
  case cancelled
  /// Another temp basal, or the same one again, took over.
  case replaced
  /// Delivery was suspended.
  case suspended
  /// Delivery was resumed.
  case resumed
  /// The schedule, or the clock it follows, was changed.
  case scheduleEdited
  /// An alarm stopped delivery.
  case alarm
  /// An alarm was cleared, or the pump replaced.
  case cleared
}

/// A bolus from its command to its last pulse.
public struct BolusDelivery: Hashable, Sendable {
  /// How a bolus stands.
  public enum Outcome: String, Hashable, Sendable {
    /// It is being given.
    case running
    /// All of it was given.
    case completed
    /// It was cancelled.
    case cancelled
    /// A suspension ended it.
    case suspended
    /// An alarm stopped it.
    case alarm
    /// The pump gave less than asked and says so later, or never.
    case interrupted
  }

  /// The identifier of its event.
  public var event: PumpEvent.Identifier
  /// When it was commanded.
  public var start: Instant
  /// When the last pulse is due, or when the bolus ended.
  public var end: Instant
  /// What was asked for.
  public var asked: InsulinAmount
  /// What was counted as given so far.
  public var delivered: InsulinAmount
  /// Whether the loop asked for it, and not a person.
  public var isAutomatic: Bool
  /// How it stands.
  public var outcome: Outcome

  /// What was asked for and has not been given.
  public var remaining: InsulinAmount { asked - delivered }
}

extension InsulinRate {
  /// A whole percentage of the rate, rounded down to a milliunit per hour.
  func scaled(toPercent percent: Int64) -> Self {
    Self(milliunitsPerHour: milliunitsPerHour * percent / 100)
  }
}
