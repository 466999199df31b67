internal import Quantities

/// What of a sample does not count beside others: all of it, or parts of the time that it lasts.
enum AuditRepeat {
  case whole
  case parts(IntervalSet)

  /// How much of a stretch of the sample's time counts.
  func kept(_ start: Instant, _ end: Instant) -> TimeSpan {
    switch self {
    case .whole: .zero
    case .parts(let covered): covered.uncovered(start, end)
    }
  }

  /// The stretches of the sample's time that count, earliest first.
  func kept(of record: AuditRecord) -> [(start: Instant, end: Instant)] {
    switch self {
    case .whole: []
    case .parts(let covered): covered.gaps(from: record.start, to: record.end)
    }
  }
}
