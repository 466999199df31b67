public import Quantities

/// One entry of a pump's history, as a real pump reports it.
///
/// Scheduled basal is no event: a pump's history tells of commands, not of the schedule running.
public struct PumpEvent: Hashable, Sendable {
  /// The raw bytes by which an app recognises an event it has seen before.
  public struct Identifier: Hashable, Sendable, Comparable {
    /// The pump that recorded the event.
    public var serial: UInt32
    /// The number of the event in that pump.
    public var number: UInt32

    /// Creates a `Identifier` from its parts; see the properties.
    public init(serial: UInt32, number: UInt32) {
      self.serial = serial
      self.number = number
    }

    /// Eight bytes, the most significant first.
    public var raw: [UInt8] {
      let bits = UInt64(serial) << 32 | UInt64(number)
      return [
        UInt8(truncatingIfNeeded: bits >> 56), UInt8(truncatingIfNeeded: bits >> 48),
        UInt8(truncatingIfNeeded: bits >> 40), UInt8(truncatingIfNeeded: bits >> 32),
        UInt8(truncatingIfNeeded: bits >> 24), UInt8(truncatingIfNeeded: bits >> 16),
        UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits),
      ]
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.serial, lhs.number) < (rhs.serial, rhs.number)
    }
  }

  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A bolus.
    case bolus
    /// A temp basal.
    case tempBasal
    /// Delivery was suspended.
    case suspend
    /// Delivery was resumed.
    case resume
    /// The tubing was filled.
    case prime
    /// The reservoir was taken out.
    case rewind
    /// The pump alarmed.
    case alarm(PumpAlarm)
    /// An alarm was cleared.
    case alarmCleared
  }

  /// The pump's identifier of the event.
  public var identifier: Identifier
  /// What happened.
  public var kind: Kind
  /// When it began.
  public var start: Instant
  /// When it ended; while it is mutable, when it will end if nothing happens.
  public var end: Instant
  /// The rate that was asked for, of a temp basal.
  public var programmedRate: InsulinRate?
  /// The amount that was asked for, of a bolus or a prime.
  public var programmedAmount: InsulinAmount?
  /// What the pump has counted so far, of a bolus, a prime or a temp basal.
  public var deliveredAmount: InsulinAmount?
  /// Whether an algorithm asked for it, not a person.
  public var isAutomatic: Bool
  /// Whether it is still running and a later report will replace it.
  public var isMutable: Bool

  /// Creates a `PumpEvent` from its parts; see the properties.
  public init(
    identifier: Identifier, kind: Kind, start: Instant, end: Instant? = nil,
    programmedRate: InsulinRate? = nil, programmedAmount: InsulinAmount? = nil,
    deliveredAmount: InsulinAmount? = nil, isAutomatic: Bool = false, isMutable: Bool = false
  ) {
    self.identifier = identifier
    self.kind = kind
    self.start = start
    self.end = end ?? start
    self.programmedRate = programmedRate
    self.programmedAmount = programmedAmount
    self.deliveredAmount = deliveredAmount
    self.isAutomatic = isAutomatic
    self.isMutable = isMutable
  }
}

extension PumpEvent.Identifier: CustomStringConvertible {
  /// The bytes in lower-case hexadecimal, as a sync identifier.
  public var description: String {
    raw.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
