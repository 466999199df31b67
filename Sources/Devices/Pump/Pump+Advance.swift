public import Quantities

extension Pump {
  /// Lives through the time up to an instant, and returns what happened in the order of time.
  ///
  /// What commands caused since the last call is returned too. An instant that has passed changes
  /// nothing.
  public mutating func advance(to target: Instant) -> [PumpLogEntry] {
    run(until: target)
    return takeOccurrences()
  }

  /// Returns what happened since it was last asked for, without advancing.
  public mutating func takeOccurrences() -> [PumpLogEntry] {
    delivery.takeLog()
  }

  /// Puts what happened since it was last asked for into a list, in place of what is there.
  ///
  /// The room of the two lists changes hands, so that none is made anew.
  package mutating func takeOccurrences(into list: inout ContiguousArray<PumpLogEntry>) {
    delivery.takeLog(into: &list)
  }

  /// Lives through the time up to an instant, without returning what happened.
  package mutating func run(until target: Instant) {
    while now < target {
      delivery.enterDueEntry()
      let next = min(target, nextInstantWithWork())
      assert(next <= target, "A pump does not run further than it is asked to.")
      delivery.run(to: next, through: &faults)
      if !faults.isIdle { runFaults() }
      delivery.raiseAlarmsOfAge()
    }
  }

  /// The next instant after now at which something happens by itself.
  private func nextInstantWithWork() -> Instant {
    var next = delivery.nextInstant
    if !faults.isIdle, let fault = faults.nextInstant(detecting: looksForOcclusions) {
      next = min(next, fault)
    }
    return max(next, now + .milliseconds(1))
  }

  /// Whether an occlusion is detected where it is due: some pumps wait until a bolus is over.
  var looksForOcclusions: Bool { !profile.occlusionAlarmWaitsForBolus || bolus == nil }
}

extension Instant {
  /// Later than anything that happens, and far enough from the end of the numbers to add to.
  static let distantFuture = Self(millisecondsSince1970: .max / 4)
}
