import Testing

/// A time of day is the next such time, so that '07:00' at 09:00 dates a sample a day late.
@Suite("Times of other apps' samples, in scenarios")
struct SampleForecastTests {
  private static func warnings(_ event: String) -> [String] {
    BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', clock: { duration: '2d' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false }, events: [
        \(event)] }
      """
    ).1
  }

  @Test("A time of day before that of writing is the next day's, and the check says so")
  func nextDay() {
    let event = "{ at: '09:00', healthStore: { write: { bolus: 2, start: '07:00' } } }"
    let found = Self.warnings(event)
    #expect(found.count == 1, "\(found)")
    // The 57th character of the event, which stands two characters into the line.
    #expect(
      found.first?.hasSuffix(
        ":5:59: warning: \"07:00\" is the next such time, 2026-01-06T07:00:00Z, and the sample is "
          + "written at 2026-01-05T09:00:00Z, 22h before. A time before it is written is a span "
          + "such as '-2h', or has its day. [W-TIME]") == true, "\(found)")
  }

  @Test("One event that happens twice is told of once")
  func twice() {
    let event = "{ at: ['09:00', '10:00'], healthStore: { write: { carbs: 2, start: '07:00' } } }"
    #expect(Self.warnings(event).count == 1)
  }

  @Test(
    "A time that says which one is meant is not warned of",
    arguments: [
      "start: '-2h'", "start: 'd0 07:00'", "start: '2026-01-05T07:00:00'", "start: 'd1 07:00'",
      "start: '+22h'", "start: '10:00'", "source: 'A'",
    ])
  func meant(start: String) {
    let event = "{ at: '09:00', healthStore: { write: { bolus: 2, \(start) } } }"
    #expect(Self.warnings(event) == [])
  }
}
