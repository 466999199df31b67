import Reports
import Testing

extension DoseTableTests {
  // Of the pump's alarm in the 20 minutes from 01:00 on the app never learns. 1.2 U/h are 24
  // pulses of 0.05 U in the hour before it, and 16 in the 40 minutes after it.
  @Test(
    "A dose of the app in which the pump stopped is told as what the app has, not as a stop",
    arguments: [
      ("start: '2026-01-15T01:00:00', preRoll: '1h', duration: '1h'", [40]),
      ("start: '2026-01-15T00:00:00', duration: '2h'", [24, 16]),
    ])
  func unknownStop(_ clock: String, pulses: [Int]) throws {
    let slot = pulses.count == 1 ? "" : ", ['01:00', 1.2]"
    let text = """
      { format: 'loopsim/1', id: 'stop', app: { closedLoop: false }, supplies: 'none',
        healthStore: { writeBasalSegments: false }, clock: { \(clock) },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1.2]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 1.2]\(slot)] },
        faults: [{ during: ['01:00', '20m'], pump: { error: {} } },
          { during: ['01:00', '1h'], pump: { commLoss: { history: 'none' } } }] }
      """
    let rows = DoseTable(try Self.result(of: text)).rows
    #expect(rows.map(\.pulses) == pulses)
    #expect(rows.map(\.kind) == pulses.map { _ in .scheduledBasal })
  }
}
