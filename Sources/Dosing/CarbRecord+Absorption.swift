extension CarbRecord {
  /// Carbs still on board at a time, in g.
  ///
  /// Entries up to 5 minutes ahead count in full, as in the original.
  ///
  /// Source: LoopKit/LoopAlgorithm, `CarbMath.swift`, `dynamicCarbsOnBoard(at:)`.
  func carbsOnBoard(at time: Double, _ curve: CarbAbsorptionModel) -> Double {
    if time < start - TimeAxis.step { return 0 }
    guard hasObservedTimeline, let last = timeline.last else {
      let x = (time - start - Self.delay) / estimatedTime
      return grams * (1 - curve.fractionAbsorbed(x))
    }
    if time > last.end {
      let x = (time - last.end + timeToAbsorb) / (timeToAbsorb + timeRemaining)
      return max(grams * (1 - curve.fractionAbsorbed(x)), 0)
    }
    var left = grams
    for item in timeline where item.end <= time { left -= item.grams }
    return max(left, 0)
  }

  /// Adds the entry's effect on glucose at each step of a grid, in mg/dL.
  ///
  /// While absorption was observed, items count from 5 minutes after their start, the last of them
  /// in proportion; afterwards the entry's curve is continued from what was observed.
  ///
  /// Source: LoopKit/LoopAlgorithm, `CarbMath.swift`, `dynamicGlucoseEffects` and
  /// `dynamicAbsorbedCarbs(at:)`.
  func addEffect(
    to effects: inout [Double], from firstStep: Int, _ curve: CarbAbsorptionModel
  ) {
    let step = TimeAxis.step
    let observed = hasObservedTimeline ? timeline.last : nil
    var absorbed = Walk()
    if isAbsorbed(at: Double(firstStep) * step, curve) {
      let whole = sensitivity * grams
      for index in effects.indices { effects[index] += whole }
      return
    }
    let total = timeToAbsorb + timeRemaining
    let duration = estimatedTime
    for index in effects.indices {
      let time = Double(firstStep + index) * step
      guard time >= start else { continue }
      let carbs: Double
      if let observed {
        if time > observed.end {
          let x = (time - observed.end + timeToAbsorb) / total
          carbs = min(grams * curve.fractionAbsorbed(x), grams)
        } else {
          carbs = min(absorbed.advance(to: time, timeline), grams)
        }
      } else {
        carbs = grams * curve.fractionAbsorbed((time - start - Self.delay) / duration)
      }
      effects[index] += sensitivity * carbs
    }
  }

  /// Whether nothing is left to absorb at a time, so that the effect is the same from then on.
  private func isAbsorbed(at time: Double, _ curve: CarbAbsorptionModel) -> Bool {
    guard time >= start else { return false }
    guard hasObservedTimeline, let last = timeline.last else {
      return curve.fractionAbsorbed((time - start - Self.delay) / estimatedTime) == 1
    }
    let x = (time - last.end + timeToAbsorb) / (timeToAbsorb + timeRemaining)
    return time > last.end && curve.fractionAbsorbed(x) == 1
  }

  /// A walk along the observed timeline at ascending times.
  private struct Walk {
    private var passed = 0
    private var sum = 0.0

    /// The grams absorbed at a time by the items that started at least 5 minutes before.
    mutating func advance(to time: Double, _ timeline: [Absorbed]) -> Double {
      while passed < timeline.count, timeline[passed].start + TimeAxis.step <= time {
        if passed > 0 { sum += timeline[passed - 1].grams }
        passed += 1
      }
      guard passed > 0 else { return 0 }
      let item = timeline[passed - 1]
      let length = item.end - item.start
      guard length > 0 else { return sum }
      return (min(time, item.end) - item.start) / length * item.grams + sum
    }
  }
}
