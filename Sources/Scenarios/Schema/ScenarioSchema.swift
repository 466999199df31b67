import Physiology
import Quantities
public import ScenarioLanguage
import Simulation

/// Every key of a scenario file: the one table that the checker, the reference and the guide use.
public enum ScenarioSchema {
  /// The whole file.
  public static let root = ObjectShape(
    [
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
        "The unit of every glucose value of the file, sensitivities included."),
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
      SchemaKey(
        "variants", .map(.anything), "one run",
        "Overlays by name; each is laid over the file and run."),
      SchemaKey(
        "sweep", .map(.anything),
        "Paths and their values: a list, `{ from, to, step }`, `{ from, to, n, scale: 'log' }` or "
          + "`{ normal: { mean, sd, n } }`; all combinations are run. Paths within `zip: {…}` move "
          + "together. `sobol: { n, of: { path: law } }` or `morris: {…}`, beside nothing else, "
          + "draws the points from laws, to tell which settings matter."),
      SchemaKey("cohort", .object(CohortBlock.block), "A table of patients; each row is run."),
      SchemaKey(
        "study", StudyReader.form.shape,
        "What the runs are to show together: arms, end points and their goals (`loopsim study`)."),
      SchemaKey(
        "budget", .object(BudgetBlock.block), "{}",
        "Limits of the expansion and of the run time."),
      SchemaKey("output", .object(OutputBlock.block), "{}", "What is kept of a run."),
    ], noun: "a scenario")
}

extension SchemaTable {
  /// Makes the table of a scenario.
  ///
  /// The contents of `settings` are those of `therapy` and `app`, which are listed there.
  public init() { self.init(ScenarioSchema.root, leavingOut: ["events[].settings"]) }
}

extension EditorSchema {
  /// Makes the schema of a scenario.
  public init() { self.init(ScenarioSchema.root) }
}
