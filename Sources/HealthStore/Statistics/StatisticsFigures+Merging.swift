internal import Quantities

/// One value that counts in a figure.
struct StatisticsValue {
  var value: Double
  var start: Instant
  var end: Instant
  var source: Int

  var duration: TimeSpan { end - start }

  /// The part of the sample that lies in a stretch of time, as a fraction; 1 for an instant.
  func share(from: Instant, to: Instant) -> Double {
    guard start < end else { return 1 }
    assert(from <= to, "Figures are of a stretch of time.")
    let overlap = min(end, to) - max(start, from)
    return Double(max(0, overlap.milliseconds)) / Double(duration.milliseconds)
  }
}

extension StatisticsFigures {
  /// Works out figures of values that lie, in part or whole, in `[from, to)`.
  ///
  /// The sources are in the order of priority: the first counts whole, each later one only where
  /// none before it recorded anything. HealthKit's own rule is not public; this one agrees with
  /// what its users describe.
  init(
    _ groups: [[StatisticsValue]], of type: ObjectType, options: StatisticsOptions,
    from: Instant, to: Instant
  ) {
    let all = groups.flatMap { $0 }
    count = all.count
    if options.contains(.cumulativeSum) {
      sum = Self.mergedSum(groups, from: from, to: to)
    }
    if options.contains(.duration) {
      var covered = IntervalSet()
      for group in groups { covered.formUnion(Self.stretches(group, from, to)) }
      duration = covered.length
    }
    guard !options.isDisjoint(with: .discrete) else { return }
    if options.contains(.discreteAverage) { average = Self.average(all, type, from, to) }
    if options.contains(.discreteMinimum) { minimum = all.map(\.value).min() }
    if options.contains(.discreteMaximum) { maximum = all.map(\.value).max() }
    if options.contains(.mostRecent) {
      mostRecent = all.max { ($0.end, $0.start) < ($1.end, $1.start) }?.value
    }
  }

  private static func mergedSum(
    _ groups: [[StatisticsValue]], from: Instant, to: Instant
  ) -> Double {
    var covered = IntervalSet()
    var sum = DecimalSum()
    for group in groups {
      for value in group {
        guard value.start < value.end else {
          if !covered.contains(value.start) { sum.add(value.value) }
          continue
        }
        let rest = covered.uncovered(max(value.start, from), min(value.end, to))
        if rest == value.duration {
          sum.add(value.value)
        } else {
          sum.add(value.value * Double(rest.milliseconds) / Double(value.duration.milliseconds))
        }
      }
      covered.formUnion(stretches(group, from, to))
    }
    return sum.total
  }

  private static func stretches(
    _ values: [StatisticsValue], _ from: Instant, _ to: Instant
  ) -> [(start: Instant, end: Instant)] {
    values.map { (start: max($0.start, from), end: min($0.end, to)) }
      .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  private static func average(
    _ values: [StatisticsValue], _ type: ObjectType, _ from: Instant, _ to: Instant
  ) -> Double? {
    guard !values.isEmpty else { return nil }
    let hasDuration = values.contains { $0.start < $0.end }
    let isWeighted = type.aggregation == .temporallyWeighted && hasDuration
    var (total, weights) = (0.0, 0.0)
    for value in values {
      let share = value.share(from: from, to: to)
      let weight = isWeighted ? share * value.duration.seconds : share
      total += value.value * weight
      weights += weight
    }
    return weights > 0 ? total / weights : nil
  }
}
