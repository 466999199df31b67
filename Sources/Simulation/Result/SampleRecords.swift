public import HealthStore
public import Quantities

/// One basal sample of the health store, as a clinician's table shows it.
public struct BasalSampleRecord: Hashable, Sendable {
  /// Which programme of the pump a segment belongs to.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The schedule, a temp basal, or a suspension.
    case basal, tempBasal, suspend
  }

  /// The start of the sample.
  public var start: Instant
  /// The end of the sample.
  public var end: Instant
  /// The programmed rate; zero while suspended.
  public var rate: InsulinRate
  /// The units in the sample.
  public var units: InsulinAmount
  /// Which programme of the pump it belongs to.
  public var kind: Kind
  /// The name of the app that wrote the sample.
  public var source: String
  /// When the sample was written.
  public var writtenAt: Instant
  /// The sample's identifier (a UUID).
  public var sampleID: SampleUUID
}

/// One insulin sample of the health store.
public struct InsulinSampleRecord: Hashable, Sendable {
  /// The start of the sample.
  public var start: Instant
  /// The end of the sample.
  public var end: Instant
  /// The amount of the sample, in U.
  public var units: Double
  /// The name of the app that wrote it.
  public var source: String
  /// When it was written.
  public var writtenAt: Instant
  /// The identity of the sample.
  public var sampleID: SampleUUID
  /// The sync identifier; `nil` where the app gave none.
  public var syncIdentifier: SyncIdentifier?
  /// Whether its reason is basal, and not a bolus.
  public var isBasal: Bool
  /// Whether the app under test wrote it, and not another one.
  public var isOwn: Bool

  /// Creates a record; see the properties.
  init(
    start: Instant, end: Instant, units: Double, isBasal: Bool, isOwn: Bool, source: String,
    writtenAt: Instant, sampleID: SampleUUID, syncIdentifier: SyncIdentifier?
  ) {
    self.start = start
    self.end = end
    self.units = units
    self.isBasal = isBasal
    self.isOwn = isOwn
    self.source = source
    self.writtenAt = writtenAt
    self.sampleID = sampleID
    self.syncIdentifier = syncIdentifier
  }
}
