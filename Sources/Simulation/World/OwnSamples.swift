internal import Quantities

/// The app's own samples of insulin, by the deliveries that they tell of.
///
/// Another source may tell of the same delivery a second time. A search through all samples for
/// each of its samples would cost the square of a long run.
public struct OwnSamples: Sendable {
  private struct Delivery: Hashable, Sendable {
    var start: Instant
    var end: Instant
    var isBasal: Bool

    init(_ sample: InsulinSampleRecord) {
      start = sample.start
      end = sample.end
      isBasal = sample.isBasal
    }
  }

  private let samples: [InsulinSampleRecord]
  /// The place of the first sample of each delivery; empty where all samples are the app's own.
  private var places: [Delivery: Int] = [:]

  /// Takes the samples of a health store.
  public init(_ samples: [InsulinSampleRecord]) {
    self.samples = samples
    guard samples.contains(where: { !$0.isOwn }) else { return }
    for index in samples.indices where samples[index].isOwn {
      let delivery = Delivery(samples[index])
      if places[delivery] == nil { places[delivery] = index }
    }
  }

  /// The app's own sample of the same delivery, where another source has one too.
  public func original(of sample: InsulinSampleRecord) -> InsulinSampleRecord? {
    sample.isOwn ? nil : places[Delivery(sample)].map { samples[$0] }
  }
}
