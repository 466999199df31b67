internal import Quantities

extension GlucoseSeries {
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
