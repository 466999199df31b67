import Quantities
import Simulation
import Testing

@testable import Scenarios

@Suite("Rows of the timeline and what came before or late")
struct FirstRowTests {
  private static func result(_ rest: String) throws -> RunResult {
    try BehaviourFixture.result(
      """
      { format: 'loopsim/1',
        clock: { start: '2026-01-15T08:00:00', duration: '4h', preRoll: '12h' },
        patient: { model: 'tidepool-simple', initialGlucose: 100,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false }, \(rest) }
      """)
  }

  @Test("Food of the history is in no row")
  func pastFood() throws {
    let result = try Self.result(
      """
      history: { carbs: [{ at: '-1h', grams: 30 }, { at: '-26h', grams: 50, eaten: false }] },
      events: [{ at: '+0m', meal: { grams: 7 } }, { at: '+1h', meal: { grams: 20 } }]
      """)
    let rows = result.trace.rows
    #expect(rows[0].carbsEaten.grams == 7)
    #expect(rows[0].carbsEntered.grams == 7)
    #expect(rows.reduce(0) { $0 + $1.carbsEaten.grams } == 27)
    #expect(rows.reduce(0) { $0 + $1.carbsEntered.grams } == 27)
    // What still acts of it counts.
    #expect(try #require(rows[0].carbsOnBoard) > 7)
  }

  @Test("The first row has no reading of a sensor that fell silent hours before")
  func staleReading() throws {
    let result = try Self.result(
      "cgm: { life: '8h', startedAt: '-10h' }, supplies: 'none'")
    #expect(result.trace.rows.allSatisfy { $0.reading == nil })
    let fresh = try Self.result("cgm: { life: '30h', startedAt: '-10h' }")
    #expect(fresh.trace.rows.allSatisfy { $0.reading != nil })
  }

  @Test("A reading that was held up does not hide the newer one that came with it")
  func lateReadings() throws {
    let result = try Self.result(
      """
      history: { carbs: [{ at: '-10m', grams: 60, entered: false }] },
      faults: [{ during: ['+1h', '30m'], cgm: { delay: { by: '1h' } } }]
      """)
    let rows = result.trace.rows
    for row in rows where row.instant > result.start + .minutes(90) {
      let shown = try #require(row.reading?.mgdL)
      #expect((shown - row.trueGlucose.mgdL).magnitude <= 0.5 + 1e-9)
    }
  }
}
