import Quantities
import Testing

@testable import Outcomes

@Suite("Glucose series")
struct GlucoseSeriesTests {
  @Test("Values that are not finite are dropped and counted")
  func dropsWhatIsNotFinite() {
    let series = series([100, .nan, 120, .infinity, 140])
    #expect(series.values == [100, 120, 140])
    #expect(series.discarded == 2)
  }

  @Test("Points stand in the order of time, and the later one of a second stays")
  func sortsAndKeepsTheLater() {
    let series = GlucoseSeries([
      .init(monday + .minutes(10), mgdL: 130), .init(monday, mgdL: 100),
      .init(monday + .milliseconds(400), mgdL: 101), .init(monday + .minutes(5), mgdL: 120),
    ])
    #expect(series.values == [101, 120, 130])
    #expect(series.duplicates == 1)
    // Whatever their order in the input; that decides between values of one time.
    let other = GlucoseSeries([
      .init(monday + .milliseconds(400), mgdL: 101), .init(monday, mgdL: 100),
      .init(monday + .minutes(5), mgdL: 120), .init(monday + .minutes(5), mgdL: 121),
    ])
    #expect(other.values == [101, 121])
  }

  @Test(
    "The interval is the median distance, brought to a part of a day",
    arguments: [([0, 5, 10, 40], 5), ([0, 15, 30], 15), ([0, 7, 14], 5), ([0, 1], 1), ([0], 5)]
      as [([Int64], Int)])
  func findsTheInterval(minutes: [Int64], interval: Int) {
    let points = minutes.map { GlucoseSeries.Point(monday + .minutes($0), mgdL: 100) }
    #expect(GlucoseSeries(points).intervalMinutes == interval)
  }

  /// 1,440 minutes are no multiple of 7, 11, 25 or 1,000: the grid of a day has another distance.
  @Test("Nothing is missing between values at any distance", arguments: [3, 7, 11, 25, 50, 1_000])
  func missesNothing(minutes: Int64) throws {
    let points = (Int64(0)...100).map {
      GlucoseSeries.Point(monday + .minutes(minutes) * $0, mgdL: 100)
    }
    let data = try #require(DataSufficiency(GlucoseSeries(points)))
    #expect(data.intervalMinutes == Int(minutes))
    #expect(data.expectedReadings == 101 && data.wearPercent == 100)
    // Without every fourth value the distance is the same, and 76 of 101 are there.
    let part = points.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    let lacking = try #require(DataSufficiency(GlucoseSeries(part)))
    #expect(lacking.intervalMinutes == Int(minutes))
    #expect(lacking.expectedReadings == 101 && agree(lacking.wearPercent, 100 * 76 / 101))
  }

  @Test("A sensor at its limits is counted as saturated")
  func countsSaturation() {
    #expect(series([39, 40, 100, 400, 401]).saturated == 2)
  }

  /// Rows of a timeline are a whole part of what a scenario asks for, such as 13 min / 3.
  @Test("Nothing is missing where values come as they were stated", arguments: [70, 210, 260])
  func measuresStatedIntervals(seconds: Int64) throws {
    let points = (0...1_000).map {
      GlucoseSeries.Point(monday + .seconds(seconds) * Int64($0), mgdL: 100)
    }
    func wear(_ points: [GlucoseSeries.Point]) throws -> (wear: Double, ofRun: Double) {
      let series = GlucoseSeries(points, interval: .seconds(seconds))
      #expect(series.interval == .seconds(seconds))
      let data = try #require(DataSufficiency(series))
      let end = monday + .seconds(seconds) * 1_000
      return (data.wearPercent, data.wearPercent(from: monday, to: end))
    }
    #expect(try wear(points) == (100, 100))
    let half = try wear(points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
    #expect(agree(half.wear, 100 * 501 / 1_001) && agree(half.ofRun, 100 * 501 / 1_001))
  }

  @Test("Gaps and wear are measured against the sampling interval")
  func measuresSufficiency() throws {
    let points = (0..<288).filter { !(100..<130).contains($0) }.map {
      GlucoseSeries.Point(monday + .minutes(5 * Int64($0)), mgdL: 100)
    }
    let data = try #require(DataSufficiency(GlucoseSeries(points)))
    #expect(data.readings == 258)
    #expect(data.expectedReadings == 288)
    #expect(agree(data.wearPercent, 100 * 258 / 288))
    #expect(data.gapsOver45Minutes == 1)
    #expect(data.longestGapMinutes == 155)
    #expect(data.calendarDays == 1)
    #expect(data.daysWith70Percent == 1)
    #expect(!data.notes.isEmpty)
    #expect(DataSufficiency(series([])) == nil)
    // Who reads the figures is told of readings that do not count.
    let twice = GlucoseSeries(points + points.prefix(2))
    #expect(
      DataSufficiency(twice)?.notes.first
        == "2 readings give way to a later one of the same time.")
    #expect(DataSufficiency(GlucoseSeries(points))?.notes.contains { $0.contains("way") } == false)
  }

  @Test("That a day of 25 hours has no MODD is told, and of two days nothing is")
  func tellsOfMissingPairs() throws {
    // Clocks go back on the first, so that 24 hours of readings end before midnight.
    let clock = WallClock(
      initialOffset: .hours(-4),
      transitions: [.init(instant: monday + .hours(6), offset: .hours(-5))])
    func notes(_ count: Int64, _ clock: WallClock) throws -> [String] {
      let midnight = monday - clock.initialOffset
      let points = (0..<count).map { (index: Int64) -> GlucoseSeries.Point in
        .init(midnight + .minutes(5 * index), mgdL: 100 + Double(index % 7))
      }
      let data = try #require(DataSufficiency(GlucoseSeries(points, clock: clock)))
      return data.notes.filter { $0.contains("MODD") || $0.contains("CONGA") }
    }
    let rest = "no value: readings at the same times of two days are needed."
    #expect(try notes(289, clock) == ["MODD and CONGA over 24 hours have \(rest)"])
    #expect(try notes(289, .utc) == ["CONGA over 24 hours has \(rest)"])
    #expect(try notes(290, .utc) == [])
  }

  @Test("Where one reading of a wrong clock leaves no event to be told, the answer says so")
  func tellsOfWrongClock() throws {
    let days = (0..<288 * 3).map {
      GlucoseSeries.Point(monday + .minutes(5 * Int64($0)), mgdL: $0 < 12 ? 60 : 120)
    }
    let whole = GlucoseSeries(days)
    #expect(DataSufficiency(whole)?.spanNote == nil)
    // A device without a clock begins with 1970; 56 years have more slots than a grid.
    let start = Instant(millisecondsSince1970: 0)
    let mixed = GlucoseSeries([.init(start, mgdL: 100)] + days)
    #expect(GlucoseGrid(mixed) == nil)
    let notes = try #require(DataSufficiency(mixed)).notes
    let last = WallClock.utc.civilTime(at: days[days.count - 1].instant).dateText
    #expect(
      notes.last == "The readings are from 1970-01-01 to \(last), a time too long for lows, highs "
        + "and how glucose moves, which are not told. A clock may have been wrong: leave out what "
        + "is of another time.")
    #expect(!notes.contains { $0.contains("MODD") })
  }

  @Test("Shares need 14 days of which 70 % were worn, and a profile seven")
  func asksForEnough() throws {
    /// What is asked for of days that begin with so many hours of readings.
    func notes(_ days: Int64, hours: Int64) throws -> (shares: Bool, profile: Bool) {
      let points = (0..<days).flatMap { day -> [GlucoseSeries.Point] in
        let midnight = monday + .hours(24 * day)
        return (0..<hours * 12).map { .init(midnight + .minutes(5 * $0), mgdL: 100) }
      }
      let notes = try #require(DataSufficiency(GlucoseSeries(points))).notes
      return (
        notes.contains { $0.contains("14 days") }, notes.contains { $0.contains("daily profile") }
      )
    }
    #expect(try notes(14, hours: 24) == (false, false))
    #expect(try notes(13, hours: 24) == (true, false))
    #expect(try notes(7, hours: 24) == (true, false))
    #expect(try notes(6, hours: 24) == (true, true))
    #expect(try notes(14, hours: 17) == (false, false))
    #expect(try notes(14, hours: 16) == (true, true))
    // As many readings as 14 whole days have, and half of what 28 do.
    #expect(try notes(28, hours: 12) == (true, true))
  }

  @Test("Readings that no sensor shows are told, and those at its limits are not")
  func tellsImpossible() throws {
    let data = try #require(DataSufficiency(series([-66, 19.9, 20, 39, 401, 600, 600.1])))
    #expect(data.impossible == 3)
    #expect(
      data.notes.first
        == "3 readings lie below 20 or above 600 mg/dL, where no sensor shows any: figures over "
        + "them are arithmetic, not physiology.")
    let usual = try #require(DataSufficiency(series([39, 100, 401])))
    #expect(usual.impossible == 0 && !usual.notes.contains { $0.contains("physiology") })
  }

  @Test("The grid bridges 45 minutes and not a second more")
  func bridgesShortGaps() throws {
    let short = GlucoseSeries([
      .init(monday, mgdL: 100), .init(monday + .minutes(5), mgdL: 110),
      .init(monday + .minutes(10), mgdL: 120), .init(monday + .minutes(55), mgdL: 210),
      .init(monday + .minutes(60), mgdL: 200),
    ])
    let bridged = try #require(GlucoseGrid(short))
    #expect(bridged.slots[4] == 140)
    #expect(bridged.segments.count == 1)
    let long = GlucoseSeries(
      short.points.map {
        $0.instant > monday + .minutes(50)
          ? .init($0.instant + .seconds(1), mgdL: $0.mgdL) : $0
      })
    let open = try #require(GlucoseGrid(long))
    #expect(open.slots[4] == nil)
    #expect(open.slots[0] == 100)
  }

  @Test("The grid starts at local midnight and ends with the last local day")
  func startsAtLocalMidnight() throws {
    let clock = WallClock(initialOffset: .hours(2))
    let grid = try #require(GlucoseGrid(series(run(100, 12), from: monday, clock: clock)))
    #expect(grid.start == monday - .hours(2))
    #expect(grid.slots.count == 288)
    #expect(grid.slots[24] == 100)
    #expect(grid.slots[23] == nil)
  }

  @Test("A grid of centuries is refused rather than built")
  func refusesEndlessGrids() {
    let far = GlucoseSeries([
      .init(monday, mgdL: 100), .init(monday + .minutes(1), mgdL: 100),
      .init(monday + .minutes(2), mgdL: 100), .init(monday + .days(100_000), mgdL: 100),
    ])
    #expect(GlucoseGrid(far) == nil)
    #expect(far.variability == nil)
  }
}
