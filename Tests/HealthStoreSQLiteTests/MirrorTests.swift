import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

/// A folder that goes with the test.
final class ScratchFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("health-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// A small generator for tests (Steele, Lea and Flood 2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite("The file of a run")
struct MirrorTests {
  /// A store in memory with an app that may do everything, and the file that mirrors it.
  private struct Bench {
    static let start = Instant(secondsSince1970: 1_700_000_000)
    let folder: ScratchFolder
    let app = HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop")
    let loop: ClientID
    var memory = InMemoryHealthStore()
    var generator = SplitMix(state: 9)
    let file: SQLiteBackend

    init() throws {
      folder = try ScratchFolder()
      loop = try memory.register(app, granting: .full)
      file = try SQLiteBackend(path: folder.file("health.sqlite"))
    }

    func mirror() throws { try file.mirror(memory) }

    mutating func sample(at instant: Instant) -> Sample {
      .bloodGlucose(.mgdL(100), at: instant, uuid: .init(using: &generator))
    }
  }

  @Test("A mirror holds the rows of the store in memory, identities, anchors and times alike")
  func mirrors() throws {
    let folder = try ScratchFolder()
    var generator = SplitMix(state: 3)
    let start = Instant(secondsSince1970: 1_700_000_000)
    var memory = InMemoryHealthStore()
    let loop = try memory.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop", version: "3"),
      granting: .full)
    let file = try SQLiteBackend(path: folder.file("health.sqlite"))
    let device = Device(name: "Pump", manufacturer: "Simulated")
    for step in 0..<20 as Range<Int64> {
      let instant = start + .minutes(5 * step)
      var metadata = Metadata()
      metadata.setSync(identifier: "dose \(step / 3)", version: Int(step))
      metadata.scheduledBasalRate = InsulinRate(milliunitsPerHour: 850)
      try memory.save(
        [
          .bloodGlucose(.mgdL(100 + Double(step)), at: instant, uuid: .init(using: &generator)),
          .insulinDelivery(
            InsulinAmount(milliunits: 50 * step), reason: .basal, start: instant,
            end: instant + .minutes(5), uuid: .init(using: &generator), device: device,
            metadata: metadata),
        ], as: loop, at: instant + .seconds(1))
      if step % 4 == 0 { try file.mirror(memory) }
    }
    try file.mirror(memory)
    let kept = try HealthRecordStore(opening: file)
    #expect(kept.registry == memory.registry)
    #expect(kept.lastRow == memory.lastRow)
    for type in [.bloodGlucose, .insulinDelivery] as [ObjectType] {
      #expect(
        try kept.changes(of: type, as: .user) == memory.changes(of: type, as: .user))
      #expect(
        try kept.samples(of: type, as: .user) == memory.samples(of: type, as: .user))
    }
    #expect(try kept.changes(of: .insulinDelivery, as: .user).deleted.count == 13)
  }

  @Test("A mirror of thousands has each sample with its metadata, whatever their kinds and order")
  func mirrorsMany() throws {
    let folder = try ScratchFolder()
    var generator = SplitMix(state: 11)
    let start = Instant(secondsSince1970: 1_700_000_000)
    var memory = InMemoryHealthStore()
    let loop = try memory.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop", version: "3"),
      granting: .full)
    let values: [MetadataValue] = [
      .text("a 'word'"), .number(0.1), .flag(true), .date(start), .quantity(.init(5, .count)),
    ]
    let file = try SQLiteBackend(path: folder.file("health.sqlite"))
    for step in 0..<1_100 as Range<Int64> {
      let instant = start + .minutes(5 * step)
      let samples = try (0..<8).map { _ -> Sample in
        var metadata = Metadata()
        for key in 0..<Int(generator.next() % 5) {
          metadata[MetadataKey("key \(key)")] = values[Int(generator.next() % 5)]
        }
        let type: ObjectType = generator.next() % 3 == 0 ? .stepCount : .bloodGlucose
        return try Sample(
          type,
          quantity: HealthQuantity(
            Double(generator.next() % 300),
            type == .stepCount ? .count : .milligramPerDecilitre),
          start: instant, end: instant, uuid: .init(using: &generator), metadata: metadata)
      }
      try memory.save(samples, as: loop, at: instant + .seconds(1))
      if step == 300 { try file.mirror(memory) }
    }
    try file.mirror(memory)
    let kept = try HealthRecordStore(opening: file)
    #expect(kept.lastRow == 8_800)
    for type in [.bloodGlucose, .stepCount] as [ObjectType] {
      let samples = try kept.samples(of: type, as: .user)
      #expect(samples.count > 2_500)
      #expect(try samples == memory.samples(of: type, as: .user))
    }
  }

  @Test("A deletion whose trace is forgotten before the next mirror is in the file too")
  func forgottenDeletion() throws {
    var bench = try Bench()
    let start = Bench.start
    let samples = (0..<3 as Range<Int64>).map { bench.sample(at: start + .minutes($0)) }
    try bench.memory.save(samples, as: bench.loop, at: start)
    try bench.mirror()
    try bench.memory.delete(samples.prefix(2).map(\.uuid), as: bench.loop, at: start)
    try bench.memory.save(samples[1], as: bench.loop, at: start)
    try bench.memory.purgeTombstones(at: start + .days(40))
    try bench.mirror()
    #expect(try bench.file.stored(samples[0].uuid) == nil)
    // Three of the first commit, two deletions, and the sample that is saved again.
    #expect(try bench.file.stored(samples[1].uuid)?.row == 6)
    #expect(try bench.file.stored(samples[2].uuid)?.row == 3)
  }

  @Test("What is saved under the identity of a pruned sample takes its place in the file")
  func savedAfterPruning() throws {
    var bench = try Bench()
    let start = Bench.start
    let first = bench.sample(at: start)
    try bench.memory.save(first, as: bench.loop, at: start)
    try bench.mirror()
    try bench.memory.prune(endingBefore: start + .days(1))
    let later = Sample.bloodGlucose(.mgdL(101), at: start + .days(2), uuid: first.uuid)
    try bench.memory.save(later, as: bench.loop, at: start + .days(2))
    try bench.mirror()
    #expect(try bench.file.stored(first.uuid)?.sample.start == later.start)
  }

  @Test("What was pruned is gone from the file, too, where older samples are taken again since")
  func prunedLessSince() throws {
    var bench = try Bench()
    let start = Bench.start
    let (first, second) = (bench.sample(at: start), bench.sample(at: start + .minutes(5)))
    try bench.memory.save([first, second], as: bench.loop, at: start)
    try bench.mirror()
    try bench.memory.prune(endingBefore: start + .days(1))
    try bench.memory.prune(endingBefore: start)
    try bench.memory.save(second, as: bench.loop, at: start + .days(1))
    try bench.mirror()
    #expect(try bench.file.stored(first.uuid) == nil)
    #expect(try bench.file.stored(second.uuid)?.row == 3)
    try bench.memory.prune(endingBefore: start + .days(1))
    try bench.memory.changeSettings { $0.earliestPermittedSampleDate = nil }
    try bench.mirror()
    #expect(try bench.file.stored(second.uuid) == nil)
  }

  @Test("What an app may do is undetermined in the file, too, when it is gone")
  func uninstalling() throws {
    var bench = try Bench()
    let start = Bench.start
    func allowed() throws -> Authorization {
      try bench.file.loadRegistry().authorization(of: bench.app.family, for: .bloodGlucose)
    }
    try bench.memory.save(bench.sample(at: start), as: bench.loop, at: start)
    try bench.mirror()
    #expect(try allowed() == .full)
    try bench.memory.uninstall(bench.loop)
    try bench.mirror()
    #expect(try allowed() == .notDetermined)
  }

  @Test("A second writer is turned away and changes nothing; a reader is not")
  func leaseIsExclusive() throws {
    let folder = try ScratchFolder()
    let path = folder.file("health.sqlite")
    let first = try SQLiteBackend(path: path)
    let error = #expect(throws: HealthStoreError.inUse(path: path)) {
      try SQLiteBackend(path: path)
    }
    #expect(error?.processExitCode == 75)
    #expect(try SQLiteBackend(reading: path).lastRow == first.lastRow)
  }

  @Test("What waits to be uploaded, and what was, is in the file as it is in memory")
  func uploads() throws {
    var bench = try Bench()
    let start = Bench.start
    var service = SubscriptionService(name: "cloud", client: bench.loop)
    try service.setSubscriptions([.bloodGlucose], in: &bench.memory)
    let samples = (0..<3).map { bench.sample(at: start + .minutes($0 * 5)) }
    var sink = KeepingSink()
    try bench.memory.save(samples[0], as: bench.loop, at: start)
    try service.collect(in: &bench.memory, at: start)
    #expect(try service.upload(to: &sink, in: &bench.memory, at: start) == 1)
    try bench.memory.save([samples[1], samples[2]], as: bench.loop, at: start)
    try service.collect(in: &bench.memory, at: start)
    try bench.memory.delete([samples[1].uuid], as: bench.loop, at: start)
    try service.collect(in: &bench.memory, at: start)
    sink.isConnected = false
    #expect(try service.upload(to: &sink, in: &bench.memory, at: start) == 0)
    for _ in 0..<2 {
      try bench.mirror()
      #expect(
        try bench.file.uploads(of: "cloud", limit: 9)
          == bench.memory.backend.uploads(of: "cloud", limit: 9))
    }
    var copy = try HealthRecordStore(opening: bench.file)
    sink.isConnected = true
    let later = start + .hours(1)
    try service.observeCurrentSubscriptions(in: &copy)
    #expect(try service.collect(in: &copy, at: later) == 0)
    #expect(try service.upload(to: &sink, in: &copy, at: later) == 3)
    #expect(
      sink.received.map(\.upload.uuid)
        == [samples[0], samples[1], samples[2], samples[1]].map(\.uuid))
    #expect(sink.received.map(\.upload.operation) == [.add, .add, .add, .delete])
    try service.forgetQueue(in: &bench.memory)
    try bench.mirror()
    #expect(try bench.file.uploads(of: "cloud", limit: 9).isEmpty)
  }
}
