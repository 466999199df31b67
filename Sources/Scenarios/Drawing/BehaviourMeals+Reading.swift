internal import Determinism
internal import Quantities
internal import StructuredText

extension BehaviourMeals {
  func meals(_ field: Field) -> [Meal] {
    guard field.exists else { return [] }
    var meals: [Meal] = []
    let taken = (builder.root["events"].node?.items ?? []).compactMap { $0["id"]?.string }
    let streams = StreamNames.ofMeals(field.node?.items ?? [])
    for (place, item) in (field.items() ?? []).enumerated() {
      guard let meal = meal(item, place: place, stream: streams[place]) else { continue }
      let names = taken + meals.map(\.name)
      if names.contains(meal.name) {
        item["name"].error(
          "The name \"\(meal.name)\" is there already. Give each meal and each event its own.")
        continue
      }
      meals.append(meal)
    }
    return meals
  }

  private func meal(_ field: Field, place: Int, stream: String) -> Meal? {
    guard field.node?.members != nil else {
      field.reportUnusable(
        expected: "a meal such as { name: 'lunch', window: ['12:00', '13:30'], grams: 50 }")
      return nil
    }
    field.allowOnly(["name", "window", "days", "probability", "grams", "absorption"])
    _ = field["name"].text()
    let window = window(field.required("window"))
    let probability = field.standard("probability") { $0.number() }
    let absorption = field.standard("absorption") { $0.durationLaw() }
    guard let window, let grams = field.required("grams").law() else { return nil }
    return Meal(
      name: Self.name(of: field.node, at: place), stream: stream, position: field.position,
      path: field.path, from: window.from, span: window.span, days: builder.days(field["days"]),
      probability: probability, grams: grams, absorption: absorption)
  }

  /// Two times of day; where the second is not after the first, it is one of the next day.
  private func window(_ field: Field) -> (from: TimeOfDay, span: TimeSpan)? {
    guard field.node?.items?.count == 2 else {
      field.reportUnusable(expected: "two times of day, such as ['07:00', '09:30']")
      return nil
    }
    guard let from = field[0].timeOfDay(), let to = field[1].timeOfDay() else { return nil }
    let span = to.sinceMidnight - from.sinceMidnight
    return (from, span > .zero ? span : span + .days(1))
  }

  /// The block `announce`; nothing when it has errors.
  func announcement(_ field: Field) -> Announcement? {
    guard field.exists else { return Announcement() }
    field.allowOnly(["probability", "bias", "cv", "delay", "absorption"])
    let bias = field.standard("bias") { $0.number() }
    let cv = field.standard("cv") { $0.number() }
    var announcement = Announcement(
      probability: field.standard("probability") { $0.number() },
      factor: .factor(mean: bias, standardDeviation: bias * cv),
      delay: field.standard("delay") { $0.durationLaw() })
    if field["absorption"].exists {
      guard let typed = field["absorption"].durationLaw() else {
        return nil
      }
      announcement.absorption = typed
    }
    return announcement
  }

  /// The block `bolus`; nothing when there is none.
  func boluses(_ field: Field) -> Boluses? {
    guard field.exists else { return nil }
    field.allowOnly(["take", "probability", "minUnits"])
    _ = field.standard("take") { $0.choice(of: ["recommended"]) }
    return Boluses(
      probability: field.standard("probability") { $0.number() },
      minimumUnits: field.standard("minUnits") { $0.units() }.units)
  }
}
