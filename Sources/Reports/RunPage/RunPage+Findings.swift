internal import Devices
internal import Outcomes
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunPage {
  /// How many differences are listed; those after them are counted.
  static let mostDifferences = 50

  /// The differences at the left; the ledger and the delays at the right.
  var findings: Markup {
    let (title, late): (Markup, Markup) =
      run.hasApp
      ? (
        "Differences between the records",
        """
        <section class="card" aria-labelledby="h-r"><h2 class="t" id="h-r">How late Health hears \
        of it</h2>\(delays)</section>

        """
      ) : ("What the body got, and what the pump counted", "")
    return """
      <div class="cols">
      <section class="card" id="differences" aria-labelledby="h-d"><h2 class="t" id="h-d">\
      \(title)</h2>\(differenceList)</section>
      <div class="stack">
      <section class="card" aria-labelledby="h-l"><h2 class="t" id="h-l">Insulin ledger</h2>\
      \(ledger)</section>
      \(late)</div>
      </div>

      """
  }

  // MARK: - Differences

  private var differenceList: Markup {
    let differences = report.differences
    guard !differences.isEmpty else {
      return run.hasApp ? "<p>The three records agree.</p>" : "<p>No difference.</p>"
    }
    let words = DifferenceWords(report: report)
    let items = report.worstFirst.prefix(Self.mostDifferences).map { index -> Markup in
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
        <p>\(difference.text)</p>\(consequence)</div>\
        <div class="amt">\(time)<b>\(amount)</b></div></li>

        """
    }
    let rest = differences.count - items.count
    let more: Markup =
      rest > 0 ? "<p class=\"small\">And \(rest) more, in ledger.json and doses.csv.</p>" : ""
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

  // MARK: - Ledger

  private struct Sums {
    var asked = 0.0
    var body = 0.0
    var pump = 0.0
    var app = 0.0
    var store = 0.0
    var hasApp = false

    init(_ doses: [DoseRow]) {
      for dose in doses {
        asked += dose.asked ?? 0
        body += dose.body ?? 0
        pump += dose.pump ?? 0
        app += dose.app ?? 0
        store += dose.store ?? 0
        if dose.app != nil { hasApp = true }
      }
    }
  }

  private var ledger: Markup {
    var columns: [PageTable.Column] = [
      .init("Units"), .init("Asked", number: true, optional: true),
      .init("Body", number: true, style: "c-b"), .init("Pump", number: true, style: "c-p"),
    ]
    if run.hasApp {
      columns += [
        .init("App", number: true, style: "c-l"), .init("Health", number: true, style: "c-h"),
        .init("Health − pump", number: true),
      ]
    }
    var table = PageTable(columns, caption: "Insulin ledger")
    let groups: [(Markup, [DoseRow.Kind])] = [
      ("Scheduled basal", [.scheduledBasal, .suspended, .stopped]), ("Temp basal", [.tempBasal]),
      ("Bolus", [.bolus]), ("Automatic bolus", [.automaticBolus]), ("From outside", [.external]),
    ]
    for (name, kinds) in groups {
      let doses = report.doses.filter { kinds.contains($0.kind) }
      guard !doses.isEmpty else { continue }
      table.rows.append(cells(name, doses, isOutside: kinds == [.external]))
    }
    table.total = cells("Total", report.doses, isOutside: false)
    let basal = run.ledger.basal
    let boluses = run.ledger.boluses
    let undelivered = boluses.asked.units - boluses.delivered.units
    var notes = """
      Asked is what \(run.hasApp ? "schedule, app and person" : "schedule and person") requested. \
      The pump counts whole \
      \(run.pulseSize.unitsText) U pulses; its program changes discarded \
      \(RecordLanes.units(basal.discarded.units)) U of basal over the whole run, \
      \(RecordLanes.units(basal.pending.units)) U are pending
      """
    notes +=
      undelivered > 0.0005
      ? ", and \(RecordLanes.units(undelivered)) U of boluses were not given." : "."
    if run.hasApp { notes += " Health is the store at the end of the run." }
    return table.markup + "<p class=\"small\">\(notes)</p>"
  }

  private func cells(_ name: Markup, _ doses: [DoseRow], isOutside: Bool) -> [PageTable.Cell] {
    let sums = Sums(doses)
    let difference = sums.store - (isOutside ? 0 : sums.pump)
    let numbers = doses.flatMap(\.differences).reduce(into: [Int]()) { found, index in
      let severity = report.differences[index].severity
      if severity != .note, !found.contains(index) { found.append(index) }
    }
    let links = numbers.prefix(4).map { index -> Markup in
      " <a href=\"#d\(report.number(of: index))\">\(report.number(of: index))</a>"
    }.joined()
    func cell(_ value: Double, _ isThere: Bool = true) -> PageTable.Cell {
      PageTable.Cell(isThere ? "\(RecordLanes.units(value))" : "–")
    }
    let isZero = difference.magnitude < 0.0005
    let difText: Markup = isZero ? "0" : "\(RecordLanes.signed(difference))"
    let own = [
      PageTable.Cell(name),
      PageTable.Cell(
        isOutside ? "–" : "\(FixedDecimal.text(sums.asked, decimals: 3))"),
      cell(sums.body), cell(sums.pump, !isOutside),
    ]
    guard run.hasApp else { return own }
    return own + [
      cell(sums.app, sums.hasApp), cell(sums.store),
      PageTable.Cell("\(difText)\(links)", style: !isZero && difference < 0 ? "badt" : ""),
    ]
  }

  // MARK: - Delays

  private var delays: Markup {
    let basal = report.doses.filter { $0.kind.isBasal }
    let written = basal.filter { $0.store != nil }
    var waits: [Double] = []
    for dose in written {
      guard let moment = dose.written else { continue }
      for pulse in run.pulses(of: [.basal], after: dose.start, through: dose.end) {
        waits.append((moment - pulse.instant).minutes)
      }
    }
    var pairs: [(name: Markup, value: Markup)] = [
      ("Basal samples written", "\(written.count) of \(basal.count)")
    ]
    if let longest = written.max(by: { $0.end - $0.start < $1.end - $1.start }) {
      pairs.append(
        (
          "Longest span of one sample",
          "\(duration((longest.end - longest.start).minutes)), \(report.clock(longest.start))"
        ))
    }
    if let median = Statistics.median(waits), let late = Statistics.quantile(waits, 0.95),
      let most = waits.max()
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
