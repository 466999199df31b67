internal import HealthStore
public import Quantities

/// Readings of the app that a fault copied in the health store, which holds the copies at the end.
public struct CopiedGlucose: Hashable, Sendable {
  /// The fault that made the copies.
  public var fault: String
  /// Who wrote them.
  public var source: String
  /// The times of the first and the last, by the phone's clock.
  public var span: ClosedRange<Instant>
  /// How many there are.
  public var count: Int
}

extension World {
  /// The copies of readings that the store holds at the end, those of a fault together.
  var copiedGlucose: [CopiedGlucose] {
    let copied = store.copiedGlucose
    guard hasApp, !copied.isEmpty else { return [] }
    let samples = (try? store.records.samples(of: .bloodGlucose, as: .user)) ?? []
    let held = samples.compactMap { sample in copied[sample.uuid].map { (fault: $0, sample) } }
    return held.inGroups(by: \.fault).compactMap { copies in
      let times = copies.map(\.1.start)
      guard let first = times.min(), let last = times.max() else { return nil }
      return CopiedGlucose(
        fault: copies[0].fault, source: copies[0].1.source?.name ?? "another source",
        span: first...last, count: copies.count)
    }
  }
}
