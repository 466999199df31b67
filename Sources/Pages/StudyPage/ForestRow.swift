internal import RunPlans
internal import Studies
internal import Typesetting

/// One end point of a forest: its benefit with its interval, in units that all rows share.
struct ForestRow {
  let result: EndPointResult
  let mean: Double?
  let low: Double?
  let high: Double?
  /// Where the goal's margin lies, which then is the unit: on the side of harm for what must not be
  /// worse, on that of benefit for what has to be better by more, on both for equivalence.
  let margins: [Double]

  init(_ result: EndPointResult) {
    self.result = result
    let sign: Double = result.endPoint.better == .higher ? 1 : -1
    let margin = result.endPoint.goal.map(\.margin).flatMap { $0 > 0 ? $0 : nil }
    margins =
      switch (margin, result.endPoint.goal?.kind) {
      case (.some, .superior): [1]
      case (.some, .noninferior): [-1]
      case (.some, .equivalent): [-1, 1]
      default: []
      }
    let deviation = result.differences?.standardDeviation
    let unit = margin ?? deviation.flatMap { $0 > 0 ? $0 : nil } ?? 1
    mean = result.differences.map { sign * $0.mean / unit }
    let lower = result.interval?.lower.map { sign * $0 / unit }
    let upper = result.interval?.upper.map { sign * $0 / unit }
    (low, high) = sign > 0 ? (lower, upper) : (upper, lower)
  }

  /// The places that the axis must hold.
  var ends: [Double] { [mean, low, high].compactMap(\.self) + margins }

  /// The row's chart; an interval without an end runs to the edge, with an arrow.
  func drawing(reach: Double) -> Drawing {
    assert(reach > 0, "A forest reaches to both sides.")
    func x(_ value: Double) -> Double { 0.5 + value / reach / 2 }
    var drawing = Drawing(height: 22)
    drawing.draw(.zero) { $0.upright(at: 0.5, from: 0, to: 1) }
    for margin in margins {
      drawing.draw(.margin) { $0.upright(at: x(margin), from: 0, to: 1) }
    }
    guard let mean else {
      drawing.label = "No value"
      return drawing
    }
    // Who died early had fewer events for want of time, which decides nothing.
    let isDecided = !result.isDecidedByDeaths
    let isBetter = isDecided && low.map { $0 > 0 } ?? false
    let isWorse = isDecided && high.map { $0 < 0 } ?? false
    drawing.label = isBetter ? "Better" : isWorse ? "Worse" : "Undecided"
    drawing.draw(isBetter ? .treatmentBar : isWorse ? .badBar : .infoBar) {
      $0.level(at: 0.5, from: low.map(x) ?? 0, to: high.map(x) ?? 1)
    }
    drawing.draw(.dot) { $0.dot(at: x(mean), 0.5) }
    if low == nil { drawing.word("◀", at: 0, 0.5, .start, .bold) }
    if high == nil { drawing.word("▶", at: 1, 0.5, .end, .bold) }
    return drawing
  }
}
