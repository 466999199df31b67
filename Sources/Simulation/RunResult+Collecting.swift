internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Physiology
internal import Quantities

extension Run {
  /// Ends the run: writes what is due, compares the records, and collects everything.
  public mutating func finish() -> RunResult {
    if state.ending.brokenLaw == nil { advanceDevicesAndBody(to: setup.end) }
    receiveReadings()
    ingestPump()
    if isAppRunning { state.phone.flush(to: &state.store, at: state.now) }
    endPrograms()
    state.appRecord.noteSchedules(of: state.phone, at: lastInstant, always: true)
    _ = check()
    let stored = storedSamples()
    let samples = insulinSamples(stored)
    let eventHistory = state.phone.eventHistory.map(EventHistoryRecord.init)
    let delivery = deliveryRecords(of: state.phone.insulinDeliveries)
    let agreement = comparedRecords(
      samples: samples, eventHistory: eventHistory, shownDoses: delivery)
    var result = RunResult(
      id: setup.id, seed: setup.seed, clock: setup.clock, start: setup.start, end: lastInstant,
      modelExcursions: state.model.excursions, trace: state.trace, cycles: state.appRecord.cycles,
      basalSamples: basalSamples(stored),
      eventHistory: eventHistory, insulinDelivery: delivery, insulinSamples: samples,
      ledger: state.pump.ledger,
      agreement: agreement, violations: state.ending.brokenLaw.map { [$0] } ?? [],
      store: state.store, pulses: state.delivered.pulses, boluses: state.delivered.boluses,
      bolusRequests: state.appRecord.bolusRequests, programs: state.delivered.programs,
      injections: state.body.injections,
      scheduledBasal: Timeline(segments: state.appRecord.schedules.scheduled),
      referenceBasal: Timeline(segments: state.appRecord.schedules.reference),
      pumpInsulinModel: setup.pumpInsulinModel,
      basalNeed: setup.basalNeed, pulseSize: state.pump.profile.pulse,
      limits: state.appRecord.limits,
      faultWindows: faultWindows(), cycleOutcomes: state.appRecord.outcomes,
      dosingSwitches: state.appRecord.dosingSwitches, reactions: state.person.reactions)
    result.hasApp = setup.hasApp
    result.lethalEnd = state.ending.lethalEnd
    result.glucoseUnit = setup.glucoseUnit
    if result.violations.isEmpty {
      let broken = RunLaw.allCases.lazy.compactMap { $0.violation(in: result) }.first
      result.violations = broken.map { [$0] } ?? []
    }
    result.digest = result.computedDigest
    result.stepCheck = state.body.stepCheck
    return result
  }

  /// What still runs when the run ends becomes a record as far as it has come.
  private mutating func endPrograms() {
    state.delivered.note(PumpProgramRecord(state.pump.program, end: state.now))
    if let bolus = state.pump.bolus {
      state.delivered.note(PumpBolusRecord(bolus, isRunning: true))
    }
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
        sampleID: sample.uuid,
        syncIdentifier: sample.metadata.syncIdentifier)
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
        source: source.name, writtenAt: stored.created, sampleID: sample.uuid)
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
    // The scan is in this order unless a sample was late.
    let isSorted = found.indices.dropFirst().allSatisfy {
      (found[$0 - 1].sample.start, found[$0 - 1].row) < (found[$0].sample.start, found[$0].row)
    }
    guard !isSorted else { return found }
    return found.sorted { ($0.sample.start, $0.row) < ($1.sample.start, $1.row) }
  }

  func deliveryRecords(of rows: [InsulinDeliveryStore.Row]) -> [InsulinDeliveryRecord] {
    let own = setup.app.configuration.bundleIdentifier
    return rows.map { row in
      let dose = row.dose
      return InsulinDeliveryRecord(
        start: dose.start, end: dose.end, kind: dose.kind,
        units: dose.deliveredUnits ?? dose.programmedUnits,
        scheduledRate: dose.scheduledBasalRate.flatMap { InsulinRate(roundingUnitsPerHour: $0) },
        isFromPump: row.provenance == own && !dose.isManuallyEntered,
        isMutable: dose.isMutable, countsInInsulinOnBoard: state.phone.countsAsDelivered(dose),
        source: row.provenance, identifier: row.syncIdentifier,
        sampleID: row.sampleID)
    }
  }

  func faultWindows() -> [FaultWindow] {
    state.faults.episodes.map { FaultWindow($0, last: lastInstant) }
  }
}

extension FaultWindow {
  /// The window of a fault; one that is still in force lasts to the last instant.
  init(_ episode: FaultState.Episode, last: Instant) {
    assert(episode.end.map { $0 >= episode.start } ?? true, "A fault ends after it begins.")
    let end = max(episode.end ?? last, episode.start)
    self.init(id: episode.fault.id, span: episode.start..<end)
    if case .user(let fault) = episode.fault.effect { slip = fault.description }
  }
}

extension EventHistoryRecord {
  init(_ event: HistoryEvent) {
    var rate: InsulinRate?
    var programmed: InsulinAmount?
    switch event.dose?.amount {
    case .unitsPerHour(let value): rate = InsulinRate(roundingUnitsPerHour: value)
    case .units(let value) where event.kind == .bolus:
      programmed = InsulinAmount(roundingUnits: value)
    default: break
    }
    self.init(
      instant: event.date, kind: event.kind, end: event.dose?.end ?? event.date, rate: rate,
      programmed: programmed,
      delivered: event.dose?.deliveredUnits.flatMap { InsulinAmount(roundingUnits: $0) },
      isAutomatic: event.dose?.isAutomatic ?? false, isMutable: event.isMutable,
      identifier: event.syncIdentifier)
  }
}
