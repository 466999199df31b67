internal import Quantities
internal import Outcomes
internal import Scenarios
internal import StructuredText
public import Studies

/// The page of a study: whether the treatment is better, for whom, and who is harmed.
///
/// Harm stands before averages, and a goal's margin is drawn before its estimate.
public struct StudyPage: Sendable {
  let analysis: StudyAnalysis
  let digest: StudyDigest

  /// Makes the page of a study.
  public init(_ analysis: StudyAnalysis, digest: StudyDigest) {
    self.analysis = analysis
    self.digest = digest
  }

  /// The page as a file.
  public var html: String {
    var page = Page(kind: "Study report", title: StudySentence(analysis).text)
    page.meta = meta
    let isSampled = analysis.study.design.sampled != nil
    page.skip = ("#goals", isSampled ? "Skip to the settings" : "Skip to the goals")
    page.body = "<div class=\"kpis flow\">\(strip)</div>\n"
    let shown = analysis.comparisons.prefix(Self.comparisonsShown)
    for (number, comparison) in shown.enumerated() {
      page.body += """
        <div class="cols even"><div class="stack">\(harm(comparison, number))</div>\
        \(goals(comparison, number))</div>

        """
      if analysis.comparisons.count <= 4 {
        page.body += forest(comparison, number) + patients(comparison, number)
        page.body += pictures(comparison, number).markup + groups(comparison, number)
      }
    }
    page.glucoseUnit = glucoseUnit
    page.data = ["unit": .string(glucoseUnit.rawValue)]
    page.body += isSampled ? sensitivity : surface + intervals
    page.body += definitions
    page.footer = [
      "study \(analysis.study.plan.id)@\(digest.short)", "plan \(digest.plan)",
      "cases \(digest.cases)", "loopsim \(analysis.study.plan.version)",
    ]
    return page.html
  }

  /// The unit of the study's scenario.
  var glucoseUnit: GlucoseUnit {
    analysis.study.design.endPoints.contains(where: \.metric.isMolar)
      ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  /// How many comparisons get cards of their own; the surface shows all.
  static let comparisonsShown = 4

  private var meta: Markup {
    let plan = analysis.study.plan
    let pairing = analysis.study.design.isPaired ? "paired" : "not paired"
    return """
      <b>\(plan.title)</b> · \(counted(plan.patients, "patient")) × \
      \(counted(plan.replicates, "replicate")) × \(counted(plan.runsPerUnit, "run")), \(pairing)
      """
  }

  /// What an end point is called; where two are called alike, with what they are measured on.
  func name(of endPoint: StudyEndPoint) -> String {
    let name = EndPointWords(endPoint).name
    let alike = analysis.study.design.endPoints.count { EndPointWords($0).name == name }
    guard alike > 1 else { return name }
    return "\(name), \(endPoint.metric.source == .truth ? "true glucose" : "CGM")"
  }

  /// A number with a true minus sign, whole from 1,000 on; a dash where there is none.
  func figure(_ value: Double?, _ decimals: Int, signed: Bool = false) -> String {
    guard let value else { return "–" }
    let decimals = value.magnitude >= 1_000 ? 0 : decimals
    return StudyNumber.fixed(value, decimals, signed: signed).replacing("-", with: "−")
  }

  /// An interval in brackets; an end that there is not is a dash.
  func interval(_ interval: IntervalOfMean?, _ decimals: Int) -> String {
    guard let interval else { return "–" }
    func end(_ value: Double?) -> String {
      figure(value, (value?.magnitude ?? 0) >= 100 ? 0 : decimals)
    }
    return "[\(end(interval.lower)), \(end(interval.upper))]"
  }

  func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// What differs, and what became of the runs.
  private var strip: Markup {
    let flow = analysis.flow
    let differences = analysis.study.differences.prefix(8).map { difference -> Markup in
      let values = difference.values.map { $0 ?? "default" }.joined(separator: " → ")
      return "<b>\(difference.path)</b> \(values)"
    }
    let isSampled = analysis.study.design.sampled != nil
    let swept = analysis.study.sweptPaths.map { path -> Markup in
      isSampled ? "<b>\(path)</b>" : "<b>\(path)</b> swept"
    }
    let what = (differences + swept).joined(separator: ", ")
    let cells = isSampled ? "points" : "arms"
    var body: Markup = """
      <p>The \(cells) differ in \(what.isEmpty ? "nothing" : what).</p><p>\
      \(counted(flow.planned, "run")) planned, \(flow.ok) ok, \(flow.lethal) lethal, \
      \(flow.failed) failed.</p>
      """
    for program in analysis.study.plan.programs {
      body += "<p>Program: <b>\(program.words)</b></p>"
    }
    if !analysis.study.plan.programs.isEmpty { body += "<p>\(StudyProgram.caution)</p>" }
    for reason in flow.reasons.prefix(5) {
      body += "<p class=\"badt\">✕ \(reason.count) × \(reason.reason)</p>"
    }
    if !flow.implausible.isEmpty {
      body += """
        <p class="warnt">! \(isSampled ? "At some point" : "Under control") \
        \(counted(flow.implausible.count, "patient")) outside \
        what the models were made for: \(flow.implausible.prefix(10).joined(separator: ", ")). \
        They stay in.</p>
        """
    }
    let severity: PageSeverity = flow.failed > 0 ? .fault : flow.lethal > 0 ? .check : .note
    return PageParts.card(id: "flow", heading: "What was run", severity: severity, body)
  }
}
