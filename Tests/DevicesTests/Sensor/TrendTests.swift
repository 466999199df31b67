import Devices
import Quantities
import Testing

@Suite("Trend, states and the vendor's app")
struct TrendTests {
  static let start = Fixture.midnight

  @Test("D20, D21 Rates fall into their published classes")
  func classes() {
    for (rate, trend) in [
      (2.0, GlucoseTrend.upUp), (1.99, .up), (-3.0, .downDownDown), (0.999, .flat), (1.0, .up),
      (-1.0, .down), (3.0, .upUpUp), (-2.0, .downDown), (-0.999, .flat),
    ] {
      #expect(GlucoseTrend(rate: rate) == trend)
    }
    #expect(GlucoseTrend(rate: .nan) == nil)
    #expect(GlucoseTrend.upUpUp.rawValue == 1)
    #expect(GlucoseTrend.downDownDown.rawValue == 7)
  }

  @Test("D22 With fewer than three samples in twenty minutes there is no trend")
  func tooFew() {
    var sensor = GlucoseSensor(profile: .ideal, insertedAt: Self.start, seed: 1)
    var readings: [GlucoseReading] = []
    for minutes in [0, 5, 10, 40, 45, 50] as [Int64] {
      readings += [sensor.observe(.mgdL(100), at: Self.start + .minutes(minutes))].compactMap(
        \.self)
    }
    #expect(readings.map { $0.trendRate != nil } == [false, false, true, false, false, true])
  }

  @Test("A rise of 2 mg/dL/min shows as 2.0, single up")
  func slope() {
    var sensor = GlucoseSensor(profile: .ideal, insertedAt: Self.start, seed: 1)
    var last: GlucoseReading?
    for index in Int64(0)..<8 {
      last = sensor.observe(.mgdL(100 + 10 * Double(index)), at: Self.start + .minutes(5 * index))
    }
    #expect(last?.trendRate == 2.0)
    #expect(last?.trend == .upUp)
  }

  @Test("D23 Loop stores a G7's value in state 6 only, and a G6's in 6, 7 and 14")
  func states() {
    let g7 = (UInt8(0)...30).filter { DexcomState(family: .g7, code: $0).givesReading }
    let g6 = (UInt8(0)...30).filter { DexcomState(family: .g5AndG6, code: $0).givesReading }
    #expect(g7 == [6])
    #expect(g6 == [6, 7, 14])
    #expect(DexcomState(family: .g7, code: 25).isFailure)
    #expect(DexcomState(family: .g7, code: 24).isExpired)
    #expect(!DexcomState(family: .g7, code: 18).isFailure)
  }

  @Test("D28 A vendor's app writes three hours late and smoother than the sensor")
  func vendor() {
    var sensor = GlucoseSensor(profile: .generic, insertedAt: Self.start, seed: 5)
    var app = VendorApp()
    var own: [GlucoseReading] = []
    var written: [GlucoseReading] = []
    for index in Int64(0)..<600 {
      let now = Self.start + .minutes(5 * index)
      if let reading = sensor.observe(.mgdL(150), at: now) {
        own.append(reading)
        app.receive(reading)
      }
      for late in app.writes(at: now) {
        #expect(late.instant == now - .hours(3))
        written.append(late)
      }
    }
    #expect(written.count == 600 - 36)
    func roughness(_ readings: some Collection<GlucoseReading>) -> Double {
      let values = readings.map(\.glucose.mgdL)
      return Moments(zip(values.dropFirst(), values).map { $0 - $1 }).deviation
    }
    #expect(roughness(written) < 0.7 * roughness(own.prefix(written.count)))
  }

  @Test("Smoothing is the rounded mean of five readings")
  func smoothing() {
    var app = VendorApp(delay: .minutes(30))
    for (index, value) in [100.0, 110, 90, 140, 120, 100].enumerated() {
      app.receive(
        GlucoseReading(instant: Self.start + .minutes(5 * Int64(index)), glucose: .mgdL(value)))
    }
    let written = app.writes(at: Self.start + .minutes(55))
    #expect(written.map(\.glucose.mgdL) == [100, 110, 112, 112, 113, 120])
  }

  @Test("Smoothing leaves out what is more than ten minutes away")
  func smoothingWindow() {
    var app = VendorApp(delay: .minutes(30))
    for (seconds, value) in [(0, 100.0), (330, 110), (660, 180)] as [(Int64, Double)] {
      app.receive(
        GlucoseReading(instant: Self.start + .seconds(seconds), glucose: .mgdL(value)))
    }
    let written = app.writes(at: Self.start + .minutes(60))
    #expect(written.map(\.glucose.mgdL) == [105, 130, 145])
  }

  @Test("Values beyond the range of most sensors are smoothed as they are")
  func smoothingOfAnyRange() {
    for value in [450.0, 35] {
      var app = VendorApp(delay: .minutes(30))
      for index in Int64(0)..<5 {
        app.receive(
          GlucoseReading(instant: Self.start + .minutes(5 * index), glucose: .mgdL(value)))
      }
      let written = app.writes(at: Self.start + .minutes(60))
      #expect(written.map(\.glucose.mgdL) == [value, value, value, value, value])
    }
  }

  @Test("A reading that comes when later ones have been written is written at once, and once")
  func lateForWriting() {
    var app = VendorApp(delay: .minutes(30), smooths: false)
    func reading(_ index: Int64) -> GlucoseReading {
      GlucoseReading(
        instant: Self.start + .minutes(5 * index), glucose: .mgdL(100 + Double(index)))
    }
    for index in [0, 1, 4, 5] as [Int64] { app.receive(reading(index)) }
    #expect(app.writes(at: Self.start + .minutes(50)).map(\.glucose.mgdL) == [100, 101, 104])
    for index in [3, 2, 4] as [Int64] { app.receive(reading(index)) }
    #expect(app.writes(at: Self.start + .minutes(50)).map(\.glucose.mgdL) == [102, 103])
    #expect(app.writes(at: Self.start + .minutes(55)).map(\.glucose.mgdL) == [105])
    // A day later it is known still; after three days nobody knows, and it is not written again.
    for index in Int64(6)...864 {
      app.receive(reading(index))
      _ = app.writes(at: Self.start + .minutes(5 * index))
      if index == 288 || index == 864 { app.receive(reading(1)) }
    }
    #expect(app.writes(at: Self.start + .minutes(5 * 864)).isEmpty)
  }
}
