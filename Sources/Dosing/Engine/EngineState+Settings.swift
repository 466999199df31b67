import Quantities

extension EngineState {
  /// Takes the schedules; doses that a changed basal rate reaches are taken back, to be set against
  /// the new one when doses are taken.
  mutating func takeSettings(_ input: AlgorithmInput) {
    newSpans.removeAll(keepingCapacity: true)
    axis.append(input.basal, to: &newSpans)
    if newSpans != basal {
      swap(&basal, &newSpans)
      forgetDoses(whereDifferent: newSpans)
    }
    sensitivity.removeAll(keepingCapacity: true)
    axis.append(input.sensitivity, to: &sensitivity)
    carbRatio.removeAll(keepingCapacity: true)
    axis.append(input.carbRatio, to: &carbRatio)
  }

  /// Takes back the doses that touch a difference between the basal schedule and what it was.
  private mutating func forgetDoses(whereDifferent old: [ScheduleSpan]) {
    var i = 0
    var j = 0
    while i < old.count || j < basal.count {
      let a = i < old.count ? old[i] : nil
      let b = j < basal.count ? basal[j] : nil
      if let a, let b, a.value == b.value, a.start < b.end, b.start < a.end || a == b {
        // The same rate, perhaps over another stretch, as when a window moves on.
        if a.start != b.start { forgetDoses(min(a.start, b.start), max(a.start, b.start)) }
        if a.end != b.end { forgetDoses(min(a.end, b.end), max(a.end, b.end)) }
        i += 1
        j += 1
      } else if let a, a.start <= (b?.start ?? .infinity) {
        forgetDoses(a.start, a.end)
        i += 1
      } else if let b {
        forgetDoses(b.start, b.end)
        j += 1
      }
    }
  }

  /// Takes back the basal doses that touch a stretch of time.
  private mutating func forgetDoses(_ start: Double, _ end: Double) {
    guard end >= earliestDose, start <= latestDose else { return }
    var part = 0
    var slot = 0
    while slot < slots.count {
      let dose = slots[slot].dose
      // They stand in the order of their starts.
      if axis.seconds(dose.startDate) > end { return }
      if dose.type == .basal, !slots[slot].isTakenBack, axis.seconds(dose.startDate) <= end,
        axis.seconds(dose.endDate) >= start
      {
        takeBack(slot, firstPart: part)
      }
      part += slots[slot].count
      slot += 1
    }
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
