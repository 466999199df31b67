internal import Expectations
internal import Outcomes
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// What came of a run in one sentence, the gravest first: the heading of its page.
struct RunFinding {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  private var run: RunResult { report.run }

  /// The sentence, without a point; that a program was told the truth stands in it as in every
  /// heading.
  var text: String {
    let parts = grave + records + others + warnings + [inRange].compactMap(\.self)
    let sentence = parts.joined(separator: "; ")
    return sentence.capitalizedAtStart
      + (report.summary.isPrivileged ? RunSummary.privilegedMark : "")
  }

  /// What fails the run.
  private var grave: [String] {
    var parts: [String] = []
    if run.lethalEnd != nil { parts.append("the run ended as lethal") }
    let expectations = report.summary.expectations
    let failed = report.summary.failureLines.count
    if failed > 0 {
      parts.append(
        "\(failed) of \(WordList.counted(expectations.count, "expectation")) "
          + WordList.verb("fails", of: failed))
    }
    let laws = run.violations.count
    if laws > 0 {
      parts.append(
        "\(WordList.counted(laws, "law")) of the simulation "
          + "\(WordList.verb("does", of: laws)) not hold")
    }
    return parts
  }

  /// Whether the records agree, where there are several.
  private var records: [String] { run.hasApp ? [AgreementCard(report).clause] : [] }

  /// How much else went wrong that no part before names.
  private var others: [String] {
    let named = Set(run.hasApp ? AgreementCard(report).named.map(\.text) : [])
    let count = report.summary.troubles.count {
      $0.kind != .lethal && $0.kind != .brokenLaw && !named.contains($0.text)
    }
    guard count > 0 else { return [] }
    let more = grave.isEmpty && !isInQuestion ? "" : "more "
    return ["\(count) \(more)\(count == 1 ? "thing" : "things") went wrong"]
  }

  /// How many expectations do not hold and only warn of it.
  private var warnings: [String] {
    let count = report.summary.warningLines.count
    guard count > 0 else { return [] }
    return ["\(WordList.counted(count, "expectation")) only \(WordList.verb("warns", of: count))"]
  }

  private var isInQuestion: Bool {
    run.hasApp && report.differences.contains { $0.severity <= .check }
  }

  private var inRange: String? {
    report.summary.measurements.trueGlucose.timeInRanges().map {
      "true glucose \(PercentText.number($0.from70To180, decimals: 0)) % in range"
    }
  }
}
