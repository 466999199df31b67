import Devices
import Dosing
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Insulin on board from the app's records")
struct InsulinOnBoardTests {
  /// An insulin sample of another app.
  static func foreign(
    _ units: Double, _ reason: InsulinDeliveryReason, at date: Instant, number: UInt64 = 1
  ) -> Sample {
    .insulinDelivery(
      units: units, reason: reason, start: date, end: date,
      uuid: SampleUUID(high: 7, low: number))
  }

  /// Another app with every permission.
  static func other(_ bench: inout Bench) throws -> ClientID {
    try bench.store.register(
      HealthClient(bundleIdentifier: "com.example.pen", name: "Pen"), granting: .full)
  }

  @Test("H53, D38: scheduled basal as scheduled adds nothing")
  func scheduledBasalAddsNothing() throws {
    var bench = try Bench()
    for hour in 1...9 as ClosedRange<Int64> {
      try bench.run(until: at(hour, 7))
      #expect(bench.app.insulinOnBoard(at: bench.now) == 0)
    }
  }

  @Test("H54: half an hour without 0.5 U/h is at most 0.25 U less, and nothing after 6 h 40 min")
  func missingBasalIsNegative() throws {
    var bench = try Bench(schedule: [(0, 500)], from: at(7))
    try bench.send(.startTempBasal(.zero, duration: .minutes(30), automatic: true), at: at(7, 15))
    try bench.run(until: at(7, 45))
    let iob = try #require(bench.app.insulinOnBoard(at: at(7, 45)))
    #expect(iob < -0.2 && iob >= -0.25)
    try bench.run(until: at(14, 30))
    #expect(bench.app.insulinOnBoard(at: bench.now) == 0)
  }

  @Test("H25, H55: whether basal is reported changes neither pulses nor insulin on board nor doses")
  func reportingChangesNothing() throws {
    var reported = try Bench(from: at(5), closedLoop: true)
    var silent = try Bench(from: at(5), closedLoop: true) { $0.reporting.reportsBasal = false }
    for cycle in 0..<48 {
      let glucose = 140.0 + Double((cycle * 37) % 60)
      for minutes in [5] as [Int64] {
        reported.mgdL = glucose
        silent.mgdL = glucose
        try reported.run(until: reported.now + .minutes(minutes))
        try silent.run(until: silent.now + .minutes(minutes))
      }
    }
    #expect(reported.pump.ledger.basal == silent.pump.ledger.basal)
    #expect(
      reported.decisions.map(\.insulinOnBoard) == silent.decisions.map(\.insulinOnBoard))
    #expect(reported.decisions.map(\.commands) == silent.decisions.map(\.commands))
    #expect(try silent.basalSamples().isEmpty)
    #expect(try reported.basalSamples().count > 4)
  }

  @Test("H29, H36, D87: a bolus added in the health store counts from the next cycle until deleted")
  func externalBolusCounts() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    let pen = try Self.other(&bench)
    try bench.run(until: at(10))
    let sample = Self.foreign(2, .bolus, at: at(10))
    try bench.store.save([sample], as: pen, at: at(10, 1))
    try bench.run(until: at(10, 5))
    #expect(try #require(bench.decisions.last?.insulinOnBoard) == 2)
    #expect(bench.app.pump.events.events.isEmpty)
    try bench.store.delete([sample.uuid], as: .user, at: at(10, 6))
    try bench.run(until: at(10, 10))
    #expect(bench.decisions.last?.insulinOnBoard == 0)
  }

  @Test("H59, D88: basal of another app does not count")
  func externalBasalDoesNotCount() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    let pen = try Self.other(&bench)
    try bench.store.save([Self.foreign(20, .basal, at: at(9))], as: pen, at: at(9, 1))
    try bench.run(until: at(10))
    #expect(bench.decisions.last?.insulinOnBoard == 0)
    #expect(bench.app.insulin.delivery.activeRows.isEmpty)
  }

  @Test("H106: without permission to read insulin, external insulin never counts, own doses do")
  func needsPermissionToRead() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9), grants: .writeOnly)
    let pen = try Self.other(&bench)
    try bench.store.save([Self.foreign(2, .bolus, at: at(9))], as: pen, at: at(9, 1))
    try bench.run(until: at(9, 10))
    #expect(bench.decisions.last?.insulinOnBoard == 0)
    var allowed = try Bench(schedule: [(0, 400)], from: at(9, 10))
    bench.decisions = []
    for time in [at(9, 20)] {
      try bench.send(.startBolus(.milliunits(2_000), automatic: false), at: time)
      try allowed.send(.startBolus(.milliunits(2_000), automatic: false), at: time)
    }
    try bench.run(until: at(10))
    try allowed.run(until: at(10))
    let own = try #require(bench.decisions.last?.insulinOnBoard)
    #expect(own > 1.5)
    #expect(own == allowed.decisions.last?.insulinOnBoard)
  }

  @Test("Without permission to write insulin, insulin on board is right and writing is made up for")
  func writesWhenPermissionReturns() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    let loop = try #require(bench.app.health.client)
    try bench.store.setAuthorization(.readOnly, of: loop, for: [.insulinDelivery])
    try bench.send(.startBolus(.milliunits(2_000), automatic: false), at: at(10))
    try bench.run(until: at(11))
    #expect(try bench.samples(.insulinDelivery).isEmpty)
    #expect(try #require(bench.decisions.last?.insulinOnBoard) > 1)
    try bench.store.setAuthorization(.full, of: loop, for: [.insulinDelivery])
    try bench.run(until: at(11, 5))
    #expect(try bench.samples(.insulinDelivery, byBolus: true).map(\.storedValue) == [2])
  }

  @Test("H41: insulin logged in the app is delivered and in the health store, but no pump event")
  func logsADose() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    try bench.run(until: at(10))
    #expect(bench.app.logDose(units: 3, insulin: .fiasp, date: at(9, 55), at: at(10)) != nil)
    #expect(bench.app.logDose(units: -1, insulin: .fiasp, date: at(9, 55), at: at(10)) == nil)
    try bench.run(until: at(10, 5))
    let sample = try #require(try bench.samples(.insulinDelivery).first)
    #expect(sample.storedValue == 3)
    #expect(sample.metadata.isManuallyEntered == true)
    #expect(sample.metadata.insulinType == "Fiasp")
    #expect(bench.app.pump.events.events.isEmpty)
    #expect(try #require(bench.decisions.last?.insulinOnBoard) == 3)
  }

  @Test("H63: a bolus of 4 U cancelled after 51 s is 1.25 U, written and counted as that")
  func countsACancelledBolus() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    try bench.send(.startBolus(.milliunits(4_000), automatic: false), at: at(10))
    #expect(try #require(bench.app.insulinOnBoard(at: at(10))) == 4)
    try bench.send(.cancelBolus, at: at(10, 0, 51))
    try bench.run(until: at(10, 10))
    #expect(try bench.samples(.insulinDelivery, byBolus: true).map(\.storedValue) == [1.25])
    #expect(bench.decisions.last?.insulinOnBoard == 1.25)
  }

  @Test("H62, H65: a running bolus counts once, under the identifier it keeps when it is final")
  func countsOnceUnderOneIdentifier() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    try bench.send(.startBolus(.milliunits(10_000), automatic: false), at: at(10))
    let running = try #require(bench.app.pump.events.events.last)
    #expect(running.isMutable)
    try bench.run(until: at(10, 5))
    #expect(bench.decisions.last?.insulinOnBoard == 10)
    try bench.run(until: at(10, 15))
    let final = try #require(bench.app.pump.events.events.last)
    #expect(!final.isMutable)
    #expect(final.syncIdentifier == running.syncIdentifier)
    #expect(try bench.samples(.insulinDelivery, byBolus: true).map(\.storedValue) == [10])
  }

  @Test("H66: 1.23 U asked for is 1.20 U given")
  func roundsABolusDown() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    let amount = bench.pump.profile.supportedBolus(atMostUnits: 1.23)
    try bench.send(.startBolus(amount, automatic: false), at: at(10))
    try bench.run(until: at(10, 10))
    #expect(try bench.samples(.insulinDelivery, byBolus: true).map(\.storedValue) == [1.2])
    #expect(bench.pump.profile.supportedBolus(atMostUnits: 0.04) == .zero)
  }

  @Test(
    "H47, H67, D49: a suspension counts as lasting until now, and is reported as 0 U when it ends")
  func countsAnOpenSuspension() throws {
    var bench = try Bench(schedule: [(0, 1_000)], from: at(6))
    try bench.send(.suspend, at: at(7))
    try bench.run(until: at(8))
    let iob = try #require(bench.decisions.last?.insulinOnBoard)
    #expect(iob < -0.85 && iob > -1)
    #expect(try bench.basalSamples().map(\.end) == [at(7)])
    try bench.send(.resume, at: at(8))
    try bench.run(until: at(8, 5))
    let sample = try #require(try bench.samples(.insulinDelivery).last)
    #expect(sample.end == at(8))
    #expect(sample.storedValue == 0)
    #expect(sample.metadata.isSuspend == true)
    #expect(bench.pump.basalDelivered(after: at(7), through: at(8)) == .zero)
  }

  @Test("H39: the event history never holds scheduled basal")
  func keepsScheduledBasalOut() throws {
    let bench = try BasalReportingTests.tableDay()
    #expect(bench.app.pump.events.events.map(\.kind) == [.tempBasal])
    #expect(bench.app.insulin.delivery.activeRows.count == 4)
  }

  @Test(
    "A bolus of which the pump tells after a cycle counts at once, though it is dated before it",
    arguments: InsulinDataSource.allCases)
  func countsWhatIsToldLate(source: InsulinDataSource) throws {
    var bench = try Bench(schedule: [(0, 500)], from: at(7)) { $0.insulinDataSource = source }
    try bench.run(until: at(7, 30))
    bench.pump.begin(.communicationLoss(.init()), id: "far", at: at(7, 31))
    try bench.pump.perform(
      .startBolus(.milliunits(4_000), automatic: false), byHand: true, at: at(7, 32))
    try bench.run(until: at(7, 35))
    #expect(bench.app.insulinOnBoard(at: bench.now) == 0)
    bench.pump.end(id: "far", at: at(7, 37))
    bench.now = at(7, 37)
    bench.readPump()
    // Nothing of it has acted after five minutes.
    let onBoard = try #require(bench.app.insulinOnBoard(at: bench.now))
    #expect(abs(onBoard - 4) < 1e-9)
    let input = bench.app.algorithmInput(at: bench.now, for: .manualBolus)
    #expect(input.doses.filter { $0.type == .bolus }.map(\.volume) == [4])
  }

  @Test("What a bolus gave that is stopped after a cycle counts at once, and no more")
  func countsWhatAStoppedBolusGave() throws {
    var bench = try Bench(schedule: [(0, 500)], from: at(7))
    try bench.send(.startBolus(.milliunits(4_000), automatic: false), at: at(7, 34))
    try bench.send(.cancelBolus, at: at(7, 36))
    // A unit takes 40 seconds.
    let onBoard = try #require(bench.app.insulinOnBoard(at: bench.now))
    #expect(abs(onBoard - 3) < 1e-9)
    let input = bench.app.algorithmInput(at: bench.now, for: .manualBolus)
    #expect(input.doses.filter { $0.type == .bolus }.map(\.volume) == [3])
    try bench.run(until: at(7, 40))
    #expect(try bench.samples(.insulinDelivery, byBolus: true).map(\.storedValue) == [3])
  }
}
