import Determinism
import Testing

@Suite("Random laws")
struct RandomLawsTests {
  /// Mean and variance of 20,000 draws.
  private func moments(_ draw: (inout RandomStream) -> Double) -> (mean: Double, variance: Double) {
    var stream = RandomStream(seed: 11, name: "laws")
    let draws = (0..<20_000).map { _ in draw(&stream) }
    let mean = draws.reduce(0, +) / 20_000
    return (mean, draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 19_999)
  }

  @Test("normal draws have mean 0, variance 1 and the normal share beyond two deviations")
  func normal() {
    let (mean, variance) = moments { $0.normal() }
    #expect(abs(mean) < 0.023)  // 3.3 standard errors.
    #expect(abs(variance - 1) < 0.033)
    let beyond = moments { abs($0.normal()) > 1.959_964 ? 1 : 0 }.mean
    #expect(abs(beyond - 0.05) < 0.0051)
    let scaled = moments { $0.normal(mean: 5, standardDeviation: 2) }
    #expect(abs(scaled.mean - 5) < 0.047)
    #expect(abs(scaled.variance - 4) < 0.14)
  }

  @Test("half of log-normal draws lie below the median, and all are positive")
  func logNormal() {
    let below = moments { $0.logNormal(median: 3, sigma: 0.5) < 3 ? 1 : 0 }.mean
    #expect(abs(below - 0.5) < 0.012)
    var stream = RandomStream(seed: 2, name: "positive")
    #expect((0..<1_000).allSatisfy { _ in stream.logNormal(median: 1, sigma: 2) > 0 })
  }
}
