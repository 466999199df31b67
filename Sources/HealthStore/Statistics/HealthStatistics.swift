public import Quantities

/// Figures about the samples of a type over a stretch of time.
///
/// HealthKit: `HKStatistics`. Figures merged over sources are for showing; insulin and
/// carbohydrates for dosing are added up source by source, since a merged sum hides a pen's bolus
/// under the pump's basal.
public struct HealthStatistics: Hashable, Sendable {
  /// The type of the samples.
  public let type: ObjectType
  /// The start of the earliest sample, or of the bucket of a collection.
  public let start: Instant
  /// The end of the latest sample, or of the bucket of a collection.
  public let end: Instant
  /// The figures of all sources, in which what several sources recorded counts once.
  public let merged: StatisticsFigures
  /// The figures of each source, in the order of priority; empty unless they were asked for.
  public let bySource: [SourceFigures]

  /// The figures of one source.
  ///
  /// HealthKit: `sumQuantity(for:)` and its neighbours in `HKStatistics`.
  public struct SourceFigures: Hashable, Sendable {
    /// Who wrote the samples.
    public let source: Source
    /// The figures.
    public let figures: StatisticsFigures
  }

  /// The sum of the sums of all sources: the total of what is not a duplicate, such as insulin.
  public var sumOfSources: Double? {
    let sums = bySource.compactMap(\.figures.sum)
    return sums.isEmpty ? nil : DecimalSum(sums).total
  }
}

/// Figures in the unit of storage of their type; nothing where a figure was not asked for.
///
/// HealthKit: `sumQuantity()`, `averageQuantity()` and their neighbours in `HKStatistics`.
public struct StatisticsFigures: Hashable, Sendable {
  /// How many samples there are.
  public var count = 0
  /// The sum of the values.
  public var sum: Double?
  /// The mean of the values.
  public var average: Double?
  /// The least value.
  public var minimum: Double?
  /// The greatest value.
  public var maximum: Double?
  /// The value of the latest sample.
  public var mostRecent: Double?
  /// The time that the samples cover.
  public var duration: TimeSpan?
}

/// The length of the buckets of a collection, on the clock on the wall.
///
/// HealthKit: the interval components of `HKStatisticsCollectionQuery`.
public enum CalendarInterval: Hashable, Sendable {
  /// So many minutes.
  case minutes(Int)
  /// So many hours.
  case hours(Int)
  /// Calendar days, which have 23 or 25 hours when the clocks change.
  case days(Int)
  /// So many weeks.
  case weeks(Int)
  /// So many months.
  case months(Int)

  /// The start of the bucket with a number, counted from an anchor in both directions.
  func start(of bucket: Int, from anchor: Instant, on clock: WallClock) -> Instant {
    switch self {
    case .minutes(let count): return anchor + .minutes(Int64(count * bucket))
    case .hours(let count): return anchor + .hours(Int64(count * bucket))
    case .days(let count): return day(count * bucket, from: anchor, on: clock)
    case .weeks(let count): return day(count * 7 * bucket, from: anchor, on: clock)
    case .months(let count):
      var civil = clock.civilTime(at: anchor)
      let months = civil.year * 12 + civil.month - 1 + count * bucket
      civil.year = months >= 0 ? months / 12 : (months - 11) / 12
      civil.month = months - civil.year * 12 + 1
      while !civil.isValid, civil.day > 28 { civil.day -= 1 }
      return clock.reading(of: civil).instant
    }
  }

  private func day(_ days: Int, from anchor: Instant, on clock: WallClock) -> Instant {
    let civil = clock.civilTime(at: anchor)
    let shifted = CivilTime(dayNumber: civil.dayNumber + Int64(days), timeOfDay: civil.timeOfDay)
    return clock.reading(of: shifted).instant
  }

  var isPositive: Bool {
    switch self {
    case .minutes(let count), .hours(let count), .days(let count), .weeks(let count),
      .months(let count):
      count > 0
    }
  }

  /// A length that no bucket exceeds, to guess a bucket's number from below.
  var longest: TimeSpan {
    switch self {
    case .minutes(let count): .minutes(Int64(count))
    case .hours(let count): .hours(Int64(count))
    case .days(let count): .days(Int64(count))
    case .weeks(let count): .days(Int64(count * 7))
    case .months(let count): .days(Int64(count * 31))
    }
  }
}
