public import Quantities

extension HealthRecordStore {
  /// Figures about all samples that match, as one stretch of time.
  ///
  /// HealthKit: `HKStatisticsQuery`.
  ///
  /// - Throws: `invalidArgument` when an option does not fit the type; `noData` when nothing
  ///   visible matches: there is no figure, and none is zero.
  public func statistics(
    of type: ObjectType, matching predicate: SamplePredicate = .all, options: StatisticsOptions,
    as client: ClientID
  ) throws(HealthStoreError) -> HealthStatistics {
    try StatisticsQuery(of: type, matching: predicate, options, as: client, in: contents).whole()
  }

  /// Figures for each bucket of time that has samples, in the order of time.
  ///
  /// Buckets extend from the anchor in both directions and follow the clock on the wall, so that a
  /// day has 23 or 25 hours when clocks change. A cumulative sample across a border is shared in
  /// proportion to time. HealthKit: `HKStatisticsCollectionQuery`.
  public func statisticsCollection(
    of type: ObjectType, matching predicate: SamplePredicate = .all, options: StatisticsOptions,
    anchor: Instant, every interval: CalendarInterval, on clock: WallClock, as client: ClientID
  ) throws(HealthStoreError) -> [HealthStatistics] {
    try contents.statisticsCollection(
      of: type, matching: predicate, options: options, anchor: anchor, every: interval, on: clock,
      as: client)
  }

  /// The sources that have visible samples which match, in the order of their first appearance.
  ///
  /// HealthKit: `HKSourceQuery`.
  public func sources(
    of type: ObjectType, matching predicate: SamplePredicate = .all, as client: ClientID
  ) throws(HealthStoreError) -> [Source] {
    let found = try contents.storedSamples(
      of: type, matching: predicate, sortedBy: [SampleSort(.start)], limit: nil, as: client)
    let indices = Set(found.map { Int($0.source) })
    return indices.sorted().map { contents.registry.sources[$0] }
  }

  /// The devices that have visible samples which match, in the order of samples.
  ///
  /// HealthKit: the devices of an `HKSampleQuery`'s results.
  public func devices(
    of type: ObjectType, matching predicate: SamplePredicate = .all, as client: ClientID
  ) throws(HealthStoreError) -> [Device] {
    var seen: Set<Device> = []
    return try samples(of: type, matching: predicate, as: client).compactMap(\.device)
      .filter { seen.insert($0).inserted }
  }

  /// Sets the order in which sources count for a type, as the user does in the health app.
  ///
  /// Sources that are not listed follow in the default order.
  ///
  /// HealthKit has no call for it: the user edits "Data Sources & Access" in the health app.
  public mutating func setPriority(
    of sources: [Source], for type: ObjectType
  ) throws(HealthStoreError) {
    let indices = sources.compactMap { source in
      contents.registry.sources.firstIndex { $0.bundleIdentifier == source.bundleIdentifier }
    }
    try contents.commit([.priority(.init(type: type, sources: indices))])
  }
}
