import Quantities
import Simulation
import TestSupport
import Testing

@testable import Expectations

/// Differences between the records that lie close to the edge of their cause.
///
/// They lie between two cycles of the app, or where two causes meet. Random runs found them.
@Suite("Causes of differences between the records")
struct RecordCauseTests {
  /// What happens, and a part of the sentence that names the cause.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rest: String
    var clause: String
  }

  static let cases = [
    Case(
      testDescription: "The phone is off before the cycle that would have counted a bolus",
      rest: "events: [{ at: '+51m', bolus: { units: 3.6 } }, { at: '+55m', phone: 'off' }]",
      clause: "is not what the app knows of: the phone has been off since 00:55:00"),
    Case(
      testDescription: "The app is installed anew twice while the phone's clock is behind",
      rest: """
        events: [{ at: '+10m', clockSet: '-2h' }, { at: '+3h', phone: 'reinstall' },
          { at: '+4h', basal: { rate: 2, duration: '30m' } }, { at: '+5h', phone: 'reinstall' }]
        """,
      clause: "the app was installed anew at 03:00:00, when the phone's clock showed 01:00:00"),
    Case(
      testDescription: "The phone is off before the pump tells of a bolus whose reply was lost",
      rest: """
        events: [{ at: '+65m', bolus: { units: 3 } }, { at: '+100m', phone: 'off' }],
        faults: [{ during: ['+60m', '10m'],
          pump: { uncertainDelivery: { trulyDelivered: 1, resolveAfter: '1h' } } }]
        """,
      clause: "is not what the app knows of: the phone has been off since 01:40:00"),
    Case(
      testDescription: "The run ends before the pump tells of a bolus whose reply was lost",
      rest: """
        events: [{ at: '+65m', bolus: { units: 3 } }],
        faults: [{ during: ['+60m', '10m'],
          pump: { uncertainDelivery: { trulyDelivered: 0.5, resolveAfter: '1d' } } }]
        """,
      clause: "the reply to its command was lost, and the pump has not told of it"),
    Case(
      testDescription: "A bolus is deleted before the cycle that would have written it",
      rest: """
        events: [{ at: '+46m', bolus: { units: 0.6 } },
          { at: '+49m', delete: { from: 'eventHistory', match: { kind: 'bolus', last: 1 } } }]
        """,
      clause: "was deleted from the event history before the app had written it"),
    Case(
      testDescription: "Contact is lost for another reason before the pump was read again",
      rest: """
        events: [{ at: '+98m', bolus: { units: 0.3 } }],
        faults: [{ during: ['+99m', '61m'], phone: { bluetoothOff: {} } },
          { during: ['+120m', '5h'], pump: { commLoss: { history: 'none' } } }]
        """,
      clause: "the app has not been able to read the pump since 01:39:00"),
    Case(
      testDescription: "The phone is off before the first cycle in which the app may write again",
      rest: """
        events: [{ at: '+91m', bolus: { units: 3.6 } }],
        faults: [{ during: ['+78m', '33m'], healthStore: { writeFail: {} } },
          { during: ['+112m', '5h'], phone: { off: {} } }]
        """,
      clause: "is not in the health store: the app last wrote to the health store at 01:15:00"),
    Case(
      testDescription: "A pen dose comes before the cycle that would have read it, then none may",
      rest: """
        events: [{ at: '+86m', injection: { units: 1.5 } }],
        faults: [{ during: ['+89m', '37m'], healthStore: { readDenied: {} } }]
        """,
      clause: "the app was not allowed to read insulin from 01:29:00 to 02:06:00"),
    Case(
      testDescription: "The phone saves power, and is off before it looks again",
      rest: """
        events: [{ at: '+90m', injection: { units: 3.6 } }],
        faults: [{ during: ['+61m', '90m'], phone: { lowPower: {} } },
          { during: ['+126m', '5h'], phone: { off: {} } }]
        """,
      clause: "the app last looked at the health store at 01:00:00"),
    Case(
      testDescription: "The phone saves power, and the app may not read when it looks again",
      rest: """
        events: [{ at: '+120m', injection: { units: 3 } }],
        faults: [{ during: ['+61m', '179m'], phone: { lowPower: {} } },
          { during: ['+240m', '1h'], healthStore: { readDenied: {} } }]
        """,
      clause: "the app last looked at the health store at 01:00:00, was not allowed to read "
        + "insulin from 04:00:00 to 05:00:00, and does not look back"),
    Case(
      testDescription: "A pen dose comes before a cycle from which on the app may not read",
      rest: """
        events: [{ at: '+86m', injection: { units: 1.5 } }],
        faults: [{ during: ['+90m', '37m'], healthStore: { readDenied: {} } }]
        """,
      clause: "the app was not allowed to read insulin from 01:30:00 to 02:07:00"),
    Case(
      testDescription: "A pen dose is deleted while the app may not read",
      rest: """
        events: [{ at: '+31m', injection: { units: 2.5 } },
          { at: '+98m', delete: { from: 'healthStore', match: { kind: 'bolus', last: 1 } } }],
        faults: [{ during: ['+92m', '16m'], healthStore: { readDenied: {} } }]
        """,
      clause: "are not in the health store: deleted there at 01:38:00, which the app has not seen"),
    Case(
      testDescription: "The phone's clock is behind when the run ends",
      rest: "faults: [{ at: '+60m', app: { clockJump: '-2h' } }]",
      clause: "the phone's clock is 2h behind and has not come to that time"),
    Case(
      testDescription: "The loop is skipped, and the phone is off before it runs again",
      rest: """
        events: [{ at: '+155m', bolus: { units: 4.5 } }, { at: '+273m', phone: 'off' }],
        faults: [{ during: ['+102m', '195m'], app: { skipLoops: {} } }]
        """,
      clause: "is not what the app knows of: the loop last ran at 01:40:00"),
    Case(
      testDescription: "The app is installed anew while the phone's clock is behind",
      rest: """
        events: [{ at: '+90m', phone: 'reinstall' }],
        faults: [{ during: ['+30m', '2h'], app: { clockJump: '-70m' } }]
        """,
      clause: "the app was installed anew at 01:30:00, when the phone's clock showed 00:20:00"),
    Case(
      testDescription: "The app is installed anew while the phone's clock is ahead",
      rest: """
        events: [{ at: '+90m', phone: 'reinstall' }],
        faults: [{ during: ['+30m', '2h'], app: { clockJump: '70m' } }]
        """,
      clause: "the app was installed anew at 01:30:00, when the phone's clock showed 02:40:00"),
    Case(
      testDescription: "The app is installed anew before it runs again after a crash",
      rest: """
        events: [{ at: '+90m', phone: 'reinstall' }],
        faults: [{ during: ['+40m', '1h'], app: { crash: { loses: ['unsaved', 'memory'] } } }]
        """,
      clause: "the app was installed anew at 01:30:00 and has no record from before that"),
  ]

  static func run(
    _ rest: String, pump: String = "", hours: Int = 6, cycle: String = "5m"
  ) throws -> RunResult {
    try BehaviourFixture.result(
      """
      { format: 'loopsim/1', random: { seed: 4 },
        clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '\(hours)h',
          loopEvery: '\(cycle)' },
        patient: { model: 'tidepool-simple', initialGlucose: 140,
          needs: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        therapy: { maxBolus: 10, maxBasal: 4 },
        pump: { model: 'generic50' \(pump) }, app: { closedLoop: true },
        \(rest) }
      """)
  }

  @Test("What the app has at another time, as its clock was wrong, is told with both times")
  func misdated() throws {
    let result = try Self.run(
      """
      events: [{ at: '+30m', clockSet: '-2h' }, { at: '+3h', clockSet: '2h' },
        { at: '+150m', injection: { units: 2 }, entry: { in: 'app' } }]
      """)
    // At 02:30 the phone shows 00:30.
    let texts = result.agreement.differences.map(\.text)
    #expect(
      texts.contains(
        "2.00 U injected at 02:30:00 are in no record of that time: Loop has them at 00:30:00, and "
          + "the phone's clock was wrong."), "\(texts)")
    #expect(
      texts.contains(
        "Loop says 2.00 U at 00:30:00 that did not enter the body then, but at 02:30:00, which IOB "
          + "counts."), "\(texts)")
  }

  @Test("Each has its cause", arguments: Extent.some(of: cases, every: 2))
  func cause(_ one: Case) throws {
    let agreement = try Self.run(one.rest).agreement
    let texts = agreement.differences.map(\.text)
    #expect(texts.contains { $0.contains(one.clause) }, "\(texts)")
    #expect(agreement.answer == .explained, "\(texts)")
  }

  /// What is a day old when the app could take it in, or write it, is not; the runs last 28 hours.
  static let tooOld = [
    Case(
      testDescription: "The phone's clock is a day ahead when a bolus is given",
      rest: "events: [{ at: '+50m', clockSet: '1d' }, { at: '+90m', bolus: { units: 2 } }]",
      clause: "The bolus of 2026-01-15T01:30:00 (2.00 U) is not what the app counts: the phone's "
        + "clock was 1d ahead, and the app takes in nothing older than 1d; the body has it, and "
        + "IOB does not count it."),
    Case(
      testDescription: "The phone is off for longer than a day",
      rest: """
        events: [{ at: '+50m', phone: 'off' }, { at: '+90m', bolus: { units: 2, by: 'pump' } },
          { at: '+26h', phone: 'on' }]
        """,
      clause: "is not what the app counts: the phone was off from 2026-01-15T00:50:00 to "
        + "2026-01-16T02:00:00, and the app takes in nothing older than 1d"),
    Case(
      testDescription: "For longer than a day the app may not write insulin",
      rest: """
        events: [{ at: '+50m', healthStore: { revoke: 'insulin.write' } },
          { at: '+90m', bolus: { units: 2 } },
          { at: '+26h', healthStore: { grant: 'insulin.write' } }]
        """,
      clause: "The bolus of 2026-01-15T01:30:00 (2.00 U) is not in the health store: the app was "
        + "not allowed to write insulin from 2026-01-15T00:50:00 to 2026-01-16T02:00:00, and the "
        + "app writes nothing older than 1d."),
    Case(
      testDescription: "Basal, too",
      rest: """
        events: [{ at: '+50m', healthStore: { revoke: 'insulin.write' } },
          { at: '+90m', basal: { rate: 2, duration: '30m' } },
          { at: '+26h', healthStore: { grant: 'insulin.write' } }]
        """,
      clause: "2026-01-15T01:30:00 are not in the health store: the app was not allowed to write "
        + "insulin from 2026-01-15T00:50:00 to 2026-01-16T02:00:00, and the app writes nothing "
        + "older than 1d."),
  ]

  @Test("Age is a cause", arguments: tooOld)
  func age(_ one: Case) throws {
    let agreement = try Self.run(one.rest, hours: 28, cycle: "10m").agreement
    let texts = agreement.differences.map(\.text)
    #expect(texts.contains { $0.contains(one.clause) }, "\(texts)")
    #expect(agreement.answer == .explained, "\(texts)")
  }

  @Test("What no longer counts is told among what went wrong")
  func ageIsTold() throws {
    let run = try Self.run(Self.tooOld[1].rest, hours: 28)
    #expect(run.troubles.contains { $0.kind == .wrongRecord && $0.text.contains("(2.00 U)") })
  }

  @Test("Many doses that are lost for one reason are told in one sentence, a few one by one")
  func oneReason() throws {
    func told(_ hours: ClosedRange<Int>) throws -> [RunTrouble] {
      let boluses = hours.map { "{ at: '+\($0)h', bolus: { units: 0.\($0) } }" }
      let run = try Self.run(
        """
        healthStore: { rereportDeleted: false },
        events: [\(boluses.joined(separator: ", "))],
        faults: [{ at: '+9h30m', healthStore: { wipe: { scope: 'insulin' } } }]
        """, hours: 10)
      return run.troubles.filter { $0.kind == .wrongRecord && $0.text.contains("bolus") }
    }
    let few = try told(1...3)
    #expect(few.map(\.count) == [1, 1, 1])
    // 0.1 and 0.2 and so on to 0.8 U are 3.6 U.
    let many = try told(1...8)
    #expect(many.map(\.count) == [8])
    let sentence = many.first?.sentence ?? ""
    #expect(sentence.hasPrefix("The bolus of 01:00:00 (0.10 U) was deleted in the health store"))
    #expect(sentence.contains(" (8 of this kind, 3.60 U together, 01:00:00 to "), "\(sentence)")
  }

  @Test("Insulin without a command that does not reach the body is told, and not as counted")
  func unrequested() throws {
    let leak = { (fraction: String) in
      let texts = try Self.run(
        """
        faults: [{ at: '+4h', pump: { unrequested: { units: 6 } } },
          { during: ['+3h50m', '20m'], pump: { leak: { fraction: \(fraction) } } }]
        """
      ).troubles.map(\.text)
      #expect(
        texts.contains {
          $0.contains("that the pump measured out did not reach the body")
            && $0.hasSuffix(": insulin leaked at the site.")
        })
      #expect(!texts.contains { $0.contains("that the pump counted did not reach the body") })
      return texts
    }
    #expect(
      try leak("0.5").contains(
        "The pump gave 6.00 U at 04:00:00 without a command, of which 3.00 U reached the "
          + "body, and no record knows of it."))
    #expect(
      try leak("1").contains(
        "The pump gave 6.00 U at 04:00:00 without a command, of which none reached the "
          + "body, and no record knows of it."))
  }

  @Test("Insulin that another app dates after the end of the run is not told as counted")
  func datedAhead() throws {
    let run = try Self.run(
      "events: [{ at: '+3h', healthStore: { write: { bolus: 2, start: '+5h' } } }]")
    let told = run.agreement.differences.filter { $0.kind == .notInjected }
    #expect(
      told.map(\.text) == [
        "Other app says 2.00 U at 08:00:00, after the end of the run, which IOB does not count "
          + "before then."
      ])
    #expect(run.cycleOutcomes.allSatisfy { ($0.insulinOnBoard ?? 0) < 1 })
  }

  @Test("Insulin without a command is told with when it was given, and not as of the whole run")
  func unrequestedTimes() throws {
    let run = try Self.run(
      "faults: [{ at: ['+1h', '+2h'], pump: { unrequested: { units: 3 } } }]")
    let told = run.troubles.filter { $0.kind == .insulinInNoRecord }
    let text =
      "The pump gave 6.00 U between 01:00:00 and 02:00:00 without a command, and no record knows "
      + "of it."
    #expect(told.map(\.text) == [text])
    #expect(told.map { $0.start...$0.end } == [run.start + .hours(1)...run.start + .hours(2)])
  }

  @Test("A command that is on its way when a limit is lowered was within the limit")
  func limitLoweredUnderway() throws {
    let run = try Self.run(
      "events: [{ at: '+3620s', settings: { maxBasal: 0.9 } }], "
        + "faults: [{ during: ['+58m', '10m'], cgm: { bias: { offset: 200 } } }]",
      pump: ", commLatency: '39s'")
    let above = run.programs.filter {
      $0.kind == .tempBasal && $0.rate.unitsPerHour > 0.9 && $0.start > run.start + .seconds(3_620)
    }
    #expect(above.count == 1)
    #expect(above.first?.sent == run.start + .hours(1))
    #expect(Invariant.limitsRespected.complaint(about: run) == nil)
  }

  @Test("A bolus whose report the scenario states is no dose of the app's, also where it is true")
  func statedReport() throws {
    let run = try Self.run(
      "events: [{ at: '+60m', bolus: { units: 11, reported: { units: 11 } } }]")
    #expect(run.bolusRequests.contains { $0.asked.units == 11 })
    #expect(Invariant.limitsRespected.complaint(about: run) == nil)
  }

  @Test("A temp basal in percent that follows the schedule above the maximum breaks the limits")
  func percentAboveLimit() throws {
    let run = try BehaviourFixture.result(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '2h' },
        patient: { model: 'tidepool-simple', initialGlucose: 300,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 1], ['01:02', 2]], maxBolus: 10, maxBasal: 2 },
        pump: { model: 'tandemX2' }, app: { closedLoop: true } }
      """)
    // Double the rate of the schedule is 2 U/h, and 4 U/h from 01:02 until the cycle of 01:20.
    let complaint = Invariant.limitsRespected.complaint(about: run)
    #expect(complaint?.instant == run.start + .minutes(62))
    #expect(
      complaint?.sentence
        == "a temp basal in percent follows the schedule to 4.00 U/h, above 2.00 U/h")
    let told = run.troubles.filter { $0.kind == .aboveLimit }
    #expect(
      told.map(\.sentence) == [
        "The pump ran a temp basal at 4.00 U/h, above the app's limit of 2.00 U/h, for 18m from "
          + "01:02:00: it is in percent, and follows the schedule."
      ])
    #expect(told.map(\.duration) == [.minutes(18)])
  }

  @Test("A temp basal above what a pump in percent runs is cut to that")
  func percentCut() throws {
    let text = """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '1h' },
        patient: { model: 'tidepool-simple', initialGlucose: 300,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 1]], maxBolus: 10, maxBasal: 4 },
        pump: { model: 'tandemX2' }, app: { closedLoop: true } }
      """
    let run = try BehaviourFixture.result(text)
    #expect(!run.trace.happenings.contains { $0.kind == .warning })
    let rates = Set(run.programs.filter { $0.kind == .tempBasal }.map(\.rate.milliunitsPerHour))
    #expect(rates.max() == 2_500)
  }

  @Test("What is injected and logged in an app that loses the log in a crash has that cause")
  func logLostInCrash() throws {
    let run = try BehaviourFixture.result(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '3h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 1]], maxBolus: 10, maxBasal: 4 },
        faults: [{ at: '02:02', app: { crash: { restartAfter: '20m', loses: ['unsaved'] } } }],
        events: [{ at: '02:01', injection: { units: 2 }, entry: { in: 'app' } },
          { at: '02:30', injection: { units: 2 }, entry: false }] }
      """)
    let told = run.agreement.differences.filter { $0.kind == .unloggedInjection }.map(\.text)
    #expect(
      told == [
        "2.00 U injected at 02:01:00 are in no record: they were logged in the app, which lost "
          + "that in a crash, and started again without it at 02:22:00.",
        "2.00 U injected at 02:30:00 are in no record.",
      ])
  }
}
