internal import HealthStore
internal import Quantities

/// A basal of a pump's record, which the next one cuts.
protocol TimedBasal {
  var start: Instant { get }
  var end: Instant { get }
  var uuid: SampleUUID { get }
}

extension TimedBasal {
  /// Whether it comes before another in the order of time: of two at one time the one that lasts
  /// none, which ends what ran before, and not what begins with it.
  static func precedes(_ one: Self, _ other: Self) -> Bool {
    guard one.start == other.start else { return one.start < other.start }
    let (first, second) = (one.end > one.start, other.end > other.start)
    return first == second ? one.uuid < other.uuid : second
  }
}
