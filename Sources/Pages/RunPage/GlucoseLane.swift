internal import ClosedLoop
internal import Outcomes
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// Draws glucose: what the sensor said, the truth, the ranges, and what was predicted.
struct GlucoseLane {
  let report: RunReport
  let axis: GlucoseAxis

  private static let height = 204
  /// How far beside a reading its number may begin, as a fraction of the width.
  private static let farthestAside = 0.08
  /// The part of a prediction that is drawn.
  private static let predicted = TimeSpan.minutes(150)

  init(_ report: RunReport) {
    self.report = report
    let own = report.run.trace.rows.lazy.flatMap {
      [$0.trueGlucose.mgdL, $0.reading?.mgdL ?? $0.trueGlucose.mgdL]
    }
    axis = GlucoseAxis(of: own + report.run.glucoseOfOthers.map(\.shown.mgdL))
  }

  func y(_ mgdL: Double) -> Double { axis.y(mgdL) }

  func lane(_ day: RunDay) -> RunLane {
    var drawing = Drawing(
      height: Self.height, label: PageSentence.withMinus(label(day)))
    drawing.draw(.band) { $0.rectangle(left: 0, top: y(180), right: 1, bottom: y(70)) }
    addTargets(day, to: &drawing)
    drawing.draw(.level) {
      $0.level(at: y(180), from: 0, to: 1)
      $0.level(at: y(70), from: 0, to: 1)
    }
    drawing.draw(.grid) {
      $0.level(at: y(250), from: 0, to: 1)
      $0.level(at: y(54), from: 0, to: 1)
    }
    RunLanes.addHours(day, report, to: &drawing)
    addPredictions(day, to: &drawing)
    addTruth(day, to: &drawing)
    addReadings(day, to: &drawing)
    addGlucoseOfOthers(day, to: &drawing)
    addExtremes(day, to: &drawing)
    addPredictedExtremes(day, to: &drawing)
    addLethalEnd(day, to: &drawing)
    let words = GlucoseWords(report.glucoseUnit)
    var lane = RunLane(name: "Glucose", unit: words.unitName, drawing: drawing)
    lane.plainName = "Glucose, \(report.glucoseUnit.rawValue)"
    lane.legend = legend(of: day, in: drawing)
    lane.ticks = axis.ticks(height: Self.height).map { (y($0), words.value($0)) }
    lane.attributes = """
       data-glucose data-low="\(FixedDecimal.text(axis.low, decimals: 0))" \
      data-high="\(FixedDecimal.text(axis.high, decimals: 0))"
      """
    return lane
  }

  private func rows(_ day: RunDay) -> ArraySlice<TraceRow> {
    let rows = report.run.trace.rows
    let first = rows.partitioningIndex { $0.instant >= day.start }
    let last = rows.partitioningIndex { $0.instant > day.end }
    return rows[first..<last]
  }

  private func label(_ day: RunDay) -> String {
    let rows = rows(day).filter { day.has($0.instant, of: report) }
    let values = rows.compactMap { $0.reading?.mgdL }
    let words = GlucoseWords(report.glucoseUnit)
    let truth = rows.map(\.trueGlucose.mgdL)
    let trueWords =
      truth.min().map { least in
        " True glucose: lowest \(words.text(least)), highest \(words.text(truth.max() ?? least)) "
          + "\(report.glucoseUnit.rawValue)."
      } ?? ""
    guard let least = values.min(), let most = values.max(), let mean = Statistics.mean(values)
    else { return "Sensor glucose: no reading.\(trueWords)" }
    return """
      Sensor glucose: mean \(words.text(mean)), lowest \(words.text(least)), highest \
      \(words.text(most)) \(report.glucoseUnit.rawValue), \
      \(WordList.counted(values.count, "reading")).\(trueWords)
      """
  }

  private func addTargets(_ day: RunDay, to drawing: inout Drawing) {
    drawing.draw(.target) { path in
      for piece in targets(day) {
        let (upper, lower) = (y(piece.range.upper.mgdL), y(piece.range.lower.mgdL))
        path.rectangle(
          left: day.bounded(piece.start), top: upper, right: day.bounded(piece.end),
          bottom: max(lower, upper + 0.006))
      }
    }
  }

  /// A correction range with the time over which it was in force.
  private typealias Target = (start: Instant, end: Instant, range: GlucoseRange)

  /// The correction ranges of a day: those of the schedule, and of a preset while one held that has
  /// its own.
  private func targets(_ day: RunDay) -> [Target] {
    let own = report.presets(of: day).compactMap { preset in
      preset.targets.map { range -> Target in (preset.start, preset.end, range) }
    }
    var targets: [Target] = []
    let settings = report.observation.settings
    for (index, snapshot) in settings.enumerated() {
      var from = max(day.from, snapshot.start)
      let to = index + 1 < settings.count ? min(day.to, settings[index + 1].start) : day.to
      func addScheduled(until end: Instant) {
        guard from < end else { return }
        let pieces = snapshot.therapy.targets.timeline(from: from, to: end, on: report.run.clock)
        targets += pieces.segments.map { ($0.start, $0.end, $0.value) }
      }
      for preset in own where from < preset.end && preset.start < to {
        addScheduled(until: preset.start)
        from = preset.end
      }
      addScheduled(until: to)
    }
    return targets + own
  }

  private func addPredictions(_ day: RunDay, to drawing: inout Drawing) {
    drawing.draw(.prediction) { path in
      for line in predictions(day) {
        for piece in axis.pieces(of: line) {
          path.polyline(Simplification.thinned(piece, tolerance: 0.004))
        }
      }
    }
  }

  /// The lines of the predictions of a day, as far as they are drawn.
  private func predictions(_ day: RunDay) -> [[(x: Double, mgdL: Double)]] {
    report.shownPredictions.list.filter { day.shows($0.instant) }.map { prediction in
      let count = Int(Self.predicted.quotient(by: prediction.step))
      return prediction.mgdL.prefix(count + 1).enumerated().compactMap { index, value in
        let instant = prediction.instant + prediction.time(of: index)
        return instant <= day.end ? (day.x(instant), value) : nil
      }
    }
  }

  /// Says how far predictions go that are cut at an edge, where no other word stands.
  private func addPredictedExtremes(_ day: RunDay, to drawing: inout Drawing) {
    let points = predictions(day).filter { $0.count > 1 }.joined()
    let words = GlucoseWords(report.glucoseUnit)
    if let most = points.max(by: { $0.mgdL < $1.mgdL }), most.mgdL > axis.high {
      add(
        "predictions above the chart, max \(words.value(most.mgdL))", day, to: &drawing,
        heights: [8, 21])
      drawing.label += " Predictions go up to \(words.text(most.mgdL)), above the chart."
    }
    if let least = points.min(by: { $0.mgdL < $1.mgdL }), least.mgdL < axis.low {
      add(
        "predictions below the chart, min \(words.value(least.mgdL))", day, to: &drawing,
        heights: [Self.height - 8, Self.height - 21])
      drawing.label += PageSentence.withMinus(
        " Predictions go down to \(words.text(least.mgdL)), below the chart.")
    }
  }

  /// Adds a word on predictions as far to the left as no other word and no true glucose is, at the
  /// first of some heights, in pixels, at which there is such a place.
  private func add(
    _ word: Markup, _ day: RunDay, to drawing: inout Drawing, heights: [Int]
  ) {
    var free = FreePlace(height: Self.height)
    free.take(truth(day))
    free.take(wordsOf: drawing)
    let rows = heights.map { Double($0) / Double(Self.height) }
    let places = rows.lazy.compactMap {
      free.place(for: word.withoutElements.text, near: 0, heights: [$0])
    }
    let place = places.first ?? (0, rows[0])
    drawing.word(word, at: place.x, place.y, .start, .predictionWord)
  }

  private func addTruth(_ day: RunDay, to drawing: inout Drawing) {
    drawing.draw(.truth) { $0.polyline(truth(day)) }
  }

  private func truth(_ day: RunDay) -> [(x: Double, y: Double)] {
    Simplification.thinned(
      rows(day).map { (x: day.x($0.instant), y: y($0.trueGlucose.mgdL)) }, tolerance: 0.002)
  }

  private func addReadings(_ day: RunDay, to drawing: inout Drawing) {
    drawing.addReadings(
      rows(day).compactMap { row in
        row.reading.map { (x: day.x(row.instant), mgdL: $0.mgdL) }
      }, on: axis)
  }

  /// What a meter or another app showed, where a cycle of the loop decided on it.
  private func addGlucoseOfOthers(_ day: RunDay, to drawing: inout Drawing) {
    let others = report.run.glucoseOfOthers.filter { day.has($0.instant, of: report) }
    guard !others.isEmpty else { return }
    drawing.draw(.dot) { path in
      for other in others { path.dot(at: day.x(other.instant), y(other.shown.mgdL)) }
    }
    drawing.label += """
       \(WordList.counted(others.count, "cycle")) of the loop decided on glucose of other apps.
      """
  }

  /// Marks where the run ended because nobody survives such a glucose.
  private func addLethalEnd(_ day: RunDay, to drawing: inout Drawing) {
    guard let end = report.run.lethalEnd, day.shows(end.instant) else { return }
    let x = day.x(end.instant)
    let floor = GlucoseWords(report.glucoseUnit).value(end.floor.mgdL)
    drawing.draw(.margin) { $0.upright(at: x, from: 0, to: 1) }
    drawing.word(
      "lethal: below \(floor)", at: x + (x > 0.8 ? -0.004 : 0.004), 26 / Double(Self.height),
      x > 0.8 ? .end : .start, .badWord)
    drawing.label += " Lethal at \(report.clock(end.instant)), where the run ends."
  }

  private func addExtremes(_ day: RunDay, to drawing: inout Drawing) {
    let readings = rows(day).compactMap { row in row.reading.map { (row.instant, $0.mgdL) } }
    if let row = rows(day).max(by: { $0.trueGlucose.mgdL < $1.trueGlucose.mgdL }),
      row.trueGlucose.mgdL > axis.high
    {
      // The line runs along the upper edge; the number says where it truly is.
      let words = GlucoseWords(report.glucoseUnit)
      let x = day.x(row.instant)
      let anchor: Drawing.Anchor = x < 0.1 ? .start : x > 0.9 ? .end : .middle
      drawing.word(
        "true glucose above the chart, max \(words.value(row.trueGlucose.mgdL))", at: x,
        8 / Double(Self.height), anchor, .bold)
    }
    if let least = rows(day).map(\.trueGlucose.mgdL).min(), least < axis.low {
      // Along the lower edge in the same way, at the side that the lowest reading is not on.
      let words = GlucoseWords(report.glucoseUnit)
      let isLeft = readings.min { $0.1 < $1.1 }.map { day.x($0.0) > 0.5 } ?? false
      drawing.word(
        "true glucose below the chart, min \(words.value(least))", at: isLeft ? 0 : 1,
        1 - 8 / Double(Self.height), isLeft ? .start : .end, .bold)
    }
    guard let most = readings.max(by: { $0.1 < $1.1 }),
      let least = readings.min(by: { $0.1 < $1.1 })
    else { return }
    let words = GlucoseWords(report.glucoseUnit)
    let pixels = Double(Self.height)
    // Where there is no room beyond a reading its number stands on the other side, so that no
    // readings run through it, unless the numbers would meet there.
    let areApart = (y(least.1) - y(most.1)) * pixels > 40
    for (point, name, offset) in [(most, "max", -13.0), (least, "min", 13.0)] {
      let x = day.x(point.0)
      let anchor: Drawing.Anchor = x < 0.05 ? .start : x > 0.95 ? .end : .middle
      let middle = y(point.1) * pixels
      let beyond = min(pixels - 6, max(6, middle + offset))
      let isTight = (beyond - middle).magnitude < 9 && areApart
      let word: Markup = "\(name) \(words.value(point.1))"
      let text = word.withoutElements.text
      let place = (isTight ? middle - offset : beyond) / pixels
      let free = isTight ? room(beside: readings.map { (day.x($0.0), y($0.1)) }, drawing) : nil
      // Where readings run through it there too, it stands beside them, unless that is far off.
      if let free, !free.isFree(text, at: x, place, anchor),
        let aside = free.place(for: text, near: x, heights: [beyond / pixels, place]),
        (aside.x - x).magnitude <= Self.farthestAside
      {
        drawing.word(word, at: aside.x, aside.y, .start, .bold)
      } else {
        drawing.word(word, at: x, place, anchor, .bold)
      }
    }
  }

  /// What a chart has free beside readings and the words that stand on it.
  private func room(beside readings: [(x: Double, y: Double)], _ drawing: Drawing) -> FreePlace {
    var free = FreePlace(height: Self.height)
    // A dot is as high as it is wide.
    for edge in [-3.5, 3.5] {
      free.take(readings.map { ($0.x, $0.y + edge / Double(Self.height)) })
    }
    free.take(wordsOf: drawing)
    return free
  }
}
