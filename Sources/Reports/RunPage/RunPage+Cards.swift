internal import Outcomes
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunPage {
  /// The cards that answer the page's question.
  var cards: Markup {
    let cards = (run.hasApp ? agreement : alone) + ranges + insulin + loop
    return "<div class=\"kpis\">\n\(cards)</div>\n"
  }

  private var differences: [RecordDifference] { report.differences }

  /// What stands in the place of the question where there is no app.
  private var alone: Markup {
    let lost = differences.filter { $0.severity <= .check }
    let lines = lost.prefix(2).map { "<p>\($0.text)</p>" as Markup }.joined()
    return PageParts.card(
      id: "k1", heading: "Records", severity: lost.isEmpty ? .note : .check,
      "<p class=\"big\">No app</p><p>\(RecordAgreement.withoutApp)</p>\(lines)\(wrongLines)")
  }

  private var agreement: Markup {
    let severity: PageSeverity =
      switch report.run.agreement.answer {
      case .yes: .expected
      case .explained: questions.first?.severity == .check ? .check : .expected
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
      <p class="big">\(headline)</p>\(sentences)<p>\(chips.joined(separator: " "))</p>\(wrongLines)
      """)
  }

  /// The answer, with the amount that is in question where it is no.
  private var headline: Markup {
    switch report.run.agreement.answer {
    case .yes: return "Yes"
    case .explained: return explained
    case .no: break
    }
    guard let worst = questions.first, worst.units.magnitude >= 0.0005 else { return "No" }
    let units = RecordLanes.units(worst.units.magnitude)
    let verdict: Markup =
      switch worst.kind {
      case .missingSpan, .missingBolus, .unloggedInjection: "No: \(units) U missing"
      case .duplicateSample, .overlappingSamples: "No: \(units) U twice"
      default: "No: \(units) U in question"
      }
    return "\(verdict)\(places)"
  }

  /// The answer where every difference has its cause: what is to be looked at all the same.
  private var explained: Markup {
    guard let worst = questions.first, worst.severity == .check else { return "Yes, as expected" }
    guard worst.units.magnitude >= 0.0005 else {
      return "\(differences.count { $0.severity == .check }) to check"
    }
    return "\(RecordLanes.units(worst.units.magnitude)) U to check\(places)"
  }

  /// The worst difference, and the worst of those as grave that are in other records.
  private var questions: [RecordDifference] {
    let order = report.worstFirst.map { differences[$0] }
    guard let worst = order.first else { return [] }
    let other = order.first {
      $0.severity == worst.severity && !$0.records.isEmpty && $0.records != worst.records
        && $0.units.magnitude >= 0.0005
    }
    return [worst] + [other].compactMap(\.self)
  }

  /// In which records the amounts are in question, where there are two.
  private var places: Markup {
    guard questions.count == 2, questions[1].severity <= .check else { return "" }
    let units = RecordLanes.units(questions[1].units.magnitude)
    return "<small> \(place(questions[0])); \(units) U \(place(questions[1]))</small>"
  }

  private func place(_ difference: RecordDifference) -> String {
    let names = difference.records.map { "the \(RecordAgreement.name($0))" }
    return names.isEmpty ? "" : "in \(names.joined(separator: " and "))"
  }

  private var sentences: Markup {
    guard !questions.isEmpty else { return "<p>The three records agree.</p>" }
    let told = questions.prefix(questions[0].severity <= .check ? 2 : 1)
    return told.map { "<p>\($0.text)</p>" as Markup }.joined()
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
    if run.hasApp, let percent = measured.loop.closedLoopPercent(from: run.start, to: run.end) {
      pairs.append(("Closed loop", "\(FixedDecimal.text(percent, decimals: 0)) %"))
    }
    if run.hasApp { pairs.append(("Cycles", "\(run.cycles.completed) of \(run.cycles.due)")) }
    if let most = report.onBoard.compactMap(\.self).max() {
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
    let heading: Markup = run.hasApp ? "Loop and risk" : "Risk"
    return PageParts.card(id: "k4", heading: heading, PageParts.pairs(pairs))
  }
}
