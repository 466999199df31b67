internal import Quantities

/// What the phone shows as the time where it is.
extension Phone {
  /// The date and time that the phone shows.
  func civilTime(at now: Instant) -> CivilTime {
    CivilTime(
      millisecondsSince1970: shownTime(at: now).millisecondsSince1970 + offset(at: now).milliseconds
    )
  }

  /// How far the time that the phone shows is ahead of UTC, as far as its zone makes it so.
  ///
  /// In which zone it is follows from true time, and whether that has summer time from what its
  /// clock shows: a clock that is wrong takes nobody on a trip early.
  func offset(at now: Instant) -> TimeSpan {
    let shown = shownTime(at: now)
    guard let place = stays.lastIndex(where: { $0.from <= now }) else {
      return zone.offset(at: shown)
    }
    let (arrival, clock) = stays[place]
    return clock.offset(at: place == 0 ? shown : max(shown, arrival))
  }
}
