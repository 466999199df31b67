import Quantities

extension ScenarioSchema {
  static let expectation = ObjectShape(
    [
      SchemaKey("id", .text, "its form and place", "A name, unique in the file, for test reports."),
      SchemaKey(
        "severity", .choice(["error", "warn"]), "'error'", "Whether a failure fails the run."),
      SchemaKey("variants", .listOrOne(.text), "all", "The variants it holds for."),
      SchemaKey("after", .time, "the start", "From when it is looked at."),
      SchemaKey("between", .window, "the whole run", "When it is looked at."),
      SchemaKey(
        "outside", .list(.either([.text, .window])), "[]",
        "Ids of faults, or windows such as `'20:00..+6h'`, that do not count."),
      SchemaKey(
        "across", .text, "'each'",
        """
        How the runs of the sweep, the cohort and the replicates are looked at: `'each'`, `'all'`, \
        `'mean'`, `'p05'`, `'p95'`, `'fraction>=0.95'`.
        """),
    ], kinds: expectationKinds, noun: "an expectation")

  private static let bounds: [SchemaKey] = [
    SchemaKey("min", .anyNumber, "none", "The least that passes."),
    SchemaKey("max", .anyNumber, "none", "The most that passes."),
  ]

  private static let tolerance = SchemaKey(
    "tolerance", .either([.positive, .map(.either([.positive, .anySpan]))]), "1e-9",
    "How far off still passes; a number, or one for each column.")

  private static let span: [SchemaKey] = [
    SchemaKey("min", .anySpan, "none", "The shortest."),
    SchemaKey("max", .anySpan, "none", "The longest."),
  ]

  private static let expectationKinds: [SchemaKey] = [
    SchemaKey(
      "metric", .text, "A metric of the run, such as `'tir(70,180)'`, `'lbgi@cgm'` or `'tdd'`."
    ).with(
      bounds + [
        SchemaKey("equals", .anyNumber, "none", "The value, within `tolerance`."), tolerance,
        SchemaKey("unit", .text, "the metric's", "The unit the author has in mind; checked."),
      ]),
    SchemaKey(
      "series", .text,
      "A series or an expression: `'glucose.true'`, `'abs(iob.app - iob.true)'`, `'rate(a)'`."
    ).with([
      SchemaKey("never", .object(limits), "Values that must not occur."),
      SchemaKey("always", .object(limits), "What every value must fulfil."),
      SchemaKey("within", .pair(.anyNumber), "The bounds of every value."),
      SchemaKey("forAtLeast", .anySpan, "'0s'", "How long a breach must last to count."),
    ]),
    SchemaKey("timeline", .text, "A table of the run, such as `'healthStore.basal'`.").with([
      SchemaKey("equals", .list(.list(.anything)), "The rows, in the file."),
      SchemaKey(
        "matches", .text,
        "A CSV file with the rows, such as the `basal-segments.csv` of a run; in place of `equals`."
      ),
      SchemaKey(
        "rows", .list(.list(.anything)), "the table's",
        "Its rows, which are filled in from `matches`."),
      SchemaKey(
        "columns", .listOrOne(.choice(TimelineCheck.Column.allCases.map(\.rawValue))), "all",
        "The columns compared, as `matches` names them."),
      tolerance,
      SchemaKey(
        "mode", .choice(["exact", "prefix", "contains", "ordered"]), "'exact'", "How rows match."),
    ]),
    SchemaKey("event", .object(chosenEvents), "Events that must occur.").with(
      counts + [
        SchemaKey(
          "order", .list(.text), "any",
          "Names that must come one after the other, in the timeline; others may come between.")
      ]),
    SchemaKey("events", .object(chosenEvents), "All events of a kind.").with(
      counts + [SchemaKey("eachDuration", .object(span), "How long each lasts.")]),
    SchemaKey("invariant", .choice(Vocabulary.invariants), "A law that holds in the run.").with([
      SchemaKey("tolerance", .positive, "0", "Accepted; the laws are exact.")
    ]),
    SchemaKey(
      "compare",
      .object([
        SchemaKey("metric", .text, "The metric compared."),
        SchemaKey("series", .text, "The series compared."),
        SchemaKey("this", .text, "every other variant", "The variant that is looked at."),
        SchemaKey(
          "other", .text,
          """
          A variant, `'observed'` (the glucose of `history.observed`), or the `timeline.csv` of a \
          run.
          """
        ).required,
      ]), "A run against another, or against what was kept or measured."
    ).with([
      SchemaKey("difference", .object(bounds), "Bounds of this − other."),
      SchemaKey("ratio", .object(bounds), "Bounds of this ÷ other."),
    ]),
    SchemaKey(
      "golden", .text,
      """
      A CSV file with the rows of the timeline, kept by `run --update-golden`; `{run}`, `{id}`, \
      `{variant}`, `{point}`, `{patient}` and `{replicate}` stand for the parts of the run's name.
      """
    ).with([tolerance]),
  ]

  private static let chosenEvents: [SchemaKey] = [
    SchemaKey("kind", .text, "What kind of event, such as `'bolus'`.").required,
    SchemaKey("name", .text, "any", "Its name."),
    SchemaKey(
      "in", .choice(["timeline", "eventHistory", "insulinDelivery", "healthStore"]),
      "the timeline; with `eachDuration` the event history", "In which record."),
  ]

  private static let limits: [SchemaKey] = [
    SchemaKey("below", .anyNumber, "A lower limit."),
    SchemaKey("above", .anyNumber, "An upper limit."),
  ]

  private static let counts: [SchemaKey] = [
    SchemaKey("count", .integer(0...1_000_000), "at least 1", "How many."),
    SchemaKey("min", .integer(0...1_000_000), "none", "At least so many."),
    SchemaKey("max", .integer(0...1_000_000), "none", "At most so many."),
  ]
}
