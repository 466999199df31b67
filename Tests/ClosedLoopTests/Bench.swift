import Devices
import Dosing
import HealthStore
import Quantities

@testable import ClosedLoop

/// A pump, a health store and the app, driven as a simulation drives them.
///
/// Glucose is whatever a test says; there is no body.
struct Bench {
  var app: LoopApp
  var pump: Pump
  var store = InMemoryHealthStore()
  var now: Instant
  /// The glucose of the next readings, in mg/dL.
  var mgdL = 110.0
  var sendsGlucose = true
  /// What the last cycle decided.
  var decisions: [Decision] = []
  private var readings: Int64 = 0

  init(
    schedule: [(hour: Int, rate: Int64)] = [(0, 400), (6, 500), (8, 400)],
    from start: Instant = midnight,
    closedLoop: Bool = false, strategy: DosingStrategy = .tempBasal,
    profile: PumpProfile = .generic50, grants authorization: Authorization = .full,
    change: (inout LoopAppConfiguration) -> Void = { _ in }
  ) throws {
    let basal = try dailyRates(schedule)
    var configuration = LoopAppConfiguration(
      therapy: therapy(basal: basal, closedLoop: closedLoop, strategy: strategy), pump: profile,
      clock: .utc)
    change(&configuration)
    app = LoopApp(configuration: configuration, at: start)
    pump = try Pump(
      profile: profile, schedule: basal, clock: configuration.scheduleClock(from: start),
      at: start)
    now = start
    try app.open(&store, granting: authorization)
  }

  /// Runs cycles every five minutes up to and with an instant.
  mutating func run(until end: Instant) throws {
    while now < end {
      now = min(end, (now + .milliseconds(1)).ceiled(to: .minutes(5)))
      try live()
    }
  }

  /// Runs one cycle now.
  mutating func live() throws {
    readPump()
    if sendsGlucose { sense() }
    app.ingestChanges(of: &store, at: now)
    if app.cycles.isDue(for: .newGlucose, at: now) {
      let decision = app.decide(at: now)
      decisions.append(decision)
      for command in decision.commands { send(command) }
      readPump()
    }
    app.report(to: &store, at: now)
  }

  mutating func sense() {
    readings += 1
    app.ingest(
      GlucoseReading(number: readings, instant: now, glucose: .mgdL(mgdL)), at: now)
  }

  mutating func readPump() {
    let occurrences = pump.advance(to: now)
    guard let report = try? pump.report() else { return }
    app.ingest(report, pulses: occurrences.compactMap(\.basalPulses), at: now)
  }

  /// Sends a command to the pump, and the outcome to the app.
  @discardableResult
  mutating func send(_ command: PumpCommand) -> Bool {
    do {
      try pump.perform(command, at: now)
      app.acknowledge(command, result: .success(()), at: now)
      return true
    } catch {
      app.acknowledge(command, result: .failure(error), at: now)
      return false
    }
  }

  /// Sends a command at a time between cycles.
  mutating func send(_ command: PumpCommand, at instant: Instant) throws {
    try run(until: instant.floored(to: .minutes(5)))
    now = instant
    send(command)
    readPump()
  }

  // MARK: - The health store as its user sees it

  func samples(_ type: ObjectType, byBolus: Bool? = nil) throws -> [Sample] {
    try store.samples(of: type, as: .user).filter {
      byBolus == nil || ($0.metadata.insulinDeliveryReason == .bolus) == byBolus
    }
  }

  /// The basal samples as (end, units).
  func basalSamples() throws -> [(end: Instant, units: Double)] {
    try samples(.insulinDelivery, byBolus: false).map { ($0.end, $0.storedValue ?? .nan) }
  }
}

/// A therapy with plain numbers: ISF 50 mg/dL/U, 10 g/U, 100 to 110 mg/dL.
func therapy(
  basal: DailySchedule<InsulinRate>, closedLoop: Bool = false,
  strategy: DosingStrategy = .tempBasal
) -> TherapySettings {
  TherapySettings(
    basal: basal, sensitivity: DailySchedule(always: InsulinSensitivity(mgdLPerUnit: 50)),
    carbRatio: DailySchedule(always: CarbohydrateRatio(gramsPerUnit: 10)),
    targets: DailySchedule(always: GlucoseRange(lower: .mgdL(100), upper: .mgdL(110))),
    suspendThreshold: .mgdL(75), maximumBolus: .milliunits(10_000),
    maximumBasalRate: rate(5_000), strategy: strategy, isClosedLoop: closedLoop)
}
