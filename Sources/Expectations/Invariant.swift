internal import Devices
internal import Quantities
internal import Simulation

/// A law that every run can be held to, by the name that expectations use.
public enum Invariant: String, Hashable, Sendable, CaseIterable {
  /// The pump's ledger accounts for all insulin.
  case insulinConservation = "insulin-conservation"
  /// The pump counts in pulses.
  case wholePulses = "delivery-is-whole-pulses"
  /// No two basal samples of the app overlap.
  case noOverlappingBasal = "no-overlapping-basal"
  /// The basal samples of the app tile the run.
  case noGapsInBasal = "no-gaps-in-basal"
  /// The health store tells what the pump's history does.
  case storeEqualsPump = "store-equals-pump-history"
  /// No record of insulin differs from another.
  case recordsAgree = "records-agree"
  /// Every difference between records has a cause.
  case recordsExplained = "records-explained"
  /// Rows and pulses come in the order of time.
  case monotoneTime = "monotone-time"
  /// No record and no pulse is less than nothing.
  case noNegativeInsulin = "no-negative-insulin"
  /// The app keeps within the limits of its settings.
  case limitsRespected = "limits-respected"
  /// A suspended pump counts no pulse.
  case noDoseWhileSuspended = "no-dose-while-suspended"
  /// No temp basal runs longer than half an hour.
  case shortTempBasals = "temp-basal-max-30m"
  /// No sample of insulin is there twice, from the app or from another source.
  case noDuplicates = "no-duplicate-records"

  /// What breaks the law, with its instant; nothing when it holds.
  func complaint(about run: RunResult) -> (instant: Instant, sentence: String)? {
    switch self {
    case .insulinConservation, .wholePulses, .monotoneTime, .noNegativeInsulin,
      .noDoseWhileSuspended:
      // These hold for every run, and are checked in every run.
      RunLaw(rawValue: rawValue)?.violation(in: run).map { ($0.instant, $0.text) }
    case .noOverlappingBasal: overlap(run)
    case .noGapsInBasal: gap(run)
    case .storeEqualsPump: totals(run)
    case .recordsAgree:
      run.agreement.differences.first(where: \.isDifference).map { ($0.start, $0.text) }
    case .recordsExplained:
      run.agreement.differences.first { $0.severity == .fault }.map { ($0.start, $0.text) }
    case .limitsRespected: limits(run)
    case .shortTempBasals:
      run.programs.first { $0.kind == .tempBasal && $0.end - $0.start > .minutes(30) }.map {
        ($0.start, "a temp basal ran for \($0.end - $0.start)")
      }
    case .noDuplicates: duplicate(run)
    }
  }

  private func overlap(_ run: RunResult) -> (Instant, String)? {
    zip(run.basalSamples, run.basalSamples.dropFirst()).first { $0.end > $1.start }.map {
      ($1.start, "the basal sample overlaps the one before it")
    }
  }

  private func gap(_ run: RunResult) -> (Instant, String)? {
    guard let first = run.basalSamples.first else {
      return (run.start, "there is no basal sample")
    }
    if first.start > run.start {
      return (run.start, "the first basal sample starts only at \(run.clock.iso8601(first.start))")
    }
    var covered = first.end
    for sample in run.basalSamples.dropFirst() {
      guard sample.start <= covered else {
        return (
          covered, "no basal sample covers the time up to \(run.clock.iso8601(sample.start))"
        )
      }
      covered = max(covered, sample.end)
    }
    guard covered < run.end else { return nil }
    return (covered, "the last basal sample ends before the run does")
  }

  private func totals(_ run: RunResult) -> (Instant, String)? {
    for origin in [RecordAgreement.Origin.basal, .bolus] {
      let totals = run.agreement[origin]
      let pump = totals.reference
      guard let stored = totals.healthStore,
        (pump - stored).magnitude > RecordAgreement.tolerance
      else { continue }
      return (
        run.end,
        "the pump gave \(shortened(pump)) U of \(origin.rawValue), and the health store has "
          + "\(shortened(stored)) U"
      )
    }
    return nil
  }

  private func limits(_ run: RunResult) -> (Instant, String)? {
    if let rate = rateAboveLimit(run) { return rate }
    // A bolus on the pump itself, or one whose report the scenario states, is no dose of the app's.
    for request in run.bolusRequests
    where request.requester?.goesThroughApp != false && !request.hasStatedReport {
      // The loop decides after what people do at its instant; they act one after the other.
      let limit =
        request.requester == nil
        ? run.limits.last { $0.instant <= request.instant }?.maximumBolus
        : run.limits.maximumBolus(at: request.instant)
      guard let limit, request.commanded > limit else { continue }
      return (request.instant, "a bolus of \(request.commanded) is above \(limit)")
    }
    return nil
  }

  private func rateAboveLimit(_ run: RunResult) -> (Instant, String)? {
    let above = run.ratesAboveLimit.first.map { above in
      (
        above.start,
        "a temp basal in percent follows the schedule to \(above.rate), above \(above.limit)"
      )
    }
    // A temp basal that a person sets on the pump is limited by the pump alone.
    for program in run.programs where program.kind == .tempBasal && program.isAutomatic {
      // The algorithm may set the rate of a schedule or a preset that lies above the maximum, and
      // what it takes away from there is no excess. A command that is on its way was within the
      // limits when it was sent.
      let sent = program.sent ?? program.start
      guard let limit = run.limits.last(where: { $0.instant <= sent }) else { continue }
      guard program.rate > max(limit.maximumBasalRate, limit.neutralBasalRate) else { continue }
      let started = (
        program.start, "a temp basal of \(program.rate) is above \(limit.maximumBasalRate)"
      )
      return above.map { $0.0 < started.0 ? $0 : started } ?? started
    }
    return above
  }

  private func duplicate(_ run: RunResult) -> (Instant, String)? {
    var seen: Set<String> = []
    for sample in run.insulinSamples {
      guard let identifier = sample.syncIdentifier else { continue }
      if !seen.insert("\(sample.source) \(identifier)").inserted {
        return (sample.start, "the health store holds \(identifier) twice")
      }
    }
    let copies = run.agreement.differences.filter { $0.kind == .duplicateSample }
    return copies.min { $0.start < $1.start }.map { ($0.start, $0.text) }
  }
}
