import Quantities

/// The clock inside a pump: a zone that someone set, and an error that may grow.
struct PumpClock: Hashable, Sendable {
  /// What the clock was set to: offsets from UTC.
  var zone: WallClock
  /// How far the clock is ahead of true time, at `skewSince`.
  var skew: TimeSpan = .zero
  /// How much it gains each day.
  var driftPerDay: TimeSpan = .zero
  var skewSince: Instant

  init(zone: WallClock, at instant: Instant) {
    self.zone = zone
    skewSince = instant
  }

  /// How far the clock is ahead of true time.
  func skew(at instant: Instant) -> TimeSpan {
    guard driftPerDay != .zero else { return skew }
    let elapsed = (instant - skewSince).milliseconds
    return skew + TimeSpan(milliseconds: elapsed * driftPerDay.milliseconds / 86_400_000)
  }

  /// The true instant that the clock believes it is.
  func reading(at instant: Instant) -> Instant { instant + skew(at: instant) }

  /// The time of day the clock shows.
  func timeOfDay(at instant: Instant) -> TimeOfDay {
    zone.civilTime(at: reading(at: instant)).timeOfDay
  }

  /// The first instant at which the clock reads at least `reading`.
  func instant(reading: Instant) -> Instant {
    var guess = reading - skew
    if driftPerDay != .zero {
      let rate = 1 + Double(driftPerDay.milliseconds) / 86_400_000
      let elapsed = Double((guess - skewSince).milliseconds) / rate
      guess = skewSince + TimeSpan(milliseconds: Int64(elapsed.rounded()))
      while self.reading(at: guess) < reading { guess += .milliseconds(1) }
      while self.reading(at: guess - .milliseconds(1)) >= reading { guess -= .milliseconds(1) }
    }
    return guess
  }

  /// Sets the zone and the time right.
  mutating func set(to zone: WallClock, at instant: Instant) {
    self.zone = zone
    skew = .zero
    skewSince = instant
  }

  /// Moves the clock, without anyone setting it.
  mutating func jump(by error: TimeSpan, at instant: Instant) {
    skew = skew(at: instant) + error
    skewSince = instant
  }

  /// Changes how fast the clock runs from here on, without a jump.
  mutating func setDrift(_ perDay: TimeSpan, at instant: Instant) {
    skew = skew(at: instant)
    skewSince = instant
    // A clock that gains or loses half a day every day is not a clock.
    driftPerDay = min(max(perDay, .hours(-12)), .hours(12))
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
