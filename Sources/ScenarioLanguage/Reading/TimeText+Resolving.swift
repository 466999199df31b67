public import Quantities

extension TimeText {
  /// What a time means, and what its author may want to know about it.
  public struct Resolution: Hashable, Sendable {
    /// The instant that is meant.
    public var instant: Instant
    /// A sentence on a time that the clock skips or shows twice.
    public var note: String?
    /// Whether `~2` asks for a second showing that does not exist.
    public var lacksSecond = false

    /// What to say where it does not exist.
    public static let lackOfSecond = "The clock shows this time only once that day. Remove '~2'."
  }

  /// The instant that this time means.
  ///
  /// Times of day are the next ones at or after the anchor, spans count from the anchor, and days
  /// from the day of the start. A time that the clock skips moves to the first instant after the
  /// gap; of two showings the first is meant, unless `~2` asks for the second.
  public func resolved(from anchor: Instant, start: Instant, on clock: WallClock) -> Resolution {
    switch self {
    case .absolute(let instant): return Resolution(instant: instant)
    case .offset(let span): return Resolution(instant: anchor + span)
    case .civil(let civil, let isSecond):
      return Self.resolution(of: civil, isSecond: isSecond, notBefore: nil, on: clock)
    case .day(let number, let time, let isSecond):
      let day = clock.civilTime(at: start).dayNumber + Int64(number)
      return Self.resolution(
        of: CivilTime(dayNumber: day, timeOfDay: time), isSecond: isSecond, notBefore: nil,
        on: clock)
    case .clock(let time, let isSecond):
      let today = clock.civilTime(at: anchor).dayNumber
      for day in today...(today + 2) {
        let found = Self.resolution(
          of: CivilTime(dayNumber: day, timeOfDay: time), isSecond: isSecond, notBefore: anchor,
          on: clock)
        if found.instant >= anchor { return found }
      }
      return Resolution(instant: anchor)
    }
  }

  private static func resolution(
    of civil: CivilTime, isSecond: Bool, notBefore anchor: Instant?, on clock: WallClock
  ) -> Resolution {
    let shown = "\(civil.dateText) \(civil.timeOfDay.hoursAndMinutes)"
    switch clock.reading(of: civil) {
    case .once(let instant):
      return Resolution(instant: instant, lacksSecond: isSecond)
    case .skipped(let instant):
      let used = clock.timeOfDay(at: instant).hoursAndMinutes
      return Resolution(
        instant: instant,
        note: "The clock skips \(shown); the first instant after the gap is used (\(used)).",
        lacksSecond: isSecond)
    case .twice(let first, let second):
      if isSecond { return Resolution(instant: second) }
      if let anchor, first < anchor { return Resolution(instant: second) }
      return Resolution(
        instant: first,
        note: "The clock shows \(shown) twice; the first is used. Add '~2' to it for the second.")
    }
  }
}
