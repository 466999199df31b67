import Quantities
import Testing

@testable import Outcomes

/// Readings are whole numbers, so that many of them lie on a bound.
///
/// The consensus counts 70 and 180 mg/dL as in range, and 250 as level 1 (Battelino et al.,
/// Diabetes Care 2019;42:1593).
@Suite("What lies on a bound")
struct BoundsTests {
  private func lengths(_ kind: GlucoseEventKind, of value: Double, _ count: Int) throws -> [Double]
  {
    let values = day(of: 120, with: [(30, run(value, count))])
    return try #require(GlucoseGrid(series(values))).events(kind).map(\.duration.minutes)
  }

  @Test("An hour at exactly 70 is no low, at 180 no high, and at 250 no very high")
  func events() throws {
    #expect(try lengths(.low, of: 70, 12).isEmpty)
    #expect(try lengths(.low, of: 69, 12) == [60])
    #expect(try lengths(.high, of: 180, 12).isEmpty)
    #expect(try lengths(.high, of: 181, 12) == [60])
    #expect(try lengths(.veryHigh, of: 250, 12).isEmpty)
    #expect(try lengths(.highOnly, of: 250, 12) == [60])
    #expect(try lengths(.veryHigh, of: 251, 12) == [60])
  }

  @Test("Hours at exactly 70 are no prolonged low, and at 250 no prolonged high")
  func prolonged() throws {
    #expect(try lengths(.prolongedLow, of: 70, 40).isEmpty)
    #expect(try lengths(.prolongedLowInclusive, of: 70, 40).isEmpty)
    #expect(try lengths(.prolongedVeryLow, of: 54, 40).isEmpty)
    #expect(try lengths(.prolongedHigh, of: 250, 40).isEmpty)
  }

  @Test("A prolonged high ends with fifteen minutes at 180, where glucose is in range again")
  func recovers() throws {
    let values = day(of: 200, with: [(30, run(251, 18)), (48, run(180, 3))])
    let events = try #require(GlucoseGrid(series(values))).events(.prolongedHigh)
    #expect(events.map(\.duration.minutes) == [90])
  }

  @Test("A pulse at the end of a stretch is given in it, and one at its start is not")
  func pulses() {
    let record = InsulinRecord(
      deliveries: (0...2).map { .init(at: monday + .hours($0), .milliunits(50), .basal) })
    let hour = record.given(asBasal: true, after: monday, through: monday + .hours(1))
    #expect(hour == .milliunits(50))
    let all = record.given(
      asBasal: true, after: monday - .milliseconds(1), through: monday + .hours(2))
    #expect(all == .milliunits(150))
  }

  @Test("A part of the day has its first moment and not its last, over midnight too")
  func window() {
    func time(_ hour: Int64) -> TimeOfDay { WallClock.utc.timeOfDay(at: monday + .hours(hour)) }
    let day = DailyWindow(from: time(6), to: time(22))
    #expect(day.contains(time(6)) && !day.contains(time(22)))
    let night = DailyWindow(from: time(22), to: time(6))
    #expect(night.contains(time(22)) && !night.contains(time(6)))
    // Of 24 readings on the hour each has its part.
    let hours = series(run(120, 24), every: 60)
    #expect(hours.within(day).points.count == 16)
    #expect(hours.within(night).points.count == 8)
  }

  @Test("A gap of 45 minutes is none above it, an hour of readings is one, and 30 are enough")
  func sufficiency() throws {
    func at(_ minutes: [Int64]) throws -> DataSufficiency {
      let points = minutes.map { GlucoseSeries.Point(monday + .minutes($0), mgdL: 120) }
      return try #require(DataSufficiency(GlucoseSeries(points, clock: .utc)))
    }
    let start = (0..<8).map { Int64(5 * $0) }
    #expect(try at(start + [80]).gapsOver45Minutes == 0)
    #expect(try at(start + [81]).gapsOver45Minutes == 1)
    #expect(try at((0..<12).map { 5 * $0 }).daysWithAnHour == 1)
    #expect(try at((0..<11).map { 5 * $0 }).daysWithAnHour == 0)
    #expect(try at((0..<30).map { 5 * $0 }).notes.allSatisfy { !$0.hasPrefix("SD and CV") })
    #expect(try at((0..<29).map { 5 * $0 }).notes.contains { $0.hasPrefix("SD and CV rest on 29") })
  }
}
