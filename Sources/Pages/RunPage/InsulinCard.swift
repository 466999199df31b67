internal import Outcomes
internal import Quantities
internal import Reports
internal import Simulation
internal import Typesetting

/// How much insulin a run delivered, by what it was for.
struct InsulinCard {
  private let summary: RunSummary

  /// Takes what a run came to.
  init(_ summary: RunSummary) { self.summary = summary }

  /// The card.
  var markup: Markup {
    let totals = summary.measurements.insulinTotals
    let temp = DoseTable.stretches(of: run).filter { $0.kind == .tempBasal }
      .map { run.units(of: [.basal], after: max($0.start, run.start), through: $0.end) }
      .reduce(0, +)
    let parts: [(style: String, name: Markup, units: Double)] = [
      ("i-s", "Scheduled", totals.basal.units - temp), ("i-t", "Temp basal", temp),
      ("i-b", "Bolus", totals.userBolus.units), ("i-a", "Automatic", totals.automaticBolus.units),
      ("i-x", "Outside", totals.external.units),
      ("i-x", "Unasked", run.unrequestedUnits),
    ]
    let shown = parts.filter { $0.units > 0.0005 || $0.style == "i-s" || $0.style == "i-b" }
    // Over years a tenth of a unit is exact enough, and leaves the numbers room.
    func amount(_ units: Double) -> String {
      RecordLanes.units(units, decimals: totals.total.units >= 10_000 ? 1 : nil)
    }
    let items = shown.map {
      "<li><s class=\"\($0.style)\"></s>\($0.name)<b>\(amount($0.units))</b></li>"
        as Markup
    }
    let more = [(totals.external.units, "outside"), (run.unrequestedUnits, "without a command")]
      .filter { $0.0 > 0 }.map { " + \(RecordLanes.units($0.0)) U \($0.1)" }.joined()
    let outside = more.isEmpty ? " by the pump" : " pump\(more)"
    return PageParts.card(
      id: "k3", heading: "Insulin delivered",
      """
      <p class="big">\(RecordLanes.units(totals.total.units)) U<small>\(outside)</small></p>\
      \(PageParts.bar(shown.map { ($0.style, $0.units) }))<ul class="two">\(items.joined())</ul>
      """)
  }

  private var run: RunResult { summary.run }
}
