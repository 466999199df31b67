internal import Quantities

/// A glucose profile of the day: percentiles of all readings of each local hour, 5 to 95 %.
///
/// Each hour is smoothed over its neighbours with weights 1, 4 and 1, cyclic over midnight, as
/// Tidepool's viz library does.
public struct DailyProfile: Hashable, Sendable {
  /// The percentiles of one local hour, in mg/dL; empty lists for an hour without readings.
  public struct Hour: Hashable, Sendable {
    /// The local hour, 0 to 23; its values are drawn at half past.
    public let hour: Int
    /// How many readings the hour has.
    public let count: Int
    /// The quantiles of type 7 at ``DailyProfile/shares``.
    public let raw: [Double]
    /// The quantiles after smoothing.
    public let smoothed: [Double]
  }

  /// The shares at which each hour is measured: 5, 25, 50, 75 and 95 %.
  public static let shares = [0.05, 0.25, 0.5, 0.75, 0.95]

  /// The 24 hours from midnight.
  public let hours: [Hour]

  /// Measures a series.
  public init(_ series: GlucoseSeries) {
    var values = [[Double]](repeating: [], count: 24)
    for point in series.points {
      let time = series.clock.timeOfDay(at: point.instant)
      values[Int(time.milliseconds / 3_600_000)].append(point.mgdL)
    }
    let raw = values.map { list in
      let sorted = list.sorted()
      return Self.shares.compactMap { Statistics.quantile(sorted: sorted, $0) }
    }
    hours = (0..<24).map { hour in
      Hour(
        hour: hour, count: values[hour].count, raw: raw[hour],
        smoothed: Self.smoothed(hour, of: raw))
    }
  }

  private static func smoothed(_ hour: Int, of raw: [[Double]]) -> [Double] {
    assert(raw.count == 24, "A day has 24 hours.")
    let current = raw[hour]
    let neighbours = [raw[(hour + 23) % 24], raw[(hour + 1) % 24]].filter { !$0.isEmpty }
    return current.indices.map { index in
      let around = neighbours.reduce(0) { $0 + $1[index] }
      return (4 * current[index] + around) / Double(4 + neighbours.count)
    }
  }
}
