internal import Quantities
internal import Simulation

/// A bolus that somebody asked for, and that the pump never began.
struct BolusInVain: Hashable {
  var instant: Instant
  var asked: InsulinAmount
}

extension RunReport {
  /// The boluses that people asked for in the run and the pump never began: it did not get the
  /// command or refused it, the phone was off, or a limit left nothing of them.
  ///
  /// What the loop asks for by itself it asks for again in the next cycle, and is left out.
  var foundBolusesInVain: [BolusInVain] {
    bolusRequests(isBegun: false).map { BolusInVain(instant: $0.instant, asked: $0.asked) }
  }

  /// What limits and steps cut off the boluses that the pump began, before it got the command.
  var cutFromBoluses: InsulinAmount {
    bolusRequests(isBegun: true).reduce(.zero) { $0 + $1.aboveLimit + $1.offGrid }
  }

  /// What people asked for, where the pump began a bolus for it, or where it did not.
  private func bolusRequests(isBegun: Bool) -> [BolusRequestRecord] {
    var begun = run.boluses.filter { !$0.isAutomatic }.sorted { $0.start < $1.start }
    var found: [BolusRequestRecord] = []
    // The last first: what an earlier request came to lies before it, or not at all.
    for request in run.bolusRequests.reversed() where request.requester != nil {
      let place = begun.firstIndex {
        request.commanded > .zero && $0.start >= request.instant
          && ($0.asked == request.commanded || $0.start - request.instant <= .seconds(1))
      }
      if let place { begun.remove(at: place) }
      if request.instant >= run.start, !request.hasStatedReport, (place != nil) == isBegun {
        found.append(request)
      }
    }
    return found.reversed()
  }
}
