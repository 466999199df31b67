import Quantities
import Simulation

extension ScenarioSchema {
  /// One or more times: a time, a list, or every day.
  static let occurrence = Shape.either([
    .timeInRun, .list(.timeInRun),
    .object([
      SchemaKey("daily", .timeOfDay, "A time of day, such as `'07:15'`.").required,
      SchemaKey(
        "days", .list(.integer(0...3_660)), "all", "The days of the run, the start's being 0."),
      SchemaKey("jitter", .duration(.zero...(.hours(12))), "'0m'", "The most it is early or late."),
    ]),
  ])

  static let event = ObjectShape(
    [
      SchemaKey("at", occurrence, "When: a time, a list of times, or every day.").required,
      SchemaKey("id", .text, "A name by which sweeps, faults and edits find it."),
      SchemaKey(
        "if", .condition, "always",
        "What must hold at the time for it to happen, such as `'glucose.cgm < 70'`."),
    ], kinds: eventKinds, noun: "an event")

  private static let eventKinds: [SchemaKey] = foodKinds + insulinKinds + personKinds + deviceKinds

  private static let foodKinds: [SchemaKey] = [
    SchemaKey("meal", .object(meal), "Food that is eaten.").with([
      SchemaKey(
        "entry", .either([.only(false), .object(entry)]), "the same values at the same time",
        "What the app learns of the meal; `false` for nothing."
      ).anchored
    ]),
    SchemaKey("entry", .object(entry), "An entry for food that nobody eats.").anchored,
  ]

  private static let meal: [SchemaKey] = [
    SchemaKey("grams", .grams, "The carbohydrate truly eaten.").required,
    SchemaKey(
      "absorption", .duration(.minutes(10)...(.hours(12))), "'3h'", "How long it truly takes."),
    SchemaKey("name", .text, "A name to show."),
    SchemaKey(
      "shape", .choice(["firstOrder", "triangle", "model"]), "'model'",
      "How it appears; `model` leaves it to the body, and is all that this version does."
    ),
    SchemaKey("fat", .grams, "0", "Fat, for bodies that know it.").refused(
      "None of the published models of the body has equations for fat; "
        + "a longer \"absorption\" comes nearest."),
    SchemaKey("protein", .grams, "0", "Protein, for bodies that know it.").refused(
      "None of the published models of the body has equations for protein; "
        + "a second meal later comes nearest."),
  ]

  private static let entry: [SchemaKey] = [
    SchemaKey("at", .timeInRun, "with the meal", "When it is typed; spans count from the meal."),
    SchemaKey("grams", .grams, "the meal's", "What is typed."),
    SchemaKey("absorption", .duration(.minutes(10)...(.hours(12))), "the meal's", "What is typed."),
    SchemaKey("eatenAt", .time, "the meal's", "The time of eating that is typed."),
    SchemaKey("id", .text, "A name by which it is found."),
    SchemaKey(
      "edits",
      .list(
        .object([
          SchemaKey("at", .time, "When it is changed; spans count from the meal.").required,
          SchemaKey("grams", .grams, "The new grams."),
          SchemaKey(
            "absorption", .duration(.minutes(10)...(.hours(12))), "The new absorption time."),
          SchemaKey("eatenAt", .time, "The new time of eating."),
          SchemaKey("delete", .only(true), "Deletes the entry."),
        ])), "[]", "Later changes of the entry."),
  ]

  private static let insulinKinds: [SchemaKey] = [
    SchemaKey(
      "bolus",
      .object([
        SchemaKey("units", .units(0...100), "How much is asked for."),
        SchemaKey("take", .choice(["recommended"]), "What the app recommends is taken."),
        SchemaKey("scale", .number(0...10, unit: ""), "1.0", "A factor on the recommendation."),
        SchemaKey("cap", .units(0...100), "none", "The most that is taken of it."),
        SchemaKey("minUnits", .units(0...30), "0", "The smallest recommendation that is taken."),
        SchemaKey(
          "by", .choice(BolusRequester.inPerson.map(\.rawValue)), "'user'",
          "Who asks. `quick` and `pump` are on the pump itself, which knows no `maxBolus`."),
        SchemaKey("cancelAt", .time, "never", "When someone cancels it.").anchored,
        SchemaKey(
          "reported",
          .object([
            SchemaKey("units", .units(0...50), "The amount that the record says.").required,
            SchemaKey("at", .timeInRun, "the truth", "The time that the record says.").anchored,
          ]), "the truth", "What the record says, where it is wrong."
        ),
      ]), "A bolus through the pump; it has `units` or `take`."),
    SchemaKey(
      "injection",
      .object([
        SchemaKey("units", .units(0...300), "How much.").required,
        SchemaKey("insulin", .choice(Vocabulary.injectedInsulins), "'humalog'", "Which insulin."),
        SchemaKey("site", .text, "Where, for reports."),
      ]), "Insulin from a pen or syringe."
    ).with([
      SchemaKey(
        "entry",
        .either([
          .only(false),
          .object([
            SchemaKey("at", .time, "with the injection", "When it is logged."),
            SchemaKey("units", .units(0...300), "the truth", "The units logged."),
            SchemaKey(
              "insulin", .choice(Vocabulary.injectedInsulins), "the truth", "The insulin logged."),
            SchemaKey(
              "in", .choice(["healthStore", "app"]), "'healthStore'",
              "Where: another app writes it to the health store, or the person logs it in the "
                + "closed-loop app itself."),
            SchemaKey("source", .text, "'Pen'", "The name of the other app that logs it."),
          ]),
        ]), "the truth, at once, by `Pen`", "What is logged of it; `false` for nothing."
      ).anchored
    ]),
    SchemaKey(
      "basal",
      .either([
        .object([SchemaKey("cancel", .only(true), "The running temp basal ends.").required]),
        .object([
          SchemaKey("rate", .rate(0...50), "The rate.").required,
          SchemaKey("duration", .duration(.minutes(1)...(.days(1))), "How long.").required,
        ]),
      ]), "A temp basal that the user sets, or `{ cancel: true }`."),
    SchemaKey(
      "suspend",
      .either([
        .only(true),
        .object([
          SchemaKey(
            "duration", .duration(.minutes(1)...(.days(2))), "until resumed",
            "After which it resumes.")
        ]),
      ]), "The user suspends delivery."),
    SchemaKey("resume", .mark, "The user resumes delivery."),
  ]

  private static let personKinds: [SchemaKey] =
    [
      SchemaKey("closedLoop", .bool, "The user switches the loop on or off."),
      SchemaKey(
        "preset", .either([.text, .only(false), .object(preset)]),
        "A preset by name, or one described here; `preMeal` and `workout` too; `false` ends it."
      ).with([
        SchemaKey("until", .time, "When it ends.").anchored,
        SchemaKey("duration", .duration(.minutes(1)...(.days(30))), "How long it runs."),
        SchemaKey("indefinite", .only(true), "It runs until someone ends it."),
      ]),
      SchemaKey(
        "exercise",
        .object([
          SchemaKey("heartRate", .number(30...250, unit: "1/min"), "The heart rate meanwhile."),
          SchemaKey(
            "mets", .number(1...25, unit: "MET"), "The intensity in metabolic equivalents."),
          SchemaKey(
            "intensity", .choice(["light", "moderate", "high"]),
            "'moderate'", "How hard."),
          SchemaKey("duration", .duration(.minutes(1)...(.days(1))), "How long.").required,
          SchemaKey("effect", .map(.anyNumber), "{}", "Parameters of the effect by name.").refused(
            "Exercise acts by the equations of the body's model; "
              + "\"patient.parameters\" sets their parameters."),
        ]), "The body exercises; the app learns nothing."),
      SchemaKey(
        "settings", .object(settings),
        "Other settings from that moment on; as in `therapy` and `app`."),
      SchemaKey(
        "delete",
        .object([
          SchemaKey("from", .choice(["eventHistory", "healthStore", "both"]), "Where.").required,
          SchemaKey(
            "match",
            .object([
              SchemaKey(
                "kind",
                .choice(["bolus", "tempBasal", "basal", "suspend", "carbs", "glucose", "any"]),
                "'any'",
                "Which kind of entry."),
              SchemaKey(
                "last", .integer(1...10_000), "1 without `id`, `between` and `all`, else all",
                "Only the latest so many."),
              SchemaKey("between", .window, "any time", "Only those that start in this time."),
              SchemaKey("id", .text, "any", "Only what the event of this `id` made."),
              SchemaKey("all", .bool, "false", "All that match, and not only the last."),
            ]), "{}", "Which entries."),
        ]), "The user deletes entries."),
      SchemaKey(
        "fingerstick",
        .object([
          SchemaKey("value", .glucose(10...600), "the truth", "What the meter shows."),
          SchemaKey("error", .number(-90...200, unit: "%"), "0", "Its error, in place of `value`."),
          SchemaKey(
            "entry", .either([.bool, .choice(FingerstickRequest.Log.allCases.map(\.rawValue))]),
            "true",
            "Who takes it down: `meter` or true is the meter's app, in the health store; `app` is "
              + "the bolus screen of the closed-loop app, which stores it as its own; `none` or "
              + "false is nobody."),
        ]), "A measurement with a meter."),
      SchemaKey("sickness", .object(condition), "The body is ill: insulin acts less."),
      SchemaKey("insulinResistance", .object(condition), "Insulin acts less, or more."),
      SchemaKey("remark", .text, "A row in the timeline and nothing else."),
    ] + varyingKinds

  /// What can be changed while a run goes on.
  static let settings: [SchemaKey] =
    therapy.filter { RunBuilder.therapyKeys.contains($0.name) }
    + app.filter { RunBuilder.appSettingKeys.contains($0.name) }

  /// The same by their paths in a scenario.
  static let settingPaths: [String] =
    RunBuilder.therapyKeys.map { "therapy.\($0)" } + RunBuilder.appSettingKeys.map { "app.\($0)" }

  private static let condition: [SchemaKey] = [
    SchemaKey("scale", .number(0.05...10, unit: ""), "The factor on insulin needs.").required,
    SchemaKey("duration", .duration(.minutes(1)...(.days(30))), "How long.").required,
  ]

  private static let deviceKinds: [SchemaKey] = [
    SchemaKey(
      "healthStore",
      .object([
        SchemaKey("write", .object(write), "Another app writes a sample."),
        SchemaKey(
          "revoke", .listOrOne(.choice(Vocabulary.permissions)), "Permissions are taken away."),
        SchemaKey("grant", .listOrOne(.choice(Vocabulary.permissions)), "Permissions are given."),
        SchemaKey("restore", .only(true), "What it last lost comes back from a backup."),
      ]), "What happens in the health store."),
    SchemaKey(
      "pump",
      .object([
        SchemaKey(
          "replace",
          .object([SchemaKey("reservoir", .units(0...1_000), "full", "What the new one holds.")]),
          "A new pump or pod."),
        SchemaKey("remove", .mark, "It is taken off the body and runs on."),
        SchemaKey("attach", .mark, "It is put on again."),
        SchemaKey("prime", .units(0...50), "The set is primed with so much."),
        SchemaKey("refill", .units(0...1_000), "A reservoir with so much is put in."),
        SchemaKey("setTime", .mark, "Its clock is set to the phone's."),
        SchemaKey("clearAlarm", .mark, "Its alarm is acknowledged."),
      ]), "What a person does to the pump."),
    SchemaKey(
      "cgm",
      .object([
        SchemaKey("replace", .mark, "A new sensor, with its warm-up."),
        SchemaKey("calibrate", .glucose(20...600), "A calibration with this value."),
        SchemaKey("stop", .mark, "The sensor is stopped."),
      ]), "What a person does to the sensor."),
    SchemaKey("timeZone", .zone, "The phone changes its zone.").with([
      SchemaKey("pumpFollows", .bool, "false", "Whether the pump's clock is set too.")
    ]),
    SchemaKey(
      "remote", .object(remote),
      "A carer sends a command to the app from afar; `at` is when it is sent."),
    SchemaKey(
      "clockSet", .either([.duration(.days(-30)...(.days(30))), .dateTime]),
      "The phone's clock is set by hand: how far, or to what."),
    SchemaKey(
      "phone", .choice(["reboot", "off", "on", "reinstall", "bluetoothOff"]),
      "What happens to the phone and the app on it."),
  ]

  /// Commands as Nightscout and LoopFollow send them.
  private static let remote = ObjectShape(
    [
      SchemaKey(
        "delay", .duration(.zero...(.hours(1))), "'5s'", "How long it is on its way to the phone."),
      SchemaKey(
        "expires", .duration(.seconds(1)...(.days(1))), "'5m'",
        "The age above which the app refuses it; five minutes in Nightscout."),
      SchemaKey(
        "code", .choice(["valid", "wrong"]), "'valid'",
        "The one-time code, which boluses and carbohydrates need."),
    ],
    kinds: [
      SchemaKey(
        "bolus", .units(0...100), "A bolus; one above the largest bolus is refused, not cut."),
      SchemaKey("carbs", .grams, "A carb entry.").with([
        SchemaKey(
          "absorption", .duration(.minutes(10)...(.hours(12))), "'3h'", "The absorption time."),
        SchemaKey("eatenAt", .time, "when it arrives", "The time of eating.").anchored,
      ]),
      SchemaKey(
        "override", .either([.text, .only(false)]),
        "A preset of `therapy.presets` by name, or `false` to end the one that runs."
      ).with([
        SchemaKey(
          "duration", .duration(.zero...(.days(30))), "without end",
          "How long it runs; more than 24 hours are refused, and `'0s'` is without end.")
      ]),
    ], noun: "a remote command")

  private static let write: [SchemaKey] = [
    SchemaKey("glucose", .anyGlucose, "A reading."),
    SchemaKey("carbs", .grams, "Carbohydrate."),
    SchemaKey("bolus", .units(0...100), "A bolus."),
    SchemaKey("basal", .units(0...200), "A basal segment."),
    SchemaKey("duration", .anySpan, "'0s'", "How long the basal segment is."),
    SchemaKey("source", .text, "'Other app'", "The name of the writing app."),
    SchemaKey("start", .time, "now", "The time of the sample.").anchored,
  ]
}
