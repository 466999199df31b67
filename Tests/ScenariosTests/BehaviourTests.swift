import Physiology
import Quantities
import Scenarios
import Simulation
import TestSupport
import Testing

/// The statistics of what a person does by chance, over many days, with bounds that a wrong law
/// fails; and where each draw comes from.
@Suite("A person who acts by chance")
struct BehaviourTests {
  private typealias Fixture = BehaviourFixture

  /// A meal of one day as it was eaten and entered.
  private struct Eaten {
    var name: String
    var instant: Instant
    var grams: Double
    var absorption: TimeSpan
    var entry: (instant: Instant, grams: Double)?
    var bolusAt: Instant?
    var declines = false
  }

  /// What the events of a run say of its meals.
  private static func meals(_ built: BuiltRun) -> [Eaten] {
    var meals: [Eaten] = []
    for event in built.setup.events {
      switch event.action {
      case .eat(let meal, _):
        meals.append(
          Eaten(
            name: event.id, instant: event.instant, grams: meal.grams,
            absorption: meal.absorption ?? .zero))
      case .enterCarbs(let request):
        meals[meals.count - 1].entry = (event.instant, request.grams)
      case .bolus: meals[meals.count - 1].bolusAt = event.instant
      case .remark: meals[meals.count - 1].declines = true
      default: break
      }
    }
    return meals
  }

  private static let lunch = """
    { name: 'lunch', window: ['12:00', '14:00'], probability: 0.8,
      grams: { normal: { mean: 60, sd: 12, min: 20, max: 100 } },
      absorption: { uniform: ['2h', '4h'] } }
    """
  private static let announce = """
    announce: { probability: 0.9, bias: 0.85, cv: 0.2, delay: { choices: ['-15m', '0m', '20m'] } },
    bolus: { probability: 0.7, minUnits: 0.4 }
    """
  private static let days = 1_200

  private static func manyDays(
    _ behaviour: String, days: Int = days, seed: UInt64 = 3
  ) throws -> [Eaten] {
    meals(try Fixture.built(Fixture.text("behaviour: { \(behaviour) }", days: days, seed: seed)))
  }

  @Test("Meals, entries and boluses follow their laws")
  func laws() throws {
    let meals = try Self.manyDays("meals: [\(Self.lunch)], \(Self.announce)")
    // Bounds are three standard deviations of each statistic.
    #expect((meals.count - 960).magnitude < 42, "\(meals.count) of 1,200 lunches")
    let count = Double(meals.count)
    let grams = meals.map(\.grams)
    #expect((grams.reduce(0, +) / count - 60).magnitude < 1.2)
    #expect(grams.allSatisfy { (20...100).contains($0) })
    let absorption = meals.map(\.absorption.minutes)
    #expect((absorption.reduce(0, +) / count - 180).magnitude < 3.4)
    #expect(absorption.allSatisfy { (120...240).contains($0) })
    let entered = meals.filter { $0.entry != nil }
    #expect((Double(entered.count) - 0.9 * count).magnitude < 28)
    let factors = entered.compactMap { meal in meal.entry.map { $0.grams / meal.grams } }
    let mean = factors.reduce(0, +) / Double(factors.count)
    #expect((mean - 0.85).magnitude < 0.018, "bias \(mean)")
    let spread = factors.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    let cv = (spread / Double(factors.count)).squareRoot() / mean
    #expect((cv - 0.2).magnitude < 0.017, "cv \(cv)")
    for delay in [-15, 0, 20] as [Int64] {
      let found = entered.count { $0.entry.map(\.instant) == $0.instant + .minutes(delay) }
      #expect((found - entered.count / 3).magnitude < 42, "\(delay) min: \(found)")
    }
    let given = entered.count { $0.bolusAt != nil }
    #expect((Double(given) - 0.7 * Double(entered.count)).magnitude < 41)
    #expect(entered.allSatisfy { ($0.bolusAt == nil) == $0.declines })
    #expect(entered.allSatisfy { $0.bolusAt == nil || $0.bolusAt == $0.entry?.instant })
    #expect(meals.allSatisfy { $0.entry != nil || ($0.bolusAt == nil && !$0.declines) })
  }

  @Test("Meals lie in their window on the wall clock, every part of it alike, in summer too")
  func windows() throws {
    let built = try Fixture.built(
      Fixture.text(
        "behaviour: { meals: [{ name: 'late', window: ['23:00', '01:00'], grams: 20 }] }",
        days: 1_000))
    var quarters = Array(repeating: 0, count: 8)
    for case let event in built.setup.events {
      guard case .eat = event.action else { continue }
      let time = built.setup.clock.timeOfDay(at: event.instant).milliseconds / 60_000
      let since = time >= 1_380 ? time - 1_380 : time + 60
      #expect((0...120).contains(since))
      quarters[min(7, Int(since / 15))] += 1
    }
    // Chi-square with 7 degrees of freedom: 24.3 is exceeded once in a thousand.
    let deviations = quarters.map { Double(($0 - 125) * ($0 - 125)) / 125 }
    #expect(deviations.reduce(0, +) < 24.3, "\(quarters)")
  }

  @Test("A window past midnight reaches into a run from the evening before, unless days are named")
  func eveningBefore() throws {
    let supper = "name: 'supper', window: ['23:30', '02:30'], grams: 20"
    var nights = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      let all = try Self.manyDays("meals: [{ \(supper) }]", days: 1, seed: seed)
      nights += all.count { $0.name == "supper#0" }
      let named = try Self.manyDays("meals: [{ \(supper), days: [0] }]", days: 1, seed: seed)
      #expect(!named.contains { $0.name == "supper#0" })
    }
    // Of the three hours two and a half are past midnight: of 60 nights 50, with a standard
    // deviation of 2.9.
    #expect((nights - 50).magnitude < 10, "\(nights) of 60 nights")
  }

  @Test("Another meal, another entry or a longer run moves no other draw")
  func streams() throws {
    let days = Extent.of(200, whole: Self.days)
    let alone = try Self.manyDays("meals: [\(Self.lunch)]", days: days)
    let dinner = "{ name: 'dinner', window: ['18:00', '19:00'], grams: { uniform: [30, 90] } }"
    let both = try Self.manyDays("meals: [\(dinner), \(Self.lunch)], \(Self.announce)", days: days)
    let lunches = both.filter { $0.name.hasPrefix("lunch") }
    #expect(lunches.map(\.instant) == alone.map(\.instant))
    #expect(lunches.map(\.grams) == alone.map(\.grams))
    let short = Self.meals(
      try Fixture.built(
        Fixture.text("behaviour: { meals: [\(Self.lunch)] }", days: 30, seed: 3)))
    #expect(short.map(\.grams) == alone.prefix(short.count).map(\.grams))
    let other = try Self.manyDays("meals: [\(Self.lunch)]", days: days, seed: 4)
    #expect(other.map(\.grams) != alone.map(\.grams))
  }

  @Test("A meal without a name is drawn alike however its window is written")
  func sameWindow() throws {
    func grams(_ window: String) throws -> [Double] {
      let meal = "{ window: [\(window)], grams: { uniform: [10, 90] } }"
      return try Self.manyDays("meals: [\(meal)]", days: 3).map(\.grams)
    }
    #expect(try grams("'7:00', '08:00:00'") == grams("'07:00:00', '08:00'"))
  }

  @Test("Every item is an ordinary named event of the timeline")
  func timeline() throws {
    let days = Extent.of(2, whole: 3)
    let run = try Fixture.result(
      Fixture.text(
        """
        behaviour: {
          meals: [{ name: 'lunch', window: ['12:00', '13:00'], grams: 50 }],
          bolus: { minUnits: 0.4 } }
        """, days: days))
    let meals = (1...days).map { "lunch#\($0)" }
    #expect(run.happenings(.meal).map(\.name) == meals)
    #expect(run.happenings(.carbEntry).map(\.name) == meals)
    #expect(
      run.happenings(.bolus, of: "lunch-bolus").map(\.name)
        == (1...days).map { "lunch-bolus#\($0)" })
  }

  @Test("A meal that would be entered after the end of the run has a row that says so")
  func enteredTooLate() throws {
    // The run ends at midnight; of two days the first meal is entered, with its bolus.
    let run = try Fixture.result(
      Fixture.text(
        """
        behaviour: {
          meals: [{ name: 'supper', window: ['23:00', '23:30'], grams: 20 }],
          announce: { delay: '1h' }, bolus: {} }
        """, days: 2))
    #expect(run.happenings(.carbEntry).map(\.name) == ["supper#1"])
    #expect(run.happenings(.bolus, of: "supper-bolus").map(\.name) == ["supper-bolus#1"])
    let told = run.happenings(.note, of: "supper")
    #expect(told.map(\.name) == ["supper-entry#2"])
    #expect(
      told.map(\.text) == [
        "The entry of the meal supper#2 comes 1h late, which is after the end of the run."
      ])
    #expect(told.first?.instant == run.happenings(.meal, of: "supper#2").first?.instant)
  }

  @Test("A person takes a recommended bolus as often, and from as much on, as the app block says")
  func acceptance() throws {
    let times = (0..<600).map { "'+\($0 * 3)h'" }.joined(separator: ", ")
    let events = "events: [{ at: [\(times)], id: 'try', bolus: { take: 'recommended' } }]"
    let built = try Fixture.built(
      Fixture.text(
        events, days: 80, app: "manualBolusAccept: { probability: 0.6, minUnits: 0.35 }"))
    var taken = 0
    for event in built.setup.events {
      guard case .bolus(let request) = event.action else { continue }
      #expect(request.minimumUnits == 0.35)
      taken += 1
    }
    // Three standard deviations of the binomial law are 36.
    #expect((taken - 360).magnitude < 36)
    #expect(built.setup.events.count == 600)
    let day = Fixture.text(
      """
      events: [{ at: '09:00', id: 'b', bolus: { take: 'recommended' } }],
      """, days: 1, app: "manualBolusAccept: { minUnits: 30 }")
    let rows = try Fixture.result(day).happenings(.bolus, of: "b")
    #expect(rows.map(\.name) == ["b"])
    #expect(rows.first?.text.contains("not worth taking") == true)
  }
}
