internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// The keys of the block `therapy`; an event `settings` may have all but the presets.
  static let therapyKeys = [
    "basal", "sensitivity", "carbRatio", "target", "suspendThreshold", "maxBasal", "maxBolus",
  ]

  /// The keys of the block `app` that an event `settings` may have.
  static let appSettingKeys = [
    "dosing", "applicationFactor", "midAbsorptionISF", "integralRC", "positiveMomentumAndRC",
    "maxActiveInsulin",
  ]

  /// Reads `therapy`, what is programmed; schedules that are missing are the patient's needs.
  func therapy(needs: Person.Needs?) -> TherapySettings? {
    let field = root["therapy"]
    field.allowOnly(
      Self.therapyKeys + ["scale", "preMealTarget", "workoutTarget", "insulinModel", "presets"])
    let basal = schedule("basal", of: field, needs?.basal) { $0.rate() }
    let sensitivity = schedule("sensitivity", of: field, needs?.sensitivity) { $0.sensitivity() }
    let carbRatio = schedule("carbRatio", of: field, needs?.carbRatio) { $0.carbohydrateRatio() }
    let targets = field.standard("target") { $0.schedule { $0.glucoseRange() } }
    let app = root["app"]
    guard let basal, let sensitivity, let carbRatio else { return nil }
    var therapy = TherapySettings(
      basal: basal, sensitivity: sensitivity, carbRatio: carbRatio, targets: targets,
      suspendThreshold: field.standard("suspendThreshold") { Self.suspendThreshold($0) },
      maximumBolus: field.standard("maxBolus") { $0.units() },
      maximumBasalRate: field.standard("maxBasal") { $0.rate() }
    )
    therapy.isClosedLoop = app.standard("closedLoop") { $0.bool() }
    therapy.strategy = app.standard("dosing") { $0.choice(DosingStrategy.self) }
    therapy.usesIntegralRetrospectiveCorrection = app.standard("integralRC") { $0.bool() }
    therapy.usesMidAbsorptionISF = midAbsorption(app)
    therapy.includesPositiveVelocityAndRC = app.standard("positiveMomentumAndRC") { $0.bool() }
    therapy.maximumActiveInsulin = app["maxActiveInsulin"].number()
    therapy.applicationFactor = Self.applicationFactor(app["applicationFactor"])
    if app["applicationFactor"].exists, therapy.strategy == .tempBasal {
      app["applicationFactor"].warning(
        code: "W-NOEFFECT",
        "\"app.applicationFactor\" has no effect with dosing: 'tempBasal'.")
    }
    apply(insulinModel: field["insulinModel"], to: &therapy)
    return therapy
  }

  /// The suspend threshold; no prediction is below that of `'none'`.
  private static func suspendThreshold(_ field: Field) -> GlucoseConcentration? {
    guard field.exists else { return nil }
    return field.node?.string == "none" ? .mgdL(0) : field.glucose()
  }

  /// Whether the ISF is the one at the time insulin acts: as the scenario says, or as that Loop has
  /// it.
  private func midAbsorption(_ app: Field) -> Bool {
    let field = app["midAbsorptionISF"]
    let version = loopVersion
    guard field.exists, let isOn = field.bool() else { return version.usesMidAbsorptionISF }
    if isOn, version == .released {
      field.warning(
        code: "W-LIMITS", "The released Loop 3 has no mid-absorption ISF; this run has.")
    }
    return isOn
  }

  /// The therapy with every entry of its schedules multiplied by the factors of `therapy.scale`.
  ///
  /// Basal rates are rounded down to what the pump can run.
  func scaled(_ therapy: TherapySettings, for rates: SupportedSteps) -> TherapySettings {
    let scale = root["therapy"]["scale"]
    scale.allowOnly(["basal", "sensitivity", "carbRatio"])
    var therapy = therapy
    func factor(_ key: String) -> Double { scale.standard(key) { $0.number(in: 0.2...5) } }
    let (basal, sensitivity, carbRatio) = (
      factor("basal"), factor("sensitivity"), factor("carbRatio")
    )
    if basal != 1 {
      therapy.basal = therapy.basal.mapValues { rate in
        let scaled = Int64((Double(rate.milliunitsPerHour) * basal).rounded())
        return InsulinRate(milliunitsPerHour: rates.floor(scaled))
      }
    }
    if sensitivity != 1 {
      therapy.sensitivity = therapy.sensitivity.mapValues {
        InsulinSensitivity(mgdLPerUnit: $0.mgdLPerUnit * sensitivity)
      }
    }
    if carbRatio != 1 {
      therapy.carbRatio = therapy.carbRatio.mapValues {
        CarbohydrateRatio(gramsPerUnit: $0.gramsPerUnit * carbRatio)
      }
    }
    return therapy
  }

  private func schedule<Value>(
    _ key: String, of field: Field, _ fallback: DailySchedule<Value>?,
    _ read: (Field) -> Value?
  ) -> DailySchedule<Value>? {
    if field[key].exists { return field[key].schedule(read) }
    if let fallback { return fallback }
    // Without a usable body, that the therapy lacks something is only a consequence.
    guard !problems.hasErrors else { return nil }
    field.error(
      "\"therapy.\(key)\" is missing, and the patient has no \"needs\" to take it from. Add it.")
    return nil
  }

  /// A number from 0 to 1, or `'glucoseBased'`.
  private static func applicationFactor(_ field: Field) -> ApplicationFactor {
    guard field.exists else { return .standard }
    if field.node?.string != nil {
      return field.choice(of: ["glucoseBased"]) == nil ? .standard : .glucoseBased
    }
    return field.number().map { .constant($0) } ?? .standard
  }

  /// The insulin in the pump and how it acts, by the words of the format.
  private func apply(insulinModel field: Field, to therapy: inout TherapySettings) {
    guard field.exists else { return }
    let words =
      ["rapidActingAdult", "rapidActingChild"] + InsulinType.allCases.map(\.rawValue)
    switch field.choice(of: words) {
    case "rapidActingChild": therapy.rapidActingModel = .rapidActingChild
    case let word?: therapy.insulinType = InsulinType(rawValue: word) ?? .novolog
    case nil: break
    }
  }

  /// The settings that an event `settings` changes.
  static func settingsChange(_ field: Field) -> SettingsChange {
    field.allowOnly(therapyKeys + appSettingKeys)
    var change = SettingsChange()
    change.basal = field["basal"].exists ? field["basal"].schedule { $0.rate() } : nil
    change.sensitivity =
      field["sensitivity"].exists ? field["sensitivity"].schedule { $0.sensitivity() } : nil
    change.carbRatio =
      field["carbRatio"].exists ? field["carbRatio"].schedule { $0.carbohydrateRatio() } : nil
    change.targets =
      field["target"].exists ? field["target"].schedule { $0.glucoseRange() } : nil
    change.suspendThreshold =
      suspendThreshold(field["suspendThreshold"])
    change.maximumBolus = field["maxBolus"].exists ? field["maxBolus"].units() : nil
    change.maximumBasalRate = field["maxBasal"].exists ? field["maxBasal"].rate() : nil
    change.strategy = field["dosing"].exists ? field["dosing"].choice(DosingStrategy.self) : nil
    if field["applicationFactor"].exists {
      change.applicationFactor = applicationFactor(field["applicationFactor"])
    }
    change.usesMidAbsorptionISF = field["midAbsorptionISF"].bool()
    change.usesIntegralRetrospectiveCorrection = field["integralRC"].bool()
    change.includesPositiveVelocityAndRC = field["positiveMomentumAndRC"].bool()
    change.maximumActiveInsulin =
      field["maxActiveInsulin"].exists ? field["maxActiveInsulin"].number() : nil
    return change
  }
}
