internal import Devices
internal import Quantities

/// Boluses of which the pump counts and reports another amount than it gives.
extension World {
  /// Names the fault of the next such bolus.
  ///
  /// - Parameter isSent: Whether its command takes time to reach the pump.
  /// - Returns: An id that no fault before it has whose bolus is given or may be.
  mutating func nextMisreport(isSent: Bool) -> String {
    let underway = delivery.pump.arrivalsOfCommands.count + link.commandCount
    let number = max(latestMisreport, faults.episodes.count + underway) + 1
    // One that is refused takes no number from those that are on their way behind it.
    if isSent || underway > 0 { latestMisreport = number }
    return "misreported-bolus-\(number)"
  }

  /// The pump gets a command for a bolus of which a fault has it report another amount.
  ///
  /// - Returns: Whether it took the command at once, and the end of that fault, or its beginning
  ///   where the pump gets the command later; `nil` where there is none, or nothing has to end.
  mutating func carryOut(
    _ command: PumpCommand, misreportedBy fault: Fault, sent: Instant? = nil,
    byHand isByHand: Bool = false
  ) -> (isCarriedOut: Bool, later: ScenarioEvent?) {
    let former = delivery.pump.bolus?.event
    let heldUp = delivery.pump.latestHeldUp
    let isCarriedOut = isByHand ? press(command) : carryOut(command, sent: sent)
    let number = delivery.pump.latestHeldUp
    if number > heldUp, let due = delivery.pump.arrivalsOfCommands.last {
      lateMisreports[fault.id] = number
      return (isCarriedOut, ScenarioEvent(at: due, id: fault.id, .beginFault(fault)))
    }
    // A pump that refuses it gives another as it should be, or none.
    guard let bolus = delivery.pump.bolus, bolus.event != former else { return (isCarriedOut, nil) }
    begin(fault)
    return (isCarriedOut, endOfMisreport)
  }

  /// The bolus begins of which a fault has the pump report another amount; false where it does not:
  /// a command that came late may have been refused, or thrown away with a pod.
  mutating func beginMisreport(of faultID: String) -> Bool {
    givePulses()
    let late = lateMisreports.removeValue(forKey: faultID)
    guard let bolus = delivery.pump.bolus, bolus.event != misreporting?.bolus else { return false }
    if let late, delivery.pump.event(madeByHeldUp: late) != bolus.event { return false }
    endMisreport()
    misreporting = (faultID, bolus.event)
    return true
  }

  /// What a pump reports wrongly of a bolus is over with that, whatever it was to be.
  mutating func endMisreport() {
    guard let former = misreporting, delivery.pump.bolus?.event != former.bolus else { return }
    misreporting = nil
    end(faultID: former.id)
  }

  /// The end of what the pump reports wrongly of the bolus that it gives, should it give all of it;
  /// `nil` where there is nothing such.
  var endOfMisreport: ScenarioEvent? {
    guard let misreporting, let bolus = delivery.pump.bolus, bolus.event == misreporting.bolus
    else { return nil }
    return ScenarioEvent(
      at: bolus.end + .seconds(1), id: misreporting.id, .endFault(id: misreporting.id))
  }
}
