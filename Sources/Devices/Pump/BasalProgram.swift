public import Quantities

/// What the basal side of a pump is doing: the schedule, a temp basal, or nothing.
public struct BasalProgram: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case scheduled
    case tempBasal
    case suspended
    /// An alarm has stopped all delivery.
    case stopped(PumpAlarm)
  }

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
  case suspended
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
  public enum Outcome: String, Hashable, Sendable {
    case running
    case completed
    case cancelled
    case suspended
    /// An alarm stopped it.
    case alarm
    /// The pump gave less than asked and says so later, or never.
    case interrupted
  }

  public var event: PumpEvent.Identifier
  public var start: Instant
  /// When the last pulse is due, or when the bolus ended.
  public var end: Instant
  public var asked: InsulinAmount
  public var delivered: InsulinAmount
  public var isAutomatic: Bool
  public var outcome: Outcome

  /// What was asked for and has not been given.
  public var remaining: InsulinAmount { asked - delivered }
}
