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
      let zone = RiskIndices.glycemiaRiskZone(risk.glycemiaRiskIndex)
      pairs.append(
        ("GRI", "\(FixedDecimal.text(risk.glycemiaRiskIndex, decimals: 0)), zone \(zone)"))
    }
    let heading: Markup = run.hasApp ? "Loop, and risk by \(source)" : "Risk by \(source)"
    return PageParts.card(id: "k4", heading: heading, PageParts.pairs(pairs))
  }

  private var run: RunResult { summary.run }
}
