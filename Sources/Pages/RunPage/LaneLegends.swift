internal import ClosedLoop
internal import Quantities
internal import Reports
internal import Simulation
internal import Typesetting

extension RunReport {
  /// Whether the lanes of a day say what their marks mean: of many days that alone which lies open
  /// at first, for all that are drawn.
  func hasLegends(_ day: RunDay) -> Bool { !isLong || day.index == openDay?.index }

  /// Whether the legends of a day name what lies in a stretch of time, or at a moment.
  func legend(of day: RunDay, names from: Instant, _ to: Instant) -> Bool {
    isLong ? from <= drawnEnd : day.shows(from, to)
  }
}

extension GlucoseLane {
  /// The marks of glucose and what they mean: those that are there.
  func legend(of day: RunDay, in drawing: Drawing) -> [Markup] {
    guard report.hasLegends(day) else { return [] }
    let styles = Set(
      report.run.trace.rows.lazy.filter { report.legend(of: day, names: $0.instant, $0.instant) }
        .compactMap { $0.reading.map { GlucoseAxis.style($0.mgdL) } })
    let marks: [(styles: Set<ChartStyle>, key: Markup)] = [
      ([.inRange], "<s class=\"o1\"></s>in range"),
      ([.high, .veryHigh], "<s class=\"o2\"></s>above"),
      ([.low, .veryLow], "<s class=\"o4\"></s>below"),
    ]
    let ranges = marks.filter { !$0.styles.isDisjoint(with: styles) }.map(\.key)
    let drawn = Set(drawing.shapes.map(\.style))
    let hasPredictions =
      drawn.contains(.prediction) || report.isLong && !report.shownPredictions.list.isEmpty
    let keys: [Markup?] = [
      ranges.isEmpty ? nil : ranges.joined(separator: " "),
      report.run.glucoseOfOthers.contains { report.legend(of: day, names: $0.instant, $0.instant) }
        ? "● of other apps, dosed on" : nil,
      "<s class=\"ln lt\"></s>true glucose",
      hasPredictions ? "<s class=\"ln\"></s>predictions" : nil,
      drawn.contains(.target) ? "<s class=\"k-target\"></s>correction range" : nil,
    ]
    return keys.compactMap(\.self)
  }
}

extension RecordLanes {
  /// The marks of the pump and what they mean: those that are there.
  func pumpLegend(_ stretches: [PumpProgramRecord]) -> [Markup] {
    guard report.hasLegends(day) else { return [] }
    let kinds = Set(
      stretches.lazy.filter { report.legend(of: day, names: $0.start, $0.end) }.map(\.kind))
    let areas: [Markup?] = [
      kinds.contains(.scheduled) ? "<s class=\"k-sched\"></s>scheduled" : nil,
      kinds.contains(.tempBasal) ? "<s class=\"k-temp\"></s>temp basal" : nil,
    ]
    let halts = [PumpProgramRecord.Kind.suspended, .stopped].filter(kinds.contains)
    let pulses = report.run.pulses.filter {
      $0.channel == .basal && report.legend(of: day, names: $0.instant, $0.instant)
    }
    let size = report.run.pulseSize
    let joined = pulses.contains { $0.recorded > size }
    let keys: [Markup?] = [
      areas.compactMap(\.self).joined(separator: " "),
      "<s class=\"ln dash\"></s>\(report.run.hasApp ? "the app's schedule" : "schedule")",
      halts.isEmpty
        ? nil
        : "<s class=\"k-susp\"></s>\(halts.map(\.rawValue).joined(separator: " or "))",
      pulses.isEmpty
        ? nil
        : "<s class=\"pl\"></s>\(joined ? "pulses" : "one pulse"), \(size.unitsText) U",
      pulses.isEmpty || !report.isLong ? nil : "<s class=\"pn\"></s>pulses side by side",
    ]
    return keys.compactMap(\.self).filter { !$0.isEmpty }
  }

  /// Whether the legend of a lane names dots: those of the day, or of any day where it is the only
  /// legend.
  ///
  /// - Parameters:
  ///   - hasDots: Whether the day has some.
  ///   - draw: Draws the words and dots of a day, and says whether it has dots.
  /// - Returns: Whether dots are to be named.
  func namesDots(_ hasDots: Bool, _ draw: (RecordLanes, inout Drawing) -> Bool) -> Bool {
    guard !hasDots, report.isLong, report.hasLegends(day) else { return hasDots }
    return report.drawnDays.contains { other in
      var drawing = Drawing(height: 1)
      return draw(RecordLanes(report: report, day: other), &drawing)
    }
  }

  /// The marks of the app and what they mean: those that are there.
  ///
  /// - Parameter hasDots: Whether boluses without their amount are there.
  /// - Returns: The entries, from top to bottom.
  func appLegend(hasDots: Bool) -> [Markup] {
    guard report.hasLegends(day) else { return [] }
    let run = report.run
    let hasTemps =
      report.isLong
      ? run.eventHistory.contains {
        $0.kind == .tempBasal && report.legend(of: day, names: $0.instant, $0.instant)
      } : appPrograms.contains { !$0.isSuspension }
    let hasDeleted = report.observation.deletedEvents.contains {
      report.legend(of: day, names: $0.record.instant, $0.record.instant)
    }
    let keys: [Markup?] = [
      hasTemps ? "<s class=\"k-ev\"></s>temp basal, U/h" : nil,
      "<s class=\"ln dot\"></s>scheduled, no event",
      hasDots ? "<s class=\"od\"></s>bolus" : nil,
      hasDeleted ? "▽ deleted by the person" : nil,
    ]
    return keys.compactMap(\.self)
  }

  /// The marks of the health store and what they mean: those that are there.
  ///
  /// - Parameter hasDots: Whether doses without their amount are there.
  /// - Returns: The entries, from top to bottom.
  func storeLegend(hasDots: Bool) -> [Markup] {
    guard report.hasLegends(day) else { return [] }
    let boluses = report.run.bolusIdentifiers
    let samples = report.run.insulinSamples.filter {
      report.legend(of: day, names: $0.start, $0.isOwnBasal ? $0.end : $0.start)
    }
    let basal = samples.filter(\.isOwnBasal)
    let keys: [Markup?] = [
      basal.isEmpty ? nil : "<s class=\"k-hs\"></s>basal sample, U",
      hasDots ? "<s class=\"od h\"></s>bolus or dose" : nil,
      samples.contains { !$0.isOwnBasal && !boluses.contain($0) } ? "◇ from outside the pump" : nil,
      basal.contains { report.legend(of: day, names: $0.writtenAt, $0.writtenAt) }
        ? "<s class=\"wk\"></s>time of writing" : nil,
    ]
    return keys.compactMap(\.self)
  }
}
