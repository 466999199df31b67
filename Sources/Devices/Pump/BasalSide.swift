internal import LargeValues
import Quantities

/// The basal side of a pump: the program that runs, the pulses that it earns, and their account.
struct BasalSide: Hashable, Sendable {
  private let mark = PassedByAddress()

  /// What the basal side is doing.
  private(set) var program: BasalProgram
  /// The rate that runs now.
  private(set) var rate: InsulinRate = .zero
  /// The next entry of the schedule, while the program follows it.
  private(set) var nextEntry: Instant?
  /// The pulses counted as basal.
  private(set) var log = PulseLog()
  private var accumulator: BasalAccumulator
  private var booked = DeliveryLedger.Basal()
  private let residualRule: ResidualRule
  private let resumesOnScheduleGrid: Bool
  /// The interval at which pulses are given; `nil` when each is given at its own time.
  private let interval: TimeSpan?

  /// Creates the side of a pump whose schedule is started next.
  init(of profile: PumpProfile, at start: Instant) {
    program = BasalProgram(kind: .scheduled, start: start)
    accumulator = BasalAccumulator(pulse: profile.pulse)
    residualRule = profile.residualRule
    resumesOnScheduleGrid = profile.resumesOnScheduleGrid
    interval = profile.basalInterval
  }

  /// The account of basal, as of now.
  var account: DeliveryLedger.Basal {
    var account = booked
    account.pending = accumulator.pending
    return account
  }

  /// Whether delivery is suspended.
  var isSuspended: Bool { program.kind == .suspended }

  /// Whether a temp basal has run to its end.
  func hasExpired(at instant: Instant) -> Bool {
    guard program.kind == .tempBasal, let end = program.end else { return false }
    return end <= instant
  }

  // MARK: - Pulses

  /// Runs at the rate for a while.
  mutating func earn(for span: TimeSpan) {
    booked.programmed += AccruedInsulin(rate, for: span)
    accumulator.earn(rate, for: span)
  }

  /// When the next pulse is due; with an interval, the end of the interval in which it is.
  ///
  /// Intervals are counted from the activation of the pump.
  func nextPulse(after now: Instant, activation: Instant) -> Instant? {
    guard !standsStill else { return nil }
    assert(rate >= .zero, "A basal rate cannot be negative.")
    guard let time = accumulator.timeToNextPulse(at: rate) else { return nil }
    guard let interval else { return now + time }
    let due = max(now + time, now + .milliseconds(1)) - activation
    let intervals = (due.milliseconds + interval.milliseconds - 1) / interval.milliseconds
    return activation + interval * intervals
  }

  /// Takes the pulses that are due, and returns their number.
  mutating func takePulses(at now: Instant, activation: Instant) -> Int64 {
    guard !standsStill else { return 0 }
    if let interval, (now - activation).milliseconds % interval.milliseconds != 0 { return 0 }
    return accumulator.takePulses()
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

  /// Counts pulses that came out.
  mutating func count(_ amount: InsulinAmount, at instant: Instant) {
    booked.delivered += amount
    log.append(amount, at: instant)
    program.delivered += amount
  }

  /// Gives up pulses that were taken, and for which the reservoir has no insulin.
  mutating func lose(_ pulses: Int64) {
    let missed = AccruedInsulin(accumulator.pulse * pulses)
    booked.discarded += missed
    booked.missed += missed
  }

  /// Forgets the single pulses at or before an instant; the totals stay.
  mutating func forgetPulses(through instant: Instant) { log.forget(through: instant) }

  // MARK: - Programs

  /// Runs the schedule from an instant on.
  mutating func follow(_ timetable: PumpTimetable, at instant: Instant, resuming: Bool = false) {
    let scheduled = timetable.rate(at: instant)
    begin(BasalProgram(kind: .scheduled, start: instant, rate: scheduled))
    nextEntry = timetable.nextEntry(after: instant)
    let isOnGrid =
      switch residualRule {
      case .scheduleGrid: true
      case .carry: false
      default: resuming && resumesOnScheduleGrid
      }
    if isOnGrid { align(to: scheduled, of: timetable, at: instant) }
  }

  /// Makes a program the running one, until something ends it.
  mutating func begin(_ next: BasalProgram) {
    assert(next.rate >= .zero, "A basal rate cannot be negative.")
    assert(next.end.map { $0 >= next.start } ?? true, "A program ends after it begins.")
    program = next
    rate = next.rate
    nextEntry = nil
  }

  /// Makes a temp basal the running program; one in percent follows the schedule.
  mutating func begin(tempBasal next: BasalProgram, by timetable: PumpTimetable) {
    begin(next)
    if next.percent != nil { nextEntry = timetable.nextEntry(after: next.start) }
  }

  /// Ends the running program, and returns the fraction of a pulse that is forgotten with it.
  mutating func end(_ reason: BasalProgramEnd, dropping: Bool) -> AccruedInsulin {
    guard dropping || discards(at: reason) else { return .zero }
    let fraction = discardFraction()
    if fraction > .zero, reason == .alarm { booked.discardsAtAlarms += 1 }
    return fraction
  }

  /// Names another alarm as the one by which the pump stands still.
  mutating func stand(by alarm: PumpAlarm) { program.kind = .stopped(alarm) }

  /// Goes on with the schedule at one of its entries, or at midnight, and returns the fraction of a
  /// pulse that is forgotten.
  mutating func enterEntry(of timetable: PumpTimetable, at instant: Instant) -> AccruedInsulin {
    let newRate = rate(at: instant, by: timetable)
    var discarded = AccruedInsulin.zero
    switch residualRule {
    case .resetOnRateChange where newRate != rate:
      discarded = discardFraction()
    case .resetOnEverySegment:
      discarded = discardFraction()
    case .scheduleGrid where program.kind == .scheduled:
      discarded = discardFraction()
      align(to: newRate, of: timetable, at: instant)
    default: break
    }
    assert(newRate >= .zero, "A basal rate cannot be negative.")
    if discarded > .zero { booked.discardsAtEntries += 1 }
    rate = newRate
    nextEntry = timetable.nextEntry(after: instant)
    return discarded
  }

  /// Looks at the schedule at once where it follows it, because the clock has jumped.
  mutating func clockDidJump(at instant: Instant) {
    if nextEntry != nil { nextEntry = instant }
  }

  /// Finds the next entry anew where it follows the schedule, because the clock runs otherwise; one
  /// that has come already stays due.
  mutating func clockDidChangePace(at instant: Instant, of timetable: PumpTimetable) {
    guard let due = nextEntry, due > instant else { return }
    nextEntry = timetable.nextEntry(after: instant)
  }

  /// The rate that holds from now on.
  func rateToCome(from now: Instant, by timetable: PumpTimetable) -> InsulinRate {
    guard let nextEntry, nextEntry <= now else { return rate }
    return rate(at: now, by: timetable)
  }

  /// The rate that the running program asks for at an instant.
  private func rate(at instant: Instant, by timetable: PumpTimetable) -> InsulinRate {
    switch program.kind {
    case .suspended, .stopped: .zero
    case .scheduled: timetable.rate(at: instant)
    case .tempBasal:
      if let percent = program.percent {
        timetable.rate(at: instant).scaled(toPercent: percent)
      } else {
        program.rate
      }
    }
  }

  private func discards(at reason: BasalProgramEnd) -> Bool {
    switch residualRule {
    case .resetOnCommand, .resetOnRateChange, .resetOnEverySegment, .scheduleGrid: true
    case .carry: false
    case .resetOnTempStart: reason == .replaced || reason == .suspended || reason == .alarm
    }
  }

  /// Forgets the fraction of a pulse, in the ledger's sight.
  private mutating func discardFraction() -> AccruedInsulin {
    let fraction = accumulator.discard()
    guard fraction > .zero else { return .zero }
    booked.discarded += fraction
    booked.discards += 1
    return fraction
  }

  /// Stands where the schedule's entry would stand if it had run all along (rule R4).
  ///
  /// A fraction that is still there is forgotten first, in the ledger's sight.
  private mutating func align(
    to rate: InsulinRate, of timetable: PumpTimetable, at instant: Instant
  ) {
    _ = discardFraction()
    accumulator.align(to: rate, runningFor: timetable.timeSinceEntry(at: instant))
    booked.anticipated += accumulator.pending
  }
}
