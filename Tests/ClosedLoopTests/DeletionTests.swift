import Devices
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Deleting a dose in two places")
struct DeletionTests {
  /// A bolus of 2 U at 10:00 that is in the event history, delivered, and in the health store.
  struct Bolus {
    var bench: Bench
    var identifier: SyncIdentifier

    init(change: (inout LoopAppConfiguration) -> Void = { _ in }) throws {
      bench = try Bench(schedule: [(0, 400)], from: at(9, 50), change: change)
      try bench.send(.startBolus(.milliunits(2_000), automatic: false), at: at(10))
      try bench.run(until: at(10, 10))
      identifier = bench.app.pump.events.events.last?.syncIdentifier ?? ""
    }

    var sample: Sample? {
      get throws { try bench.samples(.insulinDelivery, byBolus: true).last }
    }

    mutating func deleteEvent() { bench.app.deletePumpEvent(identifier, at: bench.now) }

    mutating func deleteSample() throws {
      guard let sample = try sample else { return }
      try bench.store.delete([sample.uuid], as: .user, at: bench.now)
      bench.app.ingestChanges(of: &bench.store, at: bench.now)
    }

    mutating func cycle() throws { try bench.run(until: bench.now + .minutes(5)) }

    var places: DosePlaces {
      get throws {
        var places = bench.app.places(of: identifier)
        places.isInHealthStore = try sample != nil
        return places
      }
    }
  }

  static let everywhere = DosePlaces(
    isInEventHistory: true, isInInsulinDelivery: true, isInHealthStore: true)
  static let nowhere = DosePlaces(
    isInEventHistory: false, isInInsulinDelivery: false, isInHealthStore: false)
  static let withoutEvent = DosePlaces(
    isInEventHistory: false, isInInsulinDelivery: true, isInHealthStore: true)

  @Test("H28, D1: a bolus is in the event history at once and in the health store two cycles later")
  func isEverywhere() throws {
    for isAutomatic in [false, true] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9, 50))
      try bench.send(.startBolus(.milliunits(2_000), automatic: isAutomatic), at: at(10))
      #expect(bench.app.pump.events.events.map(\.kind) == [.bolus])
      try bench.run(until: at(10, 10))
      let sample = try #require(try bench.samples(.insulinDelivery, byBolus: true).first)
      #expect(sample.storedValue == 2)
      #expect(sample.metadata.hasLoopKitOrigin)
      #expect(sample.metadata.syncVersion == 1)
      #expect(sample.metadata.isAutomaticallyIssued == isAutomatic)
    }
  }

  @Test("H35, D6: a dose of the event history that is not in the health store is there a cycle on")
  func arrivesWithTheNextCycle() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9, 50))
    // 2 U take 80 s: the bolus is not final in the cycle at 10:05, and in that at 10:10 it is.
    try bench.send(.startBolus(.milliunits(2_000), automatic: false), at: at(10, 4))
    try bench.live()
    #expect(bench.app.pump.events.events.map(\.kind) == [.bolus])
    #expect(try bench.samples(.insulinDelivery, byBolus: true).isEmpty)
    try bench.run(until: at(10, 10))
    #expect(try bench.samples(.insulinDelivery, byBolus: true).map(\.storedValue) == [2])
  }

  @Test("H30, H40: deleting the event alone leaves the delivery, which goes on to count")
  func deletesTheEventAlone() throws {
    var bolus = try Bolus()
    let rows = bolus.bench.app.insulin.delivery.activeRows.count
    let iob = try #require(bolus.bench.app.insulinOnBoard(at: bolus.bench.now))
    bolus.deleteEvent()
    #expect(bolus.bench.app.insulin.delivery.activeRows.count == rows)
    #expect(bolus.bench.app.insulinOnBoard(at: bolus.bench.now) == iob)
    for _ in 0..<3 { try bolus.cycle() }
    #expect(try bolus.places == Self.withoutEvent)
    #expect(try #require(bolus.bench.app.insulinOnBoard(at: bolus.bench.now)) > 1.5)
  }

  @Test("H31, D93: deleting the sample alone brings it back with a new identity, counted once")
  func bringsTheSampleBack() throws {
    var bolus = try Bolus()
    let old = try #require(try bolus.sample)
    try bolus.deleteSample()
    try bolus.cycle()
    let new = try #require(try bolus.sample)
    #expect(new.uuid != old.uuid)
    #expect(new.metadata.syncIdentifier == old.metadata.syncIdentifier)
    #expect(try bolus.bench.samples(.insulinDelivery, byBolus: true).count == 1)
    let iob = try #require(bolus.bench.app.insulinOnBoard(at: bolus.bench.now))
    #expect(iob > 1.9 && iob <= 2)
  }

  @Test("H32, D5: deleting both between two cycles, in either order, removes the dose for good")
  func deletesBoth() throws {
    for eventFirst in [true, false] {
      var bolus = try Bolus()
      if eventFirst { bolus.deleteEvent() }
      try bolus.deleteSample()
      if !eventFirst { bolus.deleteEvent() }
      for _ in 0..<3 { try bolus.cycle() }
      #expect(try bolus.places == Self.nowhere)
      #expect(try #require(bolus.bench.app.insulinOnBoard(at: bolus.bench.now)).magnitude < 1e-9)
    }
  }

  @Test(
    "H33, H34: after a cycle the reported dose has to be deleted again; event first always works")
  func needsBothWithinACycle() throws {
    var late = try Bolus()
    try late.deleteSample()
    try late.cycle()
    late.deleteEvent()
    for _ in 0..<2 { try late.cycle() }
    #expect(try late.places == Self.withoutEvent)
    try late.deleteSample()
    try late.cycle()
    #expect(try late.places == Self.nowhere)
    var early = try Bolus()
    early.deleteEvent()
    for _ in 0..<4 { try early.cycle() }
    try early.deleteSample()
    try early.cycle()
    #expect(try early.places == Self.nowhere)
  }

  @Test(
    "The dose follows the published table in every order of events",
    arguments: 0..<80 as Range<UInt64>)
  func followsTheTable(seed: UInt64) throws {
    var stream = TestStream(state: seed)
    var bolus = try Bolus()
    var expected = Self.everywhere
    for _ in 0..<7 {
      switch stream.next() % 3 {
      case 0:
        bolus.deleteEvent()
        expected.isInEventHistory = false
      case 1:
        try bolus.deleteSample()
        expected.isInInsulinDelivery = false
        expected.isInHealthStore = false
      default:
        try bolus.cycle()
        if expected.isInEventHistory { expected = Self.everywhere }
      }
      #expect(try bolus.places == expected)
    }
  }

  @Test("Without re-reporting, as in LoopKit's code, a deleted sample stays away")
  func staysDeletedInLoopKit() throws {
    var bolus = try Bolus { $0.rereportsDeleted = false }
    try bolus.deleteSample()
    for _ in 0..<3 { try bolus.cycle() }
    #expect(try bolus.sample == nil)
    #expect(!bolus.bench.app.places(of: bolus.identifier).isInInsulinDelivery)
  }

  @Test("A sample deleted when its event is older than a day stays away")
  func forgetsAfterTheWindow() throws {
    var bolus = try Bolus()
    try bolus.bench.run(until: at(34, 5))
    try bolus.deleteSample()
    try bolus.cycle()
    #expect(try bolus.sample == nil)
  }

  @Test("H37, H38: a deletion records both lists and insulin on board, and can be undone")
  func recordsADeletion() throws {
    var bolus = try Bolus()
    var therapy = bolus.bench.app.therapy
    therapy.isClosedLoop = true
    _ = bolus.bench.app.change(to: therapy, at: bolus.bench.now)
    bolus.deleteEvent()
    let deletion = try #require(bolus.bench.app.deletions.first)
    #expect(deletion.before == Self.everywhere)
    #expect(deletion.after == Self.withoutEvent)
    #expect(deletion.insulinOnBoardBefore == deletion.insulinOnBoardAfter)
    #expect(deletion.isInClosedLoop)
    #expect("\(deletion)".hasSuffix(" It is left in insulin delivery, health store."))
    bolus.bench.app.restorePumpEvent(bolus.identifier)
    #expect(try bolus.places == Self.everywhere)
  }

  @Test("In closed loop a deletion is warned of where the dose does not count any more")
  func warnsOfWhatIsLost() throws {
    func closedLoop(_ change: (inout LoopAppConfiguration) -> Void = { _ in }) throws -> Bolus {
      var bolus = try Bolus(change: change)
      var therapy = bolus.bench.app.therapy
      therapy.isClosedLoop = true
      _ = bolus.bench.app.change(to: therapy, at: bolus.bench.now)
      return bolus
    }
    // The event alone leaves the dose among the deliveries, where it counts.
    var both = try closedLoop()
    both.deleteEvent()
    #expect(both.bench.app.warnings.isEmpty)
    try both.deleteSample()
    #expect(both.bench.app.warnings == [.deletionInClosedLoop])
    // The sample goes first: then the event takes the dose with it.
    var sampleFirst = try closedLoop()
    try sampleFirst.deleteSample()
    #expect(sampleFirst.bench.app.warnings.isEmpty)
    sampleFirst.deleteEvent()
    #expect(sampleFirst.bench.app.warnings == [.deletionInClosedLoop])
    let gone = try #require(sampleFirst.bench.app.deletions.first)
    #expect(
      "\(gone)".hasSuffix(
        "It is gone everywhere. Loop is closed and may deliver insulin that is not needed."))
    // As in LoopKit's code, the dose of a sample does not come back.
    var forgotten = try closedLoop { $0.rereportsDeleted = false }
    try forgotten.deleteSample()
    #expect(forgotten.bench.app.warnings == [.deletionInClosedLoop])
  }

  @Test("H37: an event that is restored after both were deleted brings the dose back")
  func restoresBoth() throws {
    var bolus = try Bolus()
    bolus.deleteEvent()
    try bolus.deleteSample()
    try bolus.cycle()
    #expect(try bolus.places == Self.nowhere)
    bolus.bench.app.restorePumpEvent(bolus.identifier)
    try bolus.cycle()
    #expect(try bolus.places == Self.everywhere)
    #expect(try bolus.bench.samples(.insulinDelivery, byBolus: true).count == 1)
  }

  @Test("A sample that is restored under another identity counts once, and goes as one")
  func restoresTheSample() throws {
    var bolus = try Bolus()
    let sample = try #require(try bolus.sample)
    try bolus.bench.store.delete([sample.uuid], as: .user, at: bolus.bench.now)
    let again = Sample(
      restoring: SampleUUID(high: 9, low: 9), type: sample.type, start: sample.start,
      end: sample.end, value: sample.value, metadata: sample.metadata,
      sourceRevision: sample.sourceRevision)
    let outcomes = try bolus.bench.store.restore([RestoredSample(again, created: sample.end)])
    #expect(outcomes == [.added])
    for _ in 0..<2 { try bolus.cycle() }
    #expect(try bolus.places == Self.everywhere)
    #expect(bolus.bench.app.insulin.delivery.activeRows.count { $0.dose.kind == .bolus } == 1)
    #expect(try #require(bolus.bench.app.insulinOnBoard(at: bolus.bench.now)) <= 2)
    bolus.deleteEvent()
    try bolus.deleteSample()
    try bolus.cycle()
    #expect(try bolus.places == Self.nowhere)
  }

  @Test("H68: a sample deleted just before a cycle is missing from no decision")
  func neverDecidesWithoutTheDose() throws {
    var bolus = try Bolus()
    var untouched = bolus
    let sample = try #require(try bolus.sample)
    try bolus.bench.store.delete([sample.uuid], as: .user, at: bolus.bench.now)
    try bolus.cycle()
    try untouched.cycle()
    let iob = try #require(bolus.bench.decisions.last?.insulinOnBoard)
    #expect(iob == untouched.bench.decisions.last?.insulinOnBoard)
  }

  @Test("H42, D85: an event that the pump reports twice is one row")
  func keepsOneRowForOneEvent() {
    var events = PumpEventStore()
    let event = HistoryEvent(.rewind, at: at(1), raw: [1, 2, 0xAB])
    events.add([event], lastReconciliation: at(1), at: at(1))
    events.add([event], lastReconciliation: at(2), at: at(2))
    #expect(events.events.map(\.syncIdentifier) == ["0102ab"])
  }

  @Test(
    "H43, D86: an unfinished event that the pump no longer mentions is gone, and its dose inactive")
  func dropsUnfinishedEvents() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9, 50))
    try bench.send(.startBolus(.milliunits(20_000), automatic: false), at: at(10))
    try bench.run(until: at(10, 5))
    var report = try bench.pump.report()
    report.events = []
    report.completeThrough = at(10, 6)
    bench.app.ingest(report, pulses: [], at: at(10, 6))
    #expect(bench.app.pump.events.events.isEmpty)
    bench.app.synchronise(at: at(10, 6))
    #expect(bench.app.insulin.delivery.activeRows.isEmpty)
    #expect(bench.app.insulin.delivery.rows.count == 1)
  }

  @Test("Events are kept for the retention, and nothing changes before one is too old")
  func forgetsOldEvents() {
    var events = PumpEventStore(retention: .days(7))
    for hour in 0...1 {
      events.add(
        [HistoryEvent(.rewind, at: at(Int64(hour)), raw: [UInt8(hour)])], lastReconciliation: nil,
        at: at(1))
    }
    let changes = events.bolusChanges
    events.purge(at: at(0) + .days(7))
    #expect(events.events.count == 2)
    #expect(events.bolusChanges == changes)
    events.purge(at: at(0, 0, 1) + .days(7))
    #expect(events.events.map(\.syncIdentifier) == ["01"])
    #expect(events.bolusChanges == changes + 1)
  }

  @Test("An event the user deleted does not come back when the pump reports it again")
  func keepsDeletedEventsAway() {
    var events = PumpEventStore()
    let event = HistoryEvent(.rewind, at: at(1), raw: [7])
    events.add([event], lastReconciliation: at(1), at: at(1))
    #expect(events.delete(syncIdentifier: "07", at: at(2)) != nil)
    events.add([event], lastReconciliation: at(3), at: at(3))
    #expect(events.events.isEmpty)
    #expect(events.delete(syncIdentifier: "07", at: at(4)) == nil)
  }

  @Test("A running event that a person deleted stays deleted in the reports that follow")
  func keepsARunningEventAway() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9, 50))
    try bench.send(
      .startTempBasal(rate(1_000), duration: .minutes(30), automatic: false), at: at(10))
    let running = try #require(bench.app.pump.events.events.last)
    #expect(running.isMutable)
    #expect(bench.app.deletePumpEvent(running.syncIdentifier, at: at(10)) != nil)
    for minute: Int64 in [5, 15, 40] {
      try bench.run(until: at(10, minute))
      #expect(
        !bench.app.pump.events.events.contains { $0.syncIdentifier == running.syncIdentifier })
    }
  }

  @Test("A dose of another source with the identifier of an own one is another dose")
  func ownIdentifierOfAnotherSource() throws {
    var store = InsulinDeliveryStore()
    let dose = DoseEntry(
      .bolus, from: at(10), to: at(10), .units(1), deliveredUnits: 1, syncIdentifier: "x")
    store.present(dose, provenance: "own", at: at(10))
    var identities = IdentitySequence(seed: 1)
    store.add(
      dose, sample: identities.next(at: at(10, 5)), provenance: "other", hasLoopKitOrigin: false,
      at: at(10, 5))
    #expect(store.rows.map(\.provenance).sorted() == ["other", "own"])
    #expect(store.rows.first { $0.provenance == "own" }?.sampleID == nil)
    #expect(store.doses(from: at(9), to: at(11)).map(\.deliveredUnits) == [1, 1])
  }
}
