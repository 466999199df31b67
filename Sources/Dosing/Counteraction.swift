/// Walks through glucose samples and yields the counteraction of insulin between them.
///
/// For samples more than 4 minutes apart, `v = (Δglucose − Δeffect)/Δt`, where the effect is read
/// at the first grid times at or after the samples, never the same for both. Pairs across
/// provenances or with a calibration yield nothing. The walk can be taken up again when samples or
/// effects have been added.
///
/// Source: LoopKit/LoopAlgorithm, `GlucoseMath.swift`, `counteractionEffects(to:)`.
struct CounteractionWalk: Hashable, Sendable {
  /// One interval between samples.
  struct Round: Hashable, Sendable {
    var velocity: Velocity
    /// The samples the interval lies between.
    var sample: Int
    var endSample: Int
    /// The grid steps whose effects were read.
    var startStep: Int
    var endStep: Int
    /// The change of glucose between the samples, in mg/dL.
    var change: Double
  }

  /// The sample the next interval starts with.
  var sample: Int
  /// The first grid step the next interval may read.
  var step: Int

  /// The next interval; nothing at the end of the samples or of the effects.
  ///
  /// `lastStep` is the last grid step that has an effect; `insulin` gives the change of glucose by
  /// insulin between two steps.
  mutating func next<Points: RandomAccessCollection>(
    _ glucose: Points, lastStep: Int, insulin: (Int, Int) -> Double
  ) -> Round? where Points.Element == GlucosePoint, Points.Index == Int {
    assert(sample >= 0, "A walk begins at a sample that is there.")
    var other = sample + 1
    while other < glucose.count {
      let from = glucose[sample]
      let to = glucose[other]
      let elapsed = to.start - from.start
      guard elapsed > 240 else {
        other += 1
        continue
      }
      let start = sample
      guard from.provenance == to.provenance, !from.isDisplayOnly, !to.isDisplayOnly else {
        sample = other
        other += 1
        continue
      }
      let startStep = max(step, TimeAxis.ceilStep(from.start))
      let endStep = max(startStep + 1, TimeAxis.ceilStep(to.start))
      guard step <= lastStep, endStep <= lastStep else { return nil }
      let change = to.value - from.value
      let velocity = (change - insulin(startStep, endStep)) / elapsed
      let round = Round(
        velocity: Velocity(start: from.start, end: to.start, mgdLPerSecond: velocity),
        sample: start, endSample: other, startStep: startStep, endStep: endStep, change: change)
      sample = other
      step = endStep
      return round
    }
    return nil
  }
}
