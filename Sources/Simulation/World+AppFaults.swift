internal import ClosedLoop
internal import Devices
internal import Quantities

/// What goes wrong in the app and with the phone that it runs on.
extension World {
  mutating func begin(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun, .crash: break
    case .disturbed(let disturbance): phone.begin(disturbance, id: id, at: now)
    case .clockJump: notePhoneClock()
    case .wrongSetting(_, from: .sync):
      note(
        .settings, id,
        "Another setting comes into the app from a service; the pump is not told.")
    case .wrongSetting(let change, from: .import):
      phone.importSettings(change)
      applyConditions()
      note(.settings, id, "Another setting is imported into the app; the pump is not told.")
    }
  }

  mutating func end(_ fault: AppFault, id: String) {
    switch fault {
    case .skipLoops, .doubleRun, .wrongSetting(_, from: .import): break
    case .crash(let loses): restart(losing: loses)
    case .disturbed: phone.endDisturbance(id: id)
    case .clockJump: notePhoneClock()
    case .wrongSetting(_, from: .sync): note(.settings, id, "The service puts the setting right.")
    }
  }

  // MARK: - Clock

  private mutating func notePhoneClock() {
    let shown = phone.civilTime(at: now)
    note(.phone, "clock", "The phone's clock now shows \(shown).")
  }

  /// Someone sets the phone's clock; pump and sensor keep theirs.
  mutating func setPhoneClock(_ setting: PhoneClockSetting) {
    phone.setClock(setting, at: now)
    applyConditions()
    notePhoneClock()
  }

  // MARK: - Crash

  private mutating func restart(losing loss: CrashLoss) {
    guard phone.restart(losing: loss, under: faults, at: now) else { return }
    let kept = phone.carbEntries
    for entry in names.carbEntries where !kept.contains(entry.identifier) {
      note(.warning, entry.name, "The carb entry was not saved when the app stopped.")
    }
    names.removeCarbEntries { !kept.contains($0.identifier) }
  }
}
