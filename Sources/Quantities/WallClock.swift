/// What a clock on the wall shows at each instant: an offset from UTC, and the times it changes.
///
/// Time-zone names are resolved once, where a scenario is read; here a zone is only its offsets, so
/// that the same run gives the same bytes on every machine whatever its time-zone database says.
/// Travel is a transition like a change to summer time.
public struct WallClock: Hashable, Sendable {
  /// A change of the offset from UTC.
  public struct Transition: Hashable, Sendable {
    /// The first instant at which the new offset holds.
    public let instant: Instant
    /// Local time minus UTC from then on.
    public let offset: TimeSpan

    /// Creates a change of the offset.
    public init(instant: Instant, offset: TimeSpan) {
      self.instant = instant
      self.offset = offset
    }
  }

  /// Local time minus UTC before the first transition.
  public let initialOffset: TimeSpan

  /// The changes of the offset, earliest first.
  public let transitions: [Transition]

  /// Creates a clock; transitions may come in any order, and a later duplicate instant wins.
  public init(initialOffset: TimeSpan, transitions: [Transition] = []) {
    self.initialOffset = initialOffset
    var kept: [Transition] = []
    for transition in Self.ordered(transitions) {
      if kept.last?.instant == transition.instant { kept.removeLast() }
      let offset = kept.last?.offset ?? initialOffset
      if offset != transition.offset { kept.append(transition) }
    }
    assert(
      zip(kept, kept.dropFirst()).allSatisfy { $0.instant < $1.instant },
      "Changes of a clock follow one another.")
    self.transitions = kept
  }

  /// Transitions by their instants, those of one instant as they came.
  private static func ordered(_ transitions: [Transition]) -> [Transition] {
    // As tables of zones have them.
    let isOrdered = zip(transitions, transitions.dropFirst()).allSatisfy {
      $0.instant <= $1.instant
    }
    guard !isOrdered else { return transitions }
    return transitions.enumerated()
      .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
      .map(\.element)
  }

  /// A clock that shows Coordinated Universal Time.
  public static let utc = Self(initialOffset: .zero)

  /// Local time minus UTC at an instant.
  public func offset(at instant: Instant) -> TimeSpan {
    let next = transitions.partitioningIndex { $0.instant > instant }
    return next == 0 ? initialOffset : transitions[next - 1].offset
  }

  /// The date and time of day shown at an instant.
  public func civilTime(at instant: Instant) -> CivilTime {
    CivilTime(
      millisecondsSince1970: instant.millisecondsSince1970 + offset(at: instant).milliseconds)
  }

  /// The time of day shown at an instant.
  public func timeOfDay(at instant: Instant) -> TimeOfDay { dayAndTime(at: instant).time }

  /// The number of the day shown at an instant, counted from 1 January 1970, and the time of day.
  func dayAndTime(at instant: Instant) -> (day: Int64, time: TimeOfDay) {
    let local = instant.millisecondsSince1970 + offset(at: instant).milliseconds
    let day = TimeSpan(milliseconds: local).quotient(by: .days(1))
    return (day, TimeOfDay(milliseconds: local &- day &* 86_400_000))
  }

  /// What a civil time means on this clock.
  public enum Reading: Hashable, Sendable {
    /// The clock shows the time once.
    case once(Instant)
    /// The clock is set forward past the time; the instant is the first after the gap.
    case skipped(firstValid: Instant)
    /// The clock is set back and shows the time twice.
    case twice(first: Instant, second: Instant)

    /// The instant to use unless someone says otherwise: the first, or the first after a gap.
    public var instant: Instant {
      switch self {
      case .once(let instant), .skipped(let instant), .twice(let instant, _): instant
      }
    }
  }

  /// The instants at which the clock shows `civil`.
  public func reading(of civil: CivilTime) -> Reading {
    let local = civil.millisecondsSince1970
    var found: [Instant] = []
    var start = Int64.min
    var offset = initialOffset
    for index in 0...transitions.count {
      let end =
        index < transitions.count
        ? transitions[index].instant.millisecondsSince1970 : Int64.max
      let candidate = local - offset.milliseconds
      if candidate >= start && candidate < end {
        found.append(Instant(millisecondsSince1970: candidate))
      }
      if index < transitions.count {
        start = end
        offset = transitions[index].offset
      }
    }
    assert(found.count <= 1 || found[0] < found[1], "Of two instants the earlier comes first.")
    if found.count > 1 { return .twice(first: found[0], second: found[1]) }
    if let only = found.first { return .once(only) }
    return .skipped(firstValid: firstInstantAfterGap(containing: local))
  }

  /// The instant as ISO 8601 local time with its offset, such as `2026-03-08T03:00:00-07:00`.
  ///
  /// A clock on UTC writes `Z`. Milliseconds, and seconds of an offset, appear only where there are
  /// some.
  public func iso8601(_ instant: Instant) -> String {
    ASCIIText { $0.append(instant, by: self) }.text
  }

  /// The first instant whose local time is not before `local`, when `local` lies in a gap.
  private func firstInstantAfterGap(containing local: Int64) -> Instant {
    for transition in transitions {
      let after = transition.instant.millisecondsSince1970 + transition.offset.milliseconds
      if after > local { return transition.instant }
    }
    return Instant(
      millisecondsSince1970: local - offset(at: .init(millisecondsSince1970: local)).milliseconds)
  }
}
