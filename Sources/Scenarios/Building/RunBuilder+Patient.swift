internal import Physiology
internal import Quantities
internal import StructuredText

/// Who is simulated: the true body, and the needs that a therapy may be taken from.
struct Person {
  /// What the body needs, where the scenario says so.
  struct Needs {
    var basal: DailySchedule<InsulinRate>
    var sensitivity: DailySchedule<InsulinSensitivity>
    var carbRatio: DailySchedule<CarbohydrateRatio>
  }

  enum Model {
    case superposition(SuperpositionParameters)
    case uvaPadova(UVAPadovaParameters, Integration)
  }

  var model: Model
  var needs: Needs?
  var glucose: GlucoseConcentration

  /// The body at an instant, in the steady state of its glucose.
  ///
  /// - Parameters:
  ///   - instant: When the body begins to live.
  ///   - rate: The basal rate that flows already, in U/h; nothing when all insulin comes in pulses.
  /// - Returns: The body.
  /// - Throws: ``PatientError`` when the model has no such steady state.
  func patient(at instant: Instant, flowing rate: Double?) throws(PatientError) -> any Patient {
    switch model {
    case .superposition(let parameters):
      return try SuperpositionPatient(
        parameters, at: instant, glucose: glucose, initialRate: rate)
    case .uvaPadova(let parameters, let integration):
      var patient = try UVAPadovaPatient(
        parameters, at: instant, glucose: glucose, integration: integration)
      if let rate { patient.receive(.rate(unitsPerHour: rate)) }
      return patient
    }
  }

  /// The basal rate that the body needs at the beginning, in U/h.
  func basalNeed(of patient: any Patient) -> Double? {
    if let patient = patient as? UVAPadovaPatient { return patient.steadyBasalRate }
    return needs?.basal.entries.first?.value.unitsPerHour
  }
}

extension RunBuilder {
  /// The words by which scenarios name patient models.
  static let patientModels = ["tidepool-simple", "uva-padova-s2008"]

  /// Reads the block `patient`.
  func person() -> Person? {
    let field = root.required("patient")
    field.allowOnly([
      "model", "name", "initialGlucose", "insulinType", "needs", "secretion", "integration",
    ])
    let name = field.required("model").choice(of: Self.patientModels)
    let glucose = field["initialGlucose"].glucose(in: 20...600)
    if field["insulinType"].exists {
      field["insulinType"].warning(
        code: "W-NOEFFECT",
        "\"patient.insulinType\" has no effect: pump insulin acts as the patient model has it.")
    }
    let needs = field["needs"].exists ? needs(field["needs"]) : nil
    switch name {
    case "tidepool-simple":
      guard field["needs"].exists else {
        _ = field.required("needs").object(allowed: [])
        return nil
      }
      guard let needs else { return nil }
      return Person(
        model: .superposition(
          SuperpositionParameters(
            identifier: field["name"].text() ?? "tidepool-simple",
            basalRate: needs.basal.mapValues(\.unitsPerHour),
            insulinSensitivity: needs.sensitivity.mapValues(\.mgdLPerUnit),
            carbRatio: needs.carbRatio.mapValues(\.gramsPerUnit), clock: root.context.wallClock,
            secretion: secretion(field["secretion"]))),
        needs: needs, glucose: glucose ?? .mgdL(110))
    case "uva-padova-s2008": return uvaPadova(field, needs: needs, glucose: glucose)
    default: return nil
    }
  }

  private func uvaPadova(
    _ field: Field, needs: Person.Needs?, glucose: GlucoseConcentration?
  ) -> Person? {
    guard
      let name = field.required("name").choice(of: UVAPadovaParameters.cohort.map(\.identifier)),
      let parameters = UVAPadovaParameters.named(name)
    else { return nil }
    let integration: Integration =
      field["integration"].choice(of: ["production", "reference"]) == "reference"
      ? .reference : .production
    return Person(
      model: .uvaPadova(parameters, integration), needs: needs,
      glucose: glucose ?? .mgdL(parameters.gb))
  }

  private func needs(_ field: Field) -> Person.Needs? {
    field.allowOnly(["basal", "sensitivity", "carbRatio"])
    let basal = field.required("basal").schedule { $0.rate() }
    let sensitivity = field.required("sensitivity").schedule { $0.sensitivity() }
    let carbRatio = field.required("carbRatio").schedule { $0.carbohydrateRatio() }
    guard let basal, let sensitivity, let carbRatio else { return nil }
    return Person.Needs(basal: basal, sensitivity: sensitivity, carbRatio: carbRatio)
  }

  /// The insulin of the patient's own, for type 2 diabetes.
  private func secretion(_ field: Field) -> SuperpositionParameters.Secretion {
    guard field.exists else { return .none }
    field.allowOnly(["perGlucose", "basalProduction", "basalGlucose"])
    return SuperpositionParameters.Secretion(
      perGlucose: field["perGlucose"].number(in: 0...500) ?? 0,
      basalProduction: field["basalProduction"].number(in: 0...5) ?? 0,
      basalGlucose: field["basalGlucose"].glucose()?.mgdL ?? 100)
  }
}
