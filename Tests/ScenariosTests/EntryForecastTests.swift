import Quantities
import Simulation
import Testing

/// The app takes food from twelve hours before until an hour after it is typed, and the check says
/// what it will not take.
@Suite("Times of eating that the app refuses, in scenarios")
struct EntryForecastTests {
  private static func text(_ events: String) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '2d' },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, events: [
      \(events)] }
    """
  }

  private static let limits =
    "it takes food from 12h before until 1h after it is typed. [W-REFUSED]"

  /// What the run says that the app did not take.
  private static func refused(_ events: String) throws -> [String] {
    try BehaviourFixture.result(text(events)).trace.happenings.map(\.text).filter {
      $0.contains("more than 12h before or 1h after")
    }
  }

  @Test(
    "What the run refuses was told before",
    arguments: [
      "{ at: '20:00', meal: { grams: 30 }, entry: { eatenAt: '-12h1m' } }",
      "{ at: '20:00', meal: { grams: 30 }, entry: { eatenAt: '+61m' } }",
      "{ at: '20:00', entry: { grams: 30, eatenAt: '07:00' } }",
      // The meal's own time, typed half a day later.
      "{ at: '07:00', meal: { grams: 30 }, entry: { at: '+12h1m' } }",
      // A change of the grams holds the time of eating against the time of the change.
      "{ at: '07:00', meal: { grams: 30 }, entry: { edits: [{ at: '+13h', grams: 20 }] } }",
      "{ at: '07:00', meal: { grams: 30 }, entry: { edits: [{ at: '+1h', eatenAt: '+3h' }] } }",
      "{ at: '20:00', remote: { carbs: 30, eatenAt: '-13h' } }",
    ])
  func told(event: String) throws {
    let warnings = BehaviourFixture.attempt(Self.text(event)).1
    let refused = try Self.refused(event)
    #expect(refused.count == 1, "\(refused)")
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.hasSuffix(Self.limits) == true, "\(warnings)")
  }

  @Test(
    "What the run takes is not warned of",
    arguments: [
      "{ at: '20:00', meal: { grams: 30 }, entry: { eatenAt: '-12h' } }",
      "{ at: '20:00', meal: { grams: 30 }, entry: { eatenAt: '+1h' } }",
      "{ at: '07:00', meal: { grams: 30 }, entry: { at: '+12h' } }",
      // The time of eating was changed before.
      "{ at: '07:00', meal: { grams: 30 }, "
        + "entry: { edits: [{ at: '+5h', eatenAt: '+4h' }, { at: '+13h', grams: 20 }] } }",
    ])
  func taken(event: String) throws {
    #expect(BehaviourFixture.attempt(Self.text(event)).1 == [])
    #expect(try Self.refused(event) == [])
  }

  @Test("The warning stands at the time that is typed, with both times")
  func place() {
    let event = "{ at: '20:00', meal: { grams: 30 }, entry: { eatenAt: '-12h1m' } }"
    let warning = BehaviourFixture.attempt(Self.text(event)).1.first ?? ""
    // The 57th character of the line.
    #expect(
      warning.hasSuffix(
        ":5:57: warning: The app refuses this entry, typed at 2026-01-05T20:00:00Z for "
          + "2026-01-05T07:59:00Z: \(Self.limits)"), "\(warning)")
  }
}
