internal import ClosedLoop
internal import Devices
internal import Quantities

/// What goes wrong in the app and with the phone that it runs on.
extension Run {
  /// The time that the phone shows, and by which the app lives.
  var appNow: Instant { state.now + state.app.clockError }

  /// Whether only a reading of the CGM wakes the app.
  var savesPower: Bool {
    state.activeFaults.contains {
      if case .lowPower = $0.effect { true } else { false }
    }
  }

  mutating func begin(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun, .crash: break
    case .disturbed(let disturbance): state.app.begin(disturbance, id: id, at: appNow)
    case .clockJump(let span): movePhoneClock(by: span)
    case .wrongSetting(let change, let origin):
      if origin == .sync { state.settingsBefore.append((id, state.app.therapy)) }
      take(change.applied(to: state.app.therapy))
      if change.basal != nil { state.scheduleFaults.insert(id) }
      note(
        .settings, id,
        origin == .sync
          ? "Another setting comes into the app from a service; the pump is not told."
          : "Another setting is imported into the app; the pump is not told.")
    }
  }

  mutating func end(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun: break
    case .crash(let loses): restart(losing: loses)
    case .disturbed: state.app.endDisturbance(id: id)
    case .clockJump(let span): movePhoneClock(by: .zero - span)
    case .wrongSetting:
      guard let index = state.settingsBefore.firstIndex(where: { $0.id == id }) else { return }
      take(state.settingsBefore.remove(at: index).therapy)
      note(.settings, id, "The service puts the setting right.")
    }
  }

  /// One of the cycles that a fault skips is over.
  mutating func countSkippedCycle(of fault: Fault) {
    guard case .app(.skipLoops(let count?)) = fault.effect,
      let index = state.activeFaults.firstIndex(where: { $0.id == fault.id })
    else { return }
    if count <= 1 {
      end(faultID: fault.id)
    } else {
      state.activeFaults[index].effect = .app(.skipLoops(count: count - 1))
    }
  }

  // MARK: - Settings

  /// The app takes settings over without a word to the pump.
  private mutating func take(_ settings: TherapySettings) {
    var therapy = settings
    // Whether the loop is closed is no setting that comes from elsewhere.
    therapy.isClosedLoop = state.app.isClosedLoop
    let hasOtherBasal = therapy.basal != state.app.therapy.basal
    _ = state.app.change(to: therapy, at: appNow)
    guard hasOtherBasal else { return }
    // The app believes that the pump runs the schedule.
    state.app.acknowledge(.replaceSchedule(therapy.basal), result: .success(()), at: appNow)
  }

  // MARK: - Clock

  /// The phone shows another time; pump and sensor keep theirs.
  mutating func movePhoneClock(by span: TimeSpan) {
    state.app.clockError = state.app.clockError + span
    let shown = state.clock.civilTime(at: appNow)
    note(.phone, "clock", "The phone's clock now shows \(shown).")
  }

  /// Someone sets the phone's clock.
  mutating func setPhoneClock(_ setting: PhoneClockSetting) {
    switch setting {
    case .by(let span): movePhoneClock(by: span)
    case .to(let shown): movePhoneClock(by: shown - appNow)
    }
  }

  // MARK: - Crash

  /// Remembers what a crash would leave, where a fault of the scenario makes one.
  mutating func saveApp() {
    if state.savesApp { state.savedApp = State.SavedApp(app: state.app) }
  }

  private mutating func restart(losing loses: CrashLoss) {
    if loses.contains(.unsaved), let saved = state.savedApp {
      var app = saved.app
      app.clockError = state.app.clockError
      state.app = app
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
