internal import Records

extension OutputGuide {
  /// What the commands on records of people print and write.
  static let records = Chapter(
    title: "What is said of a record",
    about: """
      `loopsim audit` and `loopsim backtest`, which RECORDS.md explains. Numbers in JSON are \
      unrounded, and times are in UTC. Insulin is in U, also where no name says it.
      """,
    files: [
      File(
        name: "audit --format json", about: "What is found in a record of insulin.",
        columns: [
          ("format", "`loopsim-audit/1`"), ("file", "what was read"),
          ("headline", "the answer in a sentence"),
          ("from", "the beginning of the time that is judged"), ("to", "its end"),
          ("timeZone", "by whose clock days begin"),
          ("samples.insulin", "how many are judged"), ("samples.carbohydrates", "alike"),
          ("samples.glucose", "alike"),
          ("pulse", "the pump's smallest amount, U; `null` where it is not known"),
          ("pulseInferred", "whether the amounts alone tell it"),
          ("findings[].kind", words(AuditFinding.Kind.allCases.map(\.rawValue))),
          (
            "findings[].severity",
            words(AuditFinding.Severity.allCases.map(\.rawValue)) + "; the worst come first"
          ),
          ("findings[].title", "what it is"), ("findings[].cause", "why"),
          ("findings[].consequence", "what follows"),
          ("findings[].sources", "the names of those who wrote it"),
          ("findings[].from", "where it first begins"), ("findings[].to", "where it last ends"),
          (
            "findings[].units",
            "insulin that is counted too much, below 0 where it is missing; of all places; absent "
              + "where `grams` is there"
          ),
          ("findings[].grams", "alike of a finding of food; else absent"),
          (
            "findings[].insulinOnBoard.units",
            "the largest change by this finding alone, above 0 where it makes insulin on board too "
              + "high; `insulinOnBoard` is `null` where there is none"
          ),
          ("findings[].insulinOnBoard.time", "when that is"),
          ("findings[].places[].from", "where one begins"), ("findings[].places[].to", "its end"),
          ("findings[].places[].units", "as of the finding"),
          ("findings[].places[].grams", "as of the finding"),
          ("findings[].places[].samples", "the UUIDs of the samples concerned"),
          ("days[].date", "the local day"), ("days[].basal", "basal in it"),
          ("days[].manualBolus", "boluses that a person asked for"),
          ("days[].automaticBolus", "boluses that the loop gave by itself"),
          ("days[].otherBolus", "boluses of which the record does not say who decided"),
          ("days[].foreign", "insulin from elsewhere than the pump"),
          ("days[].plain", "the sum of these five"),
          ("days[].storeOwn", "the sum as the health store's statistics give it"),
          ("days[].reconciled", "the sum without what repeats another sample"),
          ("days[].twice", "`plain` less `reconciled`"), ("days[].readings", "of glucose"),
          ("sources[].name", "who wrote"), ("sources[].samples", "how many"),
          ("sources[].basal", "in all"),
          ("sources[].bolus", "in all, with insulin without a reason"),
          ("sources[].role", words(Audit.SourceRole.allCases.map(\.rawValue))),
          (
            "insulinOnBoard.countsBasal",
            "whether basal counts in it"
          ),
          (
            "insulinOnBoard.largestDifference.time",
            "where `all` and `reconciled` lie furthest apart; `largestDifference` is `null` where "
              + "they nowhere do"
          ),
          ("insulinOnBoard.largestDifference.all", "by all samples, then"),
          ("insulinOnBoard.largestDifference.reconciled", "by the reconciled ones, then"),
          (
            "insulinOnBoard.points",
            "every five minutes a list: the time, by all samples, by the reconciled ones"
          ),
          ("reading", "what was left out of the files or assumed, sentences"),
          ("notJudged", "what the record does not tell, sentences"),
          (
            "basalCoveredPercent",
            "the share of the time in which some basal lasts, %; `null` where no time is judged"
          ),
          (
            "bolusesWrittenWithinTwoCycles.count",
            "boluses written within ten minutes after their end; the object is `null` where no "
              + "source says when"
          ),
          ("bolusesWrittenWithinTwoCycles.of", "of how many of those sources"),
        ]),
      File(
        name: "backtest --out: THERAPY.csv",
        about: "A row for each reading that began a cycle. A prediction and a reading stand there "
          + "for each time ahead; a reading is within 150 s of it.",
        columns: BacktestText.columns),
      File(
        name: "backtest --out: THERAPY-estimate.csv",
        about: "A row for each cycle in a stretch of the linear estimate.",
        columns: BacktestText.estimateColumns),
      File(
        name: "backtest --format json", about: "What came of each therapy.",
        columns: [
          ("format", "`loopsim-backtest/1`"), ("time_zone", "by whose clock schedules run"),
          ("time_zone_from", "who says so: `arguments`, `samples`, `record`, `therapy`, `assumed`"),
          ("note", "what is to be said of it, else `null`"),
          ("counted_twice", "what the record holds twice, a sentence, else `null`"),
          ("reading", "what was left out of the files or assumed, sentences"),
          ("lacking", "what the record lacks, sentences"),
          ("therapies[].name", "the variant, or the scenario"),
          ("therapies[].cycles", "how many, also those without a prediction"),
          ("therapies[].errors[].group", "of which cycles"),
          ("therapies[].errors[].cycles", "how many these are, with a prediction or without"),
          ("therapies[].errors[].horizons[].minutes", "how far ahead"),
          ("therapies[].errors[].horizons[].count", "cycles with a prediction and a reading"),
          (
            "therapies[].errors[].horizons[].bias_mgdL",
            "the mean of prediction less reading; this and the next two are `null` without any"
          ),
          ("therapies[].errors[].horizons[].rmse_mgdL", "the root of its mean square"),
          ("therapies[].errors[].horizons[].mae_mgdL", "its mean without the sign"),
          ("therapies[].linear_estimate.cycles", "cycles in stretches"),
          ("therapies[].linear_estimate.share", "of all cycles, from 0 to 1"),
          ("therapies[].linear_estimate.stretches", "of at most six hours"),
          (
            "therapies[].linear_estimate.ended_by_difference",
            "how many stretches a difference above 60 mg/dL ended"
          ),
          (
            "therapies[].linear_estimate.ended_by_pause",
            "how many a pause of readings of more than 15 minutes ended"
          ),
          (
            "therapies[].linear_estimate.given_U",
            "what the loop gave in them, basal and automatic boluses"
          ),
          (
            "therapies[].linear_estimate.assumed_U",
            "what of it is scheduled basal that the record does not say"
          ),
          (
            "therapies[].linear_estimate.alternative_U", "what the therapy would have given"
          ),
          (
            "therapies[].linear_estimate.{observed,estimated}.mean_mgdL",
            "the mean of these cycles; both are `null` without any"
          ),
          (
            "therapies[].linear_estimate.{observed,estimated}.below_70",
            "the share below 70 mg/dL, from 0 to 1"
          ),
          (
            "therapies[].linear_estimate.{observed,estimated}.in_range",
            "the share from 70 to 180 mg/dL"
          ),
          (
            "therapies[].linear_estimate.{observed,estimated}.above_180",
            "the share above 180 mg/dL"
          ),
          (
            "therapies[].own_figures.figures[].name",
            "what the loop itself said; `own_figures` is `null` where no file has it"
          ),
          ("therapies[].own_figures.figures[].unit", "its unit"),
          ("therapies[].own_figures.figures[].tolerance", "within which figures are alike"),
          ("therapies[].own_figures.figures[].cycles", "how many have both"),
          ("therapies[].own_figures.figures[].alike", "in how many of them they are alike"),
          (
            "therapies[].own_figures.figures[].largest_difference",
            "without sign; `null` without any such cycle"
          ),
          ("therapies[].own_figures.causes[].cause", "why they may differ"),
          ("therapies[].own_figures.causes[].cycles", "in how many"),
          (
            "therapies[].own_figures.unmatched",
            "cycles of the loop without a reading of the record"
          ),
        ]),
    ])
}
