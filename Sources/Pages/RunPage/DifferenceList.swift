internal import Reports
internal import Simulation
internal import Typesetting

/// The differences between the records of a run, the worst first.
struct DifferenceList {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// How many differences are listed; those after them are counted.
  private static let most = 50

  /// How many differences that are told together can be led to; a link to one after them leads
  /// nowhere.
  private static let mostLinked = 2_000

  /// The list.
  var markup: Markup {
    guard !differences.isEmpty else {
      return run.hasApp ? "<p>The three records agree.</p>" : "<p>No difference.</p>"
    }
    let words = DifferenceWords(report: report)
    let shown = entries.prefix(Self.most)
    let more = PageParts.more(
      than: shown.reduce(0) { $0 + $1.places.count }, of: differences.count,
      in: "ledger.json and doses.csv")
    return """
      <ul class="dlist">
      \(shown.map { item($0, words) }.joined())</ul>\(more)
      """
  }

  /// The entries, the worst first: by severity, and of one severity by units.
  private var entries: [AlikeDifferences] {
    AlikeDifferences.groups(of: differences).sorted {
      ($0.differences[0].severity, -$0.units, $0.places[0])
        < ($1.differences[0].severity, -$1.units, $1.places[0])
    }
  }

  /// An entry for one difference, or for many, to which the links to each of them lead.
  private func item(_ alike: AlikeDifferences, _ words: DifferenceWords) -> Markup {
    let (place, difference) = (alike.places[0], alike.differences[0])
    let (number, severity) = (report.number(of: place), difference.severity.page)
    let consequence: Markup =
      alike.isToldTogether
      ? "" : words.consequence(of: place).map { "<p class=\"so\">\($0)</p>" } ?? ""
    let anchors = alike.places.dropFirst().prefix(Self.mostLinked).map { place -> Markup in
      "<a id=\"d\(report.number(of: place))\"></a>"
    }
    let amount = alike.units < 0.0005 ? "0 U" : "\(RecordLanes.signed(alike.sum)) U"
    let time = report.isWhole(difference) ? "whole run" : link(to: difference)
    let sentence = PageSentence(run.sentence(on: alike), withYear: run.isOfSeveralYears)
    return """
      <li id="d\(number)"><span class="badge g \(severity.rawValue)">\(number)</span><div>\
      <h3>\(difference.title) \
      \(PageParts.chip(severity, "\(severity.sign) \(severity.word)"))</h3>\
      <p>\(sentence.markup)\(anchors.joined())</p>\
      \(consequence)</div>\
      <div class="amt">\(time)<b>\(amount)</b></div></li>

      """
  }

  /// The time of a difference, which leads to its day and moves the cursor, where that is drawn.
  private func link(to difference: RecordDifference) -> Markup {
    let stop = RunTimelineData(report: report).stop(at: difference.start)
    let minutes = TimelinePanel.number(stop)
    let time = report.moment(difference.start)
    guard difference.start <= report.drawnEnd else { return "\(time)" }
    let day = report.drawnDays.first { difference.start < $0.end } ?? report.drawnDays.last
    return "<a href=\"#\(day?.id ?? "differences")\" data-go=\"\(minutes)\">\(time)</a>"
  }

  private var run: RunResult { report.run }
  private var differences: [RecordDifference] { report.differences }
}
