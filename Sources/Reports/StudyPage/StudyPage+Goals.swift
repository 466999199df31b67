internal import Outcomes
internal import Scenarios
internal import Studies

extension String {
  /// The text with a capital at its start.
  fileprivate var capitalizedAtStart: String { prefix(1).uppercased() + dropFirst() }
}

extension StudyPage {
  /// The goals in their order, each with its margin and its estimate.
  func goals(_ comparison: StudyComparison, _ number: Int) -> Markup {
    let goals = comparison.results.filter { $0.endPoint.goal != nil }
    let items = goals.enumerated().map { place, result -> Markup in
      let words = EndPointWords(result.endPoint)
      let decimals = words.decimals + 1
      return """
        <li><b>\("\(place + 1)")</b><div><h3>\(name(of: result.endPoint)): \(goalWords(result)) \
        \(chip(result.verdict))</h3>\(goalDrawing(result)?.markup ?? "")<p>\(notes(result))</p>\
        </div><div class="amt"><b>\
        \(figure(result.differences?.mean, decimals, signed: true)) \
        \(differenceUnit(result.endPoint))</b>\
        \(interval(result.toldInterval, decimals))</div></li>
        """
    }
    let level = StudyNumber.text(analysis.goalConfidence)
    let id = number == 0 ? "goals" : "goals-\(number)"
    return """
      <section class="card" aria-labelledby="\(id)"><h2 class="t" id="\(id)">Goals in order: \
      \(comparison.treatment) against \(comparison.control)</h2><ol class="dlist">\
      \(items.joined())</ol><p class="small">Intervals of \(level) %, at each end the wider \
      of the studentised bootstrap over patients and Student's t. Red is beyond the margin. They \
      speak of a population of which these patients would be a random sample.</p></section>

      """
  }

  private func goalWords(_ result: EndPointResult) -> String {
    guard let goal = result.endPoint.goal else { return "" }
    let margin = "\(StudyNumber.text(goal.margin)) \(result.endPoint.unit)"
    switch goal {
    case .superior(let by): return by == 0 ? "better" : "better by more than \(margin)"
    case .noninferior: return "not worse by \(margin)"
    case .equivalent: return "within \(margin) either way"
    }
  }

  /// What the numbers of an end point are in; of shares those of differences are points.
  func differenceUnit(_ endPoint: StudyEndPoint) -> String {
    endPoint.unit == "%" ? "points" : endPoint.unit
  }

  /// The head of a column of differences.
  func differenceHead(_ endPoint: StudyEndPoint) -> String {
    let unit = differenceUnit(endPoint)
    return unit.isEmpty ? "Difference" : "Difference, \(unit)"
  }

  /// The unit of an end point after a comma; nothing for a count.
  func unitWords(_ endPoint: StudyEndPoint) -> String {
    endPoint.unit.isEmpty ? "" : ", \(endPoint.unit)"
  }

  private func chip(_ verdict: GoalVerdict?) -> Markup {
    switch verdict {
    case .met: PageParts.chip(.expected, "✓ met")
    case .notMet: PageParts.chip(.check, "! not met")
    case .worse: PageParts.chip(.fault, "✕ worse")
    case .notEstimable: PageParts.chip(.check, "! not estimable")
    case .notTested, nil: PageParts.chip(.note, "– not tested")
    }
  }

  private func notes(_ result: EndPointResult) -> String {
    var notes: [String] = []
    if result.missing > 0 { notes.append("\(result.missing) patients without a value") }
    if result.isFewForSkew {
      notes.append(result.skewSentence)
    }
    if let error = result.variance?.chanceError {
      notes.append("± \(figure(error, 3)) by chance alone")
    }
    if !result.bounds.isEmpty { notes.append("met only if met with any outcome of failed runs") }
    return notes.joined(separator: "; ").capitalizedAtStart
  }

  /// The axis of one goal: worse at the left, better at the right.
  func goalDrawing(_ result: EndPointResult) -> Drawing? {
    guard let differences = result.differences, let goal = result.endPoint.goal else { return nil }
    let sign: Double = result.endPoint.better == .higher ? 1 : -1
    let interval = benefit(result.interval, sign)
    let margin = goal.margin
    let ends = [interval.low, interval.high, margin, -margin, 0]
    let reach = max(ends.compactMap(\.self).map(\.magnitude).max() ?? 1, 1e-9) * 1.15
    func x(_ value: Double?, _ missing: Double) -> Double {
      value.map { 0.5 + $0 / reach / 2 } ?? missing
    }
    var drawing = Drawing(
      height: 54,
      label: "\(name(of: result.endPoint)): benefit "
        + "\(figure(sign * differences.mean, 3)), interval "
        + "\(figure(interval.low, 3)) to \(figure(interval.high, 3))")
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
    drawing.word("◂ worse", at: 0, 0.87, .start, .muted)
    drawing.word("better ▸", at: 1, 0.87, .end, .muted)
    return drawing
  }

  func benefit(_ interval: IntervalOfMean?, _ sign: Double) -> (low: Double?, high: Double?) {
    guard let interval else { return (nil, nil) }
    return sign > 0
      ? (interval.lower, interval.upper)
      : (interval.upper.map { -$0 }, interval.lower.map { -$0 })
  }
}
