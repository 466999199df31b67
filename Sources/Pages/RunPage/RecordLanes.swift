internal import ClosedLoop
internal import Devices
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// Draws what the body, the pump, the app and the health store each tell of the insulin of a day.
struct RecordLanes {
  let report: RunReport
  let day: RunDay

  private var run: RunResult { report.run }

  /// An amount of insulin in U, the same for sums that differ in what no pump can give.
  ///
  /// Unless told how many decimals there are two, or the three that pulses of 0.025 U take.
  static func units(_ value: Double, decimals: Int? = nil) -> String {
    // What is no amount of thousandths is rounded once, as everywhere: 0.0648 is 0.06.
    let amount = isOfThousandths(value) ? value.wholeMilliunits : value
    return FixedDecimal.text(amount, decimals: decimals ?? self.decimals(of: value))
      .replacing("-", with: "−")
  }

  private static func isOfThousandths(_ value: Double) -> Bool {
    (value * 1_000 - (value * 1_000).rounded()).magnitude < 1e-6
  }

  /// How many decimals a value takes: three where it is one of thousandths, which two would round.
  private static func decimals(of value: Double) -> Int {
    let thousandths = (value * 1_000).rounded()
    return isOfThousandths(value) && thousandths.truncatingRemainder(dividingBy: 10) != 0 ? 3 : 2
  }

  /// A number in a box: as few decimals as say it.
  static func short(_ value: Double) -> String {
    var text = FixedDecimal.text(value, decimals: decimals(of: value))
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// Faint bands of differences that matter, behind what the records say.
  func addBands(to drawing: inout Drawing) {
    for difference in report.differences
    where day.shows(difference.start, difference.end) && !report.isWhole(difference) {
      let style: ChartStyle? =
        difference.severity == .fault ? .badBand : difference.severity == .check ? .warnBand : nil
      guard let style else { continue }
      let left = day.x(difference.start)
      drawing.box(style, from: left, to: max(day.x(difference.end), left + 0.003))
    }
  }

  /// Whether the pump gave a pulse in the part of the day that the run lives: of two days the first
  /// has one at midnight.
  private func hasPulse(_ pulse: PumpPulseRecord) -> Bool {
    run.counts(pulse) && pulse.instant <= day.to
      && (pulse.instant > day.from || day.from == run.start)
  }

  // MARK: - Body

  /// What was eaten and not told the app at once in the same amount; without an app all food.
  private var untoldFood: [TraceRow] {
    run.trace.rows.filter {
      day.has($0.instant, of: report) && $0.carbsEaten.grams > 0
        && (!run.hasApp || $0.carbsEaten.grams != $0.carbsEntered.grams)
    }
  }

  /// What reached the body otherwise than pump and app know; `nil` where nothing did.
  var body: RunLane? {
    let lost = run.pulses.filter {
      hasPulse($0) && ($0.physicalUnits - $0.recorded.units).magnitude > 0.0005
    }
    let injections = run.injections.filter { day.has($0.instant, of: report) }
    let food = untoldFood
    guard !lost.isEmpty || !injections.isEmpty || !food.isEmpty else { return nil }
    var drawing = Drawing(height: 40)
    RunLanes.addHours(day, report, to: &drawing)
    drawing.draw(.pulseLost) { path in
      for pulse in lost { path.upright(at: day.x(pulse.instant), from: 0.55, to: 0.92) }
    }
    // What came at one moment is one word, so that none of it waits for a zoom. Where no pulses
    // stand there is a second row.
    var words: [Instant: [String]] = [:]
    var meals = words
    for injection in injections {
      words[injection.instant, default: []].append(
        "◆ \(Self.units(injection.units)) \(injection.name)")
    }
    for row in food {
      let text = "● \(Self.short(row.carbsEaten.grams)) g eaten"
      if lost.isEmpty {
        meals[row.instant, default: []].append(text)
      } else {
        words[row.instant, default: []].append(text)
      }
    }
    let all = [words, meals].joined().map { instant, parts in
      let text = parts.joined(separator: " ")
      return DoseWord(text: "\(text)", plain: text, x: day.x(instant))
    }
    let wordless =
      lost.isEmpty
      ? DoseWords(all, y: 0.3, 0.75, style: .bold, shift: 0).draw(in: &drawing)
      : DoseWords(all, y: 0.3, style: .bold, shift: 0).draw(in: &drawing)
    // Where there is no room for its words a dose came all the same: below the first row.
    drawing.draw(.dot) { path in for word in wordless { path.dot(at: word.x, 0.52) } }
    let missing = lost.reduce(0) { $0 + $1.recorded.units - $1.physicalUnits }
    drawing.label = """
      Body: \(WordList.counted(injections.count, "injection")); \
      \(WordList.counted(lost.count, "pulse")) reached it otherwise than counted, \
      \(Self.units(missing.magnitude)) U \(missing < 0 ? "more" : "less") in all.
      """
    if !food.isEmpty {
      let grams = food.reduce(0) { $0 + $1.carbsEaten.grams }
      drawing.label += """
         \(Self.short(grams)) g were eaten\
        \(run.hasApp ? ", not as the app was told" : "").
        """
    }
    var lane = RunLane(record: "y", name: "Reached the body", drawing: drawing)
    lane.plainName = "Body"
    let eaten = run.hasApp ? "food, not as the app was told" : "food"
    let areLost = lost.allSatisfy { $0.physicalUnits < $0.recorded.units }
    let shown = [
      injections.isEmpty ? nil : "injections", food.isEmpty ? nil : eaten,
      lost.isEmpty ? nil : "\(areLost ? "lost pulses" : "pulses not as counted") in red",
    ]
    lane.unit = "\(shown.compactMap(\.self).joined(separator: ", "))"
    return lane
  }

  // MARK: - Pump

  var pump: RunLane {
    var drawing = Drawing(height: 124)
    addBands(to: &drawing)
    RunLanes.addHours(day, report, to: &drawing)
    let programs = DoseTable.stretches(of: run)
    let stretches = programs.filter { day.shows($0.start, $0.end) }
    let schedule = run.scheduledBasal.segments(from: day.from, to: day.to)
    let fastest =
      stretches.filter { $0.kind != .suspended && $0.kind != .stopped }
      .map(\.rate.unitsPerHour).max() ?? 0
    let most = max(0.1, fastest, schedule.map(\.value.unitsPerHour).max() ?? 0)
    let high = most * 1.08
    func y(_ rate: Double) -> Double { 0.8 - rate / high * 0.5 }
    var scheduled: [(left: Double, right: Double, top: Double)] = []
    var temp = scheduled
    var outline: [(x: Double, y: Double)] = []
    for stretch in stretches {
      let (left, right) = (day.bounded(stretch.start), day.bounded(stretch.end))
      let isStopped = stretch.kind == .suspended || stretch.kind == .stopped
      let top = y(isStopped ? 0 : stretch.rate.unitsPerHour)
      if isStopped {
        drawing.box(.suspended, from: left, to: right, top: 0.3, bottom: 0.8)
      } else if stretch.kind == .scheduled {
        scheduled.append((left, right, top))
      } else {
        temp.append((left, right, top))
      }
      outline += [(left, top), (right, top)]
    }
    drawing.draw(.scheduledArea) { $0.columns(scheduled, ground: 0.8) }
    drawing.draw(.tempArea) { $0.columns(temp, ground: 0.8) }
    drawing.draw(.rate) { $0.polyline(outline) }
    drawing.draw(.schedule) { path in
      path.polyline(
        schedule.flatMap { piece in
          [piece.start, piece.end].map { (x: day.bounded($0), y: y(piece.value.unitsPerHour)) }
        })
    }
    addPulses(to: &drawing)
    addBoluses(to: &drawing)
    let given = run.pulses(
      of: [.basal, .userBolus, .automaticBolus], after: day.from, through: day.to)
    let total = given.reduce(0) { $0 + $1.recorded.units }
    let pulses = WordList.counted(given.count(of: run.pulseSize), "pulse")
    drawing.label = """
      Pump: \(Self.units(total)) U in \(pulses); \
      \(WordList.counted(stretches.count, "basal program")), \
      highest rate \(Self.short(fastest)) U/h.
      """
    let vain = report.bolusesInVain.filter { day.has($0.instant, of: report) }
    if !vain.isEmpty {
      let units = vain.reduce(0) { $0 + $1.asked.units }
      drawing.label += """
         \(WordList.counted(vain.count, "bolus")) asked for and never begun, \
        \(Self.units(units)) U.
        """
    }
    var lane = RunLane(record: "p", name: "Pump delivered", drawing: drawing)
    lane.plainName = "Pump, U/h"
    lane.unit = "\(Self.units(total)) U, rates in U/h"
    lane.legend = pumpLegend(programs)
    // There is room for the boluses above the highest rate, and so for its number.
    let top = RunLanes.roundTick(upTo: most)
    lane.ticks = [(y(0), "0"), (y(top), "\(Self.short(top))")]
    return lane
  }

  private func addPulses(to drawing: inout Drawing) {
    let basal = run.pulses(of: [.basal], after: day.from, through: day.to)
    if report.isLong {
      drawing.draw(.pulses) { path in Self.addBars(basal.map { day.x($0.instant) }, to: &path) }
    } else {
      drawing.draw(.pulse) { path in
        for pulse in basal { path.upright(at: day.x(pulse.instant), from: 0.86, to: 0.97) }
      }
    }
    let wild = run.pulses.filter { $0.channel == .unrequested && hasPulse($0) }
    drawing.draw(.pulseLost) { path in
      for pulse in wild { path.upright(at: day.x(pulse.instant), from: 0.84, to: 0.99) }
    }
  }

  /// Pulses as lines, and as one bar where they are nearer to one another than a pixel or so.
  private static func addBars(_ places: [Double], to path: inout SVGPath) {
    var bar: (first: Double, last: Double)?
    func close() {
      guard let bar else { return }
      if bar.last - bar.first < 0.0005 {
        path.upright(at: bar.first, from: 0.86, to: 0.97)
      } else {
        path.rectangle(left: bar.first, top: 0.86, right: bar.last, bottom: 0.97)
      }
    }
    for place in places.sorted() {
      if let current = bar, place - current.last <= 0.0018 {
        bar = (current.first, place)
      } else {
        close()
        bar = (place, place)
      }
    }
    close()
  }

  private func addBoluses(to drawing: inout Drawing) {
    let boluses = run.boluses.filter { day.has($0.start, of: report) }
    let vain = report.bolusesInVain.filter { day.has($0.instant, of: report) }
    let most = max(0.5, (boluses.map(\.asked.units) + vain.map(\.asked.units)).max() ?? 0)
    func top(_ units: Double) -> Double { 0.24 - max(0.02, units / most * 0.2) }
    var solid = SVGPath()
    var whole = SVGPath()
    var hollow = SVGPath()
    var words: [DoseWord] = []
    for bolus in boluses {
      let x = day.x(bolus.start)
      if bolus.delivered < bolus.asked {
        whole.upright(at: x, from: 0.24, to: top(bolus.asked.units))
        hollow.upright(at: x, from: 0.232, to: top(bolus.asked.units) + 0.008)
      }
      if bolus.delivered > .zero {
        solid.upright(at: x, from: 0.24, to: top(bolus.delivered.units))
      }
      let text =
        bolus.delivered < bolus.asked
        ? "\(Self.units(bolus.delivered.units)) of \(Self.units(bolus.asked.units))"
        : Self.units(bolus.delivered.units)
      words.append(DoseWord(text: "\(text)", plain: text, x: x))
    }
    for bolus in vain {
      let x = day.x(bolus.instant)
      whole.upright(at: x, from: 0.24, to: top(bolus.asked.units))
      hollow.upright(at: x, from: 0.232, to: top(bolus.asked.units) + 0.008)
      let text = "0 of \(Self.units(bolus.asked.units))"
      words.append(DoseWord(text: "\(text)", plain: text, x: x, isBefore: true))
    }
    drawing.add(whole, .bolus)
    drawing.add(hollow, .bolusHollow)
    drawing.add(solid, .bolus)
    // Words stand between 13 and 25 of the 124 pixels; smaller bars end below them.
    let tall =
      (boluses.map { ($0.start, $0.asked.units) } + vain.map { ($0.instant, $0.asked.units) })
      .filter { top($0.1) < 0.2 }.map { day.x($0.0) }
    DoseWords(words, y: 0.15, style: .pumpWord, bars: tall).draw(in: &drawing)
  }

  // MARK: - App

  var app: RunLane {
    var drawing = Drawing(height: 80)
    addBands(to: &drawing)
    RunLanes.addHours(day, report, to: &drawing)
    drawing.draw(.noEvent) {
      $0.level(at: 0.27, from: day.bounded(day.from), to: day.bounded(day.to))
    }
    var boxes: [(left: Double, right: Double)] = []
    let programs = appPrograms
    for program in programs {
      let (left, right) = (day.bounded(program.start), day.bounded(program.end))
      if program.isSuspension {
        drawing.box(.suspended, from: left, to: right, top: 0.1, bottom: 0.44)
      } else {
        boxes.append((left, right))
      }
      let text = program.isSuspension ? "off" : Self.short(program.rate)
      if let zoom = LabelRows.zoom(for: text, within: right - left) {
        drawing.word("\(text)", at: (left + right) / 2, 0.27, .middle, .segment, zoom: zoom)
      }
    }
    drawing.draw(.event) { $0.boxes(boxes, top: 0.1, bottom: 0.44) }
    let hasDots = addRecordedBoluses(to: &drawing)
    drawing.label = """
      App, event history: \(programs.count) temp basals and suspensions, \
      \(WordList.counted(recordedBoluses.count, "bolus")), \
      \(WordList.counted(deletedEvents.count, "entry")) deleted. Scheduled basal is no \
      event.
      """
    let rows = Set(drawing.words.map(\.y).filter { $0 > 0.5 }).count
    var lane = RunLane(
      style: rows > 1 ? "two" : "", record: "l", name: "App recorded", unit: "event history",
      drawing: drawing)
    lane.plainName = "App"
    lane.legend = appLegend(
      hasDots: namesDots(hasDots) { $0.addRecordedBoluses(to: &$1) })
    return lane
  }

  private var recordedBoluses: [EventHistoryRecord] {
    run.eventHistory.filter { $0.kind == .bolus && day.has($0.instant, of: report) }
  }

  private var deletedEvents: [RunObservation.DeletedEvent] {
    report.observation.deletedEvents.filter { day.has($0.record.instant, of: report) }
  }

  /// The boluses of the event history with their amounts, and what was deleted there.
  ///
  /// - Returns: Whether any bolus stands there without its amount.
  private func addRecordedBoluses(to drawing: inout Drawing) -> Bool {
    let boluses = recordedBoluses.map { event in
      let text = Self.units((event.delivered ?? event.programmed ?? .zero).units)
      return DoseWord(text: "▼ \(text)", plain: "M \(text)", x: day.x(event.instant))
    }
    let deleted = deletedEvents.map { event in
      let text = event.bolus.map { Self.units($0.units) } ?? event.record.kind.rawValue
      return DoseWord(
        text: "▽ \(text)", plain: "M \(text)", x: day.x(event.record.instant), style: .struck)
    }
    // Together, so that none covers another.
    let wordless = DoseWords(
      boluses + deleted, y: 0.76, 0.57, style: .loopWord, shift: -0.004
    ).draw(in: &drawing)
    // Where there is no room for its amount a bolus is recorded all the same: above the words, none
    // of which it strikes through. What was deleted has its sign below them.
    let dots = wordless.filter { $0.style == nil }
    drawing.draw(.bolusRecorded) { path in for word in dots { path.dot(at: word.x, 0.475) } }
    for word in wordless where word.style != nil {
      drawing.word("▽", at: word.x, 0.92, .middle, .muted)
    }
    return !dots.isEmpty
  }

  /// A temp basal or a suspension as the event history has it, cut where the next one begins.
  struct AppProgram {
    var start: Instant
    var end: Instant
    var rate: Double
    var isSuspension: Bool
  }

  var appPrograms: [AppProgram] {
    let events = run.eventHistory.filter {
      $0.kind == .tempBasal || $0.kind == .suspend || $0.kind == .resume
    }
    var result: [AppProgram] = []
    for (index, event) in events.enumerated() where event.kind != .resume {
      let next = events[(index + 1)...].first { $0.instant > event.instant }?.instant ?? run.end
      let isSuspension = event.kind == .suspend
      let end = isSuspension ? next : min(max(event.end, event.instant), next)
      guard end > event.instant, day.shows(event.instant, end) else { continue }
      result.append(
        AppProgram(
          start: event.instant, end: end, rate: event.rate?.unitsPerHour ?? 0,
          isSuspension: isSuspension))
    }
    return result
  }
}
