import Testing

@testable import Determinism

@Suite("Random streams")
struct RandomStreamTests {
  @Test("the generator gives the published vector of SplitMix64")
  func publishedVector() {
    var stream = RandomStream(state: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in stream.next() } == expected)
  }

  @Test("one seed, name and member give one sequence; a change in any gives another")
  func names() {
    func first(_ seed: UInt64, _ name: String, _ member: UInt64) -> [UInt64] {
      var stream = RandomStream(seed: seed, name: name, member: member)
      return (0..<4).map { _ in stream.next() }
    }
    #expect(first(1, "cgm", 0) == first(1, "cgm", 0))
    let others = [first(2, "cgm", 0), first(1, "pump", 0), first(1, "cgm", 1)]
    #expect(others.allSatisfy { $0 != first(1, "cgm", 0) })
    #expect(Set(others).count == 3)
  }

  @Test("a copy of a stream continues as the stream does")
  func checkpoint() {
    var stream = RandomStream(seed: 7, name: "meals")
    _ = stream.next()
    var copy = stream
    #expect(copy.next() == stream.next())
  }

  @Test("unit draws fill 0 ..< 1 evenly")
  func unit() {
    var stream = RandomStream(seed: 3, name: "unit")
    var bins = Array(repeating: 0, count: 10)
    for _ in 0..<20_000 {
      let drawn = stream.unit()
      #expect(drawn >= 0 && drawn < 1)
      bins[Int(drawn * 10)] += 1
    }
    // Chi-square with 9 degrees of freedom: 27.9 is exceeded once in a thousand.
    let deviations = bins.map { Double(($0 - 2_000) * ($0 - 2_000)) / 2_000 }
    #expect(deviations.reduce(0, +) < 27.9)
  }

  @Test("a uniform draw stays within its range, also when the range is a point")
  func uniform() {
    var stream = RandomStream(seed: 4, name: "uniform")
    for _ in 0..<1_000 {
      let drawn = stream.uniform(in: -2.5...4)
      #expect(drawn >= -2.5 && drawn <= 4)
    }
    #expect(stream.uniform(in: 3...3) == 3)
  }

  @Test("whole numbers below a bound are equally likely and stay below it")
  func integers() {
    var stream = RandomStream(seed: 5, name: "integers")
    var counts = Array(repeating: 0, count: 7)
    for _ in 0..<14_000 { counts[Int(stream.integer(below: 7))] += 1 }
    let deviations = counts.map { Double(($0 - 2_000) * ($0 - 2_000)) / 2_000 }
    #expect(deviations.reduce(0, +) < 22.5)  // Chi-square, 6 degrees of freedom, 0.1 %.
    #expect(stream.integer(below: 0) == 0)
    #expect(stream.integer(below: 1) == 0)
    #expect(stream.integer(below: .max) < .max)
  }

  @Test("an event of probability p happens in that share of draws, never for 0, always for 1")
  func bernoulli() {
    var stream = RandomStream(seed: 6, name: "bernoulli")
    let hits = (0..<10_000).filter { _ in stream.bernoulli(0.3) }.count
    #expect(abs(hits - 3_000) < 151)  // 3.3 standard deviations of the binomial law.
    #expect(!(0..<100).contains { _ in stream.bernoulli(0) })
    #expect((0..<100).allSatisfy { _ in stream.bernoulli(1) })
  }
}
