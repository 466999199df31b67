public import Determinism
public import Quantities

/// When an infusion set fails by chance.
///
/// J. Kanapka, P. Calhoun, R. Beck et al. 2022: of 22,741 sets, 1.0 % had failed with prolonged
/// hyperglycaemia by 24 h, 1.8 % by 48 h and 3.3 % by 72 h. The rate is taken as constant within
/// each day, and as that of the third day afterwards.
public struct InfusionSetLife: Hashable, Sendable {
  /// The share of sets that have failed by the end of each day.
  public var failedByDay: [Double]

  /// Creates a life from the share of sets that have failed by the end of each day.
  public init(failedByDay: [Double]) { self.failedByDay = failedByDay }

  /// All sets of the study.
  public static let kanapka2022 = Self(failedByDay: [0.010, 0.018, 0.033])

  /// Draws the age at which a set fails; nothing when it lasts for `wear`.
  ///
  /// Exactly one number is drawn.
  public func drawFailure(within wear: TimeSpan, from stream: inout RandomStream) -> TimeSpan? {
    let u = stream.unit()
    var before = 0.0
    for (day, failed) in failedByDay.enumerated() {
      if u < failed {
        let inDay = (u - before) / (failed - before)
        return within(wear, days: Double(day) + inDay)
      }
      before = failed
    }
    let last = failedByDay.count >= 2 ? before - failedByDay[failedByDay.count - 2] : before
    guard last > 0 else { return nil }
    return within(wear, days: Double(failedByDay.count) + (u - before) / last)
  }

  private func within(_ wear: TimeSpan, days: Double) -> TimeSpan? {
    guard let age = TimeSpan(roundingSeconds: days * 86_400), age < wear else { return nil }
    return age
  }
}
