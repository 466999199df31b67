internal import Outcomes
internal import Scenarios
internal import Studies

extension StudyPage {
  /// How many patients are listed one by one.
  private static let mostListed = 50

  /// Who was harmed: the patients newly harmed, the worst first, before any average.
  func harm(_ comparison: StudyComparison, _ number: Int) -> Markup {
    let deaths = comparison.lethalRuns
    var body: Markup = """
      <p>Lethal runs: \(deaths.control) with \(comparison.control), \(deaths.treatment) with \
      \(comparison.treatment).</p>
      """
    var isHarmed = deaths.treatment > deaths.control
    if comparison.harms.isEmpty {
      body += """
        <p>No rule of harm is given, so that nobody can be counted as harmed: the page knows of \
        lethal runs alone. A rule such as <code>harm: { above: 1 }</code> stands at an end point \
        of the study.</p>
        """
    }
    for result in comparison.harms {
      if !result.newlyHarmed.isEmpty { isHarmed = true }
      body += harm(result, comparison)
    }
    return PageParts.card(
      id: "harm-\(number)", heading: "Who was harmed? \(comparison.treatment)",
      severity: isHarmed ? .fault : comparison.harms.isEmpty ? .note : .expected, body)
  }

  private func harm(_ result: EndPointResult, _ comparison: StudyComparison) -> Markup {
    let newly = result.newlyHarmed
    let spared = result.patients.filter { $0.harmed == .spared }
    let both = result.patients.filter { $0.harmed == .both }
    let share = ShareOfPatients(newly.count, of: result.count)?
      .interval(confidence: analysis.study.design.confidence)
    let change = ChangedPatients(newly: newly.count, spared: spared.count)
    let neither = result.count - newly.count - spared.count - both.count
    var body: Markup = """
      <p class="big">\(newly.count) <small>of \(result.count) newly \
      \(harmWords(result.endPoint)) in \(name(of: result.endPoint)) \
      [\(percent(share?.lowerBound)), \(percent(share?.upperBound)) %]</small></p><p>\
      \(spared.count) spared, \(both.count) under both arms, \(neither) under neither; McNemar \
      p \(figure(change.p, 2)).</p>
      """
    if newly.isEmpty {
      body += list(nearest(in: result), result, comparison, "Nobody; nearest to the rule", "")
    } else {
      body += list(newly, result, comparison, "Newly harmed, the worst first", "✕ ")
    }
    if !spared.isEmpty { body += list(spared, result, comparison, "Spared", "▲ ") }
    if !both.isEmpty {
      let names = both.prefix(Self.mostListed).map { patient in
        let decimals = EndPointWords(result.endPoint).decimals
        let (from, to) = (figure(patient.control, decimals), figure(patient.treatment, decimals))
        return "\(patient.id) (\(from) → \(to))"
      }
      body += "<p class=\"small\">Harmed under both arms: \(names.joined(separator: ", ")).</p>"
    }
    return body
  }

  /// The rule of harm with its unit.
  private func harmWords(_ endPoint: StudyEndPoint) -> String {
    guard let harm = endPoint.harm else { return "" }
    let isDifference = if case .more = harm { true } else { false }
    return isDifference || endPoint.unit.isEmpty ? harm.words : "\(harm.words) \(endPoint.unit)"
  }

  private func percent(_ share: Double?) -> String {
    figure(share.map { $0 * 100 }, 1)
  }

  /// The five patients that come nearest to the rule without being harmed.
  private func nearest(in result: EndPointResult) -> [PatientResult] {
    let unharmed = result.patients.filter { $0.harmed == .neither }
    func distance(_ patient: PatientResult) -> Double {
      switch result.endPoint.harm {
      case .above(let limit): limit - patient.treatment
      case .below(let limit): patient.treatment - limit
      case .more(let count): count - patient.difference
      case nil: 0
      }
    }
    return Array(
      unharmed.sorted { (distance($0), $0.id) < (distance($1), $1.id) }.prefix(5))
  }

  private func list(
    _ patients: [PatientResult], _ result: EndPointResult, _ comparison: StudyComparison,
    _ caption: String, _ mark: String
  ) -> Markup {
    let decimals = EndPointWords(result.endPoint).decimals
    var table = PageTable(
      [
        .init("\(caption)"), .init("Group", optional: true),
        .init("Hollow control, filled treatment", style: "chart", optional: true),
        .init("\(comparison.control)\(unitWords(result.endPoint))", number: true),
        .init("\(comparison.treatment)\(unitWords(result.endPoint))", number: true),
        .init("Difference", number: true),
      ], caption: caption)
    let shown = patients.prefix(Self.mostListed)
    let pairs = PairBars(result.endPoint, shown.flatMap { [$0.control, $0.treatment] })
    for patient in shown {
      let bar = pairs.drawing(of: patient, decimals: decimals)
      table.rows.append([
        "\(mark)\(patient.id)", "\(patient.group)", .init(bar.markup, style: "chart"),
        "\(figure(patient.control, decimals))", "\(figure(patient.treatment, decimals))",
        "\(figure(patient.difference, decimals, signed: true))",
      ])
    }
    let rest: Markup =
      patients.count > shown.count
      ? "<p class=\"small\">and \(patients.count - shown.count) more in results.harms.csv</p>" : ""
    return table.markup + rest
  }
}

/// A patient's two values on one axis with the rule of harm: control hollow, treatment filled.
struct PairBars {
  private let endPoint: StudyEndPoint
  private let low: Double
  private let high: Double

  /// Prepares the axis for the values of several patients.
  init(_ endPoint: StudyEndPoint, _ values: [Double]) {
    self.endPoint = endPoint
    let all = values + [0] + [Self.limit(of: endPoint)].compactMap(\.self)
    low = all.min() ?? 0
    let most = all.max() ?? 1
    high = most > low ? most : low + 1
  }

  /// The value from which the rule harms; `nil` for a rule about the difference.
  private static func limit(of endPoint: StudyEndPoint) -> Double? {
    switch endPoint.harm {
    case .above(let limit), .below(let limit): limit
    case .more, nil: nil
    }
  }

  func drawing(of patient: PatientResult, decimals: Int) -> Drawing {
    func x(_ value: Double) -> Double { 0.03 + 0.94 * (value - low) / (high - low) }
    let (from, to) = (x(patient.control), x(patient.treatment))
    var drawing = Drawing(
      height: 22,
      label: "\(patient.id): \(StudyNumber.fixed(patient.control, decimals)) to "
        + StudyNumber.fixed(patient.treatment, decimals))
    drawing.draw(.interval) { $0.level(at: 0.5, from: 0, to: 1) }
    if let limit = Self.limit(of: endPoint) {
      drawing.draw(.margin) { $0.upright(at: x(limit), from: 0, to: 1) }
    }
    let isHarm = patient.benefit < 0
    drawing.draw(isHarm ? .worseMove : .control) {
      $0.level(at: 0.5, from: min(from, to), to: max(from, to))
    }
    drawing.draw(.controlDot) { $0.dot(at: from, 0.5) }
    drawing.draw(.hollow) { $0.dot(at: from, 0.5) }
    drawing.draw(isHarm ? .worseDot : .treatmentDot) { $0.dot(at: to, 0.5) }
    return drawing
  }
}
