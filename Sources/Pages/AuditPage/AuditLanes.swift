internal import Quantities
internal import Records
internal import StructuredText
internal import Typesetting

/// The lanes of one day of an audited record: glucose, insulin on board, a lane for each source,
/// and the findings.
struct AuditLanes {
  let audit: Audit
  let day: AuditDay
  /// Whether what the audit found is drawn; otherwise the lanes show what is there and no more.
  var showsFindings = true

  private static let glucoseHeight = 112
  /// How high the row of amounts of carbohydrate is.
  private static let foodHeight = 20
  /// How many findings of a day are drawn; those after them are counted.
  private static let mostFindings = 8

  /// A place in the day, as a fraction of its length.
  private func x(_ instant: Instant) -> Double {
    min(1, max(0, (instant - day.start).seconds / (day.end - day.start).seconds))
  }

  private func touches(_ start: Instant, _ end: Instant) -> Bool {
    day.share(from: start, to: end) > 0
  }

  func share(of mark: Audit.Mark) -> Double { day.share(from: mark.start, to: mark.end) }

  /// Where a source's basal is missing on this day.
  func gaps(of source: String) -> [AuditFinding.Occurrence] {
    audit.missingBasal.filter { gap in
      gap.source == source && gap.place.start < day.end && gap.place.end > day.start
    }.map(\.place)
  }

  /// The sources that have a lane, by their places in the audit.
  var sources: [Int] {
    audit.sources.indices.filter { index in
      audit.marks.contains { $0.source == index && !$0.isFood && share(of: $0) > 0 }
        || !gaps(of: audit.sources[index].name).isEmpty
    }
  }

  private var lanes: [RunLane] {
    [axis, glucose] + (showsFindings ? [onBoard] : []) + sources.map(source)
      + (showsFindings ? [findings] : [])
  }

  /// The day as a figure in a file.
  var figure: PageFigure {
    PageFigure(
      "day-\(day.date).svg", SVGFigure(title: "\(day.date)", rows: lanes.map(\.row)))
  }

  /// The lanes with the cursor, and with what it reads in the first of a page.
  func markup(_ controls: TimelinePanel.Controls? = nil) -> Markup {
    TimelinePanel(lanes: lanes, name: "Lanes of \(day.date)", controls: controls).markup
  }

  /// Every third hour of the day by the clock on the wall, from midnight.
  private var hours: [Instant] {
    var hours: [Instant] = []
    var time = day.start
    while time < day.end {
      let shown = audit.clock.timeOfDay(at: time).sinceMidnight
      if shown.milliseconds % TimeSpan.hours(3).milliseconds == 0 { hours.append(time) }
      time = time + .minutes(30)
    }
    return hours
  }

  /// Draws the hours as upright lines, and a mark where the clocks change.
  private func addHours(to drawing: inout Drawing) {
    drawing.draw(.grid) { path in
      for time in hours + [day.end] { path.upright(at: x(time), from: 0, to: 1) }
    }
    for change in audit.clock.transitions
    where change.instant > day.start && change.instant < day.end {
      drawing.box(.clockChange, from: x(change.instant), to: 1)
    }
  }

  private var axis: RunLane {
    var drawing = Drawing(height: 22, label: "Hours of the day, \(audit.zone)")
    var row = LabelRows(count: 1)
    for time in hours {
      let text = audit.time(time)
      if row.place(text, at: x(time), .start) != nil {
        drawing.word("\(text)", at: x(time), 0.5, .start, .axis)
      }
    }
    if row.place("24:00", at: 1, .end) != nil { drawing.word("24:00", at: 1, 0.5, .end, .axis) }
    return RunLane(style: "axis", name: "", unit: "\(audit.zone)", drawing: drawing)
  }

  private var glucose: RunLane {
    let own = audit.readings.filter { day.start <= $0.instant && $0.instant < day.end }
    let food = audit.marks.filter { $0.isFood && day.start <= $0.start && $0.start < day.end }
    let values = own.map(\.mgdL)
    let words = GlucoseWords(audit.glucoseUnit)
    let label =
      values.isEmpty
      ? "Glucose: no reading."
      : "Glucose from \(words.text(values.min() ?? 0)) to \(words.text(values.max() ?? 0)) "
        + "\(audit.glucoseUnit.rawValue), \(WordList.counted(values.count, "reading"))."
    // Amounts of carbohydrate stand below the axis, where no reading is.
    let height = Self.glucoseHeight + (food.isEmpty ? 0 : Self.foodHeight)
    var drawing = Drawing(height: height, label: label)
    let axis = GlucoseAxis(of: values, upTo: Double(Self.glucoseHeight) / Double(height))
    func y(_ mgdL: Double) -> Double { axis.y(mgdL) }
    drawing.draw(.band) { $0.rectangle(left: 0, top: y(180), right: 1, bottom: y(70)) }
    addHours(to: &drawing)
    drawing.addReadings(own.map { (x: x($0.instant), mgdL: $0.mgdL) }, on: axis)
    let entries = food.map { entry in
      let text = "\(AuditText.number(entry.amount)) g"
      return DoseWord(text: "\(text)", plain: text, x: x(entry.start))
    }
    let middle = 1 - 7 / Double(height)
    let wordless = DoseWords(entries, y: middle, style: .muted, shift: 0).draw(in: &drawing)
    // Where there is no room for its amount an entry is there all the same.
    let above = 1 - 17 / Double(height)
    drawing.draw(.cobEntry) { path in for word in wordless { path.dot(at: word.x, above) } }
    drawing.leaveOutWords(above: 1)
    var lane = RunLane(name: "Glucose", unit: words.unitName, drawing: drawing)
    lane.plainName = "Glucose, \(audit.glucoseUnit.rawValue)"
    lane.legend = food.isEmpty ? [] : ["carbs in g below"]
    lane.ticks = axis.ticks(height: height).map { (y($0), words.value($0)) }
    return lane
  }

  /// The insulin on board of the day.
  private var points: [AuditInsulinOnBoard.Point] {
    audit.insulinOnBoard.points.filter { day.start <= $0.instant && $0.instant <= day.end }
  }

  /// The moment of the day at which insulin on board differs the most by what is there twice; `nil`
  /// where the two are the same as far as they are written.
  var worst: AuditInsulinOnBoard.Point? {
    let worst = points.max {
      ($0.all - $0.reconciled).magnitude < ($1.all - $1.reconciled).magnitude
    }
    return worst.flatMap { ($0.all - $0.reconciled).magnitude > 5e-4 ? $0 : nil }
  }

  private var onBoard: RunLane {
    let (own, worst) = (points, self.worst)
    let values = own.flatMap { [$0.all, $0.reconciled] }
    let (low, high) = (min(0, values.min() ?? 0), max(1, values.max() ?? 1))
    func y(_ units: Double) -> Double { 0.06 + 0.88 * (high - units) / max(high - low, 1e-9) }
    let gap = worst.map { $0.all - $0.reconciled } ?? 0
    let label =
      worst != nil
      ? "Insulin on board differs by up to \(AuditText.units(gap))."
      : "Insulin on board is the same with and without duplicates."
    var drawing = Drawing(height: 104, label: label)
    addHours(to: &drawing)
    let all = own.map { (x: x($0.instant), y: y($0.all)) }
    let reconciled = own.map { (x: x($0.instant), y: y($0.reconciled)) }
    drawing.draw(.level) { $0.level(at: y(0), from: 0, to: 1) }
    drawing.draw(.margin) { $0.polyline(all) }
    drawing.draw(.iob) { $0.polyline(reconciled) }
    if let worst {
      let words =
        "\(gap > 0 ? "+" : "−")\(AuditText.units(gap.magnitude)) at \(audit.time(worst.instant))"
      var free = FreePlace(height: drawing.height)
      free.take(all)
      free.take(reconciled)
      let place = free.place(for: words, near: x(worst.instant) + 0.01, heights: [0.1, 0.3, 0.5])
      let (left, middle) = place ?? (min(0.8, x(worst.instant)), 0.1)
      drawing.word("\(words)", at: left, middle, .start, .badWord)
    }
    var lane = RunLane(
      name: "Insulin on board", unit: "U: all dashed red, reconciled blue", drawing: drawing)
    lane.plainName = "Insulin on board, U"
    let top = RunLanes.roundTick(upTo: high)
    lane.ticks = [(y(top), "\(RecordLanes.short(top))"), (y(0), "0")]
    return lane
  }

  private func source(_ index: Int) -> RunLane {
    assert(audit.sources.indices.contains(index), "The audit has the source.")
    let own = audit.marks.filter { $0.source == index && !$0.isFood && share(of: $0) > 0 }
    // A sample that crosses midnight counts on each day with the part that lies in it.
    let units = own.reduce(0.0) { $0 + $1.amount * share(of: $1) }
    var drawing = Drawing(
      height: 70,
      label: "\(audit.sources[index].name): \(WordList.counted(own.count, "sample")), "
        + AuditText.units(units)
        + gaps(of: audit.sources[index].name).map {
          ", no basal from \(audit.time(max($0.start, day.start))) to "
            + ($0.end < day.end ? audit.time($0.end) : "24:00")
        }.joined() + ".")
    addHours(to: &drawing)
    let largest = max(1, own.filter { !$0.isBasal }.map(\.amount).max() ?? 1)
    drawing.draw(.sample) { path in
      for mark in own where mark.isBasal {
        path.rectangle(left: x(mark.start), top: 0.62, right: x(mark.end), bottom: 0.96)
      }
    }
    drawing.draw(.bolus) { path in
      for mark in own where !mark.isBasal {
        path.upright(at: x(mark.start), from: 0.56 - 0.4 * mark.amount / largest, to: 0.56)
      }
    }
    for mark in own {
      if mark.isBasal, x(mark.end) - x(mark.start) > 0.04 {
        drawing.word(
          "\(AuditText.number(mark.amount * share(of: mark)))",
          at: (x(mark.start) + x(mark.end)) / 2, 0.79, .middle, .segment)
      }
    }
    let boluses = own.filter { !$0.isBasal && $0.amount >= 0.5 }.map { mark in
      let text = AuditText.number(mark.amount)
      return DoseWord(text: "\(text)", plain: text, x: x(mark.start))
    }
    DoseWords(boluses, y: 0.14, style: .bold, shift: 0.006).draw(in: &drawing)
    drawing.leaveOutWords(above: 1)
    let name = audit.sources[index].name
    for place in gaps(of: name) {
      let (left, right) = (x(place.start), x(place.end))
      drawing.box(.missing, from: left, to: right, top: 0.62, bottom: 0.96)
      let length = min(place.end, day.end) - max(place.start, day.start)
      if right - left > 0.08 {
        drawing.word("none: \(length.description)", at: (left + right) / 2, 0.79, .middle, .badWord)
      } else {
        drawing.word("?", at: (left + right) / 2, 0.79, .middle, .badWord)
      }
    }
    let role = audit.sources[index].role.rawValue
    var lane = RunLane(
      record: "h", name: "\(name)", unit: "\(AuditText.units(units)), \(role)", drawing: drawing)
    lane.plainName = "\(name), \(AuditText.units(units))"
    return lane
  }

  private var findings: RunLane {
    let own = audit.findings.enumerated().filter { _, finding in
      finding.severity != .note
        && finding.occurrences.contains { touches($0.start, $0.end) }
    }
    let drawn = own.prefix(Self.mostFindings)
    let more = own.count - drawn.count
    let rows = max(1, drawn.count + (more > 0 ? 1 : 0))
    var drawing = Drawing(
      height: 12 + 24 * rows, label: "\(WordList.counted(own.count, "finding")) on this day.")
    if own.isEmpty {
      let hasNotes = audit.findings.contains { finding in
        finding.occurrences.contains { touches($0.start, $0.end) }
      }
      let text = hasNotes ? "only notes on this day, listed below" : "none on this day"
      drawing.label = "Findings: \(text)."
      drawing.word("\(text)", at: 0.01, 0.5, .start, .muted)
    }
    func y(_ row: Int) -> Double { (6 + 24 * (Double(row) + 0.5)) / Double(12 + 24 * rows) }
    if more > 0 { drawing.word("and \(more) more, listed below", at: 0.01, y(drawn.count), .start) }
    for (row, entry) in drawn.enumerated() {
      let (index, finding) = (entry.offset, entry.element)
      let y = y(row)
      let severity = AuditPage.severity(finding.severity)
      let bar: ChartStyle =
        severity == .fault ? .badBar : severity == .check ? .warnBar : .okBar
      let places = finding.occurrences.filter { touches($0.start, $0.end) }
      drawing.draw(bar) { path in
        for place in places {
          path.level(at: y, from: x(place.start), to: max(x(place.end), x(place.start) + 0.002))
        }
      }
      let badge: ChartStyle =
        severity == .fault ? .badgeBad : severity == .check ? .badgeWarn : .badgeOk
      if let first = places.first {
        drawing.word(
          "\(index + 1)", at: max(0.01, x(first.start)), y, .middle, badge,
          link: "#f\(index + 1)", label: finding.title)
      }
    }
    var lane = RunLane(name: "Findings", unit: "numbers as listed", drawing: drawing)
    lane.plainName = "Findings"
    return lane
  }
}
