public import Dosing
public import Quantities

/// One basal sample of the health store, as a clinician's table shows it.
public struct BasalSampleRecord: Hashable, Sendable {
  /// Which programme of the pump a segment belongs to.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case basal, tempBasal, suspend
  }

  public var start: Instant
  public var end: Instant
  /// The programmed rate; zero while suspended.
  public var rate: InsulinRate
  /// The units in the sample.
  public var units: InsulinAmount
  public var kind: Kind
  /// The name of the app that wrote the sample.
  public var source: String
  /// When the sample was written.
  public var writtenAt: Instant
  /// The sample's identifier (a UUID).
  public var sampleID: String
}

/// One row of the app's event history: what the pump reported.
public struct EventHistoryRecord: Hashable, Sendable {
  public var instant: Instant
  /// The kind of event: `bolus`, `tempBasal`, `suspend`, `resume`, `prime`, `rewind`, `alarm`.
  public var kind: String
  public var end: Instant
  /// The programmed rate of a temp basal.
  public var rate: InsulinRate?
  /// The units asked for in a bolus.
  public var programmed: InsulinAmount?
  /// The units the pump reported as delivered; nothing while the dose is running.
  public var delivered: InsulinAmount?
  public var isAutomatic: Bool
  /// Whether the dose may still change.
  public var isMutable: Bool
  public var identifier: String
}

/// One active row of the app's insulin delivery store.
public struct InsulinDeliveryRecord: Hashable, Sendable {
  public var start: Instant
  public var end: Instant
  /// The kind of dose: `basal`, `tempBasal`, `suspend` or `bolus`.
  public var kind: String
  /// The units that count: delivered where known, programmed otherwise.
  public var units: Double
  public var scheduledRate: InsulinRate?
  /// Whether the pump gave the dose; an injection or a foreign sample did not come from the pump.
  public var isFromPump: Bool
  /// Whether the dose is still running, so that its units are those programmed.
  public var isMutable: Bool
  /// Whether the dose counts in insulin on board while it acts; scheduled basal does not, for
  /// insulin on board is net of the schedule.
  public var countsInInsulinOnBoard: Bool
  public var source: String
  public var identifier: String
  /// The identifier of the dose's sample in the health store; `nil` where the app knows of none.
  public var sampleID: String?
}

/// One insulin sample of the health store.
public struct InsulinSampleRecord: Hashable, Sendable {
  public var start: Instant
  public var end: Instant
  public var units: Double
  public var isBasal: Bool
  /// Whether the app under test wrote it, and not another one.
  public var isOwn: Bool
  public var source: String
  public var writtenAt: Instant
  public var sampleID: String
  public var syncIdentifier: String?
}

/// One bolus as the pump gave it.
public struct PumpBolusRecord: Hashable, Sendable {
  /// The identifier of the pump event that tells of it.
  public var identifier: String
  public var start: Instant
  public var end: Instant
  public var asked: InsulinAmount
  public var delivered: InsulinAmount
  public var isAutomatic: Bool
  /// Whether it was still being given when the run ended.
  public var isRunning: Bool
}

/// One stretch of a pump's basal program: the schedule, a temp basal, a suspension or a stop.
public struct PumpProgramRecord: Hashable, Sendable {
  /// What ran.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case scheduled, tempBasal, suspended, stopped
  }

  public var start: Instant
  public var end: Instant
  public var kind: Kind
  /// The rate when the program took over.
  public var rate: InsulinRate
  public var isAutomatic: Bool
  /// The pulses the pump counted as basal in (start, end].
  public var delivered: InsulinAmount
}

/// One pulse of the pump.
public struct PumpPulseRecord: Hashable, Sendable {
  /// Why the pulse was given.
  public enum Channel: String, Hashable, Sendable, CaseIterable {
    case basal, userBolus, automaticBolus
    /// Insulin that the pump gave without a command, or that came free behind an occlusion.
    case unrequested, release
  }

  public var instant: Instant
  /// What the pump counted.
  public var recorded: InsulinAmount
  /// What reached the body, in units.
  public var physicalUnits: Double
  public var channel: Channel
}

/// Insulin from a pen or syringe.
public struct InjectionRecord: Hashable, Sendable {
  public var instant: Instant
  public var units: Double
  /// The brand, as the scenario names it.
  public var name: String
  /// The curve by which Loop counts it; `nil` for an insulin that Loop has no curve for.
  public var model: InsulinModel?
}
