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

  /// Every second tenth of an hour for nine years, which took the square of their number.
  @Test("Of thousands of samples that were deleted each is told", .timeLimit(.minutes(1)))
  func deletedByThousands() {
    let count: Int64 = 40_000
    let tenth = TimeSpan.minutes(6)
    func start(_ place: Int64) -> Instant { Fixture.midnight + tenth * place }
    var records = Self.records()
    records.end = start(2 * count)
    records.reportedThrough = records.end
    records.doses[0].end = records.end
    records.doses[0].units = 0.2 * Double(count)
    records.samples.removeFirst()
    for place in 0..<count {
      records.samples.append(
        Self.sample(start(2 * place + 1), start(2 * place + 2), 0.1, isBasal: true))
      records.causes.deletions.append(
        RecordCauses.Deletion(
          start: start(2 * place), end: start(2 * place + 1), instant: records.end))
    }
    let told = RecordComparison(records).compare().differences.filter { $0.kind == .deleted }
    #expect(told.map(\.start) == (0..<count).map { start(2 * $0) })
    #expect(told.allSatisfy { $0.end == $0.start + tenth && $0.records == [.healthStore] })
    #expect(told.allSatisfy { abs($0.units + 0.1) < 1e-9 })
  }

  @Test("Less than half a milliunit is yes")
  func withinTolerance() {
    var records = Self.records()
    records.samples[0].units += 0.0004
    #expect(RecordComparison(records).compare().answer == .yes)
  }

  @Test("A bolus that no pump gave, and that app and health store have alike, is told once")
  func neverGiven() {
    var records = Self.records()
    records.boluses = []
    func told() -> [RecordDifference] {
      RecordComparison(records).compare().differences.filter { $0.kind == .notDelivered }
    }
    let rest = "2.00 U of a bolus at 00:10:00, which the pump did not give, and no cause is known."
    #expect(told().map(\.text) == ["The app counts and the health store holds \(rest)"])
    #expect(told().map(\.records) == [[.app, .healthStore]] && told().map(\.units) == [2])
    records.samples[1].units = 1.5
    #expect(told().map(\.units) == [2, 1.5])
    #expect(told().map(\.records) == [[.app], [.healthStore]])
    #expect(told().first?.text == "The app counts \(rest)")
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

  @Test("Basal within two cycles before the app's last write may not have been in it")
  func lastWrite() {
    var records = Self.records()
    records.samples = [
      Self.sample(.at(0), .at(0, 20), 0.333, isBasal: true),
      Self.sample(.at(0, 40), .at(1), 0.333, isBasal: true), records.samples[1],
    ]
    records.causes.stop = .init(since: .at(0, 55), words: "the phone has been off")
    // The gap ends at 00:40:00, and two cycles are 10 minutes.
    records.causes.lastWrite = .at(0, 49, 59)
    #expect(Self.kinds(records).contains(.appStopped))
    records.causes.lastWrite = .at(0, 50)
    #expect(Self.kinds(records).contains(.missingSpan))
    #expect(!Self.kinds(records).contains(.appStopped))
    records.causes.stop?.since = .at(0, 50)
    #expect(Self.kinds(records).contains(.appStopped))
  }

  @Test("A bolus within two cycles before the app stopped may not have been written")
  func stopAfterBolus() {
    var records = Self.records()
    records.samples.removeLast()
    // It ended at 00:12:00.
    records.causes.stop = .init(since: .at(0, 22), words: "the phone has been off")
    #expect(Self.kinds(records) == [.appStopped])
    records.causes.stop?.since = .at(0, 22, 1)
    #expect(Self.kinds(records) == [.missingBolus])
  }

  @Test("A bolus that is recorded two minutes late is dated right, and a second more is not")
  func misdated() {
    for (seconds, kinds) in [(0, []), (1, [.misdated])] as [(Int64, [RecordDifference.Kind])] {
      var records = Self.records()
      records.doses[1].start = .at(0, 12, seconds)
      records.doses[1].end = .at(0, 14, seconds)
      records.samples[1].start = .at(0, 12, seconds)
      records.samples[1].end = .at(0, 14, seconds)
      #expect(Self.kinds(records) == kinds)
    }
  }

  @Test("What would be a window old after two cycles more is too old for the app")
  func age() {
    var records = Self.records()
    func cause(_ end: Instant) -> DifferenceCause? {
      records.causes.pastObstacles = [.init(span: Instant.at(0)..<end, words: "the phone was off")]
      return records.causeOfAge(from: .at(0), to: .at(0, 30), in: .app, .missingSpan)
    }
    #expect(cause(.at(23, 50)) != nil)
    #expect(cause(.at(23, 49, 59)) == nil)
  }

  @Test("Of basal that a stopped app did not close it is said that nothing records it as given")
  func stopBeforeTheEnd() {
    var records = Self.records()
    records.reportedThrough = .at(0, 30)
    records.doses[0].end = .at(0, 30)
    records.doses[0].units = 0.5
    records.samples[0].end = .at(0, 30)
    records.samples[0].units = 0.5
    records.causes.stop = .init(since: .at(0, 45), words: "the phone has been off")
    let found = RecordComparison(records).compare().differences
    #expect(found.map(\.kind) == [.appStopped])
    #expect(
      found.first?.text
        == "0.50 U of basal from 00:30:00 to 01:00:00 are recorded as given in neither the app nor "
        + "the health store: the phone has been off since 00:45:00.")
  }

  @Test("What was logged within an hour of an injection is its log, and a second more is not")
  func logs() {
    var causes = Self.records().causes
    causes.deletions = [.init(start: .at(1), end: .at(1), instant: .at(3))]
    causes.lostLogs = [.init(start: .at(1), units: 2, instant: .at(3))]
    #expect(causes.deletionOfLog(of: .at(2), among: []) != nil)
    #expect(causes.deletionOfLog(of: .at(2, 0, 1), among: []) == nil)
    #expect(causes.lostLog(of: .at(2), 2, among: []) != nil)
    #expect(causes.lostLog(of: .at(2, 0, 1), 2, among: []) == nil)
  }

  private static func kinds(_ records: ComparedRecords) -> [RecordDifference.Kind] {
    RecordComparison(records).compare().differences.map(\.kind)
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
