internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText

/// What the script of a timeline reads: the values at each step, and what each record says when.
///
/// Times are minutes from the start of the run.
struct RunTimelineData {
  let report: RunReport

  private var run: RunResult { report.run }

  var json: JSONValue {
    let days = report.days
    return [
      "unit": .string(report.glucoseUnit.rawValue), "from": 0, "to": time(run.end),
      "step": number(step.minutes, 2), "at": .number(firstStop), "off": offsets,
      "bg": series(0) { $0.reading?.mgdL }, "iob": series(2) { $0.insulinOnBoard },
      "cob": series(0) { $0.carbsOnBoard },
      "mode": .array(
        report.modes.map { [time($0.start), time($0.end), .string($0.kind.words)] }),
      "pump": .array(pump), "pumpKinds": ["", "", "suspended,", "stopped,"],
      "app": .array(days.flatMap(app)), "store": .array(store),
      "pumpAt": .array(run.boluses.map { [time($0.start), .string(words($0))] }),
      "appAt": .array(appDoses), "storeAt": .array(storeDoses), "stops": .array(stops),
      "pred": .array(predictions), "predEvery": number(report.observation.interval.minutes, 2),
      "predStep": number(predictionStep.minutes, 0),
    ]
  }

  /// The time between two values of a prediction: longer where there are many days.
  private var predictionStep: TimeSpan { report.days.count > 3 ? .hours(1) : .minutes(30) }

  private var step: TimeSpan {
    let rows = run.trace.rows
    return rows.count > 1 ? rows[1].instant - rows[0].instant : .minutes(5)
  }

  private func number(_ value: Double, _ decimals: Int) -> JSONValue {
    .rounded(value, decimals)
  }

  private func time(_ instant: Instant) -> JSONValue { number(report.minutes(instant), 2) }

  /// Where the cursor begins: at the worst difference, otherwise in the middle.
  private var firstStop: Double {
    let worst = report.differences.first { !report.isWhole($0) }
    let instant = worst?.start ?? run.start + (run.end - run.start).half
    let minutes = (instant - run.start).minutes
    return (minutes / max(0.01, step.minutes)).rounded(.up) * step.minutes
  }

  private var offsets: JSONValue {
    func minutes(_ instant: Instant) -> Double {
      let civil = run.clock.civilTime(at: instant).timeOfDay.sinceMidnight.minutes
      return civil - report.minutes(instant)
    }
    var result: [JSONValue] = [[0, number(minutes(run.start), 2)]]
    for change in run.clock.transitions
    where change.instant > run.start && change.instant < run.end {
      result.append([time(change.instant), number(minutes(change.instant), 2)])
    }
    return .array(result)
  }

  private func series(_ decimals: Int, _ value: (TraceRow) -> Double?) -> JSONValue {
    .array(run.trace.rows.map { number(value($0) ?? .nan, decimals) })
  }

  private var pump: [JSONValue] {
    DoseTable.stretches(of: run).map { stretch in
      let kind =
        switch stretch.kind {
        case .scheduled: 0
        case .tempBasal: 1
        case .suspended: 2
        case .stopped: 3
        }
      let count = run.pulses(of: [.basal], after: stretch.start, through: stretch.end).count
      return [
        time(stretch.start), time(stretch.end), .integer(Int64(kind)),
        number(stretch.rate.unitsPerHour, 3), .integer(Int64(count)),
      ]
    }
  }

  private func app(_ day: RunDay) -> [JSONValue] {
    RecordLanes(report: report, day: day).appPrograms.map { program in
      let words =
        program.isSuspension
        ? "Suspended" : "Temp basal \(RecordLanes.units(program.rate)) U/h"
      return [time(program.start), time(program.end), .string(words)]
    }
  }

  private var store: [JSONValue] {
    report.doses.filter { $0.kind.isBasal }.compactMap { dose in
      let span: [JSONValue] = [time(dose.start), time(dose.end)]
      if let units = dose.store { return .array(span + [number(units, 3)]) }
      let isMissing = dose.differences.contains { report.isMissing(report.differences[$0]) }
      return isMissing ? .array(span + [number(dose.pump ?? 0, 3), 1]) : nil
    }
  }

  private func words(_ bolus: PumpBolusRecord) -> String {
    bolus.delivered < bolus.asked
      ? "bolus \(bolus.delivered.unitsText) of \(bolus.asked.unitsText) U"
      : "bolus \(bolus.delivered.unitsText) U"
  }

  private var appDoses: [JSONValue] {
    let shown = run.eventHistory.filter { $0.kind == "bolus" }.map { event -> JSONValue in
      let units = (event.delivered ?? event.programmed ?? .zero).unitsText
      return [time(event.instant), .string("bolus \(units) U")]
    }
    return shown
      + report.observation.deletedEvents.filter { $0.units != nil }.map {
        [time($0.start), .string("bolus deleted \(report.clock($0.deleted))")]
      }
  }

  private var storeDoses: [JSONValue] {
    run.insulinSamples.filter { !$0.isBasal && $0.start >= run.start }.map {
      let source = $0.isOwn ? "" : " from \($0.source)"
      return [time($0.start), .string("dose \(RecordLanes.units($0.units)) U\(source)")]
    }
  }

  /// Where the keys `[` and `]` lead: each difference's beginning.
  private var stops: [JSONValue] {
    var last = -1.0
    return report.byTime.compactMap { index in
      let difference = report.differences[index]
      guard !report.isWhole(difference) else { return nil }
      let minutes = max(0, report.minutes(difference.start))
      let stop = (minutes / max(0.01, step.minutes)).rounded(.up) * step.minutes
      guard stop > last else { return nil }
      last = stop
      return number(stop, 2)
    }
  }

  /// Predictions as their time and values half an hour apart.
  private var predictions: [JSONValue] {
    report.observation.predictions.map { prediction in
      let stride = max(1, Int(predictionStep.quotient(by: prediction.step)))
      let values = prediction.mgdL.enumerated().filter { $0.offset % stride == 0 }
      return .array([time(prediction.instant)] + values.map { number($0.element, 0) })
    }
  }
}

extension TimeSpan {
  fileprivate var half: TimeSpan { TimeSpan(milliseconds: milliseconds / 2) }
}
