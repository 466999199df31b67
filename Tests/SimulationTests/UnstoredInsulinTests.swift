import ClosedLoop
import Devices
import Quantities
import TestSupport
import Testing

@testable import Simulation

@Suite("Insulin that the health store does not hold")
struct UnstoredInsulinTests {
  /// Four hours at 0.4 U/h, in which the app may write no insulin from 01:00 on, with a bolus of
  /// 1 U every twenty minutes from 02:00.
  private func run(boluses: Int64, allowedAt instant: Instant? = nil) throws -> RunResult {
    func writing(_ isGranted: Bool, at instant: Instant) -> ScenarioEvent {
      ScenarioEvent(
        at: instant, id: "permission",
        .authorize(
          HealthStoreAccess(data: [.insulin], directions: [.write], isGranted: isGranted)))
    }
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events =
      [writing(false, at: .at(1))]
      + (0..<boluses).map {
        ScenarioEvent(
          at: .at(2) + .minutes(20 * $0), id: "bolus \($0)", .bolus(BolusRequest(.units(1))))
      } + (instant.map { [writing(true, at: $0)] } ?? [])
    return try fixture.result()
  }

  private func told(_ run: RunResult) -> [String] {
    run.troubles.filter { $0.kind == .insulinNotStored }.map(\.sentence)
  }

  private static let cause = "the app has not been allowed to write insulin since 01:00:00."

  @Test("A bolus that the app may not write is told, and the basal beside it")
  func bolus() throws {
    let told = told(try run(boluses: 1))
    #expect(told.count == 2)
    #expect(told.contains { $0.contains("U of basal from ") && $0.hasSuffix(Self.cause) })
    #expect(
      told.contains("The bolus of 02:00:00 (1.00 U) is not in the health store: \(Self.cause)"))
  }

  @Test("Many are told together, with their sum")
  func together() throws {
    let run = try run(boluses: 5)
    let alike =
      "The bolus of 02:00:00 (1.00 U) is not in the health store: \(Self.cause) (5 of this kind, "
      + "5.00 U together, 02:00:00 to "
    #expect(told(run).count { $0.hasPrefix(alike) } == 1)
    #expect(told(run).count == 2)
    let groups = AlikeDifferences.groups(of: run.agreement.differences).filter(\.isToldTogether)
    #expect(groups.map(\.units) == [5])
    #expect(groups.allSatisfy { run.sentence(on: $0).hasPrefix(alike) })
  }

  @Test("What no loop took in for a day has that as its cause")
  func idle() throws {
    /// What is told of a bolus of 02:00 in 30 hours, with faults from 01:00 to an hour.
    func told(_ faults: [Fault], until hour: Int64) throws -> [String] {
      var fixture = Fixture()
      fixture.duration = .hours(30)
      fixture.events =
        faults.map { ScenarioEvent(at: .at(1), id: $0.id, .beginFault($0)) }
        + [ScenarioEvent(at: .at(2), id: "b", .bolus(BolusRequest(.units(2))))]
        + faults.map { ScenarioEvent(at: .at(hour), id: $0.id, .endFault(id: $0.id)) }
      let agreement = try fixture.result().agreement
      #expect(agreement.answer == .explained, "\(agreement.differences.map(\.text))")
      return agreement.differences.map(\.text).filter { $0.contains("(2.00 U)") }
    }
    func sentence(_ cause: String, until end: String) -> String {
      "The bolus of 2026-01-15T02:00:00 (2.00 U) is not what the app counts: \(cause) from "
        + "2026-01-15T01:00:00 to \(end), and the app takes in nothing older than 1d; the body has "
        + "it, and IOB does not count it."
    }
    let skipped = Fault(id: "skip", .app(.skipLoops(count: nil)))
    let cause = "the loop was skipped"
    #expect(try told([skipped], until: 27) == [sentence(cause, until: "2026-01-16T03:00:00")])
    // To the end, at which the app writes what it has.
    #expect(try told([skipped], until: 31) == [sentence(cause, until: "2026-01-16T06:00:00")])
    #expect(
      try told(
        [Fault(id: "save", .lowPower), Fault(id: "off", .sensor(.dropout(backfill: false)))],
        until: 27) == [
          sentence(
            "the phone saved power, and no reading woke the app", until: "2026-01-16T03:00:00")
        ])
  }

  @Test("A loop that is skipped is not the cause of the day for which the phone is off")
  func idleAndOff() throws {
    /// What is told of a bolus on the pump of an instant, with the loop skipped from 01:00 to
    /// another and the phone off from a third to 03:00 of the next day.
    func told(of bolus: Instant, skippedTo end: Instant, offFrom start: Instant) throws -> String {
      let faults = [
        (Fault(id: "skip", .app(.skipLoops(count: nil))), Instant.at(1), end),
        (Fault(id: "off", .phone(.off)), start, Instant.at(27)),
      ]
      var fixture = Fixture()
      fixture.duration = .hours(30)
      fixture.events =
        faults.map { ScenarioEvent(at: $0.1, id: $0.0.id, .beginFault($0.0)) }
        + [ScenarioEvent(at: bolus, id: "b", .bolus(BolusRequest(.units(2), by: .pump)))]
        + faults.map { ScenarioEvent(at: $0.2, id: $0.0.id, .endFault(id: $0.0.id)) }
      let told = try fixture.result().agreement.differences.map(\.text)
        .filter { $0.contains("(2.00 U)") }
      #expect(told.count == 1)
      return told.first ?? ""
    }
    // A quarter of an hour says nothing of a day.
    let off = try told(of: .at(1, 10), skippedTo: .at(1, 16), offFrom: .at(1, 17))
    #expect(off.contains(" from 2026-01-15T01:17:00 to 2026-01-16T03:0"), "\(off)")
    #expect(!off.contains("skipped"), "\(off)")
    // Neither lasted for a day.
    let both = try told(of: .at(2), skippedTo: .at(14), offFrom: .at(14))
    #expect(both.contains(": no loop ran from 2026-01-15T01:00:00 to 2026-01-16T03:0"), "\(both)")
  }

  @Test("Nothing is missing where the app may write again")
  func allowedAgain() throws {
    let run = try run(boluses: 2, allowedAt: .at(3))
    #expect(told(run).isEmpty)
    #expect(run.agreement.bolus.healthStore == 2)
  }

  @Test("A store that takes nothing is the cause, and no permission, unless that was missing too")
  func failingStore() throws {
    func causes(_ events: [ScenarioEvent]) throws -> Set<String> {
      var fixture = Fixture()
      fixture.duration = .hours(4)
      let fault = Fault(id: "fails", .healthStore(HealthStoreFault(.writeFails)))
      fixture.events =
        [
          ScenarioEvent(at: .at(1), id: "fails", .beginFault(fault)),
          ScenarioEvent(at: .at(2), id: "bolus", .bolus(BolusRequest(.units(1)))),
          ScenarioEvent(
            at: .at(2), id: "food",
            .enterCarbs(
              CarbEntryRequest(name: "food", grams: 20, absorption: nil, eatenAt: .at(2)))),
        ] + events
      let run = try fixture.result()
      return Set(
        run.troubles.filter { [.insulinNotStored, .carbsNotStored].contains($0.kind) }
          .compactMap { trouble in
            trouble.text.split(separator: "the health store: ").last.map(String.init)
          })
    }
    #expect(
      try causes([]) == [
        "the health store has taken no insulin since 01:00:00.",
        "the health store takes no carbohydrates.",
      ])
    let revoked = ScenarioEvent(
      at: .at(3), id: "permission",
      .authorize(
        HealthStoreAccess(data: [.insulin, .carbs], directions: [.write], isGranted: false)))
    #expect(
      try causes([revoked]) == [
        Self.cause, "the app is not allowed to write carbohydrates.",
      ])
  }
}
