import Devices
import Quantities
import Testing

@Suite("Sensor faults and late readings")
struct SensorFaultTests {
  static let start = Fixture.midnight

  static func sensor(_ change: (inout SensorProfile) -> Void = { _ in }) -> GlucoseSensor {
    var profile = SensorProfile.ideal
    change(&profile)
    return GlucoseSensor(profile: profile, insertedAt: start, seed: 1)
  }

  static func time(_ index: Int64) -> Instant { start + .minutes(5 * index) }

  @Test("D17 A compression of 24 mg/dL at 120 reads near 96, and above 118 thirty minutes later")
  func compression() throws {
    var sensor = Self.sensor()
    // A filter of ten minutes has come to 95 % after thirty.
    let fault = SensorFault.compression(depth: 24, rise: .minutes(30), fall: .minutes(30))
    sensor.begin(fault, id: "sleep", at: Self.start)
    var last: GlucoseReading?
    for index in Int64(0)...9 { last = sensor.observe(.mgdL(120), at: Self.time(index)) }
    #expect(last?.glucose == .mgdL(96))
    sensor.end(id: "sleep", at: Self.time(9))
    for index in Int64(10)...15 { last = sensor.observe(.mgdL(120), at: Self.time(index)) }
    #expect(try #require(last).glucose > .mgdL(118))
    #expect(sensor.activeFaults.isEmpty)
  }

  @Test("A compression fades from the depth that it has come to when it ends, between readings too")
  func compressionEnd() {
    // A filter of three minutes comes to 40 · (1 − exp(−4/3)) = 29.5 mg/dL at the reading of 00:05
    // and to 40 · (1 − exp(−8/3)) = 37.2 at 00:09; one of ten fades to 37.2 · exp(−1/10) = 33.7 and
    // 37.2 · exp(−6/10) = 20.4. One that is over at a reading, at 00:10, has come to
    // 40 · (1 − exp(−9/3)) = 38.0 there, and to 38.0 · exp(−5/10) = 23.1 at the next.
    for (end, expected) in [(9, [111, 106, 120]), (10, [111, 102, 117])] as [(Int64, [Double?])] {
      var sensor = Self.sensor()
      let fault = SensorFault.compression(depth: 40, rise: .minutes(9), fall: .minutes(30))
      sensor.begin(fault, id: "sleep", at: Self.start + .minutes(1))
      var shown: [Double?] = [sensor.observe(.mgdL(140), at: Self.time(1))?.glucose.mgdL]
      sensor.end(id: "sleep", at: Self.start + .minutes(end))
      for index in Int64(2)...3 {
        shown.append(sensor.observe(.mgdL(140), at: Self.time(index))?.glucose.mgdL)
      }
      #expect(shown == expected)
    }
  }

  @Test("A compression low from 55 mg/dL reads LOW")
  func compressionToLow() {
    var sensor = Self.sensor()
    sensor.begin(
      .compression(depth: 24, rise: .zero, fall: .zero), id: "sleep", at: Self.start)
    _ = sensor.observe(.mgdL(55), at: Self.time(1))
    #expect(sensor.observe(.mgdL(55), at: Self.time(2))?.condition == .belowRange)
  }

  @Test("A saturated sensor shows nothing above its value, though it is stuck there")
  func saturatedAndStuck() {
    let faults: [SensorFault] = [.saturate(above: .mgdL(200)), .stuck(.mgdL(300))]
    for order in [faults, faults.reversed()] {
      var sensor = Self.sensor()
      for (index, fault) in order.enumerated() {
        sensor.begin(fault, id: "\(index)", at: Self.start)
      }
      #expect(sensor.observe(.mgdL(110), at: Self.time(1))?.glucose == .mgdL(200))
    }
  }

  @Test("Of two losses of contact at once the one that loses readings decides, on any sensor")
  func dropoutsTogether() {
    for backfill in [nil, TimeSpan.hours(24)] {
      for faults in [[true, false], [false, true], [true]] {
        var sensor = Self.sensor { $0.backfill = backfill }
        for (index, keeps) in faults.enumerated() {
          sensor.begin(.dropout(backfill: keeps), id: "gap \(index)", at: Self.start)
        }
        for index in Int64(0)..<3 { _ = sensor.observe(.mgdL(100), at: Self.time(index)) }
        for index in faults.indices { sensor.end(id: "gap \(index)", at: Self.time(3)) }
        _ = sensor.observe(.mgdL(100), at: Self.time(3))
        #expect(sensor.takeLateReadings(at: Self.time(3)).count == (faults == [true] ? 3 : 0))
      }
    }
  }

  @Test("D18, D19 Three missed samples are absent, and with backfill come later in their order")
  func dropout() {
    for backfill in [false, true] {
      var sensor = Self.sensor { $0.backfill = .hours(24) }
      var stamps: [Instant] = []
      for index in Int64(0)..<10 {
        if index == 3 { sensor.begin(.dropout(backfill: backfill), id: "gap", at: Self.time(3)) }
        if index == 6 { sensor.end(id: "gap", at: Self.time(6)) }
        let live = sensor.observe(.mgdL(100 + Double(index)), at: Self.time(index))
        let late = sensor.takeLateReadings(at: Self.time(index))
        if index == 6, backfill {
          #expect(late.map(\.instant) == [Self.time(3), Self.time(4), Self.time(5)])
          #expect(late.map(\.glucose.mgdL) == [103, 104, 105])
          #expect(late.allSatisfy { $0.arrival == Self.time(6) })
        } else {
          #expect(late.isEmpty)
        }
        stamps += late.map(\.instant) + (live.map { [$0.instant] } ?? [])
      }
      #expect(stamps.count == (backfill ? 10 : 7))
      #expect(stamps == stamps.sorted())
      #expect(Set(stamps).count == stamps.count)
    }
  }

  @Test("What a sensor of one piece has kept is thrown away with it; a transmitter keeps it")
  func replacedInAGap() {
    for (isOnePiece, stamps) in [(true, [6, 7]), (false, [3, 4, 6, 7])] as [(Bool, [Int64])] {
      var sensor = Self.sensor {
        $0.backfill = .hours(24)
        $0.isOnePiece = isOnePiece
      }
      sensor.begin(.dropout(backfill: true), id: "gap", at: Self.time(3))
      for index in Int64(3)..<8 {
        if index == 5 { sensor.begin(.warmUp, id: "warm", at: Self.time(5)) }
        if index == 6 { sensor.replace(at: Self.time(6) - .minutes(1)) }
        #expect(sensor.observe(.mgdL(100), at: Self.time(index)) == nil)
      }
      sensor.end(id: "gap", at: Self.time(8))
      #expect(sensor.observe(.mgdL(100), at: Self.time(8)) != nil)
      let late = sensor.takeLateReadings(at: Self.time(8))
      #expect(late.map(\.instant) == stamps.map { Self.time($0) })
    }
    let kept = SensorProfile.catalogue.filter { !$0.isOnePiece && $0.backfill != nil }.map(\.id)
    #expect(
      kept == [
        "generic", "dexcomG5", "dexcomG6", "dexcomG6AsLoop", "dexcomG6Drift", "guardian3",
      ])
  }

  @Test(
    "What a transmitter has kept comes when contact returns, whether or not the sensor measures",
    arguments: [SensorFault.warmUp, .expire, .fail])
  func contactWithoutMeasuring(_ fault: SensorFault) {
    for isOnePiece in [true, false] {
      var sensor = Self.sensor {
        $0.backfill = .hours(24)
        $0.isOnePiece = isOnePiece
      }
      sensor.begin(.dropout(backfill: true), id: "gap", at: Self.time(3))
      for index in [3, 4] as [Int64] {
        #expect(sensor.observe(.mgdL(100), at: Self.time(index)) == nil)
      }
      sensor.begin(fault, id: "silent", at: Self.time(5))
      sensor.end(id: "gap", at: Self.time(6))
      #expect(sensor.observe(.mgdL(100), at: Self.time(6)) == nil)
      let late = sensor.takeLateReadings(at: Self.time(6))
      let isLost = isOnePiece && fault != .warmUp
      #expect(late.map(\.instant) == (isLost ? [] : [Self.time(3), Self.time(4)]))
    }
  }

  @Test("A delayed reading arrives later with its own stamp")
  func delay() {
    var sensor = Self.sensor()
    sensor.begin(.delay(by: .minutes(7)), id: "radio", at: Self.start)
    #expect(sensor.observe(.mgdL(100), at: Self.time(1)) == nil)
    #expect(sensor.takeLateReadings(at: Self.time(2)).isEmpty)
    let late = sensor.takeLateReadings(at: Self.time(3))
    #expect(late.map(\.instant) == [Self.time(1)])
    #expect(late.map(\.arrival) == [Self.time(1) + .minutes(7)])
  }

  @Test("Bias, drift and spike change the value by what they say, and the deviation names it")
  func values() {
    var sensor = Self.sensor()
    sensor.begin(.bias(gain: 1.1, offset: -5), id: "bias", at: Self.start)
    #expect(sensor.observe(.mgdL(100), at: Self.time(0))?.glucose == .mgdL(105))
    #expect(sensor.deviation.map { abs($0.faults.mgdL - 5) < 1e-9 } == true)
    sensor.end(id: "bias", at: Self.time(1))
    sensor.begin(.spike(delta: 80, samples: 2), id: "spike", at: Self.time(1))
    let spiked = (Int64(1)...4).map { sensor.observe(.mgdL(100), at: Self.time($0))?.glucose }
    #expect(spiked == [.mgdL(180), .mgdL(180), .mgdL(100), .mgdL(100)])
    sensor.begin(.drift(gainPerDay: 0, offsetPerDay: 24), id: "drift", at: Self.time(12))
    #expect(sensor.observe(.mgdL(100), at: Self.time(24))?.glucose == .mgdL(101))
  }

  @Test("A stuck sensor repeats its value, and a shifted clock its error")
  func stuckAndShifted() {
    var sensor = Self.sensor()
    _ = sensor.observe(.mgdL(100), at: Self.time(0))
    sensor.begin(.stuck(nil), id: "stuck", at: Self.time(1))
    #expect(sensor.observe(.mgdL(140), at: Self.time(1))?.glucose == .mgdL(100))
    sensor.end(id: "stuck", at: Self.time(2))
    sensor.begin(
      .timestamp(shift: .minutes(-3), duplicate: false), id: "clock", at: Self.time(2))
    #expect(
      sensor.observe(.mgdL(140), at: Self.time(2))?.instant == Self.time(2) - .minutes(3))
    sensor.end(id: "clock", at: Self.time(3))
    sensor.begin(.unreliable, id: "unreliable", at: Self.time(3))
    #expect(sensor.observe(.mgdL(140), at: Self.time(3))?.isUnreliable == true)
  }

  @Test("A failed sensor reads nothing until another is put on")
  func failure() {
    var sensor = Self.sensor { $0.warmUp = .minutes(30) }
    sensor.begin(.fail, id: "fail", at: Self.time(10))
    #expect(sensor.status(at: Self.time(20)) == .failed)
    #expect(sensor.observe(.mgdL(140), at: Self.time(20)) == nil)
    sensor.replace(at: Self.time(21))
    #expect(sensor.status(at: Self.time(21)) == .warmUp)
    #expect(sensor.observe(.mgdL(140), at: Self.time(27))?.sensor == 2)
  }

  @Test("More noise has the deviation that was asked for")
  func moreNoise() {
    var sensor = Self.sensor()
    sensor.begin(
      .noise(scale: 1, standardDeviation: 12, φ: 0.8), id: "noise", at: Self.start)
    let added = (Int64(0)..<10_000).compactMap { index -> Double? in
      _ = sensor.observe(.mgdL(200), at: Self.time(index))
      return sensor.deviation?.faults.mgdL
    }
    let moments = Moments(added)
    #expect(abs(moments.deviation - 12) < 0.8)
    #expect(abs(moments.correlation(lag: 1) - 0.8) < 0.03)
  }

  @Test("A calibration moves the sensor to the meter, and the next reading is display only")
  func calibration() {
    var sensor = Self.sensor()
    _ = sensor.observe(.mgdL(150), at: Self.time(0))
    sensor.calibrate(with: .mgdL(130), at: Self.time(0) + .minutes(1))
    let first = sensor.observe(.mgdL(150), at: Self.time(1))
    #expect(first?.glucose == .mgdL(130))
    #expect(first?.isDisplayOnly == true)
    #expect(sensor.observe(.mgdL(150), at: Self.time(2))?.isDisplayOnly == false)
  }

  @Test("What a fault makes of recorded glucose stays in the sensor's range, or as recorded")
  func recordedOutOfRange() {
    let points = [120.0, 30, 120, 120].enumerated().map { index, mgdL in
      GlucoseRecording.Point(instant: Self.time(Int64(index)), glucose: .mgdL(mgdL))
    }
    var sensor = GlucoseSensor(
      profile: .ideal, insertedAt: Self.start, seed: 1, recording: GlucoseRecording(points))
    var readings: [GlucoseReading?] = []
    for index in Int64(0)..<4 {
      if index == 2 {
        sensor.begin(.bias(gain: 1, offset: -150), id: "low", at: Self.time(index))
      } else if index == 3 {
        sensor.end(id: "low", at: Self.time(index))
        sensor.begin(.bias(gain: 1, offset: 350), id: "high", at: Self.time(index))
      }
      readings.append(sensor.observe(.mgdL(100), at: Self.time(index)))
    }
    #expect(readings.map { $0?.glucose.mgdL } == [120, 30, 40, 400])
    #expect(readings.map { $0?.condition } == [.inRange, .inRange, .belowRange, .aboveRange])
  }

  @Test("A sensor that has failed or expired is so, also while a fault keeps it warming up")
  func failedWhileWarmingUp() {
    for (fault, status) in [
      (SensorFault.fail, SensorStatus.failed), (.expire, .expired),
    ] {
      var sensor = Self.sensor()
      _ = sensor.observe(.mgdL(120), at: Self.time(0))
      sensor.begin(.warmUp, id: "warm", at: Self.time(1))
      #expect(sensor.status(at: Self.time(1)) == .warmUp)
      let isTaken = sensor.calibrate(with: .mgdL(130), at: Self.time(1))
      #expect(isTaken)
      sensor.begin(fault, id: "end", at: Self.time(2))
      #expect(sensor.status(at: Self.time(2)) == status)
      let isTakenLater = sensor.calibrate(with: .mgdL(140), at: Self.time(2))
      #expect(!isTakenLater)
    }
    var old = Self.sensor { $0.wear = .hours(1) }
    old.begin(.warmUp, id: "warm", at: Self.time(11))
    #expect(old.status(at: Self.time(11)) == .warmUp)
    #expect(old.status(at: Self.time(12)) == .expired)
  }

  @Test(
    "Readings that are late and would arrive without contact come after it, or never",
    arguments: [false, true])
  func lateWithoutContact(backfill: Bool) {
    var sensor = Self.sensor { $0.backfill = .hours(24) }
    sensor.begin(.delay(by: .minutes(12)), id: "late", at: Self.start)
    var arrivals: [Int64: [Int64]] = [:]
    for minute in Int64(0)...40 {
      let now = Self.start + .minutes(minute)
      // Before contact is lost only the first, of 00:00, has arrived: at 00:12.
      if minute == 16 {
        sensor.end(id: "late", at: now)
        sensor.begin(.dropout(backfill: backfill), id: "gap", at: now)
      }
      if minute == 32 { sensor.end(id: "gap", at: now) }
      let live = sensor.observe(.mgdL(100), at: now)
      let readings = sensor.takeLateReadings(at: now) + (live.map { [$0] } ?? [])
      if !readings.isEmpty {
        arrivals[minute] = readings.map { ($0.instant - Self.start).quotient(by: .minutes(1)) }
      }
    }
    #expect(
      arrivals == [12: [0], 35: backfill ? [5, 10, 15, 20, 25, 30, 35] : [35], 40: [40]])
  }

  @Test("A sensor that is stuck shows its value also where it measures too little for a reading")
  func stuckBelowRange() {
    for value in [GlucoseConcentration?.none, .mgdL(140)] {
      var sensor = Self.sensor { $0.lowReporting = .droppedBelowCode }
      #expect(sensor.observe(.mgdL(120), at: Self.time(0))?.glucose == .mgdL(120))
      sensor.begin(.stuck(value), id: "stuck", at: Self.time(1))
      let stuck = sensor.observe(.mgdL(20), at: Self.time(1))
      #expect(stuck?.glucose == value ?? .mgdL(120))
      #expect(stuck?.condition == .inRange)
      sensor.end(id: "stuck", at: Self.time(2))
      #expect(sensor.observe(.mgdL(20), at: Self.time(2)) == nil)
    }
  }
}
