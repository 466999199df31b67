internal import RunPlans
internal import Studies
internal import Typesetting

/// Who was harmed: the patients newly harmed, the worst first, before any average.
struct HarmCard {
  private let comparison: StudyComparison
  private let number: Int
  private let confidence: Double
  private let names: EndPointNames

  /// How many patients are listed one by one.
  private static let mostListed = 50

  /// How many of these are seen at once: with more of them what follows the card would lie on
  /// another sheet of paper.
  private static let mostOpen = 5

  /// Takes a comparison, its place on the page, and the confidence of the study in percent.

  init(_ comparison: StudyComparison, number: Int, confidence: Double, names: EndPointNames) {
    self.comparison = comparison
    self.number = number
    self.confidence = confidence
    self.names = names
  }

  /// The card.
  var markup: Markup {
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
      body += markup(of: result)
    }
    return PageParts.card(
      id: "harm-\(number)", heading: "Who was harmed? \(comparison.name)",
      severity: isHarmed
        ? .fault : comparison.harms.contains { $0.count > 0 } ? .expected : .note, body)
  }

  private func markup(of result: EndPointResult) -> Markup {
    if result.count == 0 {
      return """
        <p class="warnt">! Who is newly \(EndPointWords(result.endPoint).harm) in \
        \(names.name(of: result.endPoint)) is not known: no patient has a value under both arms.</p>
        """
    }
    let newly = result.newlyHarmed
    let spared = result.patients.filter { $0.harmed == .spared }
    let both = result.patients.filter { $0.harmed == .both }
    let share = ShareOfPatients(newly.count, of: result.count)?.interval(confidence: confidence)
    let change = ChangedPatients(newly: newly.count, spared: spared.count)
    let neither = result.count - newly.count - spared.count - both.count
    var body: Markup = """
      <p class="big">\(newly.count) <small>of \(result.count) newly \
      \(EndPointWords(result.endPoint).harm) in \(names.name(of: result.endPoint)) \
      [\(percent(share?.lowerBound)), \(percent(share?.upperBound)) %]</small></p><p>\
      \(spared.count) spared, \(both.count) under both arms, \(neither) under neither; McNemar \
      p \(PageNumber.p(change.p, 2)).</p>
      """
    let nearest = nearest(in: result)
    if newly.isEmpty {
      // Where the others are all harmed by the control too, there is nobody to list.
      if !nearest.isEmpty { body += list(nearest, result, "Nobody; nearest to the rule", "") }
    } else {
      body += list(
        newly, result, "Newly harmed, the worst first", "✕ ", rest: "results.harms.csv")
    }
    if !spared.isEmpty { body += list(spared, result, "Spared", "▲ ") }
    if !both.isEmpty {
      var names = both.prefix(Self.mostListed).map { patient in
        let decimals = EndPointWords(result.endPoint).decimals
        let (from, to) = (
          PageNumber.text(patient.control, decimals), PageNumber.text(patient.treatment, decimals)
        )
        return "\(patient.id) (\(from) → \(to))"
      }
      if both.count > names.count {
        names.append("and \(both.count - names.count) more in \(Self.table)")
      }
      body += "<p class=\"small\">Harmed under both arms: \(names.joined(separator: ", ")).</p>"
    }
    return body
  }

  private func percent(_ share: Double?) -> String {
    PageNumber.text(share.map { $0 * 100 }, 1)
  }

  /// The five patients that come nearest to the rule without being harmed.
  private func nearest(in result: EndPointResult) -> [PatientResult] {
    let unharmed = result.patients.filter { $0.harmed == .neither }
    func distance(_ patient: PatientResult) -> Double {
      switch result.endPoint.harm {
      case .above(let limit): limit - patient.treatment
      case .below(let limit): patient.treatment - limit
      case .more(let count): count - patient.more
      case nil: 0
      }
    }
    return Array(
      unharmed.sorted { (distance($0), $0.id) < (distance($1), $1.id) }.prefix(5))
  }

  /// The table with a row for every patient.
  private static let table = "results.patients.csv"

  private func list(
    _ patients: [PatientResult], _ result: EndPointResult, _ caption: String, _ mark: String,
    rest file: String = Self.table
  ) -> Markup {
    let decimals = EndPointWords(result.endPoint).decimals
    var table = PageTable(
      [
        .init("\(caption)"), .init("Group", optional: true),
        .init("Hollow control, filled treatment", style: "chart", optional: true),
        .init("\(comparison.control)\(result.endPoint.unitAfterComma)", number: true),
        .init("\(comparison.treatment)\(result.endPoint.unitAfterComma)", number: true),
        .init("Difference", number: true),
      ], caption: caption)
    let shown = patients.prefix(Self.mostListed)
    let pairs = PairBars(result.endPoint, shown.flatMap { [$0.control, $0.treatment] })
    for patient in shown {
      let bar = pairs.drawing(of: patient, decimals: decimals)
      table.rows.append([
        "\(mark)\(patient.id)", "\(patient.group)", .init(bar.markup, style: "chart"),
        "\(PageNumber.text(patient.control, decimals))",
        "\(PageNumber.text(patient.treatment, decimals))",
        "\(PageNumber.text(patient.difference, decimals, signed: true))",
      ])
    }
    let rest: Markup =
      patients.count > shown.count
      ? "<p class=\"small\">and \(patients.count - shown.count) more in \(file)</p>" : ""
    guard shown.count > Self.mostOpen else { return table.markup + rest }
    var others = table
    table.rows = Array(table.rows.prefix(Self.mostOpen))
    others.rows = Array(others.rows.dropFirst(Self.mostOpen))
    others.caption = "\(caption): those after the first \(Self.mostOpen)"
    return table.markup
      + PageParts.folded("The next \(others.rows.count)", others.markup) + rest
  }

  /// The newly harmed patients of an end point as rows of a figure.
  static func rows(of result: EndPointResult) -> [SVGFigure.Row] {
    let shown = result.newlyHarmed
    let pairs = PairBars(result.endPoint, shown.flatMap { [$0.control, $0.treatment] })
    let decimals = EndPointWords(result.endPoint).decimals
    return shown.map { patient in
      var row = SVGFigure.Row(
        name: patient.id, drawing: pairs.drawing(of: patient, decimals: decimals))
      row.note =
        PageNumber.text(patient.control, decimals) + " → "
        + PageNumber.text(patient.treatment, decimals)
      return row
    }
  }
}
