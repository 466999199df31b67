import Physiology
import Quantities
import Simulation

extension ScenarioSchema {
  static let patient: [SchemaKey] = [
    SchemaKey(
      "model", .choice(Vocabulary.patientModels),
      "The equations of the body. Those of `external` are in a program of yours, which `command` "
        + "starts; its `needs` must be given."
    ).required,
    SchemaKey(
      "name", .text,
      "One of the model's public virtual patients, such as `'adult#001'` (`loopsim patients`); a "
        + "model with only one needs none."),
    SchemaKey(
      "integration",
      .either([
        .choice(["production", "reference"]),
        .object([
          SchemaKey(
            "step", .duration(.milliseconds(100)...(.minutes(2))), "The longest step, of order 4."),
          SchemaKey(
            "whileEating", .duration(.milliseconds(100)...(.minutes(2))), "an eighth of `step`",
            "The longest step while the body eats."),
          SchemaKey(
            "tolerance", .number(1e-13...1e-2, unit: ""),
            "The error allowed in a step, which is then as long as that allows."),
          SchemaKey(
            "longestStep", .duration(.seconds(1)...(.minutes(30))), "'5m'",
            "The longest step, beside `tolerance`."),
        ]),
      ]), "'production'",
      "How the equations are solved: `'production'` is a step of 1m, `'reference'` a tolerance of "
        + "1e-10; `loopsim run --check-step` says what the choice costs."),
    SchemaKey(
      "gastricMemory", .choice(MealMemory.allCases.map(\.rawValue)), "'minuteByMinute'",
      "How the stomach of the UVA/Padova models knows the size of a meal; `legacy` is the error of "
        + "old tables."),
    SchemaKey(
      "uptakeInLows", .bool, "true",
      "Whether hypoglycaemia raises the uptake of glucose, in `uva-padova-s2013`."),
    SchemaKey(
      "glucagon", .choice(GlucagonResponse.allCases.map(\.rawValue)), "'none'",
      "Whether glucagon answers hypoglycaemia, in `uva-padova-s2013`: `lt1` has the figures of "
        + "LoopInsightT1, which are not from the literature."),
    SchemaKey(
      "heartRate",
      .object([
        SchemaKey("resting", .number(30...120, unit: "1/min"), "the model's own", "At rest."),
        SchemaKey("maximum", .number(100...250, unit: "1/min"), "the model's own", "At most."),
      ]), "the model's own", "The range within which exercise is counted."),
    SchemaKey(
      "secretion",
      .object([
        SchemaKey(
          "perGlucose", .number(0...500, unit: ""), "0", "Own insulin for each mg/dL per minute."),
        SchemaKey("basalProduction", .number(0...5, unit: ""), "0", "Own insulin at all times."),
        SchemaKey("basalGlucose", .anyGlucose, "100", "The glucose that it belongs to."),
      ]), "none", "Insulin of the patient's own, for `tidepool-simple`."),
    SchemaKey("initialGlucose", .glucose(20...600), "the model's own", "Glucose at the start."),
    SchemaKey(
      "insulinType", .choice(Vocabulary.pumpedInsulins), "'rapidActingAdult'",
      "Which insulin is truly in the pump; rapid-acting insulin acts as the model has it."),
    SchemaKey(
      "needs", .either([.object(needs), .choice(["table"])]), "the model's own",
      "What this body truly needs; for models with compartments it is tried out, and serves a "
        + "therapy that says less; `external` must have them. `'table'` takes carb ratio, "
        + "correction factor and basal rate from the published table of a UVA/Padova patient "
        + "instead."),
    SchemaKey(
      "variability", .object(variability), "{}",
      "Chance in the body; each deviation has a stream of its own."),
    SchemaKey(
      "pattern", .object(pattern), "{}",
      "Factors by the time of day, with smooth passages of half an hour."),
    SchemaKey(
      "dawn",
      .object([
        SchemaKey(
          "amplitude", .number(0...2, unit: ""),
          "By which part glucose production is up at 07:00, having risen since 03:00."
        ).required
      ]), "none", "A dawn phenomenon: production is back to its own value at 10:00."),
    SchemaKey(
      "circadian",
      .object([
        SchemaKey(
          "class", .either([.integer(1...Int64(CircadianClass.all.count)), .choice(["drawn"])]),
          "The number of the pattern, or one drawn by the published shares."
        ).required
      ]), "none",
      "One of seven published patterns of insulin sensitivity at breakfast, lunch and dinner, with "
        + "chance from day to day."),
    SchemaKey(
      "floor",
      .object([
        SchemaKey("glucose", .glucose(1...70), "10", "Below it, the run ends.")
      ]), "none",
      "The true glucose that nobody survives: where it is crossed, the run ends as `lethal`, and "
        + "fails unless it expects an event of that kind."),
    SchemaKey(
      "weight", .number(2...300, unit: "kg"), "the model's own", "The body's weight, where used."),
    SchemaKey(
      "parameters",
      .either([.map(.number(RunBuilder.parameterValues, unit: "")), .map(.anything)]),
      "those of `name`",
      "Other values of the model's parameters by their symbols, as `loopsim patients NAME` lists "
        + "them; of `external`, anything that its program takes."),
    SchemaKey(
      "generated",
      .object([
        SchemaKey(
          "law", .choice(HovorkaCohort.allCases.map(\.rawValue)), "'logNormal'",
          "The published law from which the parameters are drawn."),
        SchemaKey("seed", .integer(0...Int64.max), "0", "The seed of the population."),
        SchemaKey("member", .integer(0...1_000_000), "The number of the body.").required,
      ]),
      "A body that the model `hovorka` generates, in place of a name; `cohort.generate` sets it."),
    SchemaKey(
      "command", .list(.text), "none",
      "The words that start the program that is the body, with the model `external`; as "
        + "`controller.command`, it is started only with `--allow-programs`."),
    SchemaKey(
      "transcript", .text, "none",
      "The record of an earlier run of that body (`lived.ndjson`), taken in place of a program."),
    SchemaKey(
      "timeout", .duration(.milliseconds(1)...(.hours(24))), "'30s'",
      "How long that program may take for an answer."),
    SchemaKey(
      "startTimeout", .duration(.milliseconds(1)...(.hours(24))), "'60s'",
      "How long it may take to start."),
    SchemaKey(
      "environment", .map(.text), "this process's",
      "The variables of that program, beside `PATH`, `HOME`, `TMPDIR` and what makes Python print "
        + "at once."),
  ]

  static let needs: [SchemaKey] = [
    SchemaKey("basal", .schedule(.rate(0...100)), "The basal rate that holds glucose level."),
    SchemaKey("sensitivity", .schedule(.sensitivity), "How far a unit lowers glucose (ISF)."),
    SchemaKey("carbRatio", .schedule(.carbRatio), "How many grams a unit covers (CR)."),
  ]

  static let therapy: [SchemaKey] = [
    SchemaKey("basal", .schedule(.rate(0...35)), "the needs", "The scheduled basal rates."),
    SchemaKey("sensitivity", .schedule(.sensitivity), "The programmed ISF."),
    SchemaKey("carbRatio", .schedule(.carbRatio), "The programmed CR."),
    SchemaKey(
      "target", .schedule(.target), "[['00:00', [100, 115]]]", "The correction range."),
    SchemaKey("preMealTarget", .target, "The range while the pre-meal preset is on."),
    SchemaKey("workoutTarget", .target, "The range while the workout preset is on."),
    SchemaKey(
      "suspendThreshold", .either([.choice(["none"]), .glucose(40...250)]), "75",
      "Below a prediction of this, automatic delivery stops; `'none'`: never."),
    SchemaKey("maxBasal", .rate(0...50), "5.0", "The highest temp basal."),
    SchemaKey("maxBolus", .units(0...50), "10.0", "The largest bolus."),
    SchemaKey(
      "insulinModel", .choice(Vocabulary.insulinModels), "'rapidActingAdult'",
      "How the app believes the pump's insulin acts, and which insulin it records."),
    SchemaKey("presets", .map(PresetRequest.form.shape), "{}", "Temporary presets by name."),
    SchemaKey(
      "scale",
      .object([
        SchemaKey(
          "basal", .number(0.2...5, unit: ""), "1",
          "The factor of every rate; the result is rounded down to what the pump can run."),
        SchemaKey("sensitivity", .number(0.2...5, unit: ""), "1", "The factor of every ISF."),
        SchemaKey("carbRatio", .number(0.2...5, unit: ""), "1", "The factor of every CR."),
      ]), "{}",
      "Factors on every entry of the programmed schedules, by which wrong settings are studied."),
  ]

  static let app: [SchemaKey] = [
    SchemaKey(
      "algorithm", .choice(LoopVersion.words), "'loop-algorithm'", LoopVersion.meaning),
    SchemaKey(
      "dosing", .choice(["tempBasal", "automaticBolus"]), "'tempBasal'",
      "With what the app corrects."),
    SchemaKey(
      "applicationFactor", .either([.fraction, .choice(["glucoseBased"])]), "0.4",
      "The part of a correction that an automatic bolus gives at once."
    ),
    SchemaKey("closedLoop", .bool, "true", "Whether the app doses by itself."),
    SchemaKey(
      "midAbsorptionISF", .bool, "false, or as `algorithm` says",
      "Whether each stretch of a dose's action uses the ISF in force then, and not the one at the "
        + "time of the dose."),
    SchemaKey("integralRC", .bool, "false", "Integral retrospective correction."),
    SchemaKey(
      "positiveMomentumAndRC", .bool, "true",
      "Whether rising glucose counts in momentum and in retrospection."
    ),
    SchemaKey(
      "maxActiveInsulin", .number(0...1_000, unit: "U"), "2 × maxBolus",
      "The most IOB that automation may reach."
    ),
    SchemaKey(
      "carbAbsorption", .choice(["linear", "parabolic", "piecewiseLinear"]), "'piecewiseLinear'",
      "The app's model of carbohydrate absorption."
    ).refused("Loop knows only 'piecewiseLinear' since version 2; remove the key for that."),
    SchemaKey(
      "scheduleZone", .choice(["fixedOffset", "wallClock"]), "'fixedOffset'",
      "Which clock saved schedules follow when the phone's zone changes."),
    SchemaKey("readCarbsFromHealth", .bool, "false", "Whether other apps' carbs are read."),
    SchemaKey("readsForeignGlucose", .bool, "true", "Whether other apps' glucose is read.").refused(
      "The app always reads it where it may; healthStore.authorized says what it may."),
    SchemaKey("readsForeignInsulin", .bool, "true", "Whether other apps' insulin is read.").refused(
      "The app always reads it where it may; healthStore.authorized says what it may."),
    SchemaKey(
      "manualBolusAccept",
      .object([
        SchemaKey("probability", .fraction, "1.0", "How likely a recommended bolus is taken."),
        SchemaKey("minUnits", .units(0...30), "0.05", "The smallest that is accepted."),
      ]), "every one is taken", "How the user takes the recommended boluses of `events`."
    ),
  ]
}
