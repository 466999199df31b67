import Determinism
import Quantities

/// A difference between what glucose did in 5 minutes and what insulin and carbs explain.
struct Discrepancy: Hashable, Sendable {
  /// The end of the interval.
  var time: Double
  /// mg/dL.
  var value: Double
}

/// Discrepancies added up over the 30 minutes before a time.
struct SummedDiscrepancy: Hashable, Sendable {
  /// How far back discrepancies are added up, in seconds: half an hour and 1 %.
  static let reach = 1_800 * 1.01

  var start: Double
  var end: Double
  /// mg/dL.
  var value: Double
}

/// Computes discrepancies: counteraction of insulin less the carb effect.
///
/// Each velocity, scaled to 300 s, is paired with the first carb step not used yet that ends at or
/// after it; steps passed over are not carried forward. Velocities are in the order of their ends.
/// Where there is no carb effect, those that end before `earliest` are left out.
///
/// Source: LoopKit/LoopAlgorithm, `LoopMath.swift`, `subtracting(_:effectInterval:)`.
func subtractCarbEffect<Velocities: RandomAccessCollection>(
  _ carbs: [Double], from carbStep: Int, of velocities: Velocities, since earliest: Double,
  into discrepancies: inout [Discrepancy]
) where Velocities.Element == Velocity, Velocities.Index == Int {
  discrepancies.removeAll(keepingCapacity: true)
  let step = TimeAxis.step
  var first = 0
  if let earliest = velocities.first?.end {
    first = max(0, TimeAxis.ceilStep(earliest) - carbStep)
  }
  var next = 0
  discrepancies.reserveCapacity(velocities.count)
  if first < carbs.count {
    let begin = Double(carbStep + first) * step
    next = velocities.partitioningIndex { $0.end >= begin }
    let carbs = carbs.span
    var previous = carbs[first]
    var index = first + 1
    while index < carbs.count, next < velocities.count {
      let change = carbs[index] - previous
      previous = carbs[index]
      let end = velocities[next].end
      index += 1
      guard end <= Double(carbStep + index - 1) * step else { continue }
      discrepancies.append(
        Discrepancy(time: end, value: velocities[next].mgdLPerSecond * step - change))
      next += 1
    }
  } else if earliest > -.infinity {
    next = velocities.partitioningIndex { $0.end >= earliest }
  }
  while next < velocities.count {
    discrepancies.append(
      Discrepancy(
        time: velocities[next].end, value: velocities[next].mgdLPerSecond * step))
    next += 1
  }
}

/// Adds up the discrepancies of the 30 minutes (and 1 %) before one of them, backwards in time.
///
/// Source: LoopKit/LoopAlgorithm, `LoopMath.swift`, `combinedSums(of:)`.
func sum(_ discrepancies: [Discrepancy], endingAt index: Int) -> SummedDiscrepancy {
  assert(discrepancies.indices.contains(index), "A sum ends at a discrepancy that is there.")
  let last = discrepancies[index]
  var result = SummedDiscrepancy(start: last.time, end: last.time, value: last.value)
  var earlier = index - 1
  while earlier >= 0, last.time <= discrepancies[earlier].time + SummedDiscrepancy.reach {
    result.value += discrepancies[earlier].value
    result.start = discrepancies[earlier].time
    earlier -= 1
  }
  return result
}

/// A correction of the prediction for what it has been missing lately.
struct RetrospectiveCorrection: Hashable, Sendable {
  /// mg/dL.
  var total: Double
  /// mg/dL per second at first.
  var velocity: Double
  /// Seconds until the rate has fallen to nothing.
  var duration: Double

  /// How far before the last glucose a discrepancy can count, in seconds: the integral correction
  /// looks at 3 hours, at the end of each half hour.
  static let reach = IntegralTerms.reach + SummedDiscrepancy.reach

  /// The correction from the last summed discrepancy; nothing when it is more than 15 minutes older
  /// than the last glucose, or when there is none.
  ///
  /// Source: LoopKit/LoopAlgorithm, `StandardRetrospectiveCorrection.swift` and
  /// `IntegralRetrospectiveCorrection.swift`.
  init?(_ discrepancies: [Discrepancy], lastGlucose time: Double, isIntegral: Bool) {
    guard !discrepancies.isEmpty else { return nil }
    let last = sum(discrepancies, endingAt: discrepancies.count - 1)
    guard time - last.end <= 900 else { return nil }
    let interval = max(last.end - last.start, 1_800)
    guard isIntegral else {
      total = last.value
      velocity = last.value / interval
      duration = 3_600
      return
    }
    assert(interval >= 1_800, "A discrepancy is spread over half an hour or more.")
    let integral = IntegralTerms(discrepancies, last: last, lastGlucose: time)
    total = integral.total
    duration = integral.minutes * 60
    velocity = total * 60 / integral.minutes / interval
  }

  /// Appends the effect at each grid step: absolute glucose from the last sample on, by a rate that
  /// falls linearly to nothing.
  ///
  /// Source: LoopKit/LoopAlgorithm, `SampleValue.swift`, `decayEffect(atRate:for:)`.
  func appendEffect(from glucose: GlucosePoint, to effects: inout [Double]) {
    let step = TimeAxis.step
    assert(duration > step, "A correction acts for more than a step.")
    let first = velocity * step
    let second = first * (1 - step / (duration - step))
    let A = (second - first) / (2 * step * step)
    let B = (first + second - 4 * A * step * step) / (2 * step)
    effects.append(glucose.value)
    let begin = TimeAxis.floorStep(glucose.start)
    let end = max(begin + 2, TimeAxis.ceilStep(glucose.start + duration))
    for index in (begin + 1)..<end {
      let x = min(duration, Double(index) * step - glucose.start)
      effects.append(A * x * x + B * x + glucose.value)
    }
  }
}

/// The proportional, integral and differential terms of integral retrospective correction.
private struct IntegralTerms {
  /// How far before the last glucose a summed discrepancy may end, in seconds.
  static let reach = 10_800.0
  static let forget = PortableMath.exp(-5.0 / 60.0)
  static let integralGain = ((1 - forget) / forget) * (2.0 - 1.0)
  static let proportionalGain = 1.0 - integralGain
  static let differentialGain = 2.0

  var total: Double
  /// The effect's duration, in minutes.
  var minutes: Double

  init(_ discrepancies: [Discrepancy], last: SummedDiscrepancy, lastGlucose: Double) {
    // The oldest summed discrepancy of the run of like sign that ends now.
    var oldest = discrepancies.count
    var next = last
    var second: Double?
    var index = discrepancies.count - 1
    while index >= 0 {
      let past = sum(discrepancies, endingAt: index)
      guard past.end >= lastGlucose - Self.reach, past.value.sign == last.value.sign,
        next.end - past.end <= 900, past.value.magnitude >= 0.1
      else { break }
      if oldest == discrepancies.count - 1 { second = past.value }
      oldest = index
      next = past
      index -= 1
    }
    var integral = 0.0
    minutes = 60 - 2 * 5
    for index in oldest..<discrepancies.count {
      integral =
        Self.forget * integral + Self.integralGain * sum(discrepancies, endingAt: index).value
      minutes += 10
    }
    minutes = min(minutes, 180)
    let difference = second.map { last.value - $0 } ?? 0
    let differential = difference < 0 ? Self.differentialGain * difference : 0
    total = Self.proportionalGain * last.value + integral + differential
  }
}
