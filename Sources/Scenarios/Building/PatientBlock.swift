internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The block `patient`: the true body.
struct PatientBlock {
  /// What the body needs.
  enum Needs: Sendable {
    case stated(Person.Needs)
    /// As the published table of the patient says.
    case table
  }

  var model: String?
  var name: String?
  /// How the equations are solved, which has a meaning only for models that have some.
  var integration: Field?
  var options = PatientOptions()
  var heartRates = StatedHeartRates()
  var secretion = SuperpositionParameters.Secretion.none
  var initialGlucose: GlucoseConcentration?
  /// The insulin in the pump, as it truly acts.
  var insulin = InsulinAbsorption.rapid
  var needs: Needs?
  var variation = BodyVariation()
  /// The true glucose below which the run ends as lethal.
  var floor: GlucoseConcentration?
  var weight: Double?
  /// Other values of the model's parameters.
  var parameters: Field?
  /// Which body a model generates, in place of a name.
  var generated: GeneratedBody?
  /// The program that is the body.
  var program = ProgramSpec.standard

  static let block = Block<Self> {
    $0.require(
      \.model, "model", .words(Vocabulary.patientModels.map { ($0, $0) }),
      "The equations of the body. Those of `external` are in a program of yours, which `command` "
        + "starts; its `needs` must be given.")
    $0.set(
      optional: \.name, "name", .text,
      "One of the model's public virtual patients, such as `'adult#001'` (`loopsim patients`); a "
        + "model with only one needs none.")
    describeOptions(&$0)
    $0.set(
      \.secretion, "secretion", secretion, else: "none",
      "Insulin of the patient's own, for `tidepool-simple`.")
    $0.set(
      optional: \.initialGlucose, "initialGlucose", .glucose(20...600), else: "the model's own",
      "Glucose at the start.")
    $0.set(
      \.insulin, "insulinType", .words(pumped), default: "'rapidActingAdult'",
      "Which insulin is truly in the pump; rapid-acting insulin acts as the model has it.")
    $0.set(
      optional: \.needs, "needs",
      .either(.object { needs(&$0) }, .words([("table", .table)])), else: "the model's own",
      "What this body truly needs; for models with compartments it is tried out, and serves a "
        + "therapy that says less; `external` must have them. `'table'` takes carb ratio, "
        + "correction factor and basal rate from the published table of a UVA/Padova patient "
        + "instead.")
    $0.include(BodyVariation.block, at: \.variation)
    $0.set(
      optional: \.floor, "floor",
      .object {
        let glucose = $0.key("glucose", deadly, default: "10", "Below it, the run ends.")
        return { $0[glucose] }
      }, else: "none",
      "The true glucose that nobody survives: where it is crossed, the run ends as `lethal`, and "
        + "fails unless it expects an event of that kind.")
    $0.set(
      optional: \.weight, "weight", .number(PatientDescription.weights, "kg"),
      else: "the model's own",
      "The body's weight, where used.")
    $0.set(
      optional: \.parameters, "parameters",
      .unread(.either([.map(.anyNumber), .map(.anything)])), else: "those of `name`",
      "Other values of the model's parameters by their symbols, as `loopsim patients NAME` lists "
        + "them, each within some orders of magnitude of those published; of `external`, anything "
        + "that its program takes.")
    $0.set(
      optional: \.generated, "generated", GeneratedBody.form,
      "A body that the model `hovorka` generates, in place of a name; `cohort.generate` sets it.")
    $0.include(
      ProgramSpec.keys(
        of: "that program",
        command: "The words that start the program that is the body, with the model `external`; as "
          + "`controller.command`, it is started only with `--allow-programs`.",
        transcript: "The record of an earlier run of that body (`lived.ndjson`), taken in place of "
          + "a program.", timeout: "How long that program may take for an answer."), at: \.program)
  }

  /// Glucose that nobody survives: nobody has less than 7 mg/dL, so that 3.9 is meant in mmol/L.
  private static let deadly = Form<GlucoseConcentration>.glucose(1...70).map { glucose, field in
    if let number = field.node?.double {
      field.warnOfLimitInOtherUnit(number, isFloor: true)
    }
    return glucose
  }

  /// Reads the block of a scenario.
  static func reading(_ root: Field) -> Self { block.value(Self(), of: root["patient"]) }

  /// The true glucose below which the run ends as lethal; nothing where the scenario has none.
  ///
  /// A body that begins below it is an error of the block, which is that field.
  func lethalGlucose(of person: Person?, in patient: Field) -> GlucoseConcentration? {
    guard let floor else { return nil }
    if let person, person.glucose.mgdL < floor.mgdL {
      let field = patient["floor"]
      let value = field["glucose"].exists ? field["glucose"] : field
      value.error("The body begins below its floor. Lower the floor, or raise initialGlucose.")
    }
    return floor
  }

  // MARK: - Equations

  private static func describeOptions(_ it: inout Properties<Self>) {
    it.set(
      optional: \.integration, "integration", .unread(integration.shape), else: "'production'",
      "How the equations are solved: `'production'` is a step of 1m, `'reference'` a tolerance of "
        + "1e-10; `loopsim run --check-step` says what the choice costs.")
    it.set(
      \.options.mealMemory, "gastricMemory", .choice(), default: "'minuteByMinute'",
      "How the stomach of the UVA/Padova models knows the size of a meal; `legacy` is the error of "
        + "old tables.")
    it.set(
      \.options.amplifiesUptakeInLows, "uptakeInLows", .bool, default: "true",
      "Whether hypoglycaemia raises the uptake of glucose, in `uva-padova-s2013`.")
    it.set(
      \.options.glucagon, "glucagon", .choice(), default: "'none'",
      "Whether glucagon answers hypoglycaemia, in `uva-padova-s2013`: `lt1` has the figures of "
        + "LoopInsightT1, which are not from the literature.")
    it.object(
      "heartRate", else: "the model's own", "The range within which exercise is counted."
    ) {
      $0.set(
        optional: \.heartRates.resting, "resting", .number(30...120, "1/min"),
        else: "the model's own",
        "At rest.")
      $0.set(
        optional: \.heartRates.maximum, "maximum", .number(100...250, "1/min"),
        else: "the model's own",
        "At most.")
    }
  }

  static let integration: Form<Integration> = .either(
    .words([("production", .production), ("reference", .reference)]),
    .object { integration(&$0) })

  private static func integration(_ keys: inout Keys) -> Maker<Integration> {
    let steps = Form.duration(.milliseconds(100)...(.minutes(2)))
    let step = keys.optional("step", steps, "The longest step, of order 4.")
    let eating = keys.optional(
      "whileEating", steps, else: "an eighth of `step`", "The longest step while the body eats.")
    let tolerance = keys.optional(
      "tolerance", .number(1e-13...1e-2),
      "The error allowed in a step, which is then as long as that allows.")
    let longest = keys.key(
      "longestStep", .duration(.seconds(1)...(.minutes(30))), default: "'5m'",
      "The longest step, beside `tolerance`.")
    return { field in
      guard field[tolerance.name].exists || field[longest.name].exists else {
        let step = field.needed(step) ?? .minutes(1)
        let usual = TimeSpan(milliseconds: max(100, step.milliseconds / 8))
        return .fixed(step: step, whileEating: field[eating] ?? usual)
      }
      if field[step.name].exists || field[eating.name].exists {
        field.error(
          """
          A body's equations are solved with a step or with a tolerance: write "step" and \
          "whileEating", or "tolerance" and "longestStep".
          """)
      }
      return .adaptive(tolerance: field.needed(tolerance) ?? 1e-10, longestStep: field[longest])
    }
  }

  // MARK: - Insulin

  /// The insulins that a pump can hold, with how they are absorbed.
  static let pumped =
    [("rapidActingAdult", InsulinAbsorption.rapid)]
    + InsulinFormulation.catalogue.filter { $0.routes.contains(.pump) }.map {
      ($0.id, $0.absorption)
    }

  private static func needs(_ keys: inout Keys) -> Maker<Needs> {
    let basal = keys.required(
      "basal", .schedule(.rate(0...100)), "The basal rate that holds glucose level.")
    let sensitivity = keys.required(
      "sensitivity", .schedule(.sensitivity), "How far a unit lowers glucose (ISF).")
    let carbRatio = keys.required(
      "carbRatio", .schedule(.carbRatio), "How many grams a unit covers (CR).")
    return { field throws(UnusableKey) in
      .stated(
        Person.Needs(
          basal: try field[basal], sensitivity: try field[sensitivity],
          carbRatio: try field[carbRatio]))
    }
  }

  private static let secretion = Form<SuperpositionParameters.Secretion>.object {
    let perGlucose = $0.key(
      "perGlucose", .number(0...500), default: "0",
      "Own insulin in a minute for each mg/dL above `basalGlucose`, in U.")
    let production = $0.key(
      "basalProduction", .number(0...5), default: "0",
      "Own insulin in a minute for each mg/dL of `basalGlucose`, at any glucose, in U: 0.0001 with "
        + "100 mg/dL is 0.6 U/h.")
    let glucose = $0.key(
      "basalGlucose", .reading(GlucoseConcentration.stated), default: "100",
      "The glucose that it belongs to.")
    return {
      .init(
        perGlucose: $0[perGlucose], basalProduction: $0[production], basalGlucose: $0[glucose].mgdL)
    }
  }
}
