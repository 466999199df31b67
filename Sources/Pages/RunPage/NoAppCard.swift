internal import Reports
internal import Simulation
internal import Typesetting

/// What stands in the place of the question whether the records agree where there is no app.
struct NoAppCard {
  private let summary: RunSummary

  /// Takes what a run came to.
  init(_ summary: RunSummary) { self.summary = summary }

  /// The differences that are to be looked at.
  private var lost: [RecordDifference] {
    summary.run.agreement.differences.filter { $0.severity <= .check }
  }

  /// The sentences that the card says.
  var told: [String] { lost.prefix(2).map(\.text) }

  /// The card.
  var markup: Markup {
    let withYear = summary.run.isOfSeveralYears
    let lines = told.map { "<p>\(PageSentence($0, withYear: withYear).markup)</p>" as Markup }
      .joined()
    return PageParts.card(
      id: "k1", heading: "Records", severity: lost.isEmpty ? .note : .check,
      """
      <p class="big">No app</p><p>\(RecordAgreement.withoutApp)</p>\(lines)
      """)
  }
}
