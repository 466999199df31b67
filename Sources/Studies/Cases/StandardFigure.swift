internal import Outcomes

/// A figure that every study keeps of every run, whatever its end points are.
struct StandardFigure: Sendable {
  /// The name of the column.
  let name: String
  let metric: Metric?
  /// What stands in the column, for the guide to the files: the metric with its unit.
  let meaning: String

  private init(_ name: String, _ text: String?) {
    self.name = name
    metric = text.flatMap { try? Metric.parse($0) }
    meaning =
      metric.map { "`\(text ?? "")`" + ($0.unitName.isEmpty ? "" : ", \($0.unitName)") }
      ?? "how many there are between the records, notes included, as in ledger.json"
  }

  /// The record differences of a run, which are no metric.
  static let differences = "differences"

  /// How long the pump of a run gave nothing.
  static let suspendedMinutes = "suspendedMinutes"

  /// What the pump of a run gave a day.
  static let dailyDose = "tdd"

  /// For how much of the time the sensor showed readings.
  static let wear = "wear"

  /// The ends of what glucose does: the place of a run in the control-variability grid.
  static let lowEnd = "percentile2.5"
  static let highEnd = "percentile97.5"

  /// The figures in the order of the columns: what a clinician reads is measured on the CGM.
  static let all: [StandardFigure] = [
    .init(wear, "wear@cgm"), .init("tir", "tir(70,180)@cgm"), .init("titr", "tir(70,140)@cgm"),
    .init("below70", "below(70)@cgm"), .init("below54", "below(54)@cgm"),
    .init("above180", "above(180)@cgm"), .init("above250", "above(250)@cgm"),
    .init("mean", "mean@cgm"), .init("sd", "sd@cgm"), .init("cv", "cv@cgm"),
    .init("gmi", "gmi@cgm"), .init("lbgi", "lbgi@cgm"), .init("hbgi", "hbgi@cgm"),
    .init("gri", "gri@cgm"), .init("lows70", "lows(70,15m)@cgm"),
    .init("lows54", "lows(54,15m)@cgm"), .init("min", "minGlucose@cgm"),
    .init("max", "maxGlucose@cgm"), .init("below54_true", "below(54)@true"),
    .init("lbgi_true", "lbgi@true"), .init("min_true", "minGlucose@true"),
    .init("max_true", "maxGlucose@true"), .init("rescues", "rescues"),
    .init("rescueGrams", "rescueGrams"), .init("boluses", "boluses"),
    .init("automaticUnits", "automaticBolusUnits"), .init(dailyDose, "tdd"),
    .init(suspendedMinutes, "suspendedMinutes"),
    .init("closedLoopPercent", "closedLoopPercent"), .init("dkaHours", "dkaHours"),
    .init(differences, nil), .init(lowEnd, "percentile(2.5)@cgm"),
    .init(highEnd, "percentile(97.5)@cgm"),
  ]
}
