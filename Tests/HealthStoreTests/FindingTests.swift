import Quantities
import Testing

@testable import HealthStore

@Suite("What one look at a store finds")
struct FindingTests {
  /// Contents with a client that may do everything.
  private func contents() throws -> (StoreContents<MemoryBackend>, ClientID) {
    var contents = StoreContents()
    let (number, changes) = contents.registry.changes(
      registering: HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"),
      granting: .full, for: ObjectType.allCases)
    try contents.commit(changes)
    return (contents, ClientID(number: number))
  }

  @Test("A sample that begins at the end of a time is not in it, nor left out by what is not in it")
  func endOfATime() throws {
    var fixture = Fixture()
    var (contents, client) = try contents()
    let sample = fixture.glucose(100, minute: 5)
    _ = try contents.save(sample, as: client, at: fixture.start)
    func found(_ predicate: SamplePredicate) throws -> Int {
      try contents.samples(of: .bloodGlucose, matching: predicate, as: client).count
    }
    for (minute, isIn) in [(5, false), (6, true)] as [(Int64, Bool)] {
      let time = SamplePredicate.samples(end: fixture.start + .minutes(minute))
      #expect(try found(time) == (isIn ? 1 : 0))
      #expect(try found(.not(time)) == (isIn ? 0 : 1))
    }
  }

  @Test("A sample of the longest duration is taken, and one that ends at the earliest date")
  func limitsOfTimes() {
    let start = Instant(secondsSince1970: 1_700_000_000)
    func isRefused(_ length: TimeSpan, earliest: Instant? = nil) -> Bool {
      SavingRules.faultOfTimes(
        start, start + length, .workout, ObjectType.workout.row, earliest: earliest) != nil
    }
    // Four days.
    #expect(!isRefused(.hours(96)))
    #expect(isRefused(.hours(96) + .milliseconds(1)))
    let end = start + .hours(1)
    #expect(!isRefused(.hours(1), earliest: end))
    #expect(isRefused(.hours(1), earliest: end + .milliseconds(1)))
  }

  @Test("Figures stay those of the look, whatever is saved later")
  func figures() throws {
    var fixture = Fixture()
    var (contents, client) = try contents()
    let samples = [(100, 0), (120, 5), (140, 70)].map { fixture.glucose($0.0, minute: $0.1) }
    _ = try contents.save(samples, as: client, at: fixture.start)
    let query = try StatisticsQuery(
      of: .bloodGlucose, matching: .all, .discreteAverage, as: client, in: contents)
    _ = try contents.save(fixture.glucose(400, minute: 6), as: client, at: fixture.start)
    #expect(try query.whole().merged.average == 120)
    let buckets = try query.buckets(from: fixture.start, every: .minutes(60), on: .utc)
    #expect(buckets.map(\.merged.average) == [110, 140])
    let none = try StatisticsQuery(
      of: .stepCount, matching: .all, .cumulativeSum, as: client, in: contents)
    #expect(try none.buckets(from: fixture.start, every: .minutes(60), on: .utc).isEmpty)
    #expect(throws: HealthStoreError.noData(.stepCount)) { try none.whole() }
  }

  @Test("The sum of pulses of 0.05 U has no more digits than they have")
  func decimalSums() {
    let start = Instant(secondsSince1970: 1_700_000_000)
    func sum(_ values: [Double]) -> Double? {
      let group = values.enumerated().map { place, value in
        let at = start + .minutes(Int64(place))
        return StatisticsValue(value: value, start: at, end: at, source: 0)
      }
      return StatisticsFigures(
        [group], of: .insulinDelivery, options: .cumulativeSum, from: start, to: start + .days(9)
      ).sum
    }
    // Added up one by one they are 1.850000000000001, 0.30000000000000004 and 100.00000000001425.
    #expect(sum([Double](repeating: 0.05, count: 37)) == 1.85)
    #expect(sum([0.1, 0.1, 0.1]) == 0.3)
    #expect(sum([Double](repeating: 0.01, count: 10_000)) == 100)
    #expect(sum([1e-30]) == 1e-30)
    #expect(sum([]) == 0)
    #expect(DecimalSum([1.2, -1.2]).total == 0)
    #expect(DecimalSum([2e20, 1]).total == 2e20)
  }

  @Test("A document is offered until the user has chosen, and seen only where it was granted")
  func documents() throws {
    var fixture = Fixture()
    var (contents, client) = try contents()
    let documents = ["A", "B"].map { title in
      Sample(
        document: ClinicalDocument(
          restoring: [1], title: title, patientName: "", custodianName: "", authorName: ""),
        start: fixture.start, end: fixture.start, uuid: fixture.uuid())
    }
    _ = try contents.save(documents, as: .user, at: fixture.start)
    let found = try FoundDocuments(
      matching: .all, sortedBy: [SampleSort(.start)], as: client, in: contents)
    let offered = try #require(found.offered(in: contents.registry))
    #expect(offered.map(\.uuid) == documents.map(\.uuid))
    #expect(offered.allSatisfy { $0.document?.xml == nil })
    #expect(
      found.visible(limit: nil, includingContent: false, in: contents.registry).isEmpty)
    try contents.commit(found.grants(of: offered, granting: [documents[1].uuid]))
    #expect(found.offered(in: contents.registry) == nil)
    let seen = found.visible(limit: nil, includingContent: true, in: contents.registry)
    #expect(seen.map(\.uuid) == [documents[1].uuid])
    #expect(seen.first?.document?.xml == [1])
  }

  @Test("What is restored twice is passed over, and so is what was deleted")
  func restoring() throws {
    var fixture = Fixture()
    var (contents, _) = try contents()
    let samples = (0..<2 as Range<Int64>).map {
      RestoredSample(fixture.glucose(100, minute: $0), created: fixture.start)
    }
    #expect(try contents.restore([samples[0], samples[0]]) == [.added, .passedOver])
    let deletion = try Deletion(of: [samples[0].sample.uuid], as: .user, in: contents)
    try contents.delete(deletion, by: .user, at: fixture.start)
    var restoration = try Restoration(of: samples, in: contents)
    for sample in samples { try restoration.take(sample, into: &contents) }
    #expect(restoration.outcomes == [.passedOver, .added])
    #expect(restoration.batch.inserted.map(\.sample.uuid) == [samples[1].sample.uuid])
  }
}
