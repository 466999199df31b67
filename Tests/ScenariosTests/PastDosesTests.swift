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
}
