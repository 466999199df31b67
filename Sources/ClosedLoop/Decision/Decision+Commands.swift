internal import Devices
internal import Dosing
internal import Quantities

/// How a recommendation becomes commands.
///
/// It is rounded down to what the pump can do, and what already runs is left alone. Where the pump
/// cannot carry anything out, or the CGM cannot be relied on, nothing is commanded but the end of a
/// high temp basal.
extension Decision {
  /// Takes in a recommendation, with the commands that carry it out.
  ///
  /// - Parameters:
  ///   - recommendation: What was recommended, or why nothing was.
  ///   - profile: What the pump can do.
  ///   - pump: What is known of the pump.
  ///   - therapies: The therapy in force.
  ///   - generation: Which app's rules are followed.
  ///   - disturbances: What is wrong with the recommendation on its way.
  ///   - isReliable: Whether the CGM can be relied on.
  mutating func take(
    _ recommendation: Result<Recommendation, AlgorithmError>, for profile: PumpProfile,
    _ pump: KnownPump, _ therapies: TherapyHistory, _ generation: LoopGeneration,
    _ disturbances: DataDisturbances, isReliable: Bool
  ) {
    switch recommendation {
    case .failure(let error): refusal = .algorithm(error)
    case .success(let recommendation):
      self.recommendation = recommendation
      guard case .automatic(let automatic) = recommendation else { return }
      let neutralRate = therapies.neutralRate(at: instant)
      let adjustment = TempBasalAdjustment(
        neutralRate: neutralRate,
        neutralMatchesPump: therapies.presets.overrides.neutralMatchesPump(
          at: instant, generation))
      self.neutralRate = InsulinRate(roundingUnitsPerHour: neutralRate) ?? .zero
      take(
        automatic, adjustment, for: profile, beside: therapies.basal.value(at: instant),
        pump.runningTemp, therapies.current, disturbances)
      if let refusal = pump.inability(at: instant, profile) {
        self.refusal = refusal
      } else if isClosedLoop, isReliable {
        commands = commandsToSend(whileBolusRuns: pump.isBolusRunning(at: instant))
      }
    }
  }

  /// Rounds a recommendation down to what the pump can do, and leaves out what already runs.
  private mutating func take(
    _ recommendation: AutomaticDoseRecommendation, _ adjustment: TempBasalAdjustment,
    for profile: PumpProfile, beside scheduled: InsulinRate, _ running: RunningTempBasal?,
    _ therapy: TherapySettings,
    _ disturbances: DataDisturbances
  ) {
    assert(adjustment.neutralRate >= 0, "A scheduled rate cannot be negative.")
    let rate = profile.supportedRate(
      atMostUnitsPerHour: disturbances.disturbed(
        recommendation.basalAdjustment.unitsPerHour, .recommendedRate, therapy), of: scheduled)
    assert(rate >= .zero, "A pump cannot run below nothing.")
    switch adjustment.command(for: rate, running: running, at: instant) {
    case nil: basal = .none
    case .cancel: basal = .cancel
    case .set(let rate, _):
      let rule = profile.tempBasal
      let duration = rule.duration(rule.usualDuration, of: rate, beside: scheduled)
      basal = .start(rate, duration: duration)
    }
    guard therapy.strategy == .automaticBolus else { return }
    let units = disturbances.disturbed(recommendation.bolusUnits ?? 0, .recommendedBolus, therapy)
    if units > 0 { bolus = profile.supportedBolus(atMostUnits: units) }
  }

  private func commandsToSend(whileBolusRuns isBolusRunning: Bool) -> [PumpCommand] {
    assert(refusal == nil, "A cycle that gives no dose has no commands.")
    assert(isClosedLoop, "An open loop only recommends.")
    assert(bolus >= .zero, "A pump cannot take insulin back.")
    var commands: [PumpCommand] = []
    switch basal {
    case .none: break
    case .cancel: commands.append(.cancelTempBasal)
    case .start(let rate, let duration):
      commands.append(.startTempBasal(rate, duration: duration, automatic: true))
    }
    if bolus > .zero, !isBolusRunning { commands.append(.startBolus(bolus, automatic: true)) }
    return commands
  }

  /// Ends a temp basal above the schedule when the CGM cannot be relied on; a low one goes on.
  mutating func stopHighTempBasal(_ running: RunningTempBasal?, scheduled: InsulinRate) {
    refusal = .glucoseUnreliable
    basal = .none
    bolus = .zero
    commands = []
    guard isClosedLoop, let running, running.end > instant, running.rate > scheduled
    else { return }
    basal = .cancel
    commands = [.cancelTempBasal]
  }
}

extension TempBasalRule {
  /// Half an hour, or what comes nearest on a pump that does not accept that.
  fileprivate var usualDuration: TimeSpan {
    let usual = TempBasalAdjustment.duration
    assert(minimumDuration > .zero, "A temp basal lasts some time.")
    return accepts(duration: usual) ? usual : minimumDuration
  }
}
