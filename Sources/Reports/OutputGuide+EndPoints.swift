internal import Outcomes
internal import RunPlans
internal import Studies

extension OutputGuide {
  /// What results.summary.json has of each end point of a comparison.
  static let endPoints: [(name: String, meaning: String)] =
    [
      ("id", "the end point"), ("metric", "as GUIDE.md has it"),
      ("unit", "of its values: of a rate such as `per week`; empty for a count"),
      ("better", words(BetterDirection.allCases.map(\.rawValue)) + ": which is good"),
      ("class", words(StudyEndPoint.Role.allCases.map(\.rawValue))),
      ("n", "patients with a difference"), ("missing", "patients without one"),
      (
        "left_out_pairs",
        "pairs of runs of the `n` of which one has no value; absent without any"
      ),
      ("daily", "the part of each day that is measured, two times of day; absent for all day"),
      ("per", "over what time a rate is told, else `null`"),
    ]
    + [
      ("mean", "the mean of the patients under the arm; the arm is `null` without any"),
      ("sd", "the standard deviation of the patients; `null` for one"), ("median", "their median"),
      ("q1", "their lower quartile"), ("q3", "their upper quartile"), ("min", "the lowest"),
      ("max", "the highest"), ("median_interval", "of the median of all patients"),
      ("p95_interval", "of the value below which 95 % of all patients lie"),
    ].map { ("{control,treatment}.\($0.0)", $0.1) }
    + [
      ("mean", "treatment less control, the mean of patients; `difference` is `null` without any"),
      ("sd", "the standard deviation of the patients' differences; `null` for one"),
      ("skew", "their skewness"),
      ("n_for_skew", "how many patients an interval wants at this skew, 25 times its square"),
      ("confidence", "of the intervals here, %"),
      ("interval", "the one that decides; of a share of time it ends at 100 points"),
      ("studentised", "by the studentised bootstrap"), ("t", "by Student's t"),
      ("bca", "by the corrected bootstrap"),
      (
        "hodges_lehmann",
        "the median of averages of pairs, then its interval, whose ends may be `null`"
      ),
      (
        "se_total",
        "the standard error of the mean, within `strata` that are drawn from; `null` for one"
      ),
      ("se_chance", "what of it is chance within patients; `null` for one replicate"),
      (
        "pairing_gain",
        "how much less the differences vary than those of separate people, at most 1, below 0 "
          + "where more"
      ),
      ("better", "patients for whom the treatment is better"),
      ("equal", "patients for whom neither is"), ("worse", "patients for whom it is worse"),
      ("wilcoxon_p", "by signed ranks, two-sided"),
      ("sign_flip_p", "by flipping signs, two-sided"),
    ].map { ("difference.\($0.0)", $0.1) }
    + [
      (
        "{control,treatment}.events",
        "of all patients of the plan; `rates` is `null` where there is no `per`"
      ),
      ("{control,treatment}.time", "that these were observed, in units of `per`"),
      ("{control,treatment}.rate", "events by time"),
      ("{control,treatment}.interval", "of the rate, wider where events come in clusters"),
      (
        "{control,treatment}.dispersion",
        "how patients vary beyond independent events, 1 for not; `null` without events or below "
          + "two patients"
      ),
      ("{control,treatment}.clustered", "whether that is more than chance"),
      (
        "ratio.value",
        "treatment by control; `null` without events under control; `ratio` is `null` where a "
          + "dispersion is above 1, and without any event"
      ),
      ("ratio.interval", "of the ratio"), ("ratio.p", "by the exact test, two-sided"),
    ].map { ("rates.\($0.0)", $0.1) }
    + [
      (
        "kind",
        "`superior`, `noninferior` or `equivalent`; `goal` is `null` where there is none"
      ),
      ("margin", "by how much, in the unit, as it is written: 0 or more"),
      ("level", "at which it is tested, %"),
      (
        "p",
        "of as good a result if the goal were just not true, of all that failed runs may have been "
          + "the greatest; `null` where it is not tested"
      ),
      ("p_sides", "2 for superiority by nothing, else 1"),
      ("p_holm", "by Holm's method, two-sided; absent where that was not used"),
      ("verdict", words(GoalVerdict.allCases.map(\.rawValue))),
      ("worse_by_margin", "whether the interval lies beyond the margin on the worse side"),
      (
        "bounds_failed",
        "the interval with the worst, then with the best in place of failed runs; `null` without "
          + "any"
      ),
      ("met_by_deaths", "`true` where early deaths alone would meet it; else absent"),
    ].map { ("goal.\($0.0)", $0.1) }

  /// What results.summary.json has beside comparisons.
  static let studyRest: [(name: String, meaning: String)] = [
    (
      "dose_slopes[].axis",
      "a path of the sweep, then of two both with ` × ` between; `dose_slopes` is `null` where the "
        + "control is no point of a sweep, or the points do not determine slopes"
    ),
    (
      "dose_slopes[].mean",
      "by how much the first end point rises, the mean of patients: for each doubling where all "
        + "values of an axis are above zero, else for each 1 of it"
    ),
    ("dose_slopes[].se", "its standard error; `null` for one patient"),
    ("dose_slopes[].interval", "the interval that decides"),
    ("dose_slopes[].studentised", "by the studentised bootstrap"),
    ("dose_slopes[].left_out", "patients who lack a value at too many points; absent without any"),
    ("precision.pilot", "patients of the pilot; `precision` is `null` without one"),
    ("precision.sd", "the standard deviation of its differences"),
    ("precision.wish", "half of the interval that was wished for"),
    ("precision.n", "patients who take part"),
    (
      "precision.reached",
      "half of the interval of the first end point, of the widest comparison; `null` where an end "
        + "is missing"
    ),
    ("programs[].role", "as in plan.json; `programs` is absent without any"),
    ("programs[].command", "the words that start it"), ("programs[].name", "as it says"),
    ("programs[].version", "as it says"),
    ("programs[].privileged", "whether it is told the truth about the body"),
    ("sensitivity.method", "`sobol` or `morris`; `sensitivity` is absent without either"),
    ("sensitivity.rows", "how many rows of points were drawn"),
    ("sensitivity.points", "how many points that are"),
    ("sensitivity.settings[].path", "what is set"), ("sensitivity.settings[].law", "from what"),
    ("sensitivity.endpoints[].id", "the end point"), ("sensitivity.endpoints[].metric", "it is of"),
    ("sensitivity.endpoints[].unit", "of its values; empty for a count"),
    ("sensitivity.endpoints[].missing", "runs without a value"),
    ("sensitivity.endpoints[].mean", "of the points; `null` where a run has no value"),
    ("sensitivity.endpoints[].sd", "their standard deviation"),
    ("sensitivity.endpoints[].obstacle", "why nothing can be told, else `null`"),
    ("sensitivity.endpoints[].estimates[].path", "the setting"),
    ("sensitivity.endpoints[].estimates[].first", "`sobol`: as in results.sensitivity.csv"),
    ("sensitivity.endpoints[].estimates[].first_interval", "`sobol`: of it"),
    ("sensitivity.endpoints[].estimates[].total", "`sobol`: as in results.sensitivity.csv"),
    ("sensitivity.endpoints[].estimates[].total_interval", "`sobol`: of it"),
    ("sensitivity.endpoints[].estimates[].mean_size", "`morris`: as in results.sensitivity.csv"),
    ("sensitivity.endpoints[].estimates[].sd", "`morris`: as there"),
  ]
}
