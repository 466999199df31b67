import ClosedLoop
import HealthStore
import Quantities
import Simulation
import TestSupport
import Testing

@Suite("What a new installation of the app writes beside what the former one has written")
struct NewInstallationTests {
  private func entry(_ name: String, _ grams: Double, at instant: Instant) -> ScenarioEvent {
    let request = CarbEntryRequest(name: name, grams: grams, absorption: nil, eatenAt: instant)
    return ScenarioEvent(at: instant, id: name, .enterCarbs(request))
  }

  /// The grams of carbohydrate in the health store after 20 g at 00:20, the app's end and return at
  /// 01:00, and 30 g at 02:00, which become 40 g at 03:00.
  private func grams(after returning: [ScenarioEvent]) throws -> [Double] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events =
      [entry("before", 20, at: .at(0, 20))] + returning + [
        entry("after", 30, at: .at(2)),
        ScenarioEvent(
          at: .at(3), id: "after",
          .editCarbs(entry: "after", grams: 40, absorption: nil, eatenAt: nil)),
      ]
    let records = try fixture.result().store
    return try records.samples(of: .dietaryCarbohydrates, as: .user)
      .map { $0.storedValue ?? -1 }.sorted()
  }

  @Test("Entries of a new installation stand beside those of the former one")
  func reinstalled() throws {
    #expect(try grams(after: [ScenarioEvent(at: .at(1), .reinstallApp)]) == [20, 40])
  }

  @Test("What is entered after a crash stands beside an entry that the app lost, but had written")
  func crashed() throws {
    let crash = Fault(id: "crash", .app(.crash(loses: [.unsaved, .memory])))
    for minutes: Int64 in [21, 24, 60] {
      let began = Instant.at(0, minutes)
      let crash = [
        ScenarioEvent(at: began, id: "crash", .beginFault(crash)),
        ScenarioEvent(at: began + .minutes(10), id: "crash", .endFault(id: "crash")),
      ]
      #expect(try grams(after: crash) == [20, 40], "\(minutes)")
    }
  }

  @Test("No two samples of two installations have the same random part of an identity")
  func identities() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [ScenarioEvent(at: .at(1), .reinstallApp)]
    let records = try fixture.result().store
    var samples: [Sample] = []
    for type: ObjectType in [.bloodGlucose, .insulinDelivery] {
      samples += try records.samples(of: type, as: .user)
    }
    #expect(samples.count > 40)
    // The first six bytes are the time.
    #expect(Set(samples.map { "\($0.uuid)".suffix(17) }).count == samples.count)
  }

  @Test("Carbohydrates that the former app was not allowed to write are told, and not forgotten")
  func neverWritten() throws {
    var fixture = Fixture()
    fixture.duration = .hours(20)
    func access(_ isGranted: Bool) -> ScenarioEvent.Action {
      .authorize(HealthStoreAccess(data: [.carbs], directions: [.write], isGranted: isGranted))
    }
    fixture.events = [
      entry("written", 10, at: .at(0, 20)),
      ScenarioEvent(at: .at(1), access(false)),
      entry("first", 20, at: .at(2)),
      entry("second", 30, at: .at(3)),
      ScenarioEvent(at: .at(14), .reinstallApp),
      ScenarioEvent(at: .at(15), access(true)),
      entry("new", 40, at: .at(16)),
    ]
    let run = try fixture.result()
    let stored = try run.store.samples(of: .dietaryCarbohydrates, as: .user)
    #expect(stored.map { $0.storedValue ?? -1 }.sorted() == [10, 40])
    #expect(
      run.troubles.filter { $0.kind == .carbsNotStored }.map(\.text) == [
        "50 g of carbohydrates entered in 2 entries from 02:00:00 to 03:00:00 are not in the "
          + "health store: the app was installed anew before it had written them."
      ])
  }
}
