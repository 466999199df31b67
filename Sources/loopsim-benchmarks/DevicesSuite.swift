import Devices
import Quantities

/// Pumps and sensors: what a cycle costs without an app.
enum DevicesSuite {
  static let suite = Suite(
    name: "devices",
    cases: [
      Benchmark(name: "pump with a temp basal every 20 min", unit: "day", units: 14) {
        pumpDays(opaque(PumpProfile.generic50), days: 14)
      },
      Benchmark(name: "Tandem pump with a temp basal every 20 min", unit: "day", units: 14) {
        pumpDays(opaque(PumpProfile.tandemX2), days: 14)
      },
      Benchmark(name: "ideal sensor", unit: "reading", units: 2_880) {
        readings(opaque(SensorProfile.ideal))
      },
      Benchmark(name: "sensor of the ten-day population", unit: "reading", units: 2_880) {
        readings(opaque(SensorProfile.dexcomG6))
      },
    ])

  private static let start = Instant(secondsSince1970: 1_772_841_600)

  private static func pumpDays(_ profile: PumpProfile, days: Int64) -> UInt64 {
    var sum = Checksum()
    guard
      var pump = try? Pump(
        profile: profile, schedule: DailySchedule(always: InsulinRate(milliunitsPerHour: 1_000)),
        clock: .utc, at: start, reservoir: .milliunits(900_000))
    else { return 0 }
    for step in 0..<(days * 288) {
      let now = start + .minutes(5 * step)
      for occurrence in pump.advance(to: now) {
        sum.absorb(occurrence.instant.millisecondsSince1970)
      }
      if step % 4 == 0 {
        let rate = InsulinRate(milliunitsPerHour: step % 30 * 50)
        try? pump.startTempBasal(rate: rate, duration: .minutes(30), at: now)
      }
      if let report = try? pump.report() { sum.absorb(Int64(report.events.count)) }
    }
    return sum.value
  }

  private static func readings(_ profile: SensorProfile) -> UInt64 {
    var sum = Checksum()
    var sensor = GlucoseSensor(profile: profile, insertedAt: start, seed: 1)
    for step in Int64(0)..<2_880 {
      let glucose = GlucoseConcentration.mgdL(100 + Double(step % 100))
      if let reading = sensor.observe(glucose, at: start + .minutes(5 * step)) {
        sum.absorb(reading.glucose.mgdL)
      }
    }
    return sum.value
  }
}
