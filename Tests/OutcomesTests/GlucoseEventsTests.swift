import Quantities
import Testing

@testable import Outcomes

@Suite("Glucose events")
struct GlucoseEventsTests {
  /// The lengths in minutes of the events of a kind in a day at 95 or 150 mg/dL with stretches in
  /// it.
  private func lengths(
    _ kind: GlucoseEventKind, base: Double = 95, _ stretches: [(start: Int, values: [Double])]
  ) throws -> [Double] {
    let grid = try #require(GlucoseGrid(series(day(of: base, with: stretches))))
    return grid.events(kind).map(\.duration.minutes)
  }

  @Test("Ten minutes below 70 are no event, fifteen are one")
  func needsFifteenMinutes() throws {
    #expect(try lengths(.low, [(30, [69, 68])]).isEmpty)
    #expect(try lengths(.low, [(30, [69, 68, 69])]) == [15])
  }

  @Test("A recovery of ten minutes belongs to the event, one of fifteen ends it")
  func bridgesShortRecoveries() throws {
    #expect(try lengths(.low, [(30, run(65, 3) + [80, 80] + run(65, 3))]) == [40])
    #expect(try lengths(.low, [(30, run(65, 3) + run(80, 3) + run(65, 3))]) == [15, 15])
  }

  @Test("Exactly 54 is low but not very low")
  func keepsTheEdgesApart() throws {
    let stretch = [(start: 30, values: run(54, 6))]
    #expect(try lengths(.low, stretch) == [30])
    #expect(try lengths(.veryLow, stretch).isEmpty)
    #expect(try lengths(.lowOnly, stretch) == [30])
  }

  @Test("A low with a very low part is not low only")
  func separatesLevels() throws {
    let stretch = [(start: 30, values: run(60, 2) + run(50, 3) + run(60, 2))]
    #expect(try lengths(.low, stretch) == [35])
    #expect(try lengths(.veryLow, stretch) == [15])
    #expect(try lengths(.lowOnly, stretch).isEmpty)
  }

  @Test("Prolonged is more than 120 minutes, and both readings of that are reported")
  func knowsProlongedLows() throws {
    #expect(try lengths(.prolongedLow, [(30, run(65, 24))]).isEmpty)
    #expect(try lengths(.prolongedLowInclusive, [(30, run(65, 24))]) == [120])
    #expect(try lengths(.prolongedLow, [(30, run(65, 25))]) == [125])
    #expect(try lengths(.prolongedVeryLow, [(30, run(53, 24))]) == [120])
  }

  @Test("A prolonged high needs 90 minutes above 250 within 120")
  func knowsProlongedHighs() throws {
    func lengths(_ stretch: [Double]) throws -> [Double] {
      try self.lengths(.prolongedHigh, base: 150, [(100, stretch)])
    }
    #expect(try lengths(run(251, 17)).isEmpty)
    #expect(try lengths(run(251, 18)) == [90])
    #expect(try lengths(run(200, 1) + run(251, 18)) == [90])
    #expect(try lengths(run(251, 9) + run(200, 6) + run(251, 9)) == [120])
    #expect(try lengths(run(251, 18) + run(200, 4)) == [110])
  }

  @Test("A low at the end of the data is open, and a gap ends an event")
  func marksOpenEvents() throws {
    let atEnd = try #require(GlucoseGrid(series(run(95, 280) + run(60, 8))))
    let event = try #require(atEnd.events(.low).first)
    #expect(event.isOpen)
    #expect(event.duration == .minutes(40))
    let points = (0..<60).filter { !(20..<40).contains($0) }.map {
      GlucoseSeries.Point(monday + .minutes(5 * Int64($0)), mgdL: 60)
    }
    let cut = try #require(GlucoseGrid(GlucoseSeries(points)))
    #expect(cut.events(.low).map(\.duration) == [.minutes(100), .minutes(100)])
  }

  @Test("Rates are per observed day")
  func countsPerObservedDay() {
    let event = GlucoseEvent(start: monday, duration: .minutes(20), isOpen: true)
    let summary = GlucoseEventSummary([event, event], observedDays: 4)
    #expect(summary.perDay == 0.5)
    #expect(summary.perWeek == 3.5)
    #expect(summary.meanDurationMinutes == 20)
    #expect(summary.open == 2)
    #expect(GlucoseEventSummary([], observedDays: 0).perDay == nil)
  }

  @Test("Of readings hours apart no low is seen, and it is not said that there was none")
  func readingsApart() throws {
    let start = monday + .minutes(7)
    let meter = series([60, 50, 190, 65], every: 240, from: start)
    let grid = try #require(GlucoseGrid(meter))
    #expect(grid.observedDays == 0)
    let run = RunMeasurements(
      from: start, to: start + .hours(12), trueGlucose: meter, cgm: meter)
    #expect(try Metric.parse("lows(70,15m)").value(of: run) == nil)
    #expect(try Metric.parse("below(70)").value(of: run) == 75)
    let data = try #require(DataSufficiency(meter))
    #expect(data.apart == 4)
    #expect(
      data.notes.contains(
        "4 of 4 readings stand more than 45 minutes from any other: lows, highs and how glucose "
          + "moves are told without them."))
  }

  @Test("A reading at a slot of the grid, or near another, is not apart")
  func readingsNotApart() throws {
    #expect(DataSufficiency(series([60, 50, 190], every: 240))?.apart == 0)
    let near = series([60, 50, 190], every: 45, from: monday + .minutes(7))
    #expect(DataSufficiency(near)?.apart == 0)
    let points = [0, 5, 10, 72, 140, 145].map {
      GlucoseSeries.Point(monday + .minutes($0), mgdL: 100)
    }
    let data = try #require(DataSufficiency(GlucoseSeries(points)))
    #expect(data.apart == 1)
    #expect(data.notes.contains { $0.hasPrefix("1 of 6 readings stands more than 45 minutes") })
  }

  @Test(
    "The events of the longest run are found, and of two years and a day by the minute",
    arguments: [(5, 3_660), (1, 731)] as [(Int64, Int64)])
  func longRuns(minutes: Int64, days: Int64) throws {
    let low = (0..<30).map { GlucoseSeries.Point(monday + .minutes(minutes * $0), mgdL: 60) }
    let last = GlucoseSeries.Point(monday + .days(days), mgdL: 100)
    let long = GlucoseSeries(low + [last], interval: .minutes(minutes))
    let events = try #require(GlucoseGrid(long)).events(.low)
    #expect(events.map(\.start) == [monday])
  }
}
