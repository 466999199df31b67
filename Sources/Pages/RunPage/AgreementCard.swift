internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// Whether the records of a run agree, and what is in question where they do not.
struct AgreementCard {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// The card.
  var markup: Markup {
    // Records that agree on what went wrong are no good news.
    let good: PageSeverity = TroubleList(report.summary).count == 0 ? .expected : .check
    let severity: PageSeverity =
      switch report.run.agreement.answer {
      case .yes: good
      case .explained: questions.first?.severity == .check ? .check : good
      case .no: .fault
      }
    let chips = PageSeverity.allCases.compactMap { severity -> Markup? in
      let found = report.differences.indices.filter {
        report.differences[$0].severity.page == severity
      }
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
      <p class="big">\(headline)</p>\(sentences)<p>\(chips.joined(separator: " "))</p>
      """)
  }

  /// The answer, with the amount that is in question where it is no.
  private var headline: Markup {
    switch report.run.agreement.answer {
    case .yes: return "Yes"
    case .explained: return explained
    case .no: break
    }
    guard let worst = questions.first, hasAmount(worst) else { return "No" }
    return "No: \(units(like: worst)) U \(Self.verdict(on: worst.kind))\(places)"
  }

  /// The answer as a part of the sentence that heads the page.
  var clause: String {
    let worst = questions.first
    let amount = worst.flatMap { hasAmount($0) ? "\(units(like: $0)) U" : nil }
    let record = worst.map(place) ?? ""
    let location = record.isEmpty ? "" : " \(record)"
    switch report.run.agreement.answer {
    case .yes: return "the records agree"
    case .explained:
      guard let worst, worst.severity == .check else { return "the records differ as expected" }
      let count = report.differences.count { $0.severity == .check }
      return amount.map { "\($0) to check\(location)" }
        ?? "\(WordList.counted(count, "difference")) of the records to check"
    case .no:
      guard let worst, let amount else { return "the records disagree" }
      return "\(amount) \(Self.verdict(on: worst.kind))\(location)"
    }
  }

  /// What is wrong with an amount in a record that is no.
  private static func verdict(on kind: RecordDifference.Kind) -> String {
    switch kind {
    case .missingSpan, .missingBolus, .unloggedInjection: "missing"
    case .duplicateSample, .overlappingSamples: "twice"
    default: "in question"
    }
  }

  /// The answer where every difference has its cause: what is to be looked at all the same.
  private var explained: Markup {
    guard let worst = questions.first, worst.severity == .check else { return "Yes, as expected" }
    guard hasAmount(worst) else {
      return "\(report.differences.count { $0.severity == .check }) to check"
    }
    return "\(units(like: worst)) U to check\(places)"
  }

  /// The amount of a difference, with that of every other of which the same is said in the same
  /// records: of forty boluses that an app has lost one is no answer.
  private func units(like worst: RecordDifference) -> String {
    RecordLanes.units(alike(worst).reduce(0) { $0 + $1.units.magnitude })
  }

  private func alike(_ worst: RecordDifference) -> [RecordDifference] {
    report.differences.filter {
      $0.severity == worst.severity && $0.records == worst.records
        && (worst.severity == .check
          || Self.verdict(on: $0.kind) == Self.verdict(on: worst.kind))
    }
  }

  /// The differences that ``clause`` names: those whose amount it tells, or that it counts.
  var named: [RecordDifference] {
    guard let worst = questions.first, worst.severity <= .check else { return [] }
    return hasAmount(worst) || worst.severity == .fault
      ? alike(worst) : report.differences.filter { $0.severity == .check }
  }

  /// Whether there is an amount of insulin to tell of a difference.
  private func hasAmount(_ difference: RecordDifference) -> Bool {
    difference.units.magnitude >= 0.0005
  }

  /// The worst difference, and the worst of those as grave that are in other records.
  private var questions: [RecordDifference] {
    let order = report.worstFirst.map { report.differences[$0] }
    guard let worst = order.first else { return [] }
    let other = order.first {
      $0.severity == worst.severity && !$0.records.isEmpty && $0.records != worst.records
        && hasAmount($0)
    }
    return [worst] + [other].compactMap(\.self)
  }

  /// In which records the amounts are in question, where there are two.
  private var places: Markup {
    guard questions.count == 2, questions[1].severity <= .check else { return "" }
    return """
      <small> \(place(questions[0])); \(units(like: questions[1])) U \(place(questions[1]))</small>
      """
  }

  private func place(_ difference: RecordDifference) -> String {
    let names = difference.records.map { "the \(RecordAgreement.name($0))" }
    return names.isEmpty ? "" : "in \(names.joined(separator: " and "))"
  }

  /// The sentences that the card says: one for each difference in question.
  var told: [String] {
    let questions = questions
    return questions.prefix(questions.first.map { $0.severity <= .check } == true ? 2 : 1)
      .map(\.text)
  }

  private var sentences: Markup {
    guard !told.isEmpty else { return "<p>The three records agree.</p>" }
    let withYear = report.run.isOfSeveralYears
    return told.map { "<p>\(PageSentence($0, withYear: withYear).markup)</p>" as Markup }.joined()
  }
}
