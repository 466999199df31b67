import Foundation
public import Quantities
import StructuredText

/// The system's time zones, turned into wall clocks where a scenario is read.
public enum ZoneDatabase {
  /// The clock of a zone between two instants: an IANA name, `UTC`, or an offset such as `+02:00`.
  ///
  /// Returns nothing for a name that is not known.
  public static func wallClock(
    named name: String, from start: Instant, to end: Instant
  ) -> WallClock? {
    if name == "UTC" || name == "GMT" { return .utc }
    if let offset = TimeText.offset(name) { return WallClock(initialOffset: offset) }
    // Abbreviations mean different zones to different people, so only full names are taken.
    guard name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
    var date = Date(timeIntervalSince1970: start.secondsSince1970)
    let initial = TimeSpan.seconds(Int64(zone.secondsFromGMT(for: date)))
    var transitions: [WallClock.Transition] = []
    // A zone changes a few times a year; the bound is against a database that never moves on.
    while transitions.count < 4_000, let next = zone.nextDaylightSavingTimeTransition(after: date),
      next > date, next.timeIntervalSince1970 <= end.secondsSince1970
    {
      let offset = TimeSpan.seconds(Int64(zone.secondsFromGMT(for: next)))
      let instant = Instant(secondsSince1970: Int64(next.timeIntervalSince1970.rounded()))
      transitions.append(.init(instant: instant, offset: offset))
      date = next
    }
    return WallClock(initialOffset: initial, transitions: transitions)
  }

  /// The names that the system knows, in alphabetical order.
  public static var names: [String] { TimeZone.knownTimeZoneIdentifiers.sorted() }
}

extension ZoneDatabase {
  /// What to say of a name that is not known.
  static func sentence(onUnknown name: String) -> String {
    """
    "\(name)" is not a time zone. Write an IANA name such as 'Europe/London', 'UTC', or an offset \
    such as '+02:00'.\(NearestName.suggestion(for: name, among: names))
    """
  }
}
