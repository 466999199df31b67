internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The meals of the block `behaviour` with their entries and boluses, as events.
///
/// Each day of each meal has streams of its own, one for the food, one for the entry and one for
/// the bolus: another meal, another entry or a longer run changes none of the others.
struct BehaviourMeals {
  /// A meal of every day.
  struct Meal: Sendable {
    var name = ""
    /// What its streams are called.
    var stream = ""
    var position: TextPosition
    var path: String
    /// The time of day from which, and for how long, it may be eaten.
    var from: TimeOfDay
    var span: TimeSpan
    /// The days of the run; `nil` for all.
    var days: [Int]?
    var probability: Double
    var grams: Distribution
    var absorption: Distribution

    /// Whether it may be eaten past the midnight after a day that is not named.
    var passesMidnight: Bool { days == nil && from.sinceMidnight + span > .days(1) }

    /// The days on which it may be eaten in a run, those of the run that are named: where none are,
    /// also the one before the first, whose window may go on past the midnight with which the run
    /// begins.
    func days(in context: ReadingContext) -> [Int] {
      let all = context.allDays
      return days?.filter { all.contains($0) } ?? [-1] + all
    }
  }

  /// How meals reach the app.
  struct Announcement: Sendable {
    var probability = 1.0
    var factor = Distribution.constant(1)
    var delay = Distribution.constant(0)
    /// What is typed as the absorption time; nothing for the true one.
    var absorption: Distribution?
  }

  /// Which boluses go with the entries.
  struct Boluses: Sendable {
    var probability: Double
    var minimumUnits: Double
  }

  private let root: Field
  private let seed: UInt64
  private var context: ReadingContext { root.context }

  /// The meals of a scenario, in a run with that seed.
  init(root: Field, seed: UInt64) {
    self.root = root
    self.seed = seed
  }

  /// What a meal is called.
  static func name(of meal: JSONNode?, at place: Int) -> String {
    meal?["name"]?.string ?? "meal-\(place + 1)"
  }

  /// What the boluses of a meal are called.
  static func bolusName(of meal: String) -> String { "\(meal)-bolus" }

  /// The events, by the time of eating.
  func items() -> [ScenarioResolver.Item] {
    let field = root["behaviour"]
    guard field.exists, let block = BehaviourBlock.form.read(field) else { return [] }
    let meals = block.meals.map { self.meals($0) } ?? []
    guard let announcement = block.announcement else { return [] }
    var found: [(instant: Instant, items: [ScenarioResolver.Item])] = []
    for meal in meals {
      for day in meal.days(in: context) {
        guard let eaten = eaten(meal, day: day) else { continue }
        found.append(
          (
            eaten.instant,
            items(of: eaten, meal, announcement: announcement, boluses: block.boluses)
          ))
      }
    }
    return found.sorted { $0.instant < $1.instant }.flatMap(\.items)
  }

  private func meals(_ field: Field) -> [Meal] {
    var meals: [Meal] = []
    var taken = Set((root["events"].node?.items ?? []).compactMap { $0["id"]?.string })
    let streams = StreamNames.ofMeals(field.node?.items ?? [])
    for (place, item) in (field.items() ?? []).enumerated() {
      guard item.node?.members != nil else {
        item.reportUnusable(
          expected: "a meal such as { name: 'lunch', window: ['12:00', '13:30'], grams: 50 }")
        continue
      }
      guard var meal = BehaviourBlock.meal.read(item) else { continue }
      meal.name = Self.name(of: item.node, at: place)
      meal.stream = streams[place]
      guard taken.insert(meal.name).inserted else {
        item["name"].error(
          "The name \"\(meal.name)\" is there already. Give each meal and each event its own.")
        continue
      }
      meals.append(meal)
    }
    return meals
  }

  // MARK: - Drawing

  /// A meal as it is eaten on one day.
  private struct Eaten {
    var day: Int
    var instant: Instant
    var grams: Double
    var absorption: TimeSpan
  }

  private func stream(_ part: String, _ meal: Meal, day: Int) -> RandomStream {
    assert(day >= -1, "Days are numbered from 0, but for the one before.")
    return RandomStream(
      seed: seed, name: "behaviour.\(part).\(meal.stream)",
      member: UInt64(bitPattern: Int64(day)))
  }

  private func eaten(_ meal: Meal, day: Int) -> Eaten? {
    var stream = stream("meals", meal, day: day)
    let happens = stream.bernoulli(meal.probability)
    let since = (stream.unit() * meal.span.seconds).rounded()
    // Tenths of a gram and whole minutes: what a person could write down.
    let grams = (meal.grams.draw(from: &stream) * 10).rounded() / 10
    let absorption = (meal.absorption.draw(from: &stream) / 60_000).rounded()
    guard happens else { return nil }
    let first = context.firstDay + Int64(day)
    let local =
      CivilTime(dayNumber: first, timeOfDay: meal.from).millisecondsSince1970 + Int64(since) * 1_000
    let civil = CivilTime(millisecondsSince1970: local)
    let instant = context.wallClock.reading(of: civil).instant
    guard instant >= context.start, instant <= context.end else { return nil }
    return Eaten(
      day: day, instant: instant, grams: grams, absorption: .minutes(Int64(absorption)))
  }

  private func items(
    of eaten: Eaten, _ meal: Meal, announcement: Announcement, boluses: Boluses?
  ) -> [ScenarioResolver.Item] {
    let origin = "\(meal.path), \(meal.position)"
    let number = eaten.day + 1
    var node = JSONNode(
      [
        ("id", .string(OccurrenceName.numbered(meal.name, number))),
        ("at", .string(TimeText.text(of: eaten.instant, in: context))),
      ], at: meal.position)
    let food = JSONNode(
      [("grams", .written(eaten.grams)), ("absorption", .string("\(eaten.absorption)"))],
      at: meal.position)
    node = node.setting("meal", to: food)
    guard root.hasApp, let (entry, instant) = entry(of: eaten, meal, announcement) else {
      return [ScenarioResolver.Item(node: node.setting("entry", to: .bool(false)), origin: origin)]
    }
    guard instant <= context.end else {
      return [
        ScenarioResolver.Item(node: node.setting("entry", to: .bool(false)), origin: origin),
        ScenarioResolver.Item(node: remark(on: eaten, meal, enteredAt: instant), origin: origin),
      ]
    }
    if let entry { node = node.setting("entry", to: entry) }
    var items = [ScenarioResolver.Item(node: node, origin: origin)]
    if let boluses {
      items.append(bolus(with: meal, day: eaten.day, at: instant, boluses, origin))
    }
    return items
  }

  /// What is typed and when; nothing for a meal that is not entered, and no entry for one that is
  /// entered as it is.
  private func entry(
    of eaten: Eaten, _ meal: Meal, _ announcement: Announcement
  ) -> (entry: JSONNode?, instant: Instant)? {
    var stream = stream("announce", meal, day: eaten.day)
    let happens = stream.bernoulli(announcement.probability)
    let factor = announcement.factor.draw(from: &stream)
    let delay = TimeSpan(
      roundingSeconds: (announcement.delay.draw(from: &stream) / 1_000).rounded())
    let typed = announcement.absorption.map { ($0.draw(from: &stream) / 60_000).rounded() }
    let instant = max(context.start, eaten.instant + (delay ?? .zero))
    guard happens else { return nil }
    // A person types whole grams, and at least one.
    let grams =
      announcement.factor == .constant(1)
      ? eaten.grams : min(1_000, max(1, (eaten.grams * factor).rounded()))
    let absorption = typed.map { TimeSpan.minutes(Int64($0)) } ?? eaten.absorption
    var members: [(key: String, value: JSONNode.Value)] = []
    if instant != eaten.instant {
      members.append(("at", .string(TimeText.offset(instant - eaten.instant))))
    }
    if grams != eaten.grams { members.append(("grams", .written(grams))) }
    if absorption != eaten.absorption { members.append(("absorption", .string("\(absorption)"))) }
    return (members.isEmpty ? nil : JSONNode(members, at: meal.position), instant)
  }

  /// The remark that a meal would be entered after the end of the run.
  private func remark(on eaten: Eaten, _ meal: Meal, enteredAt instant: Instant) -> JSONNode {
    let number = eaten.day + 1
    let late = UserFault(
      .late(instant - eaten.instant), of: .meal,
      event: OccurrenceName.numbered(meal.name, number))
    return JSONNode(
      [
        ("id", .string(OccurrenceName.numbered("\(meal.name)-entry", number))),
        ("at", .string(TimeText.text(of: eaten.instant, in: context))),
        ("remark", .string(late.sentence(at: eaten.instant, end: context.end))),
      ], at: meal.position)
  }

  /// The bolus that goes with an entry, or the remark that it is not taken.
  private func bolus(
    with meal: Meal, day: Int, at instant: Instant, _ boluses: Boluses, _ origin: String
  ) -> ScenarioResolver.Item {
    var stream = stream("bolus", meal, day: day)
    let happens = stream.bernoulli(boluses.probability)
    let node = JSONNode(
      [
        ("id", .string(OccurrenceName.numbered(Self.bolusName(of: meal.name), day + 1))),
        ("at", .string(TimeText.text(of: instant, in: context))),
      ], at: meal.position)
    guard happens else {
      return ScenarioResolver.Item(
        node: node.setting("remark", to: .string(BolusAcceptance.refusal)), origin: origin)
    }
    let bolus = JSONNode(
      [("take", .string("recommended")), ("minUnits", .written(boluses.minimumUnits))],
      at: meal.position)
    return ScenarioResolver.Item(node: node.setting("bolus", to: bolus), origin: origin)
  }
}
