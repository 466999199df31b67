import Determinism
import Quantities
import Testing

@Suite("Daily schedule")
struct DailyScheduleTests {
  /// A schedule on a clock, and where each of its stretches starts.
  struct Expansion: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let clock: WallClock
    let entries: [(String, String)]
    let starts: [String]
    let end: String
  }

  static let expansions = [
    Expansion(
      testDescription: "Two days without a change of clocks", clock: .utc,
      entries: [("00:00", "night"), ("06:00", "day")],
      starts: [
        "2026-01-01T05:00Z night", "2026-01-01T06:00Z day", "2026-01-02T00:00Z night",
        "2026-01-02T06:00Z day",
      ], end: "2026-01-02T07:00Z"),
    Expansion(
      testDescription: "Los Angeles, summer time begins", clock: Clocks.losAngeles,
      entries: [("00:00", "a"), ("02:30", "b"), ("06:00", "c")],
      starts: ["2026-03-08T08:00Z a", "2026-03-08T10:00Z b", "2026-03-08T13:00Z c"],
      end: "2026-03-09T07:00Z"),
    Expansion(
      testDescription: "Los Angeles, summer time ends", clock: Clocks.losAngeles,
      entries: [("00:00", "a"), ("01:30", "b"), ("06:00", "c")],
      starts: [
        "2026-11-01T07:00Z a", "2026-11-01T08:30Z b", "2026-11-01T09:00Z a", "2026-11-01T09:30Z b",
        "2026-11-01T14:00Z c",
      ], end: "2026-11-02T08:00Z"),
    Expansion(
      testDescription: "Berlin, summer time begins", clock: Clocks.berlin,
      entries: [("00:00", "a"), ("02:30", "b")],
      starts: ["2026-03-28T23:00Z a", "2026-03-29T01:00Z b"], end: "2026-03-29T22:00Z"),
    Expansion(
      testDescription: "Berlin, summer time ends", clock: Clocks.berlin,
      entries: [("00:00", "a"), ("02:30", "b")],
      starts: [
        "2026-10-24T22:00Z a", "2026-10-25T00:30Z b", "2026-10-25T01:00Z a", "2026-10-25T01:30Z b",
      ], end: "2026-10-25T23:00Z"),
    Expansion(
      testDescription: "Lord Howe goes back by half an hour", clock: Clocks.lordHowe,
      entries: [("00:00", "a"), ("01:45", "b"), ("12:00", "c")],
      starts: [
        "2026-04-04T13:00Z a", "2026-04-04T14:45Z b", "2026-04-04T15:00Z a", "2026-04-04T15:15Z b",
        "2026-04-05T01:30Z c",
      ], end: "2026-04-05T13:30Z"),
    Expansion(
      testDescription: "Lord Howe goes forward by half an hour", clock: Clocks.lordHowe,
      entries: [("00:00", "a"), ("02:15", "b")],
      starts: ["2026-10-03T13:30Z a", "2026-10-03T15:30Z b"], end: "2026-10-04T13:00Z"),
    Expansion(
      testDescription: "Flying west, an entry holds again", clock: Clocks.newYorkToLosAngeles,
      entries: [("00:00", "a"), ("12:00", "b"), ("14:00", "c")],
      starts: [
        "2026-01-10T05:00Z a", "2026-01-10T17:00Z b", "2026-01-10T19:00Z c", "2026-01-10T20:00Z b",
        "2026-01-10T22:00Z c",
      ], end: "2026-01-11T08:00Z"),
    Expansion(
      testDescription: "Flying east, an entry is left out", clock: Clocks.losAngelesToNewYork,
      entries: [("00:00", "a"), ("09:00", "b"), ("10:30", "c")],
      starts: ["2026-01-10T08:00Z a", "2026-01-10T16:00Z c"], end: "2026-01-11T05:00Z"),
    Expansion(
      testDescription: "Over the date line into the day before", clock: Clocks.tokyoToHonolulu,
      entries: [("00:00", "a"), ("06:00", "b")],
      starts: [
        "2026-01-09T15:00Z a", "2026-01-09T21:00Z b", "2026-01-10T03:00Z b", "2026-01-10T10:00Z a",
        "2026-01-10T16:00Z b",
      ], end: "2026-01-11T10:00Z"),
    Expansion(
      testDescription: "Over the date line into the day after", clock: Clocks.honoluluToTokyo,
      entries: [("00:00", "a"), ("06:00", "b")],
      starts: [
        "2026-01-10T10:00Z a", "2026-01-10T16:00Z b", "2026-01-10T20:00Z a", "2026-01-10T21:00Z b",
      ], end: "2026-01-11T15:00Z"),
    Expansion(
      testDescription: "São Paulo skips midnight", clock: Clocks.saoPaulo,
      entries: [("00:00", "a"), ("00:30", "b"), ("22:00", "c")],
      starts: ["2018-11-04T01:00Z c", "2018-11-04T03:00Z b", "2018-11-05T00:00Z c"],
      end: "2018-11-05T02:00Z"),
    Expansion(
      testDescription: "Santiago skips midnight under one value", clock: Clocks.santiago,
      entries: [("00:00", "a")],
      starts: ["2026-09-05T04:00Z a", "2026-09-06T04:00Z a"], end: "2026-09-07T03:00Z"),
    Expansion(
      testDescription: "Havana repeats midnight within one day", clock: Clocks.havana,
      entries: [("00:00", "a")],
      starts: ["2026-11-01T04:00Z a"], end: "2026-11-02T05:00Z"),
    Expansion(
      testDescription: "Samoa has no 30 December", clock: Clocks.apia, entries: [("00:00", "a")],
      starts: ["2011-12-29T10:00Z a", "2011-12-30T10:00Z a"], end: "2011-12-31T10:00Z"),
  ]

  @Test("The clock on the wall decides which entry holds", arguments: expansions)
  func followsTheClock(expansion: Expansion) throws {
    let schedule = try DailySchedule(
      expansion.entries.map { .init(start: try #require(TimeOfDay($0.0)), value: $0.1) })
    let expected = try expansion.starts.map { line in
      let parts = line.split(separator: " ")
      return (start: try instant(String(parts[0])), value: String(parts[1]))
    }
    let start = try #require(expected.first).start
    let end = try instant(expansion.end)
    let segments = schedule.timeline(from: start, to: end, on: expansion.clock).segments
    #expect(segments.map(\.start) == expected.map(\.start))
    #expect(segments.map(\.value) == expected.map(\.value))
    #expect(segments.last?.end == end)
  }

  @Test(
    "On any clock, at any minute, the timeline holds what the clock's time of day says",
    arguments: 0..<60 as Range<UInt64>)
  func agreesWithTheClock(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "schedules")
    let times = (0..<stream.integer(below: 12)).map { _ in stream.integer(below: 1_439) + 1 }
    let starts = [0] + Set(times).sorted()
    let schedule = try DailySchedule(
      starts.map {
        .init(start: TimeOfDay(milliseconds: Int64($0) * 60_000), value: $0)
      })
    let clock = Clocks.random(seed: seed)
    let start = Instant(secondsSince1970: 60 * Int64(stream.integer(below: 5_000)))
    let end = start + .minutes(Int64(stream.integer(below: 10_000)) + 1)
    let timeline = schedule.timeline(from: start, to: end, on: clock)
    #expect(timeline.segments.first?.start == start)
    #expect(timeline.segments.last?.end == end)
    for segment in timeline.segments {
      let first = clock.civilTime(at: segment.start)
      let last = clock.civilTime(at: segment.end - .milliseconds(1))
      #expect(first.dayNumber == last.dayNumber, "A stretch stays within one day.")
    }
    var moment = start
    while moment < end {
      let time = clock.timeOfDay(at: moment)
      #expect(timeline.value(at: moment) == schedule.value(at: time))
      moment += .minutes(13)
    }
  }

  @Test("A schedule starts at midnight and ascends")
  func refusesDisorder() throws {
    let six = try #require(TimeOfDay("06:00"))
    #expect(throws: DailySchedule<Int>.Fault.empty) { try DailySchedule<Int>([]) }
    #expect(throws: DailySchedule<Int>.Fault.doesNotStartAtMidnight(six)) {
      try DailySchedule([.init(start: six, value: 1)])
    }
    #expect(throws: DailySchedule<Int>.Fault.notAscending(index: 2)) {
      try DailySchedule([
        .init(start: .midnight, value: 1), .init(start: six, value: 2),
        .init(start: six, value: 3),
      ])
    }
  }

  @Test("A value holds from its start until the next entry, and the last one until midnight")
  func holdsUntilTheNext() throws {
    let six = try #require(TimeOfDay("06:00"))
    let schedule = try DailySchedule([
      .init(start: .midnight, value: 1), .init(start: six, value: 2),
    ])
    #expect(schedule.value(at: .midnight) == 1)
    #expect(schedule.value(at: TimeOfDay(milliseconds: six.milliseconds - 1)) == 1)
    #expect(schedule.value(at: six) == 2)
    #expect(schedule.value(at: TimeOfDay(milliseconds: 86_399_999)) == 2)
    #expect(schedule.mapValues { $0 * 10 }.entries.map(\.value) == [10, 20])
    #expect(DailySchedule(always: 7).value(at: six) == 7)
  }

  @Test("Nothing is expanded when the end does not come after the start")
  func expandsNothingBackwards() {
    let now = Instant(secondsSince1970: 0)
    #expect(DailySchedule(always: 1).timeline(from: now, to: now, on: .utc).segments.isEmpty)
    let before = now - .days(1)
    #expect(DailySchedule(always: 1).timeline(from: now, to: before, on: .utc).segments.isEmpty)
  }
}
