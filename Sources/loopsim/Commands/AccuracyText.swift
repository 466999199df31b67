import Devices
import Quantities
import StructuredText

/// An accuracy report for a person.
enum AccuracyText {
  static func text(
    _ report: AccuracyReport, title: String, interval: ClosedRange<Double>?,
    persistence: ErrorPersistence? = nil
  ) -> String {
    var lines = [title, "loopsim is not a medical device.", ""]
    lines += overall(report, interval)
    lines += persistence.map(lasting) ?? []
    lines += ["", row("", ["n", "MARD %", "bias", "SD", "15/15", "20/20", "40/40"])]
    lines += [group("all", report.all)]
    // Of one day, or of a table without days, a day says no more than the whole.
    let days = report.byDay.count { $0.summary.count > 0 } > 1 ? report.byDay : []
    for one in report.byRange + days where one.summary.count > 0 {
      lines.append(group(one.name, one.summary))
    }
    lines += ["", "iCGM special controls, 21 CFR 862.1355: lower 95 % bounds in %"]
    lines += [row("", ["n", "share", "normal", "Wilson", "exact", "needed", ""])]
    lines += report.controls.map(control)
    lines += report.controls.map { "  \($0.criterion.rawValue)  \($0.rule)" }
    lines += ["", row("error grid", ["A %", "B", "C", "D", "E"])]
    lines += [
      row("Clarke", report.clarke.map(percent)),
      row("Parkes 1", report.parkes1.map(percent)),
      row("Parkes 2", report.parkes2.map(percent)),
    ]
    lines += surveillance(report)
    lines += rates(report)
    return lines.joined(separator: "\n")
  }

  private static func overall(
    _ report: AccuracyReport, _ interval: ClosedRange<Double>?
  ) -> [String] {
    let all = report.all
    var lines = [
      "pairs \(all.count), LOW \(report.lowCount), HIGH \(report.highCount) (left out)",
      "MARD \(percent(all.mard)) %, median ARD \(percent(all.medianARD)) %, mean relative "
        + "difference \(percent(all.relativeBias)) %",
    ]
    if let interval {
      lines.append(
        "MARD 95 % interval by drawing sensors: \(percent(interval.lowerBound)) to "
          + "\(percent(interval.upperBound)) %")
    }
    lines.append(
      "15/15: percent of readings within 15 mg/dL of a reference below 100 mg/dL, or 15 % of a")
    lines.append("higher one, the limit included; 20/20 and 40/40 alike")
    return lines
  }

  /// How alike errors are that follow one another, and how many readings are missing.
  private static func lasting(_ persistence: ErrorPersistence) -> [String] {
    let correlations = ErrorPersistence.spans.compactMap { span in
      persistence.autocorrelation(after: span).map {
        "\(FixedDecimal.text($0, decimals: 2)) after \(span.quotient(by: .minutes(1))) min"
      }
    }
    var lines: [String] = []
    if !correlations.isEmpty {
      lines.append("autocorrelation of errors, against interstitial glucose:")
      lines.append("  " + correlations.joined(separator: ", "))
    }
    if let share = persistence.missingShare {
      lines.append(
        "readings due \(persistence.due), of which \(persistence.missing) did not come "
          + "(\(percent(share)) %)")
    }
    return lines
  }

  private static func group(_ name: String, _ summary: AccuracyReport.Summary) -> String {
    row(
      name,
      [
        "\(summary.count)", percent(summary.mard), one(summary.bias),
        summary.count > 1 ? one(summary.deviation) : "-",
        percent(summary.agreement[0]), percent(summary.agreement[1]),
        percent(summary.agreement[3]),
      ])
  }

  private static func control(_ result: ContinuousMonitorControls.Result) -> String {
    let verdict =
      switch (result.isMet, result.isThin) {
      case (nil, _): "no pairs"
      case (true?, false): "met"
      case (true?, true): "met, few pairs"
      case (false?, false): "not met"
      case (false?, true): "not met, few pairs"
      }
    let bounds = result.bounds.map { [$0.normal, $0.wilson, $0.exact].map(percent) }
    let needed = (result.limitIsLeast ? ">" : "<=") + percent(result.limit)
    return row(
      result.criterion.rawValue,
      ["\(result.count)", result.share.map(percent) ?? "-"] + (bounds ?? ["-", "-", "-"])
        + [needed, verdict])
  }

  private static func surveillance(_ report: AccuracyReport) -> [String] {
    guard let shares = report.surveillance else { return [] }
    return [
      row("risk", ["none %", "slight", "moderate", "high", "extreme"]),
      row("surveil.", shares.map(percent)),
    ]
  }

  private static func rates(_ report: AccuracyReport) -> [String] {
    guard report.rateCounts.contains(where: { $0 > 0 }) else { return [] }
    let names = ["< -2", "-2..-1", "-1..0", "0..1", "1..2", "> 2"]
    var lines = ["", "rates in mg/dL/min over 15 min: rows reading, columns reference, % of a row"]
    lines.append(row("", ["n"] + names))
    for (index, name) in names.enumerated() {
      let count = report.rateCounts[index]
      lines.append(
        row(name, ["\(count)"] + report.rates[index].map { count > 0 ? percent($0) : "-" }))
    }
    return lines
  }

  /// A label and right-aligned columns.
  private static func row(_ label: String, _ fields: [String]) -> String {
    let start = "  " + label + String(repeating: " ", count: max(1, 10 - label.count))
    let cells = fields.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }
    var line = start + cells.joined()
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func percent(_ share: Double) -> String {
    FixedDecimal.text(share * 100, decimals: 1)
  }

  private static func one(_ value: Double) -> String { FixedDecimal.text(value, decimals: 1) }
}
