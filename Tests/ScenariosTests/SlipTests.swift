import Physiology
import Quantities
import Simulation
import Testing

@testable import Scenarios

@Suite("A slip and the event that it concerns")
struct SlipTests {
  private static let noon = Instant(secondsSince1970: 1_767_614_400)

  /// A meal of 40 g with its entry.
  private static let lunch = [
    ScenarioEvent(
      at: noon, id: "lunch", .eat(MealInput(grams: 40, absorption: .hours(3)), name: "lunch")),
    ScenarioEvent(
      at: noon, id: "lunch",
      .enterCarbs(
        CarbEntryRequest(name: "lunch", grams: 40, absorption: .hours(3), eatenAt: noon))),
  ]

  private static func changed(
    _ slip: UserFault.Slip, of task: UserFault.Task = .meal
  ) -> [ScenarioEvent] {
    Slip(id: "slip", fault: UserFault(slip, of: task, event: "lunch")).changing(lunch)
  }

  /// When entries are made, and of how much.
  private static func entries(_ events: [ScenarioEvent]) -> [(minutes: Double, grams: Double)] {
    events.compactMap {
      guard case .enterCarbs(let entry) = $0.action else { return nil }
      return (($0.instant - noon).seconds / 60, entry.grams)
    }
  }

  @Test("The entry is late, doubled, misjudged or missed; what is eaten stays")
  func entry() {
    let late = Self.entries(Self.changed(.late(.minutes(20))))
    #expect(late.map(\.minutes) == [20] && late.map(\.grams) == [40])
    let doubled = Self.entries(Self.changed(.doubled(after: .minutes(5))))
    #expect(doubled.map(\.minutes) == [0, 5] && doubled.map(\.grams) == [40, 40])
    let misjudged = Self.entries(Self.changed(.misjudged(factor: 1.5)))
    #expect(misjudged.map(\.minutes) == [0] && misjudged.map(\.grams) == [60])
    #expect(Self.entries(Self.changed(.missed)).isEmpty)
    for slip in [UserFault.Slip.late(.minutes(20)), .missed] {
      let meals = Self.changed(slip).filter { if case .eat = $0.action { true } else { false } }
      #expect(meals.map(\.instant) == [Self.noon])
    }
  }

  @Test("A fault begins when the entry was due and ends when it is made")
  func fault() {
    let events = Self.changed(.late(.minutes(20)))
    #expect(events.map(\.id) == ["slip", "slip", "lunch", "lunch"])
    #expect(events.prefix(2).map(\.instant) == [Self.noon, Self.noon + .minutes(20)])
  }

  @Test("A slip with a bolus changes nothing of a meal")
  func otherTask() {
    let events = Self.changed(.missed, of: .bolus)
    #expect(events.map(\.id) == ["lunch", "lunch"])
    #expect(Self.entries(events).map(\.grams) == [40])
  }
}
