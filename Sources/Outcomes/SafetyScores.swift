public import Quantities

/// The scores with which Tidepool judges the risk of a Loop scenario.
///
/// Published with tidepool-org/data-science-metrics and data-science-simulator. Glucose is the
/// patient's true glucose at five-minute samples, insulin on board all delivered insulin.
public struct SafetyScores: Hashable, Sendable {
  /// The low blood glucose index after clipping glucose to 1…401 mg/dL.
  public let lowBloodGlucoseIndex: Double
  /// The score of the index, 0 to 4, 5 when glucose reaches 0 or stays at or below 40 for 4 hours.
  public let lowBloodGlucoseScore: Int
  /// The score without that escalation of an index rounded to two decimals, as first published.
  public let lowBloodGlucoseScoreRounded: Int
  /// The hours with little insulin on board; `nil` without IOB or its steady state.
  public let ketoacidosisHours: Double?
  /// The score of the hours with little insulin on board, 0 to 4; `nil` without IOB or its steady
  /// state.
  public let ketoacidosisScore: Int?
  /// The score of the share above 180 mg/dL: 0 for none, 1 below 12 %, else 2.
  public let hyperglycemiaScore: Int

  /// Steady-state insulin on board of one unit per hour in Tidepool's eight-hour model, in hours.
  public static let tidepoolSteadyState = 2.111517

  /// Scores a run; nothing without glucose.
  ///
  /// Insulin on board is all insulin, scheduled basal included. It is held against what the same
  /// body holds in its steady state on the basal that it needs: of one unit per hour that is
  /// ``tidepoolSteadyState`` in Tidepool's model, and by other kinetics from 1.8 to 2.9 U. The last
  /// value of it stands for no time after an end.
  public init?(
    trueGlucose: GlucoseSeries,
    absoluteInsulinOnBoard: [LoopActivity.InsulinOnBoard] = [], steadyInsulin: Double? = nil,
    until end: Instant? = nil
  ) {
    let clipped = trueGlucose.values.map { min(401, max(1, $0)) }
    guard let index = Statistics.mean(clipped.map(GlucoseRisk.low)),
      let ranges = TimeInRanges(clipped)
    else { return nil }
    lowBloodGlucoseIndex = index
    let score = Self.lowBloodGlucoseScore(index)
    lowBloodGlucoseScore = score == 4 && Self.isExtreme(trueGlucose) ? 5 : score
    lowBloodGlucoseScoreRounded = Self.lowBloodGlucoseScore((index * 100).rounded() / 100)
    ketoacidosisHours = steadyInsulin.flatMap {
      Self.ketoacidosisHours(absoluteInsulinOnBoard, steadyInsulin: $0, until: end)
    }
    ketoacidosisScore = ketoacidosisHours.map(Self.ketoacidosisScore)
    hyperglycemiaScore = ranges.above180 == 0 ? 0 : ranges.above180 < 12 ? 1 : 2
  }

  /// The score of a low blood glucose index: above 0, 2.5, 5 and 10 as 1 to 4.
  public static func lowBloodGlucoseScore(_ index: Double) -> Int {
    index > 10 ? 4 : index > 5 ? 3 : index > 2.5 ? 2 : index > 0 ? 1 : 0
  }

  /// The score of hours with little insulin: from 2, 8, 14 and 21 hours on as 1 to 4.
  public static func ketoacidosisScore(_ hours: Double) -> Int {
    hours >= 21 ? 4 : hours >= 14 ? 3 : hours >= 8 ? 2 : hours >= 2 ? 1 : 0
  }

  /// The hours in which insulin on board is below half of its steady state (DKA index).
  ///
  /// Insulin on board must be absolute: net of the schedule it is 0 at steady basal, and every hour
  /// would count. Each sample stands for the time to the next, and the last for as long as the one
  /// before it, up to an end. Nothing without samples.
  public static func ketoacidosisHours(
    _ samples: [LoopActivity.InsulinOnBoard], steadyInsulin: Double, until end: Instant? = nil
  ) -> Double? {
    guard let last = samples.last?.instant else { return nil }
    assert(steadyInsulin >= 0, "No body holds less than no insulin.")
    let limit = 0.5 * steadyInsulin
    let usual =
      samples.dropLast().last.map { max(.milliseconds(1), last - $0.instant) }
      ?? .minutes(5)
    let lastEnd = min(last + usual, max(last, end ?? last + usual))
    var low = TimeSpan.zero
    for (place, sample) in samples.enumerated() where sample.units < limit {
      let next = place + 1 < samples.count ? samples[place + 1].instant : lastEnd
      low += next - sample.instant
    }
    // In values as far apart as is usual, which the published index counts.
    return Double(low.milliseconds) / Double(usual.milliseconds) * usual.hours
  }

  /// What harm a scenario is filed under.
  public enum Harm: String, Hashable, Sendable {
    /// None, or the one that the scores point to.
    case none, hyperglycemia, hypoglycemia, ketoacidosis
  }

  /// The harm that the scores point to.
  public var harm: Harm {
    let ketoacidosis = ketoacidosisScore ?? 0
    if lowBloodGlucoseScore == 0 && ketoacidosis == 0 && hyperglycemiaScore == 0 { return .none }
    if lowBloodGlucoseScore <= 1 && ketoacidosis == 0 { return .hyperglycemia }
    return lowBloodGlucoseScore >= ketoacidosis ? .hypoglycemia : .ketoacidosis
  }

  /// Whether glucose reaches 0, or is at or below 40 mg/dL for 4 hours: 48 five-minute values in a
  /// row, or as many as last as long where they lie nearer together or further apart.
  private static func isExtreme(_ series: GlucoseSeries) -> Bool {
    // One that comes seven minutes after another still follows it, where five are usual; of those
    // further apart than values are interpolated over, each stands alone.
    let usual = min(series.interval, GlucoseGrid.longestBridge)
    let longest = min(
      max(.minutes(7), TimeSpan(milliseconds: usual.milliseconds * 7 / 5)),
      GlucoseGrid.longestBridge)
    var start: Instant?
    var last: Instant?
    for point in series.points {
      if point.mgdL <= 0 { return true }
      if let last, point.instant - last > longest { start = nil }
      start = point.mgdL <= 40 ? start ?? point.instant : nil
      // A value stands for the time to the next.
      if let start, point.instant - start + usual >= .hours(4) { return true }
      last = point.instant
    }
    return false
  }
}
