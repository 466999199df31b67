import Devices
import Quantities
import Simulation
import Testing

/// What happens at one time happens in the order of the file, and the check says where a bolus is
/// recommended before the app knows of the food.
@Suite("Boluses before the entry of the same time, in scenarios")
struct OrderForecastTests {
  private static let meal = "{ at: '12:30', meal: { grams: 60 }, entry: { at: '+5m' } }"
  private static let bolus = "{ at: '12:35', bolus: { take: 'recommended' } }"

  private static func text(_ events: [String]) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '1d' },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, events: [\(events.joined(separator: ", "))] }
    """
  }

  private static func notes(_ events: [String]) -> [String] {
    BehaviourFixture.attempt(text(events)).1.filter { $0.contains("at the same time") }
  }

  /// Of 60 g at 10 g/U, most of which is to come, about 6 U are recommended; of nothing, nothing.
  @Test("A bolus that stands before its meal gets nothing for it, and the check says so once")
  func before() throws {
    let first = try BehaviourFixture.result(Self.text([Self.bolus, Self.meal]))
    let second = try BehaviourFixture.result(Self.text([Self.meal, Self.bolus]))
    #expect(first.ledger.boluses.delivered.units == 0)
    #expect((5...6.5).contains(second.ledger.boluses.delivered.units))
    #expect(Self.notes([Self.meal, Self.bolus]).isEmpty)
    let notes = Self.notes([Self.bolus, Self.meal])
    #expect(notes.count == 1, "\(notes)")
    #expect(notes.first?.contains("before the app knows of \"events[1]\"") == true)
    #expect(Self.notes([Self.bolus, Self.meal, Self.meal]).count == 1)
  }

  @Test(
    "What does not hang on the order is not told",
    arguments: [
      "{ at: '12:34', bolus: { take: 'recommended' } }", "{ at: '12:35', bolus: { units: 2 } }",
      "{ at: '12:35', bolus: { calculator: { grams: 60 } } }",
    ])
  func silent(bolus: String) {
    #expect(Self.notes([bolus, Self.meal]).isEmpty)
  }
}
