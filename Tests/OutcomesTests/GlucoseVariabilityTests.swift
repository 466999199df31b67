import Quantities
import Testing

@testable import Outcomes

@Suite("Glucose variability")
struct GlucoseVariabilityTests {
  @Test("A constant glucose does not vary")
  func isStill() throws {
    let still = try #require(series(run(120, 576)).variability)
    #expect(still.meanOfDailyDifferences == 0)
    #expect(still.conga24 == 0)
    #expect(still.meanAbsoluteGlucosePerHour == 0)
    #expect(still.glycemicVariabilityPercentage == 0)
    #expect(still.meanUnderCurve == 120)
    #expect(still.labilityIndex == 0)
    #expect(GlucoseGrid(series(run(120, 576))).flatMap(GlycemicExcursions.init) == nil)
  }

  @Test("What needs two days is nothing after one")
  func needsTwoDays() throws {
    let one = try #require(series(run(120, 288)).variability)
    #expect(one.meanOfDailyDifferences == nil)
    #expect(one.conga24 == nil)
    #expect(one.deviationOfDailyMeans == nil)
    #expect(one.deviationBetweenDays == nil)
  }

  @Test("A ramp of 5 mg/dL in 5 minutes moves 60 mg/dL an hour, along a line of √2")
  func measuresARamp() throws {
    let ramp = try #require(series((0..<60).map { 100 + 5 * Double($0) }).variability)
    #expect(agree(ramp.meanAbsoluteGlucosePerHour, 60))
    #expect(agree(ramp.glycemicVariabilityPercentage, 41.42135623730951))
    #expect(agree(ramp.conga1.map { $0 + 1 }, 1))
    #expect(agree(ramp.deviationOfRate.map { $0 + 1 }, 1))
    #expect(agree(ramp.labilityIndex, 168 * (60 / 18.01559) * (60 / 18.01559)))
    #expect(agree(ramp.meanUnderCurve, 100 + 5 * 59 / 2.0))
  }

  @Test("Readings every two hours have no hourly change, and those of an hour do")
  func hoursApart() throws {
    let values = (0..<36).map { 100 + 20 * Double($0 % 3) }
    let sparse = try #require(series(values, every: 120).variability)
    #expect(sparse.labilityIndex == nil)
    #expect(sparse.conga1 == nil)
    // Of 35 changes 24 are of 20 mg/dL and 11 of 40.
    let hourly = try #require(series(values, every: 60).variability)
    let squares = Double(24 * 400 + 11 * 1_600) / (18.01559 * 18.01559)
    #expect(agree(hourly.labilityIndex, squares / (35.0 / 168)))
  }

  @Test("Changes over what is nearest to an hour are squares per hour, and per week of their own")
  func nearlyHours() throws {
    // 1 mmol/L in each of the 20 times of 45 minutes that 21 values span, which are 15 hours.
    let values = (0..<21).map { 100 + 18.01559 * Double($0 % 2) }
    let uneven = try #require(series(values, every: 45).variability)
    #expect(agree(uneven.labilityIndex, (20 / 0.75) / (15.0 / 168)))
  }

  @Test("Two days that differ by 30 differ by 30")
  func comparesDays() throws {
    let two = try #require(series(run(100, 288) + run(130, 288)).variability)
    #expect(two.meanOfDailyDifferences == 30)
    #expect(agree(two.deviationOfDailyMeans, 30 / 2.0.squareRoot()))
    #expect(agree(two.deviationBetweenDays, 30 / 2.0.squareRoot()))
    #expect(two.deviationWithinDays == 0)
  }

  @Test("The midnight with which whole days end is no day of the SD of daily means")
  func closesTheLastDay() throws {
    let two = try #require(series(run(100, 288) + run(130, 288) + [400]).variability)
    #expect(agree(two.deviationOfDailyMeans, 30 / 2.0.squareRoot()))
    let one = try #require(series(run(100, 288) + [400]).variability)
    #expect(one.deviationOfDailyMeans == nil)
    // The second day's first five minutes are a part of it, and one reading a day is a day each.
    let begun = try #require(series(run(100, 288) + [400, 400]).variability)
    #expect(agree(begun.deviationOfDailyMeans, 300 / 2.0.squareRoot()))
    let daily = try #require(series([100, 130], every: 1_440).variability)
    #expect(agree(daily.deviationOfDailyMeans, 30 / 2.0.squareRoot()))
  }

  @Test("Areas beyond a limit count only what is beyond it")
  func measuresAreas() throws {
    let high = try #require(series(run(200, 61)).variability)
    #expect(high.meanAbove180 == 20)
    #expect(high.meanBelow70 == 0)
  }

  @Test("Each CONGA is over its own hours, and the deviation of rates over a quarter of one")
  func eachLag() throws {
    // Four hours of 100, four of 110, and so on: three rises and two falls of 10 in a day.
    let values = (0..<288).map { 100 + 10 * Double($0 / 48 % 2) }
    let steps = try #require(series(values).variability)
    // Over n steps a change is seen n times: the squares about the mean of 288 − n differences.
    func deviation(_ n: Double, _ height: Double) -> Double {
      let count = 288 - n
      let sum = n * height
      let squares = 5 * n * height * height - sum * sum / count
      return (squares / (count - 1)).squareRoot()
    }
    #expect(agree(steps.conga1, deviation(12, 10)))
    #expect(agree(steps.conga2, deviation(24, 10)))
    #expect(agree(steps.conga4, deviation(48, 10)))
    #expect(agree(steps.deviationOfRate, deviation(3, 10 / 15.0)))
  }

  @Test("A zigzag that begins with a fall of just its threshold turns where that begins")
  func zigzagsFromAFall() {
    let points = GlycemicExcursions.turningPoints(of: [100, 60, 90, 101, 99], threshold: 40)
    #expect(points == [100, 60, 101])
  }

  @Test("The zigzag keeps swings of at least its threshold")
  func zigzags() {
    let points = GlycemicExcursions.turningPoints(
      of: [100, 150, 120, 200, 180, 90, 130, 60], threshold: 40)
    #expect(points == [100, 200, 90, 130, 60])
    #expect(GlycemicExcursions.turningPoints(of: [100, 105, 98, 103], threshold: 40).isEmpty)
    #expect(GlycemicExcursions.turningPoints(of: [], threshold: 1).isEmpty)
  }

  @Test("A saw between 100 and 200 has a mean amplitude of 100")
  func measuresASaw() throws {
    let tooth = run(100, 6) + run(200, 6)
    let saw = (0..<24).flatMap { _ in tooth }
    let grid = try #require(GlucoseGrid(series(saw)))
    let excursions = try #require(GlycemicExcursions(grid))
    #expect(excursions.meanAmplitude == 100)
    #expect(excursions.count == 47)
    #expect(GlycemicExcursions.daily(grid) == 100)
  }

  @Test("Six hours are enough for a mean amplitude, and five minutes less are not")
  func shortestStretch() throws {
    // One rise from 100 to 200, which is more than the SD of 50.
    for (count, rise) in [(36, 100.0), (35, nil)] {
      let grid = try #require(GlucoseGrid(series(run(100, 36) + run(200, count))))
      #expect(GlycemicExcursions(grid)?.meanRise == rise)
    }
  }

  @Test("A reading is held against the line between true values 15 minutes apart, and not further")
  func furthestReference() {
    // Five minutes into a rise from 100 to 130 glucose is 110, and the reading a tenth above it.
    let reading = series([121], from: monday + .minutes(5))
    let apart = series([100, 130], every: 15)
    #expect(agree(reading.meanAbsoluteRelativeDifference(to: apart), 10))
    #expect(reading.meanAbsoluteRelativeDifference(to: series([100, 130], every: 16)) == nil)
  }

  @Test("The daily profile smooths over midnight")
  func smoothsCyclically() throws {
    let values = (0..<24).flatMap { run($0 == 0 ? 160 : 100, 12) }
    let profile = DailyProfile(series(values))
    #expect(profile.hours[0].raw == [160, 160, 160, 160, 160])
    #expect(profile.hours[0].smoothed == run(140, 5))
    #expect(profile.hours[23].smoothed == run(110, 5))
    let half = DailyProfile(series(run(100, 24)))
    #expect(half.hours[5].smoothed.isEmpty)
    #expect(half.hours[1].smoothed == run(100, 5))
  }

  @Test(
    "Every point of the control variability grid has its zone",
    arguments: [
      (95, 170, "A"), (95, 180, "Upper B"), (90, 170, "Lower B"), (70, 179, "Lower C"),
      (45, 320, "E"), (120, 350, "Upper C"), (130, 150, "A"), (60, 200, "Lower D"),
      (75, 305, "Upper D"), (80, 200, "B"),
    ] as [(Double, Double, String)])
  func findsZones(low: Double, high: Double, zone: String) {
    #expect(ControlVariability(low: low, high: high).zone.rawValue == zone)
  }

  @Test("What lies beyond the middle of the plane stands on its edge")
  func movesToTheMiddle() {
    let point = ControlVariability(low: 120, high: 100)
    #expect(point.x == 110)
    #expect(point.y == 110)
  }

  @Test("The shares of the zones add up to 100")
  func sharesZones() {
    let points = [(95.0, 170.0), (130, 150), (45, 320)].map(ControlVariability.init(low:high:))
    let shares = ControlVariability.shares(of: points)
    #expect(agree(shares.reduce(0) { $0 + $1.percent }, 100))
    #expect(agree(shares.first?.percent, 200 / 3.0))
  }

  /// Chicago in the first days of November 2026, where clocks go back on the 1st at 02:00.
  private static let chicago = WallClock(
    initialOffset: .hours(-5),
    transitions: [.init(instant: Instant(secondsSince1970: 1_793_516_400), offset: .hours(-6))])
  /// 1 November 2026, 00:00 in Chicago: 05:00 UTC.
  private static let november = Instant(secondsSince1970: 1_793_509_200)

  @Test("A low in the last hour of a day of 25 hours is counted")
  func lastHourOfALongDay() throws {
    let values = run(120, 24 * 12) + run(60, 6) + run(120, 6)
    let long = series(values, from: Self.november, clock: Self.chicago)
    let grid = try #require(GlucoseGrid(long))
    let lows = grid.events(.low)
    #expect(lows.map(\.start) == [Self.november + .hours(24)])
    #expect(lows.map(\.duration) == [.minutes(30)])
    #expect(grid.days == [0..<300])
  }

  @Test("Days that are the same by the clock on the wall do not differ where clocks change")
  func sameDays() throws {
    let start = Self.november - .days(1)
    // 100 at midnight, and 4 more with each hour that the clock shows.
    let points = (0..<(73 * 12)).map { step in
      let instant = start + .minutes(5) * Int64(step)
      let hour = Self.chicago.timeOfDay(at: instant).milliseconds / 3_600_000
      return GlucoseSeries.Point(instant, mgdL: 100 + 4 * Double(hour))
    }
    let days = GlucoseSeries(points, clock: Self.chicago)
    #expect(GlucoseGrid(days)?.days == [0..<288, 288..<588, 588..<876])
    let found = try #require(days.variability)
    #expect(found.meanOfDailyDifferences == 0)
    #expect(found.deviationBetweenDays == 0)
    // The day of 25 hours has one hour more of 104: (24 · 146 + 104) / 25 = 144.32.
    #expect(agree(found.deviationOfDailyMeans, (146 - 144.32) / 3.0.squareRoot()))
  }

  @Test(
    "A day on which the clock goes back and forward again is held against the next by the clock")
  func toAndFro() throws {
    // 08:00 is 07:00 again, and after 16:59 comes 18:00.
    let clock = WallClock(
      initialOffset: .zero,
      transitions: [
        .init(instant: monday + .hours(8), offset: .hours(-1)),
        .init(instant: monday + .hours(18), offset: .zero),
      ])
    let points = (0..<576).map { step in
      let instant = monday + .minutes(5) * Int64(step)
      let hour = clock.timeOfDay(at: instant).milliseconds / 3_600_000
      return GlucoseSeries.Point(instant, mgdL: 100 + 4 * Double(hour))
    }
    let grid = try #require(GlucoseGrid(GlucoseSeries(points, clock: clock)))
    #expect(grid.days == [0..<288, 288..<576])
    #expect(grid.timesOfDay[0][17 * 12..<18 * 12].allSatisfy { $0 == nil })
    #expect(grid.timesOfDay[0].count { $0 != nil } == 276)
    #expect(GlucoseVariability(grid).meanOfDailyDifferences == 0)
  }

  @Test(
    "A day whose midnight is left out begins at 01:00, also where its slots are 24 hours' worth")
  func withoutMidnight() throws {
    let clock = WallClock(
      initialOffset: .zero, transitions: [.init(instant: monday, offset: .hours(1))])
    let grid = try #require(GlucoseGrid(series(run(120, 276), clock: clock)))
    #expect(grid.days == [0..<288])
    let times = try #require(grid.timesOfDay.first)
    #expect(
      times == run(120, 276).reduce(into: [Double?](repeating: nil, count: 12)) { $0.append($1) })
  }

  @Test("CONGA is over the hours that were asked for, and is none over less than a step")
  func congaHours() throws {
    // A rise of 1, 2, 3, ... each five minutes: over n steps from i the change is n·i + n(n+1)/2.
    let values = (0..<60).map { 100 + Double($0 * ($0 + 1) / 2) }
    func conga(_ hours: String, _ series: GlucoseSeries) throws -> Double? {
      let metric = try Metric.parse("conga(\(hours))")
      let end = monday + .hours(60)
      return metric.value(
        of: RunMeasurements(from: monday, to: end, trueGlucose: series, cgm: series))
    }
    // The SD of n·i for i from 0 to 59 − n.
    func deviation(_ n: Double) -> Double {
      let variance: Double = (60 - n) * (61 - n) / 12
      return n * variance.squareRoot()
    }
    #expect(agree(try conga("1", series(values)), deviation(12)))
    #expect(agree(try conga("1.5", series(values)), deviation(18)))
    let meter = series([100, 150, 90, 170, 130], every: 240)
    #expect(try conga("2", meter) == nil)
    #expect(meter.variability?.conga1 == nil)
    #expect(meter.variability?.conga4 != nil)
  }
}
