import Outcomes
import Quantities
import Simulation
import Testing

@testable import Reports

@Suite("Terminal text")
struct TerminalTests {
  static let start = Instant(secondsSince1970: 1_709_510_400)

  static func series(_ values: [Double]) -> GlucoseSeries {
    GlucoseSeries(
      values.enumerated().map {
        .init(start + .minutes(5 * Int64($0.offset)), mgdL: $0.element)
      })
  }

  @Test("The ranges stand from high to low, and a small share never reads as zero")
  func showsRanges() {
    let values = [Double](repeating: 120, count: 2_500) + [260]
    let lines = TerminalGlucose(barWidth: 20).lines(of: Self.series(values))
    #expect(lines[0] == "  above 250 mg/dL     <0.1 %  ▏")
    #expect(lines[1] == "  181 to 250           0.0 %")
    #expect(lines[2] == "  70 to 180, target  >99.9 %  ████████████████████")
    #expect(lines.count == 11)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("The records' row of other insulin says that it has what the pump gave without a command")
  func unaskedInsulin() {
    let names = [false, true].map { hasUnasked in
      RecordAgreement.Origin.allCases.map { RecordAgreement.name($0, hasUnasked: hasUnasked) }
    }
    #expect(names[0] == ["basal", "bolus", "from elsewhere"])
    #expect(names[1] == ["basal", "bolus", "from elsewhere or unasked"])
  }

  @Test("Each label is the date of its midnight, also behind a change of clocks")
  func changeOfClocks() throws {
    let first = try #require(Instant(iso8601: "2026-10-26T05:00:00Z"))
    let change = try #require(Instant(iso8601: "2026-11-01T07:00:00Z"))
    let clock = WallClock(
      initialOffset: .hours(-5), transitions: [.init(instant: change, offset: .hours(-6))])
    let end = first + .days(14) + .hours(1)
    let series = GlucoseSeries(
      [.init(first, mgdL: 100), .init(end, mgdL: 120)], clock: clock)
    let lines = TerminalChart(width: 80).lines(of: series, from: first, to: end)
    let labels = lines.last?.split(separator: " ").map(String.init)
    #expect(
      labels == ["10-26", "10-28", "10-30", "11-01", "11-03", "11-05", "11-07"], "\(lines)")
    // Noon is noon on the day of 25 hours and on those behind it.
    let (start, stop) = (first + .days(5), first + .days(8) + .hours(1))
    let three = GlucoseSeries(
      [.init(start, mgdL: 100), .init(stop, mgdL: 120)], clock: clock)
    let days = TerminalChart(width: 80).lines(of: three, from: start, to: stop)
    let hours = days.last?.split(separator: " ").map(String.init)
    #expect(
      hours == ["00:00", "12:00", "00:00", "12:00", "00:00", "12:00"], "\(days)")
  }

  @Test("Labels of hours are whole steps of the clock, also behind a change of clocks")
  func stepsOverAChange() {
    // At 02:00 the clock is set on to 03:00, or back by half an hour; a day has 94 columns, and so
    // a label every two hours.
    for (change, hours) in [(60, 23.0), (-30, 24.5)] as [(Int64, Double)] {
      let clock = WallClock(
        initialOffset: .zero,
        transitions: [.init(instant: Self.start + .hours(2), offset: .minutes(change))])
      let end = Self.start + .minutes(Int64(hours * 60))
      let series = GlucoseSeries(
        [.init(Self.start, mgdL: 100), .init(end, mgdL: 120)], clock: clock)
      let lines = TerminalChart(width: 100).lines(of: series, from: Self.start, to: end)
      let labels = lines.last?.split(separator: " ").map(String.init)
      let usual = (2...11).map { $0 < 5 ? "0\(2 * $0):00" : "\(2 * $0):00" }
      #expect(labels == ["00:00"] + (change > 0 ? [] : ["02:00"]) + usual)
    }
  }

  @Test("Nothing to measure is said in one sentence")
  func saysThatThereIsNothing() {
    #expect(TerminalGlucose().lines(of: Self.series([])).count == 1)
    #expect(TerminalGlucose.percent(99.97) == ">99.9" && TerminalGlucose.percent(0.02) == "<0.1")
    let chart = TerminalChart(width: 60)
    let lines = chart.lines(of: Self.series([]), from: Self.start, to: Self.start + .hours(1))
    #expect(lines == ["  There is no glucose to draw."])
    #expect(
      chart.lines(of: Self.series([100]), from: Self.start, to: Self.start).count == 1)
  }

  @Test("A plain chart shows limits, levels, times and marks without any colour")
  func drawsAChart() {
    let values = [50.0, 120, 220].flatMap { [Double](repeating: $0, count: 96) }
    let chart = TerminalChart(width: 36, height: 11, isUnicode: false)
    let lines = chart.lines(
      of: Self.series(values), from: Self.start, to: Self.start + .days(1),
      marks: [.init(at: Self.start + .hours(12), "C"), .init(at: Self.start + .days(2), "X")])
    #expect(
      lines == [
        " 250 |",
        "     |                    ^^^^^^^^^^",
        "     |",
        " 180 |- - - - - - - - - - - - - - -",
        "     |",
        "     |",
        "     |          oooooooooo",
        "     |",
        "     |",
        "  70 |- - - - - - - - - - - - - - -",
        "  40 |vvvvvvvvvv",
        "     +------------------------------",
        "      00:00  06:00   12:00  18:00",
        "                     C",
      ])
  }

  @Test("A reading of 10.0 mmol/L is drawn within the target in which it is counted")
  func drawsTheUpperLimit() {
    func symbols(_ mmolL: Double) -> Set<Character> {
      let mgdL = GlucoseConcentration.mmolL(mmolL).mgdL
      let readings = Self.series([Double](repeating: mgdL, count: 12))
      let lines = TerminalChart(width: 40, isUnicode: false).lines(
        of: readings, from: Self.start, to: Self.start + .hours(1))
      return Set(lines.joined()).intersection(["o", "^", "v"])
    }
    #expect(symbols(10) == ["o"])
    #expect(symbols(10.1) == ["^"])
  }

  @Test("Every line of a chart fits its width", arguments: [30, 80, 200])
  func fitsItsWidth(width: Int) {
    let values = (0..<2_016).map { (index: Int) -> Double in 110 + 100 * Double(index % 97) / 97 }
    let lines = TerminalChart(width: width).lines(
      of: Self.series(values), from: Self.start, to: Self.start + .days(7))
    #expect(lines.allSatisfy { $0.count <= width })
    #expect(lines.count == 14)
  }

  @Test("Values far beyond the scale stay inside the chart")
  func clampsValues() {
    let lines = TerminalChart(width: 40).lines(
      of: Self.series([-50, 1_200, 100]), from: Self.start, to: Self.start + .hours(1))
    #expect(lines.count == 14)
  }
}
