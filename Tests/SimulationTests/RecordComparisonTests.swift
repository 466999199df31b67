import ClosedLoop
import Devices
import HealthStore
import Quantities
import Testing

@testable import Simulation

/// Records made by hand: 1 U of basal in an hour, and a bolus of 2 U.
@Suite("Comparing records")
struct RecordComparisonTests {
  private static func records() -> ComparedRecords {
    var intake = BodyIntake()
    for (kind, channel, units) in [
      (PumpPulse.Kind.basal, PumpPulseRecord.Channel.basal, Int64(1)), (.bolus, .userBolus, 2),
    ] {
      let amount = InsulinAmount(milliunits: units * 1_000)
      intake.take(
        PumpPulse(kind: kind, recorded: amount, physical: PhysicalInsulin(amount)), channel,
        isAttached: true)
    }
    let bolus = PumpBolusRecord(
      identifier: "b", start: .at(0, 10), end: .at(0, 12), asked: .milliunits(2_000),
      delivered: .milliunits(2_000), isAutomatic: false, isRunning: false)
    return ComparedRecords(
      start: .at(0), end: .at(1), clock: .utc, reportedThrough: .at(1),
      basalDelivered: { from, to in
        InsulinAmount(milliunits: 1_000 * (to - from).milliseconds / 3_600_000)
      }, boluses: [bolus], shownBoluses: ["b"],
      doses: [dose(.basal, .at(0), .at(1), 1), dose(.bolus, .at(0, 10), .at(0, 12), 2, id: "b")],
      samples: [sample(.at(0), .at(1), 1, isBasal: true), sample(.at(0, 10), .at(0, 12), 2)],
      injections: [], intake: intake, isFedContinuously: false, ledger: DeliveryLedger(),
      causes: RecordCauses(window: .days(1), historyStart: .at(0)))
  }

  private static func dose(
    _ kind: DoseEntry.Kind, _ start: Instant, _ end: Instant, _ units: Double,
    id: SyncIdentifier = "basal"
  ) -> InsulinDeliveryRecord {
    InsulinDeliveryRecord(
      start: start, end: end, kind: kind, units: units, scheduledRate: nil, isFromPump: true,
      isMutable: false, countsInInsulinOnBoard: kind == .bolus, source: "Loop", identifier: id,
      sampleID: nil)
  }

  private static func sample(
    _ start: Instant, _ end: Instant, _ units: Double, isBasal: Bool = false
  ) -> InsulinSampleRecord {
    InsulinSampleRecord(
      start: start, end: end, units: units, isBasal: isBasal, isOwn: true, source: "Loop",
      writtenAt: end, sampleID: SampleUUID(high: 1, low: 2), syncIdentifier: isBasal ? "basal" : "b"
    )
  }

  @Test("Every dose in every record is yes")
  func agrees() {
    let agreement = RecordComparison(Self.records()).compare()
    #expect(agreement.answer == .yes)
    #expect(agreement.differences.isEmpty)
    #expect(agreement.basal == .init(body: 1, pump: 1, app: 1, healthStore: 1))
    #expect(agreement.bolus == .init(body: 2, pump: 2, app: 2, healthStore: 2))
    #expect(agreement.elsewhere == .init(body: 0, pump: nil, app: 0, healthStore: 0))
  }

  @Test(
    "One pulse, or one milliunit, in one record is no", arguments: [0.05, 0.001, -0.05, 0.0006])
  func tolerance(difference: Double) {
    for index in 0...1 {
      var store = Self.records()
      store.samples[index].units += difference
      #expect(RecordComparison(store).compare().answer == .no)
      var app = Self.records()
      app.doses[index].units += difference
      #expect(RecordComparison(app).compare().answer == .no)
    }
    var body = Self.records()
    body.intake.take(bolus: difference)
    #expect(RecordComparison(body).compare().answer == .no)
  }

  @Test("A stretch of a whole day is told with its dates")
  func wholeDay() {
    var records = Self.records()
    records.end = .at(24)
    #expect(records.span(.at(0), .at(24)) == "2026-01-15T00:00:00 to 2026-01-16T00:00:00")
    #expect(records.span(.at(21), .at(24)) == "21:00:00 to 00:00:00")
  }

  @Test("Less than half a milliunit is yes")
  func withinTolerance() {
    var records = Self.records()
    records.samples[0].units += 0.0004
    #expect(RecordComparison(records).compare().answer == .yes)
  }

  @Test("A bolus that is missing without a cause is no, one that a person deleted explained")
  func missingBolus() throws {
    var records = Self.records()
    records.samples.removeLast()
    let lost = RecordComparison(records).compare()
    #expect(lost.answer == .no)
    #expect(lost.differences.first?.records == [.healthStore])
    #expect(lost.differences.first?.units == -2)
    records.causes.deletions = [
      .init(start: .at(0, 10), end: .at(0, 12), syncIdentifier: "b", instant: .at(0, 30))
    ]
    let deleted = RecordComparison(records).compare()
    #expect(deleted.answer == .explained)
    #expect(deleted.differences.map(\.kind) == [.deleted])
  }

  @Test("Basal is not yet reported only while the app is about to write it")
  func notYetReported() {
    var records = Self.records()
    records.samples[0].end = .at(0, 54)
    records.samples[0].units = 0.9
    let soon = RecordComparison(records).compare()
    #expect(soon.answer == .explained)
    #expect(soon.differences.map(\.kind) == [.notYetReported])
    records.causes.stop = .init(since: .at(0, 57), words: "the phone has been off")
    #expect(RecordComparison(records).compare().differences.map(\.kind) == [.appStopped])
    records.causes.writing = .init(since: .at(0), words: "the app has not been allowed to write")
    #expect(RecordComparison(records).compare().differences.map(\.kind) == [.notAllowed])
  }

  @Test("What the named differences leave over is no")
  func namesEverything() {
    var records = Self.records()
    records.doses.append(
      InsulinDeliveryRecord(
        start: .at(0, 30), end: .at(0, 30), kind: .bolus, units: 1, scheduledRate: nil,
        isFromPump: true, isMutable: false, countsInInsulinOnBoard: true, source: "Loop",
        identifier: "ghost", sampleID: nil))
    #expect(RecordComparison(records).compare().answer == .no)
  }
}
