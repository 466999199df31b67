internal import RunPlans
internal import StructuredText
internal import Studies
internal import Typesetting

/// The goals in their order, each with its margin and its estimate.
struct GoalsCard {
  private let comparison: StudyComparison
  private let number: Int
  private let confidence: Double
  private let names: EndPointNames

  /// Takes a comparison, its place on the page, and the confidence of its goals in percent.
  init(_ comparison: StudyComparison, number: Int, confidence: Double, names: EndPointNames) {
    self.comparison = comparison
    self.number = number
    self.confidence = confidence
    self.names = names
  }

  /// The card.
  var markup: Markup {
    let goals = comparison.results.filter { $0.endPoint.goal != nil }
    let items = goals.enumerated().map { place, result -> Markup in
      let words = EndPointWords(result.endPoint)
      let decimals = words.decimals + 1
      return """
        <li><b>\("\(place + 1)")</b><div><h3>\(names.name(of: result.endPoint)): \
        \(goalWords(result)) \(chip(result.verdict))</h3>\
        \(axis(of: result).drawing?.markup ?? "")<p>\(notes(result))</p></div><div class="amt"><b>\
        \(words.difference(PageNumber.text(result.differences?.mean, decimals, signed: true)))</b>\
        \(PageNumber.interval(result.toldInterval, decimals))</div></li>
        """
    }
    let level = StudyNumber.confidence(confidence)
    var equal: Markup = ""
    if comparison.runs.areEqual {
      equal = """
        <p class="warnt">! \(comparison.treatment) and \(comparison.control) are the same run, in \
        each of \(WordList.counted(comparison.runs.pairs, "pair")).</p>
        """
    }
    let remarks = [comparison.wearSentence, comparison.ungroupedSentence].compactMap(\.self)
      .map { "<p class=\"warnt\">! \($0.capitalizedAtStart)</p>" as Markup }
    let id = number == 0 ? "goals" : "goals-\(number)"
    return """
      <section class="card" aria-labelledby="\(id)"><h2 class="t" id="\(id)">Goals in order: \
      \(comparison.name) against \(comparison.control)</h2>\(equal)\
      \(remarks.joined())<ol class="dlist">\(items.joined())</ol><p class="small">Intervals of \
      \(level) %, at each end the wider of the studentised bootstrap over patients and Student's \
      t. Red is beyond the margin. They speak of a population of which these patients would be a \
      random sample.</p></section>

      """
  }

  private func goalWords(_ result: EndPointResult) -> String {
    guard let goal = result.endPoint.goal else { return "" }
    let margin = EndPointWords(result.endPoint).difference(StudyNumber.text(goal.margin))
    switch goal {
    case .superior(let by): return by == 0 ? "better" : "better by more than \(margin)"
    case .noninferior: return "not worse by \(margin)"
    case .equivalent: return "within \(margin) either way"
    }
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
    if result.missing > 0 { notes.append(result.comparedWords) }
    if let words = result.leftOutWords { notes.append(words) }
    if let sentence = result.deathSentence { notes.append(sentence) }
    if let sentence = result.fewerByDeathSentence { notes.append(sentence) }
    if let sentence = result.holmSentence { notes.append(sentence) }
    if let sentence = result.equalSentence { notes.append(sentence) }
    if let sentence = result.skewNote { notes.append(sentence) }
    if let error = result.variance?.chanceError {
      notes.append("± \(PageNumber.text(error, 3)) by chance alone")
    }
    if !result.bounds.isEmpty { notes.append("met only if met with any outcome of failed runs") }
    return notes.joined(separator: "; ").capitalizedAtStart
  }

  private func axis(of result: EndPointResult) -> GoalAxis {
    GoalAxis(result, name: names.name(of: result.endPoint))
  }

  /// The goals as rows of a figure.
  var rows: [SVGFigure.Row] {
    comparison.results.compactMap { result in
      axis(of: result).drawing.map {
        SVGFigure.Row(result, name: names.name(of: result.endPoint), $0)
      }
    }
  }
}

extension String {
  /// The text with a capital at its start.
  var capitalizedAtStart: String { prefix(1).uppercased() + dropFirst() }
}
