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
    case named(PatientDescription, PatientOptions)
    /// A program outside.
    case external(ProgramSpec)
  }

  var model: Model
  var needs: Needs?
  var glucose: GlucoseConcentration
  /// What varies in the body over time.
  var modulators: [Modulator] = []
  /// Whether events of the scenario make something vary.
  var hasVaryingEvents = false
  var clock = WallClock.utc

  /// The program that is the body; `nil` where it is one of ours.
  var program: ProgramSpec? {
    if case .external(let program) = model { program } else { nil }
  }

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
    guard hasVaryingEvents || !modulators.isEmpty else { return patient }
    return VaryingPatient(patient, modulators: modulators, clock: clock)
  }

  private func steady(at instant: Instant, flowing rate: Double?) throws(PatientError)
    -> any Patient
  {
    switch model {
    case .superposition(let parameters):
      try SuperpositionPatient(parameters, at: instant, glucose: glucose, initialRate: rate)
    case .named(let description, let options):
      try description.patient(at: instant, glucose: glucose, options: options)
    case .external: ExternalPatient(at: instant, glucose: glucose)
    }
  }

  /// The body beside a twin of itself with finer steps, as ``patient(at:flowing:)`` makes it.
  func checkedPatient(at instant: Instant, flowing rate: Double?) throws(PatientError)
    -> any Patient
  {
    let body = try patient(at: instant, flowing: rate)
    guard case .named(let description, var options) = model else {
      return StepCheckedPatient(body, twin: nil)
    }
    options.integration = options.integration.refined
    var twin = self
    twin.model = .named(description, options)
    return StepCheckedPatient(body, twin: try twin.patient(at: instant, flowing: rate))
  }

  /// The basal rate that the body needs at the beginning, in U/h.
  func basalNeed(of patient: any Patient) -> Double? {
    if case .named(let description, let options) = model {
      return description.basalRate(holding: glucose, options: options)
    }
    return needs?.basal.entries.first?.value.unitsPerHour
  }
}

extension RunBuilder {
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
      "gastricMemory", "uptakeInLows", "glucagon", "heartRate", "variability", "pattern", "dawn",
      "circadian",
      "weight", "parameters", "generated", "floor", "command", "transcript", "timeout",
      "startTimeout", "environment",
    ])
    let name = field.required("model").choice(of: Vocabulary.patientModels)
    let glucose = field["initialGlucose"].glucose()
    let isTable = field["needs"].node?.string != nil && name != "tidepool-simple"
    let needs = field["needs"].exists && !isTable ? needs(field["needs"]) : nil
    guard let name else { return nil }
    warnOfIdleKeys(field, model: name)
    let modulators = modulators(field, model: name)
    guard name != "tidepool-simple" else {
      guard field["needs"].exists else {
        _ = field.required("needs").object(allowed: [])
        return nil
      }
      guard let needs else {
        if field["needs"].node?.string != nil { reportMissingTable(field["needs"], name) }
        return nil
      }
      return Person(
        model: .superposition(
          SuperpositionParameters(
            identifier: field["name"].text() ?? "tidepool-simple",
            basalRate: needs.basal.mapValues(\.unitsPerHour),
            insulinSensitivity: needs.sensitivity.mapValues(\.mgdLPerUnit),
            carbRatio: needs.carbRatio.mapValues(\.gramsPerUnit), clock: root.context.wallClock,
            secretion: secretion(field["secretion"]))),
        needs: needs, glucose: glucose ?? .mgdL(110), modulators: modulators,
        hasVaryingEvents: hasVaryingEvents, clock: root.context.wallClock)
    }
    guard name != Vocabulary.external else {
      return external(field, needs: needs, glucose: glucose, modulators: modulators)
    }
    guard let (description, options) = named(field, model: name) else { return nil }
    return Person(
      model: .named(description, options),
      needs: isTable
        ? tableNeeds(field["needs"], of: description, options)
        : needs ?? measuredNeeds(of: description, options),
      glucose: glucose ?? description.usualGlucose, modulators: modulators,
      hasVaryingEvents: hasVaryingEvents, clock: root.context.wallClock)
  }

  /// The true glucose below which the run ends as lethal; nothing where the scenario has none.
  func lethalGlucose(of person: Person?) -> GlucoseConcentration? {
    let field = root["patient"]["floor"]
    guard field.exists else { return nil }
    field.allowOnly(["glucose"])
    let floor = field.standard("glucose") { $0.glucose() }
    if let person, person.glucose.mgdL < floor.mgdL {
      let value = field["glucose"].exists ? field["glucose"] : field
      value.error("The body begins below its floor. Lower the floor, or raise initialGlucose.")
    }
    return floor
  }

  /// Warns of keys that the model has no equations for.
  private func warnOfIdleKeys(_ field: Field, model: String) {
    let external: Set = [Vocabulary.external]
    let compartments = Set(Vocabulary.patientModels).subtracting(external)
      .subtracting(["tidepool-simple"])
    let users: [(key: String, models: Set<String>)] = [
      ("secretion", ["tidepool-simple"]), ("integration", compartments),
      ("parameters", compartments.union(external)), ("weight", compartments),
      ("gastricMemory", ["uva-padova-s2008", "uva-padova-s2013"]),
      ("uptakeInLows", ["uva-padova-s2013"]), ("glucagon", ["uva-padova-s2013"]),
      ("heartRate", ["uva-padova-s2013", "hovorka", "bergman", Vocabulary.external]),
      ("generated", ["hovorka"]), ("command", external), ("transcript", external),
      ("timeout", external), ("startTimeout", external), ("environment", external),
    ]
    for (key, models) in users where field[key].exists && !models.contains(model) {
      field[key].warning(
        code: "W-NOEFFECT",
        "\"patient.\(key)\" has no effect: the model \(model) has nothing like it.")
    }
  }

  /// A patient of the catalogue, or one that its model generates.
  private func named(_ field: Field, model: String) -> (PatientDescription, PatientOptions)? {
    let isGenerated = field["generated"].exists && model == "hovorka"
    guard
      let published = isGenerated
        ? generated(field["generated"]) : catalogued(field, model: model),
      let description = withParameters(published, field)
    else { return nil }
    var options = PatientOptions()
    options.integration = integration(field["integration"])
    options.mealMemory = field.standard("gastricMemory") { $0.choice(MealMemory.self) }
    options.amplifiesUptakeInLows = field.standard("uptakeInLows") { $0.bool() }
    options.glucagon = field.standard("glucagon") { $0.choice(GlucagonResponse.self) }
    options.heartRates = heartRates(field["heartRate"], own: description.heartRates)
    return (description, options)
  }

  /// A patient of the catalogue; the nominal one of its model where only one has a name.
  private func catalogued(_ field: Field, model: String) -> PatientDescription? {
    let known = PatientDescription.patients(ofModel: model)
    if known.count == 1, !field["name"].exists { return known.first }
    let name = field.required("name").choice(of: known.map(\.identifier))
    return known.first { $0.identifier == name }
  }

  /// The patient with the weight and the parameters that the scenario states.
  private func withParameters(
    _ published: PatientDescription, _ field: Field
  ) -> PatientDescription? {
    var description = published
    if field["weight"].exists {
      guard let weight = field["weight"].number() else { return nil }
      if let heavier = description.setting("BW", to: weight) {
        description = heavier
      } else {
        field["weight"].warning(
          code: "W-NOEFFECT",
          "\"patient.weight\" has no effect: the equations of this model do not use it.")
      }
    }
    guard field["parameters"].exists else { return description }
    for member in field["parameters"].members() ?? [] {
      guard let value = member.field.number(in: Self.parameterValues) else { return nil }
      guard let changed = description.setting(member.key, to: value) else {
        let names = description.parameterNames
        problems.error(
          at: member.keyPosition,
          """
          The model \(description.model.name) has no parameter "\(member.key)" in its equations.\
          \(NearestName.suggestion(for: member.key, among: names)) There are: \
          \(names.joined(separator: ", ")).
          """)
        return nil
      }
      description = changed
    }
    return description
  }

  /// How the equations are solved: a word, a step, or a tolerance.
  private func integration(_ field: Field) -> Integration {
    guard field.node?.members != nil else {
      return field.choice(of: ["production", "reference"]) == "reference"
        ? .reference : .production
    }
    field.allowOnly(["step", "whileEating", "tolerance", "longestStep"])
    let isFixed = ["step", "whileEating"].contains { field[$0].exists }
    if field["tolerance"].exists || field["longestStep"].exists {
      if isFixed {
        field.error(
          """
          A body's equations are solved with a step or with a tolerance: write "step" and \
          "whileEating", or "tolerance" and "longestStep".
          """)
      }
      let tolerance = field.required("tolerance").number() ?? 1e-10
      return .adaptive(
        tolerance: tolerance, longestStep: field.standard("longestStep") { $0.duration() })
    }
    let step = field.required("step").duration()
    let eating = field["whileEating"].duration()
    let usual = step.map { TimeSpan(milliseconds: max(100, $0.milliseconds / 8)) }
    return .fixed(
      step: step ?? .minutes(1), whileEating: eating ?? usual ?? .milliseconds(7_500))
  }

  /// The heart rates at rest and at most of a body that knows exercise.
  var heartRates: HeartRates? {
    let patient = root["patient"]
    let model = patient["model"].node?.string ?? ""
    guard model != Vocabulary.external else {
      let usual = HeartRates(resting: 60, maximum: 180)
      let field = patient["heartRate"].reporting(to: ProblemList())
      return heartRates(field, own: usual) ?? usual
    }
    let known = PatientDescription.patients(ofModel: model)
    let name = patient["name"].node?.string
    guard let description = known.first(where: { $0.identifier == name }) ?? known.first,
      description.model.knowsExercise
    else { return nil }
    let stated = heartRates(
      patient["heartRate"].reporting(to: ProblemList()), own: description.heartRates)
    return stated ?? description.heartRates
  }

  private func heartRates(
    _ field: Field, own: HeartRates
  ) -> HeartRates? {
    guard field.exists else { return nil }
    field.allowOnly(["resting", "maximum"])
    let resting = field["resting"].number() ?? own.resting
    let maximum = field["maximum"].number() ?? own.maximum
    guard resting < maximum else {
      field.error("The heart rate at rest must be below the highest one.")
      return nil
    }
    return HeartRates(resting: resting, maximum: maximum)
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
      perGlucose: field.standard("perGlucose") { $0.number() },
      basalProduction: field.standard("basalProduction") { $0.number() },
      basalGlucose: field.standard("basalGlucose") { $0.glucose()?.mgdL })
  }
}
