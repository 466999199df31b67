import Determinism
import Quantities
import TestSupport
import Testing

@Suite("Wall clock")
struct WallClockTests {
  @Test(
    "A clock shows local time with its offset",
    arguments: [
      (Clocks.losAngeles, "2026-03-08T09:59:59Z", "2026-03-08T01:59:59-08:00"),
      (Clocks.losAngeles, "2026-03-08T10:00:00Z", "2026-03-08T03:00:00-07:00"),
      (Clocks.losAngeles, "2026-11-01T08:59:59Z", "2026-11-01T01:59:59-07:00"),
      (Clocks.losAngeles, "2026-11-01T09:00:00Z", "2026-11-01T01:00:00-08:00"),
      (Clocks.lordHowe, "2026-04-04T15:00:00Z", "2026-04-05T01:30:00+10:30"),
      (Clocks.lordHowe, "2026-10-03T15:30:00Z", "2026-10-04T02:30:00+11:00"),
      (Clocks.apia, "2011-12-30T09:59:59.999Z", "2011-12-29T23:59:59.999-10:00"),
      (Clocks.apia, "2011-12-30T10:00:00Z", "2011-12-31T00:00:00+14:00"),
      (.utc, "2026-03-08T10:00:00Z", "2026-03-08T10:00:00Z"),
      (
        WallClock(initialOffset: .seconds(-2_204)), "1900-01-01T00:36:44Z",
        "1900-01-01T00:00:00-00:36:44"
      ),
    ])
  func shows(clock: WallClock, moment: String, expected: String) throws {
    #expect(clock.iso8601(try instant(moment)) == expected)
  }

  @Test("A time that summer time skips stands for the first instant after the gap")
  func readsSkippedTimes() throws {
    let change = try instant("2026-03-08T10:00Z")
    for text in ["2026-03-08T02:00", "2026-03-08T02:59:59.999"] {
      #expect(Clocks.losAngeles.reading(of: try civil(text)) == .skipped(firstValid: change))
    }
    let before = try instant("2026-03-08T09:59:59Z")
    #expect(Clocks.losAngeles.reading(of: try civil("2026-03-08T01:59:59")) == .once(before))
    #expect(Clocks.losAngeles.reading(of: try civil("2026-03-08T03:00")) == .once(change))
    let skippedDay = Clocks.apia.reading(of: try civil("2011-12-30T12:00"))
    #expect(skippedDay == .skipped(firstValid: try instant("2011-12-30T10:00Z")))
  }

  @Test("A time that winter time repeats stands for two instants, the first by default")
  func readsRepeatedTimes() throws {
    let reading = Clocks.losAngeles.reading(of: try civil("2026-11-01T01:30"))
    let first = try instant("2026-11-01T01:30-07:00")
    #expect(reading == .twice(first: first, second: try instant("2026-11-01T01:30-08:00")))
    #expect(reading.instant == first)
    let end = Clocks.losAngeles.reading(of: try civil("2026-11-01T02:00"))
    #expect(end == .once(try instant("2026-11-01T02:00-08:00")))
  }

  @Test(
    "The next midnight is where the next local day starts",
    arguments: [
      (.utc, "2026-03-08T00:00Z", "2026-03-09T00:00Z"),
      (Clocks.losAngeles, "2026-03-08T00:00-08:00", "2026-03-09T00:00-07:00"),
      (Clocks.losAngeles, "2026-11-01T00:00-07:00", "2026-11-02T00:00-08:00"),
      // Midnight is skipped: the day starts at 01:00.
      (Clocks.saoPaulo, "2018-11-03T12:00-03:00", "2018-11-04T01:00-02:00"),
      (Clocks.saoPaulo, "2018-11-04T01:00-02:00", "2018-11-05T00:00-02:00"),
      (Clocks.santiago, "2026-09-05T12:00-04:00", "2026-09-06T01:00-03:00"),
      // 23:00 comes twice before midnight.
      (Clocks.saoPaulo, "2019-02-16T23:30-02:00", "2019-02-17T00:00-03:00"),
      // 00:00 comes twice on the same day.
      (Clocks.havana, "2026-11-01T00:30-04:00", "2026-11-02T00:00-05:00"),
      (Clocks.havana, "2026-11-01T00:00-05:00", "2026-11-02T00:00-05:00"),
      // A day that never was, and a day that came twice.
      (Clocks.apia, "2011-12-29T12:00-10:00", "2011-12-31T00:00+14:00"),
      (Clocks.tokyoToHonolulu, "2026-01-10T11:00+09:00", "2026-01-10T00:00-10:00"),
      (Clocks.honoluluToTokyo, "2026-01-10T09:00-10:00", "2026-01-11T05:00+09:00"),
    ])
  func findsMidnight(clock: WallClock, moment: String, expected: String) throws {
    #expect(clock.midnight(after: try instant(moment)) == (try instant(expected)))
  }

  @Test(
    "A local day starts at its first instant",
    arguments: [
      (Clocks.losAngeles, "2026-03-08T12:00-07:00", "2026-03-08T00:00-08:00"),
      (Clocks.saoPaulo, "2018-11-04T12:00-02:00", "2018-11-04T01:00-02:00"),
      (Clocks.havana, "2026-11-01T12:00-05:00", "2026-11-01T00:00-04:00"),
      (Clocks.havana, "2026-11-01T00:10-04:00", "2026-11-01T00:00-04:00"),
      (Clocks.apia, "2011-12-31T12:00+14:00", "2011-12-31T00:00+14:00"),
      (Clocks.tokyoToHonolulu, "2026-01-10T11:00+09:00", "2026-01-10T00:00+09:00"),
      (Clocks.tokyoToHonolulu, "2026-01-10T11:00-10:00", "2026-01-10T00:00-10:00"),
      (Clocks.tokyoToHonolulu, "2026-01-09T18:00-10:00", "2026-01-09T00:00+09:00"),
    ])
  func findsStartOfDay(clock: WallClock, moment: String, expected: String) throws {
    #expect(clock.startOfDay(containing: try instant(moment)) == (try instant(expected)))
  }

  @Test("Transitions are put in order, and those that change nothing disappear")
  func ordersTransitions() throws {
    let first = try instant("2026-01-01T00:00Z")
    let second = try instant("2026-02-01T00:00Z")
    let clock = WallClock(
      initialOffset: .hours(1),
      transitions: [
        .init(instant: second, offset: .hours(3)),
        .init(instant: first, offset: .hours(9)),
        .init(instant: first, offset: .hours(2)),
        .init(instant: second + .days(1), offset: .hours(3)),
      ])
    #expect(
      clock.transitions == [
        .init(instant: first, offset: .hours(2)), .init(instant: second, offset: .hours(3)),
      ])
    #expect(clock.offset(at: first - .milliseconds(1)) == .hours(1))
    #expect(clock.offset(at: first) == .hours(2))
  }

  @Test("What a clock shows at an instant is read as that instant", arguments: Clocks.all)
  func readsWhatItShows(clock: WallClock) {
    for transition in clock.transitions {
      for minutes in stride(from: -3_000 as Int64, through: 3_000, by: 7) {
        let moment = transition.instant + .minutes(minutes)
        switch clock.reading(of: clock.civilTime(at: moment)) {
        case .once(let only): #expect(only == moment)
        case .twice(let first, let second): #expect(first == moment || second == moment)
        case .skipped: Issue.record("\(clock.iso8601(moment)) is shown, and so not skipped.")
        }
      }
    }
  }

  @Test(
    "No day starts between an instant and the next midnight",
    arguments: 0..<Extent.of(10, whole: 60) as Range<UInt64>)
  func missesNoMidnight(seed: UInt64) {
    let clock = Clocks.random(seed: seed)
    var stream = RandomStream(seed: seed, name: "moments")
    for _ in 0..<10 {
      let start = Instant(secondsSince1970: 60 * Int64(stream.integer(below: 15_000)))
      let midnight = clock.midnight(after: start)
      #expect(midnight > start)
      var day = clock.civilTime(at: start).dayNumber
      var moment = start + .minutes(1)
      while moment <= midnight {
        let next = clock.civilTime(at: moment).dayNumber
        #expect((next > day) == (moment == midnight))
        day = next
        moment += .minutes(1)
      }
    }
  }
}
