import Quantities
import TestSupport
import Testing
import TimeZones

@Suite("Time zones")
struct ZoneDatabaseTests {
  /// Offsets as the governments' announcements and the IANA database have them.
  @Test(
    "A zone shows what its clocks show",
    arguments: [
      ("Europe/London", "2026-03-29T00:59:59Z", 0),
      ("Europe/London", "2026-03-29T01:00:00Z", 3_600),
      ("Europe/London", "2026-10-25T01:00:00Z", 0),
      // British Standard Time: summer time the whole year, until 31 October 1971.
      ("Europe/London", "1971-01-15T00:00:00Z", 3_600),
      ("Europe/London", "1972-01-15T00:00:00Z", 0),
      ("America/Chicago", "2026-03-08T07:59:59Z", -21_600),
      ("America/Chicago", "2026-03-08T08:00:00Z", -18_000),
      // Until 2006 summer time began on the first Sunday of April.
      ("America/Chicago", "2006-03-20T00:00:00Z", -21_600),
      ("US/Central", "2099-07-01T00:00:00Z", -18_000),
      ("Asia/Kathmandu", "1985-12-31T00:00:00Z", 19_800),
      ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700),
      // Half an hour of summer time, in the southern summer.
      ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", 39_600),
      ("Australia/Lord_Howe", "2026-07-01T00:00:00Z", 37_800),
      // Samoa left out 30 December 2011.
      ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000),
      ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
      // Liberia was 44 minutes and 30 seconds behind.
      ("Africa/Monrovia", "1971-06-01T00:00:00Z", -2_670),
      ("Africa/Monrovia", "2026-06-01T00:00:00Z", 0),
      // Summer time pauses in Ramadan.
      ("Africa/Casablanca", "2026-03-01T00:00:00Z", 0),
      ("Africa/Casablanca", "2026-04-01T00:00:00Z", 3_600),
      // The change is on the Saturday before, at 22:00.
      ("America/Nuuk", "2026-03-29T00:59:59Z", -7_200),
      ("America/Nuuk", "2026-03-29T01:00:00Z", -3_600),
      ("Asia/Kolkata", "2400-01-01T00:00:00Z", 19_800),
      // Years in which summer time was left out.
      ("Africa/Cairo", "2018-07-01T00:00:00Z", 7_200),
      ("Europe/Tallinn", "2000-07-01T00:00:00Z", 7_200),
      ("Etc/GMT+5", "2026-01-01T00:00:00Z", -18_000),
    ])
  func offset(name: String, time: String, seconds: Int64) throws {
    let instant = try #require(Instant(iso8601: time))
    let clock = try #require(
      ZoneDatabase.wallClock(named: name, from: instant - .days(400), to: instant + .days(400)))
    #expect(clock.offset(at: instant) == .seconds(seconds))
    let short = try #require(ZoneDatabase.wallClock(named: name, from: instant, to: instant))
    #expect(short.offset(at: instant) == .seconds(seconds))
    #expect(short.transitions.isEmpty)
  }

  @Test("A clock changes between the two instants only, and twice a year where it does")
  func span() throws {
    let start = try #require(Instant(iso8601: "2026-03-29T01:00:00Z"))
    let end = try #require(Instant(iso8601: "2036-03-30T01:00:00Z"))
    let clock = try #require(
      ZoneDatabase.wallClock(named: "Europe/Berlin", from: start, to: end))
    #expect(clock.initialOffset == .hours(2))
    #expect(clock.transitions.count == 20)
    #expect(clock.transitions.last?.instant == end)
  }

  @Test("A name is known in whatever case of letters, with blanks around it")
  func folded() {
    #expect(ZoneDatabase.name(like: "ETC/GMT+5") == "Etc/GMT+5")
    #expect(ZoneDatabase.name(like: " america/chicago\n") == "America/Chicago")
    for name in ["", " ", "Mars/Olympus", "GMT-5"] {
      #expect(ZoneDatabase.name(like: name) == nil)
    }
    for name in ZoneDatabase.names { #expect(ZoneDatabase.name(like: name) == name) }
  }

  @Test("A span of millions of years ends")
  func millions() throws {
    let far = Instant(millisecondsSince1970: .max / 2)
    for name in ["America/New_York", "Asia/Tokyo", "Africa/Casablanca"] {
      let clock = ZoneDatabase.wallClock(
        named: name, from: Instant(millisecondsSince1970: .min / 2), to: far)
      #expect(try #require(clock).transitions.count <= 4_000)
      #expect(ZoneDatabase.wallClock(named: name, from: far, to: far) != nil)
    }
  }

  @Test("Every zone can be read; abbreviations are none")
  func names() throws {
    #expect(ZoneDatabase.names.count > 500)
    #expect(ZoneDatabase.version.hasPrefix("20"))
    let start = try #require(Instant(iso8601: "1970-01-01T00:00:00Z"))
    for name in Extent.some(of: ZoneDatabase.names, every: 7) {
      let clock = ZoneDatabase.wallClock(named: name, from: start, to: start + .days(50_000))
      let known = try #require(clock)
      #expect(known.transitions.allSatisfy { abs($0.offset.seconds) <= 15 * 3_600 })
    }
    for name in [
      "CST", "Europe", "Europe/Lodnon", "", "/", "../etc/passwd", " ", "Africa/Abidjan ",
      "Africa/Abidjan Africa/Accra", "Africa/Algiers|", "|0", "0 3600 7200",
    ] {
      #expect(ZoneDatabase.wallClock(named: name, from: start, to: start) == nil)
    }
  }
}
