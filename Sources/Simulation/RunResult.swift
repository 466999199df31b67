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

    public init() {}
  }

  /// The run's identifier: the scenario's, with variant, sweep point and replicate.
  public var id: String
  public var seed: UInt64
  /// The phone's clock, for local times.
  public var clock: WallClock
  /// The first and the last instant of the part that counts, after the pre-roll.
  ///
  /// A run that ends as lethal ends at that instant.
  public var start: Instant
  public var end: Instant
  /// That the body did not survive; nothing where it did.
  public var lethalEnd: LethalEnd?
  /// The unit of glucose in the sentences of what happened.
  public var glucoseUnit = GlucoseUnit.milligramsPerDecilitre
  /// The stretches in which glucose lay outside the range of the patient model, in the order of
  /// time.
  public var modelExcursions: [ModelExcursion]
  public var trace: Trace
  public var cycles: Cycles
  /// The basal samples of the health store, the app's own, by start.
  public var basalSamples: [BasalSampleRecord]
  public var eventHistory: [EventHistoryRecord]
  public var insulinDelivery: [InsulinDeliveryRecord]
  /// All insulin samples of the health store, by start.
  public var insulinSamples: [InsulinSampleRecord]
  /// The pump's accounts at the end, over the whole run including its pre-roll.
  public var ledger: DeliveryLedger
  public var agreement: RecordAgreement
  /// The built-in invariants that did not hold.
  public var violations: [InvariantViolation]
  /// The digest of everything the run came to: every field of every row, happening and record, the
  /// samples and deletions of the health store among them.
  ///
  /// It leaves out what says which run this is (``id``, ``seed``), what was only computed beside it
  /// (``stepCheck``), and ``reactions``, which a frozen scenario has among its events and which
  /// stand among the happenings.
  public internal(set) var digest: UInt64 = 0
  /// What half the step would change in the body; nothing where that was not asked.
  public var stepCheck: StepCheck?
  /// The health store at the end.
  public var store: InMemoryHealthStore
  /// Every pulse of the pump, in the order of time.
  public var pulses: [PumpPulseRecord]
  public var boluses: [PumpBolusRecord]
  /// What people and the loop asked for as boluses, in the order of time.
  public var bolusRequests: [BolusRequestRecord]
  public var programs: [PumpProgramRecord]
  public var injections: [InjectionRecord]
  /// What the pump's schedule alone would have run, from ``start`` to ``end``.
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
  public var cycleOutcomes: [CycleOutcome]
  public var dosingSwitches: [DosingSwitch]
  /// What the person did on seeing glucose, in the order in which it was decided.
  public var reactions: [Reaction]
}

extension RunResult {
  /// The part of the programmed basal insulin that no pulse ever gave, in percent.
  ///
  /// It is made of the fractions of a pulse that the pump forgot when its program changed; `nil`
  /// where nothing was programmed.
  public var basalLostPercent: Double? {
    guard ledger.basal.programmed > .zero else { return nil }
    return 100 * ledger.basal.discarded.units / ledger.basal.programmed.units
  }
}

/// The end of a run whose body did not survive.
public struct LethalEnd: Hashable, Sendable {
  public var instant: Instant
  /// The glucose in plasma at the end.
  public var glucose: GlucoseConcentration
  /// The glucose below which nobody lives.
  public var floor: GlucoseConcentration
}

/// A law that did not hold in a run.
public struct InvariantViolation: Hashable, Sendable {
  /// The name by which a scenario's expectations ask for the law.
  public var name: String
  public var instant: Instant
  /// One sentence of what is wrong.
  public var text: String

  public init(name: String, instant: Instant, text: String) {
    self.name = name
    self.instant = instant
    self.text = text
  }
}

/// A cycle that was due and what became of it.
public struct CycleOutcome: Hashable, Sendable {
  public var instant: Instant
  /// Why no decision came; nothing when one did.
  public var failure: String?
  /// The net insulin on board that the decision counted with, in units.
  public var insulinOnBoard: Double?
}

/// Automatic dosing was switched on or off.
public struct DosingSwitch: Hashable, Sendable {
  public var instant: Instant
  public var isOn: Bool
}

/// The limits of a therapy from an instant on.
public struct LimitRecord: Hashable, Sendable {
  public var instant: Instant
  public var maximumBasalRate: InsulinRate
  public var maximumBolus: InsulinAmount
  /// The scheduled rate after presets at the latest decision; zero before the first.
  ///
  /// The algorithm may set it although it lies above the maximum.
  public var neutralBasalRate: InsulinRate
}

/// When a fault of the scenario held.
public struct FaultWindow: Hashable, Sendable {
  public var id: String
  public var span: Range<Instant>
}
