internal import Devices
public import Dosing
public import Quantities

/// What may start a cycle of the loop.
public enum CycleTrigger: Hashable, Sendable {
  /// A new value of the CGM.
  case newGlucose
  /// The pump or the phone woke the app.
  case heartbeat
}

extension LoopApp {
  /// Whether the loop should run now.
  ///
  /// New glucose starts a cycle when the last one is more than 4.2 minutes old, another occasion
  /// when the last completed one is.
  public func isCycleDue(for trigger: CycleTrigger, at now: Instant) -> Bool {
    let last =
      switch trigger {
      case .newGlucose: lastCycle
      case .heartbeat: lastCompletedCycle
      }
    return LoopTrigger.isDue(at: now, lastLoop: last)
  }

  /// Runs one cycle of the loop.
  ///
  /// Everything is brought up to date first, so that no dose is decided on with one missing that
  /// was only deleted in the health store. In open loop the decision has no commands.
  public mutating func decide(at now: Instant) -> Decision {
    beginCycle(at: now)
    var decision = Decision(at: now, isClosedLoop: isClosedLoop)
    if let refusal = staleness(at: now) {
      decision.refusal = refusal
      decision.insulinOnBoard = insulinOnBoard(at: now)
      cycles.ask(nil)
    } else {
      // The last cycle's input gives up its samples, so that they can be carried on.
      cycles.ask(nil)
      knownGlucose.refresh(at: now)
      cycles.ask(algorithmInput(at: now, for: automaticRecommendation))
    }
    if let result = cycles.decide() {
      decision.insulinOnBoard = result.activeInsulin
      decision.carbsOnBoard = result.activeCarbs
      if case .success = result.recommendation {
        decision.prediction = cycles.prediction
      }
      take(result.recommendation, into: &decision)
    }
    endCycle(with: &decision)
    return decision
  }

  /// Brings everything up to date before anything is decided.
  mutating func beginCycle(at now: Instant) {
    cycles.begin(at: now)
    synchronise(at: now)
    purge(at: now)
  }

  /// Brings the deliveries up to date with what the pump said.
  mutating func synchronise(at now: Instant) {
    insulin.synchronise(with: &pump, therapies, at: now)
  }

  /// Keeps what was decided by a recommendation.
  mutating func endCycle(with decision: inout Decision) {
    if knownGlucose.isUnreliable { stopHighTempBasal(in: &decision) }
    cycles.end(with: decision, isCompleted: decision.refusal == nil)
  }

  /// The kind of recommendation that a cycle asks for.
  public var automaticRecommendation: RecommendationType {
    therapies.current.strategy == .tempBasal ? .tempBasal : .automaticBolus
  }

  /// Asks the algorithm for a bolus that a person may confirm, perhaps for a meal about to be
  /// entered.
  ///
  /// The decision has no commands; the person sends one.
  public mutating func recommendBolus(
    at now: Instant, for carbs: CarbStore.Entry? = nil
  ) -> Decision {
    var decision = Decision(at: now, isClosedLoop: isClosedLoop)
    if let refusal = staleness(at: now) {
      decision.refusal = refusal
      return decision
    }
    var app = self
    if carbs != nil { app.therapies.endPreMeal(at: now) }
    let output = LoopAlgorithm.run(
      app.algorithmInput(at: now, for: .manualBolus, adding: carbs))
    decision.predictedGlucose = output.predictedGlucose
    decision.insulinOnBoard = output.activeInsulin
    decision.carbsOnBoard = output.activeCarbs
    app.take(output.recommendation, into: &decision)
    if case .manual(let manual) = decision.recommendation {
      decision.bolus = configuration.pump.supportedBolus(
        atMostUnits: disturbed(manual.amount, .recommendedBolus))
    }
    decision.commands = []
    return decision
  }

  /// Why the data do not allow dosing, in the order in which Loop checks.
  func staleness(at now: Instant) -> Refusal? {
    do {
      try DataRecency(configuration.generation).check(
        at: now, lastGlucose: lastGlucose(at: now),
        lastPumpData: lastPumpReading.map { $0 + clockError })
      return nil
    } catch {
      return .data(error)
    }
  }

  /// When the pump was last read to the end of its history.
  public var lastPumpReading: Instant? { pump.lastReading }

  // MARK: - From a recommendation to commands

  func take(
    _ recommendation: Result<Recommendation, AlgorithmError>, into decision: inout Decision
  ) {
    switch recommendation {
    case .failure(let error): decision.refusal = .algorithm(error)
    case .success(let recommendation):
      decision.recommendation = recommendation
      guard case .automatic(let automatic) = recommendation else { return }
      adjust(automatic, in: &decision)
    }
  }

  /// Rounds a recommendation down to what the pump can do, and leaves out what already runs.
  private func adjust(
    _ recommendation: AutomaticDoseRecommendation, in decision: inout Decision
  ) {
    let now = decision.instant
    let pump = configuration.pump
    let neutralRate = therapies.neutralRate(at: now)
    decision.neutralRate = InsulinRate(roundingUnitsPerHour: neutralRate) ?? .zero
    let adjustment = TempBasalAdjustment(
      neutralRate: neutralRate,
      neutralMatchesPump: therapies.presets.overrides.neutralMatchesPump(
        at: now, configuration.generation))
    let rate = pump.supportedRate(
      atMostUnitsPerHour: disturbed(
        recommendation.basalAdjustment.unitsPerHour, .recommendedRate))
    assert(rate >= .zero, "A pump cannot run below nothing.")
    assert(neutralRate >= 0, "A scheduled rate cannot be negative.")
    switch adjustment.command(for: rate, running: self.pump.runningTemp, at: now) {
    case nil: decision.basal = .none
    case .cancel: decision.basal = .cancel
    case .set(let rate, _): decision.basal = .start(rate, duration: tempBasalDuration)
    }
    if therapies.current.strategy == .automaticBolus {
      let units = disturbed(recommendation.bolusUnits ?? 0, .recommendedBolus)
      if units > 0 { decision.bolus = pump.supportedBolus(atMostUnits: units) }
    }
    if let refusal = inability(at: now) {
      decision.refusal = refusal
    } else if isClosedLoop, !knownGlucose.isUnreliable {
      decision.commands = commands(for: decision)
    }
  }

  /// Why the pump cannot carry out what was computed.
  private func inability(at now: Instant) -> Refusal? {
    if pump.isUncertain { return .deliveryUncertain }
    guard let status = pump.status else { return .pumpUnknown }
    if let alarm = status.alarm { return .pumpStopped(alarm) }
    if status.program?.kind == .suspended { return .pumpSuspended }
    if pump.isBolusRunning(at: now), configuration.pump.refusesTempBasalDuringBolus {
      return .bolusInProgress
    }
    return nil
  }

  private func commands(for decision: Decision) -> [PumpCommand] {
    assert(decision.refusal == nil, "A cycle that gives no dose has no commands.")
    assert(isClosedLoop, "An open loop only recommends.")
    assert(decision.bolus >= .zero, "A pump cannot take insulin back.")
    var commands: [PumpCommand] = []
    switch decision.basal {
    case .none: break
    case .cancel: commands.append(.cancelTempBasal)
    case .start(let rate, let duration):
      commands.append(.startTempBasal(rate, duration: duration, automatic: true))
    }
    if decision.bolus > .zero, !pump.isBolusRunning(at: decision.instant) {
      commands.append(.startBolus(decision.bolus, automatic: true))
    }
    return commands
  }

  /// Ends a temp basal above the schedule when the CGM cannot be relied on; a low one goes on.
  private func stopHighTempBasal(in decision: inout Decision) {
    decision.refusal = .glucoseUnreliable
    decision.basal = .none
    decision.bolus = .zero
    decision.commands = []
    guard isClosedLoop, let running = pump.runningTemp, running.end > decision.instant,
      running.rate > scheduledRate(at: decision.instant)
    else { return }
    decision.basal = .cancel
    decision.commands = [.cancelTempBasal]
  }

  /// Half an hour, or what comes nearest on a pump that does not accept that.
  private var tempBasalDuration: TimeSpan {
    let rule = configuration.pump.tempBasal
    let usual = TempBasalAdjustment.duration
    assert(rule.minimumDuration > .zero, "A temp basal lasts some time.")
    return rule.accepts(duration: usual) ? usual : rule.minimumDuration
  }

  private mutating func purge(at now: Instant) {
    pump.purge(at: now)
    insulin.purge(at: now)
    knownGlucose.purge(at: now)
    carbs.purge(at: now)
    therapies.purge(at: now)
  }
}
