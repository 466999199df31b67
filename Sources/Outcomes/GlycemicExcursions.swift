/// The mean amplitude of glycaemic excursions (MAGE), by a zigzag of swings of at least one SD.
///
/// Service and others 1970 (Diabetes 19:644) left the choice of peaks to the eye. Here a turning
/// point counts when glucose moves away from it by at least the sample SD of its stretch, and
/// stretches are joined over gaps of up to three hours.
public struct GlycemicExcursions: Hashable, Sendable {
  /// The mean of the rising and the falling mean, mg/dL.
  public let meanAmplitude: Double
  /// The mean rising swing, mg/dL; `nil` without one.
  public let meanRise: Double?
  /// The mean falling swing, mg/dL; `nil` without one.
  public let meanFall: Double?
  /// The number of swings.
  public let count: Int

  /// Finds the swings on a grid; nothing when there is none.
  public init?(_ grid: GlucoseGrid) {
    var rises = WeightedMean()
    var falls = WeightedMean()
    var count = 0
    for stretch in Self.stretches(of: grid) {
      guard let threshold = Statistics.standardDeviation(stretch), threshold >= 1 else { continue }
      let swings = Self.swings(Self.turningPoints(of: stretch, threshold: threshold))
      count += swings.count
      let weight = Double(stretch.count)
      rises.add(Statistics.mean(swings.filter { $0 > 0 }), weight: weight)
      falls.add(Statistics.mean(swings.filter { $0 < 0 }.map(abs)), weight: weight)
    }
    self.count = count
    meanRise = rises.value
    meanFall = falls.value
    guard
      let mean = Statistics.mean([rises.value, falls.value].compactMap(\.self))
    else { return nil }
    meanAmplitude = mean
  }

  /// The mean over days of the swings in each day's first direction, with that day's own SD, mg/dL.
  ///
  /// Days below 70 % of their slots or with an SD below 1 mg/dL are left out.
  public static func daily(_ grid: GlucoseGrid) -> Double? {
    var means: [Double] = []
    for day in grid.days {
      let values = grid.slots[day].compactMap(\.self)
      guard Double(values.count) >= 0.7 * Double(grid.slotsPerDay),
        let threshold = Statistics.standardDeviation(values), threshold >= 1
      else { continue }
      let swings = swings(turningPoints(of: values, threshold: threshold))
      guard let first = swings.first else { continue }
      let chosen = swings.filter { ($0 > 0) == (first > 0) }.map(abs)
      if let mean = Statistics.mean(chosen) { means.append(mean) }
    }
    return Statistics.mean(means)
  }

  /// The turning points of a zigzag whose swings are all at least `threshold`.
  public static func turningPoints(of values: [Double], threshold: Double) -> [Double] {
    guard let first = values.first, threshold > 0 else { return [] }
    var points: [Double] = []
    var low = first
    var high = first
    var isRising: Bool?
    for value in values.dropFirst() {
      switch isRising {
      case nil:
        low = min(low, value)
        high = max(high, value)
        if value - low >= threshold {
          points.append(low)
          (isRising, high) = (true, value)
        } else if high - value >= threshold {
          points.append(high)
          (isRising, low) = (false, value)
        }
      case true?:
        high = max(high, value)
        if high - value >= threshold {
          points.append(high)
          (isRising, low) = (false, value)
        }
      case false?:
        low = min(low, value)
        if value - low >= threshold {
          points.append(low)
          (isRising, high) = (true, value)
        }
      }
    }
    if let isRising { points.append(isRising ? high : low) }
    return points
  }

  private static func swings(_ points: [Double]) -> [Double] {
    zip(points.dropFirst(), points).map { $0 - $1 }
  }

  /// The values of stretches of at least six hours, joined over gaps of up to three hours.
  private static func stretches(of grid: GlucoseGrid) -> [[Double]] {
    let bridge = 180 / grid.intervalMinutes
    var joined: [Range<Int>] = []
    for segment in grid.segments {
      if let last = joined.last, segment.lowerBound - last.upperBound <= bridge {
        joined[joined.count - 1] = last.lowerBound..<segment.upperBound
      } else {
        joined.append(segment)
      }
    }
    return
      joined
      .filter { $0.count * grid.intervalMinutes >= 360 }
      .map { grid.slots[$0].compactMap(\.self) }
  }
}

/// A mean whose parts weigh differently.
private struct WeightedMean {
  private var sum = 0.0
  private var weight = 0.0

  mutating func add(_ part: Double?, weight partWeight: Double) {
    guard let part else { return }
    assert(partWeight >= 0, "A part weighs no less than nothing.")
    sum += part * partWeight
    weight += partWeight
  }

  var value: Double? { weight > 0 ? sum / weight : nil }
}
