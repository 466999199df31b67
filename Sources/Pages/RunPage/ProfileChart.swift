internal import Outcomes
internal import Quantities
internal import StructuredText
internal import Typesetting

/// The ambulatory profile: how glucose runs over a day, in percentiles over all days.
struct ProfileChart {
  private let hours: [DailyProfile.Hour]
  private let words: GlucoseWords
  private let unit: GlucoseUnit

  /// Draws a profile; `nil` where no hour of the day has a reading.
  init?(_ series: GlucoseSeries, _ unit: GlucoseUnit) {
    hours = DailyProfile(series).hours
    guard hours.contains(where: { $0.count > 0 }) else { return nil }
    words = GlucoseWords(unit)
    self.unit = unit
  }

  private func y(_ mgdL: Double) -> Double { DayProfile.y(mgdL) }

  /// The percentile's line over the day, from midnight to midnight, in pieces where hours have no
  /// reading.
  private func lines(_ place: Int) -> [[(x: Double, y: Double)]] {
    HourlyLine.piecesOverMidnight(
      hours.map { $0.smoothed.isEmpty ? nil : y($0.smoothed[place]) })
  }

  var drawing: Drawing {
    let middle = hours.filter { !$0.smoothed.isEmpty }.map { $0.smoothed[2] }
    var drawing = Drawing(
      height: 240,
      label: """
        Profile of the day: the median runs from \(words.text(middle.min() ?? 0)) to \
        \(words.text(middle.max() ?? 0)) \(unit.rawValue).
        """)
    for (lower, upper, style) in [(0, 4, ChartStyle.outerBand), (1, 3, .innerBand)] {
      drawing.draw(style) { path in
        HourlyLine.addBand(between: lines(lower), and: lines(upper), to: &path)
      }
    }
    drawing.draw(.grid) { path in
      for hour in stride(from: 0, through: 24, by: 3) {
        path.upright(at: Double(hour) / 24, from: 0, to: 1)
      }
      path.level(at: y(54), from: 0, to: 1)
      path.level(at: y(250), from: 0, to: 1)
    }
    drawing.draw(.level) { path in
      path.level(at: y(70), from: 0, to: 1)
      path.level(at: y(180), from: 0, to: 1)
    }
    drawing.draw(.median) { path in for line in lines(2) { path.polyline(line) } }
    DayAxis.add(to: &drawing, y: 1.045)
    return drawing
  }

  var ticks: [(y: Double, text: Markup)] {
    [350.0, 250, 180, 70, 54].map { (y($0), words.value($0)) }
  }

  private var chart: TickedChart {
    TickedChart(name: "Glucose, \(unit.rawValue)", drawing: drawing, ticks: ticks)
  }

  /// The chart with its heading and legend.
  var card: Markup {
    """
    <section class="card more profile" aria-labelledby="h-profile"><h2 class="t" id="h-profile">\
    How the days run, \(words.unitName)</h2>\(chart.markup)<p class="small">Line: median. \
    Darker band: a quarter to three quarters of the readings. Pale band: 5 to 95 %. By hour of the \
    day, smoothed 1-4-1.\
    \(missing)\
    \(DayProfile.cut(hours.compactMap { $0.smoothed.last }.max() ?? 0, words))</p></section>

    """
  }

  /// Which hours of the day have no line; nothing where all have one.
  private var missing: Markup {
    let empty = hours.count { $0.count == 0 }
    guard empty > 0 else { return "" }
    return """
       No reading is from \(empty == 1 ? "one hour" : "\(empty) hours") of the day, over which \
      nothing is drawn.
      """
  }

  func figure(title: String) -> PageFigure {
    chart.figure("profile.svg", title: "Daily profile: \(title)")
  }
}
