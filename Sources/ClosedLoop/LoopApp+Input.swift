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
    let windows = DataWindows(at: now)
    var input = therapies.algorithmInput(
      at: now, for: type, windows,
      glucose: knownGlucose.samples(from: windows.glucose.lowerBound, to: now),
      doses: insulin.inputDoses(
        from: windows.doses.lowerBound, to: now, includingFuture: type == .manualBolus, pump,
        therapies),
      carbs: carbs.algorithmEntries(in: windows.carbEntries, at: now, adding: potential))
    if let latest = input.glucoseHistory.last?.quantity {
      input.automaticBolusApplicationFactor = therapies.applicationFactor(
        at: now, latest, configuration.generation, lastCompletedLoop: lastCompletedCycle)
    }
    guard !disturbances.isEmpty else { return input }
    disturbances.disturb(
      &input, at: now, knownGlucose.store, wrongInsulin: wrongInsulin(at: now))
    return input
  }

  /// The kind of recommendation that a cycle asks for.
  public var automaticRecommendation: RecommendationType {
    therapies.current.strategy == .tempBasal ? .tempBasal : .automaticBolus
  }

  /// The basal schedule after presets between two instants, in U/h: what net insulin on board is
  /// counted against.
  public func referenceBasal(from start: Instant, to end: Instant) -> Timeline<Double> {
    therapies.referenceBasal(from: start, to: end)
  }
}
