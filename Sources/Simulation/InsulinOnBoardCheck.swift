internal import Dosing
internal import Quantities

/// Finds when the insulin on board that the app believed in was far from what had entered the body.
///
/// People and the algorithm act on that number, whatever the reason: an amount that was counted
/// wrongly or at the wrong time, insulin that came late, a record that nobody had read yet. Totals
/// of a run can agree all the same.
///
/// Where records are right, both figures lie within three pulses of one another, or within a
/// fiftieth of much insulin, except while a bolus is being given, which the app counts as a whole.
enum InsulinOnBoardCheck {
  /// What a difference is allowed to be, in U: five pulses, a quarter of a unit, or a twentieth of
  /// what there is.
  private static func allowed(_ run: RunResult, of units: Double) -> Double {
    max(0.25, 5 * run.pulseSize.units, units.magnitude / 20)
  }
  /// How long after the end of a bolus the app may still count it as a whole.
  private static let grace = TimeSpan.minutes(5)

  /// The stretches in which the app's figure was wrong, with figures in U.
  static func findings(_ run: RunResult) -> [WrongStretches.Finding] {
    guard run.hasApp else { return [] }
    var counter = InsulinOnBoardCounter(run)
    let excluded = excluded(run)
    var stretches = WrongStretches()
    var next = 0
    var excludedUntil = run.start - .days(1)
    for row in run.trace.rows {
      while next < excluded.count, excluded[next].lowerBound <= row.instant {
        excludedUntil = max(excludedUntil, excluded[next].upperBound)
        next += 1
      }
      if row.instant <= excludedUntil { continue }
      guard let app = row.insulinOnBoard else {
        stretches.close()
        continue
      }
      let truth = counter.onBoard(at: row.instant, app: nil).body.net
      let figure = WrongStretches.Figure(
        instant: row.instant, shown: app, truth: truth, difference: app - truth)
      if figure.difference.magnitude > allowed(run, of: truth) {
        stretches.take(figure)
      } else {
        stretches.close()
      }
    }
    stretches.close()
    return stretches.findings
  }

  /// When the two figures cannot be held against one another, by start: while a bolus is given.
  private static func excluded(_ run: RunResult) -> [Range<Instant>] {
    run.boluses.map { $0.start..<($0.end + grace) }.sorted { $0.lowerBound < $1.lowerBound }
  }
}
