internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The therapy of a scenario, before it is known which rates its pump can run.
struct ProgrammedTherapy {
  private let settings: TherapySettings
  private let scale: TherapyBlock.Scale

  /// Reads `therapy`, with the settings that the block `app` has; schedules that are missing are
  /// the patient's needs.
  ///
  /// - Returns: `nil` when something is missing or unusable, which is reported.
  init?(of root: Field, _ app: AppBlock, needs: Person.Needs?) {
    let field = root["therapy"]
    let block = TherapyBlock.block.value(TherapyBlock(), of: field)
    let own = block.settings
    let basal = Self.schedule(own.basal, "basal", of: field, needs?.basal)
    let sensitivity = Self.schedule(
      own.sensitivity, "sensitivity", of: field, needs?.sensitivity)
    let carbRatio = Self.schedule(own.carbRatio, "carbRatio", of: field, needs?.carbRatio)
    guard let basal, let sensitivity, let carbRatio, let targets = own.targets,
      let bolus = own.maximumBolus, let rate = own.maximumBasalRate
    else { return nil }
    let plain = TherapySettings(
      basal: basal, sensitivity: sensitivity, carbRatio: carbRatio, targets: targets,
      maximumBolus: bolus, maximumBasalRate: rate, isClosedLoop: app.isClosedLoop,
      insulinType: block.insulin.type, rapidActingModel: block.insulin.model)
    settings = app.settings.applied(to: own.applied(to: plain))
    scale = block.scale
  }

  /// A schedule of the therapy, or the one of the patient's needs.
  private static func schedule<Value>(
    _ own: DailySchedule<Value>?, _ key: String, of therapy: Field,
    _ needed: DailySchedule<Value>?
  ) -> DailySchedule<Value>? {
    if own != nil || therapy[key].exists { return own }
    if let needed { return needed }
    // Without a usable body, that the therapy lacks something is only a consequence.
    guard !therapy.problems.hasErrors else { return nil }
    therapy.error(
      "\"therapy.\(key)\" is missing, and the patient has no \"needs\" to take it from. Add it.")
    return nil
  }

  /// Warns of a sensitivity that is more likely in the other unit of glucose.
  func warnOfUnit(in root: Field) {
    SensitivityUnit(sensitivity: settings.sensitivity, basal: settings.basal).warn(in: root)
  }

  /// Warns of settings of the app that do not do what they say with the limits and the correction
  /// range of the therapy, unless an event changes settings.
  func warnOfOddSettings(in root: Field) {
    guard !root["events"].listed.contains(where: { $0["settings"].exists }) else { return }
    let app = root["app"]
    if settings.maximumBolus == .zero {
      app["maxActiveInsulin"].warnOfNoEffect(
        "maxActiveInsulin has no effect with maxBolus: 0; the algorithm takes the limit of IOB as "
          + "a multiple of maxBolus, and a multiple of nothing is 0 U.")
    }
    let factor = app["applicationFactor"]
    if factor.exists, settings.strategy == .automaticBolus,
      settings.applicationFactor == .glucoseBased,
      settings.targets.entries.contains(where: { !ApplicationFactor.isRising(from: $0.value) })
    {
      factor.warning(
        code: LimitWords.code,
        "'glucoseBased' rises from 10 mg/dL above the correction range's lower bound to 200 mg/dL; "
          + "with a lower bound of 190 mg/dL it leaps there from 0.2, and with a higher one there "
          + "is glucose above the range for which it gives nothing.")
    }
  }

  /// Reports what the factors make of an entry that no scenario might state or the pump cannot run.
  func checkScale(in root: Field, for rates: SupportedSteps) {
    let field = root["therapy"]["scale"]
    let unit = root.context.glucoseUnit
    let sensitivity = settings.sensitivity.entries.lazy.compactMap {
      InsulinSensitivity.stated.refusal(
        of: $0.value.mgdLPerUnit * scale.sensitivity, "\(unit.rawValue) per U", per: unit.mgdL)
    }.first
    if scale.sensitivity != 1, let sensitivity {
      field["sensitivity"].error("This factor makes an ISF of \(sensitivity).")
    }
    let ratio = settings.carbRatio.entries.lazy.compactMap {
      CarbohydrateRatio.stated.refusal(of: $0.value.gramsPerUnit * scale.carbRatio, "g/U")
    }.first
    if scale.carbRatio != 1, let ratio {
      field["carbRatio"].error("This factor makes a CR of \(ratio).")
    }
    if scale.basal != 1 { checkBasalScale(field["basal"], for: rates) }
  }

  private func checkBasalScale(_ field: Field, for rates: SupportedSteps) {
    let entries = settings.basal.entries.map(\.value)
    if let rate = entries.first(where: { scaled($0) > rates.maximum }) {
      field.error(
        "This factor makes \(InsulinRate(milliunitsPerHour: scaled(rate))) of \(rate), and the "
          + "pump runs at most \(InsulinRate(milliunitsPerHour: rates.maximum)).")
    }
    if let rate = entries.first(where: { $0 > .zero && rates.floor(scaled($0)) == 0 }) {
      field.warning(
        code: LimitWords.code,
        "This factor leaves nothing of \(rate): the pump runs no rate as low as "
          + "\(InsulinRate(milliunitsPerHour: scaled(rate))).")
    }
  }

  private func scaled(_ rate: InsulinRate) -> Int64 {
    Int64((Double(rate.milliunitsPerHour) * scale.basal).rounded())
  }

  /// The therapy with every entry of its schedules multiplied by the factor that the scenario has.
  ///
  /// Basal rates are rounded down to what the pump can run.
  func settings(for rates: SupportedSteps) -> TherapySettings {
    var therapy = settings
    if scale.basal != 1 {
      therapy.basal = settings.basal.mapValues {
        InsulinRate(milliunitsPerHour: rates.floor(scaled($0)))
      }
    }
    if scale.sensitivity != 1 {
      therapy.sensitivity = settings.sensitivity.mapValues {
        InsulinSensitivity(mgdLPerUnit: $0.mgdLPerUnit * scale.sensitivity)
      }
    }
    if scale.carbRatio != 1 {
      therapy.carbRatio = settings.carbRatio.mapValues {
        CarbohydrateRatio(gramsPerUnit: $0.gramsPerUnit * scale.carbRatio)
      }
    }
    return therapy
  }
}
