import Determinism
import Devices
import Quantities
import TestSupport
import Testing

@testable import Devices

@Suite("Sensor models in a sensor")
struct SensorModelTests {
  static let start = Fixture.midnight

  /// The noise a sensor adds to a steady concentration, every five minutes.
  static func noise(
    _ error: SensorErrorModel, seed: UInt64, count: Int64, at mgdL: Double = 150,
    insertedBefore age: TimeSpan = .zero
  ) -> [Double] {
    var profile = SensorProfile.ideal
    profile.error = error
    var sensor = GlucoseSensor(profile: profile, insertedAt: start - age, seed: seed)
    return (0..<count).compactMap { index in
      _ = sensor.observe(.mgdL(mgdL), at: start + .minutes(5 * index))
      return sensor.deviation?.noise.mgdL
    }
  }

  @Test(
    "AR(1) noise fades over its correlation time",
    arguments: 0..<Extent.of(1, whole: 4) as Range<UInt64>)
  func autoregressive(seed: UInt64) {
    let moments = Moments(
      Self.noise(
        .autoregressive(standardDeviation: 8, correlationTime: .minutes(40)), seed: seed,
        count: 20_000))
    #expect(abs(moments.deviation - 8) < 0.5)
    // exp(-1/8), exp(-1) and independence.
    #expect(abs(moments.correlation(lag: 1) - 0.8825) < 0.015)
    #expect(abs(moments.correlation(lag: 8) - 0.3679) < 0.06)
    #expect(abs(moments.correlation(lag: 80)) < 0.1)
  }

  @Test("Noise does not depend on how many seconds before a reading the sensor was put in")
  func betweenReadings() {
    // The correlation over five minutes is a half; on a straight line between two points the
    // deviation would be 8 * sqrt(0.75), 6.9, and the correlation 0.75.
    let error = SensorErrorModel.autoregressive(
      standardDeviation: 8, correlationTime: .milliseconds(432_809))
    let aligned = Self.noise(error, seed: 1, count: 20_000)
    for age in [TimeSpan.seconds(1), .seconds(150), .seconds(299)] {
      #expect(Self.noise(error, seed: 1, count: 20_000, insertedBefore: age) == aligned)
    }
    let moments = Moments(aligned)
    #expect(abs(moments.deviation - 8) < 0.4)
    #expect(abs(moments.correlation(lag: 1) - 0.5) < 0.03)
  }

  @Test("Noise with the step of its readings has its deviation and memory at any distance of these")
  func steps() {
    for (minutes, lag) in [(1, 5), (15, 1)] as [(Int64, Int)] {
      var profile = SensorProfile.ideal
      profile.period = .minutes(minutes)
      // Half is left after five minutes, and so an eighth after fifteen.
      profile.error = .autoregressive(
        standardDeviation: 8, correlationTime: .milliseconds(432_809), step: .minutes(minutes))
      var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 2)
      let noise = (Int64(0)..<40_000).compactMap { index in
        _ = sensor.observe(.mgdL(150), at: Self.start + .minutes(minutes * index))
        return sensor.deviation?.noise.mgdL
      }
      // On a straight line between points of five minutes the deviation would be 7.3 each minute.
      #expect(abs(Moments(noise).deviation - 8) < 0.3)
      #expect(abs(Moments(noise).correlation(lag: lag) - (minutes == 1 ? 0.5 : 0.125)) < 0.05)
    }
  }

  @Test("White noise has no memory, and uniform noise the deviation of its width")
  func independent() {
    let white = Moments(Self.noise(.white(standardDeviation: 5), seed: 1, count: 20_000))
    #expect(abs(white.deviation - 5) < 0.12)
    #expect(abs(white.correlation(lag: 1)) < 0.03)
    let uniform = Moments(Self.noise(.uniform(magnitude: 6), seed: 1, count: 20_000))
    #expect(abs(uniform.deviation - 3.464) < 0.08)
  }

  @Test("Proportional noise hits the wanted mean absolute relative difference")
  func proportional() {
    for glucose in [60.0, 250] {
      let noise = Self.noise(.proportional(mard: 0.09), seed: 4, count: 20_000, at: glucose)
      let mard = noise.reduce(0) { $0 + $1.magnitude / glucose } / 20_000
      #expect(abs(mard - 0.09) < 0.0016)
    }
  }

  @Test("A swinging gain stays within its bounds and passes through both")
  func oscillating() {
    let model = OscillatingErrorModel(bias: 5.5, oscillations: 4, noise: 0)
    let gains = (Int64(0)...240).map { model.gain(at: .hours($0), phase: 0.1) }
    let (low, high) = (gains.min() ?? 0, gains.max() ?? 0)
    #expect(abs(low - 0.85 * 1.1) < 1e-3)
    #expect(abs(high - 1.15 * 1.1) < 1e-3)
    // Four half turns in ten days: five days from one peak to the next.
    #expect(abs(gains[0] - gains[120]) < 1e-9)
    #expect(abs(gains[0] - gains[60]) > 0.1)
    var noisy = model
    noisy.noise = 10
    let moments = Moments(Self.noise(.oscillating(noisy), seed: 3, count: 10_000))
    #expect(abs(moments.deviation - 10) < 0.3)
  }

  @Test("Interpolated Johnson noise keeps most of its deviation and is smooth at short lags")
  func interpolatedJohnson() {
    let noise = Moments(Self.noise(.johnson(.simglucose), seed: 9, count: 15_000))
    #expect(noise.deviation > 10.3 && noise.deviation < 12)
    #expect(noise.correlation(lag: 1) > 0.9)
    #expect(abs(noise.correlation(lag: 12) - 0.233) < 0.08)
    var averaged = JohnsonNoise.Parameters.simglucose
    averaged.interpolation = .movingAverage
    let smooth = Moments(Self.noise(.johnson(averaged), seed: 9, count: 3_000))
    #expect(smooth.deviation < noise.deviation)
  }

  @Test("Noise between base values is a spline: at each of them its slope goes on")
  func smoothJohnson() {
    // Over a hundredth of a second on either side the change differs by the curvature alone, which
    // is a few hundred mg/dL for a step squared, and by far more where the slopes do not meet.
    let parameters = JohnsonNoise.Parameters.simglucose
    let short = TimeSpan.milliseconds(10)
    var noise = JohnsonNoise(parameters)
    var stream = RandomStream(seed: 3, name: "cgm")
    for index in Int64(1)..<40 {
      let knot = parameters.baseStep * index
      // From one block of ten base values to the next the spline is another.
      let values = [knot - short, knot, knot + short].map { noise.value(at: $0, from: &stream) }
      let bend = (values[2] - values[1]) - (values[1] - values[0])
      if index % 10 != 0 { #expect(bend.magnitude < 1e-7, "\(index)") }
    }
  }

  @Test("A cubic spline with not-a-knot ends reproduces a cubic exactly")
  func spline() {
    let cubic = (0..<11).map { x -> Double in
      let t = Double(x)
      return t * t * t - 4 * t * t + 2
    }
    for (x, bend) in CubicSpline.notAKnot(cubic).enumerated() {
      #expect(abs(bend - (6 * Double(x) - 8)) < 1e-9)
    }
    #expect(CubicSpline.notAKnot([0, 1, 8, 27]).last.map { abs($0 - 18) < 1e-12 } == true)
    for (x, bend) in CubicSpline.notAKnot([0, 1, 8, 27, 64]).enumerated() {
      #expect(abs(bend - 6 * Double(x)) < 1e-12)
    }
  }

  @Test("The Cholesky factor of the population is the published one")
  func factor() {
    let factor = PopulationErrorModel.factor
    #expect(abs(factor[0][0] - 0.109184454743) < 1e-11)
    #expect(abs(factor[3][3] - 4.37406124678) < 1e-9)
    #expect(abs(factor[6][2] + 0.194990302693) < 1e-9)
    #expect(abs(factor[6][6] - 0.761200341657) < 1e-10)
  }

  @Test("A noise-free G6 model reads 119, 121, 124, 125, 125 and 121 over ten days at 120 mg/dL")
  func driftInASensor() {
    var model = AffineErrorModel.vettorettiEMBC2019
    model.v = AutoregressiveNoise(φ1: 0, σ: 0)
    model.cc = nil
    var profile = SensorProfile.ideal
    profile.error = .affine(model)
    var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 1)
    for (day, value) in [(0, 119.0), (1, 121), (3, 124), (5, 125), (7, 125), (10, 121)]
      as [(Int64, Double)]
    {
      let reading = sensor.observe(.mgdL(120), at: Self.start + .days(day))
      #expect(reading?.glucose == .mgdL(value))
    }
  }

  @Test("D8 Artefacts do not change the draws of the noise")
  func independentStreams() {
    func run(_ artefacts: SensorArtefacts) -> [Double] {
      var profile = SensorProfile.ideal
      profile.error = .population
      profile.artefacts = artefacts
      var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 7)
      return (Int64(0)..<2_000).compactMap { index in
        _ = sensor.observe(.mgdL(120), at: Self.start + .minutes(5 * index))
        return sensor.deviation?.noise.mgdL
      }
    }
    #expect(
      run(.none) == run(SensorArtefacts(compression: .init(perNight: 3), gaps: .init(perDay: 9))))
  }

  @Test("Chance compression lows come at night, at the rate and depth that are set")
  func compressionStatistics() {
    var profile = SensorProfile.ideal
    profile.artefacts = SensorArtefacts(compression: .init())
    var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 3)
    var events = 0
    var deepest: [Double] = []
    var inside = false
    let nights = Extent.of(80, whole: 200)
    for index in 0..<Int64(288 * nights) {
      let instant = Self.start + .minutes(5 * index)
      guard sensor.observe(.mgdL(120), at: instant) != nil, let deviation = sensor.deviation
      else { continue }
      let depth = -deviation.compression.mgdL
      if depth > 1, !inside {
        events += 1
        deepest.append(depth)
        let hour = WallClock.utc.timeOfDay(at: instant).milliseconds / 3_600_000
        #expect(hour >= 22 || hour < 8)
      }
      inside = depth > 1
      if inside { deepest[deepest.count - 1] = max(deepest[deepest.count - 1], depth) }
    }
    // Half an event in each night: 100 in 200 of them with a deviation of ten, 40 in 80 with 6.3.
    let half = Double(nights) / 2
    #expect((Double(events) - half).magnitude < 3.5 * half.squareRoot())
    let median = deepest.sorted()[deepest.count / 2]
    #expect(median > 18 && median < 29)
  }

  // Facchinetti et al. 2016: nine of ten are shorter than 20 minutes, whatever the sensor's period.
  @Test(
    "Chance gaps are short: nine of ten last at most a quarter of an hour",
    arguments: [5, 1] as [Int64])
  func gapStatistics(period: Int64) {
    var profile = SensorProfile.ideal
    profile.period = .minutes(period)
    profile.artefacts = SensorArtefacts(gaps: .init())
    var sensor = GlucoseSensor(profile: profile, insertedAt: Self.start, seed: 3)
    var lengths: [Int64] = []
    var run: Int64 = 0
    let days = Extent.of(80, whole: 200)
    for index in 0..<Int64(1_440 * days) / period {
      if sensor.observe(.mgdL(120), at: Self.start + .minutes(period * index)) == nil {
        run += period
      } else if run > 0 {
        lengths.append(run)
        run = 0
      }
    }
    // Two a day: 400 in 200 days with a deviation of twenty.
    let mean = 2 * Double(days)
    #expect((Double(lengths.count) - mean).magnitude < 3.5 * mean.squareRoot())
    let count = Double(lengths.count)
    let short = Double(lengths.count { $0 <= 15 }) / count
    #expect(abs(short - 0.90) < 3.5 * (0.90 * 0.10 / count).squareRoot())
  }
}
