internal import Devices
internal import Dosing
internal import HealthStore
public import Quantities

/// The app between the devices, the algorithm and the health store.
///
/// It never sees the body. A simulation drives it in phases at each instant, in this order:
///
/// 1. `ingest(_:at:)` what the CGM sent, and ``ingest(_:pulses:at:)`` what the pump
///    says;
/// 2. ``ingestChanges(of:at:)``: what others did in the health store;
/// 3. ``decide(at:)`` when a cycle is due, and send ``Decision/commands`` to the pump;
/// 4. ``acknowledge(_:result:at:)`` each, and ingest the pump's report again;
/// 5. ``report(to:at:isLongBefore:)``: what is due goes to the health store.
///
/// In between a person may enter carbohydrates, ask for a bolus, log a dose, delete an event or
/// change settings. A copy is a checkpoint.
///
/// What the app knows lies in its parts, each of which can be read alone and is asked itself. The
/// app says in which order they are told, and hands each what it needs of the others.
public struct LoopApp: Sendable {
  /// How the app is set up.
  public let configuration: LoopAppConfiguration
  /// When the app began to observe.
  public let start: Instant

  /// Settings, schedules and presets, now and before.
  package internal(set) var therapies: TherapyHistory
  /// What the app knows of the pump.
  package internal(set) var pump: KnownPump
  /// The insulin that was delivered, as it is on record, and the doses that count.
  package internal(set) var insulin: InsulinRecords
  /// The glucose values, and whether the CGM can be relied on.
  package internal(set) var glucose: KnownGlucose
  /// The carbohydrate that was entered.
  public internal(set) var carbs = CarbStore()
  /// The cycles of the loop.
  package internal(set) var cycles = LoopCycles()
  /// Wrong data that the algorithm sees at present.
  package internal(set) var disturbances = DataDisturbances()
  /// The connection to the health store.
  var health: HealthConnection
  /// How far each remote service has been given each kind of data.
  public var uploads = RemoteUploads()

  /// How far the phone's clock, by which the app lives, is ahead of the pump's.
  public var clockError: TimeSpan {
    get { pump.clockError }
    set { pump.clockError = newValue }
  }
  /// What a person should know about the run, and how many times it was refused the same.
  public internal(set) var warned = AppWarnings()
  /// The deletions of pump events, with what is needed to undo them.
  public internal(set) var deletions: [EventDeletion] = []

  /// Creates an app that observes from an instant on.
  public init(configuration: LoopAppConfiguration, at start: Instant) {
    self.configuration = configuration
    self.start = start
    therapies = TherapyHistory(
      configuration.therapy, from: start, on: configuration.scheduleClock(from: start))
    pump = KnownPump(configuration, from: start)
    insulin = InsulinRecords(configuration, from: start)
    glucose = KnownGlucose(configuration)
    health = HealthConnection(configuration)
    carbs.retention = configuration.retention
    if configuration.readsForeignCarbs { warned.note(.readsForeignCarbs) }
  }

  /// The settings in force at the end of what was stored.
  public var therapy: TherapySettings {
    // Settings hold schedules, which a getter would copy at each of the many looks a cycle takes.
    _read { yield therapies.current }
  }

  /// What a person should know about the run, each once, in the order in which it came up.
  public var warnings: [AppWarning] { warned.list.map(\.warning) }

  /// Whether the app doses by itself.
  public var isClosedLoop: Bool { therapies.current.isClosedLoop }
}
