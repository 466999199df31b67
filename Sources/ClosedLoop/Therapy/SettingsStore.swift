public import Quantities

/// What the settings were at each time: snapshots, never changed, only added.
///
/// A snapshot equal to the one before it is not stored. Old ones are purged, but never the newest
/// that still holds (LoopKit, `SettingsStore.swift`).
public struct SettingsStore: Sendable, Equatable {
  /// The settings from an instant on.
  public struct Snapshot: Sendable, Equatable {
    /// From when the settings hold.
    public var date: Instant
    /// The settings.
    public var settings: TherapySettings
    /// The number of the change, which grows with each.
    public var modificationCounter: Int64
  }

  /// The snapshots, earliest first; there is always one.
  public private(set) var snapshots: [Snapshot]
  private var counter: Int64 = 1

  /// Creates a store with the first settings.
  public init(_ settings: TherapySettings, at date: Instant) {
    snapshots = [Snapshot(date: date, settings: settings, modificationCounter: 1)]
  }

  /// The settings in force at the end of what was stored.
  public var current: TherapySettings {
    _read { yield snapshots[snapshots.count - 1].settings }
  }

  /// The last change: its number, and the date that it has.
  package var lastChange: (number: Int64, date: Instant) {
    (snapshots[snapshots.count - 1].modificationCounter, snapshots[snapshots.count - 1].date)
  }

  /// Stores the settings as of an instant, unless they are what they were.
  ///
  /// - Returns: Whether they changed.
  @discardableResult
  public mutating func store(_ settings: TherapySettings, at date: Instant) -> Bool {
    guard current != settings else { return false }
    counter += 1
    assert(
      snapshots.last.map { $0.modificationCounter < counter } ?? false,
      "Changes are numbered upwards.")
    snapshots.append(Snapshot(date: date, settings: settings, modificationCounter: counter))
    return true
  }

  /// The settings in force at an instant: the latest at or before it.
  public func settings(at instant: Instant) -> TherapySettings? {
    snapshots.last { $0.date <= instant }?.settings
  }

  /// Forgets snapshots that ended before an instant.
  public mutating func purge(before instant: Instant) {
    while snapshots.count > 1, snapshots[1].date <= instant { snapshots.removeFirst() }
  }
}
