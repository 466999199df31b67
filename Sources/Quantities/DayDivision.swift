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

  /// The stretches between two instants, one after the other without a gap.
  @usableFromInline
  func stretches(from start: Instant, to end: Instant, on clock: WallClock) -> [Stretch] {
    var stretches: [Stretch] = []
    var now = start
    while now < end {
      let civil = clock.civilTime(at: now)
      let part = part(at: civil.timeOfDay)
      let next = min(end, boundary(after: now, showing: civil, in: part, on: clock))
      assert(next > now, "A border of the day lies ahead.")
      stretches.append(Stretch(start: now, end: next, part: part))
      now = next
    }
    return stretches
  }

  /// The next instant at which another part begins, a day begins, or the clock changes parts.
  func boundary(after now: Instant, on clock: WallClock) -> Instant {
    let civil = clock.civilTime(at: now)
    return boundary(after: now, showing: civil, in: part(at: civil.timeOfDay), on: clock)
  }

  private func boundary(
    after start: Instant, showing shown: CivilTime, in part: Int, on clock: WallClock
  ) -> Instant {
    var now = start
    var civil = shown
    let end = part + 1 < starts.count ? starts[part + 1].sinceMidnight : .days(1)
    while true {
      let plain = now + (end - civil.timeOfDay.sinceMidnight)
      let change = clock.transitions.first { $0.instant > now && $0.instant < plain }
      guard let change else { return plain }
      // Between now and the change the clock runs evenly; after it, look again.
      let after = clock.civilTime(at: change.instant)
      let stays = self.part(at: after.timeOfDay) == part && after.dayNumber == shown.dayNumber
      guard stays else { return change.instant }
      now = change.instant
      civil = after
    }
  }
}
