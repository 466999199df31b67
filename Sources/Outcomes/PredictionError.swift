public import Quantities

/// How far a prediction lay from what the sensor showed later.
public struct PredictionError: Hashable, Sendable {
  /// A predicted value and the time for which it was predicted.
  public struct Forecast: Hashable, Sendable {
    /// The instant for which it was predicted.
    public var target: Instant
    /// The predicted glucose, mg/dL.
    public var mgdL: Double

    /// Creates a `Forecast` from its parts; see the properties.
    public init(for target: Instant, mgdL: Double) {
      self.target = target
      self.mgdL = mgdL
    }
  }

  /// The pairs that could be formed.
  public let count: Int
  /// The mean, the mean absolute and the root mean square of predicted minus actual, mg/dL.
  public let bias: Double
  /// The mean absolute value of predicted minus actual, mg/dL.
  public let meanAbsolute: Double
  /// The root mean square of predicted minus actual, mg/dL.
  public let rootMeanSquare: Double
  /// The 5th and the 95th percentile of predicted minus actual, mg/dL.
  public let p05: Double
  /// The 95th percentile of predicted minus actual, mg/dL.
  public let p95: Double

  /// Compares forecasts with the readings at most half an interval away; nothing without a pair.
  public init?(_ forecasts: [Forecast], against actual: GlucoseSeries) {
    let reach = TimeSpan.seconds(Int64(actual.intervalMinutes) * 30)
    let errors = forecasts.compactMap { forecast in
      actual.nearest(to: forecast.target, within: reach).map { forecast.mgdL - $0.mgdL }
    }
    guard let mean = Statistics.mean(errors),
      let absolute = Statistics.mean(errors.map(abs)),
      let square = Statistics.mean(errors.map { $0 * $0 }),
      let low = Statistics.quantile(errors, 0.05), let high = Statistics.quantile(errors, 0.95)
    else { return nil }
    count = errors.count
    bias = mean
    meanAbsolute = absolute
    rootMeanSquare = square.squareRoot()
    p05 = low
    p95 = high
  }
}

extension GlucoseSeries {
  /// The point nearest to a moment, the earlier of two equally near ones; nothing beyond `reach`.
  public func nearest(to instant: Instant, within reach: TimeSpan) -> Point? {
    let next = points.partitioningIndex { $0.instant >= instant }
    let around = points[max(0, next - 1)..<min(points.count, next + 1)]
    return
      around
      .filter { ($0.instant - instant).magnitude <= reach }
      .min { ($0.instant - instant).magnitude < ($1.instant - instant).magnitude }
  }

  /// The mean absolute relative difference to a reference in percent; nothing without a pair.
  ///
  /// Each reading is paired with the reference on the straight line between its neighbours, which
  /// may be at most 15 minutes apart; reference values that are not positive are left out.
  public func meanAbsoluteRelativeDifference(to reference: GlucoseSeries) -> Double? {
    var differences: [Double] = []
    var next = 0
    let truth = reference.points
    for point in points {
      while next < truth.count, truth[next].instant < point.instant { next += 1 }
      guard next < truth.count else { break }
      var value = truth[next].mgdL
      if truth[next].instant > point.instant {
        guard next > 0 else { continue }
        let before = truth[next - 1]
        let distance = truth[next].instant - before.instant
        guard distance <= .minutes(15) else { continue }
        let share = (point.instant - before.instant).minutes / distance.minutes
        value = before.mgdL + share * (truth[next].mgdL - before.mgdL)
      }
      if value > 0 { differences.append(abs(point.mgdL - value) / value) }
    }
    return Statistics.mean(differences).map { 100 * $0 }
  }
}
