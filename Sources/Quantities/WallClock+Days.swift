extension WallClock {
  /// The start of the local day that contains an instant.
  ///
  /// Where midnight itself is skipped by a change of clocks, the day starts at the first valid
  /// instant after it. Where the clock is set back over midnight, the day starts again when
  /// midnight comes again; where it is set back to midnight within the same day, it does not.
  public func startOfDay(containing instant: Instant) -> Instant {
    let day = CivilTime(dayNumber: civilTime(at: instant).dayNumber)
    switch reading(of: day) {
    case .once(let start), .skipped(let start): return start
    case .twice(let first, let second):
      let before = civilTime(at: second - .milliseconds(1))
      return second <= instant && before.dayNumber < day.dayNumber ? second : first
    }
  }

  /// The first start of a local day strictly after an instant: midnight, as a person would say.
  ///
  /// Where midnight itself is skipped by a change of clocks, this is the change.
  public func midnight(after instant: Instant) -> Instant {
    var now = instant
    for transition in transitions where transition.instant > instant {
      let civil = civilTime(at: now)
      let plain = now + (.days(1) - civil.timeOfDay.sinceMidnight)
      if plain < transition.instant { return plain }
      let before = civilTime(at: transition.instant - .milliseconds(1))
      now = transition.instant
      if civilTime(at: now).dayNumber > before.dayNumber { return now }
    }
    return now + (.days(1) - timeOfDay(at: now).sinceMidnight)
  }
}
