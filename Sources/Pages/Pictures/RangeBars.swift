internal import Outcomes
internal import Quantities
internal import StructuredText
internal import Typesetting

/// The shares of time in the five ranges of glucose, a bar for each run or arm.
struct RangeBars {
  let bars: [(name: String, shares: TimeInRanges)]
  /// The unit in which the ranges are told.
  let unit: GlucoseUnit

  private static let styles: [ChartStyle] = [
    .rangeVeryHigh, .rangeHigh, .rangeTarget, .rangeLow, .rangeVeryLow,
  ]

  /// One bar, the lows at its left.
  static func drawing(_ shares: TimeInRanges, in unit: GlucoseUnit) -> Drawing {
    let parts = Array(zip(styles, shares.stacked).reversed())
    let whole = max(1e-9, parts.reduce(0) { $0 + $1.1 })
    let text = { (share: Double) in PercentText.number(share, decimals: 1) }
    let lowest = GlucoseWords(unit).rangeText("<54").dropFirst()
    var drawing = Drawing(
      height: 18,
      label: "Below \(lowest): \(text(shares.below54)) %, "
        + "in range: \(text(shares.from70To180)) %.")
    assert(parts.count == 5, "A bar has five ranges.")
    var left = 0.0
    for (style, share) in parts where share > 0 {
      drawing.draw(style) {
        $0.rectangle(left: left, top: 0, right: left + share / whole, bottom: 1)
      }
      left += share / whole
    }
    return drawing
  }

  /// The bars as a figure, with the share in range at the right.
  var figure: PageFigure {
    let rows = bars.map { name, shares in
      var row = SVGFigure.Row(name: name, drawing: Self.drawing(shares, in: unit))
      row.note = "\(PercentText.number(shares.from70To180, decimals: 1)) % in range"
      return row
    }
    let words = GlucoseWords(unit)
    let lowest = words.rangeText("<54").dropFirst()
    let highest = words.rangeText(">250").dropFirst()
    let between = ["54–69", "70–180", "181–250"].map(words.rangeText).joined(separator: ", ")
    return PageFigure(
      "time-in-ranges.svg",
      SVGFigure(
        title: "Time below \(lowest), \(between) and above \(highest) \(unit.rawValue)",
        rows: rows))
  }
}
