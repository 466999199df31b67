internal import Dosing
public import HealthStore
public import Quantities

/// One entry of a pump's history.
///
/// The list of these is what the user sees as *Event History*. Scheduled basal is not in it: the
/// pump does not report it, and neither does LoopKit keep it there (`PumpEvent.swift`).
public struct HistoryEvent: Hashable, Sendable {
  /// What happened, by the names that results have for it.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The pump alarms.
    case alarm
    /// An alarm is cleared.
    case alarmCleared
    /// The pump begins a basal schedule.
    case basalProfileStart = "basal"
    /// A bolus.
    case bolus
    /// The tubing is filled.
    case prime
    /// Delivery is resumed.
    case resume
    /// The reservoir is taken out.
    case rewind
    /// Delivery is suspended.
    case suspend
    /// A temp basal.
    case tempBasal
  }

  /// When, by the pump's report.
  public var date: Instant
  /// The bytes by which the pump names the event, in lower-case hexadecimal; unique in the store.
  public var syncIdentifier: SyncIdentifier
  /// What happened.
  public var kind: Kind
  /// Whether the pump may still change what it reported.
  public var isMutable: Bool
  /// Whether it is an alarm that stops delivery, or the end of one.
  private var concernsStandstill = false
  /// The insulin in the pump that stands still.
  private var insulinType: InsulinType?
  /// The dose that the event stands for, where it is one.
  public var dose: DoseEntry?

  /// Whether the event stands before another in the history: by date, and of one instant in the
  /// order in which they happened, as a pump numbers its events.
  ///
  /// Loop goes by the kinds of events of one date, of which a pump that takes a second or more for
  /// each command gives it none.
  func precedes(_ other: Self) -> Bool {
    guard date == other.date else { return date < other.date }
    return syncIdentifier.isNumbered(before: other.syncIdentifier)
  }

  /// What an alarm that stops delivery, or its end, would stand for; `nil` for any other event.
  ///
  /// Whether it does depends on what was before it, of which a pump may tell later; see
  /// ``Standstill``.
  var standstill: DoseEntry? {
    guard concernsStandstill else { return nil }
    return DoseEntry(
      kind == .alarm ? .suspend : .resume, from: date, to: date, .units(0),
      syncIdentifier: syncIdentifier, insulinType: insulinType)
  }

  /// When its dose ends; the date of an event that is none.
  var end: Instant { dose?.end ?? date }

  /// Creates an event; a dose takes the identifier of the event.
  public init(
    _ kind: Kind, at date: Instant, identifier: SyncIdentifier, dose: DoseEntry? = nil,
    isMutable: Bool = false
  ) {
    self.kind = kind
    self.date = date
    syncIdentifier = identifier
    self.isMutable = isMutable
    guard var dose else { return }
    dose.syncIdentifier = identifier
    dose.isMutable = isMutable
    self.dose = dose
    switch (kind, dose.kind) {
    case (.alarm, .suspend), (.alarmCleared, .resume):
      (concernsStandstill, insulinType) = (true, dose.insulinType)
    default: break
    }
  }

  /// Creates an event that a pump names by bytes.
  public init(
    _ kind: Kind, at date: Instant, raw: [UInt8], dose: DoseEntry? = nil,
    isMutable: Bool = false
  ) {
    self.init(
      kind, at: date, identifier: SyncIdentifier(hexadecimalOf: raw), dose: dose,
      isMutable: isMutable)
  }
}

extension HistoryEvent.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .alarm: "AlarmPump"
    case .alarmCleared: "ClearAlarm"
    case .basalProfileStart: "BasalProfileStart"
    case .bolus: "Bolus"
    case .prime: "Prime"
    case .resume: "PumpResume"
    case .rewind: "Rewind"
    case .suspend: "PumpSuspend"
    case .tempBasal: "TempBasal"
    }
  }
}
