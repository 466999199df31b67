public import Quantities

/// How the device behind a store is set up.
public struct StoreSettings: Hashable, Sendable {
  /// Whether there is health data at all.
  ///
  /// HealthKit: `HKHealthStore.isHealthDataAvailable()`.
  public var isAvailable = true
  /// Whether an administrator forbids health data.
  public var isRestricted = false
  /// Whether the device is locked: saving goes on, reading fails.
  public var isLocked = false
  /// Whether the sheet for permissions can be shown.
  public var canPrompt = true
  /// Samples that end before are refused and not returned; nothing when all are kept.
  ///
  /// HealthKit: `earliestPermittedSampleDate()`.
  public var earliestPermittedSampleDate: Instant?
  /// How long the trace of a deletion is kept; our choice of 30 days.
  public var tombstoneRetention = TimeSpan.days(30)
  /// The highest row among purged traces of deletions.
  public var highestPurgedRow: Int64 = 0

  /// Creates the usual settings.
  public init() {}
}
