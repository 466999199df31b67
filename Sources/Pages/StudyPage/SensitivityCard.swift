internal import RunPlans
internal import Studies
internal import Typesetting

/// How much each setting of a sampled sweep matters to one end point.
struct SensitivityCard {
  private let result: SensitivityResult
  private let number: Int
  private let sampled: SampledSweep
  private let confidence: Double
  private let names: EndPointNames

  /// Takes what was found of an end point, its place on the page, the sweep, and the confidence of
  /// the study in percent.
  init(
    _ result: SensitivityResult, number: Int, of sampled: SampledSweep, confidence: Double,
    names: EndPointNames
  ) {
    self.result = result
    self.number = number
    self.sampled = sampled
    self.confidence = confidence
    self.names = names
  }

  /// The card.
  var markup: Markup {
    let id = number == 0 ? "goals" : "sensitivity-\(number)"
    let decimals = EndPointWords(result.endPoint).decimals
    let body: Markup =
      if let obstacle = result.obstacle {
        "<p class=\"warnt\">! Nothing can be told: \(obstacle).</p>"
      } else {
        """
        <p>Mean over the points \(PageNumber.text(result.mean, decimals)), standard deviation \
        \(PageNumber.text(result.deviation, decimals))\
        \(result.endPoint.unit.isEmpty ? "" : " \(result.endPoint.unit)").</p>\
        \(table.markup)\(caution)<p class="small">\(explanation)</p>
        """
      }
    return """
      <section class="card more" aria-labelledby="\(id)"><h2 class="t" id="\(id)">Which setting \
      matters for \(names.name(of: result.endPoint))</h2>\(body)</section>

      """
  }

  private var caution: Markup {
    guard let caution = result.caution else { return "" }
    return "<p class=\"warnt\">! \(caution)</p>"
  }

  private var explanation: String {
    switch sampled.method {
    case .sobol:
      "Grey: the share of the variance over the points that a setting explains by itself (Saltelli "
        + "2010). Blue: with all that it does together with others (Jansen 1999). Intervals of "
        + "\(StudyNumber.text(confidence)) %, \(SobolIndex.resamples) "
        + "resamples of \(sampled.sample.rows) rows. They speak of another draw of the settings, "
        + "for these patients."
    case .morris:
      "Blue: the mean size of the effect of a setting's whole range (Morris 1991), from "
        + "\(sampled.sample.rows) starts. Grey: how much the effect varies with where the other "
        + "settings are."
    }
  }

  private var table: PageTable {
    var columns: [PageTable.Column] = [
      .init("Setting", sorted: true), .init("Law", optional: true),
    ]
    switch sampled.method {
    case .sobol:
      columns += [
        .init("0 · share of variance · \(end)", style: "chart"), .init("Alone", number: true),
        .init("Interval", number: true, optional: true), .init("With others", number: true),
        .init("Interval", number: true, optional: true),
      ]
    case .morris:
      columns += [
        .init("0 · effect ▸", style: "chart"), .init("Effect", number: true, sorted: true),
        .init("Deviation", number: true, sorted: true),
      ]
    }
    var table = PageTable(columns, caption: "Settings, those that matter most first")
    for row in rows {
      table.rows.append(
        [
          "\(sampled.sample.paths[row.place])", .init("\(sampled.laws[row.place])"),
          .init(row.drawing.markup, style: "chart"),
        ] + row.cells.map { "\($0)" })
    }
    return table
  }

  /// A setting as it is drawn and written.
  private struct Row {
    var place: Int
    var drawing: Drawing
    var cells: [String]
  }

  /// Where the axis of shares ends: at all of the variance, or where an estimate from few rows lies
  /// beyond that.
  private func greatest(of indices: [SobolIndex]) -> Double {
    indices.flatMap { index in
      [
        index.first, index.firstInterval.upperBound, index.total, index.totalInterval.upperBound,
      ]
    }.reduce(1, max)
  }

  /// The end of the axis of shares, as it is written above it.
  private var end: String {
    guard case .sobol(let indices) = result.estimates else { return "1" }
    let most = greatest(of: indices)
    return most > 1 ? PageNumber.text(most, 2) : "1"
  }

  private var rows: [Row] {
    func range(_ interval: ClosedRange<Double>) -> String {
      "[\(PageNumber.text(interval.lowerBound, 2)), \(PageNumber.text(interval.upperBound, 2))]"
    }
    switch result.estimates {
    case .sobol(let indices):
      let most = greatest(of: indices)
      return result.ranking.map { place in
        let index = indices[place]
        var drawing = Drawing(
          height: 24,
          label: "\(index.path): alone \(PageNumber.text(index.first, 2)), with others "
            + PageNumber.text(index.total, 2))
        mark(&drawing, index.first, index.firstInterval, of: most, at: 0.3, .control, .controlDot)
        mark(
          &drawing, index.total, index.totalInterval, of: most, at: 0.7, .treatment,
          .treatmentDot)
        return Row(
          place: place, drawing: drawing,
          cells: [
            PageNumber.text(index.first, 3), range(index.firstInterval),
            PageNumber.text(index.total, 3),
            range(index.totalInterval),
          ])
      }
    case .morris(let effects):
      let most = max(1e-12, effects.flatMap { [$0.meanSize, $0.standardDeviation] }.max() ?? 1)
      let decimals = EndPointWords(result.endPoint).decimals + 1
      return result.ranking.map { place in
        let effect = effects[place]
        var drawing = Drawing(
          height: 24, label: "\(effect.path): effect \(PageNumber.text(effect.meanSize, decimals))")
        let size = effect.meanSize
        mark(&drawing, size, 0...max(0, size), of: most, at: 0.3, .treatment, .treatmentDot)
        let deviation = max(0, effect.standardDeviation)
        mark(&drawing, deviation, 0...deviation, of: most, at: 0.7, .control, .controlDot)
        return Row(
          place: place, drawing: drawing,
          cells: [
            PageNumber.text(size, decimals), PageNumber.text(effect.standardDeviation, decimals),
          ])
      }
    case .none: return []
    }
  }

  private func mark(
    _ drawing: inout Drawing, _ value: Double, _ interval: ClosedRange<Double>, of most: Double,
    at height: Double, _ line: ChartStyle, _ dot: ChartStyle
  ) {
    func x(_ value: Double) -> Double { 0.02 + 0.96 * min(max(value / most, 0), 1) }
    drawing.draw(line) {
      $0.level(at: height, from: x(interval.lowerBound), to: x(interval.upperBound))
    }
    drawing.draw(dot) { $0.dot(at: x(value), height) }
  }

  /// The chart as a file that stands alone; `nil` where there is nothing to draw.
  var figure: PageFigure? {
    let shown = rows.map { row in
      var shown = SVGFigure.Row(name: sampled.sample.paths[row.place], drawing: row.drawing)
      shown.note = row.cells.joined(separator: " ")
      return shown
    }
    guard !shown.isEmpty else { return nil }
    return PageFigure(
      "sensitivity-\(PageFigure.slug(result.endPoint.id)).svg",
      SVGFigure(
        title: "Which setting matters for \(names.name(of: result.endPoint))", rows: shown))
  }
}
