internal import Devices
internal import Quantities
internal import WorkCounting

/// What the pump did in a run, as it is written down: pulses, boluses and programs.
struct DeliveryRecord: Sendable {
  private(set) var pulses = PumpPulses()
  /// Boluses the pump has begun, each as far as it has come.
  private(set) var boluses: [PumpBolusRecord] = []
  /// Programs that have ended.
  private(set) var programs: [PumpProgramRecord] = []
  private var programTraits = SharedValues<PumpProgramRecord.Traits>()
  /// When the command was sent that began the program that runs.
  private var programSent: Instant?
  /// The rates to which the program that runs has changed with the schedule.
  private var rateChanges: [PumpProgramRecord.RateChange] = []
  /// When commands for boluses were sent that a fault held up, and when they reach the pump.
  private var heldUp: [(sent: Instant, due: Instant)] = []
  /// How many of the pulses the laws of a run have looked at.
  private var checkedPulses = 0

  mutating func note(_ pulse: PumpPulseRecord) { pulses.append(pulse) }

  /// Notes that a program begins, by a command that was sent earlier, or by itself or one that took
  /// no time.
  mutating func noteStart(_ program: BasalProgram, sent: Instant?) {
    programSent = sent
    rateChanges = []
  }

  /// Notes that the program that runs goes on at another rate.
  mutating func note(rate: InsulinRate, at instant: Instant) {
    rateChanges.append(PumpProgramRecord.RateChange(instant: instant, rate: rate))
  }

  /// Notes the program that has ended.
  mutating func note(_ program: PumpProgramRecord) {
    var program = program
    program.sent = programSent
    switch program.kind {
    case .tempBasal: program.rateChanges = rateChanges
    case .scheduled: program.scheduledRates = rateChanges
    case .suspended, .stopped: break
    }
    programTraits.share(&program.traits)
    programs.append(program)
  }

  /// Notes that a command for a bolus is held up on its way to the pump.
  mutating func noteHeldUpBolus(sent: Instant, due: Instant) { heldUp.append((sent, due)) }

  /// Notes a bolus that began.
  mutating func noteStart(_ bolus: PumpBolusRecord) {
    assert(
      boluses.last?.identifier != bolus.identifier, "The pump gives each bolus its own identifier.")
    boluses.append(bolus)
    boluses[boluses.count - 1].sent = heldUp.last { $0.due == bolus.start }?.sent
  }

  /// Notes how far a bolus has come that began before; those that began last are looked at first.
  mutating func note(_ bolus: PumpBolusRecord) {
    assert(bolus.delivered <= bolus.asked, "A pump gives no more than was asked for.")
    assert(bolus.start <= bolus.end, "A bolus ends after it starts.")
    let index = boluses.lastIndex { $0.identifier == bolus.identifier }
    Work.visit(rows: boluses.count - (index ?? 0))
    guard let index else { return boluses.append(bolus) }
    let sent = boluses[index].sent
    boluses[index] = bolus
    boluses[index].sent = sent
  }

  /// The insulin that the pump counted as basal in the window (start, end].
  func basalDelivered(after start: Instant, through end: Instant) -> InsulinAmount {
    pulses.basal(after: start, through: end)
  }

  /// What reached the body while a bolus was given, in U.
  ///
  /// What comes free later behind an occlusion belongs to no bolus, and does not count.
  func unitsReachingBody(of bolus: PumpBolusRecord) -> Double {
    let follows = boluses.followsAtOnce(bolus)
    let first = pulses.partitioningIndex {
      follows ? $0.instant > bolus.start : $0.instant >= bolus.start
    }
    let last = pulses.partitioningIndex { $0.instant > bolus.end }
    return pulses[first..<max(first, last)].reduce(0) { units, pulse in
      switch pulse.channel {
      case .userBolus, .automaticBolus: units + pulse.physicalUnits
      case .basal, .unrequested, .release: units
      }
    }
  }

  /// The first and the last pulse of a command of which less reached the body than the pump
  /// counted, and of which more did; each `nil` where there is none.
  var wrongPulses: (short: ClosedRange<Instant>?, excess: ClosedRange<Instant>?) {
    guard !pulses.allReachedTheBody else { return (nil, nil) }
    var short: ClosedRange<Instant>?
    var excess: ClosedRange<Instant>?
    for pulse in pulses {
      switch pulse.channel {
      case .basal, .userBolus, .automaticBolus:
        let difference = pulse.physicalUnits - pulse.recorded.units
        if difference < -1e-9 {
          short = (short?.lowerBound ?? pulse.instant)...pulse.instant
        } else if difference > 1e-9 {
          excess = (excess?.lowerBound ?? pulse.instant)...pulse.instant
        }
      case .unrequested, .release: continue
      }
    }
    return (short, excess)
  }

  /// Looks for the law that a pulse not looked at yet breaks, given it and the one before.
  ///
  /// Where none does, all have been looked at.
  mutating func firstBroken(
    _ isBroken: (_ pulse: PumpPulseRecord, _ before: PumpPulseRecord?) -> InvariantViolation?
  ) -> InvariantViolation? {
    assert(checkedPulses <= pulses.count, "Pulses do not go away.")
    Work.visit(rows: pulses.count - checkedPulses)
    for index in checkedPulses..<pulses.count {
      if let broken = isBroken(pulses[index], index > 0 ? pulses[index - 1] : nil) {
        return broken
      }
    }
    checkedPulses = pulses.count
    return nil
  }
}

extension [PumpBolusRecord] {
  /// Whether the bolus before one of them ends as that one starts: a pulse at this instant is then
  /// the last of the bolus before it.
  ///
  /// The boluses are in the order of their starts, and a pump gives one at a time.
  package func followsAtOnce(_ bolus: PumpBolusRecord) -> Bool {
    let index = partitioningIndex { $0.start >= bolus.start }
    return index > 0 && self[index - 1].end == bolus.start && bolus.start < bolus.end
  }
}
