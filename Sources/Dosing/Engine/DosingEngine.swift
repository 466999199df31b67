import Quantities

/// A prediction of a ``DosingEngine`` that is listed only when somebody asks.
public struct KeptPrediction: Sendable {
  fileprivate var prediction: Prediction
  fileprivate var axis: TimeAxis
  /// Why the prediction is made without momentum; `nil` where it is made with it.
  public fileprivate(set) var momentumAbsence: MomentumAbsence?

  /// The predicted values; the first is the current glucose.
  public var glucose: [PredictedGlucose] {
    (0..<prediction.count).map { prediction.glucose(at: $0, axis) }
  }

  /// The predicted values without their times, in mg/dL.
  public var mgdL: [Double] { prediction.values }
}

/// The Loop algorithm for one run of a simulation: each cycle costs what changed.
///
/// The engine keeps what it has computed and compares the input of a cycle with that of the one
/// before. A dose's effect is tabulated once and summed once; counteraction and the absorption of
/// carbohydrate are extended; a deleted dose, a late injection, a changed entry of carbohydrate, a
/// replaced sample or another setting takes back exactly what it touched. The result is the same as
/// that of ``LoopAlgorithm/run(_:)`` to rounding: at most 10⁻⁹ relative, and the same decision.
///
/// It is a value: a copy is a checkpoint from which both go on independently.
///
///     var engine = DosingEngine()
///     let result = engine.cycle(input)     // what to do, without heap allocation
///     let output = engine.run(input)       // everything, as LoopAlgorithm.run lists it
public struct DosingEngine: Sendable {
  /// One state, behind a reference, so that whoever holds an engine among other things does not
  /// move all of it with them; the array copies it when two engines part.
  private var states: [EngineState]

  /// How many inputs were taken: those without an error.
  public private(set) var inputsTaken = 0

  private var state: EngineState {
    _read { yield states[0] }
    _modify { yield &states[0] }
  }

  /// Creates an engine that has seen nothing.
  public init() { states = [EngineState(near: Instant(secondsSince1970: 0))] }

  /// Runs one cycle.
  ///
  /// The input is that of ``LoopAlgorithm/run(_:)`` and may differ from the last cycle's in any
  /// way; what it shares with that is not computed again. What whoever made it knows about that
  /// need not be looked for: then it must be true of the last input that was taken, as
  /// ``inputsTaken`` tells.
  ///
  /// - Parameters:
  ///   - input: What is known.
  ///   - continuation: How it continues the last input that was taken; `nil` where that is not
  ///     known.
  /// - Returns: What to do, with the figures that led to it.
  public mutating func cycle(
    _ input: AlgorithmInput, continuing continuation: AlgorithmInput.Continuation? = nil
  ) -> CycleResult {
    do {
      return try evaluate(input, continuation)
    } catch {
      return CycleResult(recommendation: .failure(error))
    }
  }

  /// Runs one cycle and lists everything it found, as ``LoopAlgorithm/run(_:)`` does.
  public mutating func run(_ input: AlgorithmInput) -> AlgorithmOutput {
    do {
      _ = try evaluate(input, nil)
      return state.output(for: input)
    } catch {
      return AlgorithmOutput(recommendation: .failure(error))
    }
  }

  /// The last cycle's prediction; empty before the first, and what was predicted last after an
  /// error.
  public var predictedGlucose: [PredictedGlucose] { prediction.glucose }

  /// The last cycle's prediction in the form in which it is kept.
  public var prediction: KeptPrediction {
    KeptPrediction(
      prediction: state.outlook.prediction, axis: state.axis,
      momentumAbsence: state.outlook.momentumAbsence)
  }

  /// Forgets everything; the next cycle computes all of it.
  public mutating func reset() { self = Self() }

  private mutating func evaluate(
    _ input: AlgorithmInput, _ continuation: AlgorithmInput.Continuation?
  ) throws(AlgorithmError) -> CycleResult {
    let known = continuation ?? .init(of: input)
    assert(known.extent == DoseExtent(input.doses), "The extent is that of the doses.")
    try LoopAlgorithm.checkSoundness(input, sortedGlucose: known.glucose.count)
    if !state.fits(input) {
      state = EngineState(
        near: input.predictionStart, isMidAbsorption: input.useMidAbsorptionISF)
    }
    let result = try state.cycle(input, known)
    inputsTaken += 1
    return result
  }
}
