internal import ClosedLoop
internal import Dosing
internal import Quantities
internal import ScenarioLanguage
internal import Simulation

/// What the app is set to, by the blocks `therapy` and `app`.
struct TherapyBlock: Sendable {
  var settings = SettingsChange()
  /// The insulin that the app records, and how it believes that rapid-acting insulin acts.
  var insulin = (type: InsulinType.novolog, model: InsulinModel.rapidActingAdult)
  /// Factors on every entry of the schedules.
  var scale = Scale()

  struct Scale: Sendable {
    var basal = 1.0
    var sensitivity = 1.0
    var carbRatio = 1.0
  }

  static let block = Block<Self> {
    $0.include(settings, at: \.settings)
    _ = $0.keys.optional(
      "preMealTarget", .target, "The range while the pre-meal preset is on.")
    _ = $0.keys.optional(
      "workoutTarget", .target, "The range while the workout preset is on.")
    $0.set(
      \.insulin, "insulinModel", .words(insulins), default: "'rapidActingAdult'",
      "How the app believes the pump's insulin acts, and which insulin it records.")
    _ = $0.keys.optional(
      "presets", .unread(.map(PresetRequest.form.shape)), else: "{}",
      "Temporary presets by name.")
    $0.object(
      "scale", else: "{}",
      "Factors on every entry of the programmed schedules, by which wrong settings are studied."
    ) {
      let factor = Form.number(0.2...5)
      $0.set(
        \.scale.basal, "basal", factor, default: "1",
        "The factor of every rate; the result is rounded down to what the pump can run.")
      $0.set(
        \.scale.sensitivity, "sensitivity", factor, default: "1", "The factor of every ISF.")
      $0.set(\.scale.carbRatio, "carbRatio", factor, default: "1", "The factor of every CR.")
    }
  }

  private static let insulins: [(word: String, value: (type: InsulinType, model: InsulinModel))] =
    [
      ("rapidActingAdult", (.novolog, .rapidActingAdult)),
      ("rapidActingChild", (.novolog, .rapidActingChild)),
    ] + InsulinType.allCases.map { ($0.rawValue, ($0, .rapidActingAdult)) }

  // MARK: - Settings

  /// The settings of the block `therapy` that can be changed while a run goes on.
  static let settings = Block<SettingsChange> {
    $0.set(
      optional: \.basal, "basal", .schedule(.rate(0...35)), else: "the needs",
      "The scheduled basal rates.")
    $0.set(
      optional: \.sensitivity, "sensitivity", .schedule(.sensitivity), else: "the needs",
      "The programmed ISF.")
    $0.set(
      optional: \.carbRatio, "carbRatio", .schedule(.carbRatio), else: "the needs",
      "The programmed CR.")
    $0.set(
      optional: \.targets, "target", .schedule(.target), default: "[['00:00', [100, 115]]]",
      "The correction range.")
    $0.set(
      optional: \.suspendThreshold, "suspendThreshold",
      .either(.words([("none", .mgdL(0))]), .glucose(40...250)), default: "75",
      "Below a prediction of this, automatic delivery stops; `'none'`: never.")
    $0.set(
      optional: \.maximumBasalRate, "maxBasal", .rate(0...50), default: "5.0",
      "The highest temp basal.")
    $0.set(
      optional: \.maximumBolus, "maxBolus", .units(0...50), default: "10.0", "The largest bolus.")
  }

  /// Those of the block `app`.
  static let appSettings = Block<SettingsChange> {
    $0.set(
      optional: \.strategy, "dosing", .choice(), default: "'tempBasal'",
      "With what the app corrects.")
    $0.set(
      optional: \.applicationFactor, "applicationFactor",
      .either(
        Form.fraction.map { part, _ in .constant(part) },
        .words([("glucoseBased", .glucoseBased)])),
      default: "0.4", "The part of a correction that an automatic bolus gives at once.")
    $0.set(
      optional: \.usesMidAbsorptionISF, "midAbsorptionISF", .bool,
      else: "false, or as `algorithm` says",
      "Whether each stretch of a dose's action uses the ISF in force then, and not the one at the "
        + "time of the dose.")
    $0.set(
      optional: \.usesIntegralRetrospectiveCorrection, "integralRC", .bool, default: "false",
      "Integral retrospective correction.")
    $0.set(
      optional: \.includesPositiveVelocityAndRC, "positiveMomentumAndRC", .bool, default: "true",
      "Whether rising glucose counts in momentum and in retrospection.")
    $0.set(
      optional: \.maximumActiveInsulin, "maxActiveInsulin", .number(0...1_000, "U"),
      else: "2 × maxBolus",
      "The most IOB that automation may reach.")
  }

  /// What can be changed while a run goes on, in an event `settings`.
  static let changes = Block<SettingsChange> {
    $0.include(settings, at: \.self)
    $0.include(appSettings, at: \.self)
  }

  /// Each setting with the block that it stands in, and its path in a scenario.
  static let paths: [(path: String, key: SchemaKey, block: Block<SettingsChange>)] =
    [("therapy", settings), ("app", appSettings)].flatMap { name, block in
      block.all.map { ("\(name).\($0.name)", $0, block) }
    }

  /// What holds where a scenario says nothing.
  static let standard = changes.value(SettingsChange(), of: .plain)
}
