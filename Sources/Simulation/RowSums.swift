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
  var since: Instant?

  init(since: Instant? = nil) { self.since = since }

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
