internal import Devices
internal import Dosing
public import Quantities

/// A cycle of the loop, and what a person is recommended.
extension LoopApp {
  /// Runs one cycle of the loop.
  ///
  /// Everything is brought up to date first, so that no dose is decided on with one missing that
  /// was only deleted in the health store. In open loop the decision has no commands.
  public mutating func decide(at now: Instant) -> Decision {
    beginCycle(at: now)
    var decision = Decision(at: now, isClosedLoop: isClosedLoop)
    var continuation: AlgorithmInput.Continuation?
    if let refusal = staleness(at: now) {
      decision.refusal = refusal
      decision.insulinOnBoard = insulinOnBoard(at: now)
      cycles.ask(nil)
    } else {
      var input = cycles.takeInput() ?? .blank
      // It gives up its samples, so that they can be carried on.
      input.glucoseHistory = []
      glucose.refresh(at: now)
      continuation = fill(&input, at: now, for: therapies.current.strategy.recommendation)
      cycles.ask(input)
    }
    if let result = cycles.decide(continuing: continuation) {
      if cycles.hasTaken { noteLook(isWhole: continuation != nil) }
      decision.takeFigures(of: result, cycles.prediction)
      take(result.recommendation, into: &decision)
    }
    endCycle(with: &decision)
    return decision
  }

  /// Notes that the algorithm has taken the lists that are kept for it, or others.
  private mutating func noteLook(isWhole: Bool) {
    glucose.noteLook(isKept: isWhole)
    insulin.noteLook(isWhole: isWhole)
    cycles.noteLook()
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
    if glucose.isUnreliable {
      decision.stopHighTempBasal(
        pump.runningTemp, scheduled: therapies.basal.value(at: decision.instant))
    }
    cycles.end(
      with: decision, isCompleted: decision.refusal == nil, clockError: clockError)
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
    let (result, prediction) = cycles.answer(
      to: app.algorithmInput(at: now, for: .manualBolus, adding: carbs))
    decision.takeFigures(of: result, prediction)
    app.take(result.recommendation, into: &decision)
    if case .manual(let manual) = decision.recommendation {
      decision.bolus = supportedBolus(manual.amount)
    }
    decision.commands = []
    return decision
  }

  /// Why the data do not allow dosing, in the order in which Loop checks.
  func staleness(at now: Instant) -> Refusal? {
    do {
      try DataRecency(configuration.generation).check(
        at: now, lastGlucose: disturbances.newestGlucose(in: glucose.store, at: now),
        lastPumpData: pump.lastReading.map { $0 + clockError })
      return nil
    } catch {
      return .data(error)
    }
  }

  /// Makes of a recommendation what the pump is to do.
  func take(
    _ recommendation: Result<Recommendation, AlgorithmError>, into decision: inout Decision
  ) {
    decision.take(
      recommendation, for: configuration.pump, pump, therapies, configuration.generation,
      disturbances, isReliable: !glucose.isUnreliable)
  }

  /// A bolus that a person may confirm, rounded down to what the pump can give.
  func supportedBolus(_ units: Double) -> InsulinAmount {
    configuration.pump.supportedBolus(
      atMostUnits: disturbances.disturbed(units, .recommendedBolus, therapies.current))
  }

  private mutating func purge(at now: Instant) {
    pump.purge(at: now)
    insulin.purge(at: now)
    glucose.purge(at: now)
    carbs.purge(at: now)
    therapies.purge(at: now, reportedUntil: insulin.reporter.reportedUntil)
  }
}
