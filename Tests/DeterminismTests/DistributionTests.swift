import Testing

@testable import Determinism

/// Laws of numbers, held against their closed forms with bounds that a wrong law fails.
@Suite("Laws of numbers")
struct DistributionTests {
  private static let count = 20_000

  private static func draws(_ law: Distribution, seed: UInt64 = 1) -> [Double] {
    var stream = RandomStream(seed: seed, name: "law")
    return (0..<count).map { _ in law.draw(from: &stream) }
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  private static func deviation(_ values: [Double]) -> Double {
    let mean = mean(values)
    return Self.mean(values.map { ($0 - mean) * ($0 - mean) }).squareRoot()
  }

  @Test("A constant takes nothing from the stream")
  func constant() {
    var stream = RandomStream(seed: 1, name: "law")
    let before = stream
    #expect(Distribution.constant(4).draw(from: &stream) == 4)
    #expect(stream == before)
  }

  @Test("Every other law takes one draw, whatever its limits")
  func takesOneDraw() {
    let laws: [Distribution] = [
      .uniform(1...2), .normal(mean: 0, standardDeviation: 1, within: 2...3),
      .logNormal(median: 1, sigma: 1, within: 0.1...0.2),
    ]
    for law in laws {
      var stream = RandomStream(seed: 1, name: "law")
      var other = stream
      _ = law.draw(from: &stream)
      _ = other.next()
      #expect(stream == other, "\(law)")
    }
  }

  /// The normal quantile at 0.975 is 1.959964 (any table); within ±1 the share 0.75 of what lies
  /// there is that at 0.5 + 0.68268949 / 4.
  @Test("Quantiles are those of the law, and finite at both ends")
  func quantiles() {
    func near(_ law: Distribution, _ share: Double, _ expected: Double) -> Bool {
      (law.quantile(at: share) - expected).magnitude < 1e-6
    }
    let free = Distribution.unlimited
    #expect(near(.constant(4), 0.3, 4))
    #expect(near(.uniform(20...60), 0.25, 30))
    #expect(near(.normal(mean: 10, standardDeviation: 2, within: free), 0.975, 13.919928))
    #expect(near(.normal(mean: 0, standardDeviation: 1, within: -1...1), 0.75, 0.441771))
    #expect(near(.logNormal(median: 3, sigma: 0.5, within: free), 0.5, 3))
    #expect(Distribution.choices([1, 2, 3]).quantile(at: 0.999) == 3)
    #expect([0, 0.34, 1].map { Distribution.choices([1, 2, 3]).quantile(at: $0) } == [1, 2, 3])
    for law in [Distribution.normal(mean: 0, standardDeviation: 1, within: free), .uniform(0...1)] {
      #expect(law.quantile(at: 0).isFinite && law.quantile(at: 1).isFinite)
    }
  }

  @Test("A uniform law has the mean and the deviation of a rectangle")
  func uniform() {
    let values = Self.draws(.uniform(20...60))
    // The deviation is 40/√12 = 11.547; three standard errors of the mean are 0.245.
    #expect((Self.mean(values) - 40).magnitude < 0.25)
    #expect((Self.deviation(values) - 11.547).magnitude < 0.12)
    #expect(values.allSatisfy { (20...60).contains($0) })
  }

  @Test("A normal law that is cut off has the mean and the deviation of the truncated law")
  func normal() {
    let whole = Self.draws(
      .normal(mean: 50, standardDeviation: 10, within: Distribution.unlimited))
    #expect((Self.mean(whole) - 50).magnitude < 0.22)
    #expect((Self.deviation(whole) - 10).magnitude < 0.15)
    // The standard normal law above 0: mean √(2/π) = 0.79788, deviation √(1 − 2/π) = 0.60281.
    let half = Self.draws(.normal(mean: 0, standardDeviation: 1, within: 0...(.infinity)))
    #expect((Self.mean(half) - 0.797_88).magnitude < 0.013)
    #expect((Self.deviation(half) - 0.602_81).magnitude < 0.011)
    #expect(half.allSatisfy { $0 >= 0 })
  }

  @Test("A lognormal law has its median, and the deviation of its logarithm")
  func logNormal() {
    let law = Distribution.logNormal(median: 45, sigma: 0.4, within: Distribution.unlimited)
    let logarithms = Self.draws(law).map { PortableMath.log($0 / 45) }
    #expect(Self.mean(logarithms).magnitude < 0.009)
    #expect((Self.deviation(logarithms) - 0.4).magnitude < 0.007)
    let cut = Self.draws(.logNormal(median: 45, sigma: 0.4, within: 40...50))
    #expect(cut.allSatisfy { (40...50).contains($0) })
    #expect(cut.contains { $0 < 41 } && cut.contains { $0 > 49 })
  }

  @Test("A factor has just the mean and the deviation asked for")
  func factor() {
    let values = Self.draws(.factor(mean: 0.8, standardDeviation: 0.24))
    #expect((Self.mean(values) - 0.8).magnitude < 0.0055)
    #expect((Self.deviation(values) - 0.24).magnitude < 0.006)
    #expect(values.allSatisfy { $0 > 0 })
    #expect(Distribution.factor(mean: 0.8, standardDeviation: 0) == .constant(0.8))
  }

  @Test("Every choice comes alike")
  func choices() {
    let values = Self.draws(.choices([-15, 0, 20]))
    for choice in [-15.0, 0, 20] {
      let found = values.count { $0 == choice }
      // Three standard deviations of the binomial law are 200.
      #expect((found - Self.count / 3).magnitude < 200)
    }
  }

  @Test("The share within limits is that of the published table of the normal law")
  func shares() {
    let one = Distribution.normal(mean: 5, standardDeviation: 2, within: 3...7)
    #expect((one.shareWithinLimits - 0.682_689_492_137_086).magnitude < 1e-12)
    let two = Distribution.logNormal(
      median: 1, sigma: 1, within: PortableMath.exp(-2)...PortableMath.exp(2))
    #expect((two.shareWithinLimits - 0.954_499_736_103_642).magnitude < 1e-12)
    #expect(
      Distribution.normal(mean: 0, standardDeviation: 1, within: 9...10).shareWithinLimits < 1e-15)
    #expect(Distribution.uniform(0...1).shareWithinLimits == 1)
  }
}
