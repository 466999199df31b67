internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

extension RecordLanes {
  /// What the health store holds of the day's insulin, and when it was written.
  var store: RunLane {
    var drawing = Drawing(height: 92)
    addBands(to: &drawing)
    RunLanes.addHours(day, report, to: &drawing)
    let samples = report.run.insulinSamples.filter {
      $0.isOwnBasal && day.shows($0.start, $0.end)
    }
    addBasal(samples, to: &drawing)
    addMissing(to: &drawing)
    let hasDots = addDoses(to: &drawing)
    addDeletions(to: &drawing)
    // What is of the time before the run is drawn, and counts as little as what the pump gave then.
    let held = (samples + doses).filter { $0.start >= day.from || $0.end > day.from }
    let basal = held.count(where: \.isOwnBasal)
    let units = Self.units(held.reduce(0) { $0 + self.units(of: $1) })
    drawing.label = """
      Health store: \(WordList.counted(basal, "basal sample")) and \
      \(WordList.counted(held.count - basal, "dose")), \(units) U.
      """
    var lane = RunLane(style: "two", record: "h", name: "Written to Health", drawing: drawing)
    lane.plainName = "Health store, U"
    lane.unit = "\(units) U"
    lane.legend = storeLegend(hasDots: namesDots(hasDots) { $0.addDoses(to: &$1) })
    return lane
  }

  /// The doses of the day besides the basal of the app's pump.
  private var doses: [InsulinSampleRecord] {
    report.run.insulinSamples.filter { !$0.isOwnBasal && day.has($0.start, of: report) }
  }

  /// What a sample holds of the day's insulin: of one that begins before the run its share by time,
  /// and of the pump's basal that goes on over midnight, as otherwise two days seem to differ from
  /// what the pump gave.
  private func units(of sample: InsulinSampleRecord) -> Double {
    let span = sample.end - sample.start
    let end = sample.isOwnBasal ? min(sample.end, day.to) : sample.end
    let own = end - max(sample.start, day.from)
    return own < span ? sample.units * max(0, own.hours / span.hours) : sample.units
  }

  private func addBasal(_ samples: [InsulinSampleRecord], to drawing: inout Drawing) {
    var boxes: [(left: Double, right: Double)] = []
    var empty = boxes
    var twice = SVGPath()
    var writes = SVGPath()
    for (index, sample) in samples.enumerated() {
      let (left, right) = (day.bounded(sample.start), day.bounded(sample.end))
      let isTwice =
        index > 0 && samples[index - 1].start == sample.start
        && samples[index - 1].end == sample.end
      if isTwice {
        twice.rectangle(left: left, top: 0.03, right: right, bottom: 0.37)
      } else if sample.units == 0 {
        empty.append((left, right))
      } else {
        boxes.append((left, right))
      }
      if day.shows(sample.writtenAt) {
        writes.upright(at: day.x(sample.writtenAt), from: 0.36, to: 0.44)
      }
      let text = Self.short(sample.units)
      if !isTwice, let zoom = LabelRows.zoom(for: text, within: right - left) {
        drawing.word("\(text)", at: (left + right) / 2, 0.2, .middle, .segment, zoom: zoom)
      }
    }
    drawing.draw(.sample) { $0.boxes(boxes, top: 0.07, bottom: 0.33) }
    drawing.draw(.sampleZero) { $0.boxes(empty, top: 0.07, bottom: 0.33) }
    drawing.add(twice, .sampleTwice)
    drawing.add(writes, .written)
  }

  private func addMissing(to drawing: inout Drawing) {
    for difference in report.differences
    where report.isMissing(difference) && day.shows(difference.start, difference.end) {
      let (left, right) = (day.bounded(difference.start), day.bounded(difference.end))
      drawing.box(.missing, from: left, to: right, top: 0.05, bottom: 0.35)
      drawing.word("?", at: (left + right) / 2, 0.2, .middle, .badWord)
    }
  }

  /// Boluses, and doses from outside; a dose that was given elsewhere is hollow.
  ///
  /// - Returns: Whether any stands there without its amount.
  private func addDoses(to drawing: inout Drawing) -> Bool {
    let boluses = report.run.bolusIdentifiers
    let words = doses.map { dose in
      let isOwn = boluses.contain(dose)
      let text = isOwn ? Self.units(dose.units) : "\(Self.units(dose.units)) \(dose.source)"
      return DoseWord(
        text: "\(isOwn ? "▼" : "◇") \(text)", plain: "M \(text)", x: day.x(dose.start))
    }
    let wordless = DoseWords(words, y: 0.58, 0.74, style: .healthWord, shift: -0.004)
      .draw(in: &drawing)
    // Where there is no room for its amount a dose is written all the same: between the two rows of
    // words, none of which it strikes through.
    drawing.draw(.doseWritten) { path in for word in wordless { path.dot(at: word.x, 0.66) } }
    return !wordless.isEmpty
  }

  /// What was deleted: a line from the sample to the moment of deletion.
  private func addDeletions(to drawing: inout Drawing) {
    var rows = LabelRows(count: 1)
    var path = SVGPath()
    let deletions = report.observation.deletedSamples.filter {
      $0.isByPerson && (day.shows($0.start) || day.shows($0.deleted))
    }
    for deletion in deletions.sorted(by: { $0.deleted < $1.deleted }) {
      let (from, to) = (day.bounded(deletion.start), day.bounded(deletion.deleted))
      path.move(to: from, 0.4)
      path.line(to: from, 0.98)
      path.line(to: to, 0.98)
      guard day.shows(deletion.deleted) else { continue }
      let again = report.doses.first {
        $0.deletedFromStore == deletion.deleted && $0.store != nil
      }?.written
      let text =
        "✕ \(report.moment(deletion.start, beside: deletion.deleted)) sample deleted"
        + (again.map { ", written again \(report.moment($0, beside: deletion.deleted))" } ?? "")
      let width = LabelRows.width(of: "M \(text)") / LabelRows.leastWidth
      let anchor: Drawing.Anchor = to > 0.7 || to + width > 1 && to > width ? .end : .start
      if rows.place("M \(text)", at: to, anchor) != nil {
        drawing.word("\(text)", at: to + (anchor == .start ? 0.004 : -0.004), 0.9, anchor, .muted)
      }
    }
    drawing.add(path, .rewritten)
  }
}
