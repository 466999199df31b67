public import ClosedLoop
internal import Determinism
public import Devices
public import HealthStore
public import Physiology
public import Quantities

/// Everything of a run that changes, as one value: a copy is a checkpoint.
public struct State: Sendable {
  /// The instant up to which everything has happened.
  public internal(set) var now: Instant
  public internal(set) var patient: any Patient
  public internal(set) var pump: Pump
  public internal(set) var sensor: GlucoseSensor
  public internal(set) var app: LoopApp
  public internal(set) var store: InMemoryHealthStore
  /// The phone's clock; travel changes it.
  public internal(set) var clock: WallClock
  /// What people have set up, whatever faults make of it.
  var personal: PersonalSettings
  /// The faults of the scenario.
  public internal(set) var faults = FaultState()
  /// Whether the pump's insulin reaches the body.
  public internal(set) var isPumpAttached = true
  public internal(set) var trace = Trace()
  public internal(set) var cycles = RunResult.Cycles()
  public internal(set) var pulses: [PumpPulseRecord] = []
  public internal(set) var violations: [InvariantViolation] = []
  /// That the body did not survive; nothing while it lives.
  public internal(set) var lethalEnd: LethalEnd?
  /// The cycles, with the reason of each that came to no decision.
  public internal(set) var cycleOutcomes: [CycleOutcome] = []
  /// When automatic dosing was switched, from the beginning on.
  public internal(set) var dosingSwitches: [DosingSwitch] = []

  var queue = EventQueue<WorldEvent>()
  var nextCycle: Instant
  var nextRow: Instant
  var loopStream: RandomStream
  var row = RowSums()
  /// Boluses the pump has begun, by the identifier of their event.
  var boluses: [PumpBolusRecord] = []
  var programs: [PumpProgramRecord] = []
  /// What people and the loop asked for as boluses.
  var bolusRequests: [BolusRequestRecord] = []
  var injections: [InjectionRecord] = []
  /// What the body gets of a bolus of which the pump counts another amount.
  var misreportedBolus: InsulinAmount?
  /// Whether the bolus being given was asked for by the algorithm.
  var isBolusAutomatic = false
  /// Sync identifiers of what a person deleted.
  var deletedEvents: Set<String> = []
  var deletedSamples: Set<String> = []
  /// Readings that have been measured and have not reached the app.
  var readingsUnderway: [GlucoseReading] = []
  var vendorApp: VendorGlucoseApp?
  /// The newest reading that the app can show, and whether nobody has looked at it yet.
  var shown: GlucoseReading?
  var isShownNew = false
  var corrections = Notices()
  var rescues = Notices()
  /// What the person did on seeing glucose, or will do.
  var reactions: [Reaction] = []
  /// What events have made: identifiers of pump events, entries and samples, by the event's name.
  var made: [(name: String, identifier: String)] = []
  /// What the health store last lost.
  var backup: [Sample] = []
  /// Whether a crash of the scenario loses what was not saved.
  var savesApp = false
  /// The app as of its last cycle.
  var savedApp: SavedApp?
  /// Whether what was to happen under a condition happens, by the event's name.
  var conditions: [String: Bool] = [:]
  /// Commands that have been sent and have not reached the pump, in the order they were sent.
  var commandsUnderway: [CommandUnderway] = []
  /// What happened in the pump and the app has not read yet.
  var unreadOccurrences: [PumpOccurrence] = []
  /// Identities of samples that other apps write.
  var healthStream: RandomStream
  /// The carb entries of the scenario that are in the app, by their names.
  var carbEntries: [(name: String, identifier: String, entry: CarbStore.Entry)] = []

  /// The state in which a run begins.
  init(beginning setup: Setup) {
    now = setup.beginning
    patient = setup.patient
    pump = setup.pump
    sensor = setup.sensor
    app = setup.app
    store = setup.store
    vendorApp = setup.vendorApp
    clock = setup.clock
    personal = PersonalSettings(saved: SavedSettings(of: setup.app))
    personal.permissions = Run.permissions(
      of: setup.app.configuration.bundleIdentifier, in: setup.store)
    nextCycle = setup.beginning
    nextRow = setup.start
    loopStream = RandomStream(seed: setup.seed, name: "loop")
    healthStream = RandomStream(seed: setup.seed, name: "healthStore")
    dosingSwitches = [DosingSwitch(instant: setup.beginning, isOn: setup.app.isClosedLoop)]
    for (index, past) in setup.history.enumerated() {
      app.ingest(
        GlucoseReading(
          number: Int64(index) - Int64(setup.history.count), instant: past.instant,
          glucose: past.glucose), at: setup.beginning)
    }
    for event in setup.events { queue.add(event, at: max(event.instant, setup.beginning)) }
    savesApp = setup.events.contains { $0.losesUnsaved }
  }

  /// Whether the phone works: what people have done with it, or worse where a fault makes it so.
  public var phone: PhoneState { max(personal.phone, faults.phone) }

  /// An app as it was saved, and what the pump has told it since.
  struct SavedApp: Sendable {
    var app: LoopApp
    var settings: SavedSettings
    var reports: [(PumpReport, [PumpOccurrence])] = []
  }

  /// What has come together since the last row of the trace.
  struct RowSums: Sendable {
    var reading: GlucoseConcentration?
    var carbsEaten = CarbohydrateMass.zero
    var carbsEntered = CarbohydrateMass.zero
    var recommendation = ""
    var since: Instant?
  }
}
