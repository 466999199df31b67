import Physiology
import Quantities

/// Every key of a scenario file: the one table that the checker, the reference and the guide use.
public enum ScenarioSchema {
  /// The whole file.
  public static let root = ObjectShape(
    [
      SchemaKey(
        "format", .choice([ScenarioDocument.format]),
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
        "clock", .object(clock), "{}", "When the run is, how long, and how often it loops."),
      SchemaKey("random", .object(random), "{}", "Seed and repetitions."),
      SchemaKey(
        "glucoseUnit", .choice(GlucoseUnit.allCases.map(\.rawValue)), "'mg/dL'",
        "The unit of every glucose value of the file, sensitivities included."),
      SchemaKey(
        "patient", .object(patient), "The true body, which the app never sees."
      ).required,
      SchemaKey(
        "therapy", .object(therapy), "from `patient.needs`",
        "What is programmed into the app and synchronised to the pump."),
      SchemaKey("cgm", .object(cgm), "{}", "The glucose sensor."),
      SchemaKey("pump", .object(pump), "{}", "The insulin pump."),
      SchemaKey(
        "supplies",
        .either([
          .choice(RunBuilder.supplyWords),
          .object([
            SchemaKey(
              "pump", .choice(RunBuilder.supplyWords), "'automatic'", "Reservoir, pod or pump."),
            SchemaKey("cgm", .choice(RunBuilder.supplyWords), "'automatic'", "The sensor."),
          ]),
        ]), "'automatic'",
        "Whether the person replaces reservoir, pod and sensor when they are due. A device that "
          + "the scenario replaces, refills, empties or ends itself is left to the scenario."),
      SchemaKey("app", .object(app), "{}", "The closed-loop app and its algorithm."),
      SchemaKey(
        "controller", .object(controller), "the app",
        "The program that decides in place of the app or of its algorithm."),
      SchemaKey("healthStore", .object(healthStore), "{}", "The health store and its permissions."),
      SchemaKey(
        "history", .object(history), "steady state", "What happened before the start."
      ),
      SchemaKey(
        "behaviour", .object(behaviour),
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
      SchemaKey("cohort", .object(cohort), "A table of patients; each row is run."),
      SchemaKey(
        "study", .object(study),
        "What the runs are to show together: arms, end points and their goals (`loopsim study`)."),
      SchemaKey("budget", .object(budget), "{}", "Limits of the expansion and of the run time."),
      SchemaKey("output", .object(output), "{}", "What is kept of a run."),
    ], noun: "a scenario")

  static let clock: [SchemaKey] = [
    SchemaKey(
      "start", .dateTime, "'2026-01-05T00:00:00'",
      "The first instant that counts, on the wall clock of `timeZone`."),
    SchemaKey("timeZone", .zone, "'UTC'", "An IANA name, `'UTC'` or an offset such as `'+02:00'`."),
    SchemaKey(
      "duration", .duration(.seconds(1)...ReadingContext.longestRun), "'24h'",
      "How long the run is looked at."),
    SchemaKey(
      "preRoll", .duration(.zero...ReadingContext.longestRun), "'0s'",
      "How long the world lives before the start."),
    SchemaKey(
      "loopEvery", .duration(.minutes(1)...(.hours(1))), "'5m'", "The time between two loop cycles."
    ),
    SchemaKey(
      "loopJitter", .duration(.zero...(.minutes(5))), "'0s'",
      "The most by which a cycle is late, drawn from the stream `loop`."),
  ]

  static let random: [SchemaKey] = [
    SchemaKey(
      "seed", .integer(0...Int64.max), "0",
      "The seed from which every component's own stream is named."),
    SchemaKey(
      "replicates", .integer(1...1_000_000), "1",
      "How often each run is repeated with other random numbers."),
    SchemaKey(
      "replicate", .integer(0...999_999), "0",
      "Which of the repetitions a single run is; `loopsim freeze` writes it."),
    SchemaKey(
      "patients", .choice(["own", "same"]), "'own'",
      "Whether each patient of a cohort has chance of its own: meals, sensor, faults and all else. "
        + "With `same` all of them live the same day, so that they count as one draw of chance."),
    SchemaKey(
      "patient", .text, "the cohort's",
      "Which patient's chance a single run has; `loopsim freeze` writes it."),
  ]

  static let cohort: [SchemaKey] = [
    SchemaKey("from", .text, "A CSV, TSV or JSON table with one row for each patient."),
    SchemaKey("columns", .map(.text), "Which column sets which path: `{ isf: 'patient.…' }`."),
    SchemaKey("id", .text, "'id'", "The column that names the patient in run ids."),
    SchemaKey("skip", .integer(0...1_000_000), "0", "How many rows are left out at the beginning."),
    SchemaKey("take", .integer(1...1_000_000), "all", "How many rows are used."),
    SchemaKey(
      "generate",
      .object([
        SchemaKey("model", .choice(["hovorka"]), "The model that makes the bodies.").required,
        SchemaKey(
          "law", .choice(HovorkaCohort.allCases.map(\.rawValue)), "'logNormal'",
          "The published law from which its parameters are drawn."),
        SchemaKey("n", .integer(1...1_000_000), "How many.").required,
        SchemaKey("seed", .integer(0...Int64.max), "0", "The seed of the population."),
      ]), "Bodies that a model generates, in place of a table."),
  ]

  static let budget: [SchemaKey] = [
    SchemaKey(
      "maxRuns", .integer(1...100_000_000), "10000", "A scenario with more runs is refused."),
    SchemaKey(
      "maxSeconds", .number(0...1e9, unit: "s"), "none",
      "How long all runs of the file may take; those that do not end in time have no result."),
  ]

  static let output: [SchemaKey] = [
    SchemaKey(
      "every", .duration(.seconds(1)...(.days(1))), "'5m'", "The time between two rows of series."),
    SchemaKey(
      "series", .list(.choice(SeriesExpression.Name.allCases.map(\.rawValue))), "all",
      "The series that the timeline keeps."),
    SchemaKey(
      "save", .list(.choice(OutputSelection.words)),
      "all but whole predictions and the loop's inputs",
      "The files that are kept beside the summary; an empty list keeps the summary alone. "
        + "`predictions` keeps what every cycle predicted, in place of every half hour. "
        + "`loopInputs` is a folder with the algorithm's input of every cycle, for "
        + "`loopsim predict`; `loopInputs:failures` has those of the half hours before and after "
        + "the moments at which expectations of the run failed."),
  ]

  static let healthStore: [SchemaKey] = [
    SchemaKey(
      "authorized", .list(.choice(Vocabulary.dataKinds)), "['glucose', 'carbs', 'insulin']",
      "What the app may read and write."),
    SchemaKey(
      "writeBasalSegments", .bool, "true", "Whether the app reports basal delivery to the store."),
    SchemaKey(
      "rereportDeleted", .bool, "true",
      "Whether a dose deleted in the health store only is written again."),
    SchemaKey(
      "reportWrite", .choice(Vocabulary.reportWrites), "'nextCycle'",
      "When a finished basal segment is written."),
    SchemaKey(
      "reportOnReissue", .bool, "false", "Whether a temp basal that is issued again ends a segment."
    ),
    SchemaKey("splitLongSegments", .bool, "true", "Whether long segments are written in parts."),
    SchemaKey(
      "vendorApp", .choice(["none", "dexcom"]), "'none'",
      "The sensor maker's app, which writes glucose too, late."),
  ]
}

extension SchemaKey {
  /// Creates a key without a default.
  init(_ name: String, _ shape: Shape, _ meaning: String) {
    self.init(name, shape, nil, meaning)
  }
}
