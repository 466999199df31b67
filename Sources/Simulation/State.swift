internal import ClosedLoop
internal import Determinism
internal import Devices
internal import HealthStore
internal import Physiology
internal import Quantities

/// Everything of a run that changes, as one value: a copy is a checkpoint.
struct State: Sendable {
  /// The instant up to which everything has happened.
  var now: Instant
  var body: Body
  var pump: Pump
  var sensor: GlucoseSensor
  var store: InMemoryHealthStore
  /// The phone, its clock and its apps.
  var phone: Phone
  /// What is asked of a program outside.
  var asking = Asking()
  /// What the person allows the app in the health store, whatever faults make of it.
  var permissions: [HealthStoreAccess.Data: Authorization] = [:]
  /// The faults of the scenario.
  var faults = FaultState()
  /// What the person sees and does.
  var person: Person
  var trace = Trace()
  var cycles = RunResult.Cycles()
  var pulses: [PumpPulseRecord] = []
  /// The law that the run has broken, and by which it ended; `nil` while all hold.
  var brokenLaw: InvariantViolation?
  /// How many of the pulses have been checked.
  var checkedPulses = 0
  /// That the body did not survive; nothing while it lives.
  var lethalEnd: LethalEnd?
  /// The stretches in which glucose lay outside the range of the patient model.
  var modelExcursions: [ModelExcursion] = []
  /// Whether the last of them goes on.
  var isOutsideModel = false
  /// The cycles, with the reason of each that came to no decision.
  var cycleOutcomes: [CycleOutcome] = []
  /// When automatic dosing was switched, from the beginning on.
  var dosingSwitches: [DosingSwitch] = []

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
  /// The limits of the therapy in the app, each from its instant on.
  var limits: [LimitRecord] = []
  /// The basal schedules of the app as far as they are noted.
  var schedules: ScheduleRecord
  /// What keeps the app from following the pump and from using the health store.
  var obstacles = AppObstacles()
  /// Whether the app could read the pump when it last tried.
  var hearsPump = true
  /// When the app was last installed anew.
  var installedAnew: Instant?
  /// What the body gets of a bolus of which the pump counts another amount.
  var misreportedBolus: InsulinAmount?
  /// Whether the bolus being given was asked for by the algorithm.
  var isBolusAutomatic = false
  /// Sync identifiers of what a person deleted.
  var deletedEvents: Set<String> = []
  var deletedSamples: Set<String> = []
  /// Readings that have been measured and have not reached the app.
  var readingsUnderway: [GlucoseReading] = []
  /// What events have made: identifiers of pump events, entries and samples, by the event's name.
  var made: [(name: String, identifier: String)] = []
  /// What the health store last lost.
  var backup: [Sample] = []
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
    body = Body(beginning: setup)
    person = Person(beginning: setup)
    pump = setup.pump
    schedules = ScheduleRecord(beginning: setup.beginning, start: setup.start)
    sensor = setup.sensor
    store = setup.store
    phone = Phone(beginning: setup)
    permissions = Run.permissions(
      of: setup.app.configuration.bundleIdentifier, in: setup.store)
    nextCycle = setup.beginning
    nextRow = setup.start
    loopStream = RandomStream(seed: setup.seed, name: "loop")
    healthStream = RandomStream(seed: setup.seed, name: "healthStore")
    dosingSwitches = [DosingSwitch(instant: setup.beginning, isOn: setup.app.isClosedLoop)]
    for event in setup.events { queue.add(event, at: max(event.instant, setup.beginning)) }
  }

  /// Whether the phone works: what people have done with it, or worse where a fault makes it so.
  var phoneState: PhoneState { max(phone.setting, faults.phone) }

  /// What has come together since the last row of the trace.
  struct RowSums: Sendable {
    var reading: GlucoseConcentration?
    var carbsEaten = CarbohydrateMass.zero
    var carbsEntered = CarbohydrateMass.zero
    var recommendation = ""
    var since: Instant?
  }
}
