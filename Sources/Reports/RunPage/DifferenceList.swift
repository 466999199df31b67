internal import Simulation
internal import StructuredText

/// The differences between the records of a run, the worst first.
struct DifferenceList {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// How many differences are listed; those after them are counted.
  private static let most = 50

  /// The list.
  var markup: Markup {
    let differences = report.differences
    guard !differences.isEmpty else {
      return run.hasApp ? "<p>The three records agree.</p>" : "<p>No difference.</p>"
    }
    let words = DifferenceWords(report: report)
    let items = report.worstFirst.prefix(Self.most).map { index -> Markup in
      let difference = differences[index]
      let (number, severity) = (report.number(of: index), difference.severity.page)
      let consequence: Markup =
        words.consequence(of: index).map { "<p class=\"so\">\($0)</p>" } ?? ""
      let amount =
        difference.units.magnitude < 0.0005 ? "0 U" : "\(RecordLanes.signed(difference.units)) U"
      let time = report.isWhole(difference) ? "whole run" : link(to: difference)
      return """
        <li id="d\(number)"><span class="badge g \(severity.rawValue)">\(number)</span><div>\
        <h3>\(difference.title) \
        \(PageParts.chip(severity, "\(severity.sign) \(severity.word)"))</h3>\
        <p>\(PageSentence(difference.text).markup)</p>\(consequence)</div>\
        <div class="amt">\(time)<b>\(amount)</b></div></li>

        """
    }
    let more = PageParts.more(
      than: items.count, of: differences.count, in: "ledger.json and doses.csv")
    return "<ul class=\"dlist\">\n\(items.joined())</ul>\(more)"
  }

  /// The time of a difference, which leads to its day and moves the cursor.
  private func link(to difference: RecordDifference) -> Markup {
    let minutes = FixedDecimal.text(max(0, report.minutes(difference.start)), decimals: 0)
    let days = report.days
    let day = days.first { $0.start <= difference.start && difference.start < $0.end } ?? days.first
    let date = days.count > 1 ? "\(report.date(difference.start, withYear: false)) " : ""
    return """
      <a href="#\(day?.id ?? "differences")" data-go="\(minutes)">\(date)\
      \(report.clock(difference.start))</a>
      """
  }

  private var run: RunResult { report.run }
}
