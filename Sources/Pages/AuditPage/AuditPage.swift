internal import Outcomes
internal import Quantities
public import Records
internal import Reports
internal import StructuredText
public import Typesetting

/// The page of an audit: the worst day in one sentence, what each source wrote, the findings, and
/// three totals for each day.
public struct AuditPage: Sendable {
  let audit: Audit
  private let file: String
  private let version: String

  /// The most days that are drawn, the worst first.
  private static let mostDays = 7
  /// The most days whose totals are drawn as bars; all are in the table.
  private static let mostBars = 31

  /// Makes the page of an audit of a file.
  public init(_ audit: Audit, file: String, version: String) {
    self.audit = audit
    self.file = file
    self.version = version
  }

  /// The page as a file.
  public var html: String {
    var page = Page(kind: "Record audit", title: AuditText.headline(audit))
    page.meta = """
      \(audit.dates), \(audit.zoneWords) · \(file) · \
      \(WordList.counted(audit.counts.insulin, "insulin sample")) and \
      \(WordList.counted(audit.counts.glucose, "glucose sample")) from \
      \(WordList.counted(audit.sources.count, "source")) · nothing was changed
      """
    page.skip = ("#findings", "Skip to the findings")
    page.glucoseUnit = audit.glucoseUnit
    let timeline = worst.map { AuditTimelineData(audit, days: [$0] + drawnOthers, open: $0) }
    page.data = timeline?.json
    page.isLandscape = true
    page.body =
      cards + worstDay(timeline) + columns(timeline) + otherDays(timeline)
      + AuditTables(audit: audit).totals
    let pulse: Markup =
      audit.pulse.map { "pulse \(AuditText.pulse($0))\(audit.isPulseInferred ? ", inferred" : "")" }
      ?? "no pulse known"
    page.footer = ["loopsim \(version)", pulse]
    return page.html
  }

  /// The days that are drawn, each as a file that stands alone; the worst first.
  public var figures: [PageFigure] {
    ((worst.map { [$0] } ?? []) + drawnOthers).map { AuditLanes(audit: audit, day: $0).figure }
  }

  static func severity(_ severity: AuditFinding.Severity) -> PageSeverity {
    switch severity {
    case .fault: .fault
    case .check: .check
    case .expected: .expected
    case .note: .note
    }
  }

  /// The day with most insulin counted twice, else that of the first fault or, without one, of the
  /// first thing to check, else the middle.
  var worst: AuditDay? {
    if let twice = audit.days.max(by: { $0.twice < $1.twice }), twice.twice > 5e-4 { return twice }
    for severity in [AuditFinding.Severity.fault, .check] {
      guard let finding = audit.findings.first(where: { $0.severity == severity }) else { continue }
      let day = audit.days.first { $0.start <= finding.start && finding.start < $0.end }
      if let day { return day }
    }
    return audit.days.isEmpty ? nil : audit.days[audit.days.count / 2]
  }

  // MARK: - Cards

  private var cards: Markup {
    "<div class=\"kpis\">\n\(trust)\(totals)\(onBoard)\(completeness)</div>\n"
  }

  private var trust: Markup {
    let faults = audit.findings.filter { $0.severity == .fault }
    let days = audit.days.filter { day in
      faults.contains { finding in
        finding.occurrences.contains { day.share(from: $0.start, to: $0.end) > 0 }
      }
    }
    let chips = AuditFinding.Severity.allCases.compactMap { severity -> Markup? in
      let count = audit.findings.count { $0.severity == severity }
      guard count > 0, let index = audit.findings.firstIndex(where: { $0.severity == severity })
      else { return nil }
      let style = Self.severity(severity)
      return PageParts.chip(
        style, "\(style.sign) \(style.counted(count))", link: "#f\(index + 1)")
    }
    let twice = audit.days.reduce(0) { $0 + $1.twice }
    let checks = audit.findings.count { $0.severity == .check }
    // What was left out of the files may be insulin.
    let trusted = audit.reading.isEmpty ? "Yes" : "As far as it was read"
    let verdict =
      !days.isEmpty
      ? "Not on \(days.count) of \(WordList.counted(audit.days.count, "day"))"
      : checks == 0 ? trusted : "\(trusted), with \(WordList.counted(checks, "thing")) to check"
    let missing = audit.findings.filter { $0.kind.isMissingBasal }.reduce(0) { $0 - $1.amount }
    let lacking =
      audit.contains(.basalAbsent)
      ? "all basal" : AuditText.units(max(0, missing))
    return PageParts.card(
      id: "k1", heading: "Can this record be trusted?",
      severity: !faults.isEmpty
        ? .fault : checks == 0 && audit.reading.isEmpty ? .expected : .check,
      """
      <p class="big">\(verdict)</p>\
      <p>\(AuditText.units(twice)) twice in all; \(lacking) missing.</p>\
      <p>\(chips.joined(separator: " "))</p>
      """)
  }

  private var totals: Markup {
    guard let day = worst else { return "" }
    return PageParts.card(
      id: "k2", heading: "Three totals of \(day.date)",
      PageParts.pairs([
        ("Plain sum of all samples", "\(RecordLanes.units(day.plain)) U"),
        ("Store's own, by priority of sources", "\(RecordLanes.units(day.storeOwn)) U"),
        ("Reconciled, without duplicates", "\(RecordLanes.units(day.reconciled)) U"),
      ]))
  }

  private var onBoard: Markup {
    guard let point = audit.insulinOnBoard.largest else {
      return PageParts.card(
        id: "k3", heading: "Insulin on board", "<p>The same with and without duplicates.</p>")
    }
    let difference = point.all - point.reconciled
    let words = difference > 0 ? "too high" : "too low"
    let basal =
      audit.insulinOnBoard.countsBasal
      ? "Basal counts relative to the schedule." : "Boluses only: no schedule is known."
    return PageParts.card(
      id: "k3", heading: "Insulin on board",
      """
      <p class="big">\(difference > 0 ? "+" : "−")\(AuditText.units(difference.magnitude))\
      <small> \(words)</small></p><p>\(audit.date(point.instant)) \(audit.time(point.instant)): \
      \(AuditText.units(point.all)) with all samples, \(AuditText.units(point.reconciled)) \
      reconciled. \(basal)</p>
      """)
  }

  private var completeness: Markup {
    let found = audit.completeness
    let basal: [(name: Markup, value: Markup)] =
      found.basalCovered.map { [("Basal covered", "\(AuditText.covered($0))")] } ?? []
    let written: [(name: Markup, value: Markup)] =
      found.writtenInTime.map {
        [("Boluses written within two cycles", "\($0.count) of \($0.of)")]
      } ?? []
    return PageParts.card(
      id: "k4", heading: "How complete",
      PageParts.pairs(
        basal + [("Glucose, of one in 5 min", "\(audit.glucoseCoverage)")]
          + written + [
            ("Days", "\(Int64(audit.days.count))"),
            ("Sources of insulin", "\(Int64(audit.insulinSources))"),
          ]))
  }

  // MARK: - Days

  private func worstDay(_ timeline: AuditTimelineData?) -> Markup {
    guard let day = worst, let timeline else { return "" }
    let controls = timeline.controls(
      title: "<h2 id=\"h-day\">\(day.date): what each source wrote</h2>",
      note: """
        <p class="note">Boxes are basal samples, bars are boluses. Dashed red box: missing. \
        Dashed red line: insulin on board of all samples; blue line: reconciled.</p>
        """)
    return """
      <section class="card tl" id="\(AuditTimelineData.id(of: day))"\(timeline.place(of: day)) \
      aria-labelledby="h-day">\(AuditLanes(audit: audit, day: day).markup(controls))</section>

      """
  }

  private var otherThanWorst: [AuditDay] { audit.days.filter { $0.date != worst?.date } }

  /// The other days with most insulin counted twice, in their order.
  private var drawnOthers: [AuditDay] {
    otherThanWorst.sorted { ($0.twice, $1.date) > ($1.twice, $0.date) }
      .prefix(Self.mostDays - 1).sorted { $0.date < $1.date }
  }

  private func otherDays(_ timeline: AuditTimelineData?) -> Markup {
    let others = otherThanWorst
    guard !others.isEmpty else { return "" }
    let drawn = drawnOthers
    let items = drawn.map { day -> Markup in
      let twice: Markup = day.twice > 5e-4 ? ", \(AuditText.units(day.twice)) twice" : ""
      return """
        <details class="tl" id="\(AuditTimelineData.id(of: day))"\
        \(timeline?.place(of: day) ?? "") data-print><summary>\(day.date) <span class="mut">\
        \(AuditText.units(day.reconciled)) reconciled\(twice)</span></summary>\
        \(AuditLanes(audit: audit, day: day).markup())</details>

        """
    }
    let rest = others.count - drawn.count
    let more: Markup =
      rest > 0
      ? "<p class=\"small\">\(WordList.counted(rest, "more day", "is")) in the "
        + "table below.</p>" as Markup : ""
    return """
      <section class="card more" aria-labelledby="h-o"><h2 class="t" id="h-o">Other days</h2>\
      \(items.joined())\(more)</section>

      """
  }

  // MARK: - Findings and totals

  private func columns(_ timeline: AuditTimelineData?) -> Markup {
    """
    <div class="cols">
    <section class="card" id="findings" aria-labelledby="h-f"><h2 class="t" id="h-f">Findings, \
    worst first</h2>\(findings(timeline))</section>
    <div class="stack">
    <section class="card" aria-labelledby="h-t"><h2 class="t" id="h-t">Totals by day</h2>\(bars)\
    </section>
    <section class="card" aria-labelledby="h-s"><h2 class="t" id="h-s">Sources</h2>\
    \(AuditTables(audit: audit).sources)\
    </section>
    \(AuditTables(audit: audit).reading)\
    <section class="card" aria-labelledby="h-n"><h2 class="t" id="h-n">Not judged, and why</h2>\
    \(audit.notJudged.map { "<p class=\"small\">\($0)</p>" as Markup }.joined())</section>
    </div>
    </div>

    """
  }

  private func findings(_ timeline: AuditTimelineData?) -> Markup {
    guard !audit.findings.isEmpty else { return "<p>Nothing was found.</p>" }
    let items = audit.findings.enumerated().map { index, finding -> Markup in
      let severity = Self.severity(finding.severity)
      let sign = finding.amount < -5e-4 ? "−" : finding.amount > 5e-4 ? "+" : ""
      let amount =
        sign.isEmpty
        ? "" : "\(sign)\(AuditText.number(finding.amount.magnitude)) \(finding.quantity.unit)"
      let places: [Markup] =
        finding.occurrences.count > 1 ? ["\(finding.occurrences.count) places"] : []
      // A name that is read from right to left must not turn what follows it around.
      let names = finding.sources.map { "<bdi>\($0)</bdi>" as Markup }
      let sources = names.isEmpty ? [] : [names.joined(separator: ", ")]
      let from = (sources + places).joined(separator: " · ")
      let moment = "\(audit.date(finding.start)) \(audit.time(finding.start))"
      let change: Markup =
        finding.change.map {
          " Insulin on board changes by \(AuditText.units($0.units)) at \(audit.time($0.instant))."
        } ?? ""
      return """
        <li id="f\(index + 1)"><span class="badge g \(severity.rawValue)">\(index + 1)</span><div>\
        <h3>\(finding.title) \
        \(PageParts.chip(severity, "\(severity.sign) \(severity.word)"))</h3>\
        <p>\(finding.cause)</p><p class="so">\(finding.consequence)\(change)</p></div>\
        <div class="amt"><b>\(amount)</b>\
        <div>\(timeline?.link(to: finding.start, moment) ?? "\(moment)")\
        \(until(finding))<br>\(from)</div></div></li>

        """
    }
    return "<ul class=\"dlist\">\n\(items.joined())</ul>"
  }

  /// Until when a finding lasts that has one place; nothing for a moment, or for less than minutes
  /// tell.
  private func until(_ finding: AuditFinding) -> Markup {
    let end = audit.time(finding.end, from: finding.start)
    guard finding.occurrences.count == 1, end != audit.time(finding.start) else { return "" }
    return "<br>to \(end)"
  }

  private var bars: Markup {
    let most = audit.days.map(\.plain).max() ?? 1
    let isLong = audit.days.count > Self.mostBars
    let days = isLong ? audit.days.filter { $0.twice > 5e-4 } : audit.days
    let note: Markup =
      isLong ? "<p class=\"small\">\(Self.words(for: days, of: audit.days))</p>" : ""
    let shown = days.prefix(Self.mostBars)
    guard !shown.isEmpty else { return note }
    let keys: [(style: String, name: Markup, isThere: Bool)] = [
      ("i-s", "basal", true), ("i-b", "bolus", true),
      ("i-x", "by hand", shown.contains { $0.foreign > 5e-4 }),
      ("i-t", "of all kinds", shown.contains { !Self.isPlain($0) }),
      ("f-twice", "counted twice", shown.contains { $0.twice > 5e-4 }),
    ]
    let legend = keys.filter(\.isThere).map { "<s class=\"\($0.style)\"></s> \($0.name)" as Markup }
    return "\(note)<p class=\"small\">\(legend.joined(separator: " "))</p>"
      + shown.map { Self.bars(of: $0, most: most) }.joined()
  }

  /// Whether all three totals of a day are the plain sum.
  private static func isPlain(_ day: AuditDay) -> Bool {
    [day.storeOwn, day.reconciled].allSatisfy { ($0 - day.plain).magnitude <= 5e-4 }
  }

  /// The totals of a day, a bar each on the scale of all days; one where they are the same.
  private static func bars(of day: AuditDay, most: Double) -> Markup {
    func row(_ name: Markup, _ units: Double, _ parts: [(style: String, share: Double)]) -> Markup {
      // What is left of a sum by an error of arithmetic is nothing to draw.
      let rest = most - parts.reduce(0) { $0 + $1.share }
      let bar = PageParts.bar((parts + [("", rest)]).filter { $0.share > 5e-4 })
      return "<span>\(name)</span>\(bar)<b>\(RecordLanes.units(units)) U</b>"
    }
    let bolus = day.manualBolus + day.automaticBolus + day.otherBolus
    let isPlain = isPlain(day)
    let kinds = [("i-s", day.basal), ("i-b", bolus), ("i-x", day.foreign)]
    var rows = row(isPlain ? "All three" : "Plain sum", day.plain, kinds)
    if !isPlain {
      rows += row("Store's own", day.storeOwn, [("i-t", day.storeOwn)])
      rows += row(
        "Reconciled", day.reconciled, [("i-t", day.reconciled), ("f-twice", day.twice)])
    }
    let twice: Markup =
      day.twice > 5e-4
      ? " <span class=\"badt\">\(RecordLanes.units(day.twice)) U twice</span>" : ""
    return "<div class=\"sums\"><h3>\(day.date)\(twice)</h3>\(rows)</div>"
  }

  /// Which days of a long record are drawn: those with insulin that is there twice.
  private static func words(for days: [AuditDay], of all: [AuditDay]) -> String {
    let count =
      days.isEmpty
      ? "None of \(WordList.counted(all.count, "day")) has insulin twice"
      : "\(days.count) of \(WordList.counted(all.count, "day")) "
        + "\(WordList.verb("has", of: days.count)) insulin twice"
    let shown = days.count > mostBars ? "; the first \(mostBars) are drawn" : ""
    return "\(count)\(shown). All days are in the table below."
  }
}

extension Audit {
  /// The time zone with its offset at the start, and at the end where it is another by then:
  /// `America/Chicago (UTC−06:00, later UTC−05:00)`.
  var zoneWords: String {
    guard zone != "UTC" else { return "UTC" }
    let (first, last) = (clock.offsetText(at: start), clock.offsetText(at: end))
    return "\(zone) (\(first)\(first == last ? "" : ", later \(last)"))"
  }

  /// The first and the last day: what ends at midnight has nothing of the day that begins there.
  var dates: String {
    let first = date(start)
    guard let last = days.last?.date, last != first else { return first }
    return "\(first) to \(last)"
  }

  /// Where basal is missing, earliest first; without the time before a pump that may not have been
  /// worn.
  var missingBasal: [(source: String, place: AuditFinding.Occurrence)] {
    findings.filter {
      $0.kind.isMissingBasal && !($0.kind == .basalBegins && $0.severity == .note)
    }
    .flatMap { finding in finding.occurrences.map { (finding.sources.first ?? "", $0) } }
    .sorted { ($0.1.start, $0.0) < ($1.1.start, $1.0) }
  }

  /// The local date at an instant, such as `2026-03-04`.
  func date(_ instant: Instant) -> String {
    String(clock.civilTime(at: instant).description.prefix(10))
  }

  /// The local time of day at an instant, such as `07:45`; where a clock that is set back
  /// shows it twice, with its offset, `01:30 UTC−06:00`.
  func time(_ instant: Instant) -> String {
    let time = clock.civilTime(at: instant)
    guard case .twice = clock.reading(of: time) else { return time.timeOfDay.hoursAndMinutes }
    return "\(time.timeOfDay.hoursAndMinutes) \(clock.offsetText(at: instant))"
  }

  /// The local time at which something ends that began at a start, with its date where that is
  /// another.
  func time(_ end: Instant, from start: Instant) -> String {
    (date(end) == date(start) ? "" : "\(date(end)) ") + time(end)
  }
}
