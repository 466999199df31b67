import Foundation
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import HealthStoreSQLite

/// Damage to the bytes of a store's file; `LOOPSIM_MUTATIONS` asks for more cases.
@Suite("Damaged files of stores")
struct FuzzStoreTests {
  static let count =
    ProcessInfo.processInfo.environment["LOOPSIM_MUTATIONS"].flatMap(Int.init)
    ?? Extent.of(40, whole: 150)

  @Test("Whatever bytes are changed, opening, checking and reading end, and never by a signal")
  func survives() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.sqlite")
    var generator = SplitMix(state: 11)
    do {
      var store = try SQLiteHealthStore(path: path)
      let client = try store.register(
        HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
      let start = Instant(secondsSince1970: 1_700_000_000)
      let samples = (0..<60 as Range<Int64>).map { minute in
        Sample.bloodGlucose(
          .mgdL(100), at: start + .minutes(minute), uuid: .init(using: &generator),
          metadata: [.syncIdentifier: .text("s\(minute)"), .syncVersion: .number(1)])
      }
      try store.save(samples, as: client, at: start)
    }
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    var (refused, found) = (0, 0)
    for number in 0..<Self.count {
      var bytes = original
      for _ in 0...Int(generator.next() % 4) {
        let place = Int(generator.next() % UInt64(bytes.count))
        bytes[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      if number.isMultiple(of: 10) { bytes = bytes.prefix(Int(generator.next() & 0xffff)) }
      let copy = folder.file("b.sqlite")
      try bytes.write(to: URL(fileURLWithPath: copy))
      do throws(HealthStoreError) {
        if try !SQLiteBackend.damage(inFileAt: copy).isEmpty { found += 1 }
        let store = try SQLiteHealthStore(reading: copy)
        for restored in try store.allSamples() { _ = "\(restored.sample)" }
        for type in ObjectType.allCases where type.isSampleType {
          _ = try store.changes(of: type, as: .user)
        }
        _ = try SQLiteHealthStore(path: copy)
      } catch {
        refused += 1
        #expect(!"\(error)".isEmpty)
      }
      for ending in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: copy + ending)
      }
    }
    #expect(refused + found > 0)
  }
}
