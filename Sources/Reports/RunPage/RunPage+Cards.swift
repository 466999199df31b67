internal import Outcomes
internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText

extension RunPage {
  /// The cards that answer the page's question.
  var cards: Markup {
    let cards = agreement + ranges + insulin + loop
    return "<div class=\"kpis\">\n\(cards)</div>\n"
  }

  private var differences: [RecordDifference] { report.differences }

  private var agreement: Markup {
    let severity: PageSeverity =
      switch report.run.agreement.answer {
      case .yes: .expected
      case .explained: differences.first?.severity == .check ? .check : .expected
      case .no: .fault
      }
    let chips = PageSeverity.allCases.compactMap { severity -> Markup? in
      let found = differences.indices.filter { differences[$0].severity.page == severity }
      guard let first = found.first else { return nil }
      let word: String =
        switch severity {
        case .fault: "fault"
        case .check: "to check"
        case .expected: "expected"
        case .note: "to know"
        }
      let plural = severity == .fault && found.count > 1 ? "s" : ""
      return PageParts.chip(
        severity, "\(severity.sign) \(found.count) \(word)\(plural)",
        link: "#d\(report.number(of: first))")
    }
    return PageParts.card(
      id: "k1", heading: "Do the records agree?", severity: severity,
      """
      <p class="big">\(headline)</p><p>\(differences.first?.text ?? "The three records agree.")</p>\
      <p>\(chips.joined(separator: " "))</p>\(wrongLines)
      """)
  }

  /// The answer, with the amount that is in question where it is no.
  private var headline: String {
    switch report.run.agreement.answer {
    case .yes: return "Yes"
    case .explained: return explained
    case .no: break
    }
    guard let worst = differences.first, worst.units.magnitude >= 0.0005 else { return "No" }
    let units = RecordLanes.units(worst.units.magnitude)
    return switch worst.kind {
    case .missingSpan, .missingBolus, .unloggedInjection: "No: \(units) U missing"
    case .duplicateSample, .overlappingSamples: "No: \(units) U twice"
    default: "No: \(units) U in question"
    }
  }

  /// The answer where every difference has its cause: what is to be looked at all the same.
  private var explained: String {
    let checks = differences.filter { $0.severity == .check }
    guard let worst = checks.first else { return "Yes, as expected" }
    return worst.units.magnitude >= 0.0005
      ? "\(RecordLanes.units(worst.units.magnitude)) U to check" : "\(checks.count) to check"
  }

  /// What went wrong besides the records, a line each.
  private var wrongLines: Markup {
    let lines = wrongs
    guard !lines.isEmpty else { return "" }
    let shown = lines.prefix(4).map { "<li><span>\($0)</span></li>" as Markup }
    let rest: Markup = lines.count > 4 ? "<li>and \(lines.count - 4) more below</li>" : ""
    return "<ul class=\"wrong\">\(shown.joined())\(rest)</ul>"
  }

  private var ranges: Markup {
    let words = GlucoseWords(report.glucoseUnit)
    let measured = report.summary.measurements
    let series = measured.cgm.isEmpty ? measured.trueGlucose : measured.cgm
    let source = measured.cgm.isEmpty ? "true glucose" : "CGM"
    guard let shares = series.timeInRanges() else {
      return PageParts.card(
        id: "k2", heading: "Time in ranges", "<p>No reading of the sensor in this run.</p>")
    }
    return PageParts.card(
      id: "k2", heading: "Time in ranges \(words.unitName), \(source), whole run",
      PageParts.ranges(shares, words))
  }

  private var insulin: Markup {
    let totals = report.summary.measurements.insulinTotals
    let temp = DoseTable.stretches(of: run).filter { $0.kind == .tempBasal }
      .map { run.units(of: [.basal], after: $0.start, through: $0.end) }.reduce(0, +)
    let parts: [(style: String, name: Markup, units: Double)] = [
      ("i-s", "Scheduled", totals.basal.units - temp), ("i-t", "Temp basal", temp),
      ("i-b", "Bolus", totals.userBolus.units), ("i-a", "Automatic", totals.automaticBolus.units),
      ("i-x", "Outside", totals.external.units),
    ]
    let shown = parts.filter { $0.units > 0.0005 || $0.style == "i-s" || $0.style == "i-b" }
    // Over many days a tenth of a unit is exact enough, and leaves the numbers room.
    func amount(_ units: Double) -> String {
      RecordLanes.units(units, decimals: totals.total.units >= 200 ? 1 : 2)
    }
    let items = shown.map {
      "<li><s class=\"\($0.style)\"></s>\($0.name)<b>\(amount($0.units))</b></li>"
        as Markup
    }
    let outside =
      totals.external.units > 0
      ? " pump + \(RecordLanes.units(totals.external.units)) U outside" : " by the pump"
    return PageParts.card(
      id: "k3", heading: "Insulin delivered",
      """
      <p class="big">\(RecordLanes.units(totals.total.units)) U<small>\(outside)</small></p>\
      \(PageParts.bar(shown.map { ($0.style, $0.units) }))<ul class="two">\(items.joined())</ul>
      """)
  }

  private var loop: Markup {
    let measured = report.summary.measurements
    let series = measured.cgm.isEmpty ? measured.trueGlucose : measured.cgm
    var pairs: [(name: Markup, value: Markup)] = []
    if let percent = measured.loop.closedLoopPercent(from: run.start, to: run.end) {
      pairs.append(("Closed loop", "\(FixedDecimal.text(percent, decimals: 0)) %"))
    }
    pairs.append(("Cycles", "\(run.cycles.completed) of \(run.cycles.due)"))
    if let most = measured.loop.insulinOnBoard.map(\.units).max() {
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
    return PageParts.card(id: "k4", heading: "Loop and risk", PageParts.pairs(pairs))
  }
}
