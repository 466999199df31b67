import HealthStore
import Quantities
import Testing

@Suite("Figures that follow the store, on both backends")
struct LiveFigureLaws {
  @Test("Statistics come at the start and after each change of theirs", arguments: Place.allCases)
  func statistics(place: Place) throws {
    var world = try World(place)
    let buckets = StatisticsBuckets(
      options: .cumulativeSum, anchor: world.start, every: .hours(1), on: .utc)
    let query = try world.store.makeQuery(.statistics(of: .stepCount, in: buckets), as: world.loop)
    #expect(try world.store.takeDeliveries().isEmpty)
    try world.store.execute(query)
    #expect(try world.store.takeDeliveries() == [.statistics(query, [])])
    #expect(try world.store.takeDeliveries().isEmpty)
    func sums() throws -> [[Double?]] {
      try world.store.takeDeliveries().map { delivery in
        guard case .statistics(_, let figures) = delivery else { return [] }
        return figures.map(\.merged.sum)
      }
    }
    let first = try world.quantity(.stepCount, 100, from: 0, to: 10)
    try world.save(first, by: world.loop)
    #expect(try sums() == [[100]])
    try world.save(try world.quantity(.stepCount, 40, from: 70, to: 80), by: world.loop)
    try world.save(try world.quantity(.stepCount, 5, from: 20, to: 21), by: world.loop)
    #expect(try sums() == [[105, 40]])
    try world.save(world.glucose(100, minute: 0), by: world.loop)
    #expect(try sums().isEmpty)
    try world.store.delete([first.uuid], as: .user, at: world.start)
    #expect(try sums() == [[5, 40]])
    world.store.stop(query)
    try world.save(try world.quantity(.stepCount, 9, from: 30, to: 31), by: world.loop)
    #expect(try sums().isEmpty)
    #expect(
      failure {
        _ = try world.store.makeQuery(.statistics(of: .bloodGlucose, in: buckets), as: world.loop)
      } == 3)
  }

  @Test("The rings follow what is recorded during the day", arguments: Place.allCases)
  func summaries(place: Place) throws {
    var world = try World(place)
    let day = world.start.floored(to: .days(1))
    let civil = CivilTime(millisecondsSince1970: day.millisecondsSince1970)
    let name = DayComponents(era: 1, year: civil.year, month: civil.month, day: civil.day)
    let goals = ActivityGoals(activeEnergy: 500, exercise: .minutes(30), standHours: 12)
    let query = try world.store.makeQuery(
      .activitySummaries(
        of: ActivityDays(from: name, through: name, goals: goals, on: .utc)), as: world.loop)
    try world.store.execute(query)
    #expect(try world.store.takeDeliveries() == [.activitySummaries(query, [])])
    let energy = try world.quantity(.activeEnergyBurned, 120, from: 0, to: 30)
    try world.save(energy, by: world.loop)
    let deliveries = try world.store.takeDeliveries()
    guard case .activitySummaries(_, let summaries)? = deliveries.first else {
      Issue.record("No summary was delivered.")
      return
    }
    #expect(summaries.map(\.activeEnergy) == [120])
    #expect(try world.store.takeDeliveries().isEmpty)
    let nameless = ActivityDays(
      from: DayComponents(year: civil.year), through: name, goals: goals, on: .utc)
    #expect(
      failure {
        _ = try world.store.makeQuery(.activitySummaries(of: nameless), as: world.loop)
      } == 3)
  }

  @Test("A change of the display unit is told once", arguments: Place.allCases)
  func units(place: Place) throws {
    var world = try World(place)
    let query = try world.store.makeQuery(
      .preferredUnits(of: [.bloodGlucose, .bodyMass]), as: world.loop)
    try world.store.execute(query)
    #expect(try world.store.takeDeliveries().isEmpty)
    try world.store.setPreferredUnit(.millimolePerLitre, for: .bloodGlucose)
    #expect(
      try world.store.takeDeliveries() == [.preferredUnits(query, [.bloodGlucose])])
    try world.store.setPreferredUnit(.millimolePerLitre, for: .bloodGlucose)
    #expect(try world.store.takeDeliveries().isEmpty)
  }
}
