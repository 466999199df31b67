/// A point on the control variability grid, and its zone (Magni and others 2008, J Diabetes Sci
/// Technol 2:630).
///
/// The point is made of the 2.5th and the 97.5th percentile of one patient's readings. Percentiles
/// outside the grid are moved to its edge, so that every patient has a zone.
public struct ControlVariability: Hashable, Sendable {
  /// The zones, named as in the figure.
  public enum Zone: String, CaseIterable, Hashable, Sendable {
    /// Accurate control.
    case a = "A"
    /// Benign deviation into low glucose.
    case lowerB = "Lower B"
    /// Benign deviations.
    case b = "B"
    /// Benign deviation into high glucose.
    case upperB = "Upper B"
    /// Overcorrection of high glucose.
    case lowerC = "Lower C"
    /// Overcorrection of low glucose.
    case upperC = "Upper C"
    /// Failure to deal with low glucose.
    case lowerD = "Lower D"
    /// Failure to deal with high glucose.
    case upperD = "Upper D"
    /// Erroneous control.
    case e = "E"
  }

  /// The 2.5th percentile as it is, mg/dL.
  public let low: Double
  /// The 97.5th percentile as it is, mg/dL.
  public let high: Double
  /// The lower percentile moved into 50 to 110, mg/dL.
  public let x: Double
  /// The upper percentile moved into 110 to 400, mg/dL.
  public let y: Double

  /// Places a low and a high value, in mg/dL.
  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
    x = min(110, max(50, low))
    y = min(400, max(110, high))
  }

  /// Places a series; nothing without readings.
  public init?(_ series: GlucoseSeries) {
    let sorted = series.values.sorted()
    guard let low = Statistics.quantile(sorted: sorted, 0.025),
      let high = Statistics.quantile(sorted: sorted, 0.975)
    else { return nil }
    self.init(low: low, high: high)
  }

  /// The zone of the point.
  public var zone: Zone {
    let column = y < 180 ? 0 : y < 300 ? 1 : 2
    let row: [Zone] =
      x > 90
      ? [.a, .upperB, .upperC] : x > 70 ? [.lowerB, .b, .upperD] : [.lowerC, .lowerD, .e]
    return row[column]
  }

  /// The percentage of points in each zone, in the order of the zones.
  public static func shares(of points: [Self]) -> [(zone: Zone, percent: Double)] {
    guard !points.isEmpty else { return [] }
    return Zone.allCases.map { zone in
      (zone, 100 * Double(points.count { $0.zone == zone }) / Double(points.count))
    }
  }
}
