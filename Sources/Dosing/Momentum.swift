/// The present trend of glucose, by linear regression over the last 15 minutes.
///
///     slope = (nΣxy − ΣxΣy) / (nΣx² − (Σx)²),  at most +4 mg/dL per minute
///
/// Source: LoopKit/LoopAlgorithm, `GlucoseMath.swift`, `linearMomentumEffect`.
struct Momentum: Hashable, Sendable {
  /// mg/dL per second.
  var slope: Double
  /// The newest sample's time, from which the trend is continued.
  var last: Double
  /// The grid steps that have a value.
  var steps: ClosedRange<Int>

  static let window = 900.0
  static let duration = 900.0
  static let maximumSlope = 4.0 * (1.0 / 60.0)

  /// The trend at a time; there is none for fewer than 3 samples, gaps, jumps, calibrations, or
  /// mixed provenance; jumps count only where they are gated.
  init<Points: RandomAccessCollection>(
    _ glucose: Points, at time: Double, isGated: Bool = true
  ) throws(MomentumAbsence) where Points.Element == GlucosePoint, Points.Index == Int {
    guard let end = glucose.closestPrior(to: time) else { throw .fewReadings }
    var begin = end + 1
    while begin > 0, glucose[begin - 1].start >= time - Self.window { begin -= 1 }
    guard end >= begin + 2 else { throw .fewReadings }
    let samples = begin...end
    let first = glucose[begin]
    let last = glucose[end]
    guard !isGated || isGradual(glucose, in: samples, threshold: 40) else { throw .jump }
    guard (first.start - last.start).magnitude < TimeAxis.step * Double(samples.count)
    else { throw .gap }
    assert(samples.count >= 3, "A slope is taken through three samples or more.")
    var sumX = 0.0
    var sumY = 0.0
    var sumXX = 0.0
    var sumXY = 0.0
    for index in samples {
      let sample = glucose[index]
      guard !sample.isDisplayOnly else { throw .calibration }
      guard sample.provenance == first.provenance else { throw .sources }
      let x = sample.start - first.start
      sumX += x
      sumY += sample.value
      sumXX += x * x
      sumXY += x * sample.value
    }
    let n = Double(samples.count)
    let slope = (n * sumXY - sumX * sumY) / (n * sumXX - sumX * sumX)
    guard slope.isFinite else { throw .fewReadings }
    self.slope = min(slope, Self.maximumSlope)
    self.last = last.start
    assert(self.slope <= Self.maximumSlope, "Momentum is limited.")
    let floor = TimeAxis.floorStep(last.start)
    steps = floor...TimeAxis.ceilStep(last.start + Self.duration)
  }

  /// The change of glucose since the newest sample, in mg/dL.
  func effect(at step: Int) -> Double {
    max(0, Double(step) * TimeAxis.step - last) * slope
  }

  /// The change from the first to the last value, in mg/dL.
  var net: Double { effect(at: steps.upperBound) - effect(at: steps.lowerBound) }
}

/// Whether no two neighbouring samples differ by more than a threshold, in mg/dL.
func isGradual<Points: RandomAccessCollection>(
  _ glucose: Points, in samples: ClosedRange<Int>, threshold: Double
) -> Bool where Points.Element == GlucosePoint, Points.Index == Int {
  assert(glucose.indices.contains(samples.upperBound), "Samples that are compared are there.")
  for index in (samples.lowerBound + 1)..<(samples.upperBound + 1)
  where (glucose[index].value - glucose[index - 1].value).magnitude > threshold {
    return false
  }
  return true
}
