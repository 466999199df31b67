internal import Expectations
internal import StructuredText
internal import Typesetting

/// What came of the expectations that look at several runs, the gravest first.
struct JointVerdicts {
  private let results: [ExpectationResult]

  /// How many are told; all are in batch.json.
  private static let most = 40

  /// Takes the results in the order of the batch.
  init(_ results: [ExpectationResult]) {
    let ranked = results.enumerated().map { ($0.element, $0.offset, Self.rank($0.element)) }
    self.results = ranked.sorted { ($0.2, $0.1) < ($1.2, $1.1) }.map(\.0)
  }

  /// The card; nothing where there is no such expectation.
  var card: Markup {
    guard !results.isEmpty else { return "" }
    let lines = results.prefix(Self.most).map { result -> Markup in
      let (severity, word) = Self.verdict(of: result)
      let found = [result.message, result.remark].filter { !$0.isEmpty }.joined(separator: "; ")
      return """
        <li>\(PageParts.chip(severity, "\(severity.sign) \(word)")) \
        <span>\(result.title)\(found.isEmpty ? "" : ": \(found)")</span></li>
        """
    }.joined()
    return PageParts.card(
      id: "k4", heading: "Expectations over several runs",
      """
      <ul class="wrong">\(lines)</ul>\
      \(PageParts.more(than: Self.most, of: results.count, in: "batch.json"))
      """)
  }

  /// What is said of a result: one that was not looked at neither holds nor fails.
  private static func verdict(of result: ExpectationResult) -> (PageSeverity, String) {
    switch result.outcome {
    case .passed: result.holdsInPart ? (.check, "holds in part") : (.expected, "holds")
    case .skipped: (.note, "not looked at")
    case .failed, .error: result.isWarning ? (.check, "warns") : (.fault, "fails")
    }
  }

  private static func rank(_ result: ExpectationResult) -> Int {
    PageSeverity.allCases.firstIndex(of: verdict(of: result).0) ?? 0
  }
}
