public import ClosedLoop
public import Dosing
public import HealthStore
public import Quantities

/// One row of the app's event history: what the pump reported.
public struct EventHistoryRecord: Hashable, Sendable {
  /// When it began, as the pump says.
  public var instant: Instant
  /// When it ended; the start of an event without duration.
  public var end: Instant
  /// The programmed rate of a temp basal.
  public var rate: InsulinRate? {
    get { programmedRate.rate }
    set { programmedRate.rate = newValue }
  }
  /// The units asked for in a bolus.
  public var programmed: InsulinAmount? {
    get { asked.amount }
    set { asked.amount = newValue }
  }
  /// The units the pump reported as delivered; nothing while the dose is running.
  public var delivered: InsulinAmount? {
    get { reported.amount }
    set { reported.amount = newValue }
  }
  // A run of years has many: in this order and in four bytes each these take 56 bytes and not 96.
  private var programmedRate, asked, reported: OptionalMilliunits
  /// What happened.
  public var kind: HistoryEvent.Kind
  /// Whether the loop asked for it, and not a person.
  public var isAutomatic: Bool
  /// Whether the dose may still change.
  public var isMutable: Bool
  /// The pump's own identifier of the event.
  public var identifier: SyncIdentifier

  /// Creates a record; see the properties.
  init(
    instant: Instant, kind: HistoryEvent.Kind, end: Instant, rate: InsulinRate?,
    programmed: InsulinAmount?, delivered: InsulinAmount?, isAutomatic: Bool, isMutable: Bool,
    identifier: SyncIdentifier
  ) {
    self.instant = instant
    self.kind = kind
    self.end = end
    programmedRate = OptionalMilliunits(rate: rate)
    asked = OptionalMilliunits(amount: programmed)
    reported = OptionalMilliunits(amount: delivered)
    self.isAutomatic = isAutomatic
    self.isMutable = isMutable
    self.identifier = identifier
  }
}

/// One active row of the app's insulin delivery store.
public struct InsulinDeliveryRecord: Hashable, Sendable {
  /// The start of the dose.
  public var start: Instant
  /// The end of the dose.
  public var end: Instant
  /// The units that count: delivered where known, programmed otherwise.
  public var units: Double
  /// The name of the app that the dose comes from.
  public var source: String
  /// The sync identifier of the dose.
  public var identifier: SyncIdentifier
  /// What the dose is.
  public var kind: DoseEntry.Kind
  /// Whether the pump gave the dose; an injection or a foreign sample did not come from the pump.
  public var isFromPump: Bool
  /// Whether the dose is still running, so that its units are those programmed.
  public var isMutable: Bool
  /// Whether the dose counts in insulin on board while it acts; scheduled basal does not, for
  /// insulin on board is net of the schedule.
  public var countsInInsulinOnBoard: Bool
  /// Which insulin it is; `nil` where the app does not know, and counts it as the most usual one.
  public var insulinType: InsulinType?
  /// The identifier of the dose's sample in the health store; `nil` where the app knows of none.
  public var sampleID: SampleUUID?
  private var scheduled: OptionalMilliunits
  /// The rate of the schedule over the same time; `nil` for a bolus.
  public var scheduledRate: InsulinRate? {
    get { scheduled.rate }
    set { scheduled.rate = newValue }
  }

  /// Creates a record; see the properties.
  init(
    start: Instant, end: Instant, kind: DoseEntry.Kind, units: Double, scheduledRate: InsulinRate?,
    isFromPump: Bool, isMutable: Bool, countsInInsulinOnBoard: Bool, source: String,
    identifier: SyncIdentifier, sampleID: SampleUUID? = nil, insulinType: InsulinType? = nil
  ) {
    self.start = start
    self.end = end
    self.kind = kind
    self.units = units
    scheduled = OptionalMilliunits(rate: scheduledRate)
    self.isFromPump = isFromPump
    self.isMutable = isMutable
    self.countsInInsulinOnBoard = countsInInsulinOnBoard
    self.source = source
    self.identifier = identifier
    self.sampleID = sampleID
    self.insulinType = insulinType
  }

  /// How the dose acts as the app counts it, with the model that a person has of rapid-acting
  /// insulin.
  public func model(rapidActing: InsulinModel) -> InsulinModel {
    (insulinType ?? .mostUsual).model(rapidActing: rapidActing)
  }
}

/// One bolus as the pump gave it.
public struct PumpBolusRecord: Hashable, Sendable {
  /// The identifier of the pump event that tells of it.
  public var identifier: SyncIdentifier
  /// When the pump began to give it.
  public var start: Instant
  /// When the command for it was sent that a fault held up; `nil` for every other bolus.
  ///
  /// The pump does not know it, and it is not part of the digest.
  @OptionalInstant public var sent: Instant? = nil
  /// When it gave the last of it.
  public var end: Instant
  /// What was asked for.
  public var asked: InsulinAmount
  /// What the pump counted as given.
  public var delivered: InsulinAmount
  /// Whether the loop asked for it, and not a person.
  public var isAutomatic: Bool
  /// Whether it was still being given when the run ended.
  public var isRunning: Bool
}

/// One stretch of a pump's basal program: the schedule, a temp basal, a suspension or a stop.
public struct PumpProgramRecord: Hashable, Sendable {
  /// What ran.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// What the basal side of a pump can do.
    case scheduled, tempBasal, suspended, stopped
  }

  /// When it began.
  public var start: Instant
  /// When it ended.
  public var end: Instant
  /// The rate when the program took over.
  public var rate: InsulinRate {
    get { traits.value.rate }
    set { traits.value.rate = newValue }
  }
  /// The pulses the pump counted as basal in (start, end].
  public var delivered: InsulinAmount
  /// When the command for it was sent; `nil` if that took no time to arrive, or there was none.
  @OptionalInstant public var sent: Instant? = nil
  /// Where the rate changed later, for a temp basal in percent of a schedule, which it follows.
  public var rateChanges: [RateChange] {
    get { traits.value.rateChanges }
    set { traits.value.rateChanges = newValue }
  }
  /// Where the rate changed later with the entries of the pump's own schedule, while that ran; an
  /// app may believe in another.
  public var scheduledRates: [RateChange] {
    get { traits.value.scheduledRates }
    set { traits.value.scheduledRates = newValue }
  }
  /// What ran.
  public var kind: Kind {
    get { traits.value.kind }
    set { traits.value.kind = newValue }
  }
  /// Whether the loop asked for it, and not a person.
  public var isAutomatic: Bool {
    get { traits.value.isAutomatic }
    set { traits.value.isAutomatic = newValue }
  }
  var traits: Shared<Traits>

  /// What many programs have in common.
  struct Traits: Shareable {
    var kind: Kind
    var rate: InsulinRate
    var isAutomatic: Bool
    var rateChanges: [RateChange] = []
    var scheduledRates: [RateChange] = []

    var placeHash: UInt64 { UInt64(bitPattern: rate.milliunitsPerHour) }
  }

  /// Creates a record; see the properties.
  init(
    start: Instant, end: Instant, kind: Kind, rate: InsulinRate, isAutomatic: Bool,
    delivered: InsulinAmount
  ) {
    self.start = start
    self.end = end
    self.delivered = delivered
    traits = Shared(Traits(kind: kind, rate: rate, isAutomatic: isAutomatic))
  }

  /// Another rate of a program that goes on.
  public struct RateChange: Hashable, Sendable {
    /// From when on it ran.
    public var instant: Instant
    /// What ran.
    public var rate: InsulinRate
  }
}

/// One pulse of the pump.
public struct PumpPulseRecord: Hashable, Sendable {
  /// Why the pulse was given.
  public enum Channel: String, Hashable, Sendable, CaseIterable {
    /// By a basal program, or by a bolus of a person or of the loop.
    case basal, userBolus, automaticBolus
    /// Insulin that the pump gave without a command, or that came free behind an occlusion.
    case unrequested, release
  }

  /// When it was given.
  public var instant: Instant
  /// What reached the body, in units.
  public var physicalUnits: Double
  /// What the pump counted.
  public var recorded: InsulinAmount
  /// Why it was given.
  public var channel: Channel

  /// Creates a record; see the properties.
  init(instant: Instant, recorded: InsulinAmount, physicalUnits: Double, channel: Channel) {
    self.instant = instant
    self.physicalUnits = physicalUnits
    self.recorded = recorded
    self.channel = channel
  }

  /// Whether it is of the part of a run that begins at an instant, and does not contain it; what
  /// the pump gave without a program at that very instant is of it too.
  package func counts(from start: Instant) -> Bool {
    let isOfProgram = ![.unrequested, .release].contains(channel)
    return isOfProgram ? instant > start : instant >= start
  }
}

/// Insulin from a pen or syringe.
public struct InjectionRecord: Hashable, Sendable {
  /// When it was given.
  public var instant: Instant
  /// The units given, in U.
  public var units: Double
  /// The brand, as the scenario names it.
  public var name: String
  /// The curve by which Loop counts it; `nil` for an insulin that Loop has no curve for.
  public var model: InsulinModel?
  /// The curve by which the app counts it where it is told the truth: ``model``, or that of
  /// rapid-acting insulin for another insulin of meals; `nil` for basal insulin, which it does not
  /// count.
  ///
  /// It follows from the insulin and the app's settings, and is not part of the digest.
  public var countedModel: InsulinModel?
}
