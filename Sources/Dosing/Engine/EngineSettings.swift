import Quantities

/// The schedules of a cycle, on the axis of time of the engine.
struct EngineSettings: Sendable {
  private let axis: TimeAxis
  private(set) var basal: [ScheduleSpan] = []
  private(set) var sensitivity: [ScheduleSpan] = []
  private(set) var carbRatio: [ScheduleSpan] = []
  private(set) var target: [TargetSpan] = []
  /// The basal schedule of the cycle before, where it was another one.
  private(set) var formerBasal: [ScheduleSpan] = []

  init(axis: TimeAxis) { self.axis = axis }

  /// Takes the correction ranges.
  mutating func takeTarget(_ input: AlgorithmInput) {
    target.removeAll(keepingCapacity: true)
    axis.append(input.target, to: &target)
  }

  /// Takes the other schedules; says whether the basal schedule is another one.
  mutating func takeSchedules(_ input: AlgorithmInput) -> Bool {
    formerBasal.removeAll(keepingCapacity: true)
    axis.append(input.basal, to: &formerBasal)
    let isOther = formerBasal != basal
    if isOther { swap(&basal, &formerBasal) }
    sensitivity.removeAll(keepingCapacity: true)
    axis.append(input.sensitivity, to: &sensitivity)
    carbRatio.removeAll(keepingCapacity: true)
    axis.append(input.carbRatio, to: &carbRatio)
    return isOther
  }
}

extension TimeAxis {
  func append(_ entries: [AlgorithmInput.ScheduleEntry], to spans: inout [ScheduleSpan]) {
    for entry in entries {
      spans.append(
        ScheduleSpan(
          start: seconds(entry.startDate), end: seconds(entry.endDate), value: entry.value))
    }
  }

  func append(_ entries: [AlgorithmInput.TargetEntry], to spans: inout [TargetSpan]) {
    for entry in entries {
      spans.append(
        TargetSpan(
          start: seconds(entry.startDate), end: seconds(entry.endDate),
          lower: entry.lowerBound.mgdL, upper: entry.upperBound.mgdL))
    }
  }
}
