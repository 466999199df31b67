internal import Devices
public import Dosing
public import Quantities

/// What the app gives the algorithm: the windows of Loop's `LoopDataManager.swift`.
extension LoopApp {
  /// How far back doses are read: the longest absorption of carbohydrates and the action of insulin.
  static let doseHistory = TimeSpan.minutes(16 * 60 + 10)
  /// How far back glucose and carbohydrates are read.
  static let glucoseHistory = TimeSpan.minutes(12 * 60 + 1)
  /// How far the prediction reaches: 6 hours and 10 minutes.
  static let horizon = TimeSpan.minutes(6 * 60 + 10)
  static let step = TimeSpan.minutes(5)

  /// The input of the algorithm at an instant.
  /// For a manual bolus a running temp basal counts to its end, and carbohydrates that are about to be
  /// entered can be added.
  public func algorithmInput(
    at now: Instant, for type: RecommendationType, adding potential: CarbStore.Entry? = nil
  ) -> AlgorithmInput {
    let therapy = therapy
    let earliest = now - Self.doseHistory
    let end = (now + Self.horizon).ceiled(to: Self.step)
    let doses = insulinDoses(from: earliest, to: now, includingFuture: type == .manualBolus)
    let history = glucose.rows(from: now - Self.glucoseHistory, to: now)
    let firstDose = doses.first?.startDate ?? now
    let lastDose = doses.map(\.endDate).max() ?? now
    let model = therapy.insulinType.model(rapidActing: therapy.rapidActingModel)
    let firstNeeded = min(firstDose, history.first?.date ?? now)
    let lastNeeded = doses.reduce(now + .milliseconds(Int64(model.effectDuration * 1_000))) {
      max($0, $1.endDate + .milliseconds(Int64($1.insulinModel.effectDuration * 1_000)))
    }
    let carbWindow = (start: now - Self.glucoseHistory, end: end)
    let ranges = overrides.applied(
      to: targets.timeline(from: now, to: end).merged, at: now)
    var input = AlgorithmInput(
      predictionStart: now,
      glucoseHistory: history.map {
        .init(
          date: $0.date, quantity: $0.glucose, provenanceIdentifier: $0.provenance,
          isDisplayOnly: $0.isDisplayOnly, wasUserEntered: $0.wasUserEntered)
      },
      doses: doses,
      carbEntries: carbEntries(in: carbWindow, at: now, adding: potential),
      basal: basalEntries(from: min(earliest, firstDose), to: max(now, lastDose)),
      sensitivity: sensitivityEntries(
        from: firstNeeded.floored(to: Self.step), to: lastNeeded.ceiled(to: Self.step)),
      carbRatio: carbRatioEntries(from: carbWindow.start, to: carbWindow.end),
      target: .init(ranges), suspendThreshold: therapy.suspendThreshold,
      maximumBolus: therapy.maximumBolus.units,
      maximumBasalRate: therapy.maximumBasalRate.unitsPerHour,
      maximumActiveInsulinMultiplier: 2,
      useIntegralRetrospectiveCorrection: therapy.usesIntegralRetrospectiveCorrection,
      useMidAbsorptionISF: true, recommendationInsulinModel: model, recommendationType: type)
    if let latest = history.last {
      input.automaticBolusApplicationFactor = therapy.applicationFactor.value(
        glucose: latest.glucose.mgdL, lowerBound: targets.value(at: now).lower.mgdL)
    }
    return input
  }

  /// The scheduled basal rate after presets, in U/h.
  func neutralRate(at instant: Instant) -> Double {
    basal.value(at: instant).unitsPerHour * (overrides.active(at: instant)?.insulinNeeds ?? 1)
  }

  // MARK: - Parts

  private func insulinDoses(
    from earliest: Instant, to now: Instant, includingFuture: Bool
  ) -> [AlgorithmInput.InsulinDose] {
    var doses = countedDoses(from: earliest, to: now).map { insulinDose($0) }
    if includingFuture, let program = pumpStatus?.program, program.kind == .tempBasal,
      let end = program.end, end > now
    {
      let start = max(now, program.start)
      doses.append(
        .init(
          type: .basal, startDate: start, endDate: end,
          volume: program.rate.unitsPerHour * (end - start).hours,
          insulinModel: model(of: therapy.insulinType)))
    }
    return doses.sorted { $0.startDate < $1.startDate }
  }

  /// A dose as the algorithm takes it: what was delivered where that is known, otherwise what was
  /// programmed.
  func insulinDose(_ dose: DoseEntry) -> AlgorithmInput.InsulinDose {
    // Scheduled basal counts as programmed, so that it adds nothing to the schedule.
    let delivered = dose.kind == .basal ? nil : dose.deliveredUnits
    return .init(
      type: dose.kind == .bolus ? .bolus : .basal, startDate: dose.start, endDate: dose.end,
      volume: delivered ?? dose.programmedUnits, insulinModel: model(of: dose.insulinType))
  }

  private func model(of insulin: InsulinType?) -> InsulinModel {
    (insulin ?? .novolog).model(rapidActing: therapy.rapidActingModel)
  }

  private func carbEntries(
    in window: (start: Instant, end: Instant), at now: Instant, adding potential: CarbStore.Entry?
  ) -> [AlgorithmInput.CarbEntry] {
    var entries = carbs.activeRows.filter {
      $0.entry.date >= window.start && $0.entry.date <= window.end && $0.userCreatedAt <= now
    }.map(\.entry)
    if let potential {
      let index = entries.firstIndex { $0.date > potential.date } ?? entries.count
      entries.insert(potential, at: index)
    }
    return entries.map {
      .init(date: $0.date, quantity: $0.mass, absorptionTime: $0.absorptionTime)
    }
  }

  func basalEntries(from start: Instant, to end: Instant) -> [AlgorithmInput.ScheduleEntry] {
    // An instant is a window of its own: the algorithm asks what is in force at its start.
    let timeline = basal.timeline(from: start, to: max(end, start + .milliseconds(1))).merged
    return .init(
      overrides.applied(to: timeline.mapValues(\.unitsPerHour)) { $0 * $1 }, number: { $0 })
  }

  private func sensitivityEntries(from start: Instant, to end: Instant)
    -> [AlgorithmInput.ScheduleEntry]
  {
    let timeline = sensitivity.timeline(from: start, to: end).merged
    return .init(
      overrides.applied(to: timeline.mapValues(\.mgdLPerUnit)) { $0 / $1 }, number: { $0 })
  }

  private func carbRatioEntries(from start: Instant, to end: Instant)
    -> [AlgorithmInput.ScheduleEntry]
  {
    let timeline = carbRatio.timeline(from: start, to: end).merged
    return .init(
      overrides.applied(to: timeline.mapValues(\.gramsPerUnit)) { $0 / $1 }, number: { $0 })
  }
}

extension Timeline {
  /// The timeline with other values over the same stretches.
  func mapValues<Other: Sendable>(_ transform: (Value) -> Other) -> Timeline<Other> {
    Timeline<Other>(
      segments: segments.map {
        .init(start: $0.start, end: $0.end, value: transform($0.value))
      })
  }
}
