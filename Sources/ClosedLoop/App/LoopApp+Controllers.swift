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
    let input = algorithmInput(at: now, for: therapies.current.strategy.recommendation)
    cycles.ask(input)
    return input
  }

  /// Ends a cycle with the answer of a program in place of the algorithm; `nil` where it was not
  /// asked.
  public mutating func endCycle(at now: Instant, with answer: AlgorithmAnswer?) -> Decision {
    var decision = Decision(at: now, isClosedLoop: isClosedLoop)
    if let answer {
      decision.takeFigures(of: answer, besides: cycles.decide())
      take(answer.recommendation, into: &decision)
    } else {
      decision.refusal = staleness(at: now)
      decision.insulinOnBoard = insulinOnBoard(at: now)
    }
    endCycle(with: &decision)
    return decision
  }

  /// Begins a cycle in which a program decides instead of the app.
  ///
  /// - Returns: What the program is told: what an app on a phone knows, reaching back by `history`.
  public mutating func beginControllerCycle(
    at now: Instant, history: TimeSpan
  ) -> ControllerView {
    beginCycle(at: now)
    cycles.ask(nil)
    return ControllerView(of: self, at: now, history: history)
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
    decision.takeFigures(of: answer)
    let commands = guarded(answer, by: guards, at: now)
    decision.take(commands)
    cycles.end(with: decision, isCompleted: true, clockError: clockError)
    return (decision, commands)
  }

  /// What a program in place of the algorithm is given to recommend a bolus that a person may
  /// confirm.
  public func bolusInput(at now: Instant) -> Result<AlgorithmInput, Refusal> {
    if let refusal = staleness(at: now) { return .failure(refusal) }
    return .success(algorithmInput(at: now, for: .manualBolus))
  }
}
