internal import Outcomes
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// How the loop of a run went, and the risk that glucose was.
struct LoopCard {
  private let summary: RunSummary
  private let onBoard: [Double?]

  /// Takes what a run came to, and its insulin on board at each row of the trace.
  init(_ summary: RunSummary, onBoard: [Double?]) {
    self.summary = summary
    self.onBoard = onBoard
  }

  /// The card.
  var markup: Markup {
    let measured = summary.measurements
    let (series, source) = measured.shownGlucose
    var pairs: [(name: Markup, value: Markup)] = []
    if run.hasApp, let percent = measured.loop.closedLoopPercent(from: run.start, to: run.end) {
      pairs.append(("Closed loop", "\(PercentText.number(percent, decimals: 0)) %"))
    }
    if run.hasApp { pairs.append(("Cycles", "\(run.cycles.completed) of \(run.cycles.due)")) }
    if let most = onBoard.compactMap(\.self).max() {
      pairs.append(("Highest IOB", "\(RecordLanes.units(most)) U"))
    }
    if let variation = series.summary?.coefficientOfVariation {
      pairs.append(("CV", "\(FixedDecimal.text(variation, decimals: 0)) %"))
    }
    if let risk = RiskIndices(series) {
      let low = FixedDecimal.text(risk.lowBloodGlucoseIndex, decimals: 2)
      let high = FixedDecimal.text(risk.highBloodGlucoseIndex, decimals: 2)
      pairs.append(("LBGI / HBGI", "\(low) / \(high)"))
      pairs.append(("GRI", "\(Self.zoned(risk.glycemiaRiskIndex))"))
    }
    let heading: Markup = run.hasApp ? "Loop, and risk by \(source)" : "Risk by \(source)"
    return PageParts.card(id: "k4", heading: heading, PageParts.pairs(pairs))
  }

  /// A glycaemia risk index with its zone: whole, or with as many decimals as it takes to lie in
  /// the zone, as 20.3 does in B and 20 does not.
  static func zoned(_ index: Double) -> String {
    let zone = RiskIndices.glycemiaRiskZone(index)
    let texts = (0...9).lazy.map { FixedDecimal.text(index, decimals: $0) }
    let fitting = texts.first { text in
      Double(text).map { RiskIndices.glycemiaRiskZone($0) == zone } ?? false
    }
    return "\(fitting ?? index.description), zone \(zone)"
  }

  private var run: RunResult { summary.run }
}
