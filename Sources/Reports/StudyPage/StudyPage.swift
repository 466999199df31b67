internal import Outcomes
internal import Scenarios
public import Studies

/// The page of a study: whether the treatment is better, for whom, and who is harmed.
///
/// Harm stands before averages, and a goal's margin is drawn before its estimate.
public struct StudyPage: Sendable {
  let analysis: StudyAnalysis
  let digest: StudyDigest

  public init(_ analysis: StudyAnalysis, digest: StudyDigest) {
    self.analysis = analysis
    self.digest = digest
  }

  /// The page as a file.
  public var html: String {
    var page = Page(kind: "Study report", title: analysis.sentence)
    page.meta = meta
    page.skip = ("#goals", "Skip to the goals")
    page.body = "<div class=\"kpis flow\">\(strip)</div>\n"
    let shown = analysis.comparisons.prefix(Self.comparisonsShown)
    for (number, comparison) in shown.enumerated() {
      page.body += """
        <div class="cols even"><div class="stack">\(harm(comparison, number))</div>\
        \(goals(comparison, number))</div>

        """
      if analysis.comparisons.count <= 4 {
        page.body += forest(comparison, number) + patients(comparison, number)
        page.body += groups(comparison, number)
      }
    }
    page.body += surface + intervals + definitions
    page.footer = [
      "study \(analysis.study.plan.id)@\(digest.short)", "plan \(digest.plan)",
      "cases \(digest.cases)", "loopsim \(analysis.study.plan.version)",
    ]
    return page.html
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

  /// A number with a true minus sign, whole from 1,000 on; a dash where there is none.
  func figure(_ value: Double?, _ decimals: Int, signed: Bool = false) -> String {
    guard let value else { return "–" }
    let decimals = value.magnitude >= 1_000 ? 0 : decimals
    return StudyNumber.fixed(value, decimals, signed: signed).replacing("-", with: "−")
  }

  /// An interval in brackets; an end that there is not is a dash.
  func interval(_ interval: IntervalOfMean?, _ decimals: Int) -> String {
    guard let interval else { return "–" }
    return "[\(figure(interval.lower, decimals)), \(figure(interval.upper, decimals))]"
  }

  func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// What differs, and what became of the runs.
  private var strip: Markup {
    let flow = analysis.flow
    let differences = analysis.study.differences.prefix(8).map { difference -> Markup in
      let values = difference.values.map { $0 ?? "–" }.joined(separator: " → ")
      return "<b>\(difference.path)</b> \(values)"
    }
    let swept = analysis.study.sweptPaths.map { "<b>\($0)</b> swept" as Markup }
    let what = (differences + swept).joined(separator: ", ")
    var body: Markup = """
      <p>The arms differ in \(what.isEmpty ? "nothing" : what).</p><p>\
      \(counted(flow.planned, "run")) planned, \(flow.ok) ok, \(flow.lethal) lethal, \
      \(flow.failed) failed.</p>
      """
    for reason in flow.reasons.prefix(5) {
      body += "<p class=\"badt\">✕ \(reason.count) × \(reason.reason)</p>"
    }
    if !flow.implausible.isEmpty {
      body += """
        <p class="warnt">! Under control \(counted(flow.implausible.count, "patient")) outside \
        what the models were made for: \(flow.implausible.prefix(10).joined(separator: ", ")). \
        They stay in.</p>
        """
    }
    let severity: PageSeverity = flow.failed > 0 ? .fault : flow.lethal > 0 ? .check : .note
    return PageParts.card(id: "flow", heading: "What was run", severity: severity, body)
  }

  // MARK: - Harm

  private func harm(_ comparison: StudyAnalysis.Comparison, _ number: Int) -> Markup {
    let deaths = comparison.lethalRuns
    var body: Markup = """
      <p>Lethal runs: \(deaths.control) with \(comparison.control), \(deaths.treatment) with \
      \(comparison.treatment).</p>
      """
    var isHarmed = deaths.treatment > deaths.control
    for result in comparison.harms {
      let newly = result.newlyHarmed
      if !newly.isEmpty { isHarmed = true }
      let spared = result.patients.count { $0.harmed == .spared }
      let both = result.patients.count { $0.harmed == .both }
      let share = ShareOfPatients(newly.count, of: result.count)?
        .interval(confidence: analysis.study.design.confidence)
      let change = ChangedPatients(newly: newly.count, spared: spared)
      body += """
        <p class="big">\(newly.count) <small>of \(result.count) newly \
        \(result.endPoint.harm?.words ?? "") in \(EndPointWords(result.endPoint).name) \
        [\(percent(share?.lowerBound)), \(percent(share?.upperBound)) %]</small></p><p>\(spared) \
        spared, \(both) under both arms, \(result.count - newly.count - spared - both) under \
        neither; McNemar p \(figure(change.p, 2)).</p>
        """
      if !newly.isEmpty { body += list(newly, result, comparison) }
    }
    return PageParts.card(
      id: "harm-\(number)", heading: "Who was harmed? \(comparison.treatment)",
      severity: isHarmed ? .fault : .expected, body)
  }

  private func percent(_ share: Double?) -> String {
    figure(share.map { $0 * 100 }, 1)
  }

  private func list(
    _ newly: [PatientResult], _ result: EndPointResult, _ comparison: StudyAnalysis.Comparison
  ) -> Markup {
    let decimals = EndPointWords(result.endPoint).decimals
    var table = PageTable(
      [
        .init("Patient"), .init("Group", optional: true),
        .init("\(comparison.control)", number: true, optional: true),
        .init("\(comparison.treatment)", number: true, optional: true),
        .init("Difference", number: true),
      ], caption: "Newly harmed patients, the worst first")
    for patient in newly.prefix(50) {
      table.rows.append([
        "✕ \(patient.id)", "\(patient.group)", "\(figure(patient.control, decimals))",
        "\(figure(patient.treatment, decimals))",
        "\(figure(patient.difference, decimals, signed: true))",
      ])
    }
    let rest: Markup =
      newly.count > 50
      ? "<p class=\"small\">and \(newly.count - 50) more in results.harms.csv</p>" : ""
    return table.markup + rest
  }
}
