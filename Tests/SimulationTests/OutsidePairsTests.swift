import Determinism
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import Simulation

/// What finds records by their places is held to the search through all of them.
@Suite("Injections and their records, found by their times")
struct OutsidePairsTests {
  private static let start = Instant(secondsSince1970: 1_768_460_400)

  private static func sample(
    _ number: Int, at minute: Int64, units: Double, isOwn: Bool, isBasal: Bool = false
  ) -> InsulinSampleRecord {
    let instant = start + .minutes(minute)
    return InsulinSampleRecord(
      start: instant, end: instant, units: units, isBasal: isBasal, isOwn: isOwn, source: "Pen",
      writtenAt: instant, sampleID: SampleUUID(high: 1, low: UInt64(number)), syncIdentifier: nil)
  }

  /// The nearest pairs first, of all that have the same amount within an hour.
  private func plainPairs(
    _ injections: [InjectionRecord], _ samples: [InsulinSampleRecord]
  ) -> [Int: Int] {
    var all: [(distance: Int64, injection: Int, sample: Int)] = []
    for injection in injections.indices {
      for sample in samples.indices {
        let distance = (samples[sample].start - injections[injection].instant).magnitude
        guard (samples[sample].units - injections[injection].units).magnitude < 0.005,
          distance <= .hours(1)
        else { continue }
        all.append((distance.milliseconds, injection, sample))
      }
    }
    var pairs: [Int: Int] = [:]
    func pair(_ isTaken: ((distance: Int64, injection: Int, sample: Int)) -> Bool) {
      for pair in all.sorted(by: { $0 < $1 })
      where pairs[pair.injection] == nil && !pairs.values.contains(pair.sample) && isTaken(pair) {
        pairs[pair.injection] = pair.sample
      }
    }
    pair { $0.distance == 0 }
    // What is left of one instant is of another amount, and belongs together all the same.
    var (others, misstated): ([Int], [Int]) = ([], [])
    for injection in injections.indices where pairs[injection] == nil {
      let sample = samples.indices.first {
        samples[$0].start == injections[injection].instant && !pairs.values.contains($0)
          && !misstated.contains($0)
      }
      guard let sample else { continue }
      others.append(injection)
      misstated.append(sample)
    }
    pair { !others.contains($0.injection) && !misstated.contains($0.sample) }
    return pairs
  }

  @Test("The pairs are those of a search through all", arguments: 1...Extent.of(10, whole: 100))
  func pairs(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "pairs")
    func minute() -> Int64 { Int64(stream.unit() * 120) }
    func units() -> Double { Double(1 + Int(stream.unit() * 3)) }
    // In no order, as the samples of a health store that were written late.
    let injections = (0..<12).map { _ in
      InjectionRecord(
        instant: Self.start + .minutes(minute()), units: units(), name: "humalog", model: nil,
        countedModel: nil)
    }
    let samples = (0..<12).map { Self.sample($0, at: minute(), units: units(), isOwn: false) }
    let doses = OutsideDose.matched(
      injections: injections, doses: [], samples: samples, where: { _ in true })
    let plain = plainPairs(injections, samples)
    for (index, sample) in samples.enumerated() {
      let injection = plain.first { $0.value == index }.map { injections[$0.key] }
      #expect(doses[index].sample == sample)
      #expect(doses[index].injection == injection)
    }
    #expect(doses.count == samples.count + injections.count - plain.count)
  }

  @Test("The original of a sample is the first own one of the same delivery")
  func originals() {
    let samples = [
      Self.sample(0, at: 0, units: 1, isOwn: false), Self.sample(1, at: 5, units: 1, isOwn: true),
      Self.sample(2, at: 5, units: 2, isOwn: true), Self.sample(3, at: 5, units: 3, isOwn: false),
      Self.sample(4, at: 5, units: 1, isOwn: false, isBasal: true),
    ]
    let own = OwnSamples(samples)
    #expect(samples.map { own.original(of: $0)?.sampleID.low } == [nil, nil, nil, 1, nil])
  }

  @Test("Two injections of one instant have a record each, in the app and of a pen; one has one")
  func atOneInstant() {
    let samples = [
      Self.sample(0, at: 60, units: 4, isOwn: true), Self.sample(1, at: 60, units: 4, isOwn: false),
    ]
    let own = OwnSamples(samples)
    // The records that have an injection, of injections at some minutes.
    func recorded(_ minutes: [Int64]) -> [Bool] {
      let injections = minutes.map {
        InjectionRecord(
          instant: Self.start + .minutes($0), units: 4, name: "humalog", model: nil,
          countedModel: nil)
      }
      return OutsideDose.matched(
        injections: injections, doses: [], samples: samples
      ) { own.original(of: $0) == nil }.prefix(2).map { $0.injection != nil }
    }
    #expect(recorded([60, 60]) == [true, true])
    #expect(recorded([60]) == [true, false])
    #expect(recorded([60, 70]) == [true, false])
  }
}
