internal import Expectations
internal import Outcomes
internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText
internal import Typesetting

extension RunSummary {
  /// The summary for a terminal; the chart only when a width is given.
  public func lines(chartWidth: Int? = nil, isUnicode: Bool = true) -> [String] {
    // Without a title of its own a scenario is called by its id.
    var lines = [title == run.id ? run.id : "\(run.id): \(InertText.line(title))"]
    lines.append(
      "  \(run.clock.iso8601(run.start)) to \(run.clock.iso8601(run.end)), seed \(run.seed)")
    if let settings = coordinates?.settingWords, !settings.isEmpty {
      lines.append("  the sweep's point: \(settings)")
    }
    if let derivedTherapy { lines.append("  therapy: \(derivedTherapy)") }
    if !run.hasApp { lines.append("  without an app: people and the pump's own schedule decide") }
    if !guards.isEmpty {
      let counts = guards.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
      lines.append("  guards that acted on the program's commands: \(counts)")
    }
    if let lethalLine { lines.append("  \(lethalLine)") }
    lines.append("")
    lines += troubleBlock + faultBlock
    if let chartWidth {
      let chart = TerminalChart(
        width: chartWidth, isUnicode: isUnicode, unit: words.unit)
      lines += chart.lines(
        of: measurements.trueGlucose, from: run.start, to: run.end, marks: marks)
      lines.append("")
    }
    lines.append("Glucose (true)")
    lines += TerminalGlucose(isUnicode: isUnicode, unit: words.unit).lines(
      of: measurements.trueGlucose, in: trueGlucose, mark: modelLine)
    lines.append("")
    lines.append("Insulin")
    lines += insulinTable.lines
    lines.append("")
    lines.append(run.agreement.headline)
    lines += recordsTable.lines
    if let beginning = run.beginningOfAccounts {
      // The figures above are of the part that counts alone.
      lines.append("  These count from \(run.clock.iso8601(beginning)) on, before the run begins.")
    }
    lines += differenceLines
    if !run.violations.isEmpty {
      lines.append("")
      lines.append("Laws that did not hold")
      for violation in run.violations {
        let words = InertText.line(violation.text)
        lines.append("  \(run.moment(violation.instant))  \(violation.name): \(words)")
      }
    }
    if !expectations.isEmpty {
      lines.append("")
      lines += expectationLines
    }
    lines.append("")
    if let stepLine { lines += [stepLine, ""] }
    lines.append("digest \(digest)")
    return lines
  }

  private var marks: [TerminalChart.Mark] {
    run.trace.happenings.compactMap { happening in
      switch happening.kind {
      case .meal: TerminalChart.Mark(at: happening.instant, "M")
      case .injection: TerminalChart.Mark(at: happening.instant, "I")
      case .bolus where happening.name == "request": TerminalChart.Mark(at: happening.instant, "B")
      case .fault where !happening.name.isEmpty: TerminalChart.Mark(at: happening.instant, "!")
      default: nil
      }
    }
  }

  private var insulinTable: TerminalTable {
    let totals = insulinTotals
    var table = TerminalTable([.left, .right, .left])
    table.rows = [
      ["basal", totals.basal.unitsText, "U"],
      ["bolus, by a person", totals.userBolus.unitsText, "U"],
    ]
    if run.hasApp {
      table.rows.append(["bolus, automatic", totals.automaticBolus.unitsText, "U"])
    }
    table.rows.append(["from elsewhere", totals.external.unitsText, "U"])
    let unrequested = run.unrequestedUnits
    if unrequested > 0 { table.rows.append(["without a command", units(unrequested), "U"]) }
    if let lost = measurements.basalLostPercent, lost >= 0.05 {
      let percent = FixedDecimal.text(lost, decimals: 1)
      table.rows.append(["lost to pulses", percent, "% of programmed basal"])
    }
    return table
  }

  private var recordsTable: TerminalTable {
    let records = run.agreement.records
    var table = TerminalTable(
      header: [""] + records.map(RecordAgreement.name),
      [.left] + records.map { _ in .right })
    let totals = RecordAgreement.Origin.allCases.map { run.agreement[$0] }
    let amounts = totals.flatMap { total in records.compactMap { total[$0]?.wholeMilliunits } }
    // Two decimals would show amounts as different that are the same, or hide that they are not.
    let isCoarse = amounts.allSatisfy {
      ($0 * 1_000).rounded().truncatingRemainder(dividingBy: 10) == 0
    }
    let hasUnasked = run.unrequestedUnits > 0
    table.rows = zip(RecordAgreement.Origin.allCases, totals).map { origin, total in
      ["\(RecordAgreement.name(origin, hasUnasked: hasUnasked)), U"]
        + records.map { record in
          total[record].map {
            FixedDecimal.text($0.wholeMilliunits, decimals: isCoarse ? 2 : 3)
          } ?? "–"
        }
    }
    return table
  }

  private var differenceLines: [String] {
    let differences = run.agreement.differences
    guard !differences.isEmpty else { return ["  No difference."] }
    let shown = AlikeDifferences.groups(of: differences).prefix(12)
    let lines = shown.map { alike in
      "  \(padded(alike.differences[0].severity.rawValue, to: 8))  "
        + InertText.line(run.sentence(on: alike))
    }
    let rest = differences.count - shown.reduce(0) { $0 + $1.differences.count }
    return lines + (rest > 0 ? ["  and \(rest) more in ledger.json"] : [])
  }

  private var expectationLines: [String] {
    let verb = WordList.verb("holds", of: expectations.count)
    var lines = ["Expectations: \(held) of \(expectations.count) \(verb)."]
    for result in expectations where result.outcome != .passed || result.holdsInPart {
      // What only warns leaves the exit code 0, and the reader should see why.
      let word = result.isWarning && result.outcome == .failed ? "warning" : result.outcome.rawValue
      lines.append("  \(padded(word, to: 6))  \(result.sentence)")
      if !result.replay.isEmpty { lines.append("          \(result.replay)") }
    }
    return lines
  }

  private func units(_ value: Double) -> String { FixedDecimal.text(value, decimals: 2) }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Double {
  /// An amount in U to a thousandth, which is the least that anybody can state.
  ///
  /// Sums of the same pulses in another order differ in their last bits, and would be rounded to
  /// different hundredths where they lie half way between two.
  package var wholeMilliunits: Double { (self * 1_000).rounded() / 1_000 }
}
