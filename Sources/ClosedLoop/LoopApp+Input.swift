internal import Devices
public import Dosing
public import Quantities

/// What the app gives the algorithm: the windows of Loop's `LoopDataManager.swift`.
extension LoopApp {
  /// The input of the algorithm at an instant.
  ///
  /// For a manual bolus a running temp basal counts to its end, and carbohydrates that are about to
  /// be entered can be added.
  public func algorithmInput(
    at now: Instant, for type: RecommendationType, adding potential: CarbStore.Entry? = nil
  ) -> AlgorithmInput {
    let windows = DataWindows(at: now)
    let earliest = windows.doses.lowerBound
    let doses = insulin.inputDoses(
      from: earliest, to: now, includingFuture: type == .manualBolus, pump, therapies)
    let history = glucose.rows(from: windows.glucose.lowerBound, to: now)
    let firstDose = doses.first?.startDate ?? now
    let model = therapies.current.insulinType.model(rapidActing: therapies.current.rapidActingModel)
    let firstNeeded = min(firstDose, history.first?.date ?? now)
    var lastDose = doses.first?.endDate ?? now
    var lastNeeded = now + .milliseconds(Int64(model.effectDuration * 1_000))
    let given = doses.span
    for index in given.indices {
      let end = given[index].endDate
      lastDose = max(lastDose, end)
      lastNeeded = max(
        lastNeeded, end + .milliseconds(Int64(given[index].insulinModel.effectDuration * 1_000)))
    }
    let carbWindow = windows.carbEntries
    var input = AlgorithmInput(
      predictionStart: now,
      glucoseHistory: knownGlucose.samples(of: history),
      doses: doses,
      carbEntries: carbEntries(in: carbWindow, at: now, adding: potential),
      basal: therapies.basalEntries(from: min(earliest, firstDose), through: max(now, lastDose)),
      sensitivity: therapies.sensitivityEntries(
        from: firstNeeded.floored(to: .minutes(5)), to: lastNeeded.ceiled(to: .minutes(5))),
      carbRatio: therapies.carbRatioEntries(
        from: carbWindow.lowerBound, to: carbWindow.upperBound),
      target: therapies.targetEntries(from: now, to: windows.target.upperBound),
      suspendThreshold: therapies.current.suspendThreshold,
      maximumBolus: therapies.current.maximumBolus.units,
      maximumBasalRate: therapies.current.maximumBasalRate.unitsPerHour,
      maximumActiveInsulinMultiplier: therapies.current.activeInsulinMultiplier,
      useIntegralRetrospectiveCorrection: therapies.current.usesIntegralRetrospectiveCorrection,
      includePositiveVelocityAndRC: therapies.current.includesPositiveVelocityAndRC,
      useMidAbsorptionISF: therapies.current.usesMidAbsorptionISF,
      recommendationInsulinModel: model,
      recommendationType: type)
    input.automaticBolusApplicationFactor = applicationFactor(at: now, history.last)
    guard !disturbances.isEmpty else { return input }
    disturbances.disturb(
      &input, at: now, knownGlucose.store, wrongInsulin: wrongInsulin(at: now))
    return input
  }

  private func applicationFactor(at now: Instant, _ latest: GlucoseStore.Row?) -> Double? {
    guard let latest else { return nil }
    let isCurrent = configuration.generation == .current
    let preset = isCurrent ? nil : therapies.presets.active(at: now)?.targets
    let factor = therapies.current.applicationFactor.factor(
      at: latest.glucose, rangeLowerBound: (preset ?? therapies.target(at: now)).lower)
    return isCurrent
      ? factor
      : factor * ApplicationFactor.olderScale(at: now, lastCompletedLoop: lastCompletedCycle)
  }

  private func carbEntries(
    in window: ClosedRange<Instant>, at now: Instant, adding potential: CarbStore.Entry?
  ) -> [AlgorithmInput.CarbEntry] {
    var entries: [AlgorithmInput.CarbEntry] = []
    carbs.visitActive(in: window) { row in
      guard row.userCreatedAt <= now else { return }
      entries.append(row.entry.algorithmEntry)
    }
    if let potential {
      let index = entries.firstIndex { $0.date > potential.date } ?? entries.count
      entries.insert(potential.algorithmEntry, at: index)
    }
    return entries
  }

  /// The basal schedule after presets between two instants, in U/h: what net insulin on board is
  /// counted against.
  public func referenceBasal(from start: Instant, to end: Instant) -> Timeline<Double> {
    Timeline(
      segments: therapies.basalEntries(from: start, to: end).map {
        .init(start: $0.startDate, end: $0.endDate, value: $0.value)
      })
  }
}

extension CarbStore.Entry {
  /// The entry as the algorithm takes it.
  fileprivate var algorithmEntry: AlgorithmInput.CarbEntry {
    .init(date: date, quantity: mass, absorptionTime: absorptionTime)
  }
}
