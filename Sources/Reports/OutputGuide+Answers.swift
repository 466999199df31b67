internal import Outcomes

extension OutputGuide {
  /// What commands print that are asked for JSON.
  static let answers = Chapter(
    title: "What commands answer",
    about: "Numbers are unrounded but for those of a summary; what cannot be told is `null`.",
    files: [
      outcomes,
      File(
        name: "compare --format json", about: "How two results differ, A and B.",
        columns: [
          ("a", "what A is, as it was named"), ("b", "what B is"),
          ("same", "whether nothing differs by more than is allowed"),
          (
            "runs[].run",
            "the name of a run of a folder or of a scenario with several; empty where each side is "
              + "one"
          ),
          ("runs[].same", "`false`, of a run that one side alone has; else absent"),
          ("runs[].only_in", "which that is, `A` or `B`; else absent"),
        ]
          + [
            ("same", "whether the run is the same; `comparison` is absent where one side has none"),
            ("first.table", "where the earliest difference is; `first` is `null` without any"),
            ("first.row", "the first cell of its row, `null` where the rows do not differ"),
            ("first.row_number", "which of the rows with that cell, from 1"),
            ("first.column", "its column"), ("first.a", "what A has, `null` where nothing"),
            ("first.b", "what B has"),
            ("tables[].name", "a table that both have"),
            ("tables[].same", "whether nothing of it differs by more than is allowed"),
            ("tables[].rows_a", "rows of A"), ("tables[].rows_b", "rows of B"),
            ("tables[].rows_only_a", "rows for which B has none"),
            ("tables[].rows_only_b", "rows for which A has none"),
            ("tables[].columns_only_a", "columns that B lacks"),
            ("tables[].columns_only_b", "columns that A lacks"),
            ("tables[].columns[].name", "a column of both"),
            ("tables[].columns[].compared", "in how many rows it was compared"),
            ("tables[].columns[].differing", "in how many values differ by more than is allowed"),
            (
              "tables[].columns[].largest_difference",
              "of its numbers, B less A; `null` where none differs"
            ),
            ("tables[].columns[].at", "the first cell of the row where that is"),
            ("tables[].columns[].at_number", "which of the rows with that cell, from 1"),
            ("only_a", "tables and files that B lacks"),
            ("only_b", "tables and files that A lacks"),
            ("says_only_a", "what A alone says went wrong, and alike, sentences"),
            ("says_only_b", "what B alone says"),
            (
              "identity[].name",
              "what tells which run it is, where both differ: scenario, seed, times, zone, unit"
            ),
            ("identity[].a", "of A"), ("identity[].b", "of B"),
            (
              "figures[].name",
              "a number of the summary by its path, or of the ledger with `ledger.` before it"
            ),
            ("figures[].a", "in A, `null` where it has none"), ("figures[].b", "in B"),
          ].map { ("runs[].comparison.\($0.0)", $0.1) }),
      File(
        name: "study status --format json", about: "How far a study has come, in one line.",
        columns: [
          ("shards", "how many there are"), ("complete", "how many are there and whole"),
          ("missing", "the numbers of the others, from 0"),
          ("damaged", "what is wrong with those that are damaged, sentences"),
          ("cases", "runs of the complete ones"), ("failed", "how many of these failed"),
          ("runs", "of the whole study"), ("merged", "whether there are results"),
          ("plan_sha256", "of plan.json"),
        ]),
    ] + ofRuns + ofDevices)

  private static let outcomes = File(
    name: "outcomes --format json",
    about: """
      The figures of a series of glucose; of several series an object with the key `series`, a \
      list of `name` and `report`, which is such an object. With `--metric` there is the value of \
      each behind `reading`, by its text, in the unit that the metric is in. Shares are of \
      readings, %, and glucose is in mg/dL. A part is `null` where there are too few readings.
      """,
    columns: [
      ("column", "what was measured"), ("unit", "of glucose here, and of limits of `--metric`"),
      ("reading", "what was left out, and what values stand for, sentences"),
      ("data.readings", "how many"), ("data.sampling_minutes", "the usual distance of two, min"),
      ("data.span_days", "from the first to the last, in days of 24 hours"),
      ("data.expected_readings", "how many there would be without gaps"),
      ("data.wear_percent", "the readings of these, at most 100 %"),
      ("data.gaps_over_45_min", "how many gaps are longer"),
      ("data.longest_gap_min", "the longest distance of two readings, min"),
      ("data.calendar_days", "local dates with a reading"),
      ("data.days_with_70_percent", "local dates with 70 % of a day's readings or more"),
      ("data.saturated_readings", "readings below 40 or above 400"),
      (
        "data.discarded_readings",
        "values that are no number, and readings with a later one in the same second"
      ),
      ("data.notes", "what is to be known before a figure is trusted, sentences"),
      ("glucose.mean", "the mean"), ("glucose.median", "the median"),
      ("glucose.sd", "the sample standard deviation; `null` for one reading"),
      ("glucose.cv_percent", "standard deviation by mean, %"), ("glucose.min", "the lowest"),
      ("glucose.max", "the highest"),
      ("glucose.{p05,p25,p75,p95}", "percentiles of type 7"),
      ("glucose.iqr", "`p75` less `p25`"),
      ("glucose.gmi_percent", "the glucose management indicator, %"),
      ("glucose.ea1c_percent", "the estimated A1c, %"),
      ("glucose.ugmi_percent", "the updated glucose management indicator, %"),
    ]
      + [
        ("n", "readings of the whole day, from 00:00 to 06:00, from 06:00 to 24:00"),
        ("mean", "their mean"), ("tir_70_180", "from 70 to 180"), ("titr_70_140", "from 70 to 140"),
        ("tbr_lt70", "below 70"), ("tbr_lt54", "below 54"), ("tbr_54_69", "from 54 to below 70"),
        ("tar_gt180", "above 180"), ("tar_gt250", "above 250"),
        ("tar_181_250", "above 180, to 250"),
      ].map { ("{ranges,ranges_night_00_06,ranges_day_06_24}.\($0.0)", $0.1) }
      + [
        ("lbgi", "low blood glucose index"), ("hbgi", "high blood glucose index"),
        ("bgri", "the sum of both"), ("adrr", "average daily risk range"),
        ("gri", "glycaemia risk index, 0 to 100"), ("gri_hypo_component", "its part from lows"),
        ("gri_hyper_component", "its part from highs"), ("grade", "mean GRADE score"),
        ("grade_median", "median GRADE score"),
        ("grade_hypo_percent", "the share of the scores from below 70, %"),
        ("grade_eu_percent", "from 70 to 140, %"), ("grade_hyper_percent", "from above 140, %"),
        ("j_index", "0.001 · (mean + SD)²; `null` for one reading"),
        ("m_value_90", "M-value against 90"), ("m_value_100", "M-value against 100"),
        ("hypo_index", "Rodbard's index of lows, below 80"),
        ("hyper_index", "Rodbard's index of highs, above 140"), ("igc", "the sum of both"),
        ("cogi", "continuous glucose monitoring index, 0 to 100"),
      ].map { ("risk.\($0.0)", $0.1) }
      + [
        ("modd", "mean difference of the same times of neighbouring days, without sign"),
        ("{conga1,conga2,conga4,conga24}", "SD of changes over so many hours"),
        ("mag_per_hour", "mean change, without its sign, mg/dL/h"),
        ("gvp_percent", "by how much the curve is longer than a straight line, %"),
        ("lability_index", "(mmol/L)²/h per week"),
        ("sd_rate_of_change", "SD of the rate of change over 15 minutes, mg/dL/min"),
        ("sd_within_days", "SD within days"), ("sd_daily_means", "SD of daily means"),
        ("sd_time_of_day_means", "SD of the mean day"),
        ("sd_between_days", "mean SD between days at one time of day"),
        ("mage", "mean amplitude of excursions"), ("mage_up", "mean rise"),
        ("mage_down", "mean fall"), ("mage_excursions", "how many"),
        ("mage_daily", "alike, each day by its own SD and its first direction"),
        ("auc_mean", "mean under the curve"), ("auc_above_180", "mean of what lies above 180"),
        ("auc_below_70", "mean of what lies below 70"),
      ].map { ("variability.\($0.0)", $0.1) }
      + [("events.observed_days", "days in which events can be seen")]
      + [
        ("count", "how many; `null` where none can be seen"), ("per_day", "by `observed_days`"),
        ("per_week", "seven times that"), ("mean_duration_min", "min; `null` without any"),
        ("open_at_end", "how many were not over when readings ended"),
        ("first", "when each began, by the local clock"), ("durations_min", "of each, min"),
      ].map { ("events.{\(kinds)}.\($0.0)", $0.1) }
      + [
        ("cvga.p2_5", "the percentile 2.5"), ("cvga.p97_5", "the percentile 97.5"),
        ("cvga.x", "the lower one, moved into 50 to 110"),
        ("cvga.y", "the upper one, moved into 110 to 400"),
        ("cvga.zone", "of the control-variability grid"),
        ("agp_hourly.{p05,p25,p50,p75,p95}.raw", "of each local hour; `null` for one without any"),
        ("agp_hourly.{p05,p25,p50,p75,p95}.smoothed", "over the hours beside it, by 1, 4, 1"),
        ("agp_hourly.count", "readings of each local hour"),
      ])

  private static let kinds = GlucoseEventKind.allCases.map(\.rawValue).joined(separator: ",")
}
