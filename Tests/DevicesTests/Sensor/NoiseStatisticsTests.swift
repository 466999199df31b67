import Determinism
import Devices
import Quantities
import TestSupport
import Testing

/// Moments and correlations of a series.
struct Moments {
  var mean: Double
  var deviation: Double
  private var centred: [Double]

  init(_ values: [Double]) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    centred = values.map { $0 - mean }
    self.mean = mean
    deviation = (centred.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
  }

  func correlation(lag: Int) -> Double {
    var sum = 0.0
    for index in lag..<centred.count { sum += centred[index] * centred[index - lag] }
    return sum / (deviation * deviation * Double(centred.count))
  }
}

@Suite("Statistics of the noise models")
struct NoiseStatisticsTests {
  static func johnson(_ seed: UInt64, _ count: Int) -> [Double] {
    var noise = JohnsonNoise(.simglucose)
    var stream = RandomStream(seed: seed, name: "cgm")
    return (0..<count).map { _ in noise.nextBaseValue(from: &stream) }
  }

  @Test(
    "D2, D3 Johnson noise has its published moments",
    arguments: 0..<Extent.of(8 as UInt64, whole: 20))
  func johnsonMoments(seed: UInt64) {
    let moments = Moments(Self.johnson(seed, 10_000))
    #expect(abs(moments.mean - 0.72) < 1.2)
    #expect(abs(moments.deviation - 11.73) < 0.9)
    for (lag, expected) in [(1, 0.69), (2, 0.48), (4, 0.23)] {
      #expect(abs(moments.correlation(lag: lag) - expected) < 0.06)
    }
  }

  @Test("Over many seeds the variance is 0.49/0.51 of one, not one")
  func johnsonVariance() {
    var sum = 0.0
    var squares = 0.0
    let (seeds, count) = (Extent.of(12, whole: 30), 10_000)
    for seed in 0..<UInt64(seeds) {
      for value in Self.johnson(1_000 + seed, count) {
        sum += value
        squares += value * value
      }
    }
    let total = Double(seeds * count)
    let mean = sum / total
    let deviation = (squares / total - mean * mean).squareRoot()
    // Of thirty seeds the mean's standard error is 0.05 and the deviation's about 0.04, of twelve
    // 0.08 and 0.06; with a variance of one the deviation would be 12.06.
    #expect(abs(mean - 0.7187) < 0.2)
    #expect(abs(deviation - 11.728) < 0.16)
  }

  @Test("D4 The Johnson map takes -1, 0 and 1 to their published values")
  func johnsonMap() {
    for (e, expected) in [(-1.0, -9.8247), (0, -0.2396), (1, 11.2313)] {
      #expect(abs(JohnsonNoise.Parameters.simglucose.transform(e) - expected) < 1e-4)
    }
  }

  struct Sequence: Sendable, CustomTestStringConvertible {
    var name: String
    var noise: AutoregressiveNoise
    var deviation: Double
    var correlation: Double
    var testDescription: String { name }
  }

  static let sequences = [
    Sequence(
      name: "SEVEN Plus v", noise: AffineErrorModel.facchinetti2014.v, deviation: 7.067,
      correlation: 0.835),
    Sequence(
      name: "G5", noise: AffineErrorModel.vettoretti2018.v, deviation: 6.809,
      correlation: 0.894),
    Sequence(
      name: "G6 v", noise: AffineErrorModel.vettorettiEMBC2019.v, deviation: 5.058,
      correlation: 0.917),
    Sequence(
      name: "G6 population mean", noise: PopulationErrorModel.Parameters.mean.noise,
      deviation: 8.104, correlation: 0.899),
  ]

  @Test(
    "D5 AR(2) noise has its published deviation and correlation",
    arguments: Extent.some(of: sequences, every: 2))
  func autoregressive(sequence: Sequence) throws {
    #expect(abs(try #require(sequence.noise.stationaryDeviation) - sequence.deviation) < 1e-3)
    #expect(abs(sequence.noise.lagOneCorrelation - sequence.correlation) < 1e-3)
    var noise = sequence.noise
    var stream = RandomStream(seed: 5, name: "cgm")
    noise.settle(from: &stream)
    let moments = Moments((0..<100_000).map { _ in noise.next(from: &stream) })
    #expect(abs(moments.deviation - sequence.deviation) < 0.03 * sequence.deviation)
    #expect(abs(moments.correlation(lag: 1) - sequence.correlation) < 0.01)
    #expect(abs(moments.mean) < 0.5)
  }

  @Test("The noises common to sensors worn together have their published deviations")
  func commonNoise() throws {
    for (model, deviation) in [
      (AffineErrorModel.facchinetti2014, 7.687), (.vettorettiEMBC2019, 6.147),
    ] {
      let common = try #require(model.cc)
      #expect(abs(try #require(common.stationaryDeviation) - deviation) < 1e-3)
    }
  }

  @Test("A sequence that grows without bound is known as such")
  func unstable() {
    #expect(!AutoregressiveNoise(φ1: 1.2, φ2: -0.1, σ: 1).isStationary)
    #expect(AutoregressiveNoise(φ1: 1.2, φ2: -0.1, σ: 1).stationaryDeviation == nil)
    #expect(AutoregressiveNoise(φ1: 1.27, φ2: -0.42, σ: 1).isStationary)
  }

  @Test("D6 Accepted sensors are stable and quiet, and a quarter of the draws is rejected")
  func population() throws {
    var stream = RandomStream(seed: 2, name: "cgm.parameters")
    var (accepted, drawn) = (0, 0)
    while accepted < 2_000 {
      let parameters = PopulationErrorModel.drawOnce(from: &stream)
      drawn += 1
      guard parameters.isAccepted else { continue }
      accepted += 1
      #expect(try #require(parameters.noise.stationaryDeviation) <= 10)
      #expect(parameters.noise.isStationary)
    }
    let rejected = 1 - Double(accepted) / Double(drawn)
    #expect(rejected > 0.20 && rejected < 0.35)
  }

  @Test("Drawn parameters have the published spread and are correlated")
  func populationSpread() {
    var stream = RandomStream(seed: 11, name: "cgm.parameters")
    let draws = (0..<20_000).map { _ in PopulationErrorModel.drawOnce(from: &stream) }
    let shrink = 0.9.squareRoot()
    let gain = Moments(draws.map(\.m0))
    let offset = Moments(draws.map(\.b))
    #expect(abs(gain.mean - 0.9423) < 0.004)
    #expect(abs(gain.deviation - 0.1151 * shrink) < 0.003)
    #expect(abs(offset.deviation - 5.386 * shrink) < 0.12)
    // Covariance of m0 and m1 is -0.003951, which is a correlation of -0.798.
    let m1 = Moments(draws.map(\.m1))
    var covariance = 0.0
    for draw in draws { covariance += (draw.m0 - gain.mean) * (draw.m1 - m1.mean) }
    covariance /= Double(draws.count)
    #expect(abs(covariance / (gain.deviation * m1.deviation) + 0.798) < 0.02)
  }

  @Test("The drift of the G6 model has its published values day by day")
  func drift() {
    let model = AffineErrorModel.vettorettiEMBC2019
    for (day, gain, offset) in [
      (0, 1.048, -6.4), (1, 1.017, -0.7), (3, 0.967, 8.1), (5, 0.933, 13.3), (7, 0.915, 14.9),
      (10, 0.918, 10.6),
    ] {
      #expect(abs(model.gain(atDay: Double(day)) - gain) < 1e-3)
      #expect(abs(model.offset(atDay: Double(day)) - offset) < 0.06)
    }
  }
}
