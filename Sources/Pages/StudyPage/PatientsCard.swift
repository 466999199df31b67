internal import RunPlans
internal import Studies
internal import Typesetting

/// Every patient by the first end point, the worst first; many become their quantiles.
struct PatientsCard {
  private let comparison: StudyComparison
  private let number: Int
  private let names: EndPointNames

  /// The most patients that have a row of their own.
  private static let rowsShown = 60

  /// Takes a comparison, and its place on the page.
  init(_ comparison: StudyComparison, number: Int, names: EndPointNames) {
    self.comparison = comparison
    self.number = number
    self.names = names
  }

  /// The card; nothing where no patient has a value.
  var markup: Markup {
    guard let result = comparison.results.first, !result.patients.isEmpty else { return "" }
    let decimals = EndPointWords(result.endPoint).decimals
    let sorted = Self.worstFirst(result)
    let heading: Markup = """
      <h2 class="t" id="people-\(number)">Every patient: \
      \(names.nameAndUnit(of: result.endPoint))</h2>
      """
    let harmed = Set(comparison.harms.flatMap(\.newlyHarmed).map(\.id))
    guard sorted.count <= Self.rowsShown else {
      return """
        <section class="card more" aria-labelledby="people-\(number)">\(heading)\
        \(quantiles(of: result).markup)</section>

        """
    }
    let second = comparison.results.dropFirst().first { !$0.patients.isEmpty }
    var table = PageTable(
      [
        .init("Patient", sorted: true), .init("Group", optional: true, sorted: true),
        .init("\(comparison.control)", number: true, optional: true, sorted: true),
        .init("\(comparison.treatment)", number: true, optional: true, sorted: true),
        .init("◂ worse · better ▸", style: "chart half"),
        .init("\(result.endPoint.differenceHead)", number: true, sorted: true),
        .init("<span class=\"vh\">Outcome</span>"),
      ] + (second.map(columns(of:)) ?? []), caption: "Patients, the worst first")
    let axis = PatientAxis(of: result)
    let secondAxis = second.map(PatientAxis.init)
    for patient in sorted {
      let value = PageNumber.text(patient.difference, decimals, signed: true)
      let mark =
        harmed.contains(patient.id)
        ? "✕" : patient.benefit > 0 ? "▲" : patient.benefit < 0 ? "▼" : "="
      var cells: [PageTable.Cell] = [
        "\(patient.id)", .init("\(patient.group)"),
        .init("\(PageNumber.text(patient.control, decimals))", order: "\(patient.control)"),
        .init("\(PageNumber.text(patient.treatment, decimals))", order: "\(patient.treatment)"),
        .init(axis.drawing(of: patient).markup, style: "chart half"),
        .init("\(value)", order: "\(patient.difference)"), "\(mark)",
      ]
      if let second, let secondAxis {
        cells += secondCells(of: patient.id, second, secondAxis)
      }
      table.rows.append(cells)
    }
    return """
      <section class="card more" aria-labelledby="people-\(number)">\(heading)\
      \(table.markup)<p class="small">\
      ▲ better, ▼ worse, = equal, ✕ newly harmed.</p></section>

      """
  }

  /// The columns of a second end point beside the first.
  private func columns(of result: EndPointResult) -> [PageTable.Column] {
    [
      .init("\(names.name(of: result.endPoint)) ◂ ▸", style: "chart half", optional: true),
      .init("\(result.endPoint.differenceHead)", number: true, optional: true, sorted: true),
    ]
  }

  private func secondCells(
    of id: String, _ result: EndPointResult, _ axis: PatientAxis
  ) -> [PageTable.Cell] {
    guard let patient = result.patients.first(where: { $0.id == id }) else { return ["–", "–"] }
    let decimals = EndPointWords(result.endPoint).decimals
    return [
      .init(axis.drawing(of: patient).markup, style: "chart half"),
      .init(
        "\(PageNumber.text(patient.difference, decimals, signed: true))",
        order: "\(patient.difference)"),
    ]
  }

  /// The patients as rows of a figure; many as one row with their quantiles.
  var rows: [SVGFigure.Row] {
    guard let result = comparison.results.first else { return [] }
    let sorted = Self.worstFirst(result)
    guard sorted.count <= Self.rowsShown else {
      return [.init(name: "Differences", drawing: quantiles(of: result).drawing)]
    }
    let axis = PatientAxis(of: result)
    let decimals = EndPointWords(result.endPoint).decimals
    return sorted.map { patient in
      var row = SVGFigure.Row(name: patient.id, drawing: axis.drawing(of: patient))
      row.note = PageNumber.text(patient.difference, decimals, signed: true)
      return row
    }
  }

  private func quantiles(of result: EndPointResult) -> DifferenceQuantiles {
    DifferenceQuantiles(result.patients.map(\.difference), better: result.endPoint.better)
  }

  /// The patients of an end point, those who do worst first.
  private static func worstFirst(_ result: EndPointResult) -> [PatientResult] {
    let isLowerBetter = result.endPoint.better == .lower
    return result.patients.sorted {
      $0.difference == $1.difference
        ? $0.id < $1.id
        : isLowerBetter ? $0.difference > $1.difference : $0.difference < $1.difference
    }
  }
}
