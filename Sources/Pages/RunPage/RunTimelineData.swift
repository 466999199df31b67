internal import ClosedLoop
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText

/// What the script of a timeline reads of a run: the values at each step, and what each record says
/// when.
///
/// Times are minutes from the start of the run, written as ``TimelineValues`` does. Of days that
/// are not drawn there is nothing to read.
struct RunTimelineData {
  let report: RunReport

  private var run: RunResult { report.run }
  private var end: Instant { report.drawnEnd }

  var json: JSONValue {
    let rows = run.trace.rows.prefix { $0.instant <= end }
    return [
      "unit": .string(report.glucoseUnit.rawValue), "from": 0, "to": time(min(end, run.end)),
      "step": number(step.minutes, 2), "at": .number(firstStop), "off": offsets,
      "twice": .array(
        report.twice.filter { $0.end > run.start && $0.start < end }.map {
          [time($0.start), time($0.end), .string($0.offset)]
        }),
      "bg": series(1, rows.map { $0.reading?.mgdL }),
      "iob": series(100, Array(report.onBoard.prefix(rows.count))),
      "cob": series(1, rows.map(\.carbsOnBoard)),
      "mode": stretches(
        report.modes.filter { $0.start < end }.map {
          ($0.start, $0.end, [.string($0.kind.words)])
        }),
      "pump": stretches(pump), "pumpKinds": ["", "", "suspended,", "stopped,"],
      "app": stretches(report.drawnDays.flatMap(app)), "store": stretches(store),
      "pumpAt": .array(
        run.boluses.filter { $0.start <= end }.map { [time($0.start), .string(words($0))] }),
      "appAt": .array(appDoses), "storeAt": .array(storeDoses), "stops": .array(stops),
      "pred": .array(predictions), "predEvery": number(report.shownPredictions.every.minutes, 2),
      "predStep": number(predictionStep.minutes, 0),
    ]
  }

  /// The time between two values of a prediction: longer where there are many days.
  private var predictionStep: TimeSpan { report.isLong ? .hours(1) : .minutes(30) }

  private var step: TimeSpan {
    let rows = run.trace.rows
    return rows.count > 1 ? rows[1].instant - rows[0].instant : .minutes(5)
  }

  /// How values are written.
  private var values: TimelineValues { TimelineValues(start: run.start) }

  private func number(_ value: Double, _ decimals: Int) -> JSONValue {
    TimelineValues.number(value, decimals)
  }

  private typealias Stretch = TimelineValues.Stretch

  private func stretches(_ list: [Stretch]) -> JSONValue { values.stretches(list) }

  private func time(_ instant: Instant) -> JSONValue { values.time(instant) }

  /// Where the cursor begins: at the worst difference, otherwise in the middle of the day that lies
  /// open.
  private var firstStop: Double {
    let (from, to) = report.openDay.map { ($0.from, $0.to) } ?? (run.start, run.end)
    return stop(at: report.worstDrawn?.start ?? from + (to - from).half)
  }

  /// Where the cursor stands for something that begins at an instant: the minutes from the start to
  /// the step at that instant or after it, as what is read at a step before it has nothing of it.
  func stop(at instant: Instant) -> Double {
    let minutes = max(0, report.minutes(instant))
    return (minutes / max(0.01, step.minutes)).rounded(.up) * step.minutes
  }

  private var offsets: JSONValue {
    func minutes(_ instant: Instant) -> Double {
      let civil = run.clock.timeOfDay(at: instant).sinceMidnight.minutes
      return civil - report.minutes(instant)
    }
    // So exact that a time of day is that of its second, whatever else is rounded.
    var result: [JSONValue] = [[0, number(minutes(run.start), 4)]]
    for change in run.clock.transitions
    where change.instant > run.start && change.instant < run.end {
      result.append([time(change.instant), number(minutes(change.instant), 4)])
    }
    return .array(result)
  }

  private func series(_ parts: Double, _ values: [Double?]) -> JSONValue {
    TimelineValues.series(parts, values)
  }

  /// What the pump ran; a schedule that goes on at the same rate is one stretch, although the
  /// pump began it anew.
  private var scheduleTogether: [PumpProgramRecord] {
    var result: [PumpProgramRecord] = []
    for stretch in DoseTable.stretches(of: run) where stretch.start < end {
      if let last = result.last, last.kind == .scheduled, stretch.kind == .scheduled,
        last.end == stretch.start, last.rate == stretch.rate
      {
        result[result.count - 1].end = stretch.end
      } else {
        result.append(stretch)
      }
    }
    return result
  }

  private var pump: [Stretch] {
    scheduleTogether.map { stretch in
      let kind =
        switch stretch.kind {
        case .scheduled: 0
        case .tempBasal: 1
        case .suspended: 2
        case .stopped: 3
        }
      let count = run.pulses(of: [.basal], after: stretch.start, through: stretch.end)
        .count(of: run.pulseSize)
      return (
        stretch.start, stretch.end,
        [
          .integer(Int64(kind)), number(stretch.rate.unitsPerHour, 3), .integer(Int64(count)),
        ]
      )
    }
  }

  /// The temp basals of the event history with their rates; a suspension has none.
  private func app(_ day: RunDay) -> [Stretch] {
    RecordLanes(report: report, day: day).appPrograms.map { program in
      (program.start, program.end, [program.isSuspension ? .null : number(program.rate, 3)])
    }
  }

  private var store: [Stretch] {
    report.doses.filter { $0.kind.isBasal && $0.start < end }.compactMap { dose in
      if let units = dose.store { return (dose.start, dose.end, [number(units, 3), 0]) }
      let isMissing = dose.differences.contains { report.isMissing(report.differences[$0]) }
      return isMissing ? (dose.start, dose.end, [number(dose.pump ?? 0, 3), 1]) : nil
    }
  }

  private func words(_ bolus: PumpBolusRecord) -> String {
    bolus.delivered < bolus.asked
      ? "bolus \(bolus.delivered.unitsText) of \(bolus.asked.unitsText) U"
      : "bolus \(bolus.delivered.unitsText) U"
  }

  private var appDoses: [JSONValue] {
    let boluses = run.eventHistory.filter { $0.kind == .bolus && $0.instant <= end }
    let deleted = report.observation.deletedEvents.filter {
      $0.bolus != nil && $0.record.instant <= end
    }
    let shown = boluses.map { event -> JSONValue in
      let units = (event.delivered ?? event.programmed ?? .zero).unitsText
      return [time(event.instant), .string("bolus \(units) U")]
    }
    return shown
      + deleted.map { event -> JSONValue in
        let moment = report.moment(event.deleted, beside: event.record.instant)
        return [time(event.record.instant), .string("bolus deleted \(moment)")]
      }
  }

  private var storeDoses: [JSONValue] {
    run.insulinSamples.filter { !$0.isOwnBasal && $0.start >= run.start && $0.start <= end }.map {
      let source = $0.isOwn ? "" : " from \($0.source)"
      return [time($0.start), .string("dose \(RecordLanes.units($0.units)) U\(source)")]
    }
  }

  /// Where the keys `[` and `]` lead: each difference's beginning.
  private var stops: [JSONValue] {
    var last = -1.0
    return report.byTime.compactMap { index in
      let difference = report.differences[index]
      guard !report.isWhole(difference), difference.start <= end else { return nil }
      let stop = stop(at: difference.start)
      guard stop > last else { return nil }
      last = stop
      return number(stop, 2)
    }
  }

  /// Predictions as the time of their first value, which is the nearest to the cycle, and values
  /// half an hour apart.
  private var predictions: [JSONValue] {
    report.shownPredictions.list.prefix { $0.instant <= end }.map { prediction in
      let places = Array(prediction.places(every: predictionStep))
      let first = prediction.instant + prediction.time(of: places.first ?? 0)
      return .array([time(first)] + places.map { number(prediction.mgdL[$0], 0) })
    }
  }
}

extension TimeSpan {
  fileprivate var half: TimeSpan { TimeSpan(milliseconds: milliseconds / 2) }
}
