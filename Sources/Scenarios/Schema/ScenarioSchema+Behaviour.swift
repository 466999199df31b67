import Quantities

extension ScenarioSchema {
  static let behaviour: [SchemaKey] = [
    SchemaKey("meals", .list(.object(dailyMeal)), "[]", "Meals that come every day by chance."),
    SchemaKey("announce", .object(announcement), "{}", "How the meals reach the app."),
    SchemaKey(
      "bolus",
      .object([
        SchemaKey("take", .choice(["recommended"]), "'recommended'", "What is given."),
        SchemaKey("probability", .fraction, "1.0", "How likely each is given."),
        SchemaKey("minUnits", .units(0...30), "0.05", "The smallest that is given."),
      ]), "none", "Boluses with the entries of the meals."),
    SchemaKey("correction", .object(correction), "none", "Boluses at high glucose."),
    SchemaKey("rescue", .object(rescue), "none", "Carbohydrate at low glucose."),
  ]

  private static let absorptionTimes = TimeSpan.minutes(10)...(.hours(12))
  private static let reactionTimes = TimeSpan.zero...(.hours(12))
  private static let lockouts = TimeSpan.minutes(1)...(.days(7))

  private static let dailyMeal: [SchemaKey] = [
    SchemaKey(
      "name", .text, "`meal-1`, …",
      "Its occurrences are `name#1` on the first day and so on, their boluses `name-bolus#1`."),
    SchemaKey(
      "window", .pair(.timeOfDay),
      "Between which times of day it is eaten, every second alike; the second may be past midnight."
    ).required,
    SchemaKey(
      "days", .list(.integer(0...3_660)), "all", "The days of the run, the start's being 0."),
    SchemaKey("probability", .fraction, "1.0", "How likely it is eaten on a day."),
    SchemaKey("grams", .law(0.1...1_000, unit: "g"), "How much, drawn to a tenth.").required,
    SchemaKey(
      "absorption", .durationLaw(absorptionTimes), "'3h'", "How long it takes, to the minute."),
  ]

  private static let announcement: [SchemaKey] = [
    SchemaKey("probability", .fraction, "1.0", "How likely a meal is entered."),
    SchemaKey(
      "bias", .number(0.01...5, unit: ""), "1.0", "The mean factor between entered and eaten."),
    SchemaKey(
      "cv", .number(0...2, unit: ""), "0",
      "The deviation of that factor, relative; the law is log-normal."),
    SchemaKey(
      "delay", .durationLaw(.hours(-1)...(.hours(12))), "'0m'",
      "How late it is entered; before the meal where negative."),
    SchemaKey(
      "absorption", .durationLaw(absorptionTimes), "the meal's", "What is typed as absorption time."
    ),
  ]

  private static let correction: [SchemaKey] = [
    SchemaKey("above", .glucose(60...600), "The shown reading that provokes it.").required,
    SchemaKey("probability", .fraction, "1.0", "How likely the person reacts."),
    SchemaKey("delay", .durationLaw(reactionTimes), "'0m'", "How long after; at least a second."),
    SchemaKey("lockout", .duration(lockouts), "'1h'", "How long before another look."),
    SchemaKey("minUnits", .units(0...30), "0.05", "The smallest recommendation that is taken."),
  ]

  private static let rescue: [SchemaKey] = [
    SchemaKey("below", .glucose(30...200), "The glucose that provokes it.").required,
    SchemaKey(
      "sense", .choice(["cgm", "body"]), "'cgm'",
      "Whether the app shows the low, or the body feels it."),
    SchemaKey("probability", .fraction, "1.0", "How likely the person reacts."),
    SchemaKey("delay", .durationLaw(reactionTimes), "'0m'", "How long after; at least a second."),
    SchemaKey("grams", .law(0.1...200, unit: "g"), "How much is eaten, to a tenth.").required,
    SchemaKey(
      "absorption", .durationLaw(absorptionTimes), "'30m'", "How long it takes, to the minute."),
    SchemaKey("lockout", .duration(lockouts), "'15m'", "How long before another look."),
    SchemaKey("entry", .bool, "false", "Whether the app is told."),
  ]
}
