package import Quantities

extension WallClock {
  /// The first instant after another at which the clock on the wall shows a whole number of steps
  /// since midnight, wherever it is set on or back between the two.
  ///
  /// - Parameters:
  ///   - step: A part of a day that goes into it without a rest.
  ///   - instant: After which it lies.
  /// - Returns: The instant, at most a step of the clock's own time later.
  package func wholeStep(_ step: TimeSpan, after instant: Instant) -> Instant {
    assert(
      step > .zero && TimeSpan.days(1).milliseconds % step.milliseconds == 0, "A day has steps.")
    func next(_ instant: Instant) -> Instant {
      let time = timeOfDay(at: instant).sinceMidnight
      let count = time.quotient(by: step) + 1
      return instant + (.milliseconds(count * step.milliseconds) - time)
    }
    var now = instant
    for change in transitions where change.instant > instant {
      let plain = next(now)
      if plain < change.instant { return plain }
      now = change.instant
      if timeOfDay(at: now).sinceMidnight.milliseconds % step.milliseconds == 0 { return now }
    }
    return next(now)
  }
}
