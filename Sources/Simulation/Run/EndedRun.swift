internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Physiology
internal import Quantities

/// A run in which nothing happens any more, from which its result is gathered.
///
/// What has to happen before is done by ``Run/finish()``. Nothing changes here but that the app
/// gives up what it keeps of insulin as soon as there are records of it.
struct EndedRun: Sendable {
  private let setup: Setup
  private var world: World
  private let ending: Ending
  private let pump: Pump
  private let body: Body
  /// What the pump did.
  private let delivered: DeliveryRecord
  /// The last instant of the run; see ``Run/lastInstant``.
  private let lastInstant: Instant

  /// Takes over the world of a run as it is at the end.
  init(_ run: consuming Run) {
    setup = run.setup
    world = run.world
    ending = run.ending
    pump = world.delivery.pump
    body = world.delivery.body
    delivered = world.delivery.record
    lastInstant = ending.instant ?? setup.end
  }

  /// Everything that the run leaves behind, its records compared and its laws checked.
  mutating func makeResult() -> RunResult {
    let events = world.phone.eventHistory
    // By what the app finds a row again is not needed any more, nor a list that has its records.
    world.phone.releaseEvents()
    let eventHistory = Self.records(of: consume events)
    let deliveries = world.phone.insulinDeliveries
    let forgottenDeliveries = world.phone.forgottenDeliveries
    world.phone.releaseDeliveries()
    let delivery = records(of: consume deliveries)
    let forgotten = records(of: consume forgottenDeliveries)
    let insulin = StoredInsulin(
      world.store.records, own: setup.app.configuration.bundleIdentifier,
      about: delivery.count + forgotten.count)
    let agreement = comparedRecords(
      insulin, eventHistory: eventHistory,
      doses: forgotten.isEmpty ? delivery : forgotten + delivery)
    var result = RunResult(
      id: setup.id, seed: setup.seed, clock: setup.clock, start: setup.start, end: lastInstant,
      modelExcursions: world.model.excursions, trace: world.trace, cycles: world.appRecord.cycles,
      basalSamples: insulin.basalSamples,
      eventHistory: eventHistory, insulinDelivery: delivery, insulinSamples: insulin.samples,
      ledger: pump.ledger,
      agreement: agreement, violations: ending.brokenLaw.map { [$0] } ?? [],
      store: world.store.records, pulses: delivered.pulses, boluses: delivered.boluses,
      bolusRequests: world.appRecord.bolusRequests, programs: delivered.programs,
      injections: body.injections,
      scheduledBasal: Timeline(segments: world.appRecord.schedules.scheduled),
      referenceBasal: Timeline(segments: world.appRecord.schedules.reference),
      pumpInsulinModel: setup.pumpInsulinModel,
      basalNeed: setup.basalNeed, pulseSize: pump.profile.pulse,
      limits: world.appRecord.limits,
      faultWindows: world.faults.windows(last: lastInstant, period: setup.sensor.profile.period),
      cycleOutcomes: world.appRecord.outcomes,
      dosingSwitches: world.appRecord.dosingSwitches, reactions: world.person.reactions)
    result.hasApp = setup.hasApp
    result.outputInterval = setup.outputInterval
    result.longestCycleStep = setup.cycleInterval + setup.cycleJitter
    let sensor = setup.sensor
    result.readingInterval =
      sensor.showsRecording
      ? nil : max(setup.rowInterval, sensor.profile.period, setup.cycleInterval)
    result.steadyInsulin = setup.steadyInsulin
    result.lethalEnd = ending.lethalEnd
    result.glucoseUnit = setup.glucoseUnit
    result.cyclesNotRun = world.appRecord.missedCycles
    result.appWarnings = world.appRecord.warnings
    result.glucoseOfOthers = world.appRecord.glucoseOfOthers
    result.wrongClocks = wrongClocks
    result.datesByPumpClock = pump.profile.stampsEventsWithOwnClock
    result.miscountedCarbs = world.miscountedCarbs.all
    result.carbsCopiedAtEnd = world.uncountedCopies
    result.glucoseCopiedAtEnd = world.copiedGlucose
    result.cyclesOfTwoSources = world.appRecord.cyclesOfTwoSources
    result.glucoseNotStoredAtEnd = world.unstoredGlucose
    result.carbsNotStoredAtEnd = world.unstoredCarbs(cycleInterval: setup.cycleInterval)
    if result.violations.isEmpty {
      let broken = RunLaw.allCases.lazy.compactMap { $0.violation(in: result) }.first
      result.violations = broken.map { [$0] } ?? []
    }
    result.digest = result.computedDigest
    result.stepCheck = body.stepCheck
    return result
  }

  // MARK: - Records

  private static func records(
    of events: consuming some Collection<HistoryEvent>
  ) -> [EventHistoryRecord] {
    var records: [EventHistoryRecord] = []
    records.reserveCapacity(events.count)
    for event in events { records.append(EventHistoryRecord(event)) }
    return records
  }

  private func records(
    of rows: consuming some Collection<InsulinDeliveryStore.Row>
  ) -> [InsulinDeliveryRecord] {
    let own = setup.app.configuration.bundleIdentifier
    var records: [InsulinDeliveryRecord] = []
    records.reserveCapacity(rows.count)
    for row in rows {
      let dose = row.dose
      records.append(
        InsulinDeliveryRecord(
          start: dose.start, end: dose.end, kind: dose.kind,
          units: dose.deliveredUnits ?? dose.programmedUnits,
          scheduledRate: dose.scheduledBasalRate.flatMap {
            InsulinRate(roundingUnitsPerHour: $0)
          },
          isFromPump: row.provenance == own && !dose.isManuallyEntered,
          isMutable: dose.isMutable,
          countsInInsulinOnBoard: dose.countsAsDelivered,
          source: row.provenance, identifier: row.syncIdentifier,
          sampleID: row.sampleID, insulinType: dose.insulinType))
    }
    return records
  }

  /// Where the records do not say the same, and why.
  ///
  /// `doses` are all deliveries that the app had, those too that it has forgotten since.
  private func comparedRecords(
    _ insulin: StoredInsulin, eventHistory: [EventHistoryRecord], doses: [InsulinDeliveryRecord]
  ) -> RecordAgreement {
    var intake = body.intake
    intake.settle(at: lastInstant)
    var records = ComparedRecords(
      start: setup.beginning, end: lastInstant, clock: setup.clock,
      reportedThrough: world.phone.reportedUntil,
      basalDelivered: delivered.basalDelivered(after:through:),
      boluses: delivered.boluses,
      shownBoluses: Set(
        eventHistory.lazy.filter { $0.kind == .bolus }.map(\.identifier)),
      doses: doses,
      samples: insulin.samples, injections: body.injections, intake: intake,
      isFedContinuously: setup.inflow == .continuous, ledger: pump.ledger,
      causes: causes(insulin))
    records.hasApp = setup.hasApp
    records.programs = delivered.programs
    records.released = delivered.pulses.lazy.filter { $0.channel == .release }.map {
      (instant: $0.instant, units: $0.physicalUnits)
    }
    if setup.inflow == .pulses { records.reached = delivered.unitsReachingBody(of:) }
    (records.shortPulses, records.excessPulses) = delivered.wrongPulses
    let requests = world.appRecord.bolusRequests
    for episode in world.faults.episodes {
      switch episode.fault.effect {
      case .pump(.misreportedBolus): records.isMisreported = true
      case .pump(.scale): records.isScaled = true
      default: break
      }
    }
    let uncounted = requests.filter(\.isUncounted)
    records.uncountedBoluses = uncounted.map { (instant: $0.instant, units: $0.asked.units) }
    let asked = Set(uncounted.map(\.instant))
    records.unrequested = delivered.pulses.lazy
      .filter { $0.channel == .unrequested && !asked.contains($0.instant) }.map(\.instant)
    if !uncounted.isEmpty {
      let pulses = delivered.pulses.filter {
        $0.channel == .unrequested && asked.contains($0.instant)
      }
      // What came at the very instant of one besides cannot be told from it.
      if pulses.count == uncounted.count {
        records.reachedInUncounted = pulses.reduce(0) { $0 + $1.physicalUnits }
      }
    }
    var agreement = RecordComparison(records).compare()
    guard setup.hasApp else { return agreement }
    agreement.add(scheduleDifferences)
    return agreement
  }

  /// The stretches in which the pump ran another schedule than the app believed in: those that a
  /// fault states, and those that the rows show beside them.
  private var scheduleDifferences: [RecordDifference] {
    let stated = world.faults.episodes.flatMap { episode in
      episode.separateSchedules.all(until: lastInstant).map { (id: episode.fault.id, span: $0) }
    }
    let shown = ScheduleCheck(
      rows: world.trace.rows, believed: world.appRecord.schedules.believed
    ).stretches(beside: stated.map(\.span))
    func difference(from start: Instant, to end: Instant, _ more: String) -> RecordDifference {
      let time = { (instant: Instant) in
        setup.clock.moment(instant, from: setup.beginning, to: lastInstant)
      }
      return RecordDifference(
        .check, .scheduleDiffers, from: start, to: end, units: 0,
        "The app believes in a basal schedule that the pump does not run from \(time(start)) to "
          + "\(time(end))\(more).")
    }
    return stated.map {
      difference(
        from: $0.span.lowerBound, to: $0.span.upperBound, ", because of the fault \($0.id)")
    }
      + shown.map { stretch in
        difference(
          from: stretch.start, to: stretch.end,
          ": \(unitsText(stretch.believed.unitsPerHour)) U/h in place of "
            + "\(unitsText(stretch.run.unitsPerHour)) U/h")
      }
  }

  /// When the clocks of phone and pump were wrong.
  private var wrongClocks: [WrongClock] {
    world.circumstances.clocks.stretches(end: lastInstant, pumpError: pump.clockError)
  }

  /// Why a record may lack insulin.
  private func causes(_ insulin: StoredInsulin) -> RecordCauses {
    let configuration = setup.app.configuration
    let obstacles = world.circumstances.obstacles
    var causes = RecordCauses(
      window: configuration.rereportWindow,
      historyStart: world.now - configuration.retention + .days(1))
    if let words = obstacles.wordsOfStop, let since = obstacles.stoppedSince {
      causes.stop = .init(since: since, words: words)
    }
    causes.clockBehind = max(.zero, .zero - world.phone.clockError)
    causes.usualDelay = setup.cycleInterval * 2 + causes.clockBehind
    causes.clockAhead = world.circumstances.furthestAhead
    causes.pastObstacles = obstacles.past(until: world.now)
    causes.wrongClocks = wrongClocks
    let writingDenied = obstacles.writingDenied ?? obstacles.writingDeniedAtStop
    causes.writing = writingDenied.map { .init(since: $0.since, words: $0.words) }
    causes.pastReadingDenials = obstacles.pastReadingDenials
    causes.lastLook = obstacles.lastLook
    causes.lastWrite = obstacles.lastWrite
    causes.lastLoop = obstacles.lastLoop
    causes.reading = obstacles.readingDeniedSince.map {
      .init(since: $0, words: "the app has not been allowed to read insulin")
    }
    if causes.reading == nil, let since = world.faults.savesPowerSince, since < lastInstant {
      causes.reading = .init(
        since: since,
        words: "the phone saves power, and the app has not looked at the health store")
    }
    causes.reportsBasal = configuration.reporting.reportsBasal
    causes.roundsBasal = configuration.reporting.value == .loopKitNearest
    causes.readsForeignInsulin = configuration.readsForeignInsulin
    causes.installations = world.circumstances.installations
    causes.deletions = insulin.deletions
    causes.lostLogs = world.circumstances.lostLogs
    causes.undelivered = world.store.undeliveredInsulin
    causes.deletedEvents = Set(world.deletedEvents.map(\.event.syncIdentifier))
    causes.untoldEvents = Set(pump.untoldEvents.map { SyncIdentifier($0) })
    causes.hiddenEvents = Set(pump.hiddenEvents.map { SyncIdentifier($0) })
    causes.deletedSamples = world.circumstances.deletedSamples
    return causes
  }
}
