public import Quantities

/// Times in the sentences about a run.
extension RunResult {
  /// The time of day of an instant; with the date where the run is longer than a day, or begins
  /// after it, or was a day old then, and with the offset where that changes in the run, by travel
  /// or by the season.
  public func moment(_ instant: Instant) -> String {
    clock.moment(instant, from: start, to: end, withDate: instant < start)
  }
}

extension WallClock {
  /// A time in the sentences about a stretch of time; see ``RunResult/moment(_:)``.
  func moment(
    _ instant: Instant, from start: Instant, to end: Instant, withDate: Bool = false
  ) -> String {
    // Without its offset a time would be another one, or one of two.
    if transitions.contains(where: { $0.instant > start && $0.instant <= end }) {
      return iso8601(instant)
    }
    let shown = civilTime(at: instant)
    // A day after the start the clock shows the time of the start again.
    let hasDate = end - start > .days(1) || instant - start >= .days(1) || withDate
    return hasDate ? shown.description : shown.timeOfDay.description
  }
}
