internal import RunPlans
internal import StructuredText
internal import Studies
internal import Typesetting

/// What the arms of a study differ in, and what became of the runs.
struct StudyFlowCard {
  private let analysis: StudyAnalysis
  private let warnings: [String]
  private let notes: [String]

  /// Takes what a study found, and what the check of its scenario warned of and noted.
  init(_ analysis: StudyAnalysis, _ warnings: [String], _ notes: [String]) {
    self.analysis = analysis
    self.warnings = warnings
    self.notes = notes
  }

  /// How the names of arms tell the values of the sweep.
  private var names: String {
    let paths = analysis.study.sweptPaths
    let order = paths.count > 1 ? " in this order" : ""
    return "Names of arms have the \(paths.count > 1 ? "values" : "value") of "
      + paths.joined(separator: " × ") + "\(order)."
  }

  /// The most differences, reasons and patients that are named.
  private static let mostNamed = 8

  /// The card.
  var markup: Markup {
    let flow = analysis.flow
    let known = analysis.study.differences
    var differences = known.prefix(Self.mostNamed).map { difference -> Markup in
      "<b>\(difference.path)</b> \(difference.words.joined(separator: " → "))"
    }
    let rest = known.count - differences.count
    if rest > 0 { differences.append("\(WordList.counted(rest, "more setting"))") }
    let isSampled = analysis.study.design.sampled != nil
    let swept = analysis.study.sweptPaths.map { path -> Markup in
      isSampled ? "<b>\(path)</b>" : "<b>\(path)</b> swept"
    }
    let what = (differences + swept).joined(separator: ", ")
    let cells = isSampled ? "points" : "arms"
    // "2 × 70" says no path.
    let named: Markup = isSampled || swept.isEmpty ? "" : " \(names)"
    var body: Markup = """
      <p>The \(cells) differ in \(what.isEmpty ? "nothing" : what).\(named)</p><p>\
      \(WordList.counted(flow.planned, "run")) planned, \(flow.ok) ok, \(flow.lethal) lethal, \
      \(flow.failed) failed.</p>
      """
    for program in analysis.study.plan.programs {
      body += "<p>Program: <b>\(program.words)</b></p>"
    }
    if !analysis.study.plan.programs.isEmpty { body += "<p>\(StudyProgram.caution)</p>" }
    for reason in flow.reasons.prefix(Self.mostNamed) {
      body += "<p class=\"badt\">✕ \(reason.count) × \(reason.reason)</p>"
    }
    body += PageParts.more(than: Self.mostNamed, of: flow.reasons.count)
    if !flow.implausible.isEmpty {
      body += """
        <p class="warnt">! \(isSampled ? "At some point" : "Under control") \
        \(WordList.counted(flow.implausible.count, "patient")) outside \
        what the models were made for: \(WordList.text(flow.implausible, atMost: Self.mostNamed)). \
        They stay in.</p>
        """
    }
    if !flow.implausibleTreated.isEmpty {
      body += """
        <p class="warnt">! Under a treatment alone \
        \(WordList.counted(flow.implausibleTreated.count, "patient")) outside what the models were \
        made for: \(WordList.text(flow.implausibleTreated, atMost: Self.mostNamed)). \
        They stay in.</p>
        """
    }
    if let stopped = flow.stoppedPumps { body += "<p class=\"warnt\">! \(stopped.words).</p>" }
    for warning in warnings.prefix(Self.mostNamed) {
      body += "<p class=\"warnt\">! \(warning)</p>"
    }
    body += PageParts.more(than: Self.mostNamed, of: warnings.count)
    for note in notes.prefix(Self.mostNamed) { body += "<p class=\"small\">\(note)</p>" }
    body += PageParts.more(than: Self.mostNamed, of: notes.count)
    if let precision = analysis.precisionSentence {
      body += "<p>\(precision.capitalizedAtStart).</p>"
    }
    let severity: PageSeverity = flow.failed > 0 ? .fault : flow.lethal > 0 ? .check : .note
    return PageParts.card(id: "flow", heading: "What was run", severity: severity, body)
  }
}
