internal import Outcomes
internal import Quantities
internal import Simulation

/// Measures one run as a study does, lethal runs included.
///
/// A lethal run is an outcome. For shares of time the rest of its window counts as below every
/// limit: readings that would have come are added. Counts are what happened until the end, and a
/// low that ended so is one, however short. Everything else has no value.
struct CaseMeasurement {
  private let whole: RunMeasurements
  /// Insulin over all of it, which no part of the day changes.
  private let totals: InsulinTotals
  private let clock: WallClock
  private let plannedEnd: Instant
  private let isLethal: Bool

  init(_ result: RunResult, plannedEnd: Instant) {
    whole = RunMeasurements(result)
    totals = whole.insulinTotals
    clock = result.clock
    self.plannedEnd = plannedEnd
    isLethal = result.lethalEnd != nil
  }

  /// The value of a metric over the run, or over a part of each of its days.
  func value(of metric: Metric, daily window: DailyWindow? = nil) -> Double? {
    var run = whole
    if let window {
      run.trueGlucose = run.trueGlucose.within(window)
      run.cgm = run.cgm.within(window)
    }
    guard isLethal else {
      return metric.value(of: run, totals: totals).flatMap { $0.isFinite ? $0 : nil }
    }
    let series = metric.source == .truth ? run.trueGlucose : run.cgm
    if metric.name.isShareOfTime {
      return share(metric, of: series, unlived: unlivedReadings(of: series, window))
    }
    guard metric.name.isCountOfEvents, let count = metric.value(of: run, totals: totals) else {
      return nil
    }
    return metric.name == .lows ? count + (endsInUncountedLow(metric, series) ? 1 : 0) : count
  }

  /// The value of a figure that every study keeps of every run; `nil` where it is no metric.
  ///
  /// For how long the pump gave nothing is told of a lethal run too, up to its end, as the pump may
  /// be why it ended. An end point has no such value: a short life would make it a good one.
  func value(of figure: StandardFigure) -> Double? {
    guard let metric = figure.metric else { return nil }
    guard isLethal, figure.name == StandardFigure.suspendedMinutes else { return value(of: metric) }
    return metric.value(of: whole, totals: totals)
  }

  /// What each hour of the day was like, with the glucose that the sensor read.
  var pattern: DailyPattern { DailyPattern(whole, whole.cgm) }

  /// How many readings would have come after the end, with the one at the end of the whole time,
  /// which a run that goes on has too.
  ///
  /// What a sensor did not show while the patient lived has no value, as in a run that goes on.
  private func unlivedReadings(of series: GlucoseSeries, _ window: DailyWindow?) -> Int {
    let step = series.interval
    var instant = (series.points.last?.instant ?? whole.end) + step
    var count = 0
    while instant <= plannedEnd {
      let isAfterEnd = instant >= whole.end
      if isAfterEnd, window?.contains(clock.timeOfDay(at: instant)) != false { count += 1 }
      instant += step
    }
    return count
  }

  private func share(_ metric: Metric, of series: GlucoseSeries, unlived: Int) -> Double? {
    let total = series.points.count + unlived
    guard total > 0 else { return nil }
    let low = metric.arguments.first ?? 0
    let high = metric.arguments.last ?? 0
    let lived = series.points.count { point in
      switch metric.name {
      case .tir: point.mgdL >= low && !ConsensusLimit.isExceeded(high, by: point.mgdL)
      case .below: point.mgdL < low
      default: ConsensusLimit.isExceeded(low, by: point.mgdL)
      }
    }
    let counted = lived + (metric.name == .below ? unlived : 0)
    return 100 * Double(counted) / Double(total)
  }

  /// Whether the run ended in a low that is too short to be counted by itself.
  ///
  /// The app takes readings in at its cycles, so that the last one that it has may be nearly two
  /// intervals old, and none is missing.
  private func endsInUncountedLow(_ metric: Metric, _ series: GlucoseSeries) -> Bool {
    guard let limit = metric.arguments.first, let last = series.points.last, last.mgdL < limit,
      whole.end - last.instant < series.interval * 2
    else { return false }
    let length = metric.arguments.dropFirst().first ?? 15
    let events = GlucoseGrid(series)?.events(lasting: length) { $0 < limit } ?? []
    guard let latest = events.last else { return true }
    return !latest.isOpen || latest.end < last.instant
  }
}
