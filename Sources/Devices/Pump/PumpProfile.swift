public import Quantities

/// What a model of pump can do: its pulse, its limits, its speed and what it reports.
public struct PumpProfile: Hashable, Sendable {
  /// The word that names the profile in scenario files and on the command line.
  public var id: String
  /// The name of the model, for people.
  public var name: String
  /// The smallest amount the pump delivers.
  public var pulse: InsulinAmount
  /// What happens to the fraction of a pulse when the program changes.
  public var residualRule: ResidualRule
  /// The accepted rates of the basal schedule, in milliunits per hour.
  public var basalRates: SupportedSteps
  /// The most entries a basal schedule may have.
  public var maximumScheduleEntries: Int
  /// The grid on which entries of the schedule start.
  public var scheduleStep: TimeSpan
  /// The accepted bolus volumes, in milliunits.
  public var bolusVolumes: SupportedSteps
  /// How fast a bolus is given.
  public var bolusSpeed: BolusSpeed
  /// The temp basals the pump accepts.
  public var tempBasal: TempBasalRule
  /// The interval at which the pump gives the basal pulses that are due; nothing when each is given
  /// at its own time.
  public var basalInterval: TimeSpan?
  /// What a full reservoir holds.
  public var reservoirCapacity: InsulinAmount
  /// How the pump reports what is left in the reservoir.
  public var reservoirReporting: ReservoirReporting
  /// The levels at which the pump warns of a low reservoir, highest first.
  public var lowReservoirLevels: [InsulinAmount]
  /// How long the pump may be worn, where it expires.
  public var life: PumpLife?
  /// The insulin that leaves the reservoir when the pump is put on: priming and filling the
  /// cannula.
  public var primeAmount: InsulinAmount
  /// Whether a temp basal is refused while a bolus is being given.
  public var refusesTempBasalDuringBolus: Bool
  /// Whether an occlusion alarm waits until a running bolus has finished.
  public var occlusionAlarmWaitsForBolus: Bool
  /// Whether the schedule, after a resume, goes on where its entry's grid would be (Omnipod).
  public var resumesOnScheduleGrid: Bool
  /// Whether events carry the time that the pump's own clock showed when they began, and not that
  /// of the phone's.
  public var stampsEventsWithOwnClock: Bool
  /// How far the pump's clock may be from the phone's before Loop sets it by itself; `nil` where it
  /// never does.
  public var clockTolerance: TimeSpan?
  /// Where the figures come from.
  public var source: String

  /// Whether pump and reservoir are one, as with a pod: what the pump remembers is thrown away with
  /// its reservoir.
  public var isPatchPump: Bool { life != nil }

  /// Creates a `PumpProfile` from its parts; see the properties.
  public init(
    id: String, name: String, pulse: InsulinAmount, residualRule: ResidualRule,
    basalRates: SupportedSteps, maximumScheduleEntries: Int, scheduleStep: TimeSpan,
    bolusVolumes: SupportedSteps, bolusSpeed: BolusSpeed, tempBasal: TempBasalRule,
    basalInterval: TimeSpan? = nil, reservoirCapacity: InsulinAmount,
    reservoirReporting: ReservoirReporting = .exact, lowReservoirLevels: [InsulinAmount] = [],
    life: PumpLife? = nil, primeAmount: InsulinAmount = .zero,
    refusesTempBasalDuringBolus: Bool = false, occlusionAlarmWaitsForBolus: Bool = false,
    resumesOnScheduleGrid: Bool = false, stampsEventsWithOwnClock: Bool = false,
    clockTolerance: TimeSpan? = nil, source: String
  ) {
    precondition(pulse > .zero, "A pump pulse must be more than nothing.")
    self.id = id
    self.name = name
    self.pulse = pulse
    self.residualRule = residualRule
    self.basalRates = basalRates
    self.maximumScheduleEntries = maximumScheduleEntries
    self.scheduleStep = scheduleStep
    self.bolusVolumes = bolusVolumes
    self.bolusSpeed = bolusSpeed
    self.tempBasal = tempBasal
    self.basalInterval = basalInterval
    self.reservoirCapacity = reservoirCapacity
    self.reservoirReporting = reservoirReporting
    self.lowReservoirLevels = lowReservoirLevels
    self.life = life
    self.primeAmount = primeAmount
    self.refusesTempBasalDuringBolus = refusesTempBasalDuringBolus
    self.occlusionAlarmWaitsForBolus = occlusionAlarmWaitsForBolus
    self.resumesOnScheduleGrid = resumesOnScheduleGrid
    self.stampsEventsWithOwnClock = stampsEventsWithOwnClock
    self.clockTolerance = clockTolerance
    self.source = source
  }

  /// The greatest supported rate that is not above a wanted rate, as Loop rounds before commanding.
  public func supportedRate(atMost rate: InsulinRate) -> InsulinRate {
    InsulinRate(milliunitsPerHour: tempBasal.rates.floor(rate.milliunitsPerHour))
  }

  /// The greatest supported rate that is not above a number of units per hour.
  public func supportedRate(atMostUnitsPerHour rate: Double) -> InsulinRate {
    InsulinRate(milliunitsPerHour: tempBasal.rates.floor(units: rate))
  }

  /// The greatest supported bolus that is not above a wanted amount; zero when there is none.
  public func supportedBolus(atMost amount: InsulinAmount) -> InsulinAmount {
    InsulinAmount(milliunits: bolusVolumes.floor(amount.milliunits))
  }

  /// The greatest supported bolus that is not above a number of units; zero when there is none.
  public func supportedBolus(atMostUnits units: Double) -> InsulinAmount {
    InsulinAmount(milliunits: bolusVolumes.floor(units: units))
  }
}

/// The temp basals a pump accepts.
public struct TempBasalRule: Hashable, Sendable {
  /// How the pump understands a rate.
  public enum Style: Hashable, Sendable {
    /// The rate itself.
    case absolute
    /// Whole percents of the scheduled rate, up to a maximum, in steps; the temp basal follows the
    /// schedule.
    case percent(maximum: Int64, step: Int64)
  }

  /// Whether rates are in U/h or in percent of the schedule.
  public var style: Style
  /// The rates that can be asked for, in milliunits per hour.
  public var rates: SupportedSteps
  /// Durations are multiples of this.
  public var durationStep: TimeSpan
  /// The shortest temp basal.
  public var minimumDuration: TimeSpan
  /// The longest temp basal.
  public var maximumDuration: TimeSpan
  /// Durations accepted although they are no multiple of the step.
  public var otherDurations: [TimeSpan]
  /// The percentage above which a temp basal is cut off after a time, whatever is asked for, and
  /// that time; `nil` where none is.
  public var cutOff: CutOff?

  /// How the pump's driver keeps great percentages short.
  public struct CutOff: Hashable, Sendable {
    /// The greatest percentage that runs for as long as it is asked for.
    public var above: Int64
    /// How long one above it runs.
    public var duration: TimeSpan

    /// Creates a `CutOff` from its parts; see the properties.
    public init(above: Int64, duration: TimeSpan) {
      self.above = above
      self.duration = duration
    }
  }

  /// Creates a `TempBasalRule` from its parts; see the properties.
  public init(
    style: Style = .absolute, rates: SupportedSteps, durationStep: TimeSpan = .minutes(30),
    minimumDuration: TimeSpan = .minutes(30), maximumDuration: TimeSpan = .hours(12),
    otherDurations: [TimeSpan] = [], cutOff: CutOff? = nil
  ) {
    precondition(durationStep > .zero, "Durations of temp basals come in steps.")
    self.style = style
    self.rates = rates
    self.durationStep = durationStep
    self.minimumDuration = minimumDuration
    self.maximumDuration = maximumDuration
    self.otherDurations = otherDurations
    self.cutOff = cutOff
  }

  /// Whether the pump accepts a duration.
  public func accepts(duration: TimeSpan) -> Bool {
    if otherDurations.contains(duration) { return true }
    return duration >= minimumDuration && duration <= maximumDuration
      && duration.milliseconds % durationStep.milliseconds == 0
  }

  /// The durations that the pump accepts, in words.
  package var durations: String {
    let range = "\(minimumDuration) to \(maximumDuration) in steps of \(durationStep)"
    return (otherDurations.map { "\($0)" } + [range]).joined(separator: ", ")
  }
}

/// How fast a bolus is given.
public enum BolusSpeed: Hashable, Sendable {
  /// The same time for every unit.
  case perUnit(TimeSpan)
  /// The time depends on the volume: the first band whose limit is not below the bolus holds.
  case byVolume([Band])

  /// A speed for boluses up to a volume.
  public struct Band: Hashable, Sendable {
    /// The largest bolus to which the band applies.
    public var upTo: InsulinAmount
    /// How fast they are given.
    public var pace: Pace

    /// Creates a `Band` from its parts; see the properties.
    public init(upTo: InsulinAmount, pace: Pace) {
      self.upTo = upTo
      self.pace = pace
    }
  }

  /// A time for every unit, or for the whole bolus whatever its size.
  public enum Pace: Hashable, Sendable {
    /// So long for each unit.
    case perUnit(TimeSpan)
    /// So long for every bolus.
    case total(TimeSpan)
  }

  /// How long a bolus takes.
  public func duration(of amount: InsulinAmount) -> TimeSpan {
    switch self {
    case .perUnit(let time): return Self.scaled(time, by: amount)
    case .byVolume(let bands):
      guard let band = bands.first(where: { amount <= $0.upTo }) ?? bands.last
      else { return .zero }
      return switch band.pace {
      case .perUnit(let time): Self.scaled(time, by: amount)
      case .total(let time): time
      }
    }
  }

  private static func scaled(_ time: TimeSpan, by amount: InsulinAmount) -> TimeSpan {
    TimeSpan(milliseconds: time.milliseconds * amount.milliunits / 1_000)
  }
}

/// How a pump reports the volume left in its reservoir.
public enum ReservoirReporting: Hashable, Sendable {
  /// To the pulse.
  case exact
  /// Rounded down to a multiple.
  case rounded(to: InsulinAmount)
  /// Only up to a level; above it the pump says no more than that there is more.
  case upTo(InsulinAmount)
}

/// What a pump says about its reservoir.
public enum ReservoirReading: Hashable, Sendable {
  /// So much is left.
  case amount(InsulinAmount)
  /// More than the given level; no value is known.
  case moreThan(InsulinAmount)

  /// The volume to store, when a value is known.
  public var amount: InsulinAmount? {
    if case .amount(let amount) = self { amount } else { nil }
  }
}

/// How long a pump may be worn.
public struct PumpLife: Hashable, Sendable {
  /// The age of the advisory that the nominal life is over.
  public var advisory: TimeSpan
  /// The age of the warning that the pump is about to stop.
  public var imminent: TimeSpan
  /// The age at which all delivery stops.
  public var end: TimeSpan

  /// Creates a `PumpLife` from its parts; see the properties.
  public init(advisory: TimeSpan, imminent: TimeSpan, end: TimeSpan) {
    self.advisory = advisory
    self.imminent = imminent
    self.end = end
  }
}
