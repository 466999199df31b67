import Quantities
import Testing

@testable import Outcomes

@Suite("Patterns of the day")
struct DailyPatternTests {
  @Test("Each hour has its median, its basal and its boluses, as means over the days that had it")
  func measures() {
    // Two days from midnight and six hours of a third; 0.1 U every five minutes until 12:00 of
    // each day, and a bolus of 2 U at 07:30 of the first.
    let length = TimeSpan.hours(54)
    var deliveries: [InsulinRecord.Delivery] = []
    let minutes: StrideThrough<Int64> = stride(from: 5, through: 54 * 60, by: 5)
    for minute in minutes where (minute - 1) % 1_440 < 720 {
      deliveries.append(.init(at: monday + .minutes(minute), .milliunits(100), .basal))
    }
    deliveries.append(.init(at: monday + .minutes(450), .milliunits(2_000), .userBolus))
    deliveries.append(.init(at: monday + .minutes(451), .milliunits(9_000), .external))
    let values = (0..<648).map { (index: Int) -> Double in
      let hourly = 100 + Double((index / 12) % 24)
      return index.isMultiple(of: 3) ? hourly + 50 : hourly
    }
    let glucose = series(values)
    let run = RunMeasurements(
      from: monday, to: monday + length, trueGlucose: glucose, cgm: glucose,
      insulin: InsulinRecord(deliveries: deliveries))
    let pattern = DailyPattern(run, glucose)
    for hour in 0..<24 {
      // Eight of twelve readings of an hour are at the lower value.
      #expect(pattern.glucose[hour] == 100 + Double(hour))
      #expect(agree(pattern.basal[hour], hour < 12 ? 1.2 : 0), "\(hour)")
      // Two of the days had 07:00 to 08:00.
      #expect(agree(pattern.bolus[hour], hour == 7 ? 1 : 0), "\(hour)")
    }
  }

  @Test("A pulse on the hour belongs to the hour before, and an hour that was not lived has none")
  func isHalfOpen() {
    let start = monday + .hours(5)
    let run = RunMeasurements(
      from: start, to: start + .hours(2), trueGlucose: series([]), cgm: series([]),
      insulin: InsulinRecord(deliveries: [
        .init(at: monday + .hours(6), .milliunits(300), .basal),
        // The last of the run, as it ends.
        .init(at: monday + .hours(7), .milliunits(200), .basal),
      ]))
    let pattern = DailyPattern(run, series([]))
    #expect(pattern.basal[5] == 0.3 && pattern.basal[6] == 0.2)
    #expect(pattern.basal.count { $0 == nil } == 22)
    #expect(pattern.glucose.allSatisfy { $0 == nil })
  }

  @Test("An hour of the day ends at its own end, wherever a run begins")
  func endsWithTheHour() {
    // From 07:58 to 08:58: two minutes of the one hour, 58 of the other.
    let start = monday + .minutes(478)
    let run = RunMeasurements(
      from: start, to: start + .hours(1), trueGlucose: series([]), cgm: series([]),
      insulin: InsulinRecord(deliveries: [
        .init(at: monday + .minutes(479), .milliunits(100), .basal),
        .init(at: monday + .minutes(510), .milliunits(2_900), .userBolus),
      ]))
    let pattern = DailyPattern(run, series([]))
    #expect(agree(pattern.basal[7], 3))
    #expect(agree(pattern.bolus[8], 3))
  }

  @Test("The hours are those of the clock on the wall, also on the day it is set forward")
  func followsTheClock() {
    // An hour is skipped at 02:00: the run of 23 hours has none of that name.
    let clock = WallClock(
      initialOffset: .zero, transitions: [.init(instant: monday + .hours(2), offset: .hours(1))])
    let run = RunMeasurements(
      from: monday, to: monday + .hours(23), trueGlucose: series([], clock: clock),
      cgm: series([], clock: clock))
    let pattern = DailyPattern(run, series([], clock: clock))
    #expect(pattern.basal[2] == nil)
    #expect(pattern.basal.count { $0 == 0 } == 23)
  }

  @Test("The mean of patterns is taken hour by hour over those that have one")
  func averages() throws {
    func pattern(_ value: Double?) -> DailyPattern {
      DailyPattern(
        glucose: Array(repeating: value, count: 24), basal: Array(repeating: 1, count: 24),
        bolus: Array(repeating: nil, count: 24))
    }
    let mean = try #require(DailyPattern(meanOf: [pattern(100), pattern(nil), pattern(140)]))
    #expect(mean.glucose.allSatisfy { $0 == 120 })
    #expect(mean.basal.allSatisfy { $0 == 1 })
    #expect(mean.bolus.allSatisfy { $0 == nil })
    #expect(DailyPattern(meanOf: []) == nil)
  }
}
