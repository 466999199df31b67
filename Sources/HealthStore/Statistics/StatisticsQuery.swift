internal import Quantities

/// The samples of one type that a question for figures is about, and the order of their sources.
///
/// What it holds is taken from the store once; the figures then need the store no more.
struct StatisticsQuery {
  private let type: ObjectType
  private let options: StatisticsOptions
  /// The samples in the order of their starts.
  private let found: [StoredSample]
  /// The places of the sources in the order in which they count for the type.
  private let order: [Int]
  private let sources: [Source]

  /// Finds the samples that match, as far as a client may see them.
  ///
  /// - Throws: `invalidArgument` for a type without figures or an option that does not fit it.
  init<Backend>(
    of type: ObjectType, matching predicate: SamplePredicate, _ options: StatisticsOptions,
    as client: ClientID, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    guard type.kind == .quantity else { throw .invalidArgument(.statisticsOfKind(type)) }
    if let option = options.unfit(for: type) {
      throw .invalidArgument(.statisticsOption(option, type))
    }
    found = try contents.storedSamples(
      of: type, matching: predicate, sortedBy: [SampleSort(.start)], limit: nil, as: client)
    order = contents.registry.priority(for: type)
    sources = contents.registry.sources
    self.type = type
    self.options = options
  }

  /// The figures about all samples, as one stretch of time.
  func whole() throws(HealthStoreError) -> HealthStatistics {
    guard let first = found.first?.sample.start, let last = found.map(\.sample.end).max(),
      let known = latestKnownEnd
    else { throw .noData(type) }
    let end = Instant(millisecondsSince1970: .max)
    return figures(
      of: found, until: known, span: (first, last),
      clip: (Instant(millisecondsSince1970: .min), end))
  }

  /// The latest end of all samples; of those of undetermined duration the start counts.
  ///
  /// Nobody knows yet when these end: they are told as far as anything is known.
  private var latestKnownEnd: Instant? {
    found.map { $0.sample.hasUndeterminedDuration ? $0.sample.start : $0.sample.end }.max()
  }

  /// The figures for each bucket of time that has samples, in the order of time.
  func buckets(
    from anchor: Instant, every interval: CalendarInterval, on clock: WallClock
  ) throws(HealthStoreError) -> [HealthStatistics] {
    guard let first = found.first?.sample.start, let last = latestKnownEnd else { return [] }
    func end(_ stored: StoredSample) -> Instant { min(stored.sample.end, last) }
    // A guess that is not above the bucket of the first sample: no bucket is longer than `longest`
    // by more than a change of clocks.
    var bucket = Int((first - anchor).quotient(by: interval.longest)) - 2
    if first < anchor { bucket = bucket * 2 - 2 }
    while interval.start(of: bucket + 1, from: anchor, on: clock) <= first { bucket += 1 }
    var result: [HealthStatistics] = []
    var remaining = found[...]
    var start = interval.start(of: bucket, from: anchor, on: clock)
    while start <= last, !remaining.isEmpty {
      let next = interval.start(of: bucket + 1, from: anchor, on: clock)
      let inside = remaining.prefix { $0.sample.start < next }
        .filter { end($0) > start || $0.sample.start >= start }
      if !inside.isEmpty {
        guard result.count < Self.mostBuckets else {
          throw .invalidArgument(.tooManyBuckets(most: Self.mostBuckets))
        }
        result.append(figures(of: inside, until: last, span: (start, next), clip: (start, next)))
      }
      let rest = remaining.drop { $0.sample.start < next && end($0) <= next }
      remaining = rest
      bucket += 1
      start = next
    }
    return result
  }

  /// A century of hours has fewer.
  private static let mostBuckets = 1_000_000

  private func figures(
    of some: [StoredSample], until last: Instant, span: (Instant, Instant), clip: (Instant, Instant)
  ) -> HealthStatistics {
    var groups = [[StatisticsValue]](repeating: [], count: sources.count)
    for stored in some {
      guard let value = stored.sample.storedValue else { continue }
      groups[Int(stored.source)].append(
        StatisticsValue(
          value: value, start: stored.sample.start, end: min(stored.sample.end, last),
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
        bySource.append(.init(source: sources[source], figures: figures))
      }
    }
    return HealthStatistics(
      type: type, start: span.0, end: span.1, merged: merged, bySource: bySource)
  }
}

extension StoreContents {
  /// Figures for each bucket of time that has samples, in the order of time.
  func statisticsCollection(
    of type: ObjectType, matching predicate: SamplePredicate, options: StatisticsOptions,
    anchor: Instant, every interval: CalendarInterval, on clock: WallClock, as client: ClientID
  ) throws(HealthStoreError) -> [HealthStatistics] {
    guard interval.isPositive else { throw .invalidArgument(.interval) }
    return try StatisticsQuery(of: type, matching: predicate, options, as: client, in: self)
      .buckets(from: anchor, every: interval, on: clock)
  }
}
