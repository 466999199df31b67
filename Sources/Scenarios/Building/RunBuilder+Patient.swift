internal import Determinism
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
    case named(PatientDescription, Integration)
  }

  var model: Model
  var needs: Needs?
  var glucose: GlucoseConcentration
  /// What varies in the body over time.
  var modulators: [Modulator] = []
  var clock = WallClock.utc

  /// The body at an instant, in the steady state of its glucose.
  ///
  /// - Parameters:
  ///   - instant: When the body begins to live.
  ///   - rate: The basal rate that flows already, in U/h; nothing when all insulin comes in pulses.
  /// - Returns: The body.
  /// - Throws: ``PatientError`` when the model has no such steady state.
  func patient(at instant: Instant, flowing rate: Double?) throws(PatientError) -> any Patient {
    var patient = try steady(at: instant, flowing: rate)
    if let rate { patient.receive(.rate(unitsPerHour: rate)) }
    guard !modulators.isEmpty else { return patient }
    return VaryingPatient(patient, modulators: modulators, clock: clock)
  }

  private func steady(at instant: Instant, flowing rate: Double?) throws(PatientError)
    -> any Patient
  {
    switch model {
    case .superposition(let parameters):
      try SuperpositionPatient(parameters, at: instant, glucose: glucose, initialRate: rate)
    case .named(let description, let integration):
      try description.patient(at: instant, glucose: glucose, integration: integration)
    }
  }

  /// The basal rate that the body needs at the beginning, in U/h.
  func basalNeed(of patient: any Patient) -> Double? {
    if case .named(let description, _) = model { return description.basalRate(holding: glucose) }
    return needs?.basal.entries.first?.value.unitsPerHour
  }
}

extension RunBuilder {
  /// The words by which scenarios name patient models.
  static let patientModels = ["tidepool-simple", "uva-padova-s2008", "hovorka", "ivp"]

  /// Reads the block `patient`.
  func person() -> Person? {
    let field = root.required("patient")
    guard field.node?.members != nil else {
      field.reportUnusable(
        expected: "an object such as { model: 'uva-padova-s2008', name: 'adult#001' }")
      return nil
    }
    field.allowOnly([
      "model", "name", "initialGlucose", "insulinType", "needs", "secretion", "integration",
      "variability",
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
        needs: needs, glucose: glucose ?? .mgdL(110), modulators: modulators(field),
        clock: root.context.wallClock)
    case let model?: return named(field, model: model, needs: needs, glucose: glucose)
    case nil: return nil
    }
  }

  /// A patient of the catalogue; the nominal one of its model where only one has a name.
  private func named(
    _ field: Field, model: String, needs: Person.Needs?, glucose: GlucoseConcentration?
  ) -> Person? {
    let known = PatientDescription.catalogue.filter { $0.model.name == model }
    let isOnly = known.count == 1 && !field["name"].exists
    let name =
      isOnly ? known.first?.identifier : field.required("name").choice(of: known.map(\.identifier))
    guard let description = known.first(where: { $0.identifier == name }) else { return nil }
    let integration: Integration =
      field["integration"].choice(of: ["production", "reference"]) == "reference"
      ? .reference : .production
    var own = GlucoseConcentration.mgdL(120)
    if case .uvaPadova(let parameters) = description.model { own = .mgdL(parameters.gb) }
    return Person(
      model: .named(description, integration), needs: needs, glucose: glucose ?? own,
      modulators: modulators(field), clock: root.context.wallClock)
  }

  /// What varies in the body: the block `variability`.
  private func modulators(_ patient: Field) -> [Modulator] {
    let field = patient["variability"]
    guard field.exists else { return [] }
    field.allowOnly(["sensitivitySD", "correlation"])
    guard let sigma = field.required("sensitivitySD").number(in: 0...2), sigma > 0 else {
      return []
    }
    let correlation = field["correlation"].duration(in: .minutes(5)...(.days(30))) ?? .hours(3)
    let stream = RandomStream(seed: seed, name: "patient")
    let course = Modulator.Course.wander(sigma: sigma, correlationTime: correlation)
    return [Modulator(.insulinSensitivity, course, stream: stream)]
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
