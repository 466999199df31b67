public import Devices
public import Dosing
public import HealthStore
public import Physiology
public import Quantities

/// Everything a run leaves behind: a value that reports, expectations and replays read.
public struct RunResult: Sendable {
  /// How many cycles of the loop there were.
  public struct Cycles: Hashable, Sendable {
    /// The instants at which a cycle was due.
    public var due = 0
    /// The cycles that came to a decision.
    public var completed = 0
    /// The cycles that sent at least one command.
    public var enacted = 0

    /// Creates a count of no cycles.
    public init() {}
  }

  /// The run's identifier: the scenario's, with variant, sweep point and replicate.
  public var id: String
  /// The seed from which every random stream of the run is named.
  public var seed: UInt64
  /// The phone's clock, for local times.
  public var clock: WallClock
  /// The first instant of the part that counts, after the pre-roll.
  public var start: Instant
  /// The last instant of the part that counts; that of death where a run ends as lethal.
  public var end: Instant
  /// That the body did not survive; nothing where it did.
  public var lethalEnd: LethalEnd?
  /// Whether there was an app; without one there are no cycles, and no records but the pump's.
  public var hasApp = true
  /// The unit of glucose in the sentences of what happened.
  public var glucoseUnit = GlucoseUnit.milligramsPerDecilitre
  /// Carbohydrates that the health store did not hold as the app did at the end.
  ///
  /// They follow from what the app and the store hold, and are not part of the digest.
  public var carbsNotStoredAtEnd: [UnstoredCarbs] = []
  /// Carbohydrates that a fault copied in the health store, which held them at the end, and that
  /// the app did not count.
  ///
  /// They follow from what the app and the store hold, and are not part of the digest.
  public var carbsCopiedAtEnd: [CopiedCarbs] = []
  /// Readings of the app that a fault copied in the health store, which held the copies at the end.
  ///
  /// They follow from what the store holds, and are not part of the digest.
  public var glucoseCopiedAtEnd: [CopiedGlucose] = []
  /// The cycles in which the app's own algorithm predicted without momentum, as the readings of the
  /// last 15 minutes were of two sources; by the phone's clock.
  ///
  /// They follow from what the app held, and are not part of the digest.
  public var cyclesOfTwoSources: [Instant] = []
  /// Readings of the app that the health store did not hold at the end.
  ///
  /// They follow from what the app and the store held, and are not part of the digest.
  public var glucoseNotStoredAtEnd: [UnstoredGlucose] = []
  /// Carbohydrates that the app lost, or counted besides, although no person had done that.
  ///
  /// They follow from what the app and the store held, and are not part of the digest.
  public var miscountedCarbs: [MiscountedCarbs] = []
  /// The stretches in which glucose lay outside the range of the patient model, in the order of
  /// time.
  public var modelExcursions: [ModelExcursion]
  /// The rows of the run, at most five minutes apart, and what happened between them.
  public var trace: Trace
  /// The time between two rows of ``timeline``.
  public var outputInterval = TimeSpan.minutes(5)
  /// The longest time between two cycles of the loop where none is missing; no part of the digest.
  public var longestCycleStep = TimeSpan.minutes(5)
  /// The time between two readings of the sensor as the rows have them, where none is missing: a
  /// row has the newest that a cycle took in.
  ///
  /// It is `nil` where the sensor shows recorded ones, at their own times, and no part of the
  /// digest.
  public var readingInterval: TimeSpan?
  /// The insulin that the body holds in its steady state on the basal that it needs, in U.
  ///
  /// It is `nil` where the model has no such notion, and no part of the digest.
  public var steadyInsulin: Double?
  /// How many cycles there were.
  public var cycles: Cycles
  /// The basal samples of the health store, the app's own, by start.
  public var basalSamples: [BasalSampleRecord]
  /// What the app keeps of the pump's reports, by time.
  public var eventHistory: [EventHistoryRecord]
  /// What the app counts as delivered, by time.
  public var insulinDelivery: [InsulinDeliveryRecord]
  /// All insulin samples of the health store, by start.
  public var insulinSamples: [InsulinSampleRecord]
  /// The pump's accounts at the end, over the whole run including its pre-roll.
  public var ledger: DeliveryLedger
  /// Whether the records of insulin agree, and where they do not.
  public var agreement: RecordAgreement
  /// The built-in invariants that did not hold.
  public var violations: [InvariantViolation]
  /// The digest of everything the run came to: every field of every row, happening and record, the
  /// samples and deletions of the health store among them.
  ///
  /// It leaves out what says which run this is (``id``, ``seed``), what was only computed beside it
  /// (``stepCheck``), ``reactions``, which a frozen scenario has among its events and which stand
  /// among the happenings, and what these say in words as well (``Happening/notGiven``).
  public internal(set) var digest: UInt64 = 0
  /// What half the step would change in the body; nothing where that was not asked.
  public var stepCheck: StepCheck?
  /// The health store at the end; an empty one after ``releaseStore()``.
  public var store: InMemoryHealthStore
  /// Every pulse of the pump, in the order of time.
  public var pulses: PumpPulses
  /// Every bolus of the pump, in the order of time.
  public var boluses: [PumpBolusRecord]
  /// What people and the loop asked for as boluses, in the order of time.
  public var bolusRequests: [BolusRequestRecord]
  /// Every basal program of the pump, in the order of time.
  public var programs: [PumpProgramRecord]
  /// What was given by pen, syringe or inhaler, in the order of time.
  public var injections: [InjectionRecord]
  /// What the schedule in which the app believes would have run alone, from ``start`` to ``end``;
  /// what ran is told by ``programs``.
  public var scheduledBasal: Timeline<InsulinRate>
  /// The app's basal schedule after presets, in U/h: what net insulin on board is counted against.
  ///
  /// It begins eight hours before the run.
  public var referenceBasal: Timeline<Double>
  /// The curve by which Loop counts the pump's insulin.
  public var pumpInsulinModel: InsulinModel
  /// The patient's own basal need at the start, in U/h; nothing where the model does not know it.
  public var basalNeed: Double?
  /// What one pulse of the pump is.
  public var pulseSize: InsulinAmount
  /// The limits in force, each from its instant on.
  public var limits: [LimitRecord]
  /// When each fault held.
  public var faultWindows: [FaultWindow]
  /// What became of each cycle that was due.
  public var cycleOutcomes: [CycleOutcome]
  /// When a cycle was due and the app did not run, which is not part of the digest.
  public var cyclesNotRun: [Instant] = []
  /// What the app warned of after the beginning, which is not part of the digest.
  public var appWarnings: [AppWarningRecord] = []
  /// The glucose of other apps on which cycles decided, which is not part of the digest.
  public var glucoseOfOthers: [GlucoseOfOthers] = []
  /// When the clocks of phone and pump were wrong, which is not part of the digest.
  public var wrongClocks: [WrongClock] = []
  /// Whether the pump dates its history by its own clock, which is not part of the digest.
  public var datesByPumpClock = false
  /// When automatic dosing was switched on and off.
  public var dosingSwitches: [DosingSwitch]
  /// What the person did on seeing glucose, in the order in which it was decided.
  public var reactions: [Reaction]
}

extension RunResult {
  /// The part of the programmed basal insulin that no pulse ever gave, in percent.
  ///
  /// It is made of the fractions of a pulse that the pump forgot when its program changed, and not
  /// of what an empty reservoir lacked; `nil` where nothing was programmed.
  public var basalLostPercent: Double? {
    guard ledger.basal.programmed > .zero else { return nil }
    let forgotten = ledger.basal.discarded - ledger.basal.missed
    return 100 * forgotten.units / ledger.basal.programmed.units
  }

  /// Gives up the health store, for who does not write it to a file: a year of it takes 18 MB.
  ///
  /// The records of insulin, which figures and tables are made of, stay.
  public mutating func releaseStore() { store = InMemoryHealthStore() }
}

/// The end of a run whose body did not survive.
public struct LethalEnd: Hashable, Sendable {
  /// When the body died.
  public var instant: Instant
  /// The glucose in plasma at the end.
  public var glucose: GlucoseConcentration
  /// The glucose below which nobody lives.
  public var floor: GlucoseConcentration

  /// With how many decimals the glucose stands below the floor in a sentence: two, or as many as
  /// tell the one from the other.
  ///
  /// - Parameter unit: The unit in which both are told, in mg/dL.
  /// - Returns: The number of decimals, from 2 to 6.
  public func decimals(inUnitOf unit: Double) -> Int {
    func rounded(_ value: GlucoseConcentration, _ scale: Double) -> Double {
      (value.mgdL / unit * scale).rounded()
    }
    var (decimals, scale) = (2, 100.0)
    while decimals < 6, rounded(glucose, scale) == rounded(floor, scale) {
      (decimals, scale) = (decimals + 1, scale * 10)
    }
    return decimals
  }
}

/// A law that did not hold in a run.
public struct InvariantViolation: Hashable, Sendable {
  /// The name by which a scenario's expectations ask for the law.
  public var name: String
  /// When it was broken.
  public var instant: Instant
  /// One sentence of what is wrong.
  public var text: String

  /// Creates a `InvariantViolation` from its parts; see the properties.
  public init(name: String, instant: Instant, text: String) {
    self.name = name
    self.instant = instant
    self.text = text
  }
}

/// A cycle that was due and what became of it.
public struct CycleOutcome: Hashable, Sendable {
  /// When the cycle was due.
  public var instant: Instant
  /// Why no decision came; nothing when one did.
  public var failure: String? {
    get { reason?.value.text }
    set { reason = newValue.map { Shared(ExactText($0)) } }
  }
  private var reason: Shared<ExactText>?
  /// The net insulin on board that the decision counted with, in units.
  @OptionalNumber public var insulinOnBoard: Double?

  /// Creates an outcome; see the properties.
  init(instant: Instant, failure: String?, insulinOnBoard: Double?) {
    self.instant = instant
    reason = failure.map { Shared(ExactText($0)) }
    self.insulinOnBoard = insulinOnBoard
  }

  /// The same outcome, whose reason is kept where that of another is, if they are equal.
  func sharing(_ other: Self?) -> Self {
    var shared = self
    if let other, other.reason == reason { shared.reason = other.reason }
    return shared
  }
}

/// A glucose of another app, read from the health store, on which a cycle of the loop decided.
public struct GlucoseOfOthers: Hashable, Sendable {
  /// When the cycle was due.
  public var instant: Instant
  /// What the app took for glucose.
  public var shown: GlucoseConcentration
  /// What glucose was.
  public var truth: GlucoseConcentration
  /// What the sensor had shown last; nothing where that is too old to be dosed on.
  public var sensor: GlucoseConcentration?
}

/// Automatic dosing was switched on or off.
public struct DosingSwitch: Hashable, Sendable {
  /// When it was switched.
  public var instant: Instant
  /// Whether automatic dosing was on from then.
  public var isOn: Bool
}

/// The limits of a therapy from an instant on.
public struct LimitRecord: Hashable, Sendable {
  /// From when the limits hold.
  public var instant: Instant
  /// The most that a temp basal may run at.
  public var maximumBasalRate: InsulinRate
  /// The most that a bolus may give.
  public var maximumBolus: InsulinAmount
  /// The scheduled rate after presets at the latest decision; zero before the first.
  ///
  /// The algorithm may set it although it lies above the maximum.
  public var neutralBasalRate: InsulinRate
}

/// When a fault of the scenario held.
public struct FaultWindow: Hashable, Sendable {
  /// The name of the fault.
  public var id: String
  /// From its beginning to before its end.
  public var span: Range<Instant>
  /// What a person did wrong, in a sentence; `nil` for every other fault.
  public var slip: String?
  /// How long the fault itself lasted, where nothing else ends it: zero for something
  /// at a moment, whatever came of it; `nil` for what lasts until its end.
  ///
  /// It follows from the scenario, and is not part of the digest.
  public var ownLength: TimeSpan?
  /// Whether the fault made the sensor show other glucose than it would have.
  ///
  /// It follows from the scenario, and is not part of the digest.
  public var changesReadings = false
  /// What the app worked with that the fault had made wrong; `nil` for a fault that leaves data,
  /// settings and clock of the app alone.
  ///
  /// It follows from the scenario, and is not part of the digest.
  public var wrongInApp: WrongInApp?

  /// When the fault held, as it is told: a moment for what a person did wrong and for every other
  /// fault that is over at once.
  public var told: ClosedRange<Instant> {
    let length = slip == nil ? ownLength : .zero
    let end = length.map { min(span.lowerBound + $0, span.upperBound) } ?? span.upperBound
    return span.lowerBound...end
  }

  /// What is left out of a look at the run that leaves out the fault: what is told, with the moment
  /// at which something that is over by itself is over.
  public var toldSpan: Range<Instant> {
    let told = told
    let lasts = told.upperBound == span.upperBound && !span.isEmpty
    return told.lowerBound..<(lasts ? told.upperBound : told.upperBound + .milliseconds(1))
  }
}
