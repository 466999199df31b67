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
    stay(at: now).offset(at: shownTime(at: now))
  }

  /// The clock of where the phone is, as if it had always been there and stayed.
  func stay(at now: Instant) -> WallClock { stays.last { $0.from <= now }?.clock ?? zone }
}
