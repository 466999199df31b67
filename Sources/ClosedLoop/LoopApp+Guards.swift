internal import Devices
internal import Dosing
public import Quantities

/// What the app makes of the commands that a program asks for.
extension LoopApp {
  /// The commands of an answer in the order in which they are sent, each after its guards.
  func guarded(
    _ answer: ControllerAnswer, by set: GuardSet, at now: Instant
  ) -> [ControllerCommand] {
    answer.asked.map { asked in
      var command = ControllerCommand(asked)
      let obstacle =
        isClosedLoop ? pump.obstacle(to: asked, of: answer, at: now) : .openLoop
      if let obstacle {
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
    command.given = .startBolus(supportedBolus(max(0, units)), automatic: false)
    return command
  }
}
