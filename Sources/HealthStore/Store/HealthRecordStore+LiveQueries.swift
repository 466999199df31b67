extension HealthRecordStore {
  /// Makes a query that tells when something changes; it does nothing until it is executed.
  ///
  /// HealthKit: `HKObserverQuery`.
  public mutating func observerQuery(
    of types: [ObjectType], matching predicate: SamplePredicate = .all, as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    try liveQueries.addObserver(of: types, matching: predicate, as: client, in: contents)
  }

  /// Makes a query that delivers what changes from an anchor on, and then each later change.
  ///
  /// HealthKit: `HKAnchoredObjectQuery` with an update handler, which allows no limit.
  public mutating func changesQuery(
    of types: [ObjectType], since anchor: QueryAnchor? = nil,
    matching predicate: SamplePredicate = .all, limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    guard limit == nil else { throw .invalidArgument(.updatesWithLimit) }
    return try liveQueries.addChanges(
      of: types, since: anchor?.row ?? 0, matching: predicate, as: client, in: contents)
  }

  /// Makes a query that works out figures for buckets of time, and again whenever they change.
  ///
  /// HealthKit: `HKStatisticsCollectionQuery` with `statisticsUpdateHandler`.
  public mutating func statisticsQuery(
    of type: ObjectType, matching predicate: SamplePredicate = .all, in buckets: StatisticsBuckets,
    as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    try liveQueries.addStatistics(
      of: type, matching: predicate, in: buckets, as: client, in: contents)
  }

  /// Makes a query that sums up the activity of days, and again whenever that changes.
  ///
  /// HealthKit: `HKActivitySummaryQuery` with an update handler.
  public mutating func activitySummaryQuery(
    of days: ActivityDays, as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    try liveQueries.addActivitySummaries(of: days, as: client, in: contents)
  }

  /// Makes a query that tells when the user wants to see one of some types in another unit.
  ///
  /// HealthKit: the notification `HKUserPreferencesDidChange`.
  public mutating func preferredUnitsQuery(
    of types: [ObjectType], as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    try liveQueries.addPreferredUnits(of: types, as: client, in: contents)
  }

  /// Starts a query.
  ///
  /// HealthKit: `execute(_:)`.
  ///
  /// - Throws: `invalidArgument` when it was started before or is unknown.
  public mutating func execute(_ query: LiveQuery) throws(HealthStoreError) {
    try liveQueries.execute(query, in: contents)
  }

  /// Stops a query, after which it delivers nothing more; stopping it again does no harm.
  ///
  /// HealthKit: `stop(_:)`.
  public mutating func stop(_ query: LiveQuery) { liveQueries.stop(query) }

  /// Takes what the live queries have to tell, in the order in which they were made.
  ///
  /// An observer tells once at its start, and then once after the commits since the last call that
  /// match. Figures are told at the start, and again when they have changed. Nothing is told while
  /// the store is locked.
  ///
  /// HealthKit calls the queries' update handlers on a queue of its own.
  public mutating func takeDeliveries() throws(HealthStoreError) -> [QueryDelivery] {
    try liveQueries.takeDeliveries(from: contents)
  }
}
