internal import Devices
internal import Dosing
public import Quantities

/// What the app makes of the commands that a program asks for.
extension LoopApp {
  /// The commands of an answer in the order in which they are sent, each after its guards.
  func guarded(
    _ answer: ControllerAnswer, by set: GuardSet, at now: Instant
  ) -> [ControllerCommand] {
    asked(in: answer).map { asked in
      var command = ControllerCommand(asked)
      if let obstacle = obstacle(to: asked, of: answer, at: now) {
        command.guards = [obstacle]
        return command
      }
      switch asked {
      case .cancelBolus: command.given = .cancelBolus
      case .resume: command.given = .resume
      case .suspend: command.given = .suspend
      case .cancelTempBasal: command.given = .cancelTempBasal
      case .tempBasal(let rate, let duration):
        command = CommandLimits(of: self).tempBasal(
          rate, for: duration, by: set, neutralRate: therapies.neutralRate(at: now),
          caution: caution(at: now))
      case .bolus(let units):
        command = CommandLimits(of: self).bolus(
          units, by: set, insulinOnBoard: insulinOnBoard(at: now) ?? 0, caution: caution(at: now))
      }
      return command
    }
  }

  private func asked(in answer: ControllerAnswer) -> [ControllerCommand.Asked] {
    var asked: [ControllerCommand.Asked] = []
    if answer.cancelsBolus { asked.append(.cancelBolus) }
    if answer.resumes { asked.append(.resume) }
    switch answer.tempBasal {
    case .start(let rate, let duration):
      asked.append(.tempBasal(unitsPerHour: rate, duration: duration))
    case .cancel: asked.append(.cancelTempBasal)
    case nil: break
    }
    if let bolus = answer.bolus { asked.append(.bolus(units: bolus)) }
    if answer.suspends { asked.append(.suspend) }
    return asked
  }

  /// What keeps a command from being sent at all.
  private func obstacle(
    to asked: ControllerCommand.Asked, of answer: ControllerAnswer, at now: Instant
  ) -> CommandGuard? {
    if !isClosedLoop { return .openLoop }
    guard let status = pump.status else { return .pumpUnknown }
    if status.alarm != nil { return .stopped }
    if pump.isUncertain { return .deliveryUncertain }
    if status.program?.kind == .suspended, !answer.resumes { return .suspended }
    if case .bolus = asked, pump.isBolusRunning(at: now), !answer.cancelsBolus {
      return .bolusInProgress
    }
    return nil
  }

  /// Why no more insulin than the schedule's may be given.
  private func caution(at now: Instant) -> CommandGuard? {
    if staleness(at: now) != nil { return .staleGlucose }
    return knownGlucose.isUnreliable ? .unreliableGlucose : nil
  }

  /// What the app makes of a bolus that a program recommends to a person.
  ///
  /// The limit of active insulin is for automatic doses only. The command is what the person would
  /// confirm.
  public func guardedBolus(
    _ units: Double, by set: GuardSet, at now: Instant
  ) -> ControllerCommand {
    CommandLimits(of: self).bolus(
      units, isAutomatic: false, by: set, insulinOnBoard: 0, caution: caution(at: now))
  }

  /// What the app makes of a bolus that a program in place of the algorithm recommends: what it
  /// makes of the algorithm's own.
  public func roundedBolus(_ units: Double) -> ControllerCommand {
    var command = ControllerCommand(.bolus(units: units))
    let supported = configuration.pump.supportedBolus(
      atMostUnits: disturbed(max(0, units), .recommendedBolus))
    command.given = .startBolus(supported, automatic: false)
    return command
  }
}
