internal import Devices
internal import Dosing
internal import Quantities

/// What the state of the pump, as far as the app knows it, means for commands.
extension KnownPump {
  /// Why the pump cannot carry out what was computed.
  func inability(at now: Instant, _ profile: PumpProfile) -> Refusal? {
    if isUncertain { return .deliveryUncertain }
    guard let status else { return .pumpUnknown }
    if let alarm = status.alarm { return .pumpStopped(alarm) }
    if status.program?.kind == .suspended { return .pumpSuspended }
    if isBolusRunning(at: now), profile.refusesTempBasalDuringBolus { return .bolusInProgress }
    return nil
  }

  /// Whether a temp basal that runs has to end because other settings hold: one above the maximum,
  /// and an automatic one where the loop is opened.
  func mustCancelTempBasal(
    for new: TherapySettings, after old: TherapySettings, at now: Instant
  ) -> Bool {
    guard let program = status?.program, let running = runningTemp, running.end > now
    else { return false }
    if running.rate > new.maximumBasalRate { return true }
    return old.isClosedLoop && !new.isClosedLoop && program.isAutomatic
  }

  /// What keeps a command of a program's answer from being sent at all.
  func obstacle(
    to asked: ControllerCommand.Asked, of answer: ControllerAnswer, at now: Instant
  ) -> CommandGuard? {
    guard let status else { return .pumpUnknown }
    if status.alarm != nil { return .stopped }
    if isUncertain { return .deliveryUncertain }
    if status.program?.kind == .suspended, !answer.resumes { return .suspended }
    if case .bolus = asked, isBolusRunning(at: now), !answer.cancelsBolus {
      return .bolusInProgress
    }
    return nil
  }
}
