package import Dosing
package import Quantities

/// What may start a cycle of the loop.
public enum CycleTrigger: Hashable, Sendable {
  /// A new value of the CGM.
  case newGlucose
  /// The pump or the phone woke the app.
  case heartbeat
}

/// The cycles of the loop as far as the app remembers them, and what the algorithm keeps from one
/// to the next.
package struct LoopCycles: Sendable {
  /// The last cycle of the loop.
  package private(set) var last: Instant?
  /// The last cycle that ended without a refusal.
  package private(set) var lastCompleted: Instant?
  /// What the last cycle decided; `nil` before the first.
  package private(set) var lastDecision: Decision?
  /// How far the phone's clock was ahead of true time then.
  package private(set) var clockErrorThen = TimeSpan.zero
  /// What the algorithm was given in the last cycle; `nil` if the data did not allow asking it.
  package private(set) var lastInput: AlgorithmInput?
  /// Carbohydrates on board in the last cycle, in grams; `nil` when it had none.
  package var carbsOnBoard: Double? { lastDecision?.carbsOnBoard }
  private var engine = DosingEngine()
  /// How many inputs the engine had taken when those who keep the lists noted what it has seen.
  private var inputsNoted: Int?
  /// Whether the engine has taken the last input.
  private(set) var hasTaken = false

  /// Whether a cycle should begin.
  ///
  /// New glucose starts one when the last is more than 4.2 minutes old, another occasion when the
  /// last completed one is.
  package func isDue(for trigger: CycleTrigger, at now: Instant) -> Bool {
    let last =
      switch trigger {
      case .newGlucose: last
      case .heartbeat: lastCompleted
      }
    return LoopTrigger.isDue(at: now, lastLoop: last)
  }

  /// A cycle begins.
  mutating func begin(at now: Instant) { last = now }

  /// Gives up the input of the last cycle, whose lists are filled anew for the next.
  mutating func takeInput() -> AlgorithmInput? { lastInput.take() }

  /// The algorithm is asked, or somebody in its place.
  mutating func ask(_ input: AlgorithmInput?) { lastInput = input }

  /// What the algorithm says to the input of this cycle; `nil` if it has none.
  ///
  /// - Parameter continuation: How the input continues the one that the engine had taken when
  ///   ``noteLook()`` was called; `nil` where that is not known.
  /// - Returns: What it says.
  mutating func decide(
    continuing continuation: AlgorithmInput.Continuation? = nil
  ) -> CycleResult? {
    hasTaken = false
    guard let lastInput else { return nil }
    let before = engine.inputsTaken
    // Where the engine has taken another input since, what is known of the lists is not of it.
    let result = engine.cycle(
      lastInput, continuing: inputsNoted == before ? continuation : nil)
    hasTaken = engine.inputsTaken != before
    return result
  }

  /// What the algorithm says to an input between cycles, with its prediction; the next cycle goes
  /// on from the last one all the same.
  func answer(to input: AlgorithmInput) -> (result: CycleResult, prediction: KeptPrediction) {
    var engine = engine
    return (engine.cycle(input), engine.prediction)
  }

  /// Those who keep the lists of the input note what the engine has seen of them.
  mutating func noteLook() { inputsNoted = engine.inputsTaken }

  /// The prediction of the algorithm in this cycle.
  var prediction: KeptPrediction { engine.prediction }

  /// A cycle ends with a decision.
  mutating func end(with decision: Decision, isCompleted: Bool, clockError: TimeSpan) {
    assert(!isCompleted || decision.refusal == nil, "A cycle that gave no dose is not completed.")
    if isCompleted { lastCompleted = decision.instant }
    lastDecision = decision
    clockErrorThen = clockError
  }

  /// Forgets everything but what is on record: the app starts anew.
  mutating func forgetMemory() {
    last = nil
    lastCompleted = nil
    lastDecision = nil
    engine = DosingEngine()
  }
}
