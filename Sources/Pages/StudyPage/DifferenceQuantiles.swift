internal import Outcomes
internal import StructuredText
internal import Typesetting

/// The differences of many patients as two hundred quantiles with the extremes.
struct DifferenceQuantiles {
  private let sorted: [Double]

  /// Takes the differences.
  init(_ differences: [Double]) { sorted = differences.sorted() }

  /// The chart.
  var drawing: Drawing {
    let most = sorted.map(\.magnitude).max() ?? 1
    let reach = most > 0 ? most : 1
    let count = 200
    let points = (0...count).map { place -> (x: Double, y: Double) in
      let share = Double(place) / Double(count)
      let value = Statistics.quantile(sorted: sorted, share) ?? 0
      return (share, 0.5 - value / reach * 0.45)
    }
    let ends = "\(PageNumber.text(sorted.first, 2)) to \(PageNumber.text(sorted.last, 2))"
    var drawing = Drawing(
      height: 160, label: "Differences of \(sorted.count) patients, from \(ends)")
    drawing.draw(.zero) { $0.level(at: 0.5, from: 0, to: 1) }
    drawing.draw(.treatment) { $0.polyline(points) }
    return drawing
  }

  /// The chart with its caption.
  var markup: Markup {
    """
    \(drawing.markup)<p class="small">\(WordList.counted(sorted.count, "patient")), \
    \(PageNumber.text(sorted.first, 2)) to \(PageNumber.text(sorted.last, 2)).</p>
    """
  }
}
