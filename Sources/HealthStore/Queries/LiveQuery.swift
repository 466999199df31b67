public import Quantities

/// A query that stays alive until it is stopped.
///
/// HealthKit: a long-running `HKQuery`.
public struct LiveQuery: Hashable, Sendable {
  /// What the query tells about each later change.
  public enum Kind: Hashable, Sendable {
    /// Only that something changed.
    ///
    /// HealthKit: `HKObserverQuery`.
    case observer(of: [ObjectType])
    /// What changed from an anchor on, and then since the last time; there may be no limit.
    ///
    /// HealthKit: `HKAnchoredObjectQuery` with an update handler.
    case changes(of: [ObjectType], since: QueryAnchor? = nil, limit: Int? = nil)
    /// The figures for each bucket of time, anew after each change.
    ///
    /// HealthKit: `HKStatisticsCollectionQuery` with `initialResultsHandler` and
    /// `statisticsUpdateHandler`.
    case statistics(of: ObjectType, in: StatisticsBuckets)
    /// The summaries of some days, anew after each change of what they sum up.
    ///
    /// HealthKit: `HKActivitySummaryQuery` with an update handler.
    case activitySummaries(of: ActivityDays)
    /// The units in which the user wants to see some types, when one was changed.
    ///
    /// HealthKit: the notification `HKUserPreferencesDidChange`.
    case preferredUnits(of: [ObjectType])
  }

  /// The number of the query in its store.
  public let number: Int
  /// What the query tells.
  public let kind: Kind
  /// Which samples it is about.
  public let predicate: SamplePredicate
  /// Who asks.
  public let client: ClientID

  /// The types that it follows.
  public var types: [ObjectType] {
    switch kind {
    case .observer(let types), .changes(let types, _, _), .preferredUnits(let types): types
    case .statistics(let type, _): [type]
    case .activitySummaries: [.activitySummary]
    }
  }
}

/// What a live query has to tell.
///
/// HealthKit: a call of a query's update handler.
public enum QueryDelivery: Hashable, Sendable {
  /// Something that matches was added or deleted; it carries no data.
  case update(LiveQuery)
  /// What changed.
  case changes(LiveQuery, ObjectType, SampleChanges)
  /// All figures as they are now; empty when nothing matches any more.
  case statistics(LiveQuery, [HealthStatistics])
  /// All summaries as they are now.
  case activitySummaries(LiveQuery, [ActivitySummary])
  /// The types that are shown in another unit now.
  case preferredUnits(LiveQuery, [ObjectType])

  /// The query that tells it.
  public var query: LiveQuery {
    switch self {
    case .update(let query), .changes(let query, _, _), .statistics(let query, _),
      .activitySummaries(let query, _), .preferredUnits(let query, _):
      query
    }
  }
}

/// Which figures a live query works out.
///
/// HealthKit: the parameters of `HKStatisticsCollectionQuery`.
public struct StatisticsBuckets: Hashable, Sendable {
  /// Which figures are worked out.
  public var options: StatisticsOptions
  /// An instant at which a bucket begins.
  public var anchor: Instant
  /// The length of a bucket.
  public var interval: CalendarInterval
  /// The clock on the wall by which buckets begin.
  public var clock: WallClock

  /// Creates a `StatisticsBuckets` from its parts; see the properties.
  public init(
    options: StatisticsOptions, anchor: Instant, every interval: CalendarInterval,
    on clock: WallClock
  ) {
    self.options = options
    self.anchor = anchor
    self.interval = interval
    self.clock = clock
  }
}

/// Which days a live query sums up, and against which goals.
///
/// HealthKit: `predicate(forActivitySummariesBetweenStart:end:)` of `HKQuery`, and the goals of
/// `HKActivitySummary`.
public struct ActivityDays: Hashable, Sendable {
  /// The first day.
  public var first: DayComponents
  /// The last day.
  public var last: DayComponents
  /// What the user wants to reach.
  public var goals: ActivityGoals
  /// The clock on the wall by which days begin.
  public var clock: WallClock

  /// Creates a `ActivityDays` from its parts; see the properties.
  public init(
    from first: DayComponents, through last: DayComponents, goals: ActivityGoals,
    on clock: WallClock
  ) {
    self.first = first
    self.last = last
    self.goals = goals
    self.clock = clock
  }
}
