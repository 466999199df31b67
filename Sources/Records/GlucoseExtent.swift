public import HealthStore
internal import Quantities

/// The few readings of a record that tell when it has glucose: of years of them the first, the one
/// that ends last, and between them as many as show where nothing pauses for more than a month.
public struct GlucoseExtent: Sendable {
  private var kept: [Sample] = []
  /// The one that ends last.
  private var reached: Sample?

  /// Creates the extent of no reading.
  public init() {}

  /// The readings that are kept, in the order of time.
  public var samples: [Sample] {
    guard let reached, reached.uuid != kept.last?.uuid else { return kept }
    return kept + [reached]
  }

  /// Takes the next reading, in the order of their starts.
  public mutating func take(_ sample: Sample) {
    guard let last = kept.last, let reached else {
      kept = [sample]
      self.reached = sample
      return
    }
    if sample.start - last.end > AuditDay.longestEmpty {
      kept = samples
      if sample.start - reached.end > AuditDay.longestEmpty { kept.append(sample) }
    }
    if sample.end > reached.end { self.reached = sample }
  }
}
