internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// Holds the records of a run against each other.
extension Run {
  /// Takes note of what keeps the app from following the pump and from using the health store.
  mutating func noteObstacles() {
    let own = setup.app.configuration.bundleIdentifier
    let allowed = state.store.client(bundleIdentifier: own).map {
      state.store.authorization(of: $0, for: .insulinDelivery)
    }
    let stop = stopOfApp
    // Until it has been read again nobody knows whether the pump can be reached.
    if stop != nil { state.link.hearsPump = false }
    state.circumstances.obstacles.note(
      stop, canWrite: allowed?.share == .authorized, canRead: allowed?.read == .authorized,
      at: state.now)
  }

  private var stopOfApp: AppObstacles.Stop? {
    switch state.phoneState {
    case .off: .phoneOff
    case .backgroundKilled: .appKilled
    case .on, .bluetoothOff:
      if !isAppRunning {
        .appCrashed
      } else if state.phoneState == .bluetoothOff {
        .bluetoothOff
      } else {
        state.link.hearsPump ? nil : .pumpUnreachable
      }
    }
  }

  /// Where the records do not say the same, and why.
  ///
  /// `shownDoses` are the deliveries that the app still keeps.
  func comparedRecords(
    samples: [InsulinSampleRecord], eventHistory: [EventHistoryRecord],
    shownDoses: [InsulinDeliveryRecord]
  ) -> RecordAgreement {
    var intake = state.body.intake
    intake.settle(at: lastInstant)
    let doses = deliveryRecords(of: state.phone.forgottenDeliveries) + shownDoses
    var records = ComparedRecords(
      start: setup.beginning, end: lastInstant, clock: setup.clock,
      reportedThrough: state.phone.reportedUntil,
      basalDelivered: { [pump = state.pump] in pump.basalDelivered(after: $0, through: $1) },
      boluses: state.delivered.boluses, shownEvents: Set(eventHistory.map(\.identifier)),
      doses: doses,
      samples: samples, injections: state.body.injections, intake: intake,
      isFedContinuously: setup.inflow == .continuous, ledger: state.pump.ledger, causes: causes)
    records.hasApp = setup.hasApp
    records.isMisreported = state.appRecord.bolusRequests.contains { $0.misreported != .zero }
    var agreement = RecordComparison(compared: records).compare()
    guard setup.hasApp else { return agreement }
    agreement.add(scheduleDifferences())
    return agreement
  }

  private var causes: RecordCauses {
    let configuration = setup.app.configuration
    let obstacles = state.circumstances.obstacles
    var causes = RecordCauses(historyStart: state.now - configuration.retention + .days(1))
    if let stop = obstacles.stop, let since = obstacles.stoppedSince {
      causes.stop = .init(since: since, words: stop.words)
    }
    causes.clockBehind = max(.zero, .zero - state.phone.clockError)
    let writingDenied = obstacles.writingDeniedSince ?? obstacles.writingDeniedAtStop
    causes.writing = writingDenied.map {
      .init(since: $0, words: "the app has not been allowed to write insulin")
    }
    causes.pastReadingDenials = obstacles.pastReadingDenials
    causes.lastLook = obstacles.lastLook
    causes.lastWrite = obstacles.lastWrite
    causes.lastLoop = obstacles.lastLoop
    causes.reading = obstacles.readingDeniedSince.map {
      .init(since: $0, words: "the app has not been allowed to read insulin")
    }
    if state.faults.savesPower, causes.reading == nil,
      let window = faultWindows().last(where: {
        $0.span.upperBound >= lastInstant && $0.span.lowerBound < lastInstant
      })
    {
      causes.reading = .init(
        since: window.span.lowerBound,
        words: "the phone saves power, and the app has not looked at the health store")
    }
    causes.reportsBasal = configuration.reporting.reportsBasal
    causes.roundsBasal = configuration.reporting.value == .loopKitNearest
    causes.readsForeignInsulin = configuration.readsForeignInsulin
    causes.installedAnew = state.circumstances.installedAnew
    causes.installedAnewShown = state.circumstances.installedAnewShown
    causes.deletions = deletions()
    causes.deletedEvents = state.circumstances.deletedEvents
    causes.deletedSamples = state.circumstances.deletedSamples
    causes.usualDelay = setup.cycleInterval * 2 + causes.clockBehind
    return causes
  }

  /// What a person or a fault deleted of the insulin samples.
  private func deletions() -> [RecordCauses.Deletion] {
    let own = setup.app.configuration.bundleIdentifier
    return state.store.backend.tombstones(of: .insulinDelivery, after: 0).compactMap { tombstone in
      guard tombstone.deletedBy == .user else { return nil }
      let source = state.store.registry.sources[Int(tombstone.source)]
      return RecordCauses.Deletion(
        start: tombstone.start, end: tombstone.end,
        syncIdentifier: tombstone.syncIdentifier,
        isOwn: source.bundleIdentifier == own, instant: tombstone.deleted)
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
}
