internal import Scenarios
internal import Studies

/// All intervals of all end points.
struct IntervalsCard {
  private let comparisons: [StudyComparison]

  /// Takes the comparisons that the page shows in full.
  init(_ comparisons: [StudyComparison]) { self.comparisons = comparisons }

  /// The card.
  var markup: Markup {
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
    for comparison in comparisons {
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
        "[\(PageNumber.text($0.lower, decimals)), \(PageNumber.text($0.upper, decimals))]"
      } ?? "–"
    }
    func plain(_ value: Double?) -> String { PageNumber.text(value, decimals) }
    let name =
      comparisons.count > 1
      ? "\(comparison.name): \(result.endPoint.id)" : result.endPoint.id
    let unit = result.endPoint.unitAfterComma
    let median = result.pseudoMedian
    return [
      "\(name)\(unit)", "\(result.count)", "\(plain(result.control?.mean))",
      "\(plain(result.treatment?.mean))", "\(plain(result.differences?.mean))",
      "\(text(result.toldInterval))",
      "\(text(result.resampled?.studentisedInterval(confidence: result.confidence)))",
      "\(text(result.differences?.studentInterval(confidence: result.confidence)))",
      "\(text(result.resampled?.biasCorrectedInterval(confidence: result.confidence)))",
      "\(plain(median?.estimate)) \(text(median?.interval))",
      "\(PageNumber.text(result.ranks.p, 4))",
      "\(result.pairingGain.map { PageNumber.text($0 * 100, 1) + " %" } ?? "–")",
    ]
  }
}
