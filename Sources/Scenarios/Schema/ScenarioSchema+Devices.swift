import Quantities

extension ScenarioSchema {
  static let cgm: [SchemaKey] = [
    SchemaKey(
      "model", .choice(Vocabulary.sensorModels), "'ideal'",
      "How readings differ from truth; `trace` shows recorded ones unchanged."),
    SchemaKey(
      "trace", .either([.object(tableKeys), readings]),
      "The recorded readings of the model `trace`."),
    SchemaKey(
      "interval", .duration(.seconds(5)...(.hours(1))), "'5m'", "The time between readings."),
    SchemaKey(
      "lag", .duration(.zero...(.hours(1))), "'0s' for `ideal`, else '6m'",
      "The delay of interstitial glucose behind blood."),
    SchemaKey("range", .glucoseRange(1...2_000), "[40, 400]", "What the sensor can show."),
    SchemaKey("rounding", .number(0.01...50, unit: "mg/dL"), "1", "The step of shown values."),
    SchemaKey(
      "noise",
      .object([
        SchemaKey(
          "sd", .number(0...100, unit: "mg/dL"), "8; 5 for `gaussian`",
          "The deviation of the noise."),
        SchemaKey(
          "phi", .number(0...0.999, unit: ""), "0.88", "The correlation from reading to reading."),
      ]), "{}", "The size of the noise, for `ar1` and `gaussian`."),
    SchemaKey(
      "bias",
      .object([
        SchemaKey("gain", .number(0.1...5, unit: ""), "1.0", "A factor on the reading."),
        SchemaKey("offset", .glucoseChange(-200...200), "0", "An addition to the reading."),
      ]), "{}", "A constant error."),
    SchemaKey("warmUp", .duration(.zero...(.days(2))), "'0s'", "How long a new sensor is silent."),
    SchemaKey(
      "life", .duration(.hours(1)...(.days(400))), "the sensor's own",
      "How long a sensor works."),
    SchemaKey("startedAt", .time, "warmed up at the start", "When the sensor was put in."),
    SchemaKey(
      "site", .choice(["plasma", "interstitium"]),
      "where the model adds no delay of its own, `interstitium`, else `plasma`",
      "Where it measures; `interstitium` uses the body model's own delay."),
  ]

  static let pump: [SchemaKey] = [
    SchemaKey(
      "model", .pump, "'generic'",
      "A preset of pulse, steps, limits, reservoir and residual rule."),
    SchemaKey("pulse", .units(0.001...1), "the model's", "The smallest amount delivered."),
    SchemaKey("basalStep", .rate(0.001...1), "the model's", "The step of basal rates."),
    SchemaKey(
      "bolusStep", .units(0.001...1), "the model's, or the pulse", "The step of boluses."),
    SchemaKey(
      "reservoir", .units(0...1_000), "full", "What the reservoir holds when the pump is put on."),
    SchemaKey("capacity", .units(1...1_000), "the model's", "What a full reservoir holds."),
    SchemaKey(
      "life", .duration(.hours(1)...(.days(400))), "the model's",
      "The age at which the pump should be replaced; it stops then, or after the model's grace."),
    SchemaKey(
      "startedAt", .time, "when the world begins",
      "When it was put on; one put on after the pre-roll began replaces a full one."),
    SchemaKey(
      "history", .choice(["complete", "reservoir"]), "'complete'",
      "What insulin follows from: the history, or the reservoir while its levels are continuous."),
    SchemaKey(
      "commLatency", .duration(.zero...(.minutes(1))), "'0s'",
      "How long a command takes to reach the pump."),
    SchemaKey("clockDrift", .durationPerDay, "'0s/day'", "What the pump's clock gains in a day."),
    SchemaKey(
      "residual",
      .choice(["resetOnCommand", "resetOnRateChange", "carry", "resetOnTempStart", "scheduleGrid"]),
      "the model's", "What becomes of the fraction of a pulse when the program changes."),
  ]

  /// Times and values, the times relative to the start.
  private static let readings = Shape.list(.pair(.either([.time, .anyGlucose])))

  private static let tableKeys = [
    SchemaKey("csv", .text, "A table with the columns `time` and `glucose`."),
    SchemaKey("rows", readings, "the table's", "Its rows, which are filled in from `csv`."),
  ]

  static let history: [SchemaKey] = [
    SchemaKey(
      "glucose",
      .either([
        .object(
          [SchemaKey("flat", .glucose(20...600), "One value for the whole past.")] + tableKeys),
        readings,
      ]), "`initialGlucose`", "Readings before the start; times are relative to it."),
    SchemaKey(
      "doses",
      .list(
        .object(
          ObjectShape(
            [
              SchemaKey("at", .time, "When.").required,
              SchemaKey(
                "insulin", .choice(Vocabulary.injectedInsulins), "the pump's",
                "Which insulin; a bolus of a stated one is an injection that was logged."),
              SchemaKey(
                "reported", .units(0...100), "what is given",
                "What the pump reports of a bolus, where the body got something else."),
            ],
            kinds: [
              SchemaKey("bolus", .units(0...100), "A bolus."),
              SchemaKey("basal", .rate(0...35), "A temp basal.").with([
                SchemaKey("duration", .duration(.minutes(1)...(.days(1))), "How long it ran.")
                  .required
              ]),
            ], noun: "a dose"))), "[]", "Insulin before the start."),
    SchemaKey(
      "carbs",
      .list(
        .object([
          SchemaKey("at", .time, "When.").required,
          SchemaKey("grams", .grams, "How much.").required,
          SchemaKey(
            "absorption", .duration(.minutes(10)...(.hours(12))), "'3h'", "How long it takes."),
          SchemaKey("name", .text, "A name to show."),
          SchemaKey("eaten", .bool, "true", "Whether it was eaten."),
          SchemaKey("entered", .bool, "true", "Whether the app was told."),
        ])), "[]", "Carbohydrate before the start."),
    SchemaKey(
      "observed",
      .object([
        SchemaKey(
          "csv", .text,
          "A table with the columns `time`, written as in scenarios, and `glucose`."
        ).required
      ]),
      "Real readings, before and after the start, to compare with (`other: 'observed'`)."),
  ]
}
