internal import Dosing
internal import Quantities

/// What the therapy gives the algorithm: the windows of Loop's `LoopDataManager.swift`.
extension TherapyHistory {
  /// Completes an input of the algorithm that has its data: with the schedules for as long as the
  /// data want them, and with the settings.
  ///
  /// The lists of the input are filled anew in place. It lacks the share of a bolus that is given
  /// automatically.
  ///
  /// - Parameters:
  ///   - input: What has glucose by date, doses by start and carbohydrate by the time of eating.
  ///   - doses: Over which time its doses reach.
  ///   - now: The present, from which on is predicted.
  ///   - type: The kind of recommendation that is wanted.
  ///   - windows: From when to when the data reach.
  func complete(
    _ input: inout AlgorithmInput, _ doses: DoseExtent, at now: Instant,
    for type: RecommendationType, _ windows: DataWindows
  ) {
    let firstDose = input.doses.first?.startDate ?? now
    let model = current.pumpInsulinModel
    let firstNeeded = min(firstDose, input.glucoseHistory.first?.date ?? now)
    let effectEnd = now + .milliseconds(Int64(model.effectDuration * 1_000))
    let lastNeeded = max(effectEnd, doses.effectEnd ?? effectEnd)
    listBasal(
      from: min(windows.doses.lowerBound, firstDose), through: max(now, doses.latestEnd ?? now),
      into: &input.basal)
    listSensitivity(
      from: firstNeeded.floored(to: .minutes(5)), to: lastNeeded.ceiled(to: .minutes(5)),
      into: &input.sensitivity)
    listCarbRatio(
      from: windows.carbEntries.lowerBound, to: windows.carbEntries.upperBound,
      into: &input.carbRatio)
    listTargets(from: now, to: windows.target.upperBound, into: &input.target)
    input.predictionStart = now
    input.suspendThreshold = current.suspendThreshold
    input.maximumBolus = current.maximumBolus.units
    input.maximumBasalRate = current.maximumBasalRate.unitsPerHour
    input.maximumActiveInsulinMultiplier = current.activeInsulinMultiplier
    input.useIntegralRetrospectiveCorrection = current.usesIntegralRetrospectiveCorrection
    input.includePositiveVelocityAndRC = current.includesPositiveVelocityAndRC
    input.useMidAbsorptionISF = current.usesMidAbsorptionISF
    input.recommendationInsulinModel = model
    input.recommendationType = type
    input.automaticBolusApplicationFactor = nil
    input.automaticBolusLimitFactor = nil
  }

  /// Completes an input with the share of a correction that is given automatically.
  ///
  /// The older app tells it by the range of the preset that holds.
  func completeShare(of input: inout AlgorithmInput, lastCompletedLoop: Instant?) {
    let now = input.predictionStart
    let preset = input.generation == .older ? presets.active(at: now)?.targets : nil
    input.completeShare(
      current.applicationFactor, from: preset ?? target(at: now),
      lastCompletedLoop: lastCompletedLoop)
  }
}
