internal import Outcomes
internal import Scenarios
internal import Studies

extension StudyPage {
  /// The most patients that have a row of their own.
  static let rowsShown = 60

  /// How far the axis of a forest reaches from its middle.
  static func reach(of rows: [ForestRow]) -> Double {
    max(rows.flatMap(\.ends).map(\.magnitude).max() ?? 1, 1e-9) * 1.1
  }

  /// How far the axis of the patients reaches from its middle.
  static func reach(of patients: [PatientResult]) -> Double {
    max(1e-9, patients.flatMap { $0.replicates + [$0.difference] }.map(\.magnitude).max() ?? 1)
      * 1.05
  }

  /// The patients of an end point, those who do worst first.
  func worstFirst(_ result: EndPointResult) -> [PatientResult] {
    let isLowerBetter = result.endPoint.better == .lower
    return result.patients.sorted {
      $0.difference == $1.difference
        ? $0.id < $1.id
        : isLowerBetter ? $0.difference > $1.difference : $0.difference < $1.difference
    }
  }

  /// Every end point on one scale: goals in units of their margin, the rest in deviations.
  func forest(_ comparison: StudyComparison, _ number: Int) -> Markup {
    let rows = comparison.results.map(ForestRow.init)
    let reach = Self.reach(of: rows)
    var table = PageTable(
      [
        .init("End point"), .init("\(comparison.control)", number: true, optional: true),
        .init("\(comparison.treatment)", number: true, optional: true),
        .init("◂ worse · better ▸", style: "chart"), .init("Difference", number: true),
        .init("Interval", number: true), .init("▲ = ▼", number: true, optional: true),
      ], caption: "Every end point, one scale")
    for row in rows {
      let result = row.result
      let decimals = EndPointWords(result.endPoint).decimals
      let counts = result.counts
      table.rows.append([
        "\(name(of: result.endPoint))\(unitWords(result.endPoint))",
        .init("\(figure(result.control?.mean, decimals))"),
        .init("\(figure(result.treatment?.mean, decimals))"),
        .init(row.drawing(reach: reach).markup, style: "chart"),
        .init("\(figure(result.differences?.mean, decimals + 1, signed: true))"),
        .init("\(interval(result.toldInterval, decimals + 1))"),
        .init("\(counts.better) / \(counts.equal) / \(counts.worse)"),
      ])
    }
    return """
      <section class="card more" aria-labelledby="forest-\(number)"><h2 class="t" \
      id="forest-\(number)">Every end point, one scale</h2>\(table.markup)<p class="small">Right \
      is better in every row. Blue: the interval excludes no difference, for the better; red: for \
      the worse; grey: undecided. End points with a margin are in units of it (dashes), the others \
      in standard deviations of the differences; the numbers are in natural units.</p></section>

      """
  }

  /// Every patient by the first end point, the worst first; many become their quantiles.
  func patients(_ comparison: StudyComparison, _ number: Int) -> Markup {
    guard let result = comparison.results.first, !result.patients.isEmpty else { return "" }
    let decimals = EndPointWords(result.endPoint).decimals
    let isLowerBetter = result.endPoint.better == .lower
    let sorted = worstFirst(result)
    let heading: Markup = """
      <h2 class="t" id="people-\(number)">Every patient: \
      \(name(of: result.endPoint))\(unitWords(result.endPoint))</h2>
      """
    let harmed = Set(comparison.harms.flatMap(\.newlyHarmed).map(\.id))
    guard sorted.count <= Self.rowsShown else {
      return """
        <section class="card more" aria-labelledby="people-\(number)">\(heading)\
        \(quantileChart(sorted.map(\.difference)))</section>

        """
    }
    let second = comparison.results.dropFirst().first { !$0.patients.isEmpty }
    var table = PageTable(
      [
        .init("Patient", sorted: true), .init("Group", optional: true, sorted: true),
        .init("\(comparison.control)", number: true, optional: true, sorted: true),
        .init("\(comparison.treatment)", number: true, optional: true, sorted: true),
        .init("◂ worse · better ▸", style: "chart half"),
        .init("\(differenceHead(result.endPoint))", number: true, sorted: true), .init(""),
      ] + (second.map(columns(of:)) ?? []), caption: "Patients, the worst first")
    let reach = Self.reach(of: sorted)
    let secondReach = Self.reach(of: second?.patients ?? [])
    for patient in sorted {
      let value = figure(patient.difference, decimals, signed: true)
      let mark =
        harmed.contains(patient.id)
        ? "✕" : patient.benefit > 0 ? "▲" : patient.benefit < 0 ? "▼" : "="
      var cells: [PageTable.Cell] = [
        "\(patient.id)", .init("\(patient.group)"),
        .init("\(figure(patient.control, decimals))"),
        .init("\(figure(patient.treatment, decimals))"),
        .init(dots(of: patient, reach: reach, isLowerBetter).markup, style: "chart half"),
        .init("\(value)", order: "\(patient.difference)"), "\(mark)",
      ]
      if let second { cells += secondCells(of: patient.id, second, reach: secondReach) }
      table.rows.append(cells)
    }
    return """
      <section class="card more" aria-labelledby="people-\(number)">\(heading)\
      \(table.markup)<p class="small">▲ better, ▼ worse, = equal, ✕ newly harmed.</p></section>

      """
  }

  /// The columns of a second end point beside the first.
  private func columns(of result: EndPointResult) -> [PageTable.Column] {
    [
      .init("\(name(of: result.endPoint)) ◂ ▸", style: "chart half", optional: true),
      .init("\(differenceHead(result.endPoint))", number: true, optional: true, sorted: true),
    ]
  }

  private func secondCells(
    of id: String, _ result: EndPointResult, reach: Double
  ) -> [PageTable.Cell] {
    guard let patient = result.patients.first(where: { $0.id == id }) else { return ["–", "–"] }
    let isLowerBetter = result.endPoint.better == .lower
    let decimals = EndPointWords(result.endPoint).decimals
    return [
      .init(dots(of: patient, reach: reach, isLowerBetter).markup, style: "chart half"),
      .init(
        "\(figure(patient.difference, decimals, signed: true))", order: "\(patient.difference)"),
    ]
  }

  /// The difference of a patient, with a line from the lowest to the highest repetition.
  func dots(
    of patient: PatientResult, reach: Double, _ isLowerBetter: Bool
  ) -> Drawing {
    let sign: Double = isLowerBetter ? -1 : 1
    func x(_ value: Double) -> Double { 0.5 + sign * value / reach / 2 }
    var drawing = Drawing(
      height: 18, label: "\(patient.id): \(figure(patient.difference, 2, signed: true))")
    drawing.draw(.zero) { $0.upright(at: 0.5, from: 0, to: 1) }
    let ends = patient.replicates.map(x)
    if let low = ends.min(), let high = ends.max(), high - low > 0.001 {
      drawing.draw(.interval) { $0.level(at: 0.5, from: low, to: high) }
    }
    let style: ChartStyle =
      patient.benefit > 0 ? .treatmentDot : patient.benefit < 0 ? .worseDot : .controlDot
    drawing.draw(style) { $0.dot(at: x(patient.difference), 0.5) }
    return drawing
  }

  /// The differences of many patients as two hundred quantiles with the extremes.
  func quantiles(_ values: [Double]) -> Drawing {
    let sorted = values.sorted()
    let most = sorted.map(\.magnitude).max() ?? 1
    let reach = most > 0 ? most : 1
    let count = 200
    let points = (0...count).map { place -> (x: Double, y: Double) in
      let share = Double(place) / Double(count)
      let value = Statistics.quantile(sorted: sorted, share) ?? 0
      return (share, 0.5 - value / reach * 0.45)
    }
    let ends = "\(figure(sorted.first, 2)) to \(figure(sorted.last, 2))"
    var drawing = Drawing(
      height: 160, label: "Differences of \(values.count) patients, from \(ends)")
    drawing.draw(.zero) { $0.level(at: 0.5, from: 0, to: 1) }
    drawing.draw(.treatment) { $0.polyline(points) }
    return drawing
  }

  private func quantileChart(_ values: [Double]) -> Markup {
    let sorted = values.sorted()
    return """
      \(quantiles(values).markup)<p class="small">\(counted(values.count, "patient")), \
      \(figure(sorted.first, 2)) to \(figure(sorted.last, 2)).</p>
      """
  }

  /// A row of the forest of groups; an interval without an end runs to the edge.
  private func groupDrawing(
    _ mean: Double?, _ interval: IntervalOfMean?, _ name: String, _ reach: Double,
    _ isLowerBetter: Bool
  ) -> Drawing {
    let sign: Double = isLowerBetter ? -1 : 1
    func x(_ value: Double) -> Double { 0.5 + sign * value / reach / 2 }
    var drawing = Drawing(height: 18, label: "\(name): \(figure(mean, 2, signed: true))")
    drawing.draw(.zero) { $0.upright(at: 0.5, from: 0, to: 1) }
    if let interval {
      let (low, high) = (interval.lower.map(x), interval.upper.map(x))
      let (left, right) = sign > 0 ? (low, high) : (high, low)
      drawing.draw(.infoBar) { $0.level(at: 0.5, from: left ?? 0, to: right ?? 1) }
    }
    if let mean { drawing.draw(.dot) { $0.dot(at: x(mean), 0.5) } }
    return drawing
  }

  /// The groups as a small forest, the whole at the bottom; no p, and no interval below ten.
  func groups(_ comparison: StudyComparison, _ number: Int) -> Markup {
    guard analysis.study.design.strata != nil, let result = comparison.results.first else {
      return ""
    }
    let decimals = EndPointWords(result.endPoint).decimals + 1
    // Whom a rule harms, whichever end point it stands at.
    let harmed = Set(comparison.harms.flatMap(\.newlyHarmed).map(\.id))
    let hasRule = !comparison.harms.isEmpty
    var table = PageTable(
      [
        .init("Group"), .init("n", number: true),
        .init("◂ worse · better ▸", style: "chart", optional: true),
        .init("Difference", number: true), .init("Interval", number: true),
      ] + (hasRule ? [.init("Newly harmed", number: true)] : []), caption: "Groups of patients")
    let groups = result.groups
    let ends =
      (groups.flatMap { [$0.difference, $0.interval?.lower, $0.interval?.upper] })
      + [result.differences?.mean, result.interval?.lower, result.interval?.upper]
    let reach = max(ends.compactMap(\.self).map(\.magnitude).max() ?? 1, 1e-9) * 1.1
    func chart(
      _ mean: Double?, _ interval: IntervalOfMean?, _ name: String
    ) -> PageTable.Cell {
      let drawing = groupDrawing(mean, interval, name, reach, result.endPoint.better == .lower)
      return .init(drawing.markup, style: "chart")
    }
    for group in groups {
      let own = result.patients.count { $0.group == group.name && harmed.contains($0.id) }
      table.rows.append(
        [
          "\(group.name)", "\(group.count)", chart(group.difference, group.interval, group.name),
          "\(figure(group.difference, decimals, signed: true))",
          "\(group.interval.map { interval($0, decimals) } ?? "– fewer than 10")",
        ] + (hasRule ? ["\(own)"] : []))
    }
    table.total =
      [
        "All", "\(result.count)", chart(result.differences?.mean, result.interval, "All"),
        "\(figure(result.differences?.mean, decimals, signed: true))",
        "\(interval(result.toldInterval, decimals))",
      ] + (hasRule ? ["\(harmed.count)"] : [])
    return """
      <section class="card more" aria-labelledby="groups-\(number)"><h2 class="t" \
      id="groups-\(number)">Groups: \(name(of: result.endPoint))\(unitWords(result.endPoint))</h2>\
      \(table.markup)</section>

      """
  }
}
