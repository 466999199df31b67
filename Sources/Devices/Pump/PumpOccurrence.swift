public import Quantities

/// Insulin that left the pump, or reached the body, at one instant.
public struct PumpPulse: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case basal
    case bolus
    /// Insulin that was held back behind an occlusion and comes free; the pump counted it before.
    case release
    /// Insulin the pump gave without a command and does not know of.
    case unrequested
  }

  public var kind: Kind
  /// What the pump counts: whole pulses.
  public var recorded: InsulinAmount
  /// What reaches the body at this instant.
  public var physical: PhysicalInsulin

  public init(kind: Kind, recorded: InsulinAmount, physical: PhysicalInsulin) {
    self.kind = kind
    self.recorded = recorded
    self.physical = physical
  }
}

/// Something that happened in or at a pump at an instant.
public struct PumpOccurrence: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case pulse(PumpPulse)
    /// A basal program took over; a schedule that goes on after midnight does not start anew.
    case basalStarted(BasalProgram)
    /// A basal program ended, and the fraction of a pulse that was discarded with it.
    case basalEnded(BasalProgram, BasalProgramEnd, discarded: AccruedInsulin)
    /// The running schedule came to an entry, or to midnight; the rate that holds from here on.
    case scheduleEntry(InsulinRate, discarded: AccruedInsulin)
    case bolusStarted(BolusDelivery)
    case bolusEnded(BolusDelivery)
    case alarm(PumpAlarm)
    case alarmCleared(PumpAlarm)
    case reservoirReplaced(InsulinAmount)
    case primed(InsulinAmount)
    /// A fault of the scenario took hold.
    case faultBegan(String)
    /// A fault of the scenario ended.
    case faultEnded(String)
    /// A command did not do what it said, or did it later.
    case commandDisturbed(PumpCommand, CommandDisturbance)
  }

  public var instant: Instant
  public var kind: Kind

  public init(instant: Instant, kind: Kind) {
    self.instant = instant
    self.kind = kind
  }

  /// The pulse, when this is one.
  public var pulse: PumpPulse? {
    if case .pulse(let pulse) = kind { pulse } else { nil }
  }
}
