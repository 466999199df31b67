import Quantities
import Simulation
import Testing

@testable import Scenarios

@Suite("Exercise and resistance that overlap")
struct ExerciseTests {
  /// The glucose of a body that walks for an hour, at each row.
  private static func glucose(_ events: String) throws -> [Double] {
    try BehaviourFixture.result(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '3h' },
        patient: { model: 'bergman' }, app: 'none', therapy: { basal: [['00:00', 1]] },
        events: [{ at: '+1h', exercise: { heartRate: 100, duration: '1h' } } \(events)] }
      """
    ).trace.rows.map(\.trueGlucose.mgdL)
  }

  @Test("A sprint in an hour of walking takes nothing off it")
  func sprint() throws {
    let both = try Self.glucose(", { at: '+70m', exercise: { heartRate: 170, duration: '5m' } }")
    let walk = try Self.glucose("")
    #expect(try #require(both.min()) < #require(walk.min()))
  }

  @Test("Exercise under a condition is exercise where the condition holds, and else none")
  func conditional() throws {
    func sprint(_ condition: String) -> String {
      ", { at: '+70m', \(condition) exercise: { heartRate: 170, duration: '5m' } }"
    }
    let always = try Self.glucose(sprint(""))
    #expect(try Self.glucose(sprint("if: 'glucose.true > 10',")) == always)
    let never = try Self.glucose(sprint("if: 'glucose.true > 1000',"))
    #expect(try never == Self.glucose(""))
    #expect(never != always)
  }

  @Test("Resistances at the same time multiply, and the end of one leaves the other")
  func resistances() throws {
    func glucose(_ stretches: [(from: String, scale: Int, hours: Int)]) throws -> [Double] {
      let events = stretches.map {
        "{ at: '\($0.from)', insulinResistance: { scale: \($0.scale), duration: '\($0.hours)h' } }"
      }
      return try BehaviourFixture.result(
        """
        { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '6h' },
          patient: { model: 'bergman' }, app: 'none', therapy: { basal: [['00:00', 1]] },
          events: [\(events.joined(separator: ", "))] }
        """
      ).trace.rows.map(\.trueGlucose.mgdL)
    }
    let overlapping = try glucose([("01:00", 2, 3), ("02:00", 4, 3)])
    #expect(
      try overlapping == glucose([("01:00", 2, 1), ("02:00", 8, 2), ("04:00", 4, 1)]))
    #expect(try overlapping != glucose([("01:00", 2, 3)]))
  }
}
