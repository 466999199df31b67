internal import Dosing
internal import Determinism

extension RunResult {
  /// The digest of the result as it stands: of every field but those that ``digest`` leaves out.
  public var computedDigest: UInt64 {
    var digest = RunningDigest()
    digest.absorb(clock)
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(lethalEnd)
    digest.absorb(modelExcursions)
    digest.absorb(trace)
    digest.absorb(cycles)
    digest.absorb(basalSamples)
    digest.absorb(eventHistory)
    digest.absorb(insulinDelivery)
    digest.absorb(insulinSamples)
    digest.absorb(ledger)
    digest.absorb(agreement)
    digest.absorb(violations)
    digest.absorb(store)
    digest.absorb(pulses)
    digest.absorb(boluses)
    digest.absorb(bolusRequests)
    digest.absorb(programs)
    digest.absorb(injections)
    digest.absorb(scheduledBasal)
    digest.absorb(referenceBasal)
    digest.absorb(pumpInsulinModel)
    digest.absorb(basalNeed)
    digest.absorb(pulseSize)
    digest.absorb(limits)
    digest.absorb(faultWindows)
    digest.absorb(cycleOutcomes)
    digest.absorb(dosingSwitches)
    if !hasApp { digest.absorb(hasApp) }
    return digest.value
  }
}

extension RunResult.Cycles: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(due)
    digest.absorb(completed)
    digest.absorb(enacted)
  }
}

extension LethalEnd: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(glucose)
    digest.absorb(floor)
  }
}

extension InvariantViolation: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(name)
    digest.absorb(instant)
    digest.absorb(text)
  }
}

extension CycleOutcome: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(failure)
    digest.absorb(insulinOnBoard)
  }
}

extension DosingSwitch: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(isOn)
  }
}

extension LimitRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(maximumBasalRate)
    digest.absorb(maximumBolus)
    digest.absorb(neutralBasalRate)
  }
}

extension FaultWindow: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(id)
    digest.absorb(span)
    if let slip { digest.absorb(slip) }
  }
}

// MARK: - What happened

extension Trace: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(rows)
    digest.absorb(happenings)
  }
}

extension TraceRow: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(trueGlucose)
    digest.absorb(reading)
    digest.absorb(scheduledRate)
    digest.absorb(programmedRate)
    digest.absorb(basalDelivered)
    digest.absorb(bolusDelivered)
    digest.absorb(carbsEaten)
    digest.absorb(carbsEntered)
    digest.absorb(insulinOnBoard)
    digest.absorb(bodyInsulin)
    digest.absorb(carbsOnBoard)
    digest.absorb(recommendation)
    digest.absorb(mode)
  }
}

extension LoopMode: Digestible {}

extension Happening: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(kind)
    digest.absorb(name)
    digest.absorb(text)
  }
}

extension Happening.Kind: Digestible {}
