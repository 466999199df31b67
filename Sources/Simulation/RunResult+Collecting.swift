internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Physiology
internal import Quantities

extension Run {
  /// Ends the run: writes what is due, compares the records, and collects everything.
  public mutating func finish() -> RunResult {
    liveOn(to: setup.end)
    receiveReadings()
    ingestPump()
    if isAppRunning { state.phone.flush(to: &state.store, at: state.now) }
    let reportedThrough = state.phone.reportedUntil
    endPrograms()
    check()
    let stored = storedSamples()
    let samples = insulinSamples(stored)
    let eventHistory = state.phone.eventHistory.compactMap(EventHistoryRecord.init)
    let delivery = deliveryRecords()
    let comparison = RecordComparison(
      start: setup.beginning, end: lastInstant, reportedThrough: reportedThrough,
      basalDelivered: { [pump = state.pump] in pump.basalDelivered(after: $0, through: $1) },
      boluses: state.boluses, eventHistory: eventHistory, delivery: delivery, samples: samples,
      deletedEvents: state.deletedEvents, deletedSamples: state.deletedSamples,
      clock: setup.clock)
    var agreement = comparison.compare()
    agreement.add(bodyDifferences() + discardedDifferences() + scheduleDifferences())
    var result = RunResult(
      id: setup.id, seed: setup.seed, clock: setup.clock, start: setup.start, end: lastInstant,
      trace: state.trace, cycles: state.cycles, basalSamples: basalSamples(stored),
      eventHistory: eventHistory, insulinDelivery: delivery, insulinSamples: samples,
      ledger: state.pump.ledger,
      agreement: agreement, violations: state.violations,
      store: state.store, pulses: state.pulses, boluses: state.boluses,
      bolusRequests: state.bolusRequests, programs: state.programs, injections: state.injections,
      scheduledBasal: state.phone.scheduledBasal(from: setup.start, to: lastInstant),
      basalNeed: setup.basalNeed, pulseSize: state.pump.profile.pulse, limits: limits(),
      faultWindows: faultWindows(), cycleOutcomes: state.cycleOutcomes,
      dosingSwitches: state.dosingSwitches, reactions: state.reactions)
    result.lethalEnd = state.lethalEnd
    result.digest = result.computedDigest
    result.stepCheck = (state.patient as? StepCheckedPatient)?.stepCheck
    return result
  }

  /// What still runs when the run ends becomes a record as far as it has come.
  private mutating func endPrograms() {
    state.programs.append(PumpProgramRecord(state.pump.program, end: state.now))
    guard let bolus = state.pump.bolus,
      let index = state.boluses.lastIndex(where: { $0.identifier == bolus.event.description })
    else { return }
    state.boluses[index] = PumpBolusRecord(bolus, isRunning: true)
  }

  // MARK: - Records

  private func insulinSamples(_ stored: [StoredSample]) -> [InsulinSampleRecord] {
    let own = setup.app.configuration.bundleIdentifier
    return stored.map { stored in
      let sample = stored.sample
      let source = state.store.registry.sources[Int(stored.source)]
      return InsulinSampleRecord(
        start: sample.start, end: sample.end, units: sample.storedValue ?? 0,
        isBasal: sample.metadata.insulinDeliveryReason == .basal,
        isOwn: source.bundleIdentifier == own, source: source.name, writtenAt: stored.created,
        sampleID: "\(sample.uuid)", syncIdentifier: sample.metadata.syncIdentifier)
    }
  }

  private func basalSamples(_ stored: [StoredSample]) -> [BasalSampleRecord] {
    let own = setup.app.configuration.bundleIdentifier
    return stored.compactMap { stored in
      let (sample, metadata) = (stored.sample, stored.sample.metadata)
      let source = state.store.registry.sources[Int(stored.source)]
      guard source.bundleIdentifier == own, metadata.insulinDeliveryReason == .basal,
        let units = InsulinAmount(roundingUnits: sample.storedValue ?? 0)
      else { return nil }
      let kind: BasalSampleRecord.Kind
      let rate: InsulinRate
      if metadata.isSuspend == true {
        (kind, rate) = (.suspend, .zero)
      } else if let programmed = metadata.programmedTempBasalRate {
        (kind, rate) = (.tempBasal, programmed)
      } else {
        (kind, rate) = (.basal, metadata.scheduledBasalRate ?? .zero)
      }
      return BasalSampleRecord(
        start: sample.start, end: sample.end, rate: rate, units: units, kind: kind,
        source: source.name, writtenAt: stored.created, sampleID: "\(sample.uuid)")
    }
  }

  /// The insulin samples of the health store, by start, then by the order of writing.
  private func storedSamples() -> [StoredSample] {
    var found: [StoredSample] = []
    state.store.backend.visit(
      .time(.insulinDelivery, from: setup.beginning - .days(3_650), to: lastInstant + .days(1))
    ) { stored in
      found.append(stored)
      return true
    }
    return found.sorted { ($0.sample.start, $0.row) < ($1.sample.start, $1.row) }
  }

  private func deliveryRecords() -> [InsulinDeliveryRecord] {
    let own = setup.app.configuration.bundleIdentifier
    return state.phone.insulinDeliveries.map { row in
      let dose = row.dose
      return InsulinDeliveryRecord(
        start: dose.start, end: dose.end, kind: "\(dose.kind)",
        units: dose.deliveredUnits ?? dose.programmedUnits,
        scheduledRate: dose.scheduledBasalRate.flatMap { InsulinRate(roundingUnitsPerHour: $0) },
        isFromPump: row.provenance == own && !dose.isManuallyEntered,
        isMutable: dose.isMutable, source: row.provenance,
        identifier: row.syncIdentifier)
    }
  }

  private func limits() -> [LimitRecord] {
    let therapy = setup.app.configuration.therapy
    let first = LimitRecord(
      instant: setup.beginning, maximumBasalRate: therapy.maximumBasalRate,
      maximumBolus: therapy.maximumBolus)
    return [first]
      + state.phone.settingsSnapshots.map {
        LimitRecord(
          instant: $0.date, maximumBasalRate: $0.settings.maximumBasalRate,
          maximumBolus: $0.settings.maximumBolus)
      }
  }

  private func faultWindows() -> [FaultWindow] {
    state.faults.episodes.map { FaultWindow($0, last: lastInstant) }
  }

  // MARK: - Between pump and body, and between pulses

  /// Every way in which the body got something else than the pump counted.
  private func bodyDifferences() -> [RecordDifference] {
    let body = state.pump.ledger.body
    var found: [RecordDifference] = []
    for reason in BodyLedger.Difference.allCases where body[reason] != .zero {
      found.append(
        whole(
          .check, .notAbsorbed, units: -body[reason].units,
          "\(unitsText(body[reason].units)) U that the pump counted did not reach the body: "
            + "\(reason)."))
    }
    if body.unrequested != .zero {
      found.append(
        whole(
          .check, .unrequestedDelivery, units: body.unrequested.units,
          "The pump gave \(unitsText(body.unrequested.units)) U without a command, and no record "
            + "knows of it."))
    }
    for injection in state.injections where !isLogged(injection) {
      found.append(
        RecordDifference(
          .check, .unloggedInjection, from: injection.instant, to: injection.instant,
          units: injection.units,
          "\(unitsText(injection.units)) U injected at "
            + "\(setup.clock.civilTime(at: injection.instant).timeOfDay) are in no record."))
    }
    return found
  }

  private func isLogged(_ injection: InjectionRecord) -> Bool {
    state.phone.insulinDeliveries.contains {
      $0.dose.kind == .bolus && ($0.dose.start - injection.instant).magnitude <= .hours(1)
        && (($0.dose.deliveredUnits ?? $0.dose.programmedUnits) - injection.units).magnitude < 0.005
    }
  }

  /// The stretches in which the pump ran another schedule than the app believed in.
  private func scheduleDifferences() -> [RecordDifference] {
    state.faults.episodes.filter {
      $0.fault.effect.separatesSchedules(for: state.pump.profile)
    }.map { episode in
      let window = FaultWindow(episode, last: lastInstant)
      return RecordDifference(
        .check, .scheduleDiffers, from: window.span.lowerBound, to: window.span.upperBound,
        units: 0, "The app believes in a basal schedule that the pump does not run: \(window.id).")
    }
  }

  private func discardedDifferences() -> [RecordDifference] {
    let basal = state.pump.ledger.basal
    guard basal.discards > 0 else { return [] }
    return [
      whole(
        .note, .discardedFractions, units: -basal.discarded.units,
        "\(unitsText(basal.discarded.units)) U were programmed and never given: "
          + "the pump discarded a "
          + "fraction of a pulse at \(basal.discards) command\(basal.discards == 1 ? "" : "s").")
    ]
  }

  private func whole(
    _ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind, units: Double,
    _ text: String
  ) -> RecordDifference {
    RecordDifference(
      severity, kind, from: setup.beginning, to: lastInstant, units: units, text)
  }
}

extension FaultWindow {
  /// The window of a fault; one that is still in force lasts to the last instant.
  init(_ episode: FaultState.Episode, last: Instant) {
    let end = max(episode.end ?? last, episode.start)
    self.init(id: episode.fault.id, span: episode.start..<end)
  }
}

extension RecordAgreement {
  /// Adds differences and keeps the order: the worst first, then by time.
  mutating func add(_ more: [RecordDifference]) {
    differences += more
    differences.sort {
      ($0.severity, $0.start, $0.kind.rawValue) < ($1.severity, $1.start, $1.kind.rawValue)
    }
  }
}

extension EventHistoryRecord {
  init?(_ event: HistoryEvent) {
    let kind: String =
      switch event.kind {
      case .bolus: "bolus"
      case .tempBasal: "tempBasal"
      case .suspend: "suspend"
      case .resume: "resume"
      case .prime: "prime"
      case .rewind: "rewind"
      case .alarm: "alarm"
      case .alarmCleared: "alarmCleared"
      case .basalProfileStart: "basal"
      case .replace(let component): "replace\(component)"
      }
    var rate: InsulinRate?
    var programmed: InsulinAmount?
    switch event.dose?.amount {
    case .unitsPerHour(let value): rate = InsulinRate(roundingUnitsPerHour: value)
    case .units(let value) where event.kind == .bolus:
      programmed = InsulinAmount(roundingUnits: value)
    default: break
    }
    self.init(
      instant: event.date, kind: kind, end: event.dose?.end ?? event.date, rate: rate,
      programmed: programmed,
      delivered: event.dose?.deliveredUnits.flatMap { InsulinAmount(roundingUnits: $0) },
      isAutomatic: event.dose?.isAutomatic ?? false, isMutable: event.isMutable,
      identifier: event.syncIdentifier)
  }
}
