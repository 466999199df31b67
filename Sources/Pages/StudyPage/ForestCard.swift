internal import Studies
internal import Typesetting

/// Every end point on one scale: goals in units of their margin, the rest in deviations.
struct ForestCard {
  private let comparison: StudyComparison
  private let number: Int
  private let names: EndPointNames
  /// The confidence of the intervals in words.
  private let confidences: String
  private let forest: [ForestRow]
  /// How far the axis reaches from its middle.
  private let reach: Double

  /// Takes a comparison, its place on the page, and the confidence of its intervals in words.
  init(
    _ comparison: StudyComparison, number: Int, confidences: String, names: EndPointNames
  ) {
    self.confidences = confidences
    self.comparison = comparison
    self.number = number
    self.names = names
    forest = comparison.results.map(ForestRow.init)
    reach = max(forest.flatMap(\.ends).map(\.magnitude).max() ?? 1, 1e-9) * 1.1
  }

  /// The card.
  var markup: Markup {
    var table = PageTable(
      [
        .init("End point"), .init("\(comparison.control)", number: true, optional: true),
        .init("\(comparison.treatment)", number: true, optional: true),
        .init("◂ worse · better ▸", style: "chart"), .init("Difference", number: true),
        .init("Interval", number: true), .init("▲ = ▼", number: true, optional: true),
      ], caption: "Every end point, one scale")
    for row in forest {
      let result = row.result
      let decimals = EndPointWords(result.endPoint).decimals
      let counts = result.counts
      table.rows.append([
        """
        \(names.nameAndUnit(of: result.endPoint))\
        \(result.missing > 0 ? "; \(result.countOfAll)" : "")\
        \(result.leftOutWords.map { "; \($0)" } ?? "")
        """,
        .init("\(PageNumber.text(result.control?.mean, decimals))"),
        .init("\(PageNumber.text(result.treatment?.mean, decimals))"),
        .init(row.drawing(reach: reach).markup, style: "chart"),
        .init("\(PageNumber.text(result.differences?.mean, decimals + 1, signed: true))"),
        .init("\(PageNumber.interval(result.toldInterval, decimals + 1))"),
        .init("\(counts.better) / \(counts.equal) / \(counts.worse)"),
      ])
    }
    let remarks = comparison.results.flatMap { result in
      [result.isDecidedByDeaths ? result.deathSentence : nil, result.fewerByDeathSentence]
        .compactMap(\.self).map { words -> Markup in
          "<p class=\"warnt\">! \(names.name(of: result.endPoint)): \(words).</p>"
        }
    }
    return """
      <section class="card more" aria-labelledby="forest-\(number)"><h2 class="t" \
      id="forest-\(number)">Every end point, one scale</h2>\(table.markup)\(remarks.joined())\
      <p class="small">\
      Intervals of \(confidences). Right is better in every row. Blue: the interval excludes no \
      difference, for the better; red: for the worse; grey: undecided. End points with a margin \
      are in units of it (dashes), the others in standard deviations of the differences; the \
      numbers are in natural units.</p></section>

      """
  }

  /// The end points as rows of a figure.
  var rows: [SVGFigure.Row] {
    forest.map { row in
      SVGFigure.Row(
        row.result, name: names.name(of: row.result.endPoint), row.drawing(reach: reach))
    }
  }
}
