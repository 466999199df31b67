import Quantities
import ScenarioLanguage
import StructuredText
import Testing

@testable import Scenarios

@Suite("The times of events")
struct EventTimesTests {
  private static let clock = "clock: { start: '2026-01-05T06:00:00', duration: '3d' }"

  /// The instants of an event's `at`, by a clock and a seed.
  private static func instants(
    _ at: String, clock: String = clock, seed: UInt64 = 1
  ) throws -> [Instant] {
    let written = try WrittenScenario("\(clock), at: \(at)")
    let times = EventTimes(in: written.root.context, seed: seed)
    let instants = times.instants(of: written.root["at"], stream: "events.lunch")
    #expect(written.sentences == [])
    return instants
  }

  @Test("A daily time comes on its days, and not before the start or after the end")
  func daily() throws {
    let some = try Self.instants("{ daily: '07:15', days: [0, 2] }")
    #expect(some.map(\.description) == ["2026-01-05T07:15:00Z", "2026-01-07T07:15:00Z"])
    let all = try Self.instants("{ daily: '05:00' }")
    #expect(
      all.map(\.description) == [
        "2026-01-06T05:00:00Z", "2026-01-07T05:00:00Z", "2026-01-08T05:00:00Z",
      ])
  }

  @Test("A daily time is the one on the wall, on both sides of a change to summer time")
  func summerTime() throws {
    let clock = """
      clock: { start: '2026-03-07T00:00:00', timeZone: 'America/Los_Angeles', duration: '2d' }
      """
    let instants = try Self.instants("{ daily: '07:15' }", clock: clock)
    #expect(instants.map(\.description) == ["2026-03-07T15:15:00Z", "2026-03-08T14:15:00Z"])
  }

  @Test("Jitter keeps within its bounds, and follows from the seed alone")
  func jitter() throws {
    let at = "{ daily: '12:00', jitter: '20m' }"
    let instants = try Self.instants(at)
    #expect(instants.count == 3)
    for (day, instant) in instants.enumerated() {
      let planned = Instant(secondsSince1970: 1_767_614_400 + Int64(day) * 86_400)
      #expect(abs((instant - planned).seconds) <= 1_200)
    }
    #expect(try Self.instants(at) == instants)
    #expect(try Self.instants(at, seed: 2) != instants)
  }

  @Test("A day more moves the jitter of no other day")
  func jitterOfDays() throws {
    func noon(of days: String) throws -> [Instant] {
      try Self.instants("{ daily: '12:00', jitter: '20m', days: [\(days)] }")
    }
    let all = try noon(of: "0, 1, 2")
    #expect(all.count == 3)
    #expect(try noon(of: "0, 2") == [all[0], all[2]])
    #expect(try noon(of: "2") == [all[2]])
    #expect(try Self.instants("{ daily: '12:00', jitter: '20m' }") == all)
  }

  @Test("Jitter reaches into the run from the evening before it and from the morning after it")
  func jitterAtTheEnds() throws {
    let clock = "clock: { start: '2026-01-05T00:00:00', duration: '23h59m' }"
    let midnight = Instant(secondsSince1970: 1_767_571_200)
    let span = TimeSpan.minutes(10)
    var (evenings, mornings) = (0, 0)
    for seed in 1...200 as ClosedRange<UInt64> {
      // On the day itself it comes at 23:55 ± 10 min, in the run in 14 of 20 minutes.
      let late = try Self.instants("{ daily: '23:55', jitter: '10m' }", clock: clock, seed: seed)
      let eve = late.filter { $0 < midnight + .hours(12) }
      #expect(late.count - eve.count <= 1 && eve.allSatisfy { $0 <= midnight + span - .minutes(5) })
      evenings += eve.count
      let named = try Self.instants(
        "{ daily: '23:55', jitter: '10m', days: [0] }", clock: clock, seed: seed)
      // The draw of the day is the same whether or not the evening before is asked for.
      #expect(named == late.filter { $0 > midnight + .hours(12) })
      let early = try Self.instants("{ daily: '00:05', jitter: '10m' }", clock: clock, seed: seed)
      mornings += early.count { $0 > midnight + .hours(12) }
    }
    // The evening before reaches the run in 5 of 20 minutes, the morning after in 4 of 20: of 200
    // runs 50 and 40, with standard deviations of 6.1 and 5.7.
    #expect((evenings - 50).magnitude < 25, "\(evenings)")
    #expect((mornings - 40).magnitude < 23, "\(mornings)")
  }

  @Test("A daily time that lies in the pre-roll does not come there, which is told")
  func dailyInPreRoll() {
    func said(_ preRoll: String, _ at: String) -> [String] {
      CheckTests.sentences(
        "clock: { start: '2026-01-15T08:00:00', duration: '2d', preRoll: '\(preRoll)' }, "
          + "events: [{ at: \(at), meal: { grams: 20 } }]")
    }
    // Fifty hours before 08:00 on the 15th is 06:00 on the 13th: 07:15 of three days, noon of two.
    for (time, count) in [("07:15", 3), ("12:00", 2)] {
      let told = said("50h", "{ daily: '\(time)' }")
      #expect(
        told.count == 1
          && told[0].hasSuffix(
            "note: \"\(time)\" lies in the pre-roll (clock.preRoll) \(count) times, and does not "
              + "come there: what comes daily begins with the start."),
        "\(told)")
    }
    #expect(said("50h", "{ daily: '07:15', days: [1] }") == [])
    #expect(said("19h", "{ daily: '12:00' }") == [])
    #expect(said("0s", "{ daily: '07:15' }") == [])
  }

  @Test("A day that is there twice is an error")
  func dayTwice() throws {
    let written = try WrittenScenario("\(Self.clock), at: { daily: '07:15', days: [0, 2, 0] }")
    let times = EventTimes(in: written.root.context, seed: 1)
    _ = times.instants(of: written.root["at"], stream: "events.lunch")
    #expect(written.sentences == ["\"at.days\" has day 0 twice. Write each day once."])
    let meal = "{ name: 'lunch', window: ['12:00', '13:00'], days: [1, 1], grams: 30 }"
    let (built, problems) = BehaviourFixture.attempt(
      BehaviourFixture.text("behaviour: { meals: [\(meal)] }"))
    #expect(built == nil)
    #expect(
      problems.contains { $0.contains("\"behaviour.meals[0].days\" has day 1 twice.") },
      "\(problems)")
  }

  @Test("Several occurrences are counted, and an event without an id is called after its place")
  func names() throws {
    let written = try WrittenScenario(
      """
      \(Self.clock), events: [{ id: 'lunch', at: ['12:00', '13:00'] }, { id: 'tea', at: '16:00' },
        { at: '17:00' }]
      """)
    let times = EventTimes(in: written.root.context, seed: 1)
    let names = (0..<3).map { place in
      times.occurrences(of: written.root["events"][place], kind: "meal", place: place).map(\.name)
    }
    #expect(names == [["lunch#1", "lunch#2"], ["tea"], ["meal-3"]])
  }

  @Test("A phone that travels has the clock of its new zone from then on")
  func travel() throws {
    let written = try WrittenScenario(
      """
      \(Self.clock), events: [{ at: '2026-01-06T00:00:00', timeZone: 'Asia/Tokyo' },
        { at: '2026-01-07T00:00:00', timeZone: 'Mars/Phobos' }]
      """)
    let times = EventTimes(in: written.root.context, seed: 1)
    let clock = TravelClock(written.root["events"], times).wallClock
    let midnight = Instant(secondsSince1970: 1_767_657_600)
    #expect(clock.offset(at: midnight - .seconds(1)) == .zero)
    #expect(clock.offset(at: midnight) == .hours(9))
    #expect(clock.offset(at: midnight + .days(2)) == .hours(9))
    #expect(
      written.sentences == [
        "\"Mars/Phobos\" is not a time zone. Write an IANA name such as 'Europe/London', 'UTC', "
          + "or an offset such as '+02:00'."
      ])
  }

  @Test("Trips count in the order of time, and each zone has its own clock")
  func trips() throws {
    let written = try WrittenScenario(
      """
      \(Self.clock), events: [{ at: '2026-01-07T00:00:00', timeZone: 'UTC' },
        { at: '2026-01-06T00:00:00', timeZone: 'Asia/Tokyo' }]
      """)
    let times = EventTimes(in: written.root.context, seed: 1)
    let trips = TravelClock(written.root["events"], times)
    let midnight = Instant(secondsSince1970: 1_767_657_600)
    #expect(trips.wallClock.offset(at: midnight + .hours(23)) == .hours(9))
    #expect(trips.wallClock.offset(at: midnight + .days(1)) == .zero)
    #expect(trips.stays.map(\.from) == [midnight, midnight + .days(1)])
    #expect(trips.stays.map { $0.clock.offset(at: midnight + .days(2)) } == [.hours(9), .zero])
    // By a clock that is behind it is not there yet when the phone has come.
    #expect(trips.stays.map { $0.clock.offset(at: midnight - .hours(2)) } == [.hours(9), .zero])
  }
}
