import Quantities

/// The clock inside a pump: a zone that someone set, and an error that may grow.
struct PumpClock: Hashable, Sendable {
  /// What the clock was set to: offsets from UTC.
  var zone: WallClock
  /// How wrong it is since it was last set, or jumped, or began to run otherwise.
  private var error: Deviation
  /// How wrong it was before, earliest first.
  private var former: [Deviation] = []

  /// How wrong a clock is from an instant on.
  private struct Deviation: Hashable, Sendable {
    /// How far it is ahead of true time at that instant.
    var skew: TimeSpan = .zero
    /// How much it gains each day.
    var driftPerDay: TimeSpan = .zero
    var since: Instant

    /// How far the clock is ahead of true time.
    func skew(at instant: Instant) -> TimeSpan {
      guard driftPerDay != .zero else { return skew }
      // Day by day: milliseconds of years times those of a drift lie beyond what is counted.
      let perDay = driftPerDay.milliseconds
      let (days, rest) = (instant - since).milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
      return skew + TimeSpan(milliseconds: days * perDay + rest * perDay / 86_400_000)
    }
  }

  init(zone: WallClock, at instant: Instant) {
    self.zone = zone
    error = Deviation(since: instant)
  }

  /// How much it gains each day.
  var driftPerDay: TimeSpan { error.driftPerDay }

  /// How far the clock is ahead of true time, if nobody touches it from now on.
  func skew(at instant: Instant) -> TimeSpan { error.skew(at: instant) }

  /// How far the clock was ahead of true time at an instant that is past.
  func formerSkew(at instant: Instant) -> TimeSpan {
    guard instant < error.since else { return error.skew(at: instant) }
    return (former.last { $0.since <= instant } ?? former.first ?? error).skew(at: instant)
  }

  /// The true instant that the clock believes it is.
  func reading(at instant: Instant) -> Instant { instant + skew(at: instant) }

  /// The time of day the clock shows.
  func timeOfDay(at instant: Instant) -> TimeOfDay {
    zone.civilTime(at: reading(at: instant)).timeOfDay
  }

  /// The first instant at which the clock reads at least `reading`.
  func instant(reading: Instant) -> Instant {
    var guess = reading - error.skew
    if driftPerDay != .zero {
      let rate = 1 + Double(driftPerDay.milliseconds) / 86_400_000
      let elapsed = Double((guess - error.since).milliseconds) / rate
      guess = error.since + TimeSpan(milliseconds: Int64(elapsed.rounded()))
      while self.reading(at: guess) < reading { guess += .milliseconds(1) }
      while self.reading(at: guess - .milliseconds(1)) >= reading { guess -= .milliseconds(1) }
    }
    return guess
  }

  /// Sets the zone and the time right.
  mutating func set(to zone: WallClock, at instant: Instant) {
    self.zone = zone
    change(at: instant) { $0.skew = .zero }
  }

  /// Moves the clock, without anyone setting it.
  mutating func jump(by error: TimeSpan, at instant: Instant) {
    change(at: instant) { $0.skew = $0.skew + error }
  }

  /// Changes how fast the clock runs from here on, without a jump, as far as a clock can.
  mutating func setDrift(_ perDay: TimeSpan, at instant: Instant) {
    let drifts = PumpFault.clockDrifts
    change(at: instant) {
      $0.driftPerDay = min(max(perDay, drifts.lowerBound), drifts.upperBound)
    }
  }

  /// Changes how wrong the clock is from an instant on, where it has got to then.
  private mutating func change(at instant: Instant, _ change: (inout Deviation) -> Void) {
    if error.since < instant { former.append(error) }
    error = Deviation(
      skew: error.skew(at: instant), driftPerDay: error.driftPerDay, since: instant)
    change(&error)
  }

  /// The first entry of the schedule, or midnight, after an instant.
  func nextEntry(of schedule: DailySchedule<InsulinRate>, after instant: Instant) -> Instant {
    let next = schedule.nextBoundary(after: reading(at: instant), on: zone)
    return max(self.instant(reading: next), instant + .milliseconds(1))
  }

  /// How long the entry that holds at an instant has been running, by the time of day.
  func timeSinceEntry(of schedule: DailySchedule<InsulinRate>, at instant: Instant) -> TimeSpan {
    let time = timeOfDay(at: instant)
    let start = schedule.entries.last { $0.start <= time }?.start ?? .midnight
    return time.sinceMidnight - start.sinceMidnight
  }
}
