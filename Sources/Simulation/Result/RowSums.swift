internal import Devices
internal import Quantities

/// What has come together since the last row of the trace.
struct RowSums: Sendable {
  /// The newest reading that was shown; `nil` where none was.
  private(set) var reading: GlucoseConcentration?
  /// The stamp of that reading.
  private var stamp: Instant?
  var carbsEaten = CarbohydrateMass.zero
  var carbsEntered = CarbohydrateMass.zero
  /// What the last cycle recommended; empty before the first.
  var recommendation = ""
  /// When the last row was written; `nil` before the first.
  private(set) var since: Instant?
  /// The time to which the last reading of a row belongs; `nil` before the first.
  private var lastReading: Instant?

  /// Creates the sums of the first row.
  init() {}

  /// Creates the sums of the row after one that was written.
  init(after row: TraceRow, of sums: Self) {
    since = row.instant
    lastReading = row.readingInstant ?? sums.lastReading
  }

  /// The time to which the reading of a row at an instant belongs; `nil` without one.
  ///
  /// A reading of before the last row, or of before the last reading, came late, and one of a time
  /// to come is dated wrongly: they belong to the row.
  func readingInstant(at now: Instant) -> Instant? {
    guard let stamp else { return nil }
    let isOwn = stamp >= since ?? now && stamp <= now && lastReading.map { stamp > $0 } ?? true
    return isOwn ? stamp : now
  }

  /// A reading has come; one that was held up gives way to a newer one that came with it.
  mutating func show(_ new: GlucoseReading) {
    if let stamp, stamp > new.instant { return }
    (reading, stamp) = (new.glucose, new.instant)
  }

  /// The first row tells of no reading that is older than the time between two rows.
  mutating func forgetReading(olderThan oldest: Instant) {
    guard let stamp, stamp < oldest else { return }
    (reading, self.stamp) = (nil, nil)
  }
}
