public import Quantities

/// How far what is reported of a basal segment may be from what its rate amounts to.
public enum BasalTolerance {
  /// What may be missing of a segment that is right, in U.
  ///
  /// Loop re-issues a temp basal after 20 minutes at the earliest, and the pump may forget a
  /// fraction of a pulse each time; the reports of one rate are one segment.
  ///
  /// - Parameters:
  ///   - duration: How long the segment lasts.
  ///   - isTemp: Whether it is of a temp basal.
  ///   - pulse: The pump's smallest amount, in U.
  /// - Returns: A pulse, and one more for each command that the segment can hold.
  public static func shortfall(
    of duration: TimeSpan, isTemp: Bool, pulse: Double
  ) -> Double {
    pulse * (1 + (isTemp ? (duration.hours * 3).rounded(.down) : 0))
  }
}
