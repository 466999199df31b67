public import Quantities

/// Insulin that left the pump, or reached the body, at one instant.
public struct PumpPulse: Hashable, Sendable {
  /// Why insulin moved.
  public enum Kind: String, Hashable, Sendable {
    /// By a basal program.
    case basal
    /// By a bolus.
    case bolus
    /// Insulin that was held back behind an occlusion and comes free; the pump counted it before.
    case release
    /// Insulin the pump gave without a command and does not know of.
    case unrequested
  }

  /// Why it moved.
  public var kind: Kind
  /// What the pump counts: whole pulses.
  public var recorded: InsulinAmount
  /// What the pump measured out, counted or not.
  public var measured: PhysicalInsulin
  /// What reaches the body at this instant.
  public var physical: PhysicalInsulin
  /// What waits behind an occlusion from this instant on; less than nothing where it waits no more.
  public var heldBack: PhysicalInsulin

  /// Creates a `PumpPulse` from its parts, see the properties; what was measured out is what is
  /// counted unless it is given.
  public init(
    kind: Kind, recorded: InsulinAmount, measured: PhysicalInsulin? = nil,
    physical: PhysicalInsulin, heldBack: PhysicalInsulin = .zero
  ) {
    self.kind = kind
    self.recorded = recorded
    self.measured = measured ?? PhysicalInsulin(recorded)
    self.physical = physical
    self.heldBack = heldBack
  }
}

extension PumpPulse {
  /// The basal insulin that the pump counted with a pulse that it gave at an instant; `nil` where
  /// it gave another.
  public func countedBasal(at instant: Instant) -> CountedPulses? {
    kind == .basal ? CountedPulses(recorded, at: instant) : nil
  }
}

/// Basal insulin that a pump counted at an instant: whole pulses.
public struct CountedPulses: Hashable, Sendable {
  /// When it was given.
  public var instant: Instant
  /// What the pump counted.
  public var amount: InsulinAmount

  /// Creates a `CountedPulses` from its parts; see the properties.
  public init(_ amount: InsulinAmount, at instant: Instant) {
    self.instant = instant
    self.amount = amount
  }
}

/// Something that happened in or at a pump at an instant.
public struct PumpLogEntry: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// Insulin moved.
    case pulse(PumpPulse)
    /// A basal program took over; a schedule that goes on after midnight does not start anew.
    case basalStarted(BasalProgram)
    /// A basal program ended, and the fraction of a pulse that was discarded with it.
    case basalEnded(BasalProgram, BasalProgramEnd, discarded: AccruedInsulin)
    /// The running schedule came to an entry, or to midnight; the rate that holds from here on.
    case scheduleEntry(InsulinRate, discarded: AccruedInsulin)
    /// A bolus began.
    case bolusStarted(BolusDelivery)
    /// A bolus ended.
    case bolusEnded(BolusDelivery)
    /// The pump alarmed.
    case alarm(PumpAlarm)
    /// An alarm was cleared.
    case alarmCleared(PumpAlarm)
    /// The reservoir was replaced by one with so much insulin, or the pod with its reservoir.
    case reservoirReplaced(InsulinAmount, isPod: Bool)
    /// The tubing was filled with so much insulin.
    case primed(InsulinAmount)
    /// A fault of the scenario took hold.
    case faultBegan(String)
    /// A fault of the scenario ended.
    case faultEnded(String)
    /// A command did not do what it said, or did it later.
    case commandDisturbed(PumpCommand, CommandDisturbance)
  }

  /// When it happened.
  public var instant: Instant
  /// What happened.
  public var kind: Kind

  /// Creates a `PumpLogEntry` from its parts; see the properties.
  public init(instant: Instant, kind: Kind) {
    self.instant = instant
    self.kind = kind
  }

  /// The basal insulin that the pump counted; `nil` where this is something else.
  public var basalPulses: CountedPulses? {
    pulse?.countedBasal(at: instant)
  }

  /// The pulse, when this is one.
  public var pulse: PumpPulse? {
    if case .pulse(let pulse) = kind { pulse } else { nil }
  }
}
