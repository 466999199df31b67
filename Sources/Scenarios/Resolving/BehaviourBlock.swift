internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The block `behaviour`: a person who eats and doses by chance.
struct BehaviourBlock {
  /// The list of meals; `nil` where there is none.
  var meals: Field?
  /// How meals reach the app; `nil` where that cannot be used.
  var announcement: BehaviourMeals.Announcement?
  var boluses: BehaviourMeals.Boluses?
  /// What the person does on seeing glucose.
  var reactions = Behaviour()

  /// The keys of what the person does on seeing glucose, which are the names of that too, with a
  /// number for each time: `rescue#1`.
  static let reactions = ["correction", "rescue"]

  static let form = Form<Self>.object { keys in
    let meals = keys.optional(
      "meals", .unread(.list(meal.shape)), else: "[]", "Meals that come every day by chance.")
    let announce = keys.optional(
      "announce", .object { Self.announcement(&$0) }, else: "{}", "How the meals reach the app.")
    let bolus = keys.optional(
      "bolus",
      .object {
        _ = $0.key(
          "take", .words([("recommended", true)]), default: "'recommended'", "What is given.")
        let probability = $0.key(
          "probability", .fraction, default: "1.0", "How likely each is given.")
        let least = $0.key(
          "minUnits", .units(0...30), default: "0.05", "The smallest that is given.")
        return {
          BehaviourMeals.Boluses(probability: $0[probability], minimumUnits: $0[least].units)
        }
      }, else: "none", "Boluses with the entries of the meals.")
    let correction = keys.optional(
      "correction", .object { Self.correction(&$0) }, else: "none", "Boluses at high glucose.")
    let rescue = keys.optional(
      "rescue", .object { Self.rescue(&$0) }, else: "none", "Carbohydrate at low glucose.")
    return { field in
      if !field[meals.name].exists {
        for key in [announce.name, bolus.name] {
          field[key].warnOfNoEffect(
            "\"behaviour.\(key)\" has no effect without \"behaviour.meals\".")
        }
      }
      return Self(
        meals: field[meals],
        announcement: field[announce.name].exists ? field[announce] : .init(),
        boluses: field[bolus],
        reactions: Behaviour(correction: field[correction], rescue: field[rescue]))
    }
  }

  // MARK: - Meals

  static let meal = Form<BehaviourMeals.Meal>.object { keys in
    _ = keys.optional(
      "name", .text, else: "`meal-1`, …",
      "Its occurrences are `name#1` on the first day and so on, and `name#0` after the midnight "
        + "with which a run begins; their boluses are `name-bolus#1`.")
    let window = keys.required(
      "window", Self.window,
      "Between which times of day it is eaten, every second alike; the second may be past midnight."
    )
    let days = keys.optional(
      "days", .daysOfRun, else: "all", "The days of the run, the start's being 0.")
    let probability = keys.key(
      "probability", .fraction, default: "1.0", "How likely it is eaten on a day.")
    let grams = keys.required("grams", .law(0.1...1_000, "g"), "How much, drawn to a tenth.")
    let absorption = keys.key(
      "absorption", absorptionLaw, default: "'3h'", "How long it takes, to the minute.")
    return { field throws(UnusableKey) in
      let window = try field[window]
      return BehaviourMeals.Meal(
        position: field.position, path: field.path, from: window.from, span: window.span,
        days: field[days], probability: field[probability], grams: try field[grams],
        absorption: field[absorption])
    }
  }

  /// Two times of day; where the second is not after the first, it is one of the next day.
  private static let window = Form<(from: TimeOfDay, span: TimeSpan)>.pair(
    of: .timeOfDay, "a list of two times of day, such as ['07:00', '09:30']"
  ) { field in
    guard let from = field[0].timeOfDay(), let to = field[1].timeOfDay() else { return nil }
    let span = to.sinceMidnight - from.sinceMidnight
    return (from, span > .zero ? span : span + .days(1))
  }

  private static let absorptionLaw = Form.durationLaw(.minutes(10)...(.hours(12)))

  private static func announcement(_ keys: inout Keys) -> Maker<BehaviourMeals.Announcement> {
    let probability = keys.key(
      "probability", .fraction, default: "1.0", "How likely a meal is entered.")
    let bias = keys.key(
      "bias", .number(0.01...5), default: "1.0", "The mean factor between entered and eaten.")
    let cv = keys.key(
      "cv", .number(0...2), default: "0",
      "The deviation of that factor, relative; the law is log-normal.")
    let delay = keys.key(
      "delay", .durationLaw(.hours(-1)...(.hours(12))), default: "'0m'",
      "How late it is entered; before the meal where negative.")
    let absorption = keys.optional(
      "absorption", absorptionLaw, else: "the meal's", "What is typed as absorption time.")
    return { field in
      let mean = field[bias]
      if field[absorption.name].exists, field[absorption] == nil { return nil }
      return BehaviourMeals.Announcement(
        probability: field[probability],
        factor: .factor(mean: mean, standardDeviation: mean * field[cv]), delay: field[delay],
        absorption: field[absorption])
    }
  }

  // MARK: - Reactions

  /// What every reaction has: how likely it is, how late, and how soon there may be another.
  private struct ReactionKeys: Sendable {
    let probability: Key<Double>
    let delay: Key<Distribution>
    let lockout: Key<TimeSpan>

    init(_ keys: inout Keys, lockout standard: String) {
      probability = keys.key(
        "probability", .fraction, default: "1.0", "How likely the person reacts.")
      delay = keys.key(
        "delay", .durationLaw(.zero...(.hours(12))), default: "'0m'",
        "How long after; at least a second.")
      lockout = keys.key(
        "lockout", .duration(.minutes(1)...(.days(7))), default: standard,
        "How long before another look.")
    }
  }

  private static func correction(_ keys: inout Keys) -> Maker<Behaviour.Correction> {
    let above = keys.required("above", .glucose(60...600), "The shown reading that provokes it.")
    let reaction = ReactionKeys(&keys, lockout: "'1h'")
    let least = keys.key(
      "minUnits", .units(0...30), default: "0.05", "The smallest recommendation that is taken.")
    return { field throws(UnusableKey) in
      Behaviour.Correction(
        above: try field[above], probability: field[reaction.probability],
        delay: field[reaction.delay], lockout: field[reaction.lockout],
        minimumUnits: field[least].units)
    }
  }

  private static func rescue(_ keys: inout Keys) -> Maker<Behaviour.Rescue> {
    let below = keys.required("below", .glucose(30...200), "The glucose that provokes it.")
    let sense = keys.key(
      "sense", .choice(Behaviour.Rescue.Sense.self), default: "'cgm'",
      "Whether the app shows the low, or the body feels it.")
    let reaction = ReactionKeys(&keys, lockout: "'15m'")
    let grams = keys.required("grams", .law(0.1...200, "g"), "How much is eaten, to a tenth.")
    let absorption = keys.key(
      "absorption", absorptionLaw, default: "'30m'", "How long it takes, to the minute.")
    let entry = keys.key("entry", .bool, default: "false", "Whether the app is told.")
    return { field throws(UnusableKey) in
      Behaviour.Rescue(
        below: try field[below], sense: field[sense], probability: field[reaction.probability],
        delay: field[reaction.delay], grams: try field[grams], absorption: field[absorption],
        lockout: field[reaction.lockout], isEntered: field[entry])
    }
  }
}
