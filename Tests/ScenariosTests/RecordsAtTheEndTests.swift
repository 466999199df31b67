import ClosedLoop
import Quantities
import Simulation
import TestSupport
import Testing

@Suite("What the records are said to hold at the end of a run")
struct RecordsAtTheEndTests {
  /// The differences in a run of six hours from midnight at 0.8 U/h.
  private func differences(_ rest: String) throws -> [RecordDifference] {
    try RecordCauseTests.run(rest).agreement.differences
  }

  @Test("A bolus is not written when it ends where the app may not write, or the store takes none")
  func runningUnwritten() throws {
    // Two minutes of 40 s for a unit.
    let still = "The bolus of 05:58:00 (3.00 U) is still being given, and is to be 5.00 U; "
    func told(_ rest: String) throws -> [String] {
      let found = try differences(rest).filter { $0.kind == .runningBolus }
      return found.filter { $0.records == [.healthStore] }.map(\.text)
    }
    let bolus = "{ at: '+358m', bolus: { units: 5 } }"
    #expect(try told("events: [\(bolus)]") == [still + "it is written when it ends."])
    #expect(
      try told("events: [{ at: '+5h', healthStore: { revoke: 'insulin.write' } }, \(bolus)]")
        == [still + "the app has not been allowed to write insulin since 05:00:00."])
    let fault = "{ during: ['+5h', '2h'], healthStore: { writeFail: { scope: 'insulin' } } }"
    #expect(
      try told("events: [\(bolus)], faults: [\(fault)]")
        == [still + "the health store has taken no insulin since 05:00:00."])
  }

  @Test("That the app knows nothing of a bolus that is being given is not as it should be")
  func runningUnknown() throws {
    func told(_ rest: String) throws -> [RecordDifference] {
      try differences(rest).filter { $0.origin == .bolus }
    }
    let untold = try told(
      """
      events: [{ at: '+358m', bolus: { units: 5 } }],
      faults: [{ during: ['+357m', '2m'], pump: { uncertainDelivery: { resolveAfter: '1h' } } }]
      """)
    #expect(
      untold.map(\.text) == [
        "The bolus of 05:58:00 (3.00 U) is still being given, and is to be 5.00 U; the pump has "
          + "not told of it, and IOB does not count it."
      ])
    #expect(untold.map(\.kind) == [.notReported])
    let unheard = try told(
      """
      events: [{ at: '+357m', phone: 'bluetoothOff' },
        { at: '+358m', bolus: { units: 5, by: 'pump' } }]
      """)
    #expect(
      unheard.map(\.text) == [
        "The bolus of 05:58:00 (3.00 U) is still being given, and is to be 5.00 U; Bluetooth has "
          + "been off since 05:57:00, and IOB does not count it."
      ])
    #expect(unheard.map(\.kind) == [.appStopped])
    for found in untold + unheard {
      #expect(found.severity == .check)
      #expect(found.records == [.app, .healthStore])
      #expect(found.units == -3)
    }
  }

  @Test("What runs at the end counts once, also where the app was installed anew meanwhile")
  func runningOnce() throws {
    let events = "{ at: '+350m', suspend: true }, { at: '+355m', phone: 'reinstall' }"
    let run = try RecordCauseTests.run("events: [\(events)]")
    let stops = run.insulinDelivery.filter { $0.kind == .suspend }
    #expect(stops.map(\.start) == [run.start + .minutes(355)])
    #expect(stops.map(\.end) == [run.end])
    #expect(stops.map(\.isMutable) == [false])
  }

  @Test("A temp basal that goes on at the rate of the last counts once at the end")
  func sameRateOnce() throws {
    let temp = "basal: { rate: 2, duration: '30m' }"
    let run = try RecordCauseTests.run(
      "events: [{ at: '+338m', closedLoop: false }, { at: '+340m', \(temp) }, "
        + "{ at: '+355m', \(temp) }]")
    let temps = run.insulinDelivery.filter { $0.end > run.start + .minutes(340) }
    #expect(temps.map(\.start) == [run.start + .minutes(340)])
    #expect(temps.map(\.end) == [run.end])
    #expect(temps.map(\.isMutable) == [false])
  }

  @Test("A bolus that was deleted in the health store explains no gap in its basal")
  func deletedBolus() throws {
    let run = try RecordCauseTests.run(
      """
      healthStore: { writeBasalSegments: false },
      events: [{ at: '+1h', bolus: { units: 5 } },
        { at: '+200m', delete: { from: 'healthStore', match: { kind: 'bolus' } } }]
      """)
    let found = run.agreement.differences.filter {
      $0.origin == .basal && $0.records == [.healthStore]
    }
    #expect(found.map(\.kind) == [.turnedOff], "\(found.map(\.text))")
    #expect(found.map(\.start) == [run.start])
    #expect(found.map(\.end) == [run.end])
  }

  @Test("Insulin that another app dates days ahead, or decades back, is in the health store")
  func datedFar() throws {
    func told(_ start: String, _ text: String) throws {
      let agreement = try RecordCauseTests.run(
        "events: [{ at: '+3h', healthStore: { write: { bolus: 2, start: '\(start)' } } }]"
      ).agreement
      #expect(agreement.elsewhere.healthStore == 2)
      let texts = agreement.differences.filter { $0.origin == .elsewhere }.map(\.text)
      #expect(texts.count == 1 && texts[0].contains(text), "\(texts)")
    }
    try told(
      "+5d",
      "Other app says 2.00 U at 2026-01-20T03:00:00, after the end of the run, which IOB does not "
        + "count before then.")
    try told("1990-01-01T00:00:00", "Other app says 2.00 U at ")
  }

  @Test("Insulin that the phone's clock dates after the run is told with when it was given")
  func datedByTheClock() throws {
    let texts = try differences(
      """
      events: [{ at: '+1h', clockSet: '1d' },
        { at: '+2h', injection: { units: 2 }, entry: { in: 'app' } }]
      """
    ).filter { $0.origin == .elsewhere }.map(\.text)
    #expect(
      texts.contains(
        "Loop says 2.00 U at 2026-01-16T02:00:00, after the end of the run, which IOB does not "
          + "count before then; they entered the body at 02:00:00."), "\(texts)")
  }

  @Test("A time before the run is told with its date, as the clock shows it again in the run")
  func datedBefore() throws {
    let texts = try differences(
      "events: [{ at: '+3h', healthStore: { write: { bolus: 2, start: '-20h' } } }]"
    ).filter { $0.origin == .elsewhere }.map(\.text)
    #expect(
      texts == [
        "Other app says 2.00 U at 2026-01-14T07:00:00 that did not enter the body then, which IOB "
          + "counts."
      ])
  }

  @Test("A deleted entry that the health store has lost meanwhile is not told as still there")
  func deletedEntry() throws {
    func told(_ faults: String) throws -> Bool {
      let run = try RecordCauseTests.run(
        """
        events: [{ at: '+1h', meal: { grams: 30 },
            entry: { edits: [{ at: '+62m', delete: true }] } },
          { at: '+115m', healthStore: { revoke: 'carbs.write' } }], faults: [\(faults)]
        """)
      return run.troubles.contains { $0.text.contains("could not be deleted in the health store") }
    }
    #expect(try told(""))
    #expect(try !told("{ at: '+161m', healthStore: { wipe: { scope: 'carbs' } } }"))
  }

  @Test("Copies that were lost, and came back from a backup, are told like those that stayed")
  func restoredCopies() throws {
    func copies(_ more: String) throws -> [Int] {
      let run = try RecordCauseTests.run(
        """
        events: [{ at: '+65m', meal: { grams: 30 } } \(more)], faults: [
          { during: ['+1h', '30m'], healthStore: { duplicate: {} } },
          { at: '+2h', healthStore: { wipe: {} } }]
        """)
      return run.glucoseCopiedAtEnd.map(\.count) + run.carbsCopiedAtEnd.map { Int($0.mass.grams) }
    }
    #expect(try copies("") == [])
    // The readings of 01:00 to 01:25, and the meal.
    #expect(try copies(", { at: '+3h', healthStore: { restore: true } }") == [6, 30])
  }

  /// A run of twelve hours at 1.0 U/h with a loop that is open.
  private func openLoop(_ rest: String) throws -> RunResult {
    try BehaviourFixture.result(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '12h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]] } },
        pump: { model: 'generic50' }, app: { closedLoop: false }, \(rest) }
      """)
  }

  @Test("A program that the pump never told of is a difference, though all units are recorded")
  func hiddenProgram() throws {
    func lost(_ event: String) -> String {
      """
      events: [{ at: '02:00', \(event) }], faults: [{ during: ['01:59', '2m'],
        pump: { uncertainDelivery: { reported: 'none' } } }]
      """
    }
    let scheduled = "The app has scheduled basal from 02:00:00 to 04:00:00, and does not know that "
    for (rest, text) in [
      // Nothing in two hours in place of 2 U; 8 U in place of 2 U.
      (
        lost("suspend: { duration: '2h' }"),
        scheduled + "the pump was suspended: IOB counts 2.00 U more than was given."
      ),
      (
        lost("basal: { rate: 4, duration: '2h' }"),
        scheduled + "the pump ran a temp basal of 4.00 U/h: IOB counts 6.00 U less than was given."
      ),
      (
        """
        faults: [{ during: ['02:00', '4h'], pump: { commLoss: { history: 'none' } } },
          { during: ['02:30', '3h'], pump: { alarm: { name: 'failure' } } }]
        """,
        "The app has scheduled basal from 02:30:00 to 05:30:00, and does not know that an alarm "
          + "had stopped the pump: IOB counts 3.00 U more than was given."
      ),
    ] {
      let run = try openLoop(rest)
      let found = run.agreement.differences.filter { $0.kind == .otherProgram }
      #expect(found.map(\.text) == [text])
      #expect(found.map(\.severity) == [.check])
      #expect(found.map(\.records) == [[.app, .healthStore]])
      #expect(run.agreement.answer == .explained)
      #expect(run.troubles.contains { $0.kind == .wrongRecord && $0.text == text })
    }
  }

  @Test("A program that the app knows of is no difference, and neither is a clock that was wrong")
  func knownProgram() throws {
    for rest in [
      "events: [{ at: '02:00', suspend: { duration: '2h' } }]",
      "events: [{ at: '02:00', basal: { rate: 4, duration: '2h' } }]",
      "faults: [{ during: ['02:30', '3h'], pump: { alarm: { name: 'failure' } } }]",
      """
      events: [{ at: '02:00', suspend: { duration: '2h' } }], faults: [{ during: ['01:59', '2m'],
        pump: { uncertainDelivery: { resolveAfter: '1h' } } }]
      """,
      """
      events: [{ at: '02:00', suspend: { duration: '2h' } },
        { at: '01:00', clockSet: '-1h' }, { at: '06:00', clockSet: '1h' }]
      """,
    ] {
      let run = try openLoop(rest)
      #expect(!run.agreement.differences.contains { $0.kind == .otherProgram })
    }
  }

  @Test("A bolus of which the pump reports less is more than it counted, whatever it gave besides")
  func misreportedBesideUnrequested() throws {
    let texts = try RecordCauseTests.run(
      """
      events: [{ at: '+1h', bolus: { units: 5, reported: { units: 1 } } }],
      faults: [{ at: '+2h', pump: { unrequested: { units: 2 } } }]
      """
    ).troubles.map(\.text)
    #expect(
      texts.contains {
        $0.hasPrefix("4.00 U more than the pump counted reached the body ")
          && $0.hasSuffix(": the pump reported another amount than it gave.")
      })
  }

  @Test("Of insulin without a command no more reached the body than there was, but for a factor")
  func scaledUnrequested() throws {
    for (factor, clause) in [("2", "but 4.00 U"), ("0.5", "of which 1.00 U")] {
      let texts = try openLoop(
        """
        faults: [{ during: ['01:50', '1h'], pump: { scale: { bolus: \(factor) } } },
          { at: '02:10', pump: { unrequested: { units: 2 } } }]
        """
      ).agreement.differences.map(\.text)
      let expected =
        "The pump gave 2.00 U at 02:10:00 without a command, \(clause) reached the body, and no "
        + "record knows of it."
      #expect(texts.contains(expected), "\(texts)")
    }
  }
}
