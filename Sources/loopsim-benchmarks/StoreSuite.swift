import Determinism
import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Synchronization

/// Health stores in memory and in a file, of a thousand and a hundred thousand samples.
///
/// Stores of ten million samples take gigabytes; name them with `--filter store-large`.
enum StoreSuite {
  static let suite = Suite(name: "store", cases: cases(of: [1_000, 100_000]))

  /// The same with ten million samples.
  static let large = Suite(name: "store-large", cases: cases(of: [10_000_000]))

  private static func cases(of sizes: [Int]) -> [Benchmark] {
    sizes.flatMap { size in
      [
        Benchmark(name: "make \(size)", unit: "sample", units: size) {
          var sum = Checksum()
          ReadingBatches.visit(size, isKept: false) { sum.absorb(Int64($0.count)) }
          return sum.value
        },
        Benchmark(name: "memory, save \(size)", unit: "sample", units: size) {
          var store = InMemoryHealthStore()
          return fill(&store, count: size)
        },
        Benchmark(name: "file, save \(size) in batches", unit: "sample", units: size) {
          StoreFiles.temporary { path in
            guard var store = try? SQLiteHealthStore(path: path, isChecked: false) else { return 0 }
            return fill(&store, count: size)
          }
        },
        Benchmark(name: "memory, a day of \(size)", unit: "query", units: 20) {
          days(of: StoreFiles.memory(size), count: size)
        },
        Benchmark(name: "file, a day of \(size)", unit: "query", units: 20) {
          StoreFiles.withFile(size) { days(of: $0, count: size) }
        },
        Benchmark(name: "memory, 10 changes of \(size)", unit: "query", units: 20) {
          changes(in: StoreFiles.memory(size))
        },
        Benchmark(name: "file, 10 changes of \(size)", unit: "query", units: 20) {
          StoreFiles.withFile(size) { changes(in: $0) }
        },
      ]
    }
  }

  fileprivate static let birth = Instant(secondsSince1970: 1_500_000_000)
  private static let loop = HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop")

  /// Saves glucose readings five minutes apart, ten thousand in a transaction.
  ///
  /// Up to a hundred thousand were made before, so that saving alone is timed; more take too much
  /// memory, and are made on the way.
  static func fill<Backend>(_ store: inout HealthRecordStore<Backend>, count: Int) -> UInt64 {
    guard let client = try? store.register(loop, granting: .full) else { return 0 }
    var isWhole = true
    ReadingBatches.visit(count, isKept: count <= 100_000) { batch in
      guard let last = batch.last else { return }
      if (try? store.save(batch, as: client, at: last.start)) == nil { isWhole = false }
    }
    return isWhole ? UInt64(store.lastRow) : 0
  }

  /// Asks for twenty days spread over the store.
  private static func days<Backend>(of store: HealthRecordStore<Backend>, count: Int) -> UInt64 {
    var sum = Checksum()
    for step in 0..<20 as Range<Int64> {
      let start = birth + .minutes(Int64(5 * count) / 20 * step)
      let samples = try? store.samples(
        of: .bloodGlucose, from: start, to: start + .days(1), as: .user)
      sum.absorb(Int64(samples?.count ?? 0))
    }
    return sum.value
  }

  /// Asks for the last ten changes, twenty times.
  private static func changes<Backend>(in store: HealthRecordStore<Backend>) -> UInt64 {
    var sum = Checksum()
    for _ in 0..<20 {
      let anchor = QueryAnchor(row: store.lastRow - 10)
      let changes = try? store.changes(of: .bloodGlucose, since: opaque(anchor), as: .user)
      sum.absorb(Int64(changes?.added.count ?? 0))
    }
    return sum.value
  }
}

/// Glucose readings five minutes apart, in the batches in which they are saved.
private enum ReadingBatches {
  private static let kept = Mutex<(count: Int, batches: [[Sample]])?>(nil)

  /// Hands out the batches of a number of readings: those kept from the last time, or new ones.
  static func visit(_ count: Int, isKept: Bool, _ body: ([Sample]) -> Void) {
    guard isKept else { return make(count, body) }
    let batches = kept.withLock { kept in
      if let kept, kept.count == count { return kept.batches }
      var batches: [[Sample]] = []
      make(count) { batches.append($0) }
      kept = (count, batches)
      return batches
    }
    for batch in batches { body(batch) }
  }

  private static func make(_ count: Int, _ body: ([Sample]) -> Void) {
    var stream = RandomStream(seed: opaque(1), name: "store benchmark")
    var batch: [Sample] = []
    batch.reserveCapacity(10_000)
    for index in 0..<count {
      let instant = StoreSuite.birth + .minutes(Int64(5 * index))
      batch.append(
        .bloodGlucose(
          .mgdL(Double(80 + index % 100)), at: instant,
          uuid: SampleUUID(at: instant, using: &stream)))
      guard batch.count == 10_000 || index == count - 1 else { continue }
      body(batch)
      batch.removeAll(keepingCapacity: true)
    }
  }
}

/// The stores that queries are timed on, each filled once and kept until another size is wanted.
enum StoreFiles {
  private static let memory = Mutex<(count: Int, store: InMemoryHealthStore)?>(nil)
  private static let file = Mutex<(count: Int, store: SQLiteHealthStore)?>(nil)

  static func memory(_ count: Int) -> InMemoryHealthStore {
    memory.withLock { kept in
      if let kept, kept.count == count { return kept.store }
      kept = nil
      var store = InMemoryHealthStore()
      _ = StoreSuite.fill(&store, count: count)
      kept = (count, store)
      return store
    }
  }

  static func withFile(_ count: Int, _ body: (SQLiteHealthStore) -> UInt64) -> UInt64 {
    file.withLock { kept in
      if let kept, kept.count == count { return body(kept.store) }
      kept = nil
      let path = path("kept")
      remove(path)
      guard var store = try? SQLiteHealthStore(path: path, isChecked: false) else { return 0 }
      _ = StoreSuite.fill(&store, count: count)
      kept = (count, store)
      return body(store)
    }
  }

  /// Calls a body with the path of a file that does not exist yet, and removes what it makes.
  static func temporary(_ body: (String) -> UInt64) -> UInt64 {
    let path = path("fresh")
    remove(path)
    defer { remove(path) }
    return body(path)
  }

  private static func path(_ name: String) -> String {
    let process = ProcessInfo.processInfo.processIdentifier
    return FileManager.default.temporaryDirectory
      .appendingPathComponent("loopsim-benchmarks-\(process)-\(name).sqlite").path
  }

  private static func remove(_ path: String) {
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
  }
}
