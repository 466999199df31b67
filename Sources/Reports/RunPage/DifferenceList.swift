internal import Simulation
internal import StructuredText

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
    let items = shown.map { entry in
      entry.places.count == 1 ? item(entry.places[0], words) : item(on: entry)
    }
    let more = PageParts.more(
      than: shown.reduce(0) { $0 + $1.places.count }, of: differences.count,
      in: "ledger.json and doses.csv")
    return "<ul class=\"dlist\">\n\(items.joined())</ul>\(more)"
  }

  // MARK: - Entries

  /// One difference, or many of which the same is said.
  private struct Entry {
    /// Where the differences stand in the list of all, the first one first.
    var places: [Int]
    /// What the differences make together, in U.
    var units: Double
    /// How grave they are, all alike.
    var severity: RecordDifference.Severity
  }

  /// The entries, the worst first: by severity, and of one severity by units.
  private var entries: [Entry] {
    let entries = AlikeDifferences.places(in: differences).flatMap { places -> [Entry] in
      let isOne = AlikeDifferences(differences: places.map { differences[$0] }).isToldTogether
      return (isOne ? [places] : places.map { [$0] }).map { places in
        Entry(
          places: places, units: places.reduce(0) { $0 + differences[$1].units },
          severity: differences[places[0]].severity)
      }
    }
    return entries.sorted {
      ($0.severity, -$0.units.magnitude, $0.places[0])
        < ($1.severity, -$1.units.magnitude, $1.places[0])
    }
  }

  private func item(_ index: Int, _ words: DifferenceWords) -> Markup {
    let difference = differences[index]
    let consequence: Markup =
      words.consequence(of: index).map { "<p class=\"so\">\($0)</p>" } ?? ""
    let time = report.isWhole(difference) ? "whole run" : link(to: difference)
    return item(
      index, "<p>\(PageSentence(difference.text).markup)</p>\(consequence)", time: time,
      units: difference.units)
  }

  /// An entry for many, to which the links to each of them lead.
  private func item(on entry: Entry) -> Markup {
    let alike = AlikeDifferences(differences: entry.places.map { differences[$0] })
    let anchors = entry.places.dropFirst().prefix(Self.mostLinked).map { place -> Markup in
      "<a id=\"d\(report.number(of: place))\"></a>"
    }
    return item(
      entry.places[0],
      "<p>\(PageSentence(run.sentence(on: alike)).markup)\(anchors.joined())</p>",
      time: link(to: differences[entry.places[0]]), units: entry.units)
  }

  private func item(_ index: Int, _ sentences: Markup, time: Markup, units: Double) -> Markup {
    let (number, severity) = (report.number(of: index), differences[index].severity.page)
    let amount = units.magnitude < 0.0005 ? "0 U" : "\(RecordLanes.signed(units)) U"
    return """
      <li id="d\(number)"><span class="badge g \(severity.rawValue)">\(number)</span><div>\
      <h3>\(differences[index].title) \
      \(PageParts.chip(severity, "\(severity.sign) \(severity.word)"))</h3>\
      \(sentences)</div>\
      <div class="amt">\(time)<b>\(amount)</b></div></li>

      """
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
  private var differences: [RecordDifference] { report.differences }
}
