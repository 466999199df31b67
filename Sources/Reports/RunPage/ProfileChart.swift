internal import Outcomes
internal import Quantities
internal import StructuredText

/// The ambulatory profile: how glucose runs over a day, in percentiles over all days.
struct ProfileChart {
  private let hours: [DailyProfile.Hour]
  private let words: GlucoseWords
  private let unit: GlucoseUnit
  private static let top = DayProfile.top

  /// Draws a profile; `nil` where an hour of the day has no reading.
  init?(_ series: GlucoseSeries, _ unit: GlucoseUnit) {
    hours = DailyProfile(series).hours
    guard hours.count == 24, hours.allSatisfy({ $0.smoothed.count == 5 }) else { return nil }
    words = GlucoseWords(unit)
    self.unit = unit
  }

  private func y(_ mgdL: Double) -> Double {
    (Self.top - min(Self.top, max(0, mgdL))) / Self.top
  }

  /// The percentile's line over the day, from midnight to midnight.
  private func line(_ place: Int) -> [(x: Double, y: Double)] {
    let points = hours.map { ((Double($0.hour) + 0.5) / 24, y($0.smoothed[place])) }
    guard let first = points.first, let last = points.last else { return [] }
    let edge = (first.1 + last.1) / 2
    return [(0, edge)] + points.map { (x: $0.0, y: $0.1) } + [(1, edge)]
  }

  var drawing: Drawing {
    let middle = hours.map { $0.smoothed[2] }
    var drawing = Drawing(
      height: 240,
      label: """
        Profile of the day: the median runs from \(words.text(middle.min() ?? 0)) to \
        \(words.text(middle.max() ?? 0)) \(unit.rawValue).
        """)
    for (lower, upper, style) in [(0, 4, ChartStyle.outerBand), (1, 3, .innerBand)] {
      drawing.draw(style) { path in
        path.polyline(line(lower) + line(upper).reversed())
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
    drawing.draw(.median) { $0.polyline(line(2)) }
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
    How the days run</h2>\(chart.markup)<p class="small">Line: median. Darker band: a quarter to \
    three quarters of the days. Pale band: 5 to 95 %. By hour of the day, smoothed 1-4-1.\
    \(DayProfile.cut(hours.compactMap { $0.smoothed.last }.max() ?? 0, words))</p></section>

    """
  }

  func figure(title: String) -> PageFigure {
    chart.figure("profile.svg", title: "Daily profile: \(title)")
  }
}
