internal import Devices
internal import Quantities

/// A law that no run may break, whatever its scenario.
///
/// What can be told at once is checked after every step, the rest when the run ends. The first law
/// that is broken ends the run with its sentence: nothing that comes after can be believed.
public enum RunLaw: String, Hashable, Sendable, CaseIterable {
  /// The ledger accounts for every milliunit.
  case insulinConservation = "insulin-conservation"
  /// The body's glucose is a number.
  case finiteGlucose = "finite-glucose"
  /// The pump counts in pulses.
  case wholePulses = "delivery-is-whole-pulses"
  /// Rows and pulses come in the order of time.
  case monotoneTime = "monotone-time"
  /// No record and no pulse is less than nothing.
  case noNegativeInsulin = "no-negative-insulin"
  /// A suspended pump counts no pulse.
  case noDoseWhileSuspended = "no-dose-while-suspended"

  /// Where a run breaks the law; `nil` if it does not.
  public func violation(in run: RunResult) -> InvariantViolation? {
    if let broken = run.violations.first(where: { $0.name == rawValue }) { return broken }
    switch self {
    case .insulinConservation:
      return run.ledger.checkConservation().map { broken(at: run.end, $0.description) }
    case .finiteGlucose:
      return run.trace.rows.first { !$0.trueGlucose.mgdL.isFinite }.map {
        broken(at: $0.instant, Self.noNumber)
      }
    case .wholePulses:
      return run.pulses.first { !$0.recorded.isMultiple(of: run.pulseSize) }.map {
        broken(at: $0.instant, Self.notWhole($0, of: run.pulseSize))
      }
    case .monotoneTime: return disorder(in: run)
    case .noNegativeInsulin:
      if let pulse = run.pulses.first(where: \.isNegative) {
        return broken(at: pulse.instant, Self.negative(pulse))
      }
      return run.insulinSamples.first { $0.units < 0 }.map {
        broken(at: $0.start, "a sample has \($0.units) U")
      }
    case .noDoseWhileSuspended: return suspendedDose(in: run)
    }
  }

  private func disorder(in run: RunResult) -> InvariantViolation? {
    // Looked at where they are: a row taken out of the trace is copied.
    let rows = run.trace.rows.span
    for index in rows.indices.dropFirst()
    where rows[index - 1].instant >= rows[index].instant {
      return broken(
        at: rows[index].instant, "a row of the trace does not come after the one before it")
    }
    // The first use of a type of pairs would take a fiftieth of a run of an hour.
    var last: Instant?
    for pulse in run.pulses {
      if let last, last > pulse.instant { return broken(at: pulse.instant, Self.disorder) }
      last = pulse.instant
    }
    return nil
  }

  private func suspendedDose(in run: RunResult) -> InvariantViolation? {
    for program in run.programs where program.kind == .suspended || program.kind == .stopped {
      let first = run.pulses.partitioningIndex { $0.instant > program.start }
      let pulse = run.pulses[first...].prefix { $0.instant < program.end }.first {
        $0.recorded > .zero
      }
      if let pulse {
        return broken(
          at: pulse.instant, "the pump gave \(pulse.recorded) while \(program.kind.rawValue)")
      }
    }
    return nil
  }

  /// The law that a pulse breaks, given the one before it; `nil` where it breaks none.
  static func broken(
    by pulse: PumpPulseRecord, after before: PumpPulseRecord?, ofPulses size: InsulinAmount,
    at now: Instant
  ) -> InvariantViolation? {
    if !pulse.recorded.isMultiple(of: size) {
      return wholePulses.broken(at: now, notWhole(pulse, of: size))
    }
    if pulse.isNegative { return noNegativeInsulin.broken(at: now, negative(pulse)) }
    if let before, before.instant > pulse.instant {
      return monotoneTime.broken(at: now, disorder)
    }
    return nil
  }

  func broken(at instant: Instant, _ text: String) -> InvariantViolation {
    InvariantViolation(name: rawValue, instant: instant, text: text)
  }

  // MARK: - Sentences

  static let noNumber = "the body's glucose is not a number any more"
  static let disorder = "a pulse comes before the one recorded earlier"

  static func notWhole(_ pulse: PumpPulseRecord, of size: InsulinAmount) -> String {
    "the pump counted \(pulse.recorded), not a multiple of \(size)"
  }

  static func negative(_ pulse: PumpPulseRecord) -> String {
    "a pulse of \(pulse.recorded) brought \(pulse.physicalUnits) U"
  }
}

extension PumpPulseRecord {
  /// Whether less than nothing was counted or reached the body, or what did is not a number.
  var isNegative: Bool { recorded < .zero || !(physicalUnits >= 0) }
}

extension InsulinAmount {
  fileprivate func isMultiple(of pulse: InsulinAmount) -> Bool {
    milliunits.isMultiple(of: pulse.milliunits)
  }
}

extension Run {
  /// Checks the laws that can be told after a step; false if one is broken, and the run over.
  mutating func check() -> Bool {
    if setup.hasApp { world.noteObstacles() }
    if let broken = world.delivery.brokenLaw(at: world.now) { breaks(broken) }
    return ending.brokenLaw == nil
  }

  /// Ends the run at a law that it has broken.
  mutating func breaks(_ broken: InvariantViolation) {
    guard ending.brokenLaw == nil else { return }
    ending.brokenLaw = broken
    world.note(.warning, broken.name, "The simulation broke a law of its own: \(broken.text).")
  }
}
