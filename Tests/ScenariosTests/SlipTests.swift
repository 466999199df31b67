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

  /// A bolus of 2 U that the record says to be one of 3 U half an hour later.
  private static let misreported = [
    ScenarioEvent(at: noon, id: "dose", .bolus(BolusRequest(.units(2), name: "dose"))),
    ScenarioEvent(at: noon + .minutes(30), id: "dose", .recordBolus(.milliunits(3_000))),
  ]

  private static func changed(
    _ slips: [UserFault.Slip], of events: [ScenarioEvent] = misreported
  ) -> [ScenarioEvent] {
    slips.reduce(events) { events, slip in
      Slip(id: "slip", fault: UserFault(slip, of: .bolus, event: "dose")).changing(events)
    }.filter { $0.id != "slip" }
  }

  /// After how many minutes a bolus is asked for, and after how many it is recorded.
  private static func minutes(_ events: [ScenarioEvent]) -> (asked: [Double], recorded: [Double]) {
    func minutes(_ isCounted: (ScenarioEvent.Action) -> Bool) -> [Double] {
      events.filter { isCounted($0.action) }.map { ($0.instant - noon).seconds / 60 }
    }
    return (
      minutes { if case .bolus = $0 { true } else { false } },
      minutes { if case .recordBolus = $0 { true } else { false } }
    )
  }

  @Test("The wrong record of a bolus is not there without it, comes later with it, and twice")
  func wrongRecord() {
    #expect(Self.changed([.missed]).isEmpty)
    let late = Self.minutes(Self.changed([.late(.hours(1))]))
    #expect(late.asked == [60] && late.recorded == [90])
    let doubled = Self.minutes(Self.changed([.doubled(after: .minutes(5))]))
    #expect(doubled.asked == [0, 5] && doubled.recorded == [30, 35])
    let misjudged = Self.minutes(Self.changed([.misjudged(factor: 2)]))
    #expect(misjudged.asked == [0] && misjudged.recorded == [30])
  }

  @Test("Of two slips that make a bolus a second time each makes one more, under its own name")
  func twoCopies() {
    let plain = [Self.misreported[0]]
    let twice = [UserFault.Slip.doubled(after: .minutes(5)), .doubled(after: .minutes(9))]
    let events = Self.changed(twice, of: plain)
    #expect(Self.minutes(events).asked == [0, 5, 9])
    #expect(events.map(\.id) == ["dose", "dose-again", "dose-again-again"])
    // An entry may have a name of its own.
    var named = Self.lunch
    named[1].id = "typed"
    let entries = twice.reduce(named) { events, slip in
      Slip(id: "slip", fault: UserFault(slip, of: .meal, event: "lunch")).changing(events)
    }
    #expect(
      entries.map(\.id).filter { $0.hasPrefix("typed") }
        == ["typed", "typed-again", "typed-again-again"])
    // What was made a second time comes late with the first.
    let late = twice + [.late(.hours(1))]
    #expect(Self.minutes(Self.changed(late, of: plain)).asked == [60, 65, 69])
  }

  @Test("Of what is forgotten no other slip is made, and told, wherever it stands in the list")
  func onlyForgotten() {
    let others: [UserFault.Slip] = [
      .doubled(after: .minutes(5)), .late(.hours(1)), .misjudged(factor: 2), .missed,
    ]
    for place in 0...others.count {
      var all = others
      all.insert(.missed, at: place)
      let slips = all.enumerated().map { number, slip in
        Slip(id: "\(number)", fault: UserFault(slip, of: .bolus, event: "dose"))
      }
      let events = Slip.changing(Self.misreported, by: slips)
      // It begins and ends, and nothing is given.
      let first = "\(min(place, 3))"
      #expect(events.map(\.id) == [first, first])
    }
  }

  @Test("What a slip does to a bolus stands under the condition of the bolus")
  func condition() {
    var bolus = Self.misreported[0]
    bolus.condition = EventCondition(
      name: "dose", series: .trueGlucose, comparison: .above, value: 300)
    func conditions(_ slip: UserFault.Slip) -> [EventCondition?] {
      Slip(id: "slip", fault: UserFault(slip, of: .bolus, event: "dose")).changing([bolus])
        .map(\.condition)
    }
    let told = [bolus.condition, bolus.condition]
    #expect(conditions(.missed) == told)
    #expect(conditions(.late(.hours(1))) == told + [bolus.condition])
    #expect(conditions(.misjudged(factor: 2)) == told + [bolus.condition])
    #expect(conditions(.doubled(after: .minutes(5))) == told + [bolus.condition, bolus.condition])
  }
}
