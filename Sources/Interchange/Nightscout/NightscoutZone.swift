internal import Quantities

/// A time zone as the programs write it whose profiles Nightscout keeps.
struct NightscoutZone {
  /// The name by which it is known here.
  let name: String
  let clock: WallClock

  /// Finds the zone of a name; `nil` for a name that is not known, or could be two zones.
  ///
  /// - Parameters:
  ///   - text: The name.
  ///   - zones: The clocks of time zones by their names in the database.
  init?(_ text: String, _ zones: (String) -> WallClock?) {
    if let clock = Self.fixed(text) ?? zones(text) {
      (name, self.clock) = (text, clock)
    } else if let hours = Self.americanHours[text.uppercased()] {
      (name, clock) = ("Etc/GMT+\(hours)", WallClock(initialOffset: .hours(-hours)))
    } else if let place = Self.places[text.uppercased()], let clock = zones(place) {
      (name, self.clock) = (place, clock)
    } else if let minutes = Self.minutes(text) {
      let parts = [minutes.magnitude / 60, minutes.magnitude % 60].map { part in
        (part < 10 ? "0" : "") + "\(part)"
      }
      name = (minutes < 0 ? "-" : "+") + parts.joined(separator: ":")
      clock = WallClock(initialOffset: .minutes(minutes))
    } else {
      return nil
    }
  }

  /// A fixed offset from a name; the sign of `ETC/GMT+5` is inverted, as POSIX has it.
  static func fixed(_ name: String) -> WallClock? {
    let upper = name.uppercased()
    if universal.contains(upper) { return .utc }
    guard upper.hasPrefix("ETC/GMT"), let hours = Int64(upper.dropFirst(7)),
      (-14...14).contains(hours)
    else { return nil }
    return WallClock(initialOffset: .hours(-hours))
  }

  private static let universal: Set = ["UTC", "GMT", "ETC/UTC", "ETC/GMT", "Z", "UCT", "ZULU"]

  /// The abbreviations that are zones of the database themselves, of one offset all the year, by
  /// how many hours they are behind.
  private static let americanHours: [String: Int64] = ["EST": 5, "MST": 7, "HST": 10]

  /// The other abbreviations in the database, which are names of places now.
  private static let places = [
    "EST5EDT": "America/New_York", "CST6CDT": "America/Chicago", "MST7MDT": "America/Denver",
    "PST8PDT": "America/Los_Angeles", "CET": "Europe/Brussels", "MET": "Europe/Brussels",
    "EET": "Europe/Athens", "WET": "Europe/Lisbon",
  ]

  /// The offset of a name such as `GMT-5`, `GMT-05:00` or `GMT-0500`, in minutes.
  ///
  /// Java and Apple's Foundation call a clock of an offset so, with the sign that an offset has
  /// everywhere but in `ETC/GMT+5`.
  private static func minutes(_ text: String) -> Int64? {
    let upper = text.uppercased()
    guard upper.hasPrefix("GMT") || upper.hasPrefix("UTC") else { return nil }
    let offset = upper.dropFirst(3)
    guard let sign = offset.first, sign == "+" || sign == "-" else { return nil }
    let parts = offset.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let first = Int64(parts[0])
    else { return nil }
    let (hours, minutes): (Int64, Int64)
    switch (parts[0].utf8.count, parts.dropFirst().first) {
    case (1...2, nil): (hours, minutes) = (first, 0)
    case (3...4, nil): (hours, minutes) = (first / 100, first % 100)
    case (1...2, let rest?):
      guard rest.utf8.count == 2, let number = Int64(rest) else { return nil }
      (hours, minutes) = (first, number)
    default: return nil
    }
    guard hours <= 14, minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
  }
}
