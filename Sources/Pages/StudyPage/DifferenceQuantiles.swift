internal import Outcomes
internal import RunPlans
internal import StructuredText
internal import Typesetting

/// The differences of many patients as two hundred quantiles with the extremes, from the worst at
/// the left to the best at the right.
struct DifferenceQuantiles {
  private let sorted: [Double]
  private let isLowerBetter: Bool

  /// Takes the differences, and which are good.
  init(_ differences: [Double], better: BetterDirection) {
    sorted = differences.sorted()
    isLowerBetter = better == .lower
  }

  /// The chart.
  var drawing: Drawing {
    let most = sorted.map(\.magnitude).max() ?? 1
    let reach = most > 0 ? most : 1
    let count = 200
    let points = (0...count).map { place -> (x: Double, y: Double) in
      let x = Double(place) / Double(count)
      let value = Statistics.quantile(sorted: sorted, isLowerBetter ? 1 - x : x) ?? 0
      return (x, 0.5 - value / reach * 0.45)
    }
    var drawing = Drawing(
      height: 160, label: "Differences of \(sorted.count) patients, from \(ends)")
    drawing.draw(.zero) { $0.level(at: 0.5, from: 0, to: 1) }
    drawing.draw(.treatment) { $0.polyline(points) }
    return drawing
  }

  /// The worst and the best difference.
  private var ends: String {
    let (least, most) = (PageNumber.text(sorted.first, 2), PageNumber.text(sorted.last, 2))
    return isLowerBetter ? "\(most) to \(least)" : "\(least) to \(most)"
  }

  /// The chart with its caption.
  var markup: Markup {
    """
    \(drawing.markup)<p class="small">\(WordList.counted(sorted.count, "patient")), \
    \(ends), the best at the right.</p>
    """
  }
}
