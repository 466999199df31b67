internal import Outcomes
internal import Quantities
internal import Typesetting

/// How glucose runs over a day in one or two arms: percentiles over the members of each member's
/// hourly median.
struct DayProfile {
  /// The control first, where there are two.
  let arms: [PicturedArm]
  let words: GlucoseWords
  /// What a member is, in the plural: `runs` or `patients`.
  let noun: String
  var height = 260
  /// Where the charts of a day end, in mg/dL.
  static let top = 350.0
  private static let tickValues = [350.0, 250, 180, 70]

  /// Where a glucose stands in such a chart, from 0 at its top to 1.
  static func y(_ mgdL: Double) -> Double { (top - min(top, max(0, mgdL))) / top }
  private func y(_ mgdL: Double) -> Double { Self.y(mgdL) }

  /// A percentile's line, in pieces where in some hours nobody was looked at.
  private func lines(_ arm: PicturedArm, _ share: Double) -> [[(x: Double, y: Double)]] {
    HourlyLine.pieces(
      (0..<24).map { Statistics.quantile(arm.values($0, \.glucose), share).map(y) })
  }

  /// The area between two percentiles.
  private func addBand(
    _ style: ChartStyle, of arm: PicturedArm, _ lower: Double, _ upper: Double,
    to drawing: inout Drawing
  ) {
    drawing.draw(style) { path in
      HourlyLine.addBand(between: lines(arm, lower), and: lines(arm, upper), to: &path)
    }
  }

  /// The chart; `nil` where the last arm, whose bands it is of, has no reading.
  var chart: TickedChart? {
    guard let last = arms.last, !lines(last, 0.5).isEmpty else { return nil }
    let medians = (0..<24).compactMap { Statistics.median(last.values($0, \.glucose)) }
    let (least, most) = (medians.min() ?? 0, medians.max() ?? 0)
    var drawing = Drawing(
      height: height,
      label: "Glucose over the day: the median of \(last.name) runs from \(words.text(least)) to "
        + "\(words.text(most)) \(words.unit.rawValue).")
    addBand(.outerBand, of: last, 0.05, 0.95, to: &drawing)
    addBand(.innerBand, of: last, 0.25, 0.75, to: &drawing)
    drawing.draw(.grid) { path in
      for hour in stride(from: 0, through: 24, by: 3) {
        path.upright(at: Double(hour) / 24, from: 0, to: 1)
      }
    }
    drawing.draw(.level) { path in
      for level in [70.0, 180] { path.level(at: y(level), from: 0, to: 1) }
    }
    drawing.draw(.median) { path in for line in lines(last, 0.5) { path.polyline(line) } }
    if let first = arms.first, arms.count > 1 {
      drawing.draw(.control) { path in
        for share in [0.05, 0.5, 0.95] {
          for line in lines(first, share) { path.polyline(line) }
        }
      }
    }
    DayAxis.add(to: &drawing, y: 1 + 13 / Double(height))
    return TickedChart(
      name: "Glucose, \(words.unit.rawValue)", drawing: drawing,
      ticks: Self.tickValues.map { (y($0), words.value($0)) })
  }

  /// What the lines and bands are.
  var legend: Markup {
    let what: Markup =
      arms.count > 1
      ? "Bands and line: \(arms[1].name). Dashed: \(arms[0].name), median and 5 to 95 %."
      : "Line: median; bands: quartiles, and 5 to 95 %."
    return """
      \(what) Percentiles over \(noun) of each one's hourly median, not of pooled \
      readings.\(Self.cut(most, words))\(PicturedArm.shortDays(of: arms, noun: noun))
      """
  }

  /// The highest value that a line of the chart should reach.
  private var most: Double {
    arms.flatMap { arm in
      (0..<24).compactMap { Statistics.quantile(arm.values($0, \.glucose), 0.95) }
    }.max() ?? 0
  }

  /// What a chart says whose lines should go higher than it does; nothing where none should.
  static func cut(_ most: Double, _ words: GlucoseWords) -> Markup {
    guard most > top else { return "" }
    return """
       The chart ends at \(words.value(top)) \(words.unitName); the lines go up to \
      \(words.value(most)).
      """
  }
}
