import Devices
import Quantities
import Testing

@Suite("Glucose sensor")
struct GlucoseSensorTests {
  static let start = Fixture.midnight

  static func plain(_ error: SensorErrorModel = .ideal) -> SensorProfile {
    var profile = SensorProfile.ideal
    profile.error = error
    return profile
  }

  /// One reading of an ideal sensor.
  static func reading(
    _ mgdL: Double, _ profile: SensorProfile = .ideal
  ) -> GlucoseReading? {
    var sensor = GlucoseSensor(profile: profile, insertedAt: start, seed: 1)
    return sensor.observe(.mgdL(mgdL), at: start)
  }

  /// The readings of a steady concentration, every five minutes.
  static func readings(
    _ sensor: inout GlucoseSensor, from start: Instant = start, count: Int64,
    mgdL: (Int64) -> Double
  ) -> [GlucoseReading] {
    (0..<count).compactMap { index in
      sensor.observe(.mgdL(mgdL(index)), at: start + .minutes(5 * index))
    }
  }

  @Test("D1 An ideal sensor rounds half up")
  func rounds() {
    #expect(Self.reading(123.4)?.glucose == .mgdL(123))
    #expect(Self.reading(123.5)?.glucose == .mgdL(124))
  }

  @Test("D12 Below 39.5 mg/dL the reading is 40 and LOW; 39.5 is 40 and in range")
  func low() {
    #expect(Self.reading(39.4)?.glucose == .mgdL(40))
    #expect(Self.reading(39.4)?.condition == .belowRange)
    #expect(Self.reading(39.5)?.glucose == .mgdL(40))
    #expect(Self.reading(39.5)?.condition == .inRange)
  }

  @Test("D13 400.4 mg/dL is 400 in range; 401 is 400 and HIGH")
  func high() {
    #expect(Self.reading(400.4)?.condition == .inRange)
    #expect(Self.reading(401)?.glucose == .mgdL(400))
    #expect(Self.reading(401)?.condition == .aboveRange)
  }

  @Test("D14 As Loop reads a G6, a value below the code 39 is no sample at all")
  func belowTheCode() {
    var profile = SensorProfile.ideal
    profile.lowReporting = .droppedBelowCode
    #expect(Self.reading(38, profile) == nil)
    #expect(Self.reading(39, profile)?.condition == .belowRange)
    #expect(Self.reading(38)?.condition == .belowRange)
  }

  @Test(
    "D7 One seed gives one series, another seed another, and a member its own",
    arguments: [SensorErrorModel.population, .white(standardDeviation: 5)])
  func seeds(error: SensorErrorModel) {
    func series(_ seed: UInt64, _ member: UInt64 = 0) -> [GlucoseReading] {
      var profile = SensorProfile.ideal
      profile.error = error
      var sensor = GlucoseSensor(
        profile: profile, insertedAt: Self.start, seed: seed, member: member)
      return Self.readings(&sensor, count: 288) { _ in 120 }
    }
    #expect(series(1) == series(1))
    #expect(series(1) != series(2))
    #expect(series(1) != series(1, 1))
  }

  @Test("D33 A day has 288 samples on the sensor's own phase")
  func dayOfSamples() {
    var sensor = GlucoseSensor(
      profile: .ideal, insertedAt: Self.start, phase: .seconds(73), seed: 1)
    var instants: [Instant] = []
    var next = sensor.nextSample(after: Self.start - .milliseconds(1))
    while next < Self.start + .days(1) {
      if let reading = sensor.observe(.mgdL(100), at: next) { instants.append(reading.instant) }
      #expect(sensor.observe(.mgdL(100), at: next + .seconds(1)) == nil)
      next = sensor.nextSample(after: next)
    }
    #expect(instants.count == 288)
    #expect(instants.first == Self.start + .seconds(73))
  }

  @Test("D15 A G6 gives nothing for 119 minutes and its first reading at 120")
  func warmUp() {
    var profile = SensorProfile.ideal
    profile.warmUp = .minutes(120)
    profile.period = .minutes(1)
    var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 1)
    #expect(sensor.observe(.mgdL(100), at: Self.start + .minutes(119)) == nil)
    #expect(sensor.observe(.mgdL(100), at: Self.start + .minutes(120)) != nil)
  }

  @Test("D16 A G7 reads until ten days and twelve hours, and no longer")
  func grace() {
    var profile = SensorProfile.ideal
    profile.wear = .days(10)
    profile.grace = .hours(12)
    var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 1)
    let end = Self.start + .days(10) + .hours(12)
    #expect(sensor.observe(.mgdL(100), at: end - .minutes(5)) != nil)
    #expect(sensor.observe(.mgdL(100), at: end) == nil)
    #expect(sensor.status(at: end) == .expired)
    sensor.replace(at: end)
    #expect(sensor.observe(.mgdL(100), at: end + .minutes(5))?.sensor == 2)
  }

  @Test("A copy of a sensor gives the same readings as the sensor")
  func checkpoint() {
    var profile = SensorProfile.generic
    profile.error = .johnson(.simglucose)
    var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 3)
    _ = Self.readings(&sensor, count: 100) { _ in 150 }
    var copy = sensor
    let later = Self.start + .hours(9)
    let first = Self.readings(&sensor, from: later, count: 50) { _ in 90 }
    let second = Self.readings(&copy, from: later, count: 50) { _ in 90 }
    #expect(first == second)
  }

  @Test("Glucose that is not a number, and instants that have passed, give no reading")
  func hostile() {
    var sensor = GlucoseSensor(profile: .ideal, insertedAt: Self.start, seed: 1)
    #expect(sensor.observe(.mgdL(.nan), at: Self.start) == nil)
    #expect(sensor.observe(.mgdL(.infinity), at: Self.start) == nil)
    #expect(sensor.observe(.mgdL(100), at: Self.start) != nil)
    #expect(sensor.observe(.mgdL(100), at: Self.start) == nil)
    #expect(sensor.observe(.mgdL(100), at: Self.start - .minutes(5)) == nil)
  }
}
