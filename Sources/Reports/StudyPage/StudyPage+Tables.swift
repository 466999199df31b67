internal import Outcomes
internal import Scenarios
internal import Studies

extension StudyPage {
  /// Every point of a sweep with its verdict; nothing without a sweep.
  var surface: Markup {
    guard analysis.study.plan.points > 1 else { return "" }
    let paths = analysis.study.sweptPaths
    var columns = paths.map { PageTable.Column("\($0)", number: true, sorted: true) }
    columns += [
      .init("Arm", optional: true),
      .init("Difference in \(surfaceName)", number: true, sorted: true),
      .init("Interval", number: true, optional: true), .init("Newly harmed", number: true),
      .init("Lethal", number: true), .init("Safe"),
    ]
    var table = PageTable(columns, caption: "Points of the sweep")
    for comparison in analysis.comparisons {
      guard let first = comparison.results.first else { continue }
      let decimals = EndPointWords(first.endPoint).decimals
      let isSafe = comparison.isSafe
      let harm = comparison.harms.first
      var row: [PageTable.Cell] = paths.map { path in
        "\(comparison.settings.first { $0.path == path }?.value ?? "")"
      }
      row += [
        "\(comparison.treatment)",
        "\(figure(first.differences?.mean, decimals, signed: true))",
        "\(interval(first.toldInterval, decimals))",
        "\(harm.map { "\($0.newlyHarmed.count) of \($0.count)" } ?? "–")",
        "\(comparison.lethalRuns.treatment)",
        .init(PageParts.chip(isSafe ? .expected : .fault, isSafe ? "✓ safe" : "✕ not shown")),
      ]
      table.rows.append(row)
    }
    return """
      <section class="card more" aria-labelledby="surface"><h2 class="t" id="surface">Dose and \
      harm: every point against \(analysis.comparisons.first?.control ?? "")</h2>\(table.markup)\
      <p class="small">Safe: the first primary goal is met at \
      \(StudyNumber.text(analysis.goalConfidence)) % confidence, which all points share, and no \
      run more was lethal.</p></section>

      """
  }

  /// What the points of a sweep are compared in, with its unit.
  private var surfaceName: String {
    analysis.comparisons.first?.results.first.map {
      name(of: $0.endPoint) + ", \(differenceUnit($0.endPoint))"
    } ?? ""
  }

  /// All intervals of all end points.
  var intervals: Markup {
    var table = PageTable(
      [
        .init("End point"), .init("n", number: true),
        .init("Control", number: true, optional: true),
        .init("Treatment", number: true, optional: true), .init("Difference", number: true),
        .init("Interval", number: true), .init("Studentised", number: true, optional: true),
        .init("t", number: true, optional: true),
        .init("BCa", number: true, optional: true), .init("Hodges-Lehmann", number: true),
        .init("Wilcoxon p", number: true, optional: true),
        .init("Pairing gain", number: true, optional: true),
      ], caption: "All intervals")
    for comparison in analysis.comparisons.prefix(Self.comparisonsShown) {
      for result in comparison.results { table.rows.append(row(result, comparison)) }
    }
    let folded = PageParts.folded(
      "Means, intervals and ranks", opensInPrint: true, table.markup)
    return """
      <section class="card more" aria-labelledby="intervals"><h2 class="t" id="intervals">All \
      intervals</h2>\(folded)</section>

      """
  }

  private func row(
    _ result: EndPointResult, _ comparison: StudyComparison
  ) -> [PageTable.Cell] {
    let decimals = EndPointWords(result.endPoint).decimals + 1
    func text(_ interval: IntervalOfMean?) -> String {
      interval.map {
        "[\(figure($0.lower, decimals)), \(figure($0.upper, decimals))]"
      } ?? "–"
    }
    func plain(_ value: Double?) -> String { figure(value, decimals) }
    let name =
      analysis.comparisons.count > 1
      ? "\(comparison.treatment): \(result.endPoint.id)" : result.endPoint.id
    let unit = unitWords(result.endPoint)
    let median = result.pseudoMedian
    return [
      "\(name)\(unit)", "\(result.count)", "\(plain(result.control?.mean))",
      "\(plain(result.treatment?.mean))", "\(plain(result.differences?.mean))",
      "\(text(result.toldInterval))",
      "\(text(result.resampled?.studentisedInterval(confidence: result.confidence)))",
      "\(text(result.differences?.studentInterval(confidence: result.confidence)))",
      "\(text(result.resampled?.biasCorrectedInterval(confidence: result.confidence)))",
      "\(plain(median?.estimate)) \(text(median?.interval))",
      "\(figure(result.ranks.p, 4))",
      "\(result.pairingGain.map { figure($0 * 100, 1) + " %" } ?? "–")",
    ]
  }

  /// What was measured and how, and the commands that check it.
  var definitions: Markup {
    let plan = analysis.study.plan
    let points = analysis.study.design.endPoints.map { point -> (name: Markup, value: Markup) in
      (
        "\(point.id)",
        "\(point.metric.description), \(point.better.rawValue) is better (\(point.role.rawValue))"
      )
    }
    let seed: (name: Markup, value: Markup) = (
      "Seed", "\(String(plan.seed)), one for each patient and replicate"
    )
    let statistics: [(name: Markup, value: Markup)] = [
      (
        "Intervals",
        """
        at each end the wider of the studentised bootstrap, \(ResampledMean.resamples) resamples, \
        seed 1 for each, and Student's t; \(StudyNumber.text(analysis.study.design.confidence)) %
        """
      ),
      ("Several goals", "\(analysis.study.design.multiplicity.rawValue)"),
    ]
    let facts = [seed] + (analysis.study.design.sampled == nil ? statistics : [])
    return """
      <section class="card more" aria-labelledby="how"><h2 class="t" id="how">Definitions and \
      checks</h2>\(PageParts.pairs(points + facts, style: "stat wide"))\
      \(PageParts.command("loopsim study verify DIR --rerun 20"))</section>

      """
  }
}
