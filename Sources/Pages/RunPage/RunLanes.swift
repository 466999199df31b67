internal import Outcomes
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// Draws the lanes of a timeline that show neither glucose nor a single record.
struct RunLanes {
  let glucose: GlucoseLane

  private var report: RunReport { glucose.report }

  /// All lanes of a day, from top to bottom.
  func lanes(_ day: RunDay) -> [RunLane] {
    let records = RecordLanes(report: report, day: day)
    var lanes = [axis(day, isFirst: true), modes(day), glucose.lane(day)]
    lanes.append(insulinOnBoard(day))
    if report.run.hasApp { lanes += [carbsOnBoard(day)].compactMap(\.self) }
    lanes += [records.body, records.pump].compactMap(\.self)
    if report.run.hasApp {
      lanes += [records.app, records.store, DifferenceLane(report: report, day: day).lane]
        .compactMap(\.self)
    }
    lanes.append(axis(day, isFirst: false))
    for index in lanes.indices where !lanes[index].style.contains("axis") {
      addGaps(day, to: &lanes[index].drawing)
    }
    if report.isLong {
      for index in lanes.indices { lanes[index].drawing.leaveOutWords(above: 1) }
    }
    var drawings = lanes.map(\.drawing)
    Drawing.share([.grid, .gridMinor], of: &drawings, id: day.id)
    for index in lanes.indices { lanes[index].drawing = drawings[index] }
    return lanes
  }

  /// Draws the hours of a day as upright lines, and a mark where the clocks change.
  static func addHours(_ day: RunDay, _ report: RunReport, to drawing: inout Drawing) {
    let ticks = day.ticks(report)
    drawing.draw(.gridMinor) { path in
      for tick in ticks where tick.zoom > 1 { path.upright(at: tick.x, from: 0, to: 1) }
    }
    drawing.draw(.grid) { path in
      for tick in ticks where tick.zoom == 1 { path.upright(at: tick.x, from: 0, to: 1) }
    }
    for change in day.clockChanges(report) {
      drawing.box(.clockChange, from: day.x(change.instant), to: 1)
    }
  }

  private func axis(_ day: RunDay, isFirst: Bool) -> RunLane {
    var drawing = Drawing(height: 18, label: "Hours of the day, local time")
    var row = LabelRows(count: 1)
    for tick in day.ticks(report) where tick.zoom == 1 {
      let anchor: Drawing.Anchor = tick.x < 0.01 ? .start : tick.x > 0.99 ? .end : .middle
      if row.place(tick.text, at: tick.x, anchor) != nil {
        drawing.word("\(tick.text)", at: tick.x, 0.6, anchor, .axis)
      }
    }
    for tick in day.ticks(report) where tick.zoom > 1 && tick.x > 0.03 && tick.x < 0.97 {
      drawing.word("\(tick.text)", at: tick.x, 0.6, .middle, .axis, zoom: 2)
    }
    var lane = RunLane(style: isFirst ? "axis first" : "axis", name: "", drawing: drawing)
    lane.unit = isFirst ? "\(report.date(day.from, withYear: false)), local time" : ""
    return lane
  }

  // MARK: - Modes and faults

  private func modes(_ day: RunDay) -> RunLane {
    let faults = report.flags.filter { day.shows($0.start, $0.end) }
    let names = Self.placed(names(of: faults, on: day))
    let lastRow = names.map(\.row).max() ?? 0
    let height = 34 + Self.rowOfNames * lastRow
    func y(_ fraction: Double) -> Double { fraction * 34 / Double(height) }
    var drawing = Drawing(height: height)
    var closed = SVGPath()
    var stopped = SVGPath()
    var words: [String] = []
    for mode in report.modes where day.shows(mode.start, mode.end) {
      let (left, right) = (day.bounded(mode.start), day.bounded(mode.end))
      switch mode.kind {
      // Without its colour each is told by its height and outline: thin, hollow, tall.
      case .closed: closed.rectangle(left: left, top: y(0.2), right: right, bottom: y(0.28))
      case .open, .noGlucose, .alone:
        drawing.box(.openLoop, from: left, to: right, top: y(0.12), bottom: y(0.36))
      case .suspended, .stopped, .off:
        stopped.rectangle(left: left, top: y(0.04), right: right, bottom: y(0.44))
      }
      let span = report.span(max(mode.start, day.from), min(mode.end, day.to))
      words.append("\(mode.kind.words) \(span)")
    }
    drawing.add(closed, .closedLoop)
    drawing.add(stopped, .stopped)
    for change in day.clockChanges(report) {
      words.append(
        "clocks: \(report.offset(change.instant)) from \(report.timeOfDay(change.instant))")
    }
    for (name, row) in names {
      let middle = y(0.74) + Double(row * Self.rowOfNames) / Double(height)
      drawing.word("\(name.text)", at: name.x, middle, name.anchor, name.style)
    }
    if words.count > 12 { words = Array(words.prefix(12)) + ["and more"] }
    drawing.label = "Modes: \(words.joined(separator: ", "))."
    let presets = report.presets(of: day).map { "\($0.name) \(report.span($0.start, $0.end))" }
    for (heading, texts) in [("Presets", presets), ("Faults", faults.map(\.text))]
    where !texts.isEmpty {
      let rest = texts.count > 12 ? ["and \(texts.count - 12) more"] : []
      drawing.label += " \(heading): \((texts.prefix(12) + rest).joined(separator: ", "))."
    }
    let style = lastRow > 0 ? "mode two" : "mode"
    var lane = RunLane(style: style, name: "Mode and faults", drawing: drawing)
    lane.plainName = "Mode"
    if report.hasLegends(day) {
      let shown = report.modes.filter { report.legend(of: day, names: $0.start, $0.end) }
      lane.legend = Self.legend(of: Set(shown.map(\.kind)))
    }
    return lane
  }

  /// What the shapes of the modes mean, where a run has another than its closed loop.
  private static func legend(of kinds: Set<RunMode.Kind>) -> [Markup] {
    let shapes: [(shape: String, kinds: [RunMode.Kind])] = [
      ("thin", [.closed]), ("dashed", [.open, .noGlucose, .alone]),
      ("tall", [.suspended, .stopped, .off]),
    ]
    let shown = shapes.compactMap { shape, members -> Markup? in
      let words = members.filter(kinds.contains).map(\.legendWords)
      return words.isEmpty ? nil : "\(shape): \(words.joined(separator: ", "))"
    }
    return kinds.isSubset(of: [.closed]) ? [] : shown
  }

  /// How high a row of names is, in pixels.
  private static let rowOfNames = 14
  /// How many rows there are at most; those without room are among the words of the chart.
  private static let mostRowsOfNames = 4

  /// A name below the modes.
  private struct ModeName {
    var text: String
    var x: Double
    var anchor: Drawing.Anchor
    var style: ChartStyle
  }

  /// The names of changes of the clocks, of presets and of faults, from left to right.
  private func names(of faults: [RunFlag], on day: RunDay) -> [ModeName] {
    var names = day.clockChanges(report).map { change in
      let x = day.x(change.instant)
      return ModeName(
        text: "clocks: \(report.offset(change.instant))", x: x, anchor: x > 0.85 ? .end : .start,
        style: .muted)
    }
    func name(_ text: String, _ start: Instant, _ end: Instant, _ style: ChartStyle) -> ModeName {
      let x = day.bounded(start)
      let anchor: Drawing.Anchor = x > 0.8 ? .end : .start
      return ModeName(
        text: text.count > 34 ? String(text.prefix(33)) + "…" : text,
        x: anchor == .end ? min(1, day.bounded(end)) : x, anchor: anchor, style: style)
    }
    names += report.presets(of: day).map { name("preset \($0.name)", $0.start, $0.end, .muted) }
    names += faults.map { name($0.text, $0.start, $0.end, $0.isBad ? .badWord : .muted) }
    return names.sorted { ($0.x, $0.text) < ($1.x, $1.text) }
  }

  /// The names that have room, each with its row.
  private static func placed(_ names: [ModeName]) -> [(name: ModeName, row: Int)] {
    var rows = LabelRows(count: mostRowsOfNames)
    return names.compactMap { name in
      rows.place(name.text, at: name.x, name.anchor).map { (name, $0) }
    }
  }

  /// The stretches without a sensor's reading run through all lanes.
  private func addGaps(_ day: RunDay, to drawing: inout Drawing) {
    for mode in report.modes where mode.kind == .noGlucose && day.shows(mode.start, mode.end) {
      drawing.box(.gap, from: day.x(mode.start), to: day.x(mode.end))
    }
  }

  // MARK: - On board

  private func insulinOnBoard(_ day: RunDay) -> RunLane {
    let all = report.onBoard.compactMap(\.self)
    let other = report.withoutExternal.filter { day.shows($0.instant) }
    let low = min(0, all.min() ?? 0, other.map(\.units).min() ?? 0)
    // Above the peak there is room for its word.
    let high = max(1, all.max() ?? 1) * 1.35
    func y(_ units: Double) -> Double { (high - units) / (high - low) }
    var drawing = Drawing(height: 66)
    Self.addHours(day, report, to: &drawing)
    let pieces = pieces(of: report.onBoard, on: day)
    let points = pieces.joined().map { (x: $0.x, y: y($0.value), value: $0.value) }
    let lines = pieces.map { piece in
      Simplification.thinned(
        piece.map { (x: $0.x, y: y($0.value)) }, tolerance: report.isLong ? 0.012 : 0.005)
    }
    drawing.draw(.iobArea) { path in for line in lines { path.area(line, downTo: y(0)) } }
    drawing.draw(.iob) { path in for line in lines { path.polyline(line) } }
    var free = FreePlace(height: drawing.height)
    for line in lines { free.take(line) }
    if !other.isEmpty {
      let units = Dictionary(other.map { ($0.instant, $0.units) }) { $1 }
      let known = report.run.trace.rows.map { units[$0.instant] }
      drawing.draw(.iobOther) { path in
        for piece in self.pieces(of: known, on: day) {
          let line = Simplification.thinned(
            piece.map { (x: $0.x, y: y($0.value)) }, tolerance: report.isLong ? 0.012 : 0.005)
          path.polyline(line)
          free.take(line)
        }
      }
    }
    drawing.label = "Insulin on board: none computed."
    if let peak = points.max(by: { $0.value < $1.value }) {
      let words = "peak \(RecordLanes.units(peak.value)) U"
      drawing.label =
        report.run.hasApp
        ? "Insulin on board that the app believes in: \(words)."
        : "Insulin on board by what entered the body: \(words)."
      let anchor: Drawing.Anchor = peak.x < 0.06 ? .start : peak.x > 0.94 ? .end : .middle
      let middle = max(0.1, peak.y - 0.15)
      drawing.word("\(words)", at: peak.x, middle, anchor, .bold)
      free.take(words, at: peak.x, middle, anchor)
    }
    if let first = other.first {
      let words = "dashed: without doses from outside"
      let x = max(0, day.x(first.instant))
      let place = free.place(for: words, near: x, heights: [0.1, 0.5, 0.8])
      drawing.word("\(words)", at: place?.x ?? min(0.7, x), place?.y ?? 0.1, .start, .muted)
    }
    let unit: Markup =
      report.run.hasApp ? "units, as the app counts" : "units, by what entered the body"
    var lane = RunLane(name: "Insulin on board", unit: unit, drawing: drawing)
    lane.plainName = "Insulin on board, U"
    let top = Self.roundTick(upTo: high * 0.9)
    // The upper tick of the next lane stands not far below its border.
    lane.ticks = [(min(y(0), 0.93), "0"), (y(top), "\(RecordLanes.short(top))")]
    return lane
  }

  private func carbsOnBoard(_ day: RunDay) -> RunLane? {
    let rows = report.run.trace.rows
    let entered = rows.filter { $0.carbsEntered.grams > 0 }
    let eaten = rows.filter { $0.carbsEaten.grams > 0 }
    guard !entered.isEmpty || !eaten.isEmpty else { return nil }
    let most = rows.compactMap(\.carbsOnBoard).max() ?? 0
    let high = max(10, most, entered.map(\.carbsEntered.grams).max() ?? 0) * 1.3
    func y(_ grams: Double) -> Double { (high - grams) / high }
    var drawing = Drawing(height: 54)
    Self.addHours(day, report, to: &drawing)
    let lines = pieces(of: rows.map(\.carbsOnBoard), on: day).map { piece in
      Simplification.thinned(
        piece.map { (x: $0.x, y: y($0.value)) }, tolerance: report.isLong ? 0.012 : 0.006)
    }
    drawing.draw(.cobArea) { path in for line in lines { path.area(line, downTo: 1) } }
    drawing.draw(.cob) { path in for line in lines { path.polyline(line) } }
    var labels = LabelRows(count: 1)
    var dots = SVGPath()
    let shown = entered.filter { day.has($0.instant, of: report) }
    for row in shown {
      let x = day.x(row.instant)
      let place = y(row.carbsOnBoard ?? row.carbsEntered.grams)
      dots.dot(at: x, place)
      let text = "\(RecordLanes.short(row.carbsEntered.grams)) g"
      let anchor: Drawing.Anchor = x < 0.06 ? .start : .end
      let from = x + (anchor == .start ? 0.008 : -0.008)
      if labels.place(text, at: from, anchor) != nil {
        drawing.word("\(text)", at: from, max(0.14, place), anchor, .cobWord)
      }
    }
    drawing.add(dots, .cobEntry)
    let total = shown.reduce(0) { $0 + $1.carbsEntered.grams }
    let mouth = eaten.filter { day.has($0.instant, of: report) }
      .reduce(0) { $0 + $1.carbsEaten.grams }
    // How many entries they were no row says: two of one moment stand in one.
    drawing.label = """
      Carbs: \(RecordLanes.short(total)) g were entered; \
      \(RecordLanes.short(mouth)) g were eaten.
      """
    var lane = RunLane(name: "Carbs on board", unit: "grams", drawing: drawing)
    lane.plainName = "Carbs on board, g"
    let top = Self.roundTick(upTo: high * 0.9)
    lane.ticks = [(y(0) - 0.05, "0"), (y(top), "\(RecordLanes.short(top))")]
    return lane
  }

  /// The longest time without a value over which a curve goes on, as that of a cycle that waited.
  private static let longestBridge = TimeSpan.minutes(15)

  /// The values of the rows of a day, in pieces: a curve over hours in which nobody knew a value
  /// would state one.
  private func pieces(
    of values: [Double?], on day: RunDay
  ) -> [[(x: Double, value: Double)]] {
    var pieces: [[(x: Double, value: Double)]] = []
    var last: Instant?
    var lacks = false
    for (row, value) in zip(report.run.trace.rows, values) where day.shows(row.instant) {
      guard let value else {
        lacks = true
        continue
      }
      let goesOn = last.map { !lacks || row.instant - $0 <= Self.longestBridge } ?? false
      if !goesOn { pieces.append([]) }
      pieces[pieces.count - 1].append((day.x(row.instant), value))
      (last, lacks) = (row.instant, false)
    }
    return pieces
  }

  /// What the upper tick of an axis says: the largest round number up to a value of at least 0.1.
  static func roundTick(upTo most: Double) -> Double {
    var power = 0.1
    while power * 10 <= most { power *= 10 }
    let rounds = [1, 1.5, 2, 3, 4, 5, 6, 8]
    // A rate that is itself round must not fall short of it by an error of arithmetic.
    return (rounds.last { power * $0 <= most * (1 + 1e-9) } ?? 1) * power
  }
}
