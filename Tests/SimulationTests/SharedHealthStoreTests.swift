import ClosedLoop
import HealthStore
import Quantities
import Testing

@testable import Simulation

/// What the person, other apps and faults do with the health store, without an app that runs.
@Suite("The health store that others use too")
struct SharedHealthStoreTests {
  /// A store with what it notes and names; the app under test has asked for everything.
  private struct World {
    var store: SharedHealthStore
    var trace = Trace()
    var names = ScenarioNames()
    let own: String

    init() throws {
      let setup = try Fixture().setup()
      own = setup.app.configuration.bundleIdentifier
      store = SharedHealthStore(beginning: setup)
    }

    var texts: [String] { trace.happenings.map(\.text) }

    /// What the app under test may do with a kind of data now.
    func authorization(for data: HealthStoreAccess.Data) -> Authorization? {
      store.records.registry.client(bundleIdentifier: own).map {
        store.records.registry.authorization(of: $0, for: data.type)
      }
    }

    /// The amounts of the carbohydrates in the store, in grams.
    func grams() throws -> [Double] {
      let records = store.records
      return try records.samples(of: .dietaryCarbohydrates, as: .user).map { $0.storedValue ?? -1 }
    }

    mutating func take(_ grams: Double, as event: String = "", at now: Instant) {
      let write = HealthStoreWrite(.carbs(grams: grams), start: now, source: "Diary")
      store.take(
        NamedWrite(write: write, event: event), at: now, noting: &trace, naming: &names)
    }

    mutating func begin(
      _ kind: HealthStoreFault.Kind, rate: Double = 1,
      data: [HealthStoreAccess.Data] = HealthStoreAccess.Data.allCases
    ) {
      store.begin(
        HealthStoreFault(kind, data: data, rate: rate), id: "fault", at: .at(1), noting: &trace)
    }

    mutating func delete(_ request: DeletionRequest) -> [Sample] {
      store.delete(request, at: .at(2), knowing: names, noting: &trace)
    }

    /// The app under test writes carbohydrates of 20 g.
    mutating func writeAsApp() throws {
      let client = try #require(store.records.registry.client(bundleIdentifier: own))
      let sample = Sample.dietaryCarbohydrates(
        .init(grams: 20), at: .at(1), uuid: SampleUUID(named: ["app"]))
      try store.records.save(sample, as: client, at: .at(1))
    }
  }

  @Test("What another app writes is in the store, told, and found by its name")
  func writes() throws {
    var world = try World()
    world.take(30, as: "lunch", at: .at(1))
    world.take(40, at: .at(1, 5))
    #expect(try world.grams() == [30, 40])
    #expect(
      world.texts == [
        "Diary writes 30.0 g of carbohydrate.", "Diary writes 40.0 g of carbohydrate.",
      ])
    let request = DeletionRequest(place: .healthStore, kind: .carbs, id: "lunch")
    #expect(world.delete(request).map(\.storedValue) == [30])
    #expect(try world.grams() == [40])
    #expect(world.delete(request).isEmpty)
  }

  @Test("The last entries are the last of all kinds together", arguments: 1...4)
  func deletesLast(count: Int) throws {
    var world = try World()
    let contents: [HealthStoreWrite.Content] = [
      .carbs(grams: 30), .bolus(units: 2, insulin: nil), .carbs(grams: 40), .glucose(.mgdL(120)),
    ]
    for (index, content) in contents.enumerated() {
      let write = HealthStoreWrite(content, start: .at(1, Int64(index)), source: "Diary")
      world.store.take(
        NamedWrite(write: write, event: ""), at: .at(1, 30), noting: &world.trace,
        naming: &world.names)
    }
    let deleted = world.delete(DeletionRequest(place: .healthStore, kind: .any, last: count))
    let starts = deleted.map(\.start).sorted()
    #expect(starts == (4 - count..<4).map { Instant.at(1, Int64($0)) })
  }

  @Test("What waits for the phone is handed over once, in order")
  func waits() throws {
    var world = try World()
    for grams in [10.0, 20] {
      let write = HealthStoreWrite(.carbs(grams: grams), start: .at(1), source: "Diary")
      world.store.keep(NamedWrite(write: write, event: ""))
    }
    #expect(try world.grams().isEmpty)
    for _ in 1...2 {
      world.store.takeWaiting(at: .at(2), noting: &world.trace, naming: &world.names)
    }
    #expect(try world.grams() == [10, 20])
  }

  @Test("A delay holds back its kinds of data, and hands them over at its end")
  func delays() throws {
    var world = try World()
    world.begin(.lateSync, data: [.carbs])
    world.take(30, as: "lunch", at: .at(1))
    #expect(try world.grams().isEmpty)
    #expect(world.texts.isEmpty)
    let held = world.store.end(id: "fault", at: .at(2), noting: &world.trace)
    #expect(held.map(\.event) == ["lunch"])
    world.take(40, at: .at(2))
    #expect(try world.grams() == [40])
    // Of an id that is not in force nothing is left to hand over.
    #expect(world.store.end(id: "fault", at: .at(3), noting: &world.trace).isEmpty)
  }

  @Test("A fault takes a permission away, and what the person allows comes back after it")
  func restricts() throws {
    var world = try World()
    let before = try #require(world.authorization(for: .carbs))
    #expect(before.share == .authorized)
    world.begin(.writeFails, data: [.carbs])
    world.store.applyPermissions(at: .at(1), noting: &world.trace)
    #expect(world.authorization(for: .carbs)?.share == .denied)
    #expect(world.authorization(for: .insulin)?.share == .authorized)
    // Meanwhile the person revokes reading, which the fault does not touch.
    let access = HealthStoreAccess(data: [.carbs], directions: [.read], isGranted: false)
    world.store.answer(access, at: .at(1), noting: &world.trace)
    _ = world.store.end(id: "fault", at: .at(2), noting: &world.trace)
    world.store.applyPermissions(at: .at(2), noting: &world.trace)
    #expect(world.authorization(for: .carbs)?.share == .authorized)
    #expect(world.authorization(for: .carbs)?.read == .denied)
    #expect(world.texts == ["The person revokes read of carbs."])
  }

  @Test("A fault that comes now and then is drawn anew for every cycle")
  func draws() throws {
    var world = try World()
    world.begin(.writeFails, rate: 0.5)
    var refused = 0
    for cycle in 0..<200 {
      world.store.drawAccess(at: .at(1, Int64(cycle)), noting: &world.trace)
      if world.authorization(for: .carbs)?.share == .denied { refused += 1 }
    }
    #expect((60...140).contains(refused))
  }

  @Test("Everything is deleted once and comes back once from the backup")
  func restores() throws {
    var world = try World()
    world.take(30, at: .at(1))
    world.begin(.wipe)
    #expect(try world.grams().isEmpty)
    world.store.restore(at: .at(2), noting: &world.trace)
    #expect(try world.grams() == [30])
    world.store.restore(at: .at(3), noting: &world.trace)
    #expect(
      world.texts.dropFirst() == [
        "Everything in the health store is deleted.", "1 sample comes back from a backup.",
        "Nothing was lost from the health store; there is no backup.",
      ])
  }

  @Test("A fault that finds nothing to delete leaves the backup of what was lost before")
  func keepsBackup() throws {
    var world = try World()
    world.take(30, at: .at(1))
    world.begin(.wipe, data: [.carbs])
    world.begin(.wipe, data: [.glucose])
    world.store.restore(at: .at(2), noting: &world.trace)
    #expect(try world.grams() == [30])
    #expect(
      world.texts.dropFirst() == [
        "1 sample in the health store is deleted.", "0 samples in the health store are deleted.",
        "1 sample comes back from a backup.",
      ])
  }

  @Test("A contradiction copies what the app has written since it began, and nothing of others")
  func contradicts() throws {
    var world = try World()
    world.take(50, at: .at(0, 30))
    world.begin(.conflict(factor: 1.5), data: [.carbs])
    try world.writeAsApp()
    world.take(70, at: .at(1))
    for _ in 1...2 { world.store.copySamples(at: .at(1), noting: &world.trace) }
    #expect(try world.grams().sorted() == [20, 30, 50, 70])
    _ = world.store.end(id: "fault", at: .at(2), noting: &world.trace)
    #expect(world.texts.last == "1 sample came from another source.")
  }

  @Test("What the store refuses is told, and leaves it as it was")
  func refuses() throws {
    var world = try World()
    let write = HealthStoreWrite(
      .basal(units: 1, duration: .minutes(-5)), start: .at(1), source: "Diary")
    world.store.take(
      NamedWrite(write: write, event: "dose"), at: .at(1), noting: &world.trace,
      naming: &world.names)
    let records = world.store.records
    #expect(try records.samples(of: .insulinDelivery, as: .user).isEmpty)
    let warning = try #require(world.trace.happenings.first)
    #expect(warning.kind == .warning)
    #expect(warning.text.hasPrefix("The health store refused the sample: "))
  }
}
