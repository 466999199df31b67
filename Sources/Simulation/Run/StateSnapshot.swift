public import ClosedLoop
public import Devices
public import Dosing
internal import HealthStore
internal import Physiology
public import Quantities

/// Everything of a run that can be looked at, as it was at an instant.
///
/// A snapshot is made of figures alone: whoever reads it can ask no part of the run anything, and
/// needs no clock.
public struct StateSnapshot: Sendable {
  /// The true time of the snapshot.
  public var instant: Instant
  /// The phone's zone.
  public var clock: WallClock
  /// What is true of the body.
  public var body: Body
  /// What the pump does and has done.
  public var pump: Pump
  /// What the sensor does.
  public var sensor: Sensor
  /// Whether phone and app can work.
  public var phone: PhoneState
  /// What the app knows and decided.
  public var app: App
  /// What the health store holds.
  public var healthStore: [Samples]
  /// The ids of the faults in force, in the order in which they began.
  public var faults: [String]
  /// That the body did not survive; `nil` while it lives.
  public var lethalEnd: LethalEnd?

  /// The body: what is true.
  public struct Body: Sendable {
    /// What an ideal meter would read in blood.
    public var glucose: GlucoseConcentration
    /// What is where an interstitial sensor sits.
    public var sensedGlucose: GlucoseConcentration
    /// The insulin that still acts, in U; `nil` if the model does not know it.
    public var insulinOnBoard: Double?
    /// Whether the pump is connected to the body.
    public var isPumpAttached: Bool
  }

  /// The pump.
  public struct Pump: Sendable {
    /// What model of pump it is.
    public var profile: PumpProfile
    /// The basal program that runs.
    public var program: BasalProgram
    /// The bolus being given.
    public var bolus: BolusDelivery?
    /// What is left in the reservoir.
    public var reservoir: InsulinAmount
    /// When the pump, or its pod, was put on.
    public var activation: Instant
    /// Where all the insulin went.
    public var ledger: DeliveryLedger
    /// The alarm that has stopped delivery.
    public var alarm: PumpAlarm?
    /// How far the pump's clock is ahead of true time.
    public var clockError: TimeSpan
    /// The rate that runs.
    public var rate: InsulinRate
    /// The rate of the schedule.
    public var scheduledRate: InsulinRate
  }

  /// The sensor.
  public struct Sensor: Sendable {
    /// What model of sensor it is.
    public var profile: String
    /// What the sensor can do.
    public var status: SensorStatus
    /// When the sensor was put on.
    public var insertion: Instant
    /// What was last measured, before rounding and limits.
    public var lastMeasured: GlucoseConcentration?
    /// When it measures next.
    public var nextSample: Instant
  }

  /// The app; its records have the dates that the phone's clock showed.
  public struct App: Sendable {
    /// How far the phone's clock is ahead of true time.
    public var clockError: TimeSpan
    /// Whether automatic dosing is on.
    public var isClosedLoop: Bool
    /// The therapy that the app doses by.
    public var therapy: TherapySettings
    /// The newest reading that the app has; `nil` where it has none.
    public var newestGlucose: PastReading?
    /// Net, in U; `nil` while the phone is off, as in the timeline.
    public var insulinOnBoard: Double?
    /// Of the last cycle, in grams; `nil` while the phone is off.
    public var carbsOnBoard: Double?
    /// The name of the preset that runs; `nil` where none does.
    public var preset: String?
    /// The commands of which nobody knows whether they were carried out.
    public var uncertainCommands: [PumpCommand]
    /// Up to when basal was cut into segments.
    public var reportedUntil: Instant
    /// The entries of carbohydrate, by time of eating.
    public var carbEntries: [CarbStore.Entry]
    /// The doses that count for insulin on board.
    public var doses: [DoseEntry]
    /// What the last cycle decided; `nil` before the first.
    public var lastDecision: Decision?
    /// How far the phone's clock was ahead of true time then.
    public var clockErrorOfDecision: TimeSpan
    /// Whether a cycle of the loop came at the instant.
    public var isCycle: Bool
    /// What the algorithm was given in the cycle at the instant, or would be given.
    public var input: AlgorithmInput
  }

  /// The samples of one kind in the health store.
  public struct Samples: Sendable {
    /// The kind of data.
    public var data: HealthStoreAccess.Data
    /// How many samples there are.
    public var count: Int
    /// The sum of their amounts, in U or grams.
    public var total: Double
  }
}

extension StateSnapshot {
  /// Takes the figures out of the world of a run.
  init(of world: World, lethalEnd: LethalEnd?) {
    let (now, sensor) = (world.now, world.sensor)
    let (body, pump) = (world.delivery.body, world.delivery.pump)
    self.init(
      instant: now, clock: world.phone.zone,
      body: Body(
        glucose: body.glucose, sensedGlucose: body.interstitialGlucose,
        insulinOnBoard: body.insulinOnBoard, isPumpAttached: body.isPumpAttached),
      pump: Pump(
        profile: pump.profile, program: pump.program, bolus: pump.bolus,
        reservoir: pump.reservoir, activation: pump.activation, ledger: pump.ledger,
        alarm: pump.activeAlarm, clockError: pump.clockError, rate: pump.basalRate,
        scheduledRate: pump.scheduledRate(at: now)),
      sensor: Sensor(
        profile: sensor.profile.id, status: sensor.status(at: now),
        insertion: sensor.insertion, lastMeasured: sensor.deviation?.measured,
        nextSample: sensor.nextSample(after: now)),
      phone: world.phoneState,
      app: world.phone.snapshot(at: now, canRun: world.appCondition.canRun),
      healthStore: [.insulin, .glucose, .carbs].map { Samples(of: $0, in: world.store.records) },
      faults: world.faults.names(at: now, period: sensor.profile.period), lethalEnd: lethalEnd)
  }
}

extension StateSnapshot.Samples {
  /// Counts the samples of one kind.
  fileprivate init(of data: HealthStoreAccess.Data, in store: InMemoryHealthStore) {
    self.init(data: data, count: 0, total: 0)
    store.backend.visit(.rows(data.type, after: 0)) { stored in
      count += 1
      total += stored.sample.storedValue ?? 0
      return true
    }
  }
}

/// What can be asked of a run while it lives.
extension Run {
  /// The state of the run as it is now.
  public var snapshot: StateSnapshot { StateSnapshot(of: world, lethalEnd: ending.lethalEnd) }

  /// What the algorithm was given in the cycle that just ran at ``now``; `nil` if there was none,
  /// or the data did not allow asking it.
  public var cycleInput: AlgorithmInput? { world.phone.cycleInput(at: world.now) }

  /// The instant up to which everything has happened.
  public var now: Instant { world.now }

  /// The phone's zone as of now.
  public var clock: WallClock { world.phone.zone }
}
