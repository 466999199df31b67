import Testing

/// A Dana runs more than 200 % of its schedule for a quarter of an hour.
@Suite("Temp basals that a pump cuts off")
struct TempBasalCutOffTests {
  private static func told(_ rest: String) -> [String] {
    CheckTests.check(
      [
        "s.json5": """
        { format: 'loopsim/1', clock: { duration: '2d' },
          patient: { model: 'uva-padova-s2008', name: 'adult#001' }, pump: { model: 'dana' },
          therapy: { basal: [['00:00', 0.9], ['06:00', 0.5]],
            sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]], maxBasal: 4 },
          \(rest) }
        """
      ], "s.json5"
    ).1.filter { $0.contains("for 15m at most") }.map { String($0.drop { $0 != " " }) }
  }

  @Test("A check tells of them, by each rate of the schedule")
  func check() {
    func event(_ rate: Double, _ duration: String) -> [String] {
      Self.told("events: [{ at: '07:00', basal: { rate: \(rate), duration: '\(duration)' } }]")
    }
    let words =
      " warning: The Dana RS / Dana-i runs temp basals above 200 % of the schedule for 15m "
    // 1 U/h is 200 % of 0.5, 1.5 U/h is 300 % of it, and 2 U/h is 222 % of 0.9.
    #expect(event(1, "1h") == [])
    #expect(event(1.5, "15m") == [])
    #expect(
      event(1.5, "1h") == ["\(words)at most, as 1.50 U/h beside up to 0.50 U/h. [W-LIMITS]"])
    #expect(event(2, "1h") == ["\(words)at most, as 2.00 U/h beside 0.90 U/h. [W-LIMITS]"])
    #expect(
      Self.told("history: { doses: [{ at: '-2h', basal: 1.5, duration: '30m' }] }").count == 1)
  }
}
