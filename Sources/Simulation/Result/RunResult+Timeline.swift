public import Quantities

extension RunResult {
  /// The time between two rows of the trace.
  public var rowInterval: TimeSpan { Trace.interval(forOutputEvery: outputInterval) }

  /// The rows of the timeline as it is written, ``outputInterval`` apart.
  ///
  /// Where that is more than five minutes each sums up the rows of the trace since the row before:
  /// amounts are added up, and reading and recommendation are the latest. A run that the body did
  /// not survive has a last row for its end.
  public var timeline: [TraceRow] {
    guard outputInterval > rowInterval else { return trace.rows }
    var rows: [TraceRow] = []
    var open: TraceRow?
    for row in trace.rows {
      let sum = open?.followed(by: row) ?? row
      let isDue = (row.instant - start).milliseconds % outputInterval.milliseconds == 0
      if isDue || row.instant == lethalEnd?.instant {
        rows.append(sum)
        open = nil
      } else {
        open = sum
      }
    }
    return rows
  }
}

extension TraceRow {
  /// The row that tells of the time of both.
  fileprivate func followed(by next: Self) -> Self {
    assert(instant < next.instant, "Rows come in the order of time.")
    var sum = next
    if next.reading == nil { (sum.reading, sum.readingInstant) = (reading, readingInstant) }
    sum.basalDelivered = basalDelivered + next.basalDelivered
    sum.bolusDelivered = bolusDelivered + next.bolusDelivered
    sum.carbsEaten = carbsEaten + next.carbsEaten
    sum.carbsEntered = carbsEntered + next.carbsEntered
    if sum.recommendation.isEmpty { sum.recommendation = recommendation }
    return sum
  }
}
