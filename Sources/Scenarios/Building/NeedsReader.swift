internal import Devices
internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// Finds what a body needs: as it is stated, as its published table says, or as trying it out does.
struct NeedsReader {
  private let root: Field
  private let needs: PatientBlock.Needs?
  private let model: String

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - root: The scenario, whose therapy may need them and whose pump may run them.
  ///   - needs: What the block `patient` says of them.
  ///   - model: The model of the body.
  init(root: Field, needs: PatientBlock.Needs?, model: String) {
    self.root = root
    self.needs = needs
    self.model = model
  }

  /// The needs of a body that cannot be tried out.
  func stated() -> Person.Needs? {
    switch needs {
    case .stated(let needs): return needs
    case .table: reportMissingTable(of: model)
    case nil:
      if !field.exists { _ = root["patient"].required("needs").object(allowed: []) }
    }
    return nil
  }

  /// The needs of a body of the catalogue, or of one that its model generates.
  func needs(of description: PatientDescription, _ options: PatientOptions) -> Person.Needs? {
    switch needs {
    case .stated(let needs): needs
    case .table: published(of: description, options)
    case nil: measured(of: description, options)
    }
  }

  private var field: Field { root["patient"]["needs"] }

  /// The needs of a body, tried out where the therapy leaves something to them.
  private func measured(
    of description: PatientDescription, _ options: PatientOptions
  ) -> Person.Needs? {
    let therapy = root["therapy"]
    guard ["basal", "sensitivity", "carbRatio"].contains(where: { !therapy[$0].exists }) else {
      return nil
    }
    guard let found = TriedBodies.shared.needs(of: description, options) else {
      reportUnfound(of: description, options)
      return nil
    }
    return programmed(found)
  }

  /// Reports that a body has no needs that a therapy could be made of.
  private func reportUnfound(of description: PatientDescription, _ options: PatientOptions) {
    let patient = root["patient"]
    let usual = root.context.glucoseUnit
    let glucose = JSONField.shortText(
      (description.usualGlucose.mgdL / usual.mgdL * 10).rounded() / 10)
    let held = "\(glucose) \(usual.rawValue)"
    let reason =
      description.basalRate(holding: description.usualGlucose, options: options) == nil
      ? "no basal rate holds it at \(held)"
      : "at \(held) no bolus makes up for a meal of 50 g, or none lowers its glucose"
    let member = patient["generated"]["member"]
    (member.exists ? member : patient).error(
      "The needs of the body \(description.identifier) cannot be found by trying it out: "
        + "\(reason). Change the body, or state \"patient.needs\".")
  }

  /// The needs that the table of a published patient states: `needs: 'table'`.
  private func published(
    of description: PatientDescription, _ options: PatientOptions
  ) -> Person.Needs? {
    guard let found = description.publishedNeeds(options: options) else {
      reportMissingTable(of: description.model.name)
      return nil
    }
    return programmed(found)
  }

  private func reportMissingTable(of model: String) {
    field.error("The model \(model) publishes no table of needs. State them in its place.")
  }

  /// Needs rounded as a person would program them: the basal rate to what the pump can do, the
  /// sensitivity and the carb ratio to a tenth.
  ///
  /// What no scenario may state is no therapy either, wherever it comes from.
  private func programmed(_ found: MeasuredNeeds) -> Person.Needs? {
    let pump = PumpChoice.profile(of: root) ?? .generic50
    let rates = pump.basalRates
    let exact = Int64((found.basalRate * 1_000).rounded())
    let rate = max(rates.floor(exact + rates.step(at: exact) / 2), rates.smallest)
    let sensitivity = (found.sensitivity * 10).rounded() / 10
    let ratio = (found.carbRatio * 10).rounded() / 10
    let unit = root.context.glucoseUnit
    guard
      isStated(
        sensitivity, "ISF", "\(unit.rawValue) per U", InsulinSensitivity.stated, per: unit.mgdL)
        && isStated(ratio, "CR", "g/U", CarbohydrateRatio.stated)
    else { return nil }
    return Person.Needs(
      basal: DailySchedule(always: InsulinRate(milliunitsPerHour: rate)),
      sensitivity: DailySchedule(always: InsulinSensitivity(mgdLPerUnit: sensitivity)),
      carbRatio: DailySchedule(always: CarbohydrateRatio(gramsPerUnit: ratio)))
  }

  /// Whether a scenario might state a value that was found; where it might not, that is reported.
  private func isStated(
    _ value: Double, _ name: String, _ unit: String, _ range: ClosedRange<Double>,
    per factor: Double = 1
  ) -> Bool {
    guard let words = range.refusal(of: value, unit, per: factor) else { return true }
    root["patient"].error(
      "This body's \(name) is \(words). Change the body, or state \"patient.needs\" in its place.")
    return false
  }
}
