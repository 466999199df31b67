public import Devices
public import Dosing
internal import HealthStore
public import Quantities

/// The app between the devices, the algorithm and the health store.
///
/// It never sees the body. A simulation drives it in phases at each instant, in this order:
///
/// 1. `ingest(_:at:)` what the CGM sent, and ``ingest(_:pulses:at:)`` what the pump
///    says;
/// 2. ``ingestChanges(of:at:)``: what others did in the health store;
/// 3. ``decide(at:)`` when ``isCycleDue(for:at:)``, and send ``Decision/commands`` to the pump;
/// 4. ``acknowledge(_:result:at:)`` each, and ingest the pump's report again;
/// 5. ``report(to:at:)``: what is due goes to the health store.
///
/// In between a person may enter carbohydrates, ask for a bolus, log a dose, delete an event or
/// change settings. A copy is a checkpoint.
///
/// What the app knows lies in its parts, each of which can be read alone. The app itself says in
/// which order they are asked, and hands each what it needs of the others.
public struct LoopApp: Sendable {
  /// How the app is set up.
  public let configuration: LoopAppConfiguration
  /// When the app began to observe.
  public let start: Instant

  /// Settings, schedules and presets, now and before.
  var therapies: TherapyHistory
  /// What the app knows of the pump.
  var pump: KnownPump
  /// The insulin that was delivered, as it is on record, and the doses that count.
  var insulin: InsulinRecords
  /// The glucose values, and whether the CGM can be relied on.
  var knownGlucose: KnownGlucose
  /// The carbohydrate that was entered.
  public internal(set) var carbs = CarbStore()
  /// The cycles of the loop.
  var cycles = LoopCycles()
  /// Wrong data that the algorithm sees at present.
  var disturbances = DataDisturbances()
  /// The connection to the health store.
  var health: HealthConnection
  /// How far each remote service has been given each kind of data.
  public var uploads = RemoteUploads()

  /// How far the phone's clock, by which the app lives, is ahead of the pump's.
  public var clockError = TimeSpan.zero
  /// What a person should know about the run.
  var warned = AppWarnings()
  /// The deletions of pump events, with what is needed to undo them.
  public internal(set) var deletions: [EventDeletion] = []

  /// Creates an app that observes from an instant on.
  public init(configuration: LoopAppConfiguration, at start: Instant) {
    self.configuration = configuration
    self.start = start
    therapies = TherapyHistory(
      configuration.therapy, from: start, on: configuration.scheduleClock(savedAt: start))
    pump = KnownPump(configuration, from: start)
    insulin = InsulinRecords(configuration, from: start)
    knownGlucose = KnownGlucose(configuration)
    health = HealthConnection(configuration)
    carbs.retention = configuration.retention
    if configuration.readsForeignCarbs { warned.note(.readsForeignCarbs) }
  }

  /// The settings in force at the end of what was stored.
  public var therapy: TherapySettings {
    // Settings hold schedules, which a getter would copy at each of the many looks a cycle takes.
    _read { yield therapies.current }
  }

  /// The settings in force and before.
  public var settings: SettingsStore { therapies.settings }

  /// The basal schedule that the pump runs, with its edits.
  public var basal: ScheduleHistory<InsulinRate> { _read { yield therapies.basal } }

  /// The event history: what the pump reported.
  public var pumpEvents: PumpEventStore { _read { yield pump.events } }

  /// What the pump last said about itself.
  public var pumpStatus: PumpStatus? { pump.status }

  /// What the pump last said of its reservoir.
  public var reservoir: ReservoirReading? { pump.reservoir }

  /// What the pump said of its reservoir, where insulin is to follow from that.
  public var reservoirHistory: ReservoirHistory { pump.reservoirHistory }

  /// The insulin delivery store.
  public var delivery: InsulinDeliveryStore { _read { yield insulin.delivery } }

  /// The glucose that the app knows of.
  public var glucose: GlucoseStore { _read { yield knownGlucose.store } }

  /// The deliveries that counted and became too old to be kept, in the order of their starts.
  ///
  /// The app itself knows nothing of them any more.
  public var forgottenDeliveries: [InsulinDeliveryStore.Row] { insulin.forgotten }

  /// The commands of which nobody knows whether they were carried out, in the order in which they
  /// were sent.
  public var uncertainCommands: [UncertainCommand] { pump.uncertain }

  /// The last cycle of the loop.
  public var lastCycle: Instant? { cycles.last }

  /// The last cycle that ended without a refusal.
  public var lastCompletedCycle: Instant? { cycles.lastCompleted }

  /// What the last cycle decided; `nil` before the first.
  public var lastDecision: Decision? { cycles.lastDecision }

  /// What the algorithm was given in the last cycle; `nil` if the data did not allow asking it.
  public var lastInput: AlgorithmInput? { cycles.lastInput }

  /// What a person should know about the run, each once, in the order in which it came up.
  public var warnings: [AppWarning] { warned.list }

  /// Whether the app doses by itself.
  public var isClosedLoop: Bool { therapies.current.isClosedLoop }

  /// The largest bolus that the settings allow.
  public var maximumBolus: InsulinAmount { therapies.current.maximumBolus }

  /// The highest basal rate that the settings allow.
  public var maximumBasalRate: InsulinRate { therapies.current.maximumBasalRate }

  /// The preset that holds at an instant.
  public func activeOverride(at instant: Instant) -> TherapyOverride? {
    therapies.presets.active(at: instant)
  }

  /// What happened to presets since a modification counter, in the order of the changes.
  public func overrideChanges(after counter: Int64, limit: Int = .max) -> [OverrideChange] {
    Array(therapies.presets.changes.lazy.filter { $0.modificationCounter > counter }.prefix(limit))
  }

  /// The scheduled basal rate at an instant, by the schedule the pump runs.
  public func scheduledRate(at instant: Instant) -> InsulinRate {
    therapies.basal.value(at: instant)
  }
}
