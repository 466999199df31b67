internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Reads who is simulated: the body of the block `patient`, what it needs and what varies in it.
struct PersonReader {
  private let root: Field
  private let block: PatientBlock
  private let seed: UInt64

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - root: The scenario.
  ///   - block: Its block `patient`, as it was read.
  ///   - seed: The seed of the run, from which the streams of what varies are named.
  init(root: Field, block: PatientBlock, seed: UInt64) {
    self.root = root
    self.block = block
    self.seed = seed
  }

  /// Who is simulated; nothing when the block has errors, which are reported.
  func person() -> Person? {
    let patient = root.required("patient")
    guard patient.node?.members != nil else {
      patient.reportUnusable(
        expected: "an object such as { model: 'uva-padova-s2008', name: 'adult#001' }")
      return nil
    }
    guard let model = block.model else { return nil }
    warnOfIdleKeys(patient, model: model)
    let modulators = block.variation.modulators(of: patient, model: model, seed: seed)
    let needs = NeedsReader(root: root, needs: block.needs, model: model)
    func person(
      _ body: Person.Model, _ needs: Person.Needs?, _ glucose: GlucoseConcentration
    ) -> Person {
      Person(
        model: body, needs: needs, glucose: block.initialGlucose ?? glucose,
        absorption: block.insulin, modulators: modulators, hasVaryingEvents: hasVaryingEvents,
        clock: root.context.wallClock)
    }
    switch model {
    case "tidepool-simple":
      guard let needs = needs.stated() else { return nil }
      let parameters = SuperpositionParameters(
        identifier: block.name ?? model, basalRate: needs.basal.mapValues(\.unitsPerHour),
        insulinSensitivity: needs.sensitivity.mapValues(\.mgdLPerUnit),
        carbRatio: needs.carbRatio.mapValues(\.gramsPerUnit), clock: root.context.wallClock,
        secretion: block.secretion)
      return person(.superposition(parameters), needs, .mgdL(110))
    case Vocabulary.external:
      guard let program = program(patient) else { return nil }
      return needs.stated().map { person(.external(program), $0, .mgdL(120)) }
    default:
      guard let description = ModelledBody(patient, block, model: model).description() else {
        return nil
      }
      var options = block.options
      options.integration =
        block.integration.flatMap { PatientBlock.integration.read($0) } ?? .production
      options.heartRates = block.heartRates.replacing(description.heartRates, of: patient)
      return person(
        .named(description, options), needs.needs(of: description, options),
        description.usualGlucose)
    }
  }

  /// The program that says the glucose of a body.
  ///
  /// What such a body needs cannot be tried out, as that takes some 40 lives of it.
  private func program(_ patient: Field) -> ProgramSpec? {
    if case .table = block.needs {
      patient["needs"].error(
        "A published table is one of our patients'. Write what this body needs: "
          + "{ basal, sensitivity, carbRatio }.")
      return nil
    }
    patient["name"].warnOfNoEffect(
      "\"patient.name\" has no effect: the program is told its parameters alone.")
    var program = block.program.placed(in: patient, .body, such: "['python3', 'body.py']")
    program.parameters = block.parameters.flatMap { Form.parameters.read($0) } ?? [:]
    program.initialGlucose = block.initialGlucose
    return program
  }

  /// Whether an event makes something vary.
  private var hasVaryingEvents: Bool {
    root["events"].listed.contains { event in
      VaryingEvents.kinds.contains { event[$0.name].exists }
    }
  }

  /// Warns of keys that the model has no equations for.
  private func warnOfIdleKeys(_ patient: Field, model: String) {
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
    for (key, models) in users where !models.contains(model) {
      patient[key].warnOfNoEffect(
        "\"patient.\(key)\" has no effect: the model \(model) has nothing like it.")
    }
    if model == "tidepool-simple" {
      patient["name"].warnOfNoEffect(
        "\"patient.name\" has no effect: \(model) has no patients, and the scenario states its "
          + "needs.")
    }
    let secretion = patient["secretion"]
    if model == "tidepool-simple", !secretion["perGlucose"].exists,
      !secretion["basalProduction"].exists
    {
      secretion["basalGlucose"].warnOfNoEffect(
        "\"basalGlucose\" has no effect without \"perGlucose\" or \"basalProduction\".")
    }
  }
}
