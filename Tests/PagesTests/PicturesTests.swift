import Outcomes
import Quantities
import RunPlans
import Testing

@testable import Pages
@testable import Typesetting

/// Holds what the pictures of arms draw against places worked out by hand.
@Suite("Pictures of arms")
struct PicturesTests {
  private let words = GlucoseWords(.milligramsPerDecilitre)

  private func member(
    _ id: String, glucose: Double = 140, basal: Double = 1, bolus: Double = 0, low: Double = 90,
    high: Double = 180, group: String = ""
  ) -> PicturedArm.Member {
    PicturedArm.Member(
      id: id, group: group,
      day: DailyPattern(
        glucose: Array(repeating: glucose, count: 24), basal: Array(repeating: basal, count: 24),
        bolus: (0..<24).map { $0 == 7 ? bolus : 0 }),
      extremes: ControlVariability(low: low, high: high))
  }

  private func path(_ style: ChartStyle, in drawing: Drawing) -> String? {
    drawing.shapes.first { $0.style == style }?.path.data
  }

  @Test("Of many patients the best is at the right, whichever differences are good")
  func quantilesOfPatients() {
    // The chart reaches from -0.45 to 0.45 of its height around its middle, for -4 and 4.
    let differences = [-4.0, 0, 2]
    let higher = DifferenceQuantiles(differences, better: .higher)
    #expect(path(.treatment, in: higher.drawing)?.hasPrefix("M0 950") == true)
    #expect(higher.markup.text.contains("3 patients, −4.00 to 2.00, the best at the right."))
    let lower = DifferenceQuantiles(differences, better: .lower)
    #expect(path(.treatment, in: lower.drawing)?.hasPrefix("M0 275") == true)
    #expect(lower.markup.text.contains("3 patients, 2.00 to −4.00, the best at the right."))
  }

  @Test("A point of the grid stands at its percentiles, and pairs that fell are joined")
  func grid() throws {
    let control = PicturedArm(
      name: "old", members: [member("a"), member("b", low: 110, high: 110)])
    let treatment = PicturedArm(
      name: "new", members: [member("a", low: 70, high: 255), member("b", low: 200, high: 110)])
    var grid = VariabilityGrid(arms: [control, treatment], words: words)
    grid.isPaired = true
    grid.named = ["a"]
    let drawing = try #require(grid.chart).drawing
    // 90 mg/dL is a third of the way from 110 to 50; 180 is 220 of 290 below 400.
    #expect(path(.controlDot, in: drawing) == "M3333 759h1m-3334 241h1")
    #expect(path(.hollow, in: drawing) == "M3333 759h1m-3334 241h1")
    // 70 is two thirds; 255 is the middle of 110 and 400. Outside, a point stands on the border.
    #expect(path(.treatmentDot, in: drawing) == "M6667 500h1m-6668 500h1")
    #expect(path(.worseMove, in: drawing) == "M3333 759l3334-259")
    let names = drawing.words.filter { $0.style == .badWord }.map(\.text.text)
    #expect(names == ["a"])
    for zone in ControlVariability.Zone.allCases {
      #expect(drawing.words.contains { $0.text.text == zone.rawValue }, "\(zone)")
    }
    #expect(grid.legend.text.contains("A point on the border lies on it or beyond."))
    let inside = VariabilityGrid(
      arms: [PicturedArm(name: "all", members: [member("a")])], words: words)
    #expect(!inside.legend.text.contains("border"))
    let named = "By name, where there is room: who is newly harmed."
    #expect(grid.legend.text.contains(named) && !inside.legend.text.contains(named))
    #expect(grid.table.text.contains("<th scope=\"row\">B</th>"))
    #expect(drawing.label.contains("old: ") && drawing.label.contains("new: "))
  }

  @Test("A name that would go beyond the border of the grid is left out")
  func longNames() throws {
    // 300 px of a grid hold about 43 letters of 7 px, and from 0.75 leftwards about 32.
    for (length, isNamed) in [(20, true), (60, false)] {
      let id = String(repeating: "n", count: length)
      var grid = VariabilityGrid(
        arms: [PicturedArm(name: "new", members: [member(id, low: 65, high: 200)])], words: words)
      grid.named = [id]
      let names = try #require(grid.chart).drawing.words.filter { $0.style == .badWord }
      #expect(names.map(\.text.text) == (isNamed ? [id] : []))
    }
  }

  @Test("More points than three hundred become fields whose squares hold as many")
  func density() throws {
    let members = (0..<301).map { member("p\($0)", low: $0 < 300 ? 100 : 60, high: 150) }
    let grid = VariabilityGrid(arms: [PicturedArm(name: "all", members: members)], words: words)
    let drawing = try #require(grid.chart).drawing
    #expect(path(.treatmentDot, in: drawing) == nil)
    let squares = try #require(path(.treatmentField, in: drawing))
    #expect(squares.count { $0 == "z" } == 2)
    #expect(grid.legend.text.contains("squares show how many"))
  }

  @Test("The profile's median is that of the members' hours, and its bands hold them")
  func profile() throws {
    let members = [70.0, 140, 210].enumerated().map {
      member("p\($0.offset)", glucose: $0.element)
    }
    let profile = DayProfile(
      arms: [PicturedArm(name: "all", members: members)], words: words, noun: "runs")
    let chart = try #require(profile.chart)
    // 140 of 350 mg/dL from below is at 0.6 of the height; the line runs level.
    #expect(path(.median, in: chart.drawing)?.hasPrefix("M208 600h") == true)
    #expect(path(.median, in: chart.drawing)?.contains("v") == false)
    // Quartiles by type 7 are 105 and 175.
    #expect(path(.innerBand, in: chart.drawing)?.hasPrefix("M208 700h") == true)
    #expect(chart.ticks.map(\.text.withoutElements.text) == ["350", "250", "180", "70"])
    #expect(chart.drawing.label.contains("140"))
    // The 95th percentile by type 7 of 70, 140 and 210 is 203; of 70, 140 and 910 it is 833.
    #expect(!profile.legend.text.contains("The chart ends"))
    let high = DayProfile(
      arms: [PicturedArm(name: "all", members: members.dropLast() + [member("h", glucose: 910)])],
      words: words, noun: "runs")
    #expect(
      high.legend.withoutElements.text.hasSuffix(
        " The chart ends at 350 mg/dL; the lines go up to 833."))
    #expect(DayProfile(arms: [], words: words, noun: "runs").chart == nil)
  }

  @Test("The profile has no line over hours of the day in which nobody was looked at")
  func hoursWithoutReadings() throws {
    // A night from 18:00 to 08:00, and an hour alone at noon.
    let night = (0..<24).map { hour -> Double? in
      hour < 8 || hour == 12 || hour >= 18 ? 140 : nil
    }
    var own = member("a")
    own.day?.glucose = night
    let profile = DayProfile(
      arms: [PicturedArm(name: "all", members: [own])], words: words, noun: "runs")
    let drawing = try #require(profile.chart).drawing
    for style in [ChartStyle.median, .innerBand, .outerBand] {
      let data = try #require(path(style, in: drawing))
      #expect(data.count { $0 == "M" || $0 == "m" } == 3, "\(style): \(data)")
    }
    // From half past midnight to half past seven: 7 of 24 hours of 10000.
    #expect(path(.median, in: drawing)?.hasPrefix("M208 600h") == true)
  }

  @Test("Insulin by hour is the mean of the members, basal below and boluses above")
  func insulin() throws {
    let one = PicturedArm(
      name: "one", members: [member("a", basal: 1, bolus: 3), member("b", basal: 2, bolus: 1)])
    let chart = try #require(HourlyInsulin(arms: [one], noun: "patients").chart)
    // 1.5 U of basal; with 2 U of boluses from 07:00 on the most is 3.5 U, so the axis ends at 4.
    #expect(chart.ticks.map(\.text.text) == ["0", "2", "4"])
    let bolus = try #require(path(.treatmentField, in: chart.drawing))
    #expect(bolus.hasPrefix("M2958 125h"))
    #expect(bolus.count { $0 == "z" } == 1)
    #expect(path(.treatmentPale, in: chart.drawing)?.count { $0 == "z" } == 24)
    #expect(
      HourlyInsulin(arms: [one], noun: "patients").legend.text
        == "Pale: basal; full: boluses. Mean of patients: one 38.0 U a day.")
    let pair = HourlyInsulin(arms: [one, one], noun: "patients")
    #expect(path(.controlPale, in: try #require(pair.chart).drawing) != nil)
  }

  @Test("An arm of which no run has a day gave no amount a day, and one of which some have says so")
  func unknownDays() {
    var lost = member("b")
    lost.day = nil
    let arms = [
      PicturedArm(name: "old", members: [member("a", basal: 1, bolus: 0), lost]),
      PicturedArm(name: "new", members: [lost, lost]),
    ]
    let pair = HourlyInsulin(arms: arms, noun: "patients")
    #expect(
      pair.legend.text.hasSuffix(
        "Mean of patients: old 24.0 U a day (1 of 2 patients), new not known, as no run has a day.")
    )
    #expect(pair.chart?.drawing.label.hasSuffix(" new: no day.") == true)
  }

  @Test("Who lived only some of the hours is told, and who has no place in the grid")
  func shortDays() throws {
    // b died before 03:00; its point is unknown.
    var dead = member("b")
    for hour in 3..<24 { dead.day?.basal[hour] = nil }
    dead.extremes = nil
    let arms = [
      PicturedArm(name: "old", members: [member("a"), member("b")]),
      PicturedArm(name: "new", members: [member("a"), dead]),
    ]
    let words = " 1 of 2 patients (new) lived only some of these hours, and count in those."
    #expect(HourlyInsulin(arms: arms, noun: "patients").legend.text.hasSuffix(words))
    let profile = DayProfile(arms: arms, words: self.words, noun: "patients")
    #expect(profile.legend.text.hasSuffix(words))
    #expect(!HourlyInsulin(arms: [arms[0]], noun: "patients").legend.text.contains("lived"))
    // Both lived the same three hours: nothing is short.
    #expect(
      !HourlyInsulin(arms: [PicturedArm(name: "x", members: [dead, dead])], noun: "patients")
        .legend.text.contains("lived"))
    // 1 U in each of three hours is no dose of a day.
    var brief = member("c", basal: 1, bolus: 0)
    for hour in 3..<24 { brief.day?.basal[hour] = nil }
    brief.dailyDose = 24
    #expect(
      HourlyInsulin(arms: [PicturedArm(name: "x", members: [brief])], noun: "patients")
        .legend.text.hasSuffix(": x 3.0 U in these hours."))
    let table = VariabilityGrid(arms: arms, words: self.words).table.text
    #expect(table.contains("no value"))
    let whole = VariabilityGrid(arms: [arms[0]], words: self.words).table.text
    #expect(!whole.contains("no value"))
  }

  @Test("Groups are drawn small, and every chart is a file as well")
  func figures() throws {
    let members = ["adult", "child"].flatMap { group in
      (0..<3).map { member("\(group)-\($0)", group: group) }
    }
    let arm = PicturedArm(name: "a & <b>", members: members)
    let pictures = ArmPictures(arms: [arm, arm], words: words, noun: "patients")
    #expect(pictures.markup.text.contains("<h3>child <span class=\"mut\">3</span></h3>"))
    let files = pictures.figures(title: "<script>")
    #expect(
      files.map(\.name) == [
        "profile.svg", "profile-by-group.svg", "variability-grid.svg", "insulin-by-hour.svg",
      ])
    for file in files { try SVGCheck.check(file.text, file.name) }
    let none = ArmPictures(
      arms: [PicturedArm(name: "x", members: [])], words: words, noun: "runs")
    #expect(none.markup.isEmpty && none.figures(title: "").isEmpty)
  }

  @Test("Shares of time fill the bar in their order, and say so at its right")
  func ranges() throws {
    let shares = try #require(TimeInRanges([50, 60, 100, 100, 100, 100, 100, 200, 200, 300]))
    let drawing = RangeBars.drawing(shares, in: .milligramsPerDecilitre)
    #expect(path(.rangeVeryLow, in: drawing) == "M0 0h1000v1000h-1000z")
    #expect(path(.rangeLow, in: drawing) == "M1000 0h1000v1000h-1000z")
    #expect(path(.rangeTarget, in: drawing) == "M2000 0h5000v1000h-5000z")
    #expect(path(.rangeHigh, in: drawing) == "M7000 0h2000v1000h-2000z")
    #expect(path(.rangeVeryHigh, in: drawing) == "M9000 0h1000v1000h-1000z")
    let file = RangeBars(bars: [("run", shares)], unit: .millimolesPerLitre).figure
    try SVGCheck.check(file.text, file.name)
    #expect(file.text.contains(">50.0 % in range<"))
    #expect(
      file.text.contains("Time below 3.0, 3.0–3.8, 3.9–10.0, 10.1–13.9 and above 13.9 mmol/L"))
  }

  @Test("A figure leaves room for its longest name")
  func margins() throws {
    let name = "time below 54 mg/dL from 00:00 to 06:00 in the second week"
    var row = SVGFigure.Row(name: name, drawing: Drawing(height: 20), ticks: [(0.5, "1")])
    row.note = "+0.25 [−0.10, 0.60]"
    let text = SVGFigure(title: "t", rows: [row]).text
    let width = try #require(text.firstMatch(of: /<svg x="(\d+)" width="900"/))
    #expect(try #require(Double(width.1)) > LabelRows.width(of: name))
    try SVGCheck.check(text, "margins")
  }

  @Test("Names of files are made of letters, digits and hyphens")
  func slugs() {
    #expect(PageFigure.slug("Sweep/../é & b") == "sweep-..-b")
    #expect(PageFigure.slug("../../x") == "x")
    #expect(PageFigure.slug("é") == "chart")
  }

  @Test("A line over the day has no piece over hours without a figure, and joins over midnight")
  func hourlyLine() {
    var figures: [Double?] = Array(repeating: 0.5, count: 24)
    figures[23] = 0.3
    #expect(HourlyLine.pieces(figures).map(\.count) == [24])
    let whole = HourlyLine.piecesOverMidnight(figures)
    #expect(whole.map(\.count) == [26])
    #expect(whole[0][0] == (0, 0.4) && whole[0][25] == (1, 0.4))
    for hour in [3, 5, 6] { figures[hour] = nil }
    let parts = HourlyLine.piecesOverMidnight(figures)
    #expect(parts.map(\.count) == [4, 2, 18])
    #expect(parts[1].map { $0.x * 24 } == [4.25, 4.75])
    figures[0] = nil
    #expect(HourlyLine.piecesOverMidnight(figures).map(\.count) == [2, 2, 17])
    #expect(HourlyLine.piecesOverMidnight(Array(repeating: nil, count: 24)).isEmpty)
  }
}

/// Whether a figure is a file that stands alone.
enum SVGCheck {
  static func check(_ text: String, _ name: String) throws {
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""), "\(name)")
    #expect(text.contains("<title>") && text.contains("role=\"img\""), "\(name)")
    #expect(text.ranges(of: "http").count == 1, "\(name) names another place")
    #expect(!text.contains("var(--") && !text.contains("<script"), "\(name)")
    // Every element that is opened is closed, in order.
    var open: [Substring] = []
    for match in text.matches(of: /<(\/?)([a-z]+)((?:[^>"]|"[^"]*")*?)(\/?)>/) {
      if match.3.hasSuffix("/") || match.4 == "/" { continue }
      if match.1 == "/" {
        #expect(open.popLast() == match.2, "\(name)")
      } else {
        open.append(match.2)
      }
    }
    #expect(open.isEmpty, "\(name): \(open)")
  }
}
