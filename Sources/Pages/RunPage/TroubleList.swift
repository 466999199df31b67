internal import Expectations
internal import Reports
internal import Simulation
internal import Typesetting

/// What went wrong in a run: the expectations that fail, then its troubles, then the expectations
/// that only warn.
struct TroubleList {
  private let lines: [String]
  private let severity: PageSeverity
  private let withYear: Bool

  /// Takes what went wrong in a run, a sentence each.
  init(_ summary: RunSummary) {
    lines = summary.failureLines + summary.troubleLines + summary.warningLines
    let (run, failures) = (summary.run, summary.failureLines)
    withYear = run.isOfSeveralYears
    severity =
      failures.isEmpty && run.lethalEnd == nil && run.violations.isEmpty ? .check : .fault
  }

  /// How many there are.
  var count: Int { lines.count }

  /// A card with the first of them, as wide as all others together; nothing where all went well.
  ///
  /// They are sentences, which in a narrow card would push the chart out of sight.
  ///
  /// - Parameter told: Sentences that another card has said already.
  /// - Returns: The card.
  func card(besides told: [String]) -> Markup {
    let lines = lines.filter { !told.contains($0) }
    guard !lines.isEmpty else { return "" }
    let shown = lines.prefix(4).map { "<li><span>\(sentence($0))</span></li>" as Markup }
    let rest: Markup = lines.count > 4 ? "<li>and \(lines.count - 4) more below</li>" : ""
    let card = PageParts.card(
      id: "k5", heading: "What went wrong", severity: severity,
      "<ul class=\"wrong\">\(shown.joined())\(rest)</ul>")
    return "<div class=\"wrongs\">\(card)</div>"
  }

  private func sentence(_ line: String) -> Markup { PageSentence(line, withYear: withYear).markup }

  /// The whole list, folded where it is long; nothing where all went well.
  var folded: Markup {
    guard !lines.isEmpty else { return "" }
    let items = lines.prefix(40).map { "<li>\(sentence($0))</li>" as Markup }.joined()
    let rest: Markup = lines.count > 40 ? "<li>and \(lines.count - 40) more</li>" : ""
    return PageParts.folded(
      "What went wrong (\(lines.count))", id: "wrong", isOpen: lines.count <= 12,
      opensInPrint: true, "<ul>\(items)\(rest)</ul>")
  }
}
