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
      if let nextEntry, nextEntry <= now { enterScheduleEntry() }
      let next = min(target, nextInstantWithWork())
      accounts.basal.programmed += AccruedInsulin(rate, for: next - now)
      assert(next > now, "Work of a pump lies ahead.")
      assert(next <= target, "A pump does not run further than it is asked to.")
      accumulator.earn(rate, for: next - now)
      now = next
      giveBasalPulses()
      giveBolusPulses()
      if program.kind == .tempBasal, let end = program.end, end <= now {
        endProgram(.expired)
        startSchedule()
      }
      if !faults.isIdle { runFaults() }
      while let alarm = age.takeAlarm(by: now) { raise(alarm) }
    }
  }

  /// The next instant after now at which something happens by itself.
  private func nextInstantWithWork() -> Instant {
    var next = nextBasalPulse() ?? .distantFuture
    if let pulse = nextBolusPulse { next = min(next, pulse) }
    if let end = program.end { next = min(next, end) }
    if let entry = nextEntry { next = min(next, entry) }
    if let alarm = age.nextAlarm { next = min(next, alarm.instant) }
    if let fault = faults.nextInstant { next = min(next, fault) }
    return max(next, now + .milliseconds(1))
  }

  /// When the next basal pulse is due; with an interval, the end of the interval in which it is.
  private func nextBasalPulse() -> Instant? {
    guard !standsStill else { return nil }
    assert(rate >= .zero, "A basal rate cannot be negative.")
    guard let time = accumulator.timeToNextPulse(at: rate) else { return nil }
    guard let interval = profile.basalInterval else { return now + time }
    let due = max(now + time, now + .milliseconds(1)) - activation
    let intervals = (due.milliseconds + interval.milliseconds - 1) / interval.milliseconds
    return activation + interval * intervals
  }

  /// Whether the pump gives no basal insulin, whatever it has earned: it is suspended, or an alarm
  /// has stopped it.
  ///
  /// A pump that gives its pulses at the end of an interval may have earned some before that. They
  /// come when it goes on, or are discarded by its residual rule.
  private var standsStill: Bool {
    switch program.kind {
    case .suspended, .stopped: true
    case .scheduled, .tempBasal: false
    }
  }

  private mutating func giveBasalPulses() {
    guard !standsStill else { return }
    if let interval = profile.basalInterval,
      (now - activation).milliseconds % interval.milliseconds != 0
    {
      return
    }
    let due = accumulator.takePulses()
    guard due > 0 else { return }
    let given = supply.pulses(atMost: due, of: profile.pulse)
    assert(given >= 0, "A reservoir holds no less than nothing.")
    assert(given <= due, "A pump gives no pulse that is not due.")
    if given > 0 { give(profile.pulse * given, as: .basal) }
    guard given < due else { return }
    accounts.basal.discarded += AccruedInsulin(profile.pulse * (due - given))
    raise(.reservoirEmpty)
  }

  /// Goes on with the schedule at one of its entries, or at midnight.
  private mutating func enterScheduleEntry() {
    let newRate = programRate(at: now)
    var discarded = AccruedInsulin.zero
    switch profile.residualRule {
    case .resetOnRateChange where newRate != rate:
      discarded = discardFraction()
    case .resetOnEverySegment:
      discarded = discardFraction()
    case .scheduleGrid where program.kind == .scheduled:
      discarded = discardFraction()
      alignToGrid(of: newRate)
    default: break
    }
    assert(newRate >= .zero, "A basal rate cannot be negative.")
    rate = newRate
    nextEntry = clock.nextEntry(of: schedule, after: now)
    record(.scheduleEntry(newRate, discarded: discarded))
  }

  /// The rate that the running program asks for at an instant.
  func programRate(at instant: Instant) -> InsulinRate {
    switch program.kind {
    case .suspended, .stopped: return .zero
    case .scheduled: return scheduledRate(at: instant)
    case .tempBasal:
      guard let percent = program.percent else { return program.rate }
      let scheduled = scheduledRate(at: instant).milliunitsPerHour
      return InsulinRate(milliunitsPerHour: scheduled * percent / 100)
    }
  }

  mutating func record(_ kind: PumpLogEntry.Kind) {
    occurrences.append(PumpLogEntry(instant: now, kind: kind))
  }
}

extension Instant {
  /// Later than anything that happens, and far enough from the end of the numbers to add to.
  static let distantFuture = Self(millisecondsSince1970: .max / 4)
}
