import Physiology
import Quantities
import Simulation
import Testing

@Suite("The conditions of events")
struct EventConditionTests {
  /// An event that happens where a series is above a value.
  private func event(
    _ id: String, at instant: Instant, _ action: ScenarioEvent.Action = .remark("It happens."),
    if series: EventCondition.Series, above value: Double
  ) -> ScenarioEvent {
    var event = ScenarioEvent(at: instant, id: id, action)
    event.condition = EventCondition(name: id, series: series, comparison: .above, value: value)
    return event
  }

  /// What is told of events by their names, in the order of time.
  private func told(_ events: [ScenarioEvent]) throws -> [String] {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.events = events
    return try fixture.result().trace.happenings.filter { $0.kind == .note }.map(\.text)
  }

  @Test("What changes the surroundings goes by the glucose of its instant, as what people do does")
  func sameInstant() throws {
    let meal = MealInput(grams: 60, absorption: .hours(3))
    let instant = Instant.at(1, 4, 30)
    let found = try told([
      ScenarioEvent(at: .at(0, 30), .eat(meal, name: "meal")),
      event("phone", at: instant, .setPhone(.on), if: .trueGlucose, above: 1_000),
      event("person", at: instant, if: .trueGlucose, above: 1_000),
      event("earlier", at: .at(1), if: .trueGlucose, above: 1_000),
    ]).map { $0.split(separator: " does not happen: ") }
    #expect(found.map(\.first) == ["earlier", "phone", "person"])
    #expect(found[1].last == found[2].last)
    // Food of half an hour ago raises it by several mg/dL in these minutes.
    #expect(found[0].last != found[1].last)
  }

  @Test("What the app believes is unknown while it cannot run")
  func unknownWhileOff() throws {
    let entry = CarbEntryRequest(name: "lunch", grams: 30, absorption: nil, eatenAt: .at(0, 20))
    #expect(
      try told([
        ScenarioEvent(at: .at(0, 20), id: "lunch", .enterCarbs(entry)),
        ScenarioEvent(at: .at(1, 1), .setPhone(.off)),
        event("carbs", at: .at(1, 30), if: .carbsOnBoard, above: 1),
        event("insulin", at: .at(1, 30), if: .insulinOnBoard, above: -100),
        ScenarioEvent(at: .at(2, 1), .setPhone(.on)),
        event("later", at: .at(2, 30), if: .carbsOnBoard, above: 1),
      ]) == [
        "carbs does not happen: it is unknown.", "insulin does not happen: it is unknown.",
        "It happens.",
      ])
  }
}
