internal import Dosing
internal import Quantities

/// Finds when the insulin on board that the app believed in was far from what had entered the body.
///
/// People and the algorithm act on that number, whatever the reason: an amount that was counted
/// wrongly or at the wrong time, insulin that came late, a record that nobody had read yet. Totals
/// of a run can agree all the same.
///
/// Where records are right, both figures lie within three pulses of one another, or within a
/// fiftieth of much insulin, except while a bolus is being given, which the app counts as a whole:
/// by so much more they may differ then. Where the loop gives one in every cycle that is always.
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
    var stretches = WrongStretches()
    let boluses = run.boluses.sorted { $0.start < $1.start }
    var next = 0
    // The boluses that the app may count as a whole already, or not at all yet.
    var underway: [PumpBolusRecord] = []
    var wasWrong = false
    for row in run.trace.rows {
      if wasWrong { stretches.stand(until: row.instant) }
      wasWrong = false
      underway.removeAll { $0.end + grace < row.instant }
      while next < boluses.count, boluses[next].start <= row.instant {
        if row.instant <= boluses[next].end + grace { underway.append(boluses[next]) }
        next += 1
      }
      guard let app = row.insulinOnBoard else {
        if underway.isEmpty { stretches.close() }
        continue
      }
      let truth = counter.onBoard(at: row.instant, app: nil).body.net
      let toCome = underway.reduce(0) { $0 + $1.unitsToCome(after: row.instant) }
      let figure = WrongStretches.Figure(
        instant: row.instant, shown: app, truth: truth, difference: app - truth,
        explained: min(toCome, max(0, app - truth)))
      let whole = underway.reduce(0) { $0 + $1.asked.units }
      if figure.difference.magnitude > allowed(run, of: truth) + whole {
        stretches.take(figure)
        wasWrong = true
      } else if underway.isEmpty {
        stretches.close()
      }
    }
    stretches.close()
    return stretches.findings
  }
}

extension PumpBolusRecord {
  /// What of the amount asked for is not given yet at an instant, while the bolus is being given.
  fileprivate func unitsToCome(after instant: Instant) -> Double {
    guard start <= instant, instant < end else { return 0 }
    return asked.units - delivered.units * ((instant - start).seconds / (end - start).seconds)
  }
}
