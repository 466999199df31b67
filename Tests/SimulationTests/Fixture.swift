import ClosedLoop
import Devices
import HealthStore
import Physiology
import Quantities
import Simulation

/// A world to run tests in: the superposition patient, settings that fit it, and a pump of 0.05 U.
struct Fixture {
  /// 15 January 2026, 00:00 UTC.
  static let midnight = Instant(secondsSince1970: 1_768_435_200)

  var basal: [(hour: Int, milliunitsPerHour: Int64)] = [(0, 400)]
  var glucose = 110.0
  /// The basal that the body needs, in U/h; `nil` for what is scheduled.
  var bodyBasal: Double?
  var duration = TimeSpan.hours(8)
  var clock = WallClock.utc
  var isClosedLoop = false
  var strategy = DosingStrategy.tempBasal
  var scheduleZone = ScheduleZone.fixedOffset
  var sensor = SensorProfile.ideal
  var sensorPolicy = GlucoseStore.SensorPolicy()
  var reporting = ReportingPolicy()
  var readsForeignCarbs = false
  var profile = PumpProfile.generic50
  var seed: UInt64 = 1
  var start = Self.midnight
  /// How much insulin the pump holds; `nil` for a full reservoir.
  var reservoir: InsulinAmount?
  /// Whether the app keeps every record of the run, as that of a scenario does.
  var keepsRecords = false
  var events: [ScenarioEvent] = []
  /// How long a command of the app is on its way to the pump.
  var commandLatency = TimeSpan.zero

  func setup() throws -> Setup {
    let schedule = try DailySchedule(
      basal.map { entry in
        DailySchedule<InsulinRate>.Entry(
          start: TimeOfDay(milliseconds: Int64(entry.hour) * 3_600_000),
          value: InsulinRate(milliunitsPerHour: entry.milliunitsPerHour))
      })
    let needs = SuperpositionParameters(
      identifier: "test",
      basalRate: bodyBasal.map { DailySchedule(always: $0) } ?? schedule.mapValues(\.unitsPerHour),
      insulinSensitivity: DailySchedule(always: 50), carbRatio: DailySchedule(always: 10),
      clock: clock)
    let therapy = TherapySettings(
      basal: schedule, sensitivity: DailySchedule(always: .init(mgdLPerUnit: 50)),
      carbRatio: DailySchedule(always: .init(gramsPerUnit: 10)),
      targets: DailySchedule(always: .init(lower: .mgdL(100), upper: .mgdL(115))),
      suspendThreshold: .mgdL(75), maximumBolus: .milliunits(10_000),
      maximumBasalRate: .init(milliunitsPerHour: 3_000), strategy: strategy,
      isClosedLoop: isClosedLoop)
    var configuration = LoopAppConfiguration(
      therapy: therapy, pump: profile, clock: clock, scheduleZone: scheduleZone,
      reporting: reporting, sensor: sensorPolicy, identitySeed: seed)
    configuration.readsForeignCarbs = readsForeignCarbs
    if keepsRecords { configuration.retention = duration + .days(4) }
    var store = InMemoryHealthStore()
    var app = LoopApp(configuration: configuration, at: start)
    try app.open(&store)
    var setup = Setup(
      id: "test", seed: seed, start: start, end: start + duration, clock: clock,
      patient: try SuperpositionPatient(
        needs, at: start, glucose: .mgdL(glucose), initialRate: 0),
      basalNeed: basal.first.map { Double($0.milliunitsPerHour) / 1_000 },
      pump: try Pump(
        profile: profile, schedule: schedule,
        clock: WallClock(initialOffset: clock.offset(at: start)), at: start,
        reservoir: reservoir),
      sensor: GlucoseSensor(profile: sensor, insertedAt: start, seed: seed), app: app,
      store: store, events: events)
    setup.commandLatency = commandLatency
    return setup
  }

  func result() throws -> RunResult {
    var run = Run(try setup())
    while run.step() {}
    return run.finish()
  }
}

extension Instant {
  /// So many hours and minutes after the test's midnight.
  static func at(_ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0) -> Instant {
    Fixture.midnight + .hours(hour) + .minutes(minute) + .seconds(second)
  }
}
