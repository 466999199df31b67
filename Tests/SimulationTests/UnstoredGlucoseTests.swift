import ClosedLoop
import HealthStore
import Quantities
import Simulation
import TestSupport
import Testing

@Suite("Readings and meals that the health store does not hold")
struct UnstoredGlucoseTests {
  /// Four hours, with a reading every five minutes of which each reaches the app: 49.
  private func run(
    _ events: [ScenarioEvent], for duration: TimeSpan = .hours(4)
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = duration
    fixture.events = events
    return try fixture.result()
  }

  private func fault(
    _ kind: HealthStoreFault.Kind, from start: Instant, to end: Instant? = nil
  ) -> [ScenarioEvent] {
    let fault = Fault(id: "out", .healthStore(HealthStoreFault(kind, data: [.glucose])))
    return [ScenarioEvent(at: start, id: "out", .beginFault(fault))]
      + (end.map { [ScenarioEvent(at: $0, id: "out", .endFault(id: "out"))] } ?? [])
  }

  private func writing(_ isGranted: Bool, at instant: Instant) -> ScenarioEvent {
    ScenarioEvent(
      at: instant, id: "permission",
      .authorize(
        HealthStoreAccess(data: [.glucose], directions: [.write], isGranted: isGranted)))
  }

  private func stored(_ run: RunResult) throws -> Int {
    let records = run.store
    return try records.samples(of: .bloodGlucose, as: .user).count
  }

  private func told(_ run: RunResult) -> [String] {
    run.troubles.filter { $0.kind == .glucoseNotStored }.map(\.text)
  }

  @Test("What a store that fails did not take is written with the next reading")
  func isWrittenLater() throws {
    let run = try run(fault(.writeFails, from: .at(1, 1), to: .at(2, 1)))
    #expect(try stored(run) == 49)
    #expect(told(run).isEmpty)
  }

  @Test("What the store failed to take in the last cycle is written at the end")
  func isWrittenAtTheEnd() throws {
    let run = try run(
      fault(.writeFails, from: .at(3, 56), to: .at(4, 1)), for: .hours(4) + .minutes(2))
    #expect(try stored(run) == 49)
    #expect(told(run).isEmpty)
  }

  @Test("What a store that fails to the end did not take is told")
  func isNotTaken() throws {
    // 01:05 to 04:00.
    let run = try run(fault(.writeFails, from: .at(1, 1)))
    #expect(try stored(run) == 13)
    #expect(
      told(run) == [
        "36 readings from 01:05:00 to 04:00:00 are not in the health store: the store took none "
          + "when the app was to write them."
      ])
  }

  @Test("What waits when the app is installed anew is lost to the store, and told")
  func isLostWithTheApp() throws {
    let run = try run(
      fault(.writeFails, from: .at(1, 1), to: .at(2, 1))
        + [ScenarioEvent(at: .at(1, 32), .reinstallApp)])
    // 01:05 to 01:30.
    #expect(try stored(run) == 49 - 6)
    #expect(
      told(run) == [
        "6 readings from 01:05:00 to 01:30:00 are not in the health store: the store took none "
          + "when the app was to write them."
      ])
  }

  @Test("What was typed and is lost before the next cycle is not laid to the store")
  func isLostBeforeItIsWritten() throws {
    let typed = FingerstickRequest(value: .mgdL(123), relativeError: 0, log: .app)
    let typing = ScenarioEvent(at: .at(1, 21), id: "typed", .fingerstick(typed))
    let crash = Fault(id: "crash", .app(.crash(loses: .unsaved)))
    let sentence =
      "The reading of 01:21:00 is not in the health store: the app had lost it before it was to "
      + "write it."
    let crashed = try run([
      typing, ScenarioEvent(at: .at(1, 22), id: "crash", .beginFault(crash)),
      ScenarioEvent(at: .at(1, 24), id: "crash", .endFault(id: "crash")),
    ])
    #expect(told(crashed) == [sentence])
    let installed = try run([typing, ScenarioEvent(at: .at(1, 22), .reinstallApp)])
    #expect(told(installed) == [sentence])
    // What the store did not take at 01:25 is the store's, and what was typed since is not.
    let both = try run(
      [
        typing, ScenarioEvent(at: .at(1, 26), id: "again", .fingerstick(typed)),
        ScenarioEvent(at: .at(1, 27), .reinstallApp),
      ] + fault(.writeFails, from: .at(1, 22), to: .at(1, 28)))
    #expect(
      told(both) == [
        "2 readings from 01:21:00 to 01:25:00 are not in the health store: the store took none "
          + "when the app was to write them.",
        sentence.replacing("01:21:00", with: "01:26:00"),
      ])
  }

  @Test("What comes while the app is not allowed to write is never written, and told")
  func isNotAllowed() throws {
    let run = try run([
      writing(false, at: .at(1, 1)), writing(true, at: .at(1, 31)),
      writing(false, at: .at(2, 34)), writing(true, at: .at(2, 36)),
    ])
    #expect(try stored(run) == 49 - 7)
    #expect(
      told(run) == [
        "7 readings in 2 stretches from 01:05:00 to 02:35:00 are not in the health store: the app "
          + "was not allowed to write glucose when they came, and never writes them later."
      ])
    let one = try self.run([writing(false, at: .at(2, 34)), writing(true, at: .at(2, 36))])
    #expect(
      told(one) == [
        "The reading of 02:35:00 is not in the health store: the app was not allowed to write "
          + "glucose when it came, and never writes it later."
      ])
  }

  @Test("What a fault deletes in the store is told until it comes back")
  func isDeleted() throws {
    let wiped = fault(.wipe, from: .at(1, 1))
    let run = try run(wiped)
    // Of 00:00 to 01:00 none is left.
    #expect(try stored(run) == 49 - 13)
    #expect(
      told(run) == [
        "13 readings from 00:00:00 to 01:00:00 are not in the health store: the fault out deleted "
          + "them at 01:01:00."
      ])
    let restored = try self.run(wiped + [ScenarioEvent(at: .at(2), .restoreHealthStore)])
    #expect(try stored(restored) == 49)
    #expect(told(restored).isEmpty)
  }

  @Test("Entries that a fault deletes in the store are told until they come back")
  func carbsAreDeleted() throws {
    func entry(_ grams: Double, at instant: Instant) -> ScenarioEvent {
      let request = CarbEntryRequest(
        name: "meal", grams: grams, absorption: nil, eatenAt: instant)
      return ScenarioEvent(at: instant, id: "meal", .enterCarbs(request))
    }
    func wipe(_ id: String, at instant: Instant) -> ScenarioEvent {
      let fault = HealthStoreFault(.wipe, data: [.carbs])
      return ScenarioEvent(at: instant, id: id, .beginFault(Fault(id: id, .healthStore(fault))))
    }
    func told(_ run: RunResult) -> [String] {
      run.troubles.filter { $0.kind == .carbsNotStored }.map(\.text)
    }
    let meals = [
      entry(20, at: .at(0, 10)), entry(35, at: .at(0, 50)), wipe("first", at: .at(1, 1)),
      entry(40, at: .at(2)), wipe("second", at: .at(3, 1)), entry(15, at: .at(3, 30)),
    ]
    let run = try run(meals)
    let records = run.store
    #expect(
      try records.samples(of: .dietaryCarbohydrates, as: .user).map(\.storedValue) == [15])
    let first =
      "55 g of carbohydrates entered in 2 entries from 00:10:00 to 00:50:00 are not in the health "
      + "store: the fault first deleted them."
    let second =
      "40 g of carbohydrates entered at 02:00:00 are not in the health store: the fault second "
      + "deleted them."
    #expect(told(run) == [first, second])
    // A backup has what was lost last.
    let back = ScenarioEvent(at: .at(3, 40), .restoreHealthStore)
    #expect(told(try self.run(meals + [back])) == [first])
  }

  @Test("An entry that a person changes or deletes before the app sees it wiped is not missing")
  func wipedAndChanged() throws {
    func missing(_ act: ScenarioEvent.Action, at instant: Instant) throws -> [String] {
      let entry = CarbEntryRequest(name: "meal", grams: 40, absorption: nil, eatenAt: .at(1, 1))
      let fault = HealthStoreFault(.wipe, data: [.carbs])
      let run = try run([
        ScenarioEvent(at: .at(1, 1), id: "meal", .enterCarbs(entry)),
        ScenarioEvent(
          at: .at(2, 2), id: "gone", .beginFault(Fault(id: "gone", .healthStore(fault)))),
        ScenarioEvent(at: instant, act),
      ])
      return run.troubles.filter { $0.kind == .carbsNotStored }.map(\.text)
    }
    // The app writes the changed entry at 02:05, and finds nothing of it to change later.
    let edit = ScenarioEvent.Action.editCarbs(
      entry: "meal", grams: 20, absorption: nil, eatenAt: nil)
    #expect(try missing(edit, at: .at(2, 3)) == [])
    #expect(try missing(.deleteCarbs(entry: "meal"), at: .at(2, 3)) == [])
    #expect(
      try missing(edit, at: .at(2, 30)) == [
        "40 g of carbohydrates entered at 01:01:00 are not in the health store: the fault gone "
          + "deleted them."
      ])
  }

  @Test("Copies of readings in the health store are told: how many, of when, and by which fault")
  func copies() throws {
    func told(_ run: RunResult) -> [String] {
      run.troubles.filter { $0.kind == .wrongRecord }.map(\.text)
    }
    // From 01:05 to 02:00, every five minutes.
    let twelve = try run(fault(.duplicate, from: .at(1, 1), to: .at(2, 1)))
    #expect(try stored(twelve) == 49 + 12)
    #expect(
      told(twelve) == [
        "Copies of 12 readings from 01:05:00 to 02:00:00 are in the health store besides, from "
          + "Copy, because of the fault out; with them 15 cycles predicted without momentum, which "
          + "needs readings of one source."
      ])
    // The first copy is read in its own cycle, and the last lies 15 minutes before the last.
    #expect(twelve.cyclesOfTwoSources.first == .at(1, 5))
    #expect(twelve.cyclesOfTwoSources.last == .at(2, 15))
    let one = try run(fault(.conflict(factor: 1.1), from: .at(1, 1), to: .at(1, 6)))
    #expect(
      told(one) == [
        "A copy of the reading of 01:05:00 is in the health store besides, from Contradiction, "
          + "because of the fault out; with them 4 cycles predicted without momentum, which needs "
          + "readings of one source."
      ])
    // What a person deletes everywhere is there no more.
    let wiped = HealthStoreFault(.wipe, data: [.glucose])
    let gone = try run(
      fault(.duplicate, from: .at(1, 1), to: .at(2, 1)) + [
        ScenarioEvent(
          at: .at(3), id: "gone", .beginFault(Fault(id: "gone", .healthStore(wiped))))
      ])
    #expect(told(gone).isEmpty)
  }
}
