public import Dosing
public import HealthStore
public import Quantities

/// A stretch of basal delivery between two reports to the health store.
public struct BasalSegment: Hashable, Sendable {
  /// What the pump was doing.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It ran the schedule.
    case scheduled
    /// It ran a temp basal.
    case temp
    /// Delivery was suspended.
    case suspend
  }

  /// When the segment begins.
  public var start: Instant
  /// When it ends.
  public var end: Instant
  /// What the pump was doing.
  public var kind: Kind
  /// The rate that was programmed.
  public var rate: InsulinRate
  /// The rate of the schedule beside it.
  public var scheduledRate: InsulinRate
  /// What is reported as delivered.
  public var units: InsulinAmount
  /// The name of the sample: `BasalRateSchedule <start> <end>`, or the pump event's, with ` i/n`
  /// when the segment is one of several parts.
  public var syncIdentifier: SyncIdentifier
  /// The pump event behind the segment; scheduled basal has none.
  public var eventIdentifier: SyncIdentifier?
  /// The insulin in the pump; `nil` where it is not known.
  public var insulinType: InsulinType?
  /// Whether the loop commanded it; `nil` for scheduled basal.
  public var isAutomatic: Bool?

  /// The length of the segment.
  public var duration: TimeSpan { end - start }

  /// The segment as a finished dose whose delivery is known.
  public var dose: DoseEntry {
    assert(start <= end, "A segment ends after it starts.")
    assert(rate >= .zero && scheduledRate >= .zero, "A basal rate cannot be negative.")
    let kind: DoseEntry.Kind =
      switch kind {
      case .scheduled: .basal
      case .temp: .tempBasal
      case .suspend: .suspend
      }
    return DoseEntry(
      kind, from: start, to: end,
      kind == .suspend ? .units(0) : .unitsPerHour(rate.unitsPerHour),
      deliveredUnits: units.units, syncIdentifier: syncIdentifier,
      scheduledBasalRate: scheduledRate.unitsPerHour, insulinType: insulinType,
      isAutomatic: isAutomatic)
  }
}
