internal import Devices
internal import Quantities

/// What the pump did in a run, as it is written down: pulses, boluses and programs.
struct DeliveryRecord: Sendable {
  private(set) var pulses: [PumpPulseRecord] = []
  /// Boluses the pump has begun, each as far as it has come.
  private(set) var boluses: [PumpBolusRecord] = []
  /// Programs that have ended.
  private(set) var programs: [PumpProgramRecord] = []
  /// When the command was sent that began the program that runs.
  private var programSent: Instant?
  /// How many of the pulses the laws of a run have looked at.
  private var checkedPulses = 0

  mutating func note(_ pulse: PumpPulseRecord) { pulses.append(pulse) }

  /// Notes that a program begins, by a command that was sent earlier, or by itself or one that took
  /// no time.
  mutating func noteProgramStart(sent: Instant?) { programSent = sent }

  /// Notes the program that has ended.
  mutating func note(_ program: PumpProgramRecord) {
    programs.append(program)
    programs[programs.count - 1].sent = programSent
  }

  /// Notes a bolus that began, or what became of it.
  mutating func note(_ bolus: PumpBolusRecord) {
    assert(bolus.delivered <= bolus.asked, "A pump gives no more than was asked for.")
    assert(bolus.start <= bolus.end, "A bolus ends after it starts.")
    if let index = boluses.lastIndex(where: { $0.identifier == bolus.identifier }) {
      boluses[index] = bolus
    } else {
      boluses.append(bolus)
    }
  }

  /// What reached the body while a bolus was given, in U.
  ///
  /// What comes free later behind an occlusion belongs to no bolus, and does not count.
  func unitsReachingBody(of bolus: PumpBolusRecord) -> Double {
    let first = pulses.partitioningIndex { $0.instant >= bolus.start }
    let last = pulses.partitioningIndex { $0.instant > bolus.end }
    return pulses[first..<max(first, last)].reduce(0) { units, pulse in
      switch pulse.channel {
      case .userBolus, .automaticBolus: units + pulse.physicalUnits
      case .basal, .unrequested, .release: units
      }
    }
  }

  /// Looks for the law that a pulse not looked at yet breaks, given it and the one before.
  ///
  /// Where none does, all have been looked at.
  mutating func firstBroken(
    _ isBroken: (_ pulse: PumpPulseRecord, _ before: PumpPulseRecord?) -> InvariantViolation?
  ) -> InvariantViolation? {
    assert(checkedPulses <= pulses.count, "Pulses do not go away.")
    for index in checkedPulses..<pulses.count {
      if let broken = isBroken(pulses[index], index > 0 ? pulses[index - 1] : nil) {
        return broken
      }
    }
    checkedPulses = pulses.count
    return nil
  }
}
