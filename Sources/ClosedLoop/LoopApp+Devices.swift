public import Devices
internal import Dosing
public import HealthStore
public import Quantities

extension LoopApp {
  /// Takes in a value of the CGM.
  ///
  /// A value the sensor itself calls unreliable is not stored, and stops automatic dosing until a
  /// reliable one comes.
  public mutating func ingest(_ reading: GlucoseReading, at now: Instant) {
    glucoseIsUnreliable = reading.isUnreliable
    guard !reading.isUnreliable else { return }
    let identifier = SyncIdentifier.reading(
      sensor: reading.sensor, number: reading.number, at: reading.instant)
    glucose.add(
      GlucoseStore.Row(
        date: reading.instant, glucose: reading.glucose, syncIdentifier: identifier,
        provenance: configuration.bundleIdentifier, isDisplayOnly: reading.isDisplayOnly,
        wasUserEntered: reading.isDisplayOnly,
        condition: reading.isOutOfRange ? reading.condition.rawValue : nil,
        trend: reading.trend?.arrow, trendRate: reading.trendRate))
    glucose.purge(at: now)
  }

  /// Takes in what the pump said when it was read, and the pulses it counted since.
  ///
  /// Running events replace those of the last report. Beside them the app learns the basal pulses
  /// that the pump counted since it was last read. While insulin follows from the
  /// reservoir the events are listed all the same, but the history does not count as read.
  public mutating func ingest(
    _ report: PumpReport, pulses: [CountedPulses], at now: Instant
  ) {
    pump.note(pulses)
    settleUncertainCommands(by: report.status, at: now)
    let readsHistory = ingestReservoir(report)
    pump.take(report, insulin: therapies.current.insulinType, readsHistory: readsHistory, at: now)
    pump.refreshPrograms(reportedUntil: reporter.reportedUntil)
  }

  /// Notes the basal pulses the pump counted, where the pump's report comes later.
  public mutating func note(_ pulses: [CountedPulses]) { pump.note(pulses) }

  /// Learns what became of a command.
  ///
  /// A command without a reply blocks dosing until the pump has been read again; until then a bolus
  /// counts as given.
  public mutating func acknowledge(
    _ command: PumpCommand, result: Result<Void, PumpError>, at now: Instant
  ) {
    switch result {
    case .success:
      switch command {
      case .startTempBasal(let rate, _, _):
        pump.noteTempBasal(rate, at: now)
      case .replaceSchedule(let schedule):
        therapies.replaceBasal(
          with: schedule, from: now, on: configuration.scheduleClock(savedAt: now))
      default: break
      }
    case .failure(.uncertainDelivery):
      pump.noteUncertain(command, at: now)
    case .failure: break
    }
  }

  /// Settles the commands without a reply for good, once another pod has taken the place of the one
  /// they were sent to, which can no longer be asked.
  ///
  /// A bolus counts as given, and so does a temp basal above the schedule; a temp basal below it,
  /// and a command to stop, count as failed (OmniBLE, `PodCommsSession.swift`).
  private mutating func settleUncertainCommands(by status: PumpStatus, at now: Instant) {
    let assumed = pump.takeUncertain(replacedBy: status).compactMap { pending in
      HistoryEvent(
        assumed: pending, until: status.podActivation ?? now,
        scheduled: scheduledRate(at: pending.instant), insulin: therapies.current.insulinType)
    }
    if !assumed.isEmpty { pump.assume(assumed, at: now) }
  }

  /// What the reporter cuts segments from.
  var basalDelivery: BasalReporter.Delivery {
    BasalReporter.Delivery(
      programs: pump.programs, basal: therapies.basal, pulses: pump.pulses)
  }
}

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
  /// The first bytes of the identifier of an event that is assumed; no pump names its events so.
  private static let assumed = Array("uncertain ".utf8)

  /// The identifier of the event that is assumed of a command without a reply.
  fileprivate init(assumed kind: HistoryEvent.Kind, at instant: Instant) {
    self.init(hexadecimalOf: Self.assumed + Array("\(kind) \(instant)".utf8))
  }

  /// Whether the event was assumed of a command without a reply, and is not one that the pump told
  /// of.
  public var isAssumed: Bool {
    description.hasPrefix(SyncIdentifier(hexadecimalOf: Self.assumed).description)
  }
}
