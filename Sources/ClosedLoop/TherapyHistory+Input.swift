internal import Dosing
internal import Quantities

/// What the therapy gives the algorithm: the windows of Loop's `LoopDataManager.swift`.
extension TherapyHistory {
  /// The input of the algorithm with the schedules for as long as the data want them.
  ///
  /// - Parameters:
  ///   - now: The present, from which on is predicted.
  ///   - type: The kind of recommendation that is wanted.
  ///   - windows: From when to when the data reach.
  ///   - glucose: The values, by date.
  ///   - doses: The insulin, by start.
  ///   - carbs: The carbohydrate, by the time of eating.
  /// - Returns: The input, without the share of a bolus that is given automatically.
  func algorithmInput(
    at now: Instant, for type: RecommendationType, _ windows: DataWindows,
    glucose: [AlgorithmInput.GlucoseSample], doses: [AlgorithmInput.InsulinDose],
    carbs: [AlgorithmInput.CarbEntry]
  ) -> AlgorithmInput {
    let firstDose = doses.first?.startDate ?? now
    let model = current.insulinType.model(rapidActing: current.rapidActingModel)
    let firstNeeded = min(firstDose, glucose.first?.date ?? now)
    var lastDose = doses.first?.endDate ?? now
    var lastNeeded = now + .milliseconds(Int64(model.effectDuration * 1_000))
    let given = doses.span
    for index in given.indices {
      let end = given[index].endDate
      lastDose = max(lastDose, end)
      lastNeeded = max(
        lastNeeded, end + .milliseconds(Int64(given[index].insulinModel.effectDuration * 1_000)))
    }
    return AlgorithmInput(
      predictionStart: now,
      glucoseHistory: glucose,
      doses: doses,
      carbEntries: carbs,
      basal: basalEntries(
        from: min(windows.doses.lowerBound, firstDose), through: max(now, lastDose)),
      sensitivity: sensitivityEntries(
        from: firstNeeded.floored(to: .minutes(5)), to: lastNeeded.ceiled(to: .minutes(5))),
      carbRatio: carbRatioEntries(
        from: windows.carbEntries.lowerBound, to: windows.carbEntries.upperBound),
      target: targetEntries(from: now, to: windows.target.upperBound),
      suspendThreshold: current.suspendThreshold,
      maximumBolus: current.maximumBolus.units,
      maximumBasalRate: current.maximumBasalRate.unitsPerHour,
      maximumActiveInsulinMultiplier: current.activeInsulinMultiplier,
      useIntegralRetrospectiveCorrection: current.usesIntegralRetrospectiveCorrection,
      includePositiveVelocityAndRC: current.includesPositiveVelocityAndRC,
      useMidAbsorptionISF: current.usesMidAbsorptionISF,
      recommendationInsulinModel: model,
      recommendationType: type)
  }

  /// The share of a bolus that is given automatically at a glucose.
  ///
  /// The older app gives less of it when it loops more often than every 5 minutes.
  func applicationFactor(
    at now: Instant, _ glucose: GlucoseConcentration, _ generation: LoopGeneration,
    lastCompletedLoop: Instant?
  ) -> Double {
    let isCurrent = generation == .current
    let preset = isCurrent ? nil : presets.active(at: now)?.targets
    let factor = current.applicationFactor.factor(
      at: glucose, rangeLowerBound: (preset ?? target(at: now)).lower)
    return isCurrent
      ? factor
      : factor * ApplicationFactor.olderScale(at: now, lastCompletedLoop: lastCompletedLoop)
  }
}
