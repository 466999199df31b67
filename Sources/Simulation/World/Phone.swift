internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Physiology
internal import Quantities

/// The phone: a clock that may be wrong, and the apps that live by it.
///
/// Whoever asks says when by true time. What the phone's clock shows then is known here only, and
/// the apps cannot be reached past it, so that nobody can take one time for the other. Dates in the
/// apps' own records are those that the phone's clock showed, or those that the pump told.
struct Phone: Sendable {
  /// What people have done with the phone, whatever faults make of it.
  var setting = PhoneState.on
  /// How far people have set the clock ahead of true time.
  var clockSetting = TimeSpan.zero
  /// The zone of the clock; travel changes it.
  var zone: WallClock
  /// What people have saved in the app, whatever faults make of it.
  private(set) var saved: SavedSettings
  /// How far the clock is ahead of true time.
  private(set) var clockError = TimeSpan.zero
  /// The true time of the last cycle of the loop.
  private(set) var lastCycle: Instant?

  private var app: LoopApp
  private var vendorApp: VendorGlucoseApp?
  /// From when on the phone is in each zone, with the clock of that zone.
  let stays: [(from: Instant, clock: WallClock)]
  private let saves: CrashSaves
  private var lastSave: SavedApp?

  /// The app as of its last cycle, and what the pump has told it since.
  private struct SavedApp: Sendable {
    var app: LoopApp
    var settings: SavedSettings
    var reports: [(PumpReport, [CountedPulses])] = []
  }

  /// The phone at the beginning of a run, with the readings of the time before.
  init(beginning setup: Setup) {
    zone = setup.clock
    stays = setup.stays
    saved = SavedSettings(of: setup.app)
    app = setup.app
    vendorApp = setup.vendorApp
    saves = CrashSaves(of: setup)
    for (index, past) in setup.history.enumerated() {
      let number = Int64(index - setup.history.count)
      let reading = GlucoseReading(number: number, instant: past.instant, glucose: past.glucose)
      app.ingest(reading, at: setup.beginning)
    }
  }

  // MARK: - The clock

  /// What the phone's clock shows, as an instant.
  private func time(at now: Instant) -> Instant { now + clockError }

  /// Asks the app something, by its own clock.
  func fromApp<Value, Failure: Error>(
    at now: Instant, _ ask: (LoopApp, Instant) throws(Failure) -> Value
  ) throws(Failure) -> Value { try ask(app, time(at: now)) }

  /// What the clock shows, for somebody who lives by it.
  func shownTime(at now: Instant) -> Instant { time(at: now) }

  /// Someone sets the clock.
  ///
  /// While a fault makes the clock wrong it stays wrong by as much; what was set shows when the
  /// fault is over.
  mutating func setClock(_ setting: PhoneClockSetting, at now: Instant) {
    switch setting {
    case .by(let span): clockSetting = clockSetting + span
    case .to(let shown): clockSetting = shown - now
    }
  }

  // MARK: - Faults

  /// Clock and app become what people have set and the faults in force say.
  mutating func apply(_ faults: FaultState, at now: Instant) {
    clockError = clockSetting + faults.clockJump
    app.clockError = clockError
    // The pump is not told of settings that nobody saved.
    let therapy = faults.wrongSettings(over: saved.therapy)
    if therapy != app.therapy { _ = app.change(to: therapy, at: time(at: now)) }
    let basal = faults.wrongBasal ?? saved.acknowledgedBasal
    guard basal != app.therapies.basal.latest else { return }
    app.acknowledge(.replaceSchedule(basal), result: .success(()), at: time(at: now))
  }

  /// The app's schedules follow the clock of where the phone is, which knows of no trip: by a clock
  /// that is behind the app would else be on the way for as long.
  mutating func follow(_ zone: WallClock, at now: Instant) {
    app.follow(phoneOn: zone, at: time(at: now))
  }

  mutating func begin(_ disturbance: DataDisturbance, id: String, at now: Instant) {
    app.begin(disturbance, id: id, at: time(at: now))
  }

  mutating func endDisturbance(id: String) { app.endDisturbance(id: id) }

  /// The app is installed anew: it begins with its first settings and whatever the health store
  /// has.
  mutating func reinstall(
    _ configuration: LoopAppConfiguration, store: inout InMemoryHealthStore, at now: Instant
  ) throws(HealthStoreError) {
    var configuration = configuration
    configuration.clock = stay(at: now)
    var new = LoopApp(configuration: configuration, at: time(at: now))
    new.keepSurroundings(of: app)
    app = new
    saved = SavedSettings(of: new)
    // A crash that is not over leaves this app, and not the one that was there before.
    save(at: now)
    try app.open(&store, granting: nil)
    save(at: now)
  }

  /// Remembers what a crash would leave, where one can come; else no place of an app is written to.
  mutating func save(at now: Instant) {
    guard saves.hasAny else { return }
    lastSave = saves.contains(now) ? SavedApp(app: app, settings: saved) : nil
  }

  /// What the app has reported outside its cycles is in the health store, whatever a crash leaves.
  mutating func saveReports() { lastSave?.app.keepReports(of: app) }

  /// The app starts again after a crash; says whether what was not saved is gone.
  mutating func restart(losing loss: CrashLoss, under faults: FaultState, at now: Instant) -> Bool {
    let last = loss.contains(.unsaved) ? lastSave : nil
    if let last {
      var new = last.app
      new.keepSurroundings(of: app)
      app = new
      saved = last.settings
      apply(faults, at: now)
      // The pump is read again.
      for (report, pulses) in last.reports {
        app.ingest(report, pulses: pulses, at: time(at: now))
      }
    }
    if loss.contains(.memory) { app.forgetMemory() }
    return last != nil
  }

  // MARK: - Taking in

  /// The app takes in what the pump says.
  mutating func ingest(_ report: PumpReport, pulses: [CountedPulses], at now: Instant) {
    lastSave?.reports.append((report, pulses))
    app.ingest(report, pulses: pulses, at: time(at: now))
  }

  /// The apps receive a reading of the sensor; the phone stamps it by its own clock.
  mutating func receive(_ reading: GlucoseReading, at now: Instant) {
    assert(
      !reading.instant.millisecondsSince1970.addingReportingOverflow(clockError.milliseconds)
        .overflow, "A clock shows a time that there is.")
    var stamped = reading
    stamped.instant += clockError
    vendorApp?.observe(stamped)
    app.ingest(stamped, at: time(at: now))
  }

  /// The app takes in what others did in the health store.
  mutating func ingestChanges(of store: inout InMemoryHealthStore, at now: Instant) {
    app.ingestChanges(of: &store, at: time(at: now))
  }

  /// The sensor maker's app writes what is due, but for what faults hold back.
  mutating func writeVendorSamples(
    to store: inout InMemoryHealthStore, _ faults: inout [ActiveStoreFault], at now: Instant
  ) throws(HealthStoreError) {
    let (shown, isDelayed) = (time(at: now), faults.contains { $0.delays(.glucose) })
    try vendorApp?.write(to: &store, at: shown, releasing: !isDelayed) { faults.holdBackReading() }
  }

  // MARK: - Deciding and acting

  /// Runs one cycle of the loop.
  mutating func decide(at now: Instant) -> Decision {
    lastCycle = now
    return app.decide(at: time(at: now))
  }

  /// Begins a cycle in which a program takes the place of the algorithm; `nil` where the data do
  /// not allow asking it.
  mutating func beginAlgorithmCycle(at now: Instant) -> AlgorithmInput? {
    lastCycle = now
    return app.beginAlgorithmCycle(at: time(at: now))
  }

  /// Ends that cycle.
  mutating func decide(with answer: AlgorithmAnswer?, at now: Instant) -> Decision {
    app.endCycle(at: time(at: now), with: answer)
  }

  /// Begins a cycle in which a program decides instead of the app.
  mutating func beginControllerCycle(at now: Instant, history: TimeSpan) -> ControllerView {
    lastCycle = now
    return app.beginControllerCycle(at: time(at: now), history: history)
  }

  /// Ends that cycle.
  mutating func decide(
    with answer: ControllerAnswer, guards: GuardSet, at now: Instant
  ) -> (decision: Decision, commands: [ControllerCommand]) {
    app.endCycle(at: time(at: now), with: answer, guards: guards)
  }

  /// The bolus that the app recommends to a person.
  mutating func recommendBolus(at now: Instant) -> Decision {
    app.recommendBolus(at: time(at: now))
  }

  /// The bolus that a calculator advises by the app's settings and glucose.
  func bolus(by calculator: BolusCalculator, at now: Instant) -> CalculatedBolus {
    app.bolus(by: calculator, at: time(at: now))
  }

  /// The app learns what became of a command.
  mutating func acknowledge(
    _ command: PumpCommand, result: Result<Void, PumpError>, under faults: FaultState,
    at now: Instant
  ) {
    var known = command
    if case .replaceSchedule(let schedule) = command, case .success = result {
      saved.acknowledgedBasal = schedule
      known = .replaceSchedule(faults.wrongBasal ?? schedule)
    }
    app.acknowledge(known, result: result, at: time(at: now))
  }

  // MARK: - Reporting

  /// The app learns what the health store fails to take, though the person lets the app write it.
  mutating func noteStore(failsToTake types: [ObjectType]) { app.noteStore(failsToTake: types) }

  /// The app writes what is due to the health store.
  mutating func report(to store: inout InMemoryHealthStore, at now: Instant, isLongBefore: Bool) {
    app.report(to: &store, at: time(at: now), isLongBefore: isLongBefore)
  }

  /// The app closes what is open and writes everything.
  mutating func flush(to store: inout InMemoryHealthStore, at now: Instant) {
    app.flush(to: &store, at: time(at: now))
  }

  /// When the next stretch of scheduled basal ends by itself.
  func nextScheduledTrigger(after now: Instant) -> Instant? {
    app.therapies.nextScheduledTrigger(after: time(at: now)).map { $0 - clockError }
  }

  // MARK: - What a person does in the app

  /// Saves settings.
  ///
  /// - Returns: Commands to send. The pump gets the schedule that was saved, whatever wrong one the
  ///   app shows.
  mutating func save(
    _ therapy: TherapySettings, under faults: FaultState, at now: Instant
  ) -> [PumpCommand] {
    let before = saved.therapy
    saved.therapy = therapy
    var isSent = false
    var commands = app.change(to: faults.wrongSettings(over: therapy), at: time(at: now))
    for index in commands.indices {
      guard case .replaceSchedule = commands[index] else { continue }
      commands[index] = .replaceSchedule(therapy.basal)
      isSent = true
    }
    if !isSent, therapy.basal != before.basal { commands.append(.replaceSchedule(therapy.basal)) }
    return commands
  }

  /// A person saves settings, whatever else is in the app.
  mutating func program(_ change: SettingsChange) {
    saved.programmed = change.applied(to: saved.programmed)
  }

  /// Settings come into the app from elsewhere, to stay; the pump is not told.
  mutating func importSettings(_ change: SettingsChange) {
    saved.therapy = change.applied(to: saved.therapy)
    saved.acknowledgedBasal = change.basal ?? saved.acknowledgedBasal
  }

  mutating func start(_ preset: PresetRequest, at now: Instant) {
    let start = time(at: now)
    app.start(
      TherapyOverride(
        name: preset.name, targets: preset.target, insulinNeeds: preset.insulinNeeds,
        from: start, until: preset.duration.map { start + $0 },
        isPreMeal: preset.kind == .preMeal))
  }

  mutating func endPreset(at now: Instant) { app.endOverride(at: time(at: now)) }

  /// Enters carbohydrates; the date of the entry is by true time.
  mutating func enterCarbs(_ entry: CarbStore.Entry, at now: Instant) throws(CarbStore.Refusal)
    -> SyncIdentifier
  {
    var stamped = entry
    stamped.date = time(at: entry.date)
    return try app.enterCarbs(stamped, at: time(at: now))
  }

  /// Changes an entry to one whose date is by the phone's clock.
  mutating func editCarbs(
    _ identifier: SyncIdentifier, to entry: CarbStore.Entry, at now: Instant
  ) throws(CarbStore.Refusal) {
    try app.editCarbs(identifier, to: entry, at: time(at: now))
  }

  mutating func deleteCarbs(_ identifier: SyncIdentifier, at now: Instant) throws(CarbStore.Refusal)
  {
    try app.deleteCarbs(identifier, at: time(at: now))
  }

  /// The app stores a glucose value that a person types in.
  ///
  /// - Returns: The identifier of the value; `nil` where the app does not take it.
  mutating func enterGlucose(_ value: GlucoseConcentration, at now: Instant) -> SyncIdentifier? {
    app.enterGlucose(value, at: time(at: now))
  }

  /// Logs insulin from elsewhere.
  ///
  /// - Returns: The identifier of the dose; `nil` where the app did not take it.
  mutating func logDose(
    units: Double, insulin: InsulinType, takenAt: Instant, at now: Instant
  ) -> SyncIdentifier? {
    app.logDose(units: units, insulin: insulin, date: time(at: takenAt), at: time(at: now))
  }

  mutating func deletePumpEvent(_ identifier: SyncIdentifier, at now: Instant) -> EventDeletion? {
    app.deletePumpEvent(identifier, at: time(at: now))
  }
}

// MARK: - What the app shows

extension Phone {
  var isClosedLoop: Bool { app.isClosedLoop }
  var warnings: AppWarnings { _read { yield app.warned } }
  /// The therapy that the app doses by.
  var therapy: TherapySettings { app.therapy }
  var most: (bolus: InsulinAmount, basal: InsulinRate) {
    (therapy.maximumBolus, therapy.maximumBasalRate)
  }
  /// The basal schedule that the app believes the pump to run.
  var believedBasal: DailySchedule<InsulinRate> { app.therapies.basal.latest }
  var carbsOnBoard: Double? { app.cycles.carbsOnBoard }
  var carbRows: [CarbStore.Row] { app.carbs.activeRows }
  var carbState: CarbStore.State { app.carbs.state }
  var eventHistory: PumpEventStore.ShownEvents { app.pump.events.shown }
  var insulinDeliveries: InsulinDeliveryStore.ActiveRows { app.insulin.delivery.activeRows }
  /// The deliveries that counted until they were too old for the app to keep.
  var forgottenDeliveries: [InsulinDeliveryStore.Row] { app.insulin.forgotten }
  /// Gives up the app's event history, of which a run that is over has its records.
  mutating func releaseEvents() { app.releaseEvents() }
  /// Gives up the app's deliveries, of which a run that is over has its records.
  mutating func releaseDeliveries() { app.releaseDeliveries() }
  /// Up to when basal was cut into segments, as the app's records date it.
  var reportedUntil: Instant { app.insulin.reporter.reportedUntil }
  /// The last change of the therapy, as the app numbers and dates it.
  var lastSettingsChange: (number: Int64, date: Instant) { app.therapies.settings.lastChange }
  /// What a person deleted from the event history, with the dates of the phone.
  var deletions: [EventDeletion] { app.deletions }
  /// What the latest cycle decided; `nil` before the first.
  var lastDecision: Decision? { app.cycles.lastDecision }
  var disturbances: [DataDisturbance] { app.disturbances.list }

  /// The net insulin on board that the app believes in, in U.
  func insulinOnBoard(at now: Instant) -> Double? { app.insulinOnBoard(at: time(at: now)) }

  /// What the algorithm was given in the cycle at an instant; `nil` if none came so far then.
  func cycleInput(at now: Instant) -> AlgorithmInput? {
    lastCycle == now && app.cycles.last == time(at: now) ? app.cycles.lastInput : nil
  }

  /// The app's side of a snapshot.
  func snapshot(at now: Instant, canRun: Bool) -> StateSnapshot.App {
    StateSnapshot.App(
      clockError: clockError, isClosedLoop: app.isClosedLoop, therapy: app.therapy,
      newestGlucose: app.glucose.store.newest.map { .init(instant: $0.date, glucose: $0.glucose) },
      insulinOnBoard: canRun ? insulinOnBoard(at: now) : nil,
      carbsOnBoard: canRun ? carbsOnBoard : nil,
      preset: app.therapies.presets.active(at: time(at: now))?.name,
      uncertainCommands: app.pump.uncertain.map(\.command), reportedUntil: reportedUntil,
      carbEntries: app.carbs.activeRows.map(\.entry), doses: app.countedDoses(at: time(at: now)),
      lastDecision: app.cycles.lastDecision, clockErrorOfDecision: app.cycles.clockErrorThen,
      isCycle: lastCycle == now,
      input: cycleInput(at: now)
        ?? app.algorithmInput(at: time(at: now), for: app.therapy.strategy.recommendation))
  }
}
