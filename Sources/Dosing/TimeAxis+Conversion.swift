import Quantities

extension TimeAxis {
  func spans(_ entries: [AlgorithmInput.ScheduleEntry]) -> [ScheduleSpan] {
    entries.map {
      ScheduleSpan(start: seconds($0.startDate), end: seconds($0.endDate), value: $0.value)
    }
  }

  func spans(_ entries: [AlgorithmInput.TargetEntry]) -> [TargetSpan] {
    entries.map {
      TargetSpan(
        start: seconds($0.startDate), end: seconds($0.endDate), lower: $0.lowerBound.mgdL,
        upper: $0.upperBound.mgdL)
    }
  }

  /// The samples as points; equal provenance identifiers become equal numbers.
  func points(_ samples: [AlgorithmInput.GlucoseSample]) -> [GlucosePoint] {
    var names: [String] = []
    var last = 0
    return samples.map { sample in
      if names.isEmpty || names[last] != sample.provenanceIdentifier {
        if let known = names.firstIndex(of: sample.provenanceIdentifier) {
          last = known
        } else {
          names.append(sample.provenanceIdentifier)
          last = names.count - 1
        }
      }
      return GlucosePoint(
        start: seconds(sample.date), value: sample.quantity.mgdL, provenance: last,
        isDisplayOnly: sample.isDisplayOnly)
    }
  }
}

extension CarbPoint {
  init(_ entry: AlgorithmInput.CarbEntry, _ axis: TimeAxis) {
    start = axis.seconds(entry.date)
    grams = entry.quantity.grams
    absorptionTime = entry.absorptionTime?.seconds ?? Self.defaultAbsorptionTime
  }

  /// 3 hours, in seconds.
  static let defaultAbsorptionTime = 10_800.0
}

extension RelativeDose {
  init(_ element: DoseElement, _ axis: TimeAxis) {
    type = element.scheduledRate.map { .basal(scheduledRate: $0) } ?? .bolus
    startDate = axis.instant(element.start)
    endDate = axis.instant(element.end)
    volume = element.volume
    insulinModel = element.model
  }
}

extension GlucoseEffectVelocity {
  init(_ velocity: Velocity, _ axis: TimeAxis) {
    startDate = axis.instant(velocity.start)
    endDate = axis.instant(velocity.end)
    mgdLPerSecond = velocity.mgdLPerSecond
  }
}

extension CarbStatus {
  init(_ record: CarbRecord, of entry: AlgorithmInput.CarbEntry, _ axis: TimeAxis) {
    self.entry = entry
    observed = record.observed
    clamped = record.clamped
    total = record.grams
    remaining = record.grams - record.clamped
    observedStart = entry.date
    observedDuration = axis.instant(record.observedEnd) - entry.date
    estimatedTimeRemaining = record.timeRemaining
    timeToAbsorbObservedCarbs = record.timeToAbsorb
    observedTimeline =
      record.hasObservedTimeline
      ? record.timeline.map {
        AbsorbedCarbs(
          startDate: axis.instant($0.start), endDate: axis.instant($0.end), grams: $0.grams)
      } : nil
  }
}
