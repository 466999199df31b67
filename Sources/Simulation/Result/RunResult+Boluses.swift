public import Quantities

/// What became of the boluses that people asked for.
extension RunResult {
  /// The boluses that people asked for in the run and the pump never began: it did not get the
  /// command or refused it, the phone was off, or a limit left nothing of them.
  ///
  /// What the loop asks for by itself it asks for again in the next cycle, and is left out.
  public var bolusesInVain: [BolusRequestRecord] { requestsByPeople(areBegun: false) }

  /// What limits and steps cut off the boluses of people that the pump began, before it got the
  /// command.
  public var cutFromBoluses: InsulinAmount {
    requestsByPeople(areBegun: true).reduce(.zero) { $0 + $1.aboveLimit + $1.offGrid }
  }

  /// What people asked for, where the pump began a bolus for it, or where it did not.
  private func requestsByPeople(areBegun: Bool) -> [BolusRequestRecord] {
    var begun = boluses.filter { !$0.isAutomatic }.sorted { $0.start < $1.start }
    var found: [BolusRequestRecord] = []
    // The last first: what an earlier request came to lies before it, or not at all.
    for request in bolusRequests.reversed() where request.requester != nil {
      let first = begun.partitioningIndex { $0.start >= request.instant }
      // Of two at one instant the amount alone tells which was begun. A pump gives whole pulses.
      let asked = max(.zero, request.commanded).flooredToMultiple(of: pulseSize)
      let place = begun[first...].firstIndex { asked > .zero && $0.asked == asked }
      if let place { begun.remove(at: place) }
      if request.instant >= start, !request.hasStatedReport, (place != nil) == areBegun {
        found.append(request)
      }
    }
    return found.reversed()
  }
}
