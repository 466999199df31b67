import Physiology
import Quantities
import RunPlans
public import ScenarioLanguage
import Simulation

/// Every key of a scenario file: the one table that the checker, the reference and the guide use.
public enum ScenarioSchema {
  /// The whole file.
  public static let root = ObjectShape(
    keysOfRuns + RunPlan.keys + [
      SchemaKey("output", .object(OutputBlock.block), "{}", "What is kept of a run.")
    ], noun: "a scenario")

  /// The keys of a single run but `output`, which stands last.
  private static let keysOfRuns = [
    SchemaKey(
      "format", Form.words([(ScenarioDocument.format, true)]).shape,
      "The version of the format; always the first key."
    ).required,
    SchemaKey(
      "id", .text, "the file's name",
      "The scenario's name in runs, results and tests: lower-case letters, digits, hyphens. "
        + "It is not inherited."),
    SchemaKey("title", .text, "What the scenario shows, in one line for reports."),
    SchemaKey("tags", .list(.text), "[]", "Words by which runs are chosen (`--tag`)."),
    SchemaKey(
      "references", .list(.text), "[]", "Papers, issues or risk ids, carried into reports."),
    SchemaKey(
      "$schema", .text,
      "The JSON Schema by which an editor checks the file (`loopsim schema --format "
        + "json-schema`); it means nothing else."),
    SchemaKey(
      "note", .anything,
      "A remark, which nothing interprets. Every object may have one, and keys that begin with "
        + "`x-`."),
    SchemaKey(
      "extends", .listOrOne(.text),
      "Files that this one is laid over, the first at the bottom; paths are relative to the file."
    ),
    SchemaKey(
      "clock", .object(ClockBlock.block), "{}",
      "When the run is, how long, and how often it loops."),
    SchemaKey("random", .object(RandomBlock.block), "{}", "Seed and repetitions."),
    SchemaKey(
      "glucoseUnit", Form.choice(GlucoseUnit.self).shape, "'mg/dL'",
      "The unit of every glucose value of the file, sensitivities included, and the one in which "
        + "the health store shows glucose."),
    SchemaKey(
      "patient", .object(PatientBlock.block), "The true body, which the app never sees."
    ).required,
    SchemaKey(
      "therapy", .object(TherapyBlock.block), "from `patient.needs`",
      "What is programmed into the app and synchronised to the pump."),
    SchemaKey("cgm", SensorChoice.form.shape, "{}", "The glucose sensor."),
    SchemaKey("pump", PumpChoice.form.shape, "{}", "The insulin pump."),
    SchemaKey(
      "supplies", Supplies.form.shape, "'automatic'",
      "Whether the person replaces reservoir, pod and sensor when they are due. A device that "
        + "the scenario replaces, refills, empties or ends itself is left to the scenario."),
    SchemaKey(
      "app", AppBlock.shape, "{}",
      "The closed-loop app and its algorithm; `'none'` for a body, its devices and people "
        + "without app, phone and health store."),
    SchemaKey(
      "controller", ProgramSpec.controller.shape, "the app",
      "The program that decides in place of the app or of its algorithm."),
    SchemaKey(
      "healthStore", .object(HealthStoreBlock.block), "{}",
      "The health store and its permissions."),
    SchemaKey(
      "history", PastOfRun.form.shape, "steady state", "What happened before the start."
    ),
    SchemaKey(
      "behaviour", BehaviourBlock.form.shape,
      "A person who eats and doses by chance, from streams "
        + "named `behaviour`."),
    SchemaKey("events", .list(.object(event)), "[]", "What happens, and what the app is told."),
    SchemaKey("faults", .list(.object(fault)), "[]", "What goes wrong."),
    SchemaKey("expect", .list(.object(expectation)), "[]", "What must be true of the run."),
  ]
}

extension SchemaTable {
  /// Makes the table of a scenario.
  ///
  /// The contents of `settings` are those of `therapy` and `app`, which are listed there.
  public init() { self.init(ScenarioSchema.root, leavingOut: ["events[].settings"]) }
}

extension EditorSchema {
  /// Makes the schema of a scenario.
  public init() {
    self.init(ScenarioSchema.root, outsideVariants: RunPlan.keysOfTheFile)
  }
}
