import Determinism
import Devices
import Quantities
import Testing

@Suite("Interstitial lag")
struct LagTests {
  static let start = Fixture.midnight

  @Test("D9 After a step from 100 to 200 the interstitium reads 163.2 when 6 minutes have passed")
  func step() {
    var lag = InterstitialLag(timeConstant: .minutes(6))
    _ = lag.update(plasma: .mgdL(100), at: Self.start)
    // A step is a ramp of one millisecond.
    _ = lag.update(plasma: .mgdL(200), at: Self.start + .milliseconds(1))
    let value = lag.update(plasma: .mgdL(200), at: Self.start + .minutes(6))
    #expect(abs(value.mgdL - 163.2) < 0.1)
  }

  @Test("D10 On a ramp of 2 mg/dL/min the lag settles at 12 mg/dL")
  func ramp() {
    var lag = InterstitialLag(timeConstant: .minutes(6))
    var last = 0.0
    for index in Int64(0)...12 {
      let plasma = 100 + 10 * Double(index)
      last =
        plasma - lag.update(plasma: .mgdL(plasma), at: Self.start + .minutes(5 * index)).mgdL
    }
    #expect(abs(last - 12) < 0.01)
  }

  @Test("D11 Without a time constant the interstitium is plasma")
  func none() {
    var lag = InterstitialLag(timeConstant: .zero)
    for (index, value) in [100.0, 237, 41].enumerated() {
      #expect(
        lag.update(plasma: .mgdL(value), at: Self.start + .minutes(Int64(index))).mgdL == value)
    }
  }

  @Test("A wave of two hours comes through at 0.954 of its height")
  func sine() {
    var lag = InterstitialLag(timeConstant: .minutes(6))
    var highest = 0.0
    for minute in Int64(0)...720 {
      let plasma = 150 + 50 * PortableMath.sine(ofTurns: Double(minute) / 120)
      let value = lag.update(plasma: .mgdL(plasma), at: Self.start + .minutes(minute)).mgdL
      if minute > 480 { highest = max(highest, value - 150) }
    }
    #expect(abs(highest / 50 - 0.954) < 0.002)
  }

  @Test("A sensor looks at its own instants, whatever it is shown in between")
  func betweenInstants() throws {
    for isShown in [false, true] {
      var profile = SensorProfile.ideal
      (profile.lag, profile.resolution) = (.minutes(6), 0.01)
      var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 1)
      _ = sensor.observe(.mgdL(100), at: Self.start)
      if isShown {
        #expect(sensor.observe(.mgdL(150), at: Self.start + .seconds(150)) == nil)
      }
      let reading = sensor.observe(.mgdL(110), at: Self.start + .minutes(5))
      // Of a ramp of 2 mg/dL/min the interstitium has 110 - 12 + 12 e^(-5/6) = 103.2152.
      #expect(try #require(reading).glucose.mgdL.isAlmost(103.22))
    }
  }

  @Test("The first glucose that a sensor is shown is a steady state, also between its instants")
  func beginning() throws {
    var profile = SensorProfile.ideal
    (profile.lag, profile.resolution) = (.minutes(6), 0.01)
    var sensor = GlucoseSensor(
      profile: profile, insertedAt: Self.start, phase: .minutes(3), seed: 1)
    #expect(sensor.observe(.mgdL(100), at: Self.start) == nil)
    let reading = sensor.observe(.mgdL(106), at: Self.start + .minutes(3))
    // 106 - 12 + 12 e^(-1/2) = 101.2784.
    #expect(try #require(reading).glucose.mgdL.isAlmost(101.28))
  }
}

extension Double {
  fileprivate func isAlmost(_ other: Double) -> Bool { (self - other).magnitude < 1e-9 }
}
