internal import ClosedLoop
internal import Devices
internal import Quantities

/// What goes wrong in the app and with the phone that it runs on.
extension Run {
  mutating func begin(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun, .crash: break
    case .disturbed(let disturbance): state.phone.begin(disturbance, id: id, at: state.now)
    case .clockJump: notePhoneClock()
    case .wrongSetting(_, from: .sync):
      note(
        .settings, id,
        "Another setting comes into the app from a service; the pump is not told.")
    case .wrongSetting(let change, from: .import):
      state.phone.importSettings(change)
      applyConditions()
      note(.settings, id, "Another setting is imported into the app; the pump is not told.")
    }
  }

  mutating func end(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun, .wrongSetting(_, from: .import): break
    case .crash(let loses): restart(losing: loses)
    case .disturbed: state.phone.endDisturbance(id: id)
    case .clockJump: notePhoneClock()
    case .wrongSetting(_, from: .sync): note(.settings, id, "The service puts the setting right.")
    }
  }

  // MARK: - Clock

  private mutating func notePhoneClock() {
    let shown = state.phone.civilTime(at: state.now)
    note(.phone, "clock", "The phone's clock now shows \(shown).")
  }

  /// Someone sets the phone's clock; pump and sensor keep theirs.
  mutating func setPhoneClock(_ setting: PhoneClockSetting) {
    state.phone.setClock(setting, at: state.now)
    applyConditions()
    notePhoneClock()
  }

  // MARK: - Crash

  private mutating func restart(losing loss: CrashLoss) {
    guard state.phone.restart(losing: loss, under: state.faults, at: state.now) else { return }
    let kept = state.phone.carbEntries
    for entry in state.names.carbEntries where !kept.contains(entry.identifier) {
      note(.warning, entry.name, "The carb entry was not saved when the app stopped.")
    }
    state.names.removeCarbEntries { !kept.contains($0.identifier) }
  }
}
