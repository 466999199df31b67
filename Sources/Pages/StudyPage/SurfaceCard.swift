internal import StructuredText
internal import Studies
internal import Typesetting

/// Every point of a sweep with its verdict, or every one of more arms than have cards of their own.
struct SurfaceCard {
  private let analysis: StudyAnalysis
  private let names: EndPointNames
  /// How many comparisons have cards of their own.
  private let shown: Int

  /// The most comparisons without cards that are named.
  private static let mostNamed = 20

  /// Takes what a study found, and how many comparisons the page shows in full.
  init(_ analysis: StudyAnalysis, shown: Int, names: EndPointNames) {
    self.analysis = analysis
    self.shown = shown
    self.names = names
  }

  /// The card; nothing where there is no sweep and every comparison has cards.
  var markup: Markup {
    let (count, hasSweep) = (analysis.comparisons.count, analysis.study.plan.points > 1)
    guard hasSweep || count > shown else { return "" }
    let paths = analysis.study.sweptPaths
    var columns = paths.map {
      PageTable.Column(PageParts.path($0), number: true, style: "any", sorted: true)
    }
    columns += [
      .init("Arm", optional: hasSweep),
      .init("Difference in \(measured)", number: true, sorted: true),
      .init("Interval", number: true, optional: true), .init("Newly harmed", number: true),
      .init("Lethal", number: true), .init("Safe"),
    ]
    var table = PageTable(columns, caption: hasSweep ? "Points of the sweep" : "Arms")
    for comparison in analysis.comparisons {
      guard let first = comparison.results.first else { continue }
      let decimals = EndPointWords(first.endPoint).decimals
      let isSafe = comparison.isSafe
      var row: [PageTable.Cell] = paths.map { path in
        let value = comparison.settings.first { $0.path == path }?.value ?? ""
        return .init("\(value)", order: StudyNumber.order(ofSetting: value))
      }
      row += [
        "\(comparison.treatment)",
        .init(
          "\(PageNumber.text(first.differences?.mean, decimals, signed: true))",
          order: first.differences.map { "\($0.mean)" }),
        "\(PageNumber.interval(first.toldInterval, decimals))",
        "\(comparison.harmed.map { "\($0.newly) of \($0.count)" } ?? "–")",
        "\(comparison.lethalRuns.treatment)",
        .init(PageParts.chip(isSafe ? .expected : .fault, isSafe ? "✓ safe" : "✕ not shown")),
      ]
      table.rows.append(row)
    }
    let heading = hasSweep ? "Dose and harm: every point" : "Every arm"
    let others = WordList.text(
      analysis.comparisons.dropFirst(shown).map(\.name), atMost: Self.mostNamed)
    let rest =
      count > shown
      ? "The first \(shown) of \(count) comparisons have cards above, with their answers alone: "
        + "single patients and days are drawn where there are no more. Here alone stand "
        + "\(others). " : ""
    return """
      <section class="card more" aria-labelledby="surface"><h2 class="t" id="surface">\(heading) \
      against \(analysis.comparisons.first?.control ?? "")</h2>\(table.markup)\
      <p class="small">\(rest)Safe: the first primary goal is met at \
      \(StudyNumber.confidence(analysis.goalConfidence)) % confidence, which all comparisons \
      share, and no run more was lethal.</p></section>

      """
  }

  /// What the points of a sweep are compared in, with its unit.
  private var measured: String {
    analysis.comparisons.first?.results.first.map {
      let unit = EndPointWords($0.endPoint).differenceUnit
      return names.name(of: $0.endPoint) + (unit.isEmpty ? "" : ", \(unit)")
    } ?? ""
  }
}
