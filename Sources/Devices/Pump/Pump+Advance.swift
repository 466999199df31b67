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
    defer { occurrences.removeAll(keepingCapacity: true) }
    return Array(occurrences)
  }

  /// Puts what happened since it was last asked for into a list, in place of what is there.
  ///
  /// The room of the two lists changes hands, so that none is made anew.
  package mutating func takeOccurrences(into list: inout ContiguousArray<PumpLogEntry>) {
    list.removeAll(keepingCapacity: true)
    guard !occurrences.isEmpty else { return }
    swap(&list, &occurrences)
  }

  /// Lives through the time up to an instant, without returning what happened.
  package mutating func run(until target: Instant) {
    while now < target {
      if let entry = basal.nextEntry, entry <= now { enterScheduleEntry() }
      let next = min(target, nextInstantWithWork())
      assert(next > now, "Work of a pump lies ahead.")
      assert(next <= target, "A pump does not run further than it is asked to.")
      basal.earn(for: next - now)
      now = next
      giveBasalPulses()
      giveBolusPulses()
      if basal.hasExpired(at: now) {
        endProgram(.expired)
        startSchedule()
      }
      if !faults.isIdle { runFaults() }
      while let alarm = age.takeAlarm(by: now) { raise(alarm) }
    }
  }

  /// The next instant after now at which something happens by itself.
  private func nextInstantWithWork() -> Instant {
    var next = basal.nextPulse(after: now, activation: activation) ?? .distantFuture
    if let pulse = boluses.nextPulse { next = min(next, pulse) }
    if let end = basal.program.end { next = min(next, end) }
    if let entry = basal.nextEntry { next = min(next, entry) }
    if let alarm = age.nextAlarm { next = min(next, alarm.instant) }
    if let fault = faults.nextInstant { next = min(next, fault) }
    return max(next, now + .milliseconds(1))
  }

  /// Goes on with the schedule at one of its entries, or at midnight.
  private mutating func enterScheduleEntry() {
    let discarded = basal.enterEntry(of: timetable, at: now)
    record(.scheduleEntry(basal.rate, discarded: discarded))
  }

  mutating func record(_ kind: PumpLogEntry.Kind) {
    occurrences.append(PumpLogEntry(instant: now, kind: kind))
  }
}

extension Instant {
  /// Later than anything that happens, and far enough from the end of the numbers to add to.
  static let distantFuture = Self(millisecondsSince1970: .max / 4)
}
