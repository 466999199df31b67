public import Devices
internal import Dosing
public import HealthStore
internal import Quantities

/// The events of the history as they follow from what the pump says, and from what it does not.
extension HistoryEvent {
  /// The event as the app keeps it, with the dose it stands for.
  init(_ event: PumpEvent, insulin: InsulinType) {
    let dose: DoseEntry?
    let kind: Kind
    switch event.kind {
    case .bolus:
      kind = .bolus
      dose = DoseEntry(
        .bolus, from: event.start, to: event.end, .units((event.programmedAmount ?? .zero).units),
        deliveredUnits: event.isMutable ? nil : event.deliveredAmount?.units,
        insulinType: insulin, isAutomatic: event.isAutomatic)
    case .tempBasal:
      kind = .tempBasal
      dose = DoseEntry(
        .tempBasal, from: event.start, to: event.end,
        .unitsPerHour((event.programmedRate ?? .zero).unitsPerHour),
        deliveredUnits: event.isMutable ? nil : event.deliveredAmount?.units,
        insulinType: insulin, isAutomatic: event.isAutomatic)
    case .suspend:
      kind = .suspend
      dose = .mark(.suspend, at: event.start, insulin)
    case .resume:
      kind = .resume
      dose = .mark(.resume, at: event.start, insulin)
    case .alarm(let alarm):
      kind = .alarm
      // A pump that has stopped gives nothing, whatever its schedule says.
      dose = alarm.stopsDelivery ? .mark(.suspend, at: event.start, insulin) : nil
    case .alarmCleared:
      kind = .alarmCleared
      dose = .mark(.resume, at: event.start, insulin)
    case .prime: (kind, dose) = (.prime, nil)
    case .rewind: (kind, dose) = (.rewind, nil)
    }
    self.init(
      kind, at: event.start, identifier: SyncIdentifier(event.identifier), dose: dose,
      isMutable: event.isMutable)
  }

  /// What is assumed of a command without a reply; `nil` where it counts as failed.
  ///
  /// Nothing that it began lasts longer than the pod.
  init?(
    assumed pending: UncertainCommand, until end: Instant, scheduled: InsulinRate,
    insulin: InsulinType
  ) {
    guard UncertainDelivery.isAssumedCarriedOut(pending.command, scheduled: scheduled)
    else { return nil }
    let start = pending.instant
    switch pending.command {
    case .startBolus(let amount, let automatic):
      let dose = DoseEntry(
        .bolus, from: start, to: start, .units(amount.units), deliveredUnits: amount.units,
        insulinType: insulin, isAutomatic: automatic)
      self.init(
        .bolus, at: start, identifier: SyncIdentifier(assumed: .bolus, at: start), dose: dose)
    case .startTempBasal(let rate, let duration, let automatic):
      let dose = DoseEntry(
        .tempBasal, from: start, to: max(start, min(start + duration, end)),
        .unitsPerHour(rate.unitsPerHour), insulinType: insulin, isAutomatic: automatic)
      self.init(
        .tempBasal, at: start, identifier: SyncIdentifier(assumed: .tempBasal, at: start),
        dose: dose)
    default: return nil
    }
  }
}

extension DoseEntry {
  fileprivate static func mark(_ kind: Kind, at date: Instant, _ insulin: InsulinType) -> Self {
    DoseEntry(kind, from: date, to: date, .units(0), insulinType: insulin)
  }
}

extension SyncIdentifier {
  /// The identifier of an event, as the pump names it.
  public init(_ event: PumpEvent.Identifier) {
    self.init(hexadecimalOf: UInt64(event.serial) << 32 | UInt64(event.number))
  }

  /// Whether the event of this name comes before that of another name in the same instant: pumps
  /// number their events, and what is assumed comes behind all that they tell.
  public func isNumbered(before other: Self) -> Bool { description < other.description }

  /// The first bytes of the identifier of an event that is assumed; no pump names its events so.
  private static let assumed = Array("uncertain ".utf8)
  private static let assumedText = SyncIdentifier(hexadecimalOf: assumed).description

  /// The identifier of the event that is assumed of a command without a reply.
  fileprivate init(assumed kind: HistoryEvent.Kind, at instant: Instant) {
    self.init(hexadecimalOf: Self.assumed + Array("\(kind) \(instant)".utf8))
  }

  /// Whether the event was assumed of a command without a reply, and is not one that the pump told
  /// of.
  public var isAssumed: Bool { description.hasPrefix(Self.assumedText) }
}
