import Determinism
import Quantities
import Testing

@Suite("Spans of time and instants")
struct TimeSpanTests {
  @Test(
    "A span is read with its units",
    arguments: [
      ("90s", 90_000), ("5m", 300_000), ("1.5h", 5_400_000), ("2d", 172_800_000),
      ("1h30m", 5_400_000), ("-10m", -600_000), ("+10m", 600_000), ("0s", 0), ("250ms", 250),
      ("1d2h3m4s5ms", 93_784_005), ("0.001s", 1), ("0.5d", 43_200_000), ("100000s", 100_000_000),
    ] as [(String, Int64)])
  func readsUnits(text: String, milliseconds: Int64) {
    #expect(TimeSpan(text) == TimeSpan(milliseconds: milliseconds))
  }

  @Test(
    "A number without a unit, units in disorder and fractions of a millisecond are refused",
    arguments: [
      "", "-", "5", "m", "5 m", "5m5m", "30m1h", "1ms1s", "5w", "5min", "1.h", ".5h", "1e3s",
      "0.5ms", "0.0001s", "--5m", "5m-", "1.5.5h", "99999999999999999d", "9999999999999999d",
      "40000000d", "5M", "٥m",
    ])
  func refusesOtherText(text: String) {
    #expect(TimeSpan(text) == nil)
  }

  @Test("A span is read back from how it is written", arguments: 0..<20 as Range<UInt64>)
  func readsBack(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "spans")
    for _ in 0..<50 {
      let limit = [1_000, 100_000, 100_000_000, 1_000_000_000_000][Int(stream.integer(below: 4))]
      let span = TimeSpan(
        milliseconds: Int64(stream.integer(below: UInt64(2 * limit))) - Int64(limit))
      #expect(TimeSpan(span.description) == span)
    }
  }

  @Test("A quotient is rounded down, below zero too")
  func dividesDownwards() {
    #expect(TimeSpan.minutes(14).quotient(by: .minutes(5)) == 2)
    #expect(TimeSpan.minutes(15).quotient(by: .minutes(5)) == 3)
    #expect(TimeSpan.milliseconds(-1).quotient(by: .minutes(5)) == -1)
    #expect(TimeSpan.minutes(-5).quotient(by: .minutes(5)) == -1)
    #expect(TimeSpan.minutes(-6).quotient(by: .minutes(5)) == -2)
  }

  @Test("Seconds are rounded to the nearest millisecond, and only finite ones")
  func roundsSeconds() {
    #expect(TimeSpan(roundingSeconds: 0.0005) == .milliseconds(1))
    #expect(TimeSpan(roundingSeconds: -1.2344) == .milliseconds(-1_234))
    #expect(TimeSpan(roundingSeconds: .nan) == nil)
    #expect(TimeSpan(roundingSeconds: .infinity) == nil)
    #expect(TimeSpan(roundingSeconds: 1e13) == nil)
  }

  @Test("Spans are measured in the unit asked for")
  func convertsUnits() {
    let span = TimeSpan.minutes(90)
    #expect((span.hours, span.minutes, span.seconds) == (1.5, 90, 5_400))
    #expect((-span).magnitude == span)
    #expect(span - .hours(1) + .days(1) * 2 == .milliseconds(174_600_000))
  }

  @Test("An instant is rounded to steps since 1970, before it too")
  func roundsInstants() throws {
    let late = try instant("2026-03-08T10:07:59.999Z")
    #expect(late.floored(to: .minutes(5)) == (try instant("2026-03-08T10:05:00Z")))
    #expect(late.ceiled(to: .minutes(5)) == (try instant("2026-03-08T10:10:00Z")))
    let early = try instant("1969-12-31T23:58:00Z")
    #expect(early.floored(to: .minutes(5)) == (try instant("1969-12-31T23:55:00Z")))
    #expect(early.ceiled(to: .minutes(5)) == (try instant("1970-01-01T00:00:00Z")))
    #expect(late.floored(to: .milliseconds(1)) == late.ceiled(to: .milliseconds(1)))
  }

  @Test(
    "A time of day is read in minutes, seconds or milliseconds",
    arguments: [
      ("7:15", "07:15:00"), ("07:15", "07:15:00"), ("23:59:59", "23:59:59"),
      ("07:15:30.25", "07:15:30.250"), ("00:00", "00:00:00"), ("0:00:00.001", "00:00:00.001"),
    ])
  func readsTimesOfDay(text: String, expected: String) throws {
    let time = try #require(TimeOfDay(text))
    #expect(time.description == expected)
    #expect(time.hoursAndMinutes == String(expected.prefix(5)))
  }

  @Test(
    "Other text is no time of day",
    arguments: [
      "", "7", "24:00", "7:5", "07:60", "7:15:60", "007:15", "7:15:3", "7:15:30.", "-7:15",
      "7:15:30.1234", "7:15am", " 7:15", "7:15:00:00", "٧:15",
    ])
  func refusesOtherTimesOfDay(text: String) {
    #expect(TimeOfDay(text) == nil)
  }
}
