public import Dosing
public import HealthStore
public import Quantities

/// Insulin given or withheld over a stretch of time, as the app keeps it.
///
/// The model and its rules are those of `DoseEntry` in LoopKit (github.com/LoopKit/LoopKit,
/// `DoseEntry.swift`). Amounts are `Double` units, because a dose that is cut in two is shared out
/// in proportion to time; what a pump counts in pulses arrives in ``deliveredUnits``.
public struct DoseEntry: Hashable, Sendable {
  /// What a dose is, by the names that results have for it.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Basal insulin by the schedule.
    case basal
    /// Insulin given at once.
    case bolus
    /// Basal insulin at a temporary rate.
    case tempBasal
    /// A stretch without delivery, or its beginning.
    case suspend
    /// The end of a suspension.
    case resume
  }

  /// How much was programmed.
  public enum Amount: Hashable, Sendable {
    /// A volume, in units of insulin (U).
    case units(Double)
    /// A rate, in units per hour (U/h).
    case unitsPerHour(Double)
  }

  // A run keeps each dose twice and hands it about in every cycle: in this order, and with numbers
  // that may be missing in eight bytes, a dose takes 64 bytes and not 96.

  /// When it began.
  public var start: Instant
  /// When it ended, or will end.
  public var end: Instant
  private var programmed: Double
  /// What was delivered, in U, where the device said so.
  @OptionalNumber public var deliveredUnits: Double?
  /// The scheduled basal rate that held at the same time, in U/h.
  @OptionalNumber public var scheduledBasalRate: Double?
  /// The name under which the same dose is recognised everywhere.
  public var syncIdentifier: SyncIdentifier?
  /// What kind of dose it is.
  public var kind: Kind
  private var isRate: Bool
  /// The brand of the insulin, where it is known.
  public var insulinType: InsulinType?
  /// Whether the app gave the dose without being asked; nothing when unknown.
  public var isAutomatic: Bool?
  /// Whether a person typed in the dose (non-pump insulin logged in the app).
  public var isManuallyEntered: Bool
  /// Whether the dose may still change: a running bolus or temp basal, or an open suspension.
  public var isMutable: Bool

  /// The volume or rate that was programmed.
  public var amount: Amount {
    get { isRate ? .unitsPerHour(programmed) : .units(programmed) }
    set { (programmed, isRate) = newValue.parts }
  }

  /// Creates a dose; see the properties for the units.
  public init(
    _ kind: Kind, from start: Instant, to end: Instant, _ amount: Amount,
    deliveredUnits: Double? = nil, syncIdentifier: SyncIdentifier? = nil,
    scheduledBasalRate: Double? = nil, insulinType: InsulinType? = nil,
    isAutomatic: Bool? = nil, isManuallyEntered: Bool = false, isMutable: Bool = false
  ) {
    self.kind = kind
    self.start = start
    self.end = end
    (programmed, isRate) = amount.parts
    self.deliveredUnits = deliveredUnits
    self.syncIdentifier = syncIdentifier
    self.scheduledBasalRate = scheduledBasalRate
    self.insulinType = insulinType
    self.isAutomatic = isAutomatic
    self.isManuallyEntered = isManuallyEntered
    self.isMutable = isMutable
  }

  /// The length of the dose; a suspension that is still open has none.
  public var duration: TimeSpan { end - start }

  /// Whether the dose is a stretch of basal delivery or of its absence, rather than a bolus.
  public var isBasalKind: Bool { kind != .bolus }
}

extension DoseEntry.Amount {
  /// The number, and whether it is that of a rate.
  fileprivate var parts: (number: Double, isRate: Bool) {
    switch self {
    case .units(let units): (units, false)
    case .unitsPerHour(let rate): (rate, true)
    }
  }
}
