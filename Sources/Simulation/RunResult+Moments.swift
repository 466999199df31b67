public import Quantities

/// Times in the sentences about a run.
extension RunResult {
  /// The time of day of an instant; with the date where the run is longer than a day, or begins
  /// after it.
  public func moment(_ instant: Instant) -> String {
    let shown = clock.civilTime(at: instant)
    return end - start > .days(1) || instant < start
      ? shown.description : shown.timeOfDay.description
  }
}
