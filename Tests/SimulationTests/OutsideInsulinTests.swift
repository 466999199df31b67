import ClosedLoop
import Devices
import Dosing
import HealthStore
import Physiology
import Quantities
import Simulation
import Testing

@Suite("Insulin from elsewhere, and which record tells of it")
struct OutsideInsulinTests {
  private static func injected(at instant: Instant) -> ScenarioEvent {
    ScenarioEvent(at: instant, .inject(units: 2, formulation: .humalog, name: "humalog"))
  }

  private static func logged(_ units: Double, at instant: Instant) -> ScenarioEvent {
    ScenarioEvent(
      at: instant,
      .writeToHealthStore(
        HealthStoreWrite(.bolus(units: units, insulin: nil), start: instant, source: "Pen")))
  }

  private static func texts(_ events: [ScenarioEvent]) throws -> [String] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = events
    return try fixture.result().agreement.differences.map(\.text)
  }

  @Test("Of two equal injections the one that nobody logged is in no record")
  func nearestRecord() throws {
    let found = try Self.texts([
      Self.injected(at: .at(1)), Self.injected(at: .at(2)), Self.logged(2, at: .at(2)),
    ])
    #expect(found.contains("2.00 U injected at 01:00:00 are in no record."))
    #expect(
      found.contains(
        "2.00 U at 02:00:00 come from Pen, not from the pump; they count in IOB."))
    #expect(!found.contains { $0.contains("injected at 02:00:00") })
  }

  @Test("Of two injections in no record the one is told as deleted whose sample was")
  func nearestDeletion() throws {
    let found = try Self.texts([
      Self.injected(at: .at(1)), Self.injected(at: .at(1, 30)), Self.logged(2, at: .at(1, 30)),
      ScenarioEvent(
        at: .at(3), .delete(DeletionRequest(place: .healthStore, kind: .bolus, last: 1))),
    ])
    #expect(found.contains("2.00 U injected at 01:00:00 are in no record."), "\(found)")
    #expect(
      found.contains(
        "2.00 U injected at 01:30:00 are in no record: a sample was deleted in the health store at "
          + "03:00:00."), "\(found)")
  }

  @Test("Why what was logged in the app is in no record is told")
  func lostLogs() throws {
    func told(_ units: Double, _ more: [(Instant, ScenarioEvent.Action)]) throws -> [String] {
      let events: [(Instant, ScenarioEvent.Action)] = [
        (.at(1, 1), .inject(units: units, formulation: .humalog, name: "humalog")),
        (.at(1, 1), .logDose(units: units, takenAt: .at(1, 1), insulin: .humalog)),
      ]
      return try Self.texts(
        (events + more).map { ScenarioEvent(at: $0, id: "log", $1) }
      ).filter { $0.contains("in no record") }
    }
    #expect(
      try told(2, [(.at(1, 2), .reinstallApp)]) == [
        "2.00 U injected at 01:01:00 are in no record: they were logged in the app, which was "
          + "installed anew at 01:02:00 before it had written them."
      ])
    #expect(try told(2, [(.at(1, 12), .reinstallApp)]).isEmpty)
    #expect(
      try told(2, [(.at(1), .setPhone(.off)), (.at(1, 2), .setPhone(.on))]) == [
        "2.00 U injected at 01:01:00 are in no record: they could not be logged in the app at "
          + "01:01:00, as the phone was off."
      ])
    // The app takes 30 U at the most.
    #expect(
      try told(31, []) == [
        "31.00 U injected at 01:01:00 are in no record: the app did not take them when they were "
          + "logged in it at 01:01:00."
      ])
  }

  @Test("What was too old when it could be written has as its cause what lasted until then")
  func tooOldToWrite() throws {
    func writing(_ isGranted: Bool, at instant: Instant) -> ScenarioEvent {
      let access = HealthStoreAccess(
        data: [.insulin], directions: [.write], isGranted: isGranted)
      return ScenarioEvent(at: instant, .authorize(access))
    }
    var fixture = Fixture()
    fixture.duration = .hours(64)
    fixture.events = [
      writing(false, at: .at(1)), Self.injected(at: .at(2)),
      ScenarioEvent(at: .at(2), .logDose(units: 2, takenAt: .at(2), insulin: .humalog)),
      // An obstacle of ten hours, which is over before.
      ScenarioEvent(at: .at(23), id: "off", .setPhone(.off)),
      ScenarioEvent(at: .at(33), id: "on", .setPhone(.on)), writing(true, at: .at(60)),
    ]
    let agreement = try fixture.result().agreement
    let lacking = agreement.differences.filter { $0.text.contains("are not in the health store") }
    #expect(lacking.contains { $0.text.hasPrefix("2.00 U at ") }, "\(lacking.map(\.text))")
    #expect(lacking.contains { $0.text.contains("U of basal from ") }, "\(lacking.map(\.text))")
    for difference in lacking {
      #expect(
        difference.text.hasSuffix(
          ": the app was not allowed to write insulin from 2026-01-15T01:00:00 to "
            + "2026-01-17T12:00:00, and the app writes nothing older than 1d."), "\(difference)")
    }
    #expect(agreement.answer == .explained)
  }

  @Test("Nothing to delete is told with the place in words")
  func nothingToDelete() throws {
    var fixture = Fixture()
    fixture.duration = .hours(1)
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 30), .delete(DeletionRequest(place: .healthStore, kind: .bolus, last: 1)))
    ]
    let texts = try fixture.result().trace.happenings.map(\.text)
    #expect(texts.contains("There was nothing to delete in the health store."))
  }

  @Test("An injection logged with another amount is one difference, and the next one keeps its own")
  func otherAmount() throws {
    let found = try Self.texts([
      Self.injected(at: .at(1)), Self.logged(5, at: .at(1)), Self.injected(at: .at(2)),
      Self.logged(2, at: .at(2)),
    ])
    #expect(
      found.filter { $0.contains("01:00:00") } == [
        "Pen says 5.00 U at 01:00:00, where 2.00 U were injected; IOB counts 5.00 U."
      ])
    #expect(!found.contains { $0.contains("injected at 02:00:00") })
  }

  @Test("A record of another time is not of the injection")
  func otherTime() throws {
    let found = try Self.texts([Self.injected(at: .at(1)), Self.logged(5, at: .at(1, 10))])
    #expect(found.contains("2.00 U injected at 01:00:00 are in no record."), "\(found)")
    #expect(
      found.contains {
        $0.hasPrefix("Pen says 5.00 U at 01:10:00 that did not enter the body then")
      }, "\(found)")
  }

  @Test("A record with another amount is of the injection of its instant, not of the next one")
  func otherAmountBesideAnEqualOne() throws {
    let found = try Self.texts([
      Self.injected(at: .at(1)), Self.logged(1.5, at: .at(1)),
      ScenarioEvent(at: .at(1, 10), .inject(units: 1.5, formulation: .humalog, name: "humalog")),
    ])
    #expect(
      found.contains("Pen says 1.50 U at 01:00:00, where 2.00 U were injected; IOB counts 1.50 U."),
      "\(found)")
    #expect(found.contains("1.50 U injected at 01:10:00 are in no record."), "\(found)")
    #expect(!found.contains { $0.hasPrefix("2.00 U injected") }, "\(found)")
  }

  @Test("Basal of a pen that is logged with another amount is in a record, though not in IOB")
  func otherAmountOfBasal() throws {
    let found = try Self.texts([
      Self.injected(at: .at(1)),
      ScenarioEvent(
        at: .at(1),
        .writeToHealthStore(
          HealthStoreWrite(.basal(units: 3, duration: .zero), start: .at(1), source: "Pen"))),
    ])
    #expect(
      found.contains(
        "Pen says 3.00 U at 01:00:00, where 2.00 U were injected, which IOB does not count."),
      "\(found)")
    #expect(
      found.contains(
        "2.00 U at 01:00:00 come from Pen, not from the pump; they do not count in IOB: the app "
          + "takes no basal of other sources."), "\(found)")
    #expect(!found.contains { $0.contains("in no record") }, "\(found)")
  }

  @Test("A deletion is of the injection whose record it was, also where that one came back")
  func deletionOfAnother() throws {
    let found = try Self.texts([
      Self.injected(at: .at(1)), Self.injected(at: .at(1, 40)), Self.logged(2, at: .at(1, 40)),
      ScenarioEvent(
        at: .at(2), .delete(DeletionRequest(place: .healthStore, kind: .bolus, last: 1))),
      ScenarioEvent(
        at: .at(2, 30),
        .writeToHealthStore(
          HealthStoreWrite(.bolus(units: 2, insulin: nil), start: .at(1, 40), source: "Pen"))),
    ])
    #expect(found.contains("2.00 U injected at 01:00:00 are in no record."), "\(found)")
    #expect(!found.contains { $0.contains("injected at 01:40:00") }, "\(found)")
  }

  @Test("A dose that was logged in the app is found by the id of its event, and told as deleted")
  func deletionOfLogInApp() throws {
    let found = try Self.texts([
      Self.injected(at: .at(1)),
      ScenarioEvent(at: .at(1), id: "pen", .logDose(units: 2, takenAt: .at(1), insulin: .humalog)),
      ScenarioEvent(at: .at(2), id: "other", .bolus(BolusRequest(.units(1), by: .user))),
      ScenarioEvent(
        at: .at(3), .delete(DeletionRequest(place: .healthStore, kind: .any, id: "pen"))),
    ])
    #expect(
      found.contains(
        "2.00 U injected at 01:00:00 are in no record: a sample was deleted in the health store at "
          + "03:00:00."), "\(found)")
  }
}
