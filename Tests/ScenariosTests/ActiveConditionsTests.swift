import Physiology
import Quantities
import Simulation
import Testing

@testable import Scenarios

@Suite("Conditions of the body that hold at a time")
struct ActiveConditionsTests {
  private static func event(
    _ id: String, at hour: Int64, _ condition: BodyCondition
  ) -> ScenarioEvent {
    ScenarioEvent(
      at: Instant(secondsSince1970: hour * 3_600), id: id, .apply(condition, name: id))
  }

  // MARK: - Resistances

  private static func resistance(_ id: String, at hour: Int64, _ factor: Double) -> ScenarioEvent {
    event(id, at: hour, .insulinSensitivity(factor: factor))
  }

  private static func factors(_ events: [ScenarioEvent]) -> [Double?] {
    ActiveConditions.multiplyingResistances(in: events).map {
      if case .apply(.insulinSensitivity(let factor), _) = $0.action { factor } else { nil }
    }
  }

  @Test("Two resistances that overlap multiply, and the end of one leaves the other")
  func resistances() {
    let flu = [Self.resistance("flu", at: 1, 0.5), Self.resistance("flu", at: 4, 1)]
    let stress = [Self.resistance("stress", at: 2, 0.75), Self.resistance("stress", at: 6, 1)]
    // From 1 to 2 o'clock 0.5, to 4 o'clock 0.375, to 6 o'clock 0.75, and then none.
    #expect(Self.factors(flu + stress) == [0.5, 0.75, 0.375, 1])
    #expect(Self.factors(stress + flu) == [0.375, 1, 0.5, 0.75])
  }

  @Test("Other events stay as they are")
  func others() {
    let remark = ScenarioEvent(at: Instant(secondsSince1970: 0), .remark("flu"))
    let factors = Self.factors([remark, Self.resistance("flu", at: 1, 0.5)])
    #expect(factors == [nil, 0.5])
  }

  // MARK: - Exercise

  private static func exercise(_ id: String, at hour: Int64, _ intensity: Double) -> ScenarioEvent {
    event(id, at: hour, .exercise(intensity: intensity))
  }

  private static func intensities(_ events: [ScenarioEvent]) -> [Double?] {
    ActiveConditions.hardestExercise(in: events).map {
      if case .apply(.exercise(let intensity), _) = $0.action { intensity } else { nil }
    }
  }

  @Test("Of two exercises that overlap the harder counts, and the end of one leaves the other")
  func exercises() {
    let walk = [Self.exercise("walk", at: 1, 0.25), Self.exercise("walk", at: 6, 0)]
    let sprint = [Self.exercise("sprint", at: 2, 0.75), Self.exercise("sprint", at: 3, 0)]
    // From 1 to 2 o'clock 0.25, to 3 o'clock 0.75, to 6 o'clock 0.25, and then none.
    #expect(Self.intensities(walk + sprint) == [0.25, 0, 0.75, 0.25])
    #expect(Self.intensities(sprint + walk) == [0.75, 0.25, 0.25, 0])
    let jog = [Self.exercise("jog", at: 5, 0.5), Self.exercise("jog", at: 8, 0)]
    #expect(Self.intensities(walk + jog) == [0.25, 0.5, 0.5, 0])
  }

  @Test("Exercise that may not happen changes no other")
  func conditional() {
    let walk = [Self.exercise("walk", at: 1, 0.25), Self.exercise("walk", at: 3, 0)]
    var sprint = [Self.exercise("sprint", at: 2, 0.75), Self.exercise("sprint", at: 4, 0)]
    for index in sprint.indices {
      sprint[index].condition = EventCondition(
        name: "sprint", series: .trueGlucose, comparison: .above, value: 600)
    }
    #expect(Self.intensities(walk + sprint) == [0.25, 0, 0.75, 0])
  }

  @Test("A sprint in an hour of walking takes nothing off it")
  func inBody() throws {
    func lowest(_ events: String) throws -> Double {
      let result = try BehaviourFixture.result(
        """
        { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '3h' },
          patient: { model: 'bergman' }, app: 'none', therapy: { basal: [['00:00', 1]] },
          events: [{ at: '+1h', exercise: { heartRate: 100, duration: '1h' } } \(events)] }
        """)
      return result.trace.rows.map(\.trueGlucose.mgdL).min() ?? 0
    }
    let sprint = ", { at: '+70m', exercise: { heartRate: 170, duration: '5m' } }"
    let both = try lowest(sprint)
    let walk = try lowest("")
    #expect(both < walk)
  }
}
