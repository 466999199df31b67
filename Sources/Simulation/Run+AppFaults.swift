internal import ClosedLoop
internal import Devices
internal import Quantities

/// What goes wrong in the app and with the phone that it runs on.
extension Run {
  /// The time that the phone shows, and by which the app lives.
  var appNow: Instant { state.now + state.app.clockError }

  mutating func begin(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun, .crash: break
    case .disturbed(let disturbance): state.app.begin(disturbance, id: id, at: appNow)
    case .clockJump: notePhoneClock()
    case .wrongSetting(_, from: .sync):
      note(
        .settings, id,
        "Another setting comes into the app from a service; the pump is not told.")
    case .wrongSetting(let change, from: .import):
      importSettings(change)
      note(.settings, id, "Another setting is imported into the app; the pump is not told.")
    }
  }

  mutating func end(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun, .wrongSetting(_, from: .import): break
    case .crash(let loses): restart(losing: loses)
    case .disturbed: state.app.endDisturbance(id: id)
    case .clockJump: notePhoneClock()
    case .wrongSetting(_, from: .sync): note(.settings, id, "The service puts the setting right.")
    }
  }

  // MARK: - Clock

  private mutating func notePhoneClock() {
    let shown = state.clock.civilTime(at: appNow)
    note(.phone, "clock", "The phone's clock now shows \(shown).")
  }

  /// Someone sets the phone's clock; pump and sensor keep theirs.
  ///
  /// While a fault makes the clock wrong it stays wrong by as much; what was set shows when the
  /// fault is over.
  mutating func setPhoneClock(_ setting: PhoneClockSetting) {
    switch setting {
    case .by(let span): state.personal.clockError = state.personal.clockError + span
    case .to(let shown): state.personal.clockError = shown - state.now
    }
    applyConditions()
    notePhoneClock()
  }

  // MARK: - Crash

  /// Remembers what a crash would leave, where a fault of the scenario makes one.
  mutating func saveApp() {
    guard state.savesApp else { return }
    state.savedApp = State.SavedApp(app: state.app, settings: state.personal.saved)
  }

  private mutating func restart(losing loses: CrashLoss) {
    if loses.contains(.unsaved), let saved = state.savedApp {
      var app = saved.app
      app.keepSurroundings(of: state.app)
      state.app = app
      state.personal.saved = saved.settings
      applyConditions()
      // The pump is read again.
      for (report, occurrences) in saved.reports {
        state.app.ingest(report, occurrences: occurrences, at: appNow)
      }
      let kept = Set(app.carbEntries.map(\.syncIdentifier))
      let lost = state.carbEntries.filter { !kept.contains($0.identifier) }
      for entry in lost {
        note(.warning, entry.name, "The carb entry was not saved when the app stopped.")
      }
      state.carbEntries.removeAll { !kept.contains($0.identifier) }
    }
    if loses.contains(.memory) { state.app.forgetMemory() }
  }
}
