internal import Quantities

/// Why two records differ.
struct DifferenceCause: Hashable {
  /// Whether a person should look.
  var severity: RecordDifference.Severity
  var kind: RecordDifference.Kind
  /// The cause as a part of a sentence.
  var clause: String

  init(_ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind, _ clause: String) {
    self.severity = severity
    self.kind = kind
    self.clause = clause
  }
}

extension ComparedRecords {
  /// Why what the pump gave was too old for the app when it could have taken it in, or have written
  /// it; `nil` where it was not.
  func causeOfAge(
    from start: Instant, to end: Instant, in record: RecordAgreement.Record,
    _ kind: RecordDifference.Kind
  ) -> DifferenceCause? {
    /// Whether it was too old at an instant, by a clock that was so far ahead.
    func isTooOld(at instant: Instant, ahead: TimeSpan = .zero) -> Bool {
      max(.zero, instant - start) + ahead + causes.usualDelay >= causes.window
    }
    let does = record == .app ? "takes in" : "writes"
    /// How much of the time in which it could have been an obstacle lasted.
    func overlap(_ obstacle: AppObstacles.Past) -> TimeSpan {
      min(obstacle.span.upperBound, end + causes.window) - max(obstacle.span.lowerBound, start)
    }
    let obstacles = causes.pastObstacles.filter {
      $0.span.lowerBound <= end + causes.usualDelay && isTooOld(at: $0.span.upperBound)
        && !(record == .app && $0.isDenial)
    }
    // Of several the first of those that lasted longest; what is one thing by itself before others.
    let alone = obstacles.filter { !$0.isMixed }
    if let obstacle = (alone.isEmpty ? obstacles : alone).max(by: { overlap($0) < overlap($1) }) {
      let times = span(obstacle.span.lowerBound, obstacle.span.upperBound)
      return DifferenceCause(
        .check, obstacle.isDenial ? .notAllowed : kind,
        "\(obstacle.words) from \(times), and the app \(does) nothing older than \(causes.window)")
    }
    guard let ahead = causes.clockAhead, isTooOld(at: ahead.since, ahead: ahead.span) else {
      return nil
    }
    return DifferenceCause(
      .check, kind,
      "the phone's clock was \(ahead.span.roundedToSecond) ahead, and the app \(does) nothing "
        + "older than \(causes.window)")
  }
}
