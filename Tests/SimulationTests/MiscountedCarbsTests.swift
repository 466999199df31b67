import ClosedLoop
import HealthStore
import Quantities
import Simulation
import Testing

@Suite("Carbohydrates that the app loses, or counts besides")
struct MiscountedCarbsTests {
  /// 30 g at 00:20, of which nothing is seen to be absorbed, and what happens then.
  private func run(_ events: [ScenarioEvent]) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(8)
    let meal = CarbEntryRequest(name: "lunch", grams: 30, absorption: nil, eatenAt: .at(0, 20))
    fixture.events = [ScenarioEvent(at: .at(0, 20), id: "lunch", .enterCarbs(meal))] + events
    return try fixture.result()
  }

  private func wipe(
    at instant: Instant, _ data: [HealthStoreAccess.Data] = HealthStoreAccess.Data.allCases
  ) -> ScenarioEvent {
    let fault = HealthStoreFault(.wipe, data: data)
    return ScenarioEvent(
      at: instant, id: "gone", .beginFault(Fault(id: "gone", .healthStore(fault))))
  }

  private func told(_ run: RunResult) -> [RunTrouble] {
    run.troubles.filter { $0.kind == .wrongInApp && $0.text.contains("carbohydrates") }
  }

  /// The carbs on board in a row, to a tenth of a gram.
  private func onBoard(_ run: RunResult, at instant: Instant) throws -> String {
    let row = try #require(run.trace.rows.first { $0.instant == instant })
    let grams = try #require(row.carbsOnBoard)
    let tenths = Int((grams * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  @Test("A wiped health store takes food from the app: when, how much, and what that changed")
  func wiped() throws {
    let run = try run([
      wipe(at: .at(1, 1)), ScenarioEvent(at: .at(2, 7), id: "back", .restoreHealthStore),
    ])
    let told = told(run)
    #expect(told.map(\.kind) == [.wrongInApp])
    #expect(try onBoard(run, at: .at(1, 5)) == "0")
    #expect(try onBoard(run, at: .at(1)) != "0")
    #expect(
      told.map(\.text) == [
        "From 01:05:00 to 02:10:00 the app lacked 30 g of carbohydrates in 1 entry, because the "
          + "fault gone had deleted them in the health store; its carbs on board were "
          + "\(try onBoard(run, at: .at(1))) g before and 0 g at 01:05:00."
      ])
    #expect(told.first?.start == .at(1, 5))
    #expect(told.first?.end == .at(2, 10))
  }

  @Test("Of an app that did not run before, it is told when it had its carbs on board")
  func wipedAfterSilence() throws {
    let off = Fault(id: "off", .phone(.off))
    let run = try run([
      ScenarioEvent(at: .at(0, 41), id: "off", .beginFault(off)),
      ScenarioEvent(at: .at(1, 41), id: "off", .endFault(id: "off")), wipe(at: .at(1, 1)),
    ])
    let told = told(run)
    // The last decision before was at 00:40, an hour and five minutes earlier.
    #expect(
      told.map(\.text) == [
        "From 01:45:00 on the app lacked 30 g of carbohydrates in 1 entry, because the fault gone "
          + "had deleted them in the health store; its carbs on board were "
          + "\(try onBoard(run, at: .at(0, 40))) g at 00:40:00 and 0 g at 01:45:00."
      ])
  }

  @Test("What does not come back is told until it would have counted as absorbed")
  func lastingly() throws {
    let told = told(try run([wipe(at: .at(1, 1), [.carbs])]))
    #expect(told.count == 1)
    #expect(told.first?.text.hasPrefix("From 01:05:00 on the app lacked 30 g of ") == true)
    // One and a half times three hours after the meal, and ten minutes.
    #expect(told.first?.end == .at(5))
  }

  @Test("Absorbed food, a wipe that leaves food alone, and what a person deletes are no trouble")
  func others() throws {
    #expect(told(try run([wipe(at: .at(5, 1))])).isEmpty)
    #expect(told(try run([wipe(at: .at(1, 1), [.glucose, .insulin])])).isEmpty)
    let deleted = ScenarioEvent(at: .at(1, 1), .deleteCarbs(entry: "lunch"))
    #expect(told(try run([deleted, wipe(at: .at(1, 30))])).isEmpty)
  }

  @Test("An app that is installed anew gets its food from the health store, or lacks it")
  func reinstalled() throws {
    let again = ScenarioEvent(at: .at(1, 1), .reinstallApp)
    #expect(told(try run([again])).isEmpty)
    let noWriting = HealthStoreAccess(data: [.carbs], directions: [.write], isGranted: false)
    let told = told(try run([ScenarioEvent(at: .at(0, 10), .authorize(noWriting)), again]))
    #expect(told.map(\.kind) == [.wrongInApp])
    #expect(
      told.first?.text.hasPrefix(
        "From 01:05:00 on the app lacked 30 g of carbohydrates in 1 entry, because the app was "
          + "installed anew and the health store did not hold them; its carbs on board were ")
        == true)
  }

  @Test("Food that is older than what a new app reads is lacked though the health store holds it")
  func tooOldToRead() throws {
    var fixture = Fixture()
    fixture.duration = .hours(11)
    // It counts for one and a half times eight hours, and a new app reads eight hours back.
    let slow = CarbEntryRequest(
      name: "slow", grams: 80, absorption: .hours(8), eatenAt: .at(0, 30))
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), id: "slow", .enterCarbs(slow)),
      ScenarioEvent(at: .at(9, 31), .reinstallApp),
    ]
    let told = told(try fixture.result())
    #expect(told.count == 1)
    #expect(
      told.first?.text.hasPrefix(
        "From 09:35:00 on the app lacked 80 g of carbohydrates in 1 entry, because the app was "
          + "installed anew and does not read so far back in the health store; its carbs on board "
          + "were ") == true)
  }

  @Test("Food that the health store did not delete comes back with a new app, and is told")
  func deletionRefused() throws {
    let noWriting = HealthStoreAccess(data: [.carbs], directions: [.write], isGranted: false)
    let deleted = [
      ScenarioEvent(at: .at(0, 30), .authorize(noWriting)),
      ScenarioEvent(at: .at(0, 41), .deleteCarbs(entry: "lunch")),
    ]
    func unstored(_ run: RunResult) -> [String] {
      run.troubles.filter { $0.kind == .carbsNotStored }.map(\.text)
    }
    let kept = try run(deleted)
    #expect(told(kept).isEmpty)
    let sentence =
      "30 g of carbohydrates deleted at 00:41:00 could not be deleted in the health store"
    #expect(
      unstored(kept) == ["\(sentence): the app is not allowed to write carbohydrates."])

    let again = try run(deleted + [ScenarioEvent(at: .at(1, 1), .reinstallApp)])
    #expect(try onBoard(again, at: .at(1)) == "0")
    #expect(try onBoard(again, at: .at(1, 5)) != "0")
    #expect(
      told(again).map(\.text) == [
        "From 01:05:00 on the app counted 30 g of carbohydrates in 1 entry too many, because the "
          + "app was installed anew and the health store still held what had been deleted; with "
          + "them its carbs on board were \(try onBoard(again, at: .at(1, 5))) g at 01:05:00."
      ])
    #expect(told(again).first?.start == .at(1, 5))
    // One and a half times three hours after the meal, and ten minutes.
    #expect(told(again).first?.end == .at(5))
    #expect(unstored(again) == ["\(sentence)."])

    // Six hours after it the new app counts it no more; the store still has it.
    let late = try run(deleted + [ScenarioEvent(at: .at(6, 1), .reinstallApp)])
    #expect(told(late).isEmpty)
    #expect(unstored(late) == ["\(sentence)."])
  }

  @Test("Copies of food in the health store, which the app counts, are told with all of a fault")
  func copied() throws {
    var fixture = Fixture()
    fixture.duration = .hours(6)
    fixture.readsForeignCarbs = true
    func meal(_ name: String, _ grams: Double, at instant: Instant) -> ScenarioEvent {
      ScenarioEvent(
        at: instant, id: name,
        .enterCarbs(
          CarbEntryRequest(name: name, grams: grams, absorption: nil, eatenAt: instant)))
    }
    let fault = Fault(id: "copies", .healthStore(HealthStoreFault(.duplicate, data: [.carbs])))
    fixture.events = [
      ScenarioEvent(at: .at(0, 10), id: "copies", .beginFault(fault)),
      meal("lunch", 30, at: .at(0, 22)), meal("dessert", 20, at: .at(1, 2)),
    ]
    let run = try fixture.result()
    // Nothing of them is absorbed yet: 30 g, and 30 g of the copy.
    #expect(try onBoard(run, at: .at(0, 25)) == "60")
    #expect(
      told(run).map(\.text) == [
        "From 00:25:00 on the app counted 50 g of carbohydrates in 2 entries too many, because the "
          + "fault copies had copied them in the health store; with the first its carbs on board "
          + "were 60 g at 00:25:00."
      ])
    #expect(told(run).first?.count == 2)
    #expect(!run.troubles.contains { $0.kind == .wrongRecord })
    fixture.readsForeignCarbs = false
    let unread = try fixture.result()
    #expect(told(unread).isEmpty)
    #expect(
      unread.troubles.filter { $0.kind == .wrongRecord }.map(\.text) == [
        "50 g of carbohydrates in 2 entries from 00:22:00 to 01:02:00 are in the health store "
          + "besides, from Copy, because of the fault copies. The app does not count them."
      ])
  }
}
