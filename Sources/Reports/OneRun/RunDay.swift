package import Quantities
internal import Simulation

/// A stretch of a run that is drawn on one axis: a local day, or the whole of a short run.
///
/// A day with a change of clocks is 23 or 25 hours long and is drawn in its true length.
package struct RunDay {
  /// The place among the days, from 0.
  package var index: Int
  /// Where the axis begins: the midnight before the day, or the start of a short run.
  package var start: Instant
  /// Where the axis ends.
  package var end: Instant
  /// Where the part of it begins in which the run lives.
  package var from: Instant
  /// Where that part ends.
  package var to: Instant

  /// The longest run that is drawn on one axis although midnight lies in it.
  private static let longestAxis = TimeSpan.hours(30)
  /// How many days have a panel each; those after them are in the strip and in the tables.
  package static let most = 31

  /// The days of a run, in the order of time, at most some ten years of them.
  package static func days(of report: RunReport) -> [RunDay] {
    let run = report.run
    if run.end - run.start <= longestAxis {
      let end = max(run.end, run.start + .minutes(5))
      return [RunDay(index: 0, start: run.start, end: end, from: run.start, to: end)]
    }
    var days: [RunDay] = []
    var start = run.clock.startOfDay(containing: run.start)
    while start < run.end, days.count < 3_700 {
      let end = run.clock.midnight(after: start)
      days.append(
        RunDay(
          index: days.count, start: start, end: end, from: max(start, run.start),
          to: min(end, run.end)))
      start = end
    }
    return days
  }

  /// The id of the day's panel.
  package var id: String { "day-\(index + 1)" }

  /// Where an instant lies on the axis, from 0 to 1.
  package func x(_ instant: Instant) -> Double {
    Double((instant - start).milliseconds) / Double((end - start).milliseconds)
  }

  /// Where an instant lies on the axis, held within it.
  package func bounded(_ instant: Instant) -> Double { min(1, max(0, x(instant))) }

  /// Whether a stretch of time, or a moment, shows on the axis.
  package func shows(_ from: Instant, _ to: Instant) -> Bool {
    from == to ? shows(from) : from < end && to > start
  }

  /// Whether an instant shows on the axis.
  package func shows(_ instant: Instant) -> Bool { start <= instant && instant <= end }

  /// Whether what happens at an instant is of this day: what does so at midnight is of the next
  /// one, at whose axis' beginning it shows, and at the end of the run of its last.
  package func has(_ instant: Instant, of report: RunReport) -> Bool {
    start <= instant && (instant < end || instant == end && end >= report.run.end)
  }

  /// The changes of the clocks on the axis.
  ///
  /// One at its first instant, as that of a journey over midnight, is a change of this day: the day
  /// before ends there.
  package func clockChanges(_ report: RunReport) -> [WallClock.Transition] {
    report.run.clock.transitions.filter {
      $0.instant >= start && $0.instant < end && $0.instant > report.run.start
    }
  }

  /// The ticks of the axis at whole steps of the local clock: the zoom from which each is labelled.
  package func ticks(_ report: RunReport) -> [(x: Double, text: String, zoom: Int)] {
    let length = (end - start).hours
    let (minor, major): (TimeSpan, Int64) =
      length > 30
      ? (.hours(3), 2)
      : length > 9
        ? (.hours(1), 3)
        : length > 3
          ? (.minutes(30), 2) : length > 0.6 ? (.minutes(10), 3) : (.minutes(1), 5)
    assert(start <= end, "A day ends after it starts.")
    var ticks: [(x: Double, text: String, zoom: Int)] = []
    var instant = report.run.clock.startOfDay(containing: start)
    while instant <= end {
      let civil = report.run.clock.civilTime(at: instant)
      let count = civil.timeOfDay.sinceMidnight.quotient(by: minor)
      if instant >= start {
        let isMajor = count % major == 0
        ticks.append(
          (x(instant), report.timeOfDay(instant, isEnd: instant == end), isMajor ? 1 : 2))
      }
      instant = report.run.clock.wholeStep(minor, after: instant)
    }
    return ticks
  }
}
