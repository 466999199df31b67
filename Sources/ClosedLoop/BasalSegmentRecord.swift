public import HealthStore
public import Quantities

/// A reported basal segment, and what became of it in the health store.
public struct BasalSegmentRecord: Hashable, Sendable {
  /// The segment that was reported.
  public var segment: BasalSegment
  /// When the app closed the segment.
  public var closedAt: Instant
  /// When its sample was written; nothing while it is not.
  public var writtenAt: Instant?
  /// The sample in the health store; nothing while there is none.
  public var sampleID: SampleUUID?
}
