public import Devices
internal import Dosing
public import Quantities

extension LoopApp {
  /// Takes in a value of the CGM.
  ///
  /// A value the sensor itself calls unreliable is not stored, and stops automatic dosing until a
  /// reliable one comes.
  public mutating func ingest(_ reading: GlucoseReading, at now: Instant) {
    glucoseIsUnreliable = reading.isUnreliable
    guard !reading.isUnreliable else { return }
    glucose.add(
      [
        GlucoseStore.Row(
          date: reading.instant, glucose: reading.glucose,
          syncIdentifier: "\(reading.sensor)-\(reading.number)-\(reading.instant)",
          provenance: configuration.bundleIdentifier, isDisplayOnly: reading.isDisplayOnly,
          wasUserEntered: reading.isDisplayOnly,
          condition: reading.isOutOfRange ? reading.condition.rawValue : nil,
          trend: reading.trend?.arrow, trendRate: reading.trendRate)
      ])
    glucose.purge(at: now)
  }

  /// Takes in what the pump said when it was read, and the pulses it counted since.
  ///
  /// Running events replace those of the last report. Of what happened in the pump since it was
  /// last read the app learns the basal pulses, and nothing else. While insulin follows from the
  /// reservoir the events are listed all the same, but the history does not count as read.
  public mutating func ingest(
    _ report: PumpReport, occurrences: [PumpOccurrence], at now: Instant
  ) {
    note(occurrences)
    pulsesKnownThrough = max(pulsesKnownThrough, report.completeThrough)
    let readsHistory = ingestReservoir(report)
    pumpEvents.add(
      historyEvents(report.events),
      lastReconciliation: readsHistory ? report.completeThrough : nil, at: now)
    pumpStatus = report.status
    if let pending = uncertain, !report.status.deliveryIsUncertain,
      report.completeThrough >= pending.instant
    {
      // The pump was read after the command: what it reports is what happened.
      uncertain = nil
    }
    refreshPrograms()
  }

  /// The events as the app keeps them.
  ///
  /// An alarm that stops delivery counts as a suspension, unless delivery is suspended already.
  private mutating func historyEvents(_ events: [PumpEvent]) -> [HistoryEvent] {
    var isSuspended = programs.contains { $0.kind == .suspend && $0.isMutable }
    var kept: [HistoryEvent] = []
    for event in events {
      var entry = HistoryEvent(event, insulin: therapy.insulinType)
      switch (entry.kind, entry.dose?.kind) {
      case (.alarm, .suspend):
        isStoppedByAlarm = !isSuspended
        if isSuspended { entry.dose = nil }
        isSuspended = true
      case (.alarmCleared, _):
        if isStoppedByAlarm { isSuspended = false } else { entry.dose = nil }
        isStoppedByAlarm = false
      case (_, .suspend): isSuspended = true
      case (_, .resume), (_, .tempBasal): isSuspended = false
      default: break
      }
      kept.append(entry)
    }
    return kept
  }

  /// Notes the basal pulses the pump counted, where the pump's report comes later.
  public mutating func note(_ occurrences: [PumpOccurrence]) {
    for occurrence in occurrences {
      guard let pulse = occurrence.pulse, pulse.kind == .basal else { continue }
      pulses.append(pulse.recorded, at: occurrence.instant)
    }
  }

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
        commandedTemp = CommandedTemp(rate: rate, instant: now)
      case .replaceSchedule(let schedule):
        basal.replace(with: schedule, from: now, on: configuration.scheduleClock(savedAt: now))
      default: break
      }
    case .failure(.uncertainDelivery):
      uncertain = UncertainCommand(command: command, instant: now)
    case .failure: break
    }
  }

  /// Settles a command without a reply for good, because the pump can no longer be asked.
  ///
  /// A bolus counts as given, and so does a temp basal above the schedule; a temp basal below it,
  /// and a command to stop, count as failed (OmniBLE, `PodCommsSession.swift`).
  public mutating func giveUpOnUncertainCommand(at now: Instant) {
    guard let pending = uncertain else { return }
    uncertain = nil
    guard let event = HistoryEvent(assumed: pending, scheduled: scheduledRate(at: pending.instant))
    else { return }
    pumpEvents.add([event], lastReconciliation: nil, replacingPending: false, at: now)
    if event.kind == .tempBasal, let dose = event.dose {
      let units = InsulinAmount(roundingUnits: dose.programmedUnits) ?? .zero
      pulses.append(
        units.flooredToMultiple(of: configuration.pump.pulse),
        at: max(dose.end, pulsesKnownThrough))
      pulsesKnownThrough = max(pulsesKnownThrough, dose.end)
    }
    refreshPrograms()
  }

  /// Reconciles the programs of the last day that basal not yet reported follows from, deleted
  /// events included: what the pump did is not undone by hiding it.
  ///
  /// Nothing is done while the history has no other programs; the list then reaches back further,
  /// which adds only what has been reported.
  mutating func refreshPrograms() {
    guard programsSeen != pumpEvents.programChanges else { return }
    programsSeen = pumpEvents.programChanges
    let reported = reporter.reportedUntil
    programs = pumpEvents.programs(
      from: reported - .days(1), stillRunningAfter: reported
    ).reconciled()
  }

  /// What the reporter cuts segments from.
  var basalDelivery: BasalReporter.Delivery {
    BasalReporter.Delivery(programs: programs, basal: basal, pulses: pulses)
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
      kind, at: event.start, raw: event.identifier.raw, dose: dose, title: event.kind.title,
      isMutable: event.isMutable)
  }

  /// What is assumed of a command without a reply; nothing where it counts as failed.
  init?(assumed pending: UncertainCommand, scheduled: InsulinRate) {
    guard UncertainDelivery.isAssumedCarriedOut(pending.command, scheduled: scheduled)
    else { return nil }
    let now = pending.instant
    let raw = Array("uncertain \(now)".utf8)
    switch pending.command {
    case .startBolus(let amount, let automatic):
      let dose = DoseEntry(
        .bolus, from: now, to: now, .units(amount.units), deliveredUnits: amount.units,
        isAutomatic: automatic)
      self.init(.bolus, at: now, raw: raw, dose: dose, title: "assumed bolus")
    case .startTempBasal(let rate, let duration, let automatic):
      let dose = DoseEntry(
        .tempBasal, from: now, to: now + duration, .unitsPerHour(rate.unitsPerHour),
        isAutomatic: automatic)
      self.init(.tempBasal, at: now, raw: raw, dose: dose, title: "assumed temp basal")
    default: return nil
    }
  }
}

extension DoseEntry {
  fileprivate static func mark(_ kind: Kind, at date: Instant, _ insulin: InsulinType) -> Self {
    DoseEntry(kind, from: date, to: date, .units(0), insulinType: insulin)
  }
}

extension PumpEvent.Kind {
  /// The name of the kind; written out, since the runtime finds it by reflection.
  fileprivate var title: String {
    switch self {
    case .bolus: "bolus"
    case .tempBasal: "tempBasal"
    case .suspend: "suspend"
    case .resume: "resume"
    case .prime: "prime"
    case .rewind: "rewind"
    case .alarm: "\(self)"
    case .alarmCleared: "alarmCleared"
    }
  }
}
