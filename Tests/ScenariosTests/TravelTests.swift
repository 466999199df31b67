import ClosedLoop
import Quantities
import RunPlans
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Scenarios

@Suite("A phone that travels, and its pump")
struct TravelTests {
  /// A run from 06:00 UTC, whose schedule has another rate every six hours.
  private static func run(
    _ events: String, hours: Int = 20, zone: ScheduleZone = .wallClock
  ) throws -> RunResult {
    let read = Read(
      """
      clock: { start: '2026-05-05T06:00:00', duration: '\(hours)h' },
      patient: { model: 'tidepool-simple', initialGlucose: 110,
        needs: { basal: [['00:00', 1], ['06:00', 1.5], ['12:00', 0.5], ['18:00', 2]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false, scheduleZone: '\(zone.rawValue)' }, events: [\(events)]
      """)
    let plan = try #require(read.plan, "\(read.sentences)")
    let problems = ProblemList()
    let built = try #require(
      RunBuilder.build(plan.run(at: 0), problems: problems), "\(problems.problems)")
    var run = Run(built.setup)
    while run.step() {}
    return run.finish()
  }

  /// The hours in UTC at which the pump's schedule goes on to another rate.
  private static func changes(_ result: RunResult) -> [Int64] {
    zip(result.trace.rows, result.trace.rows.dropFirst())
      .filter { $0.scheduledRate != $1.scheduledRate }
      .map { ($0.1.instant - result.start).milliseconds / 3_600_000 + 6 }
  }

  @Test("The order in which trips stand in the file does not matter")
  func order() throws {
    let there = "{ at: '08:00', timeZone: '+04:00' }"
    let back = "{ at: '16:00', timeZone: 'UTC' }"
    let result = try Self.run("\(back), \(there)")
    #expect(result.digest == (try Self.run("\(there), \(back)")).digest)
    let shown = result.trace.happenings.filter { $0.kind == .timeZone }.map(\.text)
    #expect(
      shown == [
        "The phone now shows 2026-05-05T12:00:00.", "The phone now shows 2026-05-05T16:00:00.",
      ])
    #expect(result.clock.offset(at: result.end) == .zero)
  }

  @Test("A pump whose clock was set abroad does not come home with the phone by itself")
  func pumpStays() throws {
    let there = "{ at: '08:00', timeZone: '+04:00' }, { at: '10:00', pump: { setTime: true } }"
    // From 10:00 on the pump shows 14:00: noon is over, and later entries come four hours early.
    let expected: [Int64] = [10, 14, 20, 26]
    #expect(Self.changes(try Self.run(there)) == expected)
    let alone = "\(there), { at: '16:00', timeZone: 'UTC' }"
    #expect(Self.changes(try Self.run(alone)) == expected)
    // It shows 16:00 again at 16:00, and then the evening and the night of UTC.
    let together = "\(there), { at: '16:00', timeZone: 'UTC', pumpFollows: true }"
    #expect(Self.changes(try Self.run(together)) == [10, 14, 16, 18, 24])
  }

  @Test("By a clock that is behind, schedules follow the new zone no later")
  func behind() throws {
    let events =
      "{ at: '07:00', clockSet: '-2h' }, { at: '09:00', timeZone: '+04:00', pumpFollows: true }"
    // At 09:00 phone and pump show 11:00, two hours less than it is there: noon comes at 10:00.
    #expect(Self.changes(try Self.run(events)) == [10, 16, 22])
  }

  @Test("A new app has the zone in which the phone is, by a clock that is behind too")
  func installedBehind() throws {
    let result = try Self.run(
      """
      { at: '08:00', timeZone: '+04:00', pumpFollows: true }, { at: '09:00', clockSet: '-2h' },
      { at: '09:30', phone: 'reinstall' }
      """, zone: .fixedOffset)
    // At 14:00, by its own dates, it is 18:00 there.
    #expect(result.basalSamples.contains { $0.start == result.start + .hours(8) })
  }

  @Test("A schedule that keeps its offset takes that of the pump's clock when it is set")
  func scheduleFollowsPump() throws {
    for trip in [
      "{ at: '08:00', timeZone: '+04:00', pumpFollows: true }",
      "{ at: '07:00', timeZone: '+04:00' }, { at: '08:00', pump: { setTime: true } }",
    ] {
      let result = try Self.run(trip, zone: .fixedOffset)
      // At 08:00 it is noon; later entries come four hours early.
      let expected: [Int64] = [8, 14, 20, 26]
      #expect(Self.changes(result).prefix(3) == expected.prefix(3))
      let believed = result.scheduledBasal.segments.map {
        ($0.start - result.start).milliseconds / 3_600_000 + 6
      }
      #expect(believed == [6] + expected.prefix(3))
      let rates = result.scheduledBasal.segments.map(\.value.milliunitsPerHour)
      #expect(rates == [1_500, 500, 2_000, 1_000])
      #expect(!result.agreement.differences.contains { $0.kind == .scheduleDiffers })
    }
  }

  @Test("An app whose schedules follow the phone's clock knows of no trip to come")
  func noTripIsForeseen() throws {
    func rates(_ trip: String) throws -> (before: [Int64], after: [Int64]) {
      let read = Read(
        """
        clock: { start: '2026-05-05T06:00:00', duration: '8h' },
        patient: { model: 'tidepool-simple', initialGlucose: 200, needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        therapy: { sensitivity: [['00:00', 50], ['12:00', 25]], maxBasal: 20 },
        app: { scheduleZone: 'wallClock', midAbsorptionISF: true }, events: [\(trip)]
        """)
      let plan = try #require(read.plan, "\(read.sentences)")
      let built = try #require(RunBuilder.build(plan.run(at: 0), problems: ProblemList()))
      var run = Run(built.setup)
      while run.step() {}
      let result = run.finish()
      let flight = result.start + .hours(3)
      let rows = result.trace.rows.map { ($0.instant, $0.programmedRate.milliunitsPerHour) }
      return (
        rows.filter { $0.0 < flight }.map { $0.1 }, rows.filter { $0.0 > flight }.map { $0.1 }
      )
    }
    let trip = try rates("{ at: '09:00', timeZone: '+06:00' }")
    let home = try rates("")
    #expect(trip.before == home.before)
    // It is 15:00 there, when a unit lowers glucose by half as much.
    #expect(trip.after != home.after)
  }

  @Test("A schedule that is saved abroad follows the pump's clock, which nobody has set")
  func savedAbroad() throws {
    let result = try Self.run(
      """
      { at: '08:00', timeZone: '+04:00' },
      { at: '10:00', settings: { basal: [['00:00', 1], ['12:00', 2]] } }
      """, zone: .fixedOffset)
    let believed = result.scheduledBasal.segments.map {
      "\(($0.start - result.start).hours + 6) \($0.value.milliunitsPerHour)"
    }
    #expect(believed == ["6.0 1500", "10.0 1000", "12.0 2000", "24.0 1000"])
    #expect(!result.agreement.differences.contains { $0.kind == .scheduleDiffers })
  }

  @Test("A schedule that differs to the end of the run is told to differ until then")
  func differsToTheEnd() throws {
    let result = try Self.run(
      "{ at: '08:00', timeZone: '+04:00' }, { at: '10:00', pump: { setTime: true } }, "
        + "{ at: '16:00', timeZone: 'UTC' }", hours: 17)
    // Midnight of the pump is at 20:00, and the run ends at 23:00.
    let texts = result.agreement.differences.filter { $0.kind == .scheduleDiffers }.map(\.text)
    #expect(
      texts.last == "The app believes in a basal schedule that the pump does not run from "
        + "2026-05-05T20:00:00Z to 2026-05-05T23:00:00Z: 2.00 U/h in place of 1.00 U/h.",
      "\(texts)")
  }
}
