import Outcomes

extension ScenarioSchema {
  /// The block `study`: what the runs of the scenario are to show together.
  static let study: [SchemaKey] = [
    SchemaKey(
      "control", .either([.text, .map(.anything)]),
      "The arm that everything else is compared with: a variant, or a point of the sweep as "
        + "`{ path: value }`. Required, but beside a sweep that is sampled, which has none."),
    SchemaKey(
      "primary", .list(.object(endPoint)),
      "One to eight end points, each with a goal; they are tested in this order. Beside a sweep "
        + "that is sampled they have none."
    ).required,
    SchemaKey(
      "secondary", .list(.object(endPoint)), "[]",
      "End points whose goals are tested after all primary ones."),
    SchemaKey(
      "safety", .list(.object(endPoint)), "[]",
      "End points that are estimated and listed by patient, and never tested."),
    SchemaKey("strata", .text, "The column of the cohort's table that says a patient's group."),
    SchemaKey(
      "confidence", .number(80...99.9, unit: "%"), "95",
      "The confidence of every interval; goals are read off the same interval."),
    SchemaKey(
      "multiplicity", .choice(Multiplicity.allCases.map(\.rawValue)), "'sequence'",
      "How several goals share the probability of a false claim."),
    SchemaKey(
      "paired", .bool, "true", "Whether the arms share meals, noise and all other chance."),
    SchemaKey(
      "precision",
      .object([
        SchemaKey(
          "halfWidth", .number(1e-9...1e9, unit: ""),
          "The half width that the interval of the first primary end point should have."
        ).required,
        SchemaKey(
          "pilot", .integer(10...100_000),
          "How many patients are run first to say how many are needed; they are never analysed."
        ).required,
      ]), "How many patients of the cohort are run, by what a pilot shows."),
  ]

  private static let endPoint: [SchemaKey] = [
    SchemaKey(
      "metric", .text, "A figure as in `expect`, such as `'tir(70,180)@cgm'`."
    ).required,
    SchemaKey("id", .text, "made from the metric", "The end point's name in all results."),
    SchemaKey(
      "better", .choice(BetterDirection.allCases.map(\.rawValue)), "The direction that is good."
    ).required,
    SchemaKey(
      "superior", .either([.only(true), .number(0...1e9, unit: "")]),
      "The goal to be better by more than an amount; `true` is by more than nothing."),
    SchemaKey(
      "noninferior", .number(0...1e9, unit: ""), "The goal not to be worse by a margin."),
    SchemaKey(
      "equivalent", .number(0...1e9, unit: ""),
      "The goal to be neither better nor worse by a margin."),
    SchemaKey(
      "daily", .pair(.timeOfDay), "all day",
      "The part of each day that is measured, such as `['00:00', '06:00']`; it may pass midnight."),
    SchemaKey(
      "per", .text, "the run",
      "Makes a count a rate over observed time: `'week'`, `'year'`, `'100 years'` or a span."),
    SchemaKey(
      "harm",
      .object([
        SchemaKey("above", .anyNumber, "A patient with more is harmed."),
        SchemaKey("below", .anyNumber, "A patient with less is harmed."),
        SchemaKey("more", .anyNumber, "A patient with so many more than under control is harmed."),
      ]), "When a patient counts as harmed."),
  ]
}
