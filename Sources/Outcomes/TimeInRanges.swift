internal import Quantities

/// The shares of readings in the glucose ranges of the international consensus, in percent.
///
/// Both ends of a range belong to it, and each reading weighs the same (Battelino and others 2019,
/// Diabetes Care 42:1593; Battelino and others 2023, Lancet Diabetes Endocrinol 11:42).
public struct TimeInRanges: Hashable, Sendable {
  /// The number of readings behind the shares.
  public let count: Int
  /// The mean of those readings, mg/dL.
  public let mean: Double
  /// Below 54 mg/dL, level 2 low.
  public let below54: Double
  /// From 54 to below 70 mg/dL, level 1 low.
  public let from54To69: Double
  /// From 70 to 180 mg/dL, the target range.
  public let from70To180: Double
  /// From 70 to 140 mg/dL, the tight range, a part of the target range.
  public let from70To140: Double
  /// Above 180 to 250 mg/dL, level 1 high.
  public let from181To250: Double
  /// Above 250 mg/dL, level 2 high.
  public let above250: Double

  /// All below 70 mg/dL.
  public let below70: Double
  /// All above 180 mg/dL.
  public let above180: Double

  /// Measures the values, in mg/dL; nothing without values.
  public init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    // Each value lies in one band, so that of the limits only those near it are looked at.
    var (veryLow, low, tight, wide, high, veryHigh) = (0, 0, 0, 0, 0, 0)
    let isAbove = ConsensusLimit.isExceeded
    for value in values {
      if value < 54 {
        veryLow += 1
      } else if value < 70 {
        low += 1
      } else if !isAbove(140, value) {
        // Not a number lies in none.
        tight += value >= 70 ? 1 : 0
      } else if !isAbove(180, value) {
        wide += 1
      } else if !isAbove(250, value) {
        high += 1
      } else {
        veryHigh += 1
      }
    }
    func percent(_ count: Int) -> Double { 100 * Double(count) / Double(values.count) }
    count = values.count
    mean = values.reduce(0, +) / Double(values.count)
    below54 = percent(veryLow)
    from54To69 = percent(low)
    from70To180 = percent(tight + wide)
    from70To140 = percent(tight)
    from181To250 = percent(high)
    above250 = percent(veryHigh)
    below70 = percent(veryLow + low)
    above180 = percent(high + veryHigh)
  }

  /// The mean of the shares of several series, each with the same weight; nothing without any.
  ///
  /// Unlike the median's, these shares add up to 100. The count is that of all values together.
  public init?(meanOf parts: [TimeInRanges]) {
    guard !parts.isEmpty else { return nil }
    func mean(_ share: (TimeInRanges) -> Double) -> Double {
      parts.reduce(0) { $0 + share($1) } / Double(parts.count)
    }
    count = parts.reduce(0) { $0 + $1.count }
    self.mean = mean(\.mean)
    below54 = mean(\.below54)
    from54To69 = mean(\.from54To69)
    from70To180 = mean(\.from70To180)
    from70To140 = mean(\.from70To140)
    from181To250 = mean(\.from181To250)
    above250 = mean(\.above250)
    below70 = mean(\.below70)
    above180 = mean(\.above180)
  }

  /// The five shares from the highest range to the lowest, which add up to 100.
  public var stacked: [Double] { [above250, from181To250, from70To180, from54To69, below54] }
}

/// The part of the day over which readings are measured.
public enum PartOfDay: Hashable, Sendable {
  /// All 24 hours.
  case wholeDay
  /// From 00:00 to before 06:00 local time.
  case night
  /// From 06:00 to before 24:00 local time.
  case day
}

extension GlucoseSeries {
  /// The shares in the consensus ranges; nothing without readings in that part of the day.
  public func timeInRanges(_ part: PartOfDay = .wholeDay) -> TimeInRanges? {
    guard part != .wholeDay else { return TimeInRanges(values) }
    return TimeInRanges(
      points.filter { point in
        let isNight = clock.timeOfDay(at: point.instant).milliseconds < 21_600_000
        return isNight == (part == .night)
      }.map(\.mgdL))
  }

  /// The percentage of readings from `low` to `high` mg/dL, both ends included.
  public func percent(from low: Double, through high: Double) -> Double? {
    percent { $0 >= low && !ConsensusLimit.isExceeded(high, by: $0) }
  }

  /// The percentage of readings below a limit in mg/dL, the limit excluded.
  public func percent(below limit: Double) -> Double? { percent { $0 < limit } }

  /// The percentage of readings above a limit in mg/dL, the limit excluded.
  public func percent(above limit: Double) -> Double? {
    percent { ConsensusLimit.isExceeded(limit, by: $0) }
  }

  private func percent(_ isIncluded: (Double) -> Bool) -> Double? {
    guard !points.isEmpty else { return nil }
    return 100 * Double(points.count { isIncluded($0.mgdL) }) / Double(points.count)
  }
}

/// Whole percentages that add up to 100, by largest remainder; ties go to the earlier share.
public func wholePercentages(_ shares: [Double]) -> [Int] {
  guard shares.allSatisfy({ $0.isFinite && $0 >= 0 && $0 <= 100 }) else { return [] }
  var whole = shares.map { Int($0.rounded(.down)) }
  assert(whole.count == shares.count, "Each share has its whole percentage.")
  let missing = 100 - whole.reduce(0, +)
  guard missing > 0, missing <= shares.count else { return whole }
  let order = shares.indices.sorted {
    let left = shares[$0] - shares[$0].rounded(.down)
    let right = shares[$1] - shares[$1].rounded(.down)
    return left == right ? $0 < $1 : left > right
  }
  for index in order.prefix(missing) { whole[index] += 1 }
  return whole
}
