public import Quantities
import StructuredText

/// The time zones of the world, turned into wall clocks where a name is read.
///
/// They are a part of the program, so that the zones which a machine has, or has not, make no
/// difference to a run.
public enum ZoneDatabase {
  /// The version of the IANA time zone database.
  public static var version: String { ZoneTable.version }

  /// The most changes of a clock; a store may say that it spans millions of years.
  private static let mostChanges = 4_000

  /// The clock of a zone between two instants: an IANA name, `UTC`, or an offset such as `+02:00`.
  ///
  /// Before 1970 a zone has the offset of that year. Returns nothing for a name that is not known.
  public static func wallClock(
    named name: String, from start: Instant, to end: Instant
  ) -> WallClock? {
    if name == "UTC" || name == "GMT" { return .utc }
    if let offset = TimeSpan(utcOffset: name) { return WallClock(initialOffset: offset) }
    guard let zone = ZoneTable.record(named: name).flatMap(Zone.init) else { return nil }
    let clock = zone.clock(from: start, to: end).restricted(from: start, to: end)
    return WallClock(
      initialOffset: clock.initialOffset, transitions: Array(clock.transitions.prefix(mostChanges)))
  }

  /// The names that are known, in alphabetical order.
  ///
  /// Abbreviations mean different zones to different people, so only full names are taken.
  public static let names = ZoneTable.names.sorted()

  /// The name that is known for a text which differs from it in the case of letters or has blanks
  /// around it, as files of other programs have: `Etc/GMT+5` for `ETC/GMT+5`.
  public static func name(like text: String) -> String? {
    var text = text[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return foldedNames[text.lowercased()]
  }

  private static let foldedNames: [String: String] = {
    var folded: [String: String] = [:]
    for name in names.reversed() { folded[name.lowercased()] = name }
    return folded
  }()
}

extension WallClock {
  /// The same clock, with the changes between two instants alone.
  package func restricted(from start: Instant, to end: Instant) -> WallClock {
    WallClock(
      initialOffset: offset(at: start),
      transitions: transitions.filter { $0.instant > start && $0.instant <= end })
  }
}

extension ZoneDatabase {
  /// What to say of a name that is not known.
  package static func sentence(onUnknown name: String) -> String {
    """
    "\(name)" is not a time zone. Write an IANA name such as 'Europe/London', 'UTC', or an offset \
    such as '+02:00'.\(NearestName.suggestion(for: name, among: names))
    """
  }
}
