internal import Devices
public import Dosing
public import Quantities

/// What the app gives the algorithm.
extension LoopApp {
  /// The input of the algorithm at an instant.
  ///
  /// For a manual bolus a running temp basal counts to its end, and carbohydrates that are about to
  /// be entered can be added.
  public func algorithmInput(
    at now: Instant, for type: RecommendationType, adding potential: CarbStore.Entry? = nil
  ) -> AlgorithmInput {
    var input = AlgorithmInput.blank
    _ = fill(&input, at: now, for: type, adding: potential)
    return input
  }

  /// Fills an input of the algorithm anew; its lists keep their storage.
  ///
  /// - Returns: How it continues the input that the algorithm has seen last; `nil` where it is made
  ///   of other lists than those that are kept.
  func fill(
    _ input: inout AlgorithmInput, at now: Instant, for type: RecommendationType,
    adding potential: CarbStore.Entry? = nil
  ) -> AlgorithmInput.Continuation? {
    let windows = DataWindows(at: now)
    let samples = glucose.samples(from: windows.glucose.lowerBound, to: now)
    input.glucoseHistory = samples.samples
    let doses = insulin.listDoses(
      from: windows.doses.lowerBound, to: now, includingFuture: type == .manualBolus, pump,
      therapies, into: &input.doses)
    carbs.listEntries(
      in: windows.carbEntries, at: now, adding: potential, into: &input.carbEntries)
    therapies.complete(&input, doses.extent, at: now, for: type, windows)
    input.generation = configuration.generation
    if !disturbances.isEmpty {
      disturbances.disturb(
        &input, at: now, glucose.store, wrongInsulin: wrongInsulin(at: now))
    }
    // By the glucose that the algorithm sees, right or wrong.
    therapies.completeShare(of: &input, lastCompletedLoop: cycles.lastCompleted)
    guard disturbances.isEmpty, samples.isKept, doses.isWhole else { return nil }
    return .init(
      glucose: glucose.history.kept, doses: insulin.finished.kept, extent: doses.extent)
  }
}

extension AlgorithmInput {
  /// An input that is to be filled.
  static var blank: Self {
    Self(
      predictionStart: Instant(secondsSince1970: 0), glucoseHistory: [], basal: [],
      sensitivity: [], carbRatio: [], target: [], maximumBolus: 0, maximumBasalRate: 0)
  }
}
