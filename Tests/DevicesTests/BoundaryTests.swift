import Quantities
import Testing

@testable import Devices

/// Rules of pump and sensor that ordinary days do not reach.
@Suite("Edges of the devices' rules")
struct BoundaryTests {
  @Test("A pump that thinks in steps of ten per cent runs the step below")
  func percentSteps() throws {
    var profile = PumpProfile.dana
    profile.tempBasal.style = .percent(maximum: 200, step: 10)
    var pump = try Fixture.pump(profile, always: 1_000)
    for (wanted, runs) in [(470, 400), (500, 500), (1_990, 1_900)] as [(Int64, Int64)] {
      try pump.startTempBasal(
        rate: Fixture.rate(wanted), duration: .hours(1), at: Fixture.midnight)
      #expect(pump.basalRate == Fixture.rate(runs))
    }
  }

  @Test("A trend needs three samples of less than twenty minutes")
  func trend() {
    for (second, hasTrend) in [(0, false), (1, true)] as [(Int64, Bool)] {
      var window = TrendWindow()
      for time in [TimeSpan.seconds(second), .minutes(10), .minutes(20)] {
        window.append(100, at: Fixture.midnight + time)
      }
      #expect((window.rate != nil) == hasTrend)
    }
  }

  @Test("A trend of readings a second apart is one, and of readings of one instant none")
  func densestTrend() {
    for (step, rate) in [(TimeSpan.zero, nil), (.seconds(1), 60)] as [(TimeSpan, Double?)] {
      var window = TrendWindow()
      for index in Int64(0)..<3 {
        window.append(100 + Double(index), at: Fixture.midnight + step * index)
      }
      #expect(window.rate == rate)
    }
  }

  @Test("A reading that is held for ten minutes is sent after ten minutes, and no later")
  func heldReadings() {
    for (second, count) in [(0, 1), (1, 0)] as [(Int64, Int)] {
      var late = LateReadings()
      late.hold(
        GlucoseReading(instant: Fixture.midnight, glucose: .mgdL(100)), for: .minutes(10))
      let contact = Fixture.midnight + .minutes(10) + .seconds(second)
      late.release(at: contact)
      #expect(late.take(at: contact).count == count)
    }
  }

  @Test("A night begins at its first minute and is over at its end, past midnight or not")
  func nights() {
    func time(_ hour: Int64, _ second: Int64 = 0) -> TimeOfDay {
      TimeOfDay(milliseconds: (hour * 3_600 + second) * 1_000)
    }
    let late = SensorArtefacts.Compression()
    #expect(late.isNight(time(22)) && late.isNight(time(6, 3_599)))
    #expect(!late.isNight(time(7)) && !late.isNight(time(21, 3_599)))
    let short = SensorArtefacts.Compression(nightStart: time(1), nightEnd: time(5))
    #expect(short.isNight(time(1)) && short.isNight(time(4, 3_599)))
    #expect(!short.isNight(time(5)) && !short.isNight(time(0, 3_599)))
  }

  @Test("What is asked of a pump that thinks in percents is a whole percentage that it runs itself")
  func wholePercentages() throws {
    let pump = PumpProfile.tandemX2
    // Of 0.333 U/h 250 % are 0.8325 U/h, and 133 % are 0.44289 U/h; of 0.02 U/h 104 % are 0.0208.
    for (wanted, scheduled, becomes, percent) in [
      (4, 1_000, 2_500, 250), (2.5, 1_000, 2_500, 250), (1.337, 1_000, 1_330, 133),
      (0.99, 333, 832, 250), (0.443, 333, 442, 133), (0.02, 20, 20, 100), (-1, 1_000, 0, 0),
      (.nan, 1_000, 0, 0), (.infinity, 1_000, 0, 0), (1, 0, 0, 0),
    ] as [(Double, Int64, Int64, Int64)] {
      let scheduled = Fixture.rate(scheduled)
      let supported = pump.supportedRate(atMostUnitsPerHour: wanted, of: scheduled)
      #expect(supported == Fixture.rate(becomes))
      #expect(try pump.tempBasal.percent(for: supported, of: scheduled) == percent)
    }
    // 132 % of 0.9 U/h are 1.188 U/h, which is no step of what people enter.
    let rate = PumpProfile.ypsopump.supportedRate(
      atMostUnitsPerHour: 1.19, of: Fixture.rate(900))
    #expect(rate == Fixture.rate(1_188))
    var device = try Fixture.pump(.ypsopump, always: 900)
    try device.startTempBasal(rate: rate, duration: .minutes(30), at: Fixture.midnight)
    #expect(device.program.percent == 132)
  }

  @Test("A temp basal lasts from half an hour to twelve, in half hours")
  func durations() {
    let rule = PumpProfile.generic50.tempBasal
    for minutes in [30, 60, 720] as [Int64] { #expect(rule.accepts(duration: .minutes(minutes))) }
    for minutes in [0, 15, 29, 45, 750] as [Int64] {
      #expect(!rule.accepts(duration: .minutes(minutes)))
    }
  }

  @Test("A basal account that does not balance is named, with the difference")
  func basalAccount() {
    var ledger = DeliveryLedger()
    ledger.basal.programmed = AccruedInsulin(.milliunits(50))
    #expect(
      ledger.checkConservation() == .basal(difference: AccruedInsulin(.milliunits(50))))
    ledger.basal.delivered = .milliunits(30)
    ledger.basal.pending = AccruedInsulin(.milliunits(20))
    ledger.body.recorded = PhysicalInsulin(.milliunits(30))
    ledger.body.absorbed = PhysicalInsulin(.milliunits(30))
    ledger.reservoir.filled = .milliunits(30)
    #expect(ledger.checkConservation() == nil)
  }

  @Test("A new sensor knows nothing of the calibrations of the one before")
  func newSensor() throws {
    var profile = SensorProfile.ideal
    let silence = AutoregressiveNoise(φ1: 0, σ: 0)
    // The gain rises by 0.48 in a day since the last calibration.
    profile.error = .affine(
      AffineErrorModel(
        a: (1, 0.48, 0), b: (0, 0, 0), v: silence, origin: .calibration(every: .days(9))))
    var sensor = GlucoseSensor(profile: profile, insertedAt: Fixture.midnight, seed: 1)
    func shown(at hour: Int64) -> Double? {
      sensor.observe(.mgdL(200), at: Fixture.time(hour))?.glucose.mgdL
    }
    #expect(shown(at: 5) == 220)
    // It stays at the meter's value, from which the gain rises by 0.1 in five hours again.
    sensor.calibrate(with: .mgdL(220), at: Fixture.time(5))
    #expect(shown(at: 10) == 240)
    sensor.replace(at: Fixture.time(10))
    #expect(shown(at: 15) == 220)
    sensor.calibrate(with: .mgdL(300), at: Fixture.time(15))
    sensor.replace(at: Fixture.time(16))
    #expect(shown(at: 21) == 220)
  }

  @Test("A calibration moves a sensor to the meter's value, whatever its drift had come to")
  func calibratedDrift() {
    var profile = SensorProfile.ideal
    let silence = AutoregressiveNoise(φ1: 0, σ: 0)
    // A day after a calibration 200 mg/dL read 200 · 1.48 − 24 = 272.
    profile.error = .affine(
      AffineErrorModel(
        a: (1, 0.48, 0), b: (0, -24, 0), v: silence, origin: .calibration(every: .days(9))))
    var sensor = GlucoseSensor(profile: profile, insertedAt: Fixture.midnight, seed: 1)
    func shown(after minutes: Int64) -> Double? {
      let instant = Fixture.midnight + .days(1) + .minutes(minutes)
      return sensor.observe(.mgdL(200), at: instant)?.glucose.mgdL
    }
    #expect(shown(after: 0) == 272)
    sensor.calibrate(with: .mgdL(210), at: Fixture.midnight + .days(1) + .minutes(4))
    // It drifts by 200 · 0.48 − 24 = 72 mg/dL in a day: a minute later by 0.05.
    #expect(shown(after: 5) == 210)
    #expect(shown(after: 1_445) == 282)
  }

  @Test("Of two calibrations between two readings the last one counts")
  func twoCalibrations() {
    var sensor = GlucoseSensor(profile: .ideal, insertedAt: Fixture.midnight, seed: 1)
    func shown(after minutes: Int64) -> Double? {
      sensor.observe(.mgdL(150), at: Fixture.midnight + .minutes(minutes))?.glucose.mgdL
    }
    #expect(shown(after: 0) == 150)
    for (minute, value) in [(1, 130), (2, 130), (3, 128)] as [(Int64, Double)] {
      let isTaken = sensor.calibrate(
        with: .mgdL(value), at: Fixture.midnight + .minutes(minute))
      #expect(isTaken)
    }
    #expect(shown(after: 5) == 128)
    // A new sensor has measured nothing by which it could be moved.
    sensor.replace(at: Fixture.midnight + .minutes(6))
    let isTaken = sensor.calibrate(with: .mgdL(90), at: Fixture.midnight + .minutes(7))
    #expect(!isTaken)
    #expect(shown(after: 10) == 150)
  }

  @Test("Members of a cohort have chances of their own under one seed")
  func members() {
    // The generic sensor has noise alone; one of a population also draws its parameters.
    func readings(of member: UInt64, _ profile: SensorProfile = .generic) -> [Double] {
      var sensor = GlucoseSensor(
        profile: profile, insertedAt: Fixture.midnight, seed: 1, member: member)
      return (24..<60).compactMap {
        sensor.observe(.mgdL(140), at: Fixture.midnight + .minutes(5) * $0)?.glucose.mgdL
      }
    }
    #expect(readings(of: 1) == readings(of: 1))
    #expect(!readings(of: 1).isEmpty)
    #expect(readings(of: 1) != readings(of: 2))
    #expect(readings(of: 1, .dexcomG6) != readings(of: 2, .dexcomG6))
  }
}
