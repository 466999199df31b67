/// Times of day that divide every day into the same parts: what a schedule is without its values.
@usableFromInline
struct DayDivision: Hashable, Sendable {
  /// Where the parts start, ascending from midnight.
  let starts: [TimeOfDay]

  /// A stretch of absolute time within one part of one day.
  @usableFromInline
  struct Stretch {
    @usableFromInline var start: Instant
    @usableFromInline var end: Instant
    @usableFromInline var part: Int
  }

  /// The part to which a time of day belongs.
  @usableFromInline
  func part(at time: TimeOfDay) -> Int {
    max(starts.partitioningIndex { $0 > time } - 1, 0)
  }

  /// The stretch that begins at an instant, up to another instant at most.
  @usableFromInline
  func stretch(from now: Instant, to end: Instant, on clock: WallClock) -> Stretch {
    let shown = clock.dayAndTime(at: now)
    let part = part(at: shown.time)
    let next = min(end, boundary(after: now, showing: shown, in: part, on: clock))
    assert(next > now, "A border of the day lies ahead.")
    return Stretch(start: now, end: next, part: part)
  }

  /// The next instant at which another part begins, a day begins, or the clock changes parts.
  func boundary(after now: Instant, on clock: WallClock) -> Instant {
    let shown = clock.dayAndTime(at: now)
    return boundary(after: now, showing: shown, in: part(at: shown.time), on: clock)
  }

  private func boundary(
    after start: Instant, showing shown: (day: Int64, time: TimeOfDay), in part: Int,
    on clock: WallClock
  ) -> Instant {
    var now = start
    var time = shown.time
    let end = part + 1 < starts.count ? starts[part + 1].sinceMidnight : .days(1)
    while true {
      let plain = now + (end - time.sinceMidnight)
      let change = clock.transitions.first { $0.instant > now && $0.instant < plain }
      guard let change else { return plain }
      // Between now and the change the clock runs evenly; after it, look again.
      let after = clock.dayAndTime(at: change.instant)
      let stays = self.part(at: after.time) == part && after.day == shown.day
      guard stays else { return change.instant }
      now = change.instant
      time = after.time
    }
  }
}
