internal import RunPlans
internal import Studies
internal import Typesetting

/// The axis of one goal: worse at the left, better at the right.
struct GoalAxis {
  private let result: EndPointResult
  private let name: String

  /// Takes what was found of an end point, and what the end point is called.
  init(_ result: EndPointResult, name: String) {
    self.result = result
    self.name = name
  }

  /// The chart; `nil` where there is no goal, or nobody with a difference.
  var drawing: Drawing? {
    guard let differences = result.differences, let goal = result.endPoint.goal else { return nil }
    let sign: Double = result.endPoint.better == .higher ? 1 : -1
    let interval = benefit(result.interval, sign)
    let margin = goal.margin
    // Of an interval without an end the mean may lie beyond all else.
    let ends = [interval.low, interval.high, sign * differences.mean, margin, -margin, 0]
    let reach = max(ends.compactMap(\.self).map(\.magnitude).max() ?? 1, 1e-9) * 1.15
    func x(_ value: Double?, _ missing: Double) -> Double {
      value.map { 0.5 + $0 / reach / 2 } ?? missing
    }
    // What is read out is what stands beside the chart: no share of time changes by more than all.
    let told = benefit(result.toldInterval, sign)
    var drawing = Drawing(
      height: 54,
      label: "\(name): benefit "
        + "\(PageNumber.text(sign * differences.mean, 3)), interval "
        + "\(PageNumber.text(told.low, 3)) to \(PageNumber.text(told.high, 3))")
    // The margin comes before the estimate.
    if case .superior = goal {
      drawing.box(.badBand, from: 0, to: x(margin, 0.5))
    } else {
      drawing.box(.badBand, from: 0, to: x(-margin, 0))
    }
    if case .equivalent = goal { drawing.box(.badBand, from: x(margin, 1), to: 1) }
    drawing.draw(.zero) { $0.upright(at: 0.5, from: 0.05, to: 0.75) }
    drawing.draw(.treatment) {
      $0.level(at: 0.4, from: x(interval.low, 0), to: x(interval.high, 1))
    }
    drawing.draw(.treatmentDot) { $0.dot(at: x(sign * differences.mean, 0.5), 0.4) }
    // An interval without an end runs on beyond the chart.
    if result.interval != nil, interval.low == nil { drawing.word("◀", at: 0, 0.4, .start, .bold) }
    if result.interval != nil, interval.high == nil { drawing.word("▶", at: 1, 0.4, .end, .bold) }
    drawing.word("◂ worse", at: 0, 0.87, .start, .muted)
    drawing.word("better ▸", at: 1, 0.87, .end, .muted)
    return drawing
  }

  private func benefit(_ interval: IntervalOfMean?, _ sign: Double) -> (low: Double?, high: Double?)
  {
    guard let interval else { return (nil, nil) }
    return sign > 0
      ? (interval.lower, interval.upper)
      : (interval.upper.map { -$0 }, interval.lower.map { -$0 })
  }
}
