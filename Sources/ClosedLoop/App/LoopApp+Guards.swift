internal import Devices
internal import Dosing
public import Quantities

/// What the app makes of the commands that a program asks for.
extension LoopApp {
  /// The commands of an answer in the order in which they are sent, each after its guards.
  func guarded(
    _ answer: ControllerAnswer, by set: GuardSet, at now: Instant
  ) -> [ControllerCommand] {
    let limits = CommandLimits(of: self)
    return answer.asked.map { asked in
      let obstacle =
        isClosedLoop ? pump.obstacle(to: asked, of: answer, at: now) : .openLoop
      if let obstacle {
        var command = ControllerCommand(asked)
        command.guards = [obstacle]
        return command
      }
      return limits.command(
        for: asked, by: set, scheduledRate: therapies.basal.value(at: now),
        neutralRate: therapies.neutralRate(at: now),
        insulinOnBoard: insulinOnBoard(at: now) ?? 0, caution: caution(at: now))
    }
  }

  /// Why no more insulin than the schedule's may be given.
  private func caution(at now: Instant) -> CommandGuard? {
    if staleness(at: now) != nil { return .staleGlucose }
    return glucose.isUnreliable ? .unreliableGlucose : nil
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
