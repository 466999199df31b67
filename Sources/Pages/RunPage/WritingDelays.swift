internal import Outcomes
internal import Quantities
internal import Reports
internal import Typesetting

/// How late the health store hears of what the pump gave.
struct WritingDelays {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// The figures.
  var markup: Markup {
    let basal = report.doses.filter { $0.kind.isBasal }
    let written = basal.filter { $0.store != nil }
    var pairs: [(name: Markup, value: Markup)] = [
      ("Basal samples written", "\(written.count) of \(basal.count)")
    ]
    if let longest = written.max(by: { $0.end - $0.start < $1.end - $1.start }) {
      pairs.append(
        (
          "Longest span of one sample",
          "\(duration((longest.end - longest.start).minutes)), \(report.moment(longest.start))"
        ))
    }
    let told = report.summary.reportingOutcomes
    if let median = told.medianDelayMinutes, let late = told.delay95Minutes,
      let most = told.longestDelayMinutes
    {
      pairs.append(("From pulse to Health, median", "\(duration(median))"))
      pairs.append(("95th percentile", "\(duration(late))"))
      pairs.append(("Latest", "\(duration(most))"))
    }
    let boluses = report.doses.filter {
      ($0.kind == .bolus || $0.kind == .automaticBolus) && ($0.pump ?? 0) > 0
    }
    let soon = boluses.filter { dose in
      dose.written.map { $0 - dose.end <= .minutes(10) } ?? false
    }
    if !boluses.isEmpty {
      pairs.append(("Boluses in Health within two cycles", "\(soon.count) of \(boluses.count)"))
    }
    let rewritten = report.doses.count { $0.deletedFromStore != nil && $0.store != nil }
    if rewritten > 0 { pairs.append(("Samples deleted and written again", "\(rewritten)")) }
    return PageParts.pairs(pairs, style: "stat wide") + """
      <p class="small">A basal sample is written when its rate ends: a long span looks like one \
      late dose in the health app.</p>
      """
  }

  /// A number of minutes for a person: `25 min`, `6 h`, `1 h 40 min`.
  private func duration(_ minutes: Double) -> String {
    let whole = Int(minutes.rounded())
    let (hours, rest) = (whole / 60, whole % 60)
    if hours == 0 { return "\(rest) min" }
    return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
  }
}
