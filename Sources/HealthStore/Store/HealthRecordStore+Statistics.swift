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
    let found = try statisticsSamples(of: type, matching: predicate, options, as: client)
    guard let first = found.map(\.sample.start).min(), let last = found.map(\.sample.end).max()
    else { throw .noData(type) }
    let end = Instant(millisecondsSince1970: .max)
    return statistics(
      of: type, found, options, span: (first, last),
      clip: (Instant(millisecondsSince1970: .min), end))
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
    guard interval.isPositive else { throw .invalidArgument(.interval) }
    let found = try statisticsSamples(of: type, matching: predicate, options, as: client)
    guard let first = found.first?.sample.start, let last = found.map(\.sample.end).max() else {
      return []
    }
    // A guess that is not above the bucket of the first sample: no bucket is longer than `longest`
    // by more than a change of clocks.
    var bucket = Int((first - anchor).quotient(by: interval.longest)) - 2
    if first < anchor { bucket = bucket * 2 - 2 }
    while interval.start(of: bucket + 1, from: anchor, on: clock) <= first { bucket += 1 }
    var result: [HealthStatistics] = []
    var remaining = found[...]
    var start = interval.start(of: bucket, from: anchor, on: clock)
    while start <= last, !remaining.isEmpty {
      let end = interval.start(of: bucket + 1, from: anchor, on: clock)
      let inside = remaining.prefix { $0.sample.start < end }
        .filter { $0.sample.end > start || $0.sample.start >= start }
      if !inside.isEmpty {
        result.append(
          statistics(of: type, inside, options, span: (start, end), clip: (start, end)))
      }
      let rest = remaining.drop { $0.sample.start < end && $0.sample.end <= end }
      remaining = rest
      bucket += 1
      start = end
    }
    return result
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

  /// The sources in the order in which they count for a type, as the health app lists them.
  public func prioritizedSources(for type: ObjectType) -> [Source] {
    contents.registry.priority(for: type).map { contents.registry.sources[$0] }
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

extension HealthRecordStore {
  private func statisticsSamples(
    of type: ObjectType, matching predicate: SamplePredicate, _ options: StatisticsOptions,
    as client: ClientID
  ) throws(HealthStoreError) -> [StoredSample] {
    guard type.kind == .quantity else { throw .invalidArgument(.statisticsOfKind(type)) }
    if let option = options.unfit(for: type) {
      throw .invalidArgument(.statisticsOption(option, type))
    }
    return try contents.storedSamples(
      of: type, matching: predicate, sortedBy: [SampleSort(.start)], limit: nil, as: client)
  }

  private func statistics(
    of type: ObjectType, _ found: [StoredSample], _ options: StatisticsOptions,
    span: (Instant, Instant), clip: (Instant, Instant)
  ) -> HealthStatistics {
    let order = contents.registry.priority(for: type)
    var groups = [[StatisticsValue]](repeating: [], count: contents.registry.sources.count)
    for stored in found {
      guard let value = stored.sample.storedValue else { continue }
      groups[Int(stored.source)].append(
        StatisticsValue(
          value: value, start: stored.sample.start, end: stored.sample.end,
          source: Int(stored.source)))
    }
    let ordered = order.map { groups[$0] }
    let merged = StatisticsFigures(
      ordered, of: type, options: options, from: clip.0, to: clip.1)
    var bySource: [HealthStatistics.SourceFigures] = []
    if options.contains(.separateBySource) {
      for source in order where !groups[source].isEmpty {
        let figures = StatisticsFigures(
          [groups[source]], of: type, options: options, from: clip.0, to: clip.1)
        bySource.append(.init(source: contents.registry.sources[source], figures: figures))
      }
    }
    return HealthStatistics(
      type: type, start: span.0, end: span.1, merged: merged, bySource: bySource)
  }
}
