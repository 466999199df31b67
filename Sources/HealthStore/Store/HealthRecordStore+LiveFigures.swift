extension HealthRecordStore {
  /// Makes a query that works out figures for buckets of time, and again whenever they change.
  ///
  /// HealthKit: `HKStatisticsCollectionQuery` with `statisticsUpdateHandler`.
  public mutating func statisticsQuery(
    of type: ObjectType, matching predicate: SamplePredicate = .all, in buckets: StatisticsBuckets,
    as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    try checkLiveQuery([type], predicate, client)
    let query = liveQueries.add(.statistics(buckets), [type], predicate, client, from: 0)
    // What is wrong with the options is said at once, not with the first figures.
    _ = try figures(of: query)
    return query
  }

  /// Makes a query that sums up the activity of days, and again whenever that changes.
  ///
  /// HealthKit: `HKActivitySummaryQuery` with an update handler.
  public mutating func activitySummaryQuery(
    of days: ActivityDays, as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    let query = liveQueries.add(
      .activitySummaries(days), [.activitySummary], .all, client, from: 0)
    _ = try figures(of: query)
    return query
  }

  /// Makes a query that tells when the user wants to see one of some types in another unit.
  ///
  /// HealthKit: the notification `HKUserPreferencesDidChange`.
  public mutating func preferredUnitsQuery(
    of types: [ObjectType], as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    guard !types.isEmpty else { throw .invalidArgument(.emptyList) }
    _ = try contents.registry.checkedClient(client)
    return liveQueries.add(.preferredUnits, types, .all, client, from: 0)
  }

  /// What a query for figures has to tell now.
  func figures(of query: LiveQuery) throws(HealthStoreError) -> QueryDelivery {
    switch query.kind {
    case .statistics(let buckets):
      return .statistics(
        query,
        try statisticsCollection(
          of: query.types[0], matching: query.predicate, options: buckets.options,
          anchor: buckets.anchor, every: buckets.interval, on: buckets.clock, as: query.client))
    case .activitySummaries(let days):
      return .activitySummaries(
        query,
        try activitySummaries(
          from: days.first, through: days.last, goals: days.goals, on: days.clock,
          as: query.client))
    case .observer, .changes, .preferredUnits: return .update(query)
    }
  }
}
