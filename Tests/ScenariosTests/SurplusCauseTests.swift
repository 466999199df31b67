import Quantities
import Simulation
import TestSupport
import Testing

/// A bolus of 5 U whose reply is lost, and an app that is installed anew after it.
@Suite("Insulin that the records have besides is no loss of the app's")
struct SurplusCauseTests {
  private static func run(
    giving part: Double, pump: String = "generic50", _ act: String = "remark: 'Nothing.'",
    reporting report: String = "reported: 'full'", reinstalledAfter hours: Int
  ) throws -> RunResult {
    try BehaviourFixture.result(
      """
      { format: 'loopsim/1',
        clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '72h' },
        patient: { model: 'tidepool-simple', initialGlucose: 110,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        therapy: { maxBolus: 10, maxBasal: 4 },
        pump: { model: '\(pump)' }, app: { closedLoop: false },
        events: [{ at: '+1h', bolus: { units: 5 } }, { at: '+2h', \(act) },
          { at: '+\(hours)h', phone: 'reinstall' }],
        faults: [{ during: ['+55m', '10m'], pump: { uncertainDelivery: {
          trulyDelivered: \(part), \(report) } } }] }
      """)
  }

  private static func texts(_ run: RunResult) -> [String] {
    run.agreement.differences.filter { $0.origin == .bolus && $0.units != 0 }.map(\.text)
  }

  @Test("More in the health store than the pump gave is what the pump reported")
  func overstated() throws {
    let bolus = "The bolus of 2026-01-15T01:00:00 (2.00 U) "
    let other = bolus + "was reported by the pump with another amount; "
    // The app that reads its sample of that day counts it, and a later one does not.
    #expect(
      Self.texts(try Self.run(giving: 0.4, reinstalledAfter: 5)) == [
        other + "the body has it, and IOB counts 5.00 U."
      ])
    #expect(
      Self.texts(try Self.run(giving: 0.4, reinstalledAfter: 60)) == [
        bolus + "came before the app was installed anew at 2026-01-17T12:00:00; the body has it, "
          + "and IOB does not count it.",
        other + "the health store has 5.00 U.",
      ])
  }

  @Test("What the pump never told of no app had to lose", arguments: [5, 60])
  func hidden(hours: Int) throws {
    let run = try Self.run(
      giving: 0.4, reporting: "reported: 'none'", reinstalledAfter: hours)
    #expect(
      Self.texts(run) == [
        "The bolus of 2026-01-15T01:00:00 (2.00 U) was never reported by the pump; the body has "
          + "it, and IOB does not count it."
      ])
  }

  @Test("What the app assumed of a pod that was thrown away is the pump's also where it forgot it")
  func assumed() throws {
    func run(giving part: Double) throws -> RunResult {
      try Self.run(
        giving: part, pump: "omnipodDASH", "pump: { replace: {} }",
        reporting: "resolveAfter: '1d'", reinstalledAfter: 60)
    }
    func lost(_ units: String) -> String {
      "The bolus of 2026-01-15T01:00:00 (\(units) U) came before the app was installed anew at "
        + "2026-01-17T12:00:00; the body has it, and IOB does not count it."
    }
    for (part, texts) in [
      (1, [lost("5.00")]),
      (
        0.4,
        [
          lost("2.00"),
          "The bolus of 2026-01-15T01:00:00 (2.00 U) was never reported by the pump, and the app "
            + "took all of it for given: its command had no reply; the health store has 5.00 U.",
        ]
      ),
      (
        0,
        [
          "The health store holds 5.00 U of a bolus at 2026-01-15T01:00:00, assumed of a command "
            + "that had no reply."
        ]
      ),
    ] as [(Double, [String])] {
      let run = try run(giving: part)
      #expect(Self.texts(run) == texts)
      #expect(run.agreement.bolus.healthStore == 5)
      #expect(run.agreement.elsewhere.healthStore == 0)
    }
  }
}
