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

  /// By how much more the pump counts of the boluses of people than was asked for, where the
  /// scenario states what it reports; less than zero where it counts less.
  public var misreportedOfBoluses: InsulinAmount {
    requestsByPeople(areBegun: true).reduce(.zero) { $0 + $1.misreported }
  }

  /// What people asked for, where the pump began a bolus for it, or the body got it without a count
  /// of the pump's; or where nothing came of it.
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
      let isBegun = place != nil || request.isUncounted
      guard request.instant >= start, isBegun == areBegun else { continue }
      // Where nothing was to be given, nothing is missing.
      if isBegun || request.asked > .zero { found.append(request) }
    }
    return found.reversed()
  }
}
