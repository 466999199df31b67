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
    // Thousands may stand at one time, as of a clock that was not set.
    var latest: [Double: Int] = [:]
    for sample in own {
      if let value = sample.storedValue {
        if let place = latest[value], sample.start - readings[place].start <= .seconds(1) {
          copies.append((readings[place], sample))
          continue
        }
        latest[value] = readings.count
      }
      readings.append(sample)
    }
  }
}
