import Quantities
import Simulation
import Testing

@testable import Scenarios

@Suite("Doses and readings of the history")
struct PastDosesTests {
  private static func text(_ rest: String) -> String {
    """
    { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '2h' },
      patient: { model: 'tidepool-simple', initialGlucose: 100,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      \(rest) }
    """
  }

  @Test("A dose of more than a day before the start is in all records")
  func longAgo() throws {
    let result = try BehaviourFixture.result(
      Self.text(
        """
        app: { closedLoop: false },
        history: { doses: [{ at: '-72h', bolus: 1 }, { at: '-30h', bolus: 1.5 },
          { at: '-25h', basal: 2, duration: '30m' }, { at: '-23h', bolus: 2 }] }
        """))
    let bolus = result.agreement.bolus
    #expect(bolus.app == 4.5)
    #expect(bolus.healthStore == 4.5)
    #expect(result.agreement.differences.map(\.text) == [])
  }

  @Test("What begins before the start is told with both its dates")
  func datesOfEntries() throws {
    let result = try BehaviourFixture.result(
      Self.text(
        """
        history: { carbs: [{ at: '-10h', grams: 20 }, { at: '-70m', grams: 10 }] },
        events: [{ at: '08:30', entry: { grams: 5 } }],
        faults: [{ id: 'gone', at: '09:00', healthStore: { wipe: { scope: 'carbs' } } }]
        """))
    #expect(
      result.troubles.filter { $0.kind == .carbsNotStored }.map(\.text) == [
        "35 g of carbohydrates entered in 3 entries from 2026-01-14T22:00:00 to "
          + "2026-01-15T08:30:00 are not in the health store: the fault gone deleted them."
      ])
  }

  @Test("A bolus that an empty reservoir stops is told of without an app too")
  func stoppedBolus() throws {
    func told(_ app: String) throws -> [String] {
      let result = try BehaviourFixture.result(
        Self.text(
          """
          app: \(app), pump: { reservoir: 3 }, supplies: 'none',
          events: [{ at: '+0m', bolus: { units: 5, by: 'pump' } }]
          """))
      return result.troubles.filter { $0.kind == .wrongDelivery }.map(\.text)
    }
    let sentence =
      "The bolus of 08:00:00 (3.00 U) was stopped before the 5.00 U asked for were given."
    #expect(try told("{ closedLoop: false }") == [sentence])
    #expect(try told("'none'") == [sentence])
  }

  @Test("A sensor whose life is over before its warm-up is warned of")
  func neverReady() {
    let (_, sentences) = BehaviourFixture.attempt(Self.text("cgm: { life: '1h', warmUp: '2h' }"))
    #expect(
      sentences.count {
        $0.contains("The sensor measures nothing: its life of 1h is over before its warm-up of 2h.")
      } == 1, "\(sentences)")
  }

  @Test("Readings that lie behind the start of a history, or twice at a time, are warned of")
  func readings() {
    let (_, late) = BehaviourFixture.attempt(
      Self.text("history: { glucose: [['-5m', 100], ['+0m', 100], ['+5m', 110], ['+10m', 120]] }"))
    #expect(
      late.count { $0.contains("2 readings lie behind the start; a history ends there.") } == 1,
      "\(late)")
    #expect(
      late.count {
        $0.contains("1 reading lies exactly at the start, where the sensor shows its own.")
      } == 1, "\(late)")
    for (trace, told) in [("'+5m', 101", 0), ("'+0m', 100", 0), ("'+0m', 101", 1)] {
      let (_, said) = BehaviourFixture.attempt(
        Self.text(
          "cgm: { model: 'trace', trace: [[\(trace)]] }, "
            + "history: { glucose: [['-5m', 99], ['+0m', 100]] }"))
      #expect(
        said.count {
          $0.contains("1 reading lies exactly at the start, where the sensor shows another.")
        } == told, "\(said)")
    }
    let (_, recorded) = BehaviourFixture.attempt(
      Self.text(
        """
        cgm: { model: 'trace', trace: [['+0m', 100], ['+5m', 101], ['+5m', 102], ['+3h', 99]] }
        """))
    #expect(
      recorded.count { $0.contains("1 reading lies behind the end of the run.") } == 1,
      "\(recorded)")
    #expect(
      recorded.count { $0.contains("1 reading has the time of another one") } == 1, "\(recorded)")
  }

  @Test(
    "Recorded readings from before the run are warned of; doses of the past make it begin earlier",
    arguments: [
      ("", "2 readings lie before the run, which begins at 2026-01-15T08:00:00Z."),
      (
        "history: { doses: [{ at: '-5m', bolus: 1 }] },",
        "1 reading lies before the run, which begins at 2026-01-15T07:55:00Z."
      ),
      ("history: { doses: [{ at: '-10m', bolus: 1 }] },", nil),
    ] as [(String, String?)])
  func earlyReadings(history: String, expected: String?) {
    let (_, sentences) = BehaviourFixture.attempt(
      Self.text(
        "\(history) cgm: { model: 'trace', trace: [['-10m', 99], ['-5m', 98], ['+0m', 100]] }"))
    let told = sentences.filter { $0.contains("before the run") }
    #expect(told.count == (expected == nil ? 0 : 1), "\(sentences)")
    #expect(expected.map { sentence in told.allSatisfy { $0.contains(sentence) } } != false)
  }

  @Test("A meal that was neither eaten nor entered is none, with an app and without one")
  func noMeal() {
    for app in ["", "app: 'none', therapy: { basal: [['00:00', 1]] },"] {
      let (built, sentences) = BehaviourFixture.attempt(
        Self.text(
          app + "history: { carbs: [{ at: '-1h', grams: 5, eaten: false, entered: false }] }"))
      #expect(built != nil)
      #expect(
        sentences.count == 1
          && sentences.allSatisfy { $0.contains("neither eaten nor entered is none") },
        "\(sentences)")
    }
  }

  @Test("A temp basal of the past has no report of its own")
  func reportedRate() {
    let dose = "at: '-10m', basal: 1, duration: '30m'"
    let (built, sentences) = BehaviourFixture.attempt(
      Self.text("history: { doses: [{ \(dose), reported: 3 }] }"))
    #expect(built == nil)
    #expect(
      sentences.count == 1
        && sentences.allSatisfy { $0.contains("error: Only a bolus may be reported") },
      "\(sentences)")
    #expect(BehaviourFixture.attempt(Self.text("history: { doses: [{ \(dose) }] }")).0 != nil)
  }

  @Test("A sensor that shows one value alone is an error and no wider range")
  func oneValue() {
    let (built, sentences) = BehaviourFixture.attempt(Self.text("cgm: { range: [100, 100] }"))
    #expect(built == nil)
    #expect(
      sentences.count == 1
        && sentences.allSatisfy { $0.contains("error: A sensor shows more than one value") },
      "\(sentences)")
    #expect(BehaviourFixture.attempt(Self.text("cgm: { range: [100, 101] }")).0 != nil)
  }
}
