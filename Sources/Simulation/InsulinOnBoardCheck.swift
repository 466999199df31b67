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
struct InsulinOnBoardCheck {
  /// The stretches in which the app's figure was wrong in one direction.
  struct Finding {
    /// The first and the last row in which it was.
    var start: Instant
    var end: Instant
    /// How many stretches there were, and how long they lasted together.
    var count = 0
    var span = TimeSpan.zero
    /// The row in which it was worst, with both figures in U.
    var worst: Row
  }

  /// Net insulin on board by the app and by what entered the body, in U.
  struct Row {
    var instant: Instant
    var app: Double
    var body: Double
    var difference: Double { app - body }
  }

  /// What a difference is allowed to be, in U: five pulses, a quarter of a unit, or a twentieth of
  /// what there is.
  private static func allowed(_ run: RunResult, of units: Double) -> Double {
    max(0.25, 5 * run.pulseSize.units, units.magnitude / 20)
  }
  /// A shorter stretch is no trouble: the app learns of what happened in its next cycles.
  private static let shortest = TimeSpan.minutes(15)
  /// How long after the end of a bolus the app may still count it as a whole.
  private static let grace = TimeSpan.minutes(5)

  /// Too high, then too low; those that there were.
  private(set) var findings: [Finding] = []

  init(_ run: RunResult) {
    guard run.hasApp else { return }
    // Most runs have nothing near what is allowed, which an estimate shows in fewer steps.
    if run.injections.allSatisfy({ $0.countedModel == nil }) {
      var estimate = InsulinOnBoardEstimate(run)
      let near = Self.findings(run, share: 0.96) { estimate.net(at: run.trace.rows[$0].instant) }
      if near.isEmpty { return }
    }
    let exact = run.insulinOnBoard()
    findings = Self.findings(run, share: 1) { exact[$0].body.net }
  }

  /// The stretches in which the app's figure lies further from the body's than a share of what is
  /// allowed; `body` is the body's in a row, by its place.
  private static func findings(
    _ run: RunResult, share: Double, body: (Int) -> Double
  ) -> [Finding] {
    let excluded = excluded(run)
    var (high, low): (Finding?, Finding?)
    var open: Finding?
    func close() {
      guard let stretch = open else { return }
      open = nil
      guard stretch.end - stretch.start >= shortest else { return }
      if stretch.worst.difference > 0 {
        add(stretch, to: &high)
      } else {
        add(stretch, to: &low)
      }
    }
    var next = 0
    var excludedUntil = run.start - .days(1)
    for (place, row) in run.trace.rows.enumerated() {
      while next < excluded.count, excluded[next].lowerBound <= row.instant {
        excludedUntil = max(excludedUntil, excluded[next].upperBound)
        next += 1
      }
      if row.instant <= excludedUntil { continue }
      guard let app = row.insulinOnBoard else {
        close()
        continue
      }
      let figures = Row(instant: row.instant, app: app, body: body(place))
      guard figures.difference.magnitude > share * allowed(run, of: figures.body) else {
        close()
        continue
      }
      if let worst = open?.worst, worst.difference.sign != figures.difference.sign { close() }
      var stretch = open ?? Finding(start: row.instant, end: row.instant, worst: figures)
      stretch.end = row.instant
      if figures.difference.magnitude > stretch.worst.difference.magnitude {
        stretch.worst = figures
      }
      open = stretch
    }
    close()
    return [high, low].compactMap(\.self)
  }

  /// When the two figures cannot be held against one another, by start: while a bolus is given.
  private static func excluded(_ run: RunResult) -> [Range<Instant>] {
    run.boluses.map { $0.start..<($0.end + grace) }.sorted { $0.lowerBound < $1.lowerBound }
  }

  private static func add(_ stretch: Finding, to sum: inout Finding?) {
    var all = sum ?? stretch
    all.end = stretch.end
    all.count += 1
    all.span = all.span + (stretch.end - stretch.start)
    if stretch.worst.difference.magnitude > all.worst.difference.magnitude {
      all.worst = stretch.worst
    }
    sum = all
  }
}
