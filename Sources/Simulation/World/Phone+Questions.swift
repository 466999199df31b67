internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Quantities

/// What the app says of a carer's command and of presets, and what it tells a program and makes of
/// its answer.
extension Phone {
  /// Checks a command that a carer sends from afar, as the app does before it carries one out.
  func check(_ request: RemoteRequest, at now: Instant) throws(RemoteRefusal) {
    let rules = RemoteRules(therapy)
    try rules.checkCommand(expiring: request.expiresAt, at: shownTime(at: now))
    switch request.action {
    case .bolus(let units):
      guard request.hasValidCode else { throw .wrongCode }
      try rules.checkBolus(units: units)
    case .carbs: guard request.hasValidCode else { throw .wrongCode }
    case .preset(let name, let preset):
      guard let preset else { throw .unknownPreset(name) }
      try rules.checkPreset(lasting: preset.duration)
    case .endPreset: break
    }
  }

  /// The identifiers of the carb entries that the app has.
  var carbEntries: Set<SyncIdentifier> { Set(carbRows.map(\.syncIdentifier)) }

  /// A carb entry as the app has it, with what a person changes in it.
  ///
  /// What is `nil` stays, a time of eating that was entered while the clock was another included. A
  /// new one is given by true time, and the answer is by the phone's clock.
  func carbEntry(
    _ identifier: SyncIdentifier, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?
  ) throws(CarbStore.Refusal) -> CarbStore.Entry {
    guard var entry = carbRows.last(where: { $0.syncIdentifier == identifier })?.entry else {
      throw .unknownEntry(identifier)
    }
    if let grams { entry.mass = CarbohydrateMass(grams: grams) }
    if let absorption { entry.absorptionTime = absorption }
    if let eatenAt { entry.date = eatenAt + clockError }
    return entry
  }

  /// The doses that people have logged in the app.
  func loggedDoses(at now: Instant) -> [SyncIdentifier: PeoplesActs.Dose] {
    fromApp(at: now) { app, shown in
      let logged = app.countedDoses(at: shown).filter(\.isManuallyEntered)
      let named = logged.compactMap { dose in
        dose.syncIdentifier.map {
          ($0, PeoplesActs.Dose(start: dose.start - clockError, units: dose.deliveredUnits ?? 0))
        }
      }
      return Dictionary(named) { $1 }
    }
  }

  /// The doses that people have logged in the app, and that it has not written.
  func unwrittenLogs(at now: Instant) -> [PeoplesActs.Dose] {
    fromApp(at: now) { app, _ in
      app.insulin.delivery.activeRows.filter { $0.dose.isManuallyEntered && $0.sampleID == nil }
        .map { .init(start: $0.dose.start - clockError, units: $0.dose.deliveredUnits ?? 0) }
    }
  }

  /// The glucose that people have typed in the app.
  func typedGlucose(at now: Instant) -> [SyncIdentifier: GlucoseConcentration] {
    fromApp(at: now) { app, _ in
      app.glucose.store.rows.reduce(into: [:]) { typed, row in
        if row.wasUserEntered, !row.isDisplayOnly { typed[row.syncIdentifier] = row.glucose }
      }
    }
  }

  /// Whether a preset holds in the app.
  func hasPreset(at now: Instant) -> Bool {
    preset(at: now) != nil
  }

  /// The preset that holds in the app; `nil` where none does.
  func preset(at now: Instant) -> TherapyOverride? {
    fromApp(at: now) { app, shown in app.therapies.presets.active(at: shown) }
  }

  /// All presets that the app knows, earliest first.
  func presets(at now: Instant) -> [TherapyOverride] {
    fromApp(at: now) { app, _ in app.therapies.presets.presets }
  }

  /// The preset that was started when the phone's clock showed a time, as the app has it now;
  /// `nil` where it has none.
  func preset(startedAt shown: Instant, at now: Instant) -> TherapyOverride? {
    fromApp(at: now) { app, _ in app.therapies.presets.presets.last { $0.start == shown } }
  }

  /// The newest glucose that the app has; `nil` where it is of the app under a name itself.
  func newestGlucose(notOf own: String, at now: Instant) -> GlucoseConcentration? {
    fromApp(at: now) { app, shown in
      app.glucose.store.latestGlucose(notOf: own, at: shown)
    }
  }

  /// The newest glucose that the app has.
  func latestGlucose(at now: Instant) -> GlucoseConcentration? {
    fromApp(at: now) { app, shown in app.glucose.store.latest(at: shown)?.glucose }
  }

  /// What net insulin on board is counted against: the schedule after presets, in U/h.
  func referenceBasal(from start: Instant, to end: Instant) -> Timeline<Double> {
    fromApp(at: start) { app, _ in app.therapies.referenceBasal(from: start, to: end) }
  }

  /// What the schedule that the app believes in would run.
  func scheduledBasal(from start: Instant, to end: Instant) -> Timeline<InsulinRate> {
    fromApp(at: start) { app, _ in app.therapies.basal.timeline(from: start, to: end) }
  }

  /// What that schedule runs by the phone's clock, which showed the same error all the time.
  func believedBasal(from start: Instant, to end: Instant) -> [Timeline<InsulinRate>.Segment] {
    let error = shownTime(at: start) - start
    return scheduledBasal(from: start + error, to: end + error).segments.map {
      .init(start: $0.start - error, end: $0.end - error, value: $0.value)
    }
  }

  /// What a program in place of the algorithm is given to recommend a bolus.
  func bolusInput(at now: Instant) -> Result<AlgorithmInput, Refusal> {
    fromApp(at: now) { app, shown in app.bolusInput(at: shown) }
  }

  /// What a program that decides instead of the app is told.
  func controllerView(at now: Instant, history: TimeSpan) -> ControllerView {
    var view = fromApp(at: now) { app, shown in
      ControllerView(of: app, at: shown, history: history)
    }
    view.settings.offset = offset(at: now)
    return view
  }

  /// What the app makes of a bolus that a program recommends to a person.
  func guardedBolus(
    _ units: Double, of seat: ControllerSeat, by guards: GuardSet, at now: Instant
  ) -> ControllerCommand {
    fromApp(at: now) { app, shown in
      seat == .algorithm
        ? app.roundedBolus(units) : app.guardedBolus(units, by: guards, at: shown)
    }
  }
}
