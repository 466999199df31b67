import Outcomes
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

  @Test(
    "Figures of the sensor have its readings at their own times, whenever rows and cycles come",
    arguments: [
      ("", "'5m'", 97), ("loopJitter: '10s'", "'5m'", 96), ("", "'7m'", 96), ("", "'13m'", 96),
    ])
  func ownTimes(clock: String, output: String, count: Int) throws {
    let result = try BehaviourFixture.result(
      """
      { format: 'loopsim/1',
        clock: { start: '2026-01-15T08:00:00', duration: '8h', \(clock) },
        patient: { model: 'tidepool-simple', initialGlucose: 110,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        history: { glucose: { flat: 110 } }, app: { closedLoop: false },
        output: { every: \(output) },
        events: [{ at: '08:30', meal: { grams: 30 }, entry: false }] }
      """)
    let instants = result.trace.rows.compactMap(\.readingInstant)
    #expect(instants.count == count)
    let own = instants.indices.map { result.start + .minutes(5) * Int64($0) }
    #expect(instants == own)
    // An ideal sensor errs by its whole mg/dL alone, and truth is a line between rows. Readings at
    // the times of their rows would err by 0.9 % with the jitter, and by 0.38 % at 7 minutes.
    let measured = RunMeasurements(result)
    let error = try #require(
      measured.cgm.meanAbsoluteRelativeDifference(to: measured.trueGlucose))
    #expect(error < 0.2)
  }

  /// A row has the newest reading that a cycle took in.
  ///
  /// Cycles each 5, 10 and 20 minutes take in 97, 49 and 25 in 8 hours. The phone that is off for
  /// an hour misses six cycles of ten minutes.
  @Test(
    "No reading is missing because cycles come more seldom than the sensor's readings",
    arguments: [
      ("'20m'", "", "'5m'", "", 25, 100), ("'5m'", "interval: '1m'", "'1m'", "", 97, 100),
      ("'10m'", "", "'1m'", "", 49, 100),
      (
        "'10m'", "", "'5m'",
        "events: [{ at: '+1h', phone: 'off' }, { at: '+2h', phone: 'on' }]", 43, 100.0 * 43 / 49
      ),
    ])
  func wear(
    cycle: String, sensor: String, output: String, rest: String, count: Int, percent: Double
  ) throws {
    let result = try BehaviourFixture.result(
      """
      { format: 'loopsim/1',
        clock: { start: '2026-01-15T08:00:00', duration: '8h', loopEvery: \(cycle) },
        patient: { model: 'tidepool-simple', initialGlucose: 110,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        cgm: { model: 'ideal', \(sensor) }, app: { closedLoop: false },
        output: { every: \(output) }, \(rest) }
      """)
    let measured = RunMeasurements(result)
    #expect(measured.cgm.points.count == count)
    let wear = try #require(try Metric.parse("wear@cgm").value(of: measured))
    #expect((wear - percent).magnitude < 1e-9, "\(wear)")
  }

  @Test("A reading that came late, or is dated ahead, belongs to its row")
  func othersTimes() throws {
    for fault in ["delay: { by: '12m' }", "timestamp: { shift: '+3m' }"] {
      let result = try Self.result("faults: [{ during: ['+1h', '30m'], cgm: { \(fault) } }]")
      let rows = result.trace.rows.filter {
        $0.reading != nil && $0.instant > result.start + .minutes(60)
          && $0.instant < result.start + .minutes(90)
      }
      #expect(!rows.isEmpty)
      #expect(rows.allSatisfy { $0.readingInstant == $0.instant })
    }
  }
}
