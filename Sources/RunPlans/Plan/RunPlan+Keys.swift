package import ScenarioLanguage

extension RunPlan {
  /// The keys that say how a scenario is expanded; a single run does not have them.
  package static let keys = [
    SchemaKey(
      Overlay.variantsKey, .map(.anything), "one run",
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
  ]

  /// The names of these keys.
  package static let expansionKeys = Set(keys.map(\.name))

  /// Keys that belong to the file as a whole, which no variant has.
  package static let keysOfTheFile = ["format", "id", "extends"] + keys.map(\.name)
}
