internal import Quantities
internal import Simulation

/// Which doses of the app stand in which rows where samples of the health store overlap: those of
/// two apps do, of which one was installed while a clock was wrong.
///
/// A dose stands in the row of the first sample of the same time, and else in the first row that
/// has its middle.
struct SampledDoses {
  private var owners: [Int: Int] = [:]
  private let doses: [InsulinDeliveryRecord]

  /// Finds the sample of each dose.
  ///
  /// - Parameters:
  ///   - doses: The doses, by their start.
  ///   - samples: The samples, by their start.
  ///   - tolerance: Instants that are not further apart mean the same.
  init(
    of doses: [InsulinDeliveryRecord], _ samples: [BasalSampleRecord], within tolerance: TimeSpan
  ) {
    self.doses = doses
    var reached = samples.first?.start
    let overlap = samples.contains { sample in
      defer { reached = max(reached ?? sample.end, sample.end) }
      return reached.map { sample.start < $0 } ?? false
    }
    guard overlap else { return }
    for (place, dose) in doses.enumerated() {
      let first = samples.partitioningIndex { $0.start >= dose.start - tolerance }
      owners[place] = samples[first...].indices.prefix {
        samples[$0].start <= dose.start + tolerance
      }.first { (samples[$0].end - dose.end).magnitude <= tolerance }
    }
  }

  /// Whether a dose within the stretch of a sample stands in its row, of which earlier rows have
  /// the time before an instant.
  func contains(_ dose: Int, in sample: Int, from first: Instant) -> Bool {
    if let owner = owners[dose] { return owner == sample }
    return doses[dose].middle > first
  }
}

extension InsulinDeliveryRecord {
  /// The middle of the dose.
  var middle: Instant { start + .milliseconds((end - start).milliseconds / 2) }
}
