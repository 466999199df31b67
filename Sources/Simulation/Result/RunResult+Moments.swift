public import Quantities

/// Times in the sentences about a run.
extension RunResult {
  /// The time of day of an instant; with the date where the run is longer than a day, or begins
  /// after it, or was a day old then, and with the offset where that changes in the run, by travel
  /// or by the season.
  public func moment(_ instant: Instant) -> String {
    clock.moment(instant, from: start, to: end)
  }
}

extension WallClock {
  /// A time in the sentences about a stretch of time; see ``RunResult/moment(_:)``.
  ///
  /// With `withDate` somebody says whether there is a date in a stretch of up to a day.
  func moment(
    _ instant: Instant, from start: Instant, to end: Instant, withDate: Bool? = nil
  ) -> String {
    // Without its offset a time would be another one, or one of two.
    if transitions.contains(where: { $0.instant > start && $0.instant <= end }) {
      return iso8601(instant)
    }
    let shown = civilTime(at: instant)
    let hasDate =
      end - start > .days(1) || withDate ?? needsDate(instant, from: start, to: end)
    return hasDate ? shown.description : shown.timeOfDay.description
  }

  /// Whether a time of day alone does not say which moment about a stretch of time is meant: in one
  /// longer than a day, before its start, and where the clock shows the time of the start again.
  package func needsDate(_ instant: Instant, from start: Instant, to end: Instant) -> Bool {
    guard end - start <= .days(1), instant >= start else { return true }
    // A clock that is set on shows it before 24 hours have passed.
    return instant - start + (offset(at: instant) - offset(at: start)) >= .days(1)
  }
}
