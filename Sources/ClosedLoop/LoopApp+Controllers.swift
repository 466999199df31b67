internal import Devices
public import Dosing
public import Quantities

/// A cycle of the loop in which a program outside decides.
///
/// The app prepares the cycle, somebody asks the program, and the app makes of the answer what it
/// makes of the algorithm's.
extension LoopApp {
  /// Begins a cycle in which a program takes the place of the algorithm.
  ///
  /// - Returns: What the program is given; `nil` where the data do not allow asking it, and
  ///   ``endCycle(at:with:)`` then refuses.
  public mutating func beginAlgorithmCycle(at now: Instant) -> AlgorithmInput? {
    beginCycle(at: now)
    guard staleness(at: now) == nil else {
      cycles.ask(nil)
      return nil
    }
    let input = algorithmInput(at: now, for: automaticRecommendation)
    cycles.ask(input)
    return input
  }

  /// Ends a cycle with the answer of a program in place of the algorithm; `nil` where it was not
  /// asked.
  public mutating func endCycle(at now: Instant, with answer: AlgorithmAnswer?) -> Decision {
    var decision = Decision(at: now, isClosedLoop: isClosedLoop)
    if let answer {
      let own = cycles.decide()
      decision.insulinOnBoard = Self.settled(answer.insulinOnBoard, own?.activeInsulin)
      decision.insulinOnBoard = decision.insulinOnBoard ?? own?.activeInsulin
      decision.carbsOnBoard = Self.settled(answer.carbsOnBoard, own?.activeCarbs)
      if case .success = answer.recommendation {
        decision.predictedGlucose = answer.predictedGlucose
      }
      take(answer.recommendation, into: &decision)
    } else {
      decision.refusal = staleness(at: now)
      decision.insulinOnBoard = insulinOnBoard(at: now)
    }
    endCycle(with: &decision)
    return decision
  }

  /// A program's figure, or the app's own where the two are the same but for rounding.
  ///
  /// The algorithm from scratch and the app's, which goes on from cycle to cycle, add in another
  /// order; what differs in the last bits only is no difference of a run.
  private static func settled(_ figure: Double?, _ own: Double?) -> Double? {
    guard let figure, let own else { return figure }
    return (figure - own).magnitude <= 1e-9 * max(1, own.magnitude) ? own : figure
  }

  /// Begins a cycle in which a program decides instead of the app.
  ///
  /// - Returns: What the program is told: what an app on a phone knows, reaching back by `history`.
  public mutating func beginControllerCycle(
    at now: Instant, history: TimeSpan
  ) -> ControllerView {
    beginCycle(at: now)
    cycles.ask(nil)
    return controllerView(at: now, history: history)
  }

  /// Ends a cycle with the commands of a program that decides instead of the app.
  ///
  /// - Returns: The decision, whose commands are those that passed the guards, and every command
  ///   that was asked for with what became of it.
  public mutating func endCycle(
    at now: Instant, with answer: ControllerAnswer, guards: GuardSet
  ) -> (decision: Decision, commands: [ControllerCommand]) {
    var decision = Decision(at: now, isClosedLoop: isClosedLoop)
    decision.insulinOnBoard = insulinOnBoard(at: now)
    decision.carbsOnBoard = answer.carbsOnBoard
    decision.predictedGlucose = answer.predictedGlucose.enumerated().map { index, value in
      PredictedGlucose(
        startDate: now + .minutes(5) * Int64(index), quantity: .mgdL(value))
    }
    let commands = guarded(answer, by: guards, at: now)
    for command in commands {
      switch command.given {
      case .startTempBasal(let rate, let duration, _):
        decision.basal = .start(rate, duration: duration)
      case .cancelTempBasal: decision.basal = .cancel
      case .startBolus(let amount, _): decision.bolus = amount
      default: break
      }
      if let given = command.given { decision.commands.append(given) }
    }
    cycles.end(with: decision, isCompleted: true)
    return (decision, commands)
  }

  /// What a program in place of the algorithm is given to recommend a bolus that a person may
  /// confirm.
  public func bolusInput(at now: Instant) -> Result<AlgorithmInput, Refusal> {
    if let refusal = staleness(at: now) { return .failure(refusal) }
    return .success(algorithmInput(at: now, for: .manualBolus))
  }

  /// What a program is told that decides instead of the app, reaching back by `history`.
  public func controllerView(at now: Instant, history: TimeSpan) -> ControllerView {
    let first = now - history
    let status = pumpStatus
    let isUncertain = pump.isUncertain
    return ControllerView(
      glucose: Array(glucose.rows(from: first, to: now)),
      pumpEvents: pumpEvents.events.filter { ($0.dose?.end ?? $0.date) >= first },
      deliveries: delivery.activeRows.filter { $0.dose.end >= first },
      carbs: carbs.activeRows.filter { $0.entry.date >= first },
      pump: ControllerView.PumpView(
        status: status, reservoir: reservoir, isUncertain: isUncertain,
        read: status.map { $0.instant + clockError }),
      settings: ControllerView.Settings(
        therapy: therapy, basal: basal.latest, preset: activeOverride(at: now)?.name,
        offset: configuration.clock.offset(at: now)),
      insulinOnBoard: insulinOnBoard(at: now))
  }
}
