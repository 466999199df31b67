internal import HealthStore
internal import Quantities

/// The readings of one source, each once: what stands there again with the same time and value, as
/// after a second upload, is no other reading.
struct DistinctReadings {
  /// The readings, by time.
  private(set) var readings: [Sample] = []
  /// The readings that stand there again, each with the one that it repeats.
  private(set) var copies: [(first: Sample, copy: Sample)] = []

  /// Sorts out readings that are in the order of time.
  init(_ own: [Sample]) {
    readings.reserveCapacity(own.count)
    for sample in own {
      let near = readings.reversed().prefix { sample.start - $0.start <= .seconds(1) }
      if let first = near.first(where: { $0.storedValue == sample.storedValue }) {
        copies.append((first, sample))
      } else {
        readings.append(sample)
      }
    }
  }
}
