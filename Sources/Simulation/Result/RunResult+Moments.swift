public import Quantities

/// Times in the sentences about a run.
extension RunResult {
  /// The time of day of an instant; with the date where the run is longer than a day, or begins
  /// after it, or was a day old then, and with the offset where that changes in the run, by travel
  /// or by the season.
  public func moment(_ instant: Instant) -> String {
    clock.moment(instant, from: start, to: end, withDate: instant < start ? true : nil)
  }
}

extension WallClock {
  /// A time in the sentences about a stretch of time; see ``RunResult/moment(_:)``.
  ///
  /// With `withDate` somebody says whether there is a date in a stretch of up to a day; by itself
  /// there is one where a day has passed since the start, as the clock shows its time again then.
  func moment(
    _ instant: Instant, from start: Instant, to end: Instant, withDate: Bool? = nil
  ) -> String {
    // Without its offset a time would be another one, or one of two.
    if transitions.contains(where: { $0.instant > start && $0.instant <= end }) {
      return iso8601(instant)
    }
    let shown = civilTime(at: instant)
    let hasDate = end - start > .days(1) || withDate ?? (instant - start >= .days(1))
    return hasDate ? shown.description : shown.timeOfDay.description
  }
}
