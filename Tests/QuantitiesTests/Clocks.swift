import Determinism
import Quantities
import Testing

/// Clocks of real places, with the transitions that the IANA time-zone database gives.
enum Clocks {
  static let losAngeles = clock("-8h", ("2026-03-08T10:00Z", "-7h"), ("2026-11-01T09:00Z", "-8h"))
  static let berlin = clock("1h", ("2026-03-29T01:00Z", "2h"), ("2026-10-25T01:00Z", "1h"))
  static let lordHowe = clock(
    "11h", ("2026-04-04T15:00Z", "10h30m"), ("2026-10-03T15:30Z", "11h"))
  static let saoPaulo = clock("-3h", ("2018-11-04T03:00Z", "-2h"), ("2019-02-17T02:00Z", "-3h"))
  static let santiago = clock("-3h", ("2026-04-05T03:00Z", "-4h"), ("2026-09-06T04:00Z", "-3h"))
  static let havana = clock("-5h", ("2026-03-08T05:00Z", "-4h"), ("2026-11-01T05:00Z", "-5h"))
  /// Samoa went over the date line and had no 30 December 2011.
  static let apia = clock("-10h", ("2011-12-30T10:00Z", "14h"))

  static let newYorkToLosAngeles = clock("-5h", ("2026-01-10T20:00Z", "-8h"))
  static let losAngelesToNewYork = clock("-8h", ("2026-01-10T16:00Z", "-5h"))
  static let tokyoToHonolulu = clock("9h", ("2026-01-10T03:00Z", "-10h"))
  static let honoluluToTokyo = clock("-10h", ("2026-01-10T20:00Z", "9h"))

  static let all = [
    .utc, losAngeles, berlin, lordHowe, saoPaulo, santiago, havana, apia, newYorkToLosAngeles,
    losAngelesToNewYork, tokyoToHonolulu, honoluluToTokyo,
  ]

  /// A clock with up to six changes within ten days, by any number of minutes up to a day.
  static func random(seed: UInt64) -> WallClock {
    var stream = RandomStream(seed: seed, name: "clocks")
    let transitions = (0..<stream.integer(below: 7)).map { _ in
      WallClock.Transition(
        instant: Instant(secondsSince1970: 60 * Int64(stream.integer(below: 14_400))),
        offset: .minutes(Int64(stream.integer(below: 1_681)) - 840))
    }
    return WallClock(initialOffset: .hours(1), transitions: transitions)
  }

  private static func clock(_ initial: String, _ changes: (String, String)...) -> WallClock {
    WallClock(
      initialOffset: TimeSpan(initial) ?? .zero,
      transitions: changes.map {
        .init(
          instant: Instant(iso8601: $0.0) ?? .init(secondsSince1970: 0),
          offset: TimeSpan($0.1) ?? .zero)
      })
  }
}

/// The instant that ISO 8601 text gives.
func instant(_ text: String) throws -> Instant { try #require(Instant(iso8601: text)) }

/// The civil time that ISO 8601 text gives.
func civil(_ text: String) throws -> CivilTime { try #require(CivilTime(iso8601: text)) }
