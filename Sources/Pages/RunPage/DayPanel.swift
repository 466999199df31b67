internal import Outcomes
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// The timeline of one day with its buttons and its read-out.
struct DayPanel {
  let glucose: GlucoseLane
  let day: RunDay
  let isOnly: Bool
  let isOpen: Bool
  /// Whether the buttons and the read-out stand here: in the first panel, from which the script
  /// copies them into the others.
  let hasControls: Bool

  private var report: RunReport { glucose.report }

  var markup: Markup {
    let place = TimelinePanel.place(
      from: report.minutes(day.start), minutes: (day.end - day.start).minutes)
    var panel = TimelinePanel(
      lanes: RunLanes(glucose: glucose).lanes(day), name: "Timeline, \(report.date(day.from))")
    if hasControls { panel.controls = controls }
    let content = panel.markup
    if isOnly {
      return """
        <section class="card tl" id="\(day.id)"\(place) aria-labelledby="h-tl">\(content)</section>

        """
    }
    let open: Markup = isOpen ? " open" : ""
    return """
      <details class="card tl" id="\(day.id)"\(place)\(open) data-print><summary>\
      \(report.date(day.from)) <span class="mut">\(DayThumbnail(glucose: glucose, day: day).words)\
      </span></summary>\(content)</details>

      """
  }

  private var controls: TimelinePanel.Controls {
    let title: Markup =
      !isOnly
      ? ""
      : report.run.hasApp
        ? "<h2 id=\"h-tl\">What was delivered, recorded and written</h2>"
        : "<h2 id=\"h-tl\">What was delivered</h2>"
    let predictions: [(style: String, name: Markup)] =
      report.shownPredictions.list.isEmpty ? [] : [("nopred", "Predictions")]
    return TimelinePanel.Controls(
      title: title, stop: "difference", hours: (day.end - day.start).hours,
      layers: predictions + [
        ("notruth", "True glucose"), ("nopulse", "Pulses"), ("nolab", "Units"),
      ], fields: fields, counts: counts)
  }

  private var fields: Markup {
    var fields: [Markup] = [
      TimelinePanel.time, TimelinePanel.field("Glucose", "bg"),
      TimelinePanel.field("Active insulin", "iob"), TimelinePanel.field("Active carbs", "cob"),
      TimelinePanel.field("Pump", "p", style: "rp"),
    ]
    // Without an app there is neither its record nor a health store to read from.
    if report.run.hasApp {
      fields.append(TimelinePanel.field("App", "l", style: "rl"))
      fields.append(TimelinePanel.field("Health", "h", style: "rh"))
    }
    return fields.joined()
  }

  /// How many readings and pulses there are, of the only day.
  private var counts: String {
    guard isOnly else { return "" }
    let readings = report.run.trace.rows.count { $0.reading != nil && day.shows($0.instant) }
    let pulses = report.run.pulses(of: [.basal], after: day.from, through: day.to)
      .count(of: report.run.pulseSize)
    return
      " \(WordList.counted(readings, "reading")), \(WordList.counted(pulses, "basal pulse"))."
  }
}

/// A day at a glance: its glucose, how much of it was in range, and its differences.
struct DayThumbnail {
  let glucose: GlucoseLane
  let day: RunDay

  private var report: RunReport { glucose.report }

  private var series: GlucoseSeries {
    report.summary.measurements.cgm.restricted(from: day.from, to: day.to)
  }

  /// The worst differences of the day and their number; `nil` for none.
  private var finding: (severity: PageSeverity, count: Int)? {
    let found = report.placesOfDays[day.index].map { report.differences[$0].severity }
      .filter { $0 != .note }
    return found.min().map { worst in (worst.page, found.count { $0 == worst }) }
  }

  /// The day in a few words.
  var words: String {
    var parts: [String] = []
    if let shares = series.timeInRanges() {
      parts.append("\(PercentText.number(shares.from70To180, decimals: 0)) % in range")
    } else {
      parts.append("no reading")
    }
    let total = report.run.pulses(
      of: [.basal, .userBolus, .automaticBolus], after: day.from, through: day.to
    ).reduce(0) { $0 + $1.recorded.units }
    let outside = report.run.injections.filter {
      $0.instant >= day.from && ($0.instant < day.to || day.to == report.run.end)
    }.reduce(0) { $0 + $1.units }
    parts.append(
      outside > 0
        ? "\(RecordLanes.units(total)) U pump + \(RecordLanes.units(outside)) U outside"
        : "\(RecordLanes.units(total)) U")
    // Of the day, what the run lives: figures of six hours are not those of a day.
    let span = day.to - day.from
    if span < .hours(1) {
      parts.append("\(span.roundedToSecond)")
    } else if span != .days(1) || day.end - day.start != .days(1) {
      let decimals = span.hours.rounded() == span.hours ? 0 : 1
      parts.append("\(FixedDecimal.text(span.hours, decimals: decimals)) h")
    }
    // With the offset of the day before, where the clocks changed at its end.
    let before = max(report.run.start, day.from - .seconds(1))
    let (first, last) = (report.offset(before), report.offset(day.to - .seconds(1)))
    if first != last { parts.append("\(first) to \(last)") }
    return parts.joined(separator: ", ")
  }

  var markup: Markup {
    let words = words
    var drawing = Drawing(height: 56, label: "Glucose: \(words)")
    drawing.draw(.band) { path in
      path.rectangle(left: 0, top: glucose.y(180), right: 1, bottom: glucose.y(70))
    }
    var paths: [ChartStyle: SVGPath] = [:]
    // At this size every third reading is the same picture; none that is low or very high is left
    // out.
    for (index, point) in series.points.enumerated()
    where index % 3 == 0 || point.mgdL < 70 || point.mgdL > 250 {
      let style = GlucoseAxis.style(point.mgdL)
      paths[style, default: SVGPath()].dot(at: day.x(point.instant), glucose.y(point.mgdL))
    }
    for style in [ChartStyle.inRange, .high, .veryHigh, .low, .veryLow] {
      if let path = paths[style] { drawing.add(path, style) }
    }
    let chip = finding.map { finding in
      PageParts.chip(finding.severity, "\(finding.severity.sign) \(finding.count)")
    }
    let content: Markup = """
      <span class="hd">\(report.date(day.from, withYear: false))\(chip ?? "")</span>\
      \(drawing.markup)<span class="ft">\(words)</span>
      """
    // A day without a panel leads nowhere.
    return day.index < RunDay.most
      ? "<a class=\"thumb\" href=\"#\(day.id)\">\(content)</a>"
      : "<div class=\"thumb\">\(content)</div>"
  }
}
