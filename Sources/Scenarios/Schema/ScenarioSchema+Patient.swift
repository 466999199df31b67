import Quantities

extension ScenarioSchema {
  static let patient: [SchemaKey] = [
    SchemaKey("model", .choice(Vocabulary.patientModels), "The equations of the body.").required,
    SchemaKey(
      "name", .text,
      "One of the model's public virtual patients, such as `'adult#001'`; `uva-padova-s2008` needs "
        + "one."),
    SchemaKey(
      "integration", .choice(["production", "reference"]), "'production'",
      "The step with which the body's equations are solved."),
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
      "insulinType", .choice(Vocabulary.insulinModels), "as the model has it",
      "How the pump's insulin truly acts; has no effect in this version."),
    SchemaKey("needs", .object(needs), "the model's own", "What this body truly needs."),
    SchemaKey(
      "variability",
      .object([
        SchemaKey(
          "sensitivitySD", .number(0...2, unit: ""), "0",
          "The deviation of insulin sensitivity, as a fraction."),
        SchemaKey(
          "correlation", .duration(.minutes(1)...(.days(7))), "'3h'",
          "How long a deviation lasts."),
      ]), "Chance in the body, from the stream `patient`."
    ).refused,
    SchemaKey(
      "floor",
      .object([SchemaKey("glucose", .glucose(1...70), "10", "The glucose that nobody survives.")]),
      "Where the run ends as lethal."
    ).refused,
    SchemaKey("weight", .number(2...300, unit: "kg"), "the model's own", "The body's weight.")
      .refused,
    SchemaKey("parameters", .map(.anyNumber), "{}", "Parameters of the model by name.").refused,
    SchemaKey(
      "generated",
      .object([
        SchemaKey("member", .integer(0...1_000_000), "The number of the body.").required,
        SchemaKey("seed", .integer(0...Int64.max), "0", "The seed of the population."),
      ]), "A body that the model generates; set by `cohort.generate`."
    ).refused,
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
      "target", .schedule(.glucoseRange), "[['00:00', [100, 115]]]", "The correction range."),
    SchemaKey("preMealTarget", .glucoseRange, "The range while the pre-meal preset is on."),
    SchemaKey("workoutTarget", .glucoseRange, "The range while the workout preset is on."),
    SchemaKey(
      "suspendThreshold", .glucose(40...250), "75",
      "Below a prediction of this, automatic delivery stops."),
    SchemaKey("maxBasal", .rate(0...50), "5.0", "The highest temp basal."),
    SchemaKey("maxBolus", .units(0...50), "10.0", "The largest bolus."),
    SchemaKey(
      "insulinModel", .choice(Vocabulary.insulinModels), "'rapidActingAdult'",
      "How the app believes the pump's insulin acts, and which insulin it records."),
    SchemaKey("presets", .map(.object(preset)), "{}", "Temporary presets by name."),
  ]

  static let preset: [SchemaKey] = [
    SchemaKey("target", .glucoseRange, "the scheduled one", "The correction range meanwhile."),
    SchemaKey(
      "insulinNeeds", .number(0.1...2, unit: ""), "1.0", "The factor on insulin needs meanwhile."),
  ]

  static let app: [SchemaKey] = [
    SchemaKey("algorithm", .choice(["loop", "loop-3.4"]), "'loop'", "The dosing algorithm."),
    SchemaKey(
      "dosing", .choice(["tempBasal", "automaticBolus"]), "'tempBasal'",
      "With what the app corrects."),
    SchemaKey(
      "applicationFactor", .either([.fraction, .choice(["glucoseBased"])]), "0.4",
      "The part of a correction that an automatic bolus gives at once."
    ),
    SchemaKey("closedLoop", .bool, "true", "Whether the app doses by itself."),
    SchemaKey("midAbsorptionISF", .bool, "false", "ISF at the time insulin acts."),
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
    ).refused,
    SchemaKey(
      "scheduleZone", .choice(["fixedOffset", "wallClock"]), "'fixedOffset'",
      "Which clock saved schedules follow when the phone's zone changes."),
    SchemaKey("readCarbsFromHealth", .bool, "false", "Whether other apps' carbs are read."),
    SchemaKey("readsForeignGlucose", .bool, "true", "Whether other apps' glucose is read.").refused,
    SchemaKey("readsForeignInsulin", .bool, "true", "Whether other apps' insulin is read.").refused,
    SchemaKey(
      "manualBolusAccept",
      .object([
        SchemaKey("probability", .fraction, "1.0", "How often a recommended bolus is accepted."),
        SchemaKey("minUnits", .units(0...30), "0.05", "The smallest that is accepted."),
      ]), "{}", "How the user takes recommended boluses."
    ).refused,
  ]
}
