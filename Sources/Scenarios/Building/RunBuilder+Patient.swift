internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
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
  func patient() -> PatientBlock {
    PatientBlock.block.value(PatientBlock(), of: root["patient"])
  }

  /// Who is simulated.
  func person(_ block: PatientBlock) -> Person? {
    let field = root.required("patient")
    guard field.node?.members != nil else {
      field.reportUnusable(
        expected: "an object such as { model: 'uva-padova-s2008', name: 'adult#001' }")
      return nil
    }
    guard let model = block.model else { return nil }
    warnOfIdleKeys(field, model: model)
    let modulators = modulators(block.variation, field, model: model)
    func person(
      _ body: Person.Model, _ needs: Person.Needs?, _ glucose: GlucoseConcentration
    ) -> Person {
      Person(
        model: body, needs: needs, glucose: block.initialGlucose ?? glucose,
        modulators: modulators, hasVaryingEvents: hasVaryingEvents, clock: root.context.wallClock)
    }
    switch model {
    case "tidepool-simple":
      guard let needs = statedNeeds(block, field) else { return nil }
      let parameters = SuperpositionParameters(
        identifier: block.name ?? model, basalRate: needs.basal.mapValues(\.unitsPerHour),
        insulinSensitivity: needs.sensitivity.mapValues(\.mgdLPerUnit),
        carbRatio: needs.carbRatio.mapValues(\.gramsPerUnit), clock: root.context.wallClock,
        secretion: block.secretion)
      return person(.superposition(parameters), needs, .mgdL(110))
    case Vocabulary.external:
      return external(block, field).map { person(.external($0), $1, .mgdL(120)) }
    default:
      guard let description = named(block, field, model: model) else { return nil }
      var options = block.options
      options.integration =
        block.integration.flatMap { PatientBlock.integration.read($0) } ?? .production
      options.heartRates = block.heartRates.replacing(description.heartRates, of: field)
      let needs =
        switch block.needs {
        case .stated(let needs): needs
        case .table: tableNeeds(field["needs"], of: description, options)
        case nil: measuredNeeds(of: description, options)
        }
      return person(.named(description, options), needs, description.usualGlucose)
    }
  }

  /// The needs of a body that cannot be tried out.
  private func statedNeeds(_ block: PatientBlock, _ field: Field) -> Person.Needs? {
    switch block.needs {
    case .stated(let needs): return needs
    case .table: reportMissingTable(field["needs"], block.model ?? "")
    case nil:
      if !field["needs"].exists { _ = field.required("needs").object(allowed: []) }
    }
    return nil
  }

  /// A body whose glucose a program says.
  ///
  /// What such a body needs cannot be tried out, as that takes some 40 lives of it.
  private func external(_ block: PatientBlock, _ field: Field) -> (ProgramSpec, Person.Needs)? {
    if case .table = block.needs {
      field["needs"].error(
        "A published table is one of our patients'. Write what this body needs: "
          + "{ basal, sensitivity, carbRatio }.")
      return nil
    }
    if field["name"].exists {
      field["name"].warning(
        code: "W-NOEFFECT",
        "\"patient.name\" has no effect: the program is told its parameters alone.")
    }
    var program = block.program.placed(in: field, .body, such: "['python3', 'body.py']")
    program.parameters = block.parameters.flatMap { Form.parameters.read($0) } ?? [:]
    program.initialGlucose = block.initialGlucose
    return statedNeeds(block, field).map { (program, $0) }
  }

  /// The true glucose below which the run ends as lethal; nothing where the scenario has none.
  func lethalGlucose(_ block: PatientBlock, of person: Person?) -> GlucoseConcentration? {
    guard let floor = block.floor else { return nil }
    if let person, person.glucose.mgdL < floor.mgdL {
      let field = root["patient"]["floor"]
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
  private func named(
    _ block: PatientBlock, _ field: Field, model: String
  ) -> PatientDescription? {
    let isGenerated = field["generated"].exists && model == "hovorka"
    let published =
      isGenerated
      ? block.generated.flatMap { generated($0, field["generated"]) }
      : catalogued(block, field, model: model)
    return published.flatMap { withParameters($0, block, field) }
  }

  /// A patient of the catalogue; the nominal one of its model where only one has a name.
  private func catalogued(
    _ block: PatientBlock, _ field: Field, model: String
  ) -> PatientDescription? {
    let known = PatientDescription.patients(ofModel: model)
    if known.count == 1, block.name == nil, !field["name"].exists { return known.first }
    let name = field.required("name").choice(of: known.map(\.identifier))
    return known.first { $0.identifier == name }
  }

  /// The patient with the weight and the parameters that the scenario states.
  private func withParameters(
    _ published: PatientDescription, _ block: PatientBlock, _ field: Field
  ) -> PatientDescription? {
    var description = published
    if let weight = block.weight {
      if let heavier = description.setting("BW", to: weight) {
        description = heavier
      } else {
        field["weight"].warning(
          code: "W-NOEFFECT",
          "\"patient.weight\" has no effect: the equations of this model do not use it.")
      }
    }
    for member in block.parameters?.members() ?? [] {
      guard let value = Form.parameter.read(member.field) else { return nil }
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
}
