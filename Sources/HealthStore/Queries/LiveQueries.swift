/// The live queries of a store with what each has told already; they end with the process.
///
/// What there is to tell is asked of the store's contents each time.
struct LiveQueries: Sendable {
  private struct Entry: Sendable {
    var query: LiveQuery
    var isExecuted = false
    var hasFired = false
    /// The row up to which each type was delivered, in the order of the query's types.
    var seen: [Int64]
    /// The units that the query's types were shown in last.
    var units: [HealthUnit?] = []
    /// The figures that were delivered last.
    var figures: QueryDelivery?
  }

  /// The queries in the order in which they were made.
  private var entries: [Entry] = []
  /// How many queries were ever made, which numbers them.
  private var count = 0

  /// Adds a query, unless something is wrong with it.
  mutating func add<Backend>(
    _ kind: LiveQuery.Kind, matching predicate: SamplePredicate, as client: ClientID,
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> LiveQuery {
    let query = LiveQuery(number: count + 1, kind: kind, predicate: predicate, client: client)
    var row: Int64 = 0
    switch kind {
    case .observer:
      try Self.checkReading(query, in: contents.registry)
      row = contents.lastRow
    case .changes(_, let anchor, let limit):
      guard SampleSort.most(limit) == .max else { throw .invalidArgument(.updatesWithLimit) }
      try Self.checkReading(query, in: contents.registry)
      row = anchor?.row ?? 0
    // What is wrong with the options is said at once, not with the first figures.
    case .statistics:
      try Self.checkReading(query, in: contents.registry)
      _ = try contents.figures(of: query)
    case .activitySummaries: _ = try contents.figures(of: query)
    case .preferredUnits(let types):
      guard !types.isEmpty else { throw .invalidArgument(.emptyList) }
      try contents.registry.check(client)
    }
    count += 1
    entries.append(
      Entry(query: query, seen: Array(repeating: row, count: query.types.count)))
    return query
  }

  /// Checks that the client may read the samples that a query is about.
  private static func checkReading(
    _ query: LiveQuery, in registry: StoreRegistry
  ) throws(HealthStoreError) {
    guard !query.types.isEmpty else { throw .invalidArgument(.emptyList) }
    for type in query.types {
      guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
      if let fault = query.predicate.fault(for: type) { throw .invalidArgument(fault) }
      _ = try registry.readFilter(of: type, for: query.client)
    }
  }

  /// Starts a query, which tells from now on.
  mutating func execute<Backend>(
    _ query: LiveQuery, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    guard let index = entries.firstIndex(where: { $0.query == query }) else {
      throw .invalidArgument(.unknownQuery)
    }
    guard !entries[index].isExecuted else { throw .invalidArgument(.queryAlreadyExecuted) }
    entries[index].isExecuted = true
    if case .observer = query.kind { markSeen(index, upTo: contents.lastRow) }
    noteUnits(index, in: contents.registry)
  }

  /// Forgets a query.
  mutating func stop(_ query: LiveQuery) { entries.removeAll { $0.query == query } }

  /// Forgets the queries of a client.
  mutating func stopAll(of client: ClientID) { entries.removeAll { $0.query.client == client } }

  /// What the observers of a client that were started follow of a type.
  func predicates(observing target: WakeUp.Target) -> [SamplePredicate] {
    entries.compactMap { entry in
      guard case .observer(let types) = entry.query.kind, entry.isExecuted,
        entry.query.client == target.client, types.contains(target.type)
      else { return nil }
      return entry.query.predicate
    }
  }

  /// Takes what the queries have to tell, in the order in which they were made.
  ///
  /// Where something cannot be read nothing counts as told.
  mutating func takeDeliveries<Backend>(
    from contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> [QueryDelivery] {
    guard !contents.registry.settings.isLocked else { return [] }
    var next = self
    var deliveries: [QueryDelivery] = []
    for index in entries.indices where entries[index].isExecuted {
      do {
        deliveries += try next.takeDeliveries(at: index, from: contents)
      } catch .authorizationNotDetermined {
        // The user took back every decision about the type; the query waits until it is asked for.
        continue
      } catch .notEntitled {
        // The client is another version now, which may not read; the other queries go on.
        continue
      }
      next.entries[index].hasFired = true
      next.markSeen(index, upTo: contents.lastRow)
      next.noteUnits(index, in: contents.registry)
    }
    self = next
    return deliveries
  }

  private mutating func takeDeliveries<Backend>(
    at index: Int, from contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> [QueryDelivery] {
    let entry = entries[index]
    switch entry.query.kind {
    case .observer: return try Self.hasNews(entry, in: contents) ? [.update(entry.query)] : []
    case .changes: return try Self.news(entry, in: contents)
    case .statistics, .activitySummaries:
      let figures = try contents.figures(of: entry.query)
      entries[index].figures = figures
      return figures != entry.figures ? [figures] : []
    case .preferredUnits:
      let changed = zip(entry.query.types, entry.units).filter {
        contents.registry.preferredUnit(for: $0) != $1
      }
      return changed.isEmpty ? [] : [.preferredUnits(entry.query, changed.map(\.0))]
    }
  }

  private mutating func markSeen(_ index: Int, upTo row: Int64) {
    for type in entries[index].seen.indices { entries[index].seen[type] = row }
  }

  private mutating func noteUnits(_ index: Int, in registry: StoreRegistry) {
    entries[index].units = entries[index].query.types.map { registry.preferredUnit(for: $0) }
  }

  private static func hasNews<Backend>(
    _ entry: Entry, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> Bool {
    guard entry.hasFired else { return true }
    for (type, row) in zip(entry.query.types, entry.seen)
    where try ChangesQuery.hasNews(
      of: type, since: row, matching: entry.query.predicate, as: entry.query.client, in: contents)
    {
      return true
    }
    return false
  }

  private static func news<Backend>(
    _ entry: Entry, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> [QueryDelivery] {
    var deliveries: [QueryDelivery] = []
    for (type, row) in zip(entry.query.types, entry.seen) {
      let query = try ChangesQuery(
        of: type, since: QueryAnchor(row: row), matching: entry.query.predicate,
        as: entry.query.client, in: contents)
      let changes = try query.changes(in: contents)
      guard !changes.isEmpty || changes.mayHaveMissedDeletions || !entry.hasFired else { continue }
      deliveries.append(.changes(entry.query, type, changes))
    }
    return deliveries
  }
}

extension StoreContents {
  /// What a query for figures has to tell now.
  fileprivate func figures(of query: LiveQuery) throws(HealthStoreError) -> QueryDelivery {
    switch query.kind {
    case .statistics(let type, let buckets):
      return .statistics(
        query,
        try statisticsCollection(
          of: type, matching: query.predicate, options: buckets.options,
          anchor: buckets.anchor, every: buckets.interval, on: buckets.clock, as: query.client))
    case .activitySummaries(let days):
      return .activitySummaries(
        query,
        try ActivitySummary.summaries(
          from: days.first, through: days.last, goals: days.goals, on: days.clock,
          as: query.client, in: self))
    case .observer, .changes, .preferredUnits: return .update(query)
    }
  }
}
