internal import RunPlans
internal import Studies
internal import Typesetting

/// All intervals of all end points.
struct IntervalsCard {
  private let comparisons: [StudyComparison]
  /// How many comparisons are too many for a page.
  private let left: Int

  /// The most comparisons whose intervals are listed.
  private static let mostListed = 50

  /// Takes all comparisons of a study.
  init(_ comparisons: [StudyComparison]) {
    self.comparisons = Array(comparisons.prefix(Self.mostListed))
    left = comparisons.count - self.comparisons.count
  }

  /// The card.
  var markup: Markup {
    var table = PageTable(
      [
        .init("End point"), .init("n", number: true),
        .init("Control", number: true, optional: true),
        .init("Treatment", number: true, optional: true), .init("Difference", number: true),
        .init("Interval", number: true), .init("Studentised", number: true, optional: true),
        .init("t", number: true, optional: true),
        .init("BCa", number: true, optional: true),
        .init("Hodges-Lehmann", number: true, optional: true),
        .init("Wilcoxon p", number: true, optional: true),
        .init("Pairing gain", number: true, optional: true),
      ], caption: "All intervals")
    for comparison in comparisons {
      for result in comparison.results { table.rows.append(row(result, comparison)) }
    }
    let folded = PageParts.folded(
      "Means, intervals and ranks", opensInPrint: true, table.markup)
    let rest: Markup =
      left > 0
      ? "<p class=\"small\">Those of \(left) more comparisons are in results.summary.json.</p>" : ""
    return """
      <section class="card more" aria-labelledby="intervals"><h2 class="t" id="intervals">All \
      intervals</h2>\(folded)\(rest)</section>

      """
  }

  private func row(
    _ result: EndPointResult, _ comparison: StudyComparison
  ) -> [PageTable.Cell] {
    let decimals = EndPointWords(result.endPoint).decimals + 1
    func text(_ interval: IntervalOfMean?) -> String {
      interval.map {
        "[\(PageNumber.text($0.lower, decimals)), \(PageNumber.text($0.upper, decimals))]"
      } ?? "–"
    }
    func plain(_ value: Double?) -> String { PageNumber.text(value, decimals) }
    let name =
      comparisons.count > 1
      ? "\(comparison.name): \(result.endPoint.id)" : result.endPoint.id
    let unit = result.endPoint.unitAfterComma
    let median = result.pseudoMedian
    // Who died under one arm has a rank, and no difference.
    let hasRanks = result.count > 0 || result.ranks.positive + result.ranks.negative > 0
    return [
      "\(name)\(unit)", "\(result.count)", "\(plain(result.control?.mean))",
      "\(plain(result.treatment?.mean))", "\(plain(result.differences?.mean))",
      "\(text(result.toldInterval))",
      "\(text(result.resampled?.studentisedInterval(confidence: result.confidence)))",
      "\(text(result.differences?.studentInterval(confidence: result.confidence)))",
      "\(text(result.resampled?.biasCorrectedInterval(confidence: result.confidence)))",
      "\(plain(median?.estimate)) \(text(median?.interval))",
      hasRanks ? "\(PageNumber.p(result.ranks.p, 4))" : "–",
      "\(result.pairingGain.map { PageNumber.text($0 * 100, 1) + " %" } ?? "–")",
    ]
  }
}
