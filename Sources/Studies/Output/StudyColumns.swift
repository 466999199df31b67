internal import Outcomes

/// The columns of the tables of a study, each with what it means.
///
/// The tables have their headers from here, and the guide to the files its words.
public enum StudyColumns {
  /// The name of a column, and what stands in it.
  public typealias Column = (name: String, meaning: String)

  /// Stands in a guide for the columns of the end points, which each study has of its own.
  public static let endPoint = "ENDPOINT"
  /// Stands in a guide for the columns of the settings of a sweep.
  public static let setting = "SETTING"

  /// The columns of a case before its figures.
  static let identity: [Column] = [
    ("case", "the number of the case, from 0; rows are in its order"),
    ("unit", "which patient and replicate, from 0: the runs of a unit share their chance"),
    ("patient", "of the cohort"),
    ("group", "of the patient, by `study.strata`; empty without it"),
    ("replicate", "from 0"), ("point", "of the sweep, from 0; 0 without one"),
    ("arm", "the variant; empty without variants"),
    (
      "status",
      "`ok`; `lethal` where the body did not survive; `failed` where the run could not be carried "
        + "out or a law of the simulation was broken"
    ),
    ("reason", "why it failed, a sentence; else empty"),
    ("ended", "when the run ended, by the local clock; empty where it was not carried out"),
    ("days", "how long it lasted, in days: less than planned of a lethal run"),
    ("seed", "the run's own"),
    ("digest", "as in the run's summary.json; empty where it was not carried out"),
  ]

  /// The columns of a table of cases.
  public static let cases: [Column] =
    identity
    + [
      (
        endPoint,
        "its metric in this run, in the unit that results.summary.json has; of a rate (`per`) the "
          + "count, which is still to be divided by `days`"
      )
    ] + StandardFigure.all.map { ($0.name, $0.meaning) } + hours

  /// The columns of the hours of a day.
  static let hours: [Column] = [
    (
      "glucose_by_hour",
      "24 numbers from midnight, by the local clock, with a blank between two and `-` for an hour "
        + "without a value: the median reading of the sensor in that hour of all days, whole "
        + "mg/dL; empty without any"
    ),
    ("basal_by_hour", "alike: basal of the pump by the time lived in that hour, U/h"),
    ("bolus_by_hour", "alike: boluses of the pump, U/h"),
  ]

  /// The columns of the table of patients.
  public static let patients: [Column] = [
    ("patient", "of the cohort"), ("group", "of the patient; empty without `study.strata`"),
    comparison, ("endpoint", "the `id` of the end point"),
    (
      "control",
      "the mean of the replicates that have a value in both arms; of a rate their events by their "
        + "time"
    ),
    ("treatment", "alike under the treatment"), difference,
    (
      "better",
      "1 where the treatment is better, -1 where it is worse, else 0; of events a run that died "
        + "early counts what it has more alone"
    ),
    ("replicates", "how many have a value in both arms"),
    ("sd_within", "the standard deviation of their differences; empty for one"),
    (
      "harmed",
      "by the rule of the end point: "
        + HarmChange.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        + " (under the treatment alone, under the control alone, under both, under none); empty "
        + "without a rule"
    ),
    unit,
  ]

  /// The columns of the table of newly harmed patients.
  public static let harms: [Column] = [
    comparison, ("endpoint", "the `id` of the end point"),
    ("rule", "who counts as harmed, such as `above 1`"), ("patient", "of the cohort"),
    ("group", "of the patient; empty without `study.strata`"),
    ("control", "as in results.patients.csv"), ("treatment", "alike under the treatment"),
    difference, unit,
  ]

  /// The columns of the table of a sweep before those of its settings, and after them.
  static let surfaceHead: [Column] = [
    ("point", "of the sweep, from 0"),
    ("comparison", "`treatment - control`; of points of the sweep each by what is set there"),
  ]
  static let surfaceRest: [Column] = [
    ("n", "patients with a difference"),
    (
      "newly_harmed",
      "patients harmed under the treatment alone by any rule; empty without a rule"
    ),
    ("harmed_lower", "the interval of their share, from 0 to 1"), ("harmed_upper", "its upper end"),
    ("mean_difference", "treatment less control, the mean of patients; empty without any"),
    ("lower", "the interval that decides; empty for an end that it does not have"),
    ("upper", "its upper end"),
    ("worst_difference", "of the patient for whom the treatment is worst"),
    ("lethal_control", "lethal runs under the control"),
    ("lethal_treatment", "lethal runs under the treatment"),
    (
      "safe",
      "`true` where the interval meets the first goal and no run more was lethal, else `false`"
    ),
    ("endpoint", "the first end point, of which the differences are"),
    ("unit", "of the differences; empty for a count"),
  ]

  /// The columns of the table of a sweep.
  public static let surface: [Column] =
    surfaceHead + [(setting, "what is set at the point")] + surfaceRest

  /// The columns of the table of a sampled sweep.
  public static let points: [Column] = [
    ("point", "of the sweep, from 0"), (setting, "what is set at the point"),
    (endPoint, "the mean of all patients; empty where a run has no value"),
  ]

  /// The columns before the estimates of a sampled sweep.
  static let sensitivityHead: [Column] = [
    ("endpoint", "the `id` of the end point"), ("setting", "the path that is set"),
    ("law", "from which it is drawn"),
  ]
  /// The estimates by Sobol's method.
  static let indices: [Column] = [
    (
      "first",
      "the share of the variance that the setting explains alone, 1 for all of it; as an estimate "
        + "of few points it may lie below 0 or above 1"
    ),
    ("first_lower", "its interval"), ("first_upper", "its upper end"),
    ("total", "the share that it explains alone and with others"),
    ("total_lower", "its interval"), ("total_upper", "its upper end"),
  ]
  /// The estimates by Morris's method.
  static let effects: [Column] = [
    ("mean_size", "the mean of elementary effects without their sign, over the setting's range"),
    ("sd", "their standard deviation"), ("unit", "of both; empty for a count"),
  ]

  /// The columns of the table of what settings matter, by Sobol's method.
  public static let sobol: [Column] = sensitivityHead + indices
  /// The columns of the table of what settings matter, by Morris's method.
  public static let morris: [Column] = sensitivityHead + effects

  private static let comparison: Column = (
    "comparison", "`treatment - control`, the treatment with what is set at its point of a sweep"
  )
  private static let difference: Column = ("difference", "treatment less control")
  private static let unit: Column = ("unit", "of the values; empty for a count")
}
