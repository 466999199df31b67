internal import ClosedLoop
internal import Outcomes
internal import Quantities
public import Reports
internal import Simulation
internal import StructuredText
public import Typesetting

/// The page of one run.
///
/// It answers one question: do body, pump, app and health store tell the same story, and if not,
/// where, how much, why, and what follows from it?
public struct RunPage: Sendable {
  private let report: RunReport

  /// Makes the page of a run.
  public init(_ report: RunReport) { self.report = report }

  /// The page as a file.
  public var html: String {
    var page = Page(kind: "Run report", title: RunFinding(report).text)
    page.meta = meta
    page.glucoseUnit = report.glucoseUnit
    page.skip = ("#differences", "Skip to the differences")
    page.isLandscape = true
    // The axis is that of the whole run, and is found once.
    let glucose = GlucoseLane(report)
    page.body =
      cards + strip(glucose) + panels(glucose) + findings + DetailsCard(report).markup
    page.footer = footer
    page.data = RunTimelineData(report: report).json
    return page.html
  }

  /// The days of the run in their order, as dates such as `2026-01-15`.
  public var dates: [String] {
    report.days.map { run.clock.civilTime(at: $0.from).dateText }
  }

  /// The figures of the page, each as a file that stands alone.
  ///
  /// - Parameter day: The place of the day that is drawn; `nil` draws all, each to a file with its
  ///   date in its name.
  /// - Returns: The figures, in the order of the days.
  public func figures(day: Int? = 0) -> [PageFigure] {
    let (days, lane) = (report.days, GlucoseLane(report))
    assert(day.map(days.indices.contains) ?? true, "A day that is drawn is one of the run.")
    var files = zip(days, dates).enumerated().filter { $0.offset == day ?? $0.offset }.map {
      let (own, date) = $0.element
      let lanes = RunLanes(glucose: lane).lanes(own)
      let title = "\(report.summary.title), \(report.date(own.from))"
      let name = day == nil ? "timeline-\(date).svg" : "timeline.svg"
      return PageFigure(name, SVGFigure(title: title, rows: lanes.map(\.row)))
    }
    if let profile = ProfileChart(report.summary.measurements.cgm, report.glucoseUnit) {
      files.append(profile.figure(title: report.summary.title))
    }
    return files
  }

  private var run: RunResult { report.run }

  private var meta: Markup {
    let span = run.end - run.start
    let isDays = span >= .days(2)
    let amount = isDays ? span.hours / 24 : span.hours
    let length =
      span < .hours(1)
      ? "\(span.roundedToSecond)"
      : FixedDecimal.text(amount, decimals: amount.rounded() == amount ? 0 : 1)
        + (isDays ? " days" : " h")
    let who: Markup = report.patient.isEmpty ? "" : "<b>\(report.patient)</b>, "
    let file: Markup = report.file.isEmpty ? "" : " · scenario <code>\(report.file)</code>"
    let therapy = report.observation.settings.first?.therapy
    let dosing =
      !run.hasApp
      ? "without an app"
      : therapy?.strategy == .automaticBolus ? "automatic boluses" : "temp basals"
    // Without a title of its own a scenario is called by its id, which stands here anyway.
    let title = report.summary.title
    let named: Markup = title == run.id ? "" : "<b>\(title)</b> · "
    return """
      \(named)\(who)\(length) from \(report.date(run.start)) \(report.clock(run.start)), \
      \(report.timeZone) (\(report.offset(run.start))) · run <code>\(run.id)</code>\(file) · \
      \(dosing)
      """
  }

  private var footer: [Markup] {
    [
      "loopsim \(report.summary.version)", "seed \(Int64(bitPattern: run.seed))",
      "scenario <code>\(report.summary.scenarioDigest)</code>",
      "result <code>\(report.summary.digest)</code>", "simulated data",
    ]
  }

  // MARK: - Sections

  /// The cards that answer the page's question.
  private var cards: Markup {
    let summary = report.summary
    let (agreement, noApp) = (AgreementCard(report), NoAppCard(summary))
    let answer = run.hasApp ? agreement.markup : noApp.markup
    let wrong = TroubleList(summary).card(besides: run.hasApp ? agreement.told : noApp.told)
    let ranges = RangesCard(summary.measurements, report.glucoseUnit)
    let insulin = InsulinCard(summary)
    let loop = LoopCard(summary, onBoard: report.onBoard)
    // On a phone the cards stand below one another, and what went wrong below the answer; where
    // there is room beside it, the next cards fill that.
    return """
      <div class="kpis">
      \(answer)\(wrong)\(ranges.markup)\(insulin.markup)\(loop.markup)</div>

      """
  }

  /// The days as thumbnails, where there are several, and the profile from a week on.
  private func strip(_ glucose: GlucoseLane) -> Markup {
    let days = report.days
    guard days.count > 1 else { return "" }
    let thumbs = days.map { DayThumbnail(glucose: glucose, day: $0).markup }.joined()
    var result: Markup = """
      <section class="card strip" aria-labelledby="h-days"><h2 id="h-days">Day by day</h2>\
      \(thumbs)</section>

      """
    if run.end - run.start >= .days(7),
      let profile = ProfileChart(report.summary.measurements.cgm, report.glucoseUnit)
    {
      result += profile.card
    }
    return result
  }

  private func panels(_ glucose: GlucoseLane) -> Markup {
    let days = report.days
    let open = report.openDay
    var result = report.drawnDays.map {
      DayPanel(
        glucose: glucose, day: $0, isOnly: days.count == 1, isOpen: $0.index == open?.index,
        hasControls: $0.index == 0
      ).markup
    }.joined()
    if days.count > RunDay.most {
      result += """
        <p class="small">The first \(RunDay.most) days are drawn; all \(days.count) are in the \
        strip, the figures and the tables of the results' folder.</p>

        """
    }
    return result
  }

  /// The differences at the left; the ledger and the delays at the right.
  private var findings: Markup {
    let (title, late): (Markup, Markup) =
      run.hasApp
      ? (
        "Differences between the records",
        """
        <section class="card" aria-labelledby="h-r"><h2 class="t" id="h-r">How late Health hears \
        of it</h2>\(WritingDelays(report).markup)</section>

        """
      ) : ("What the body got, and what the pump counted", "")
    return """
      <div class="cols">
      <section class="card" id="differences" aria-labelledby="h-d"><h2 class="t" id="h-d">\
      \(title)</h2>\(DifferenceList(report).markup)</section>
      <div class="stack">
      <section class="card" aria-labelledby="h-l"><h2 class="t" id="h-l">Insulin ledger</h2>\
      \(InsulinLedger(report).markup)</section>
      \(late)</div>
      </div>

      """
  }
}
