extension HealthRecordStore {
  /// Makes a query that tells when something changes; it does nothing until it is executed.
  ///
  /// HealthKit: `HKObserverQuery`.
  public mutating func observerQuery(
    of types: [ObjectType], matching predicate: SamplePredicate = .all, as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    try checkLiveQuery(types, predicate, client)
    return liveQueries.add(.observer, types, predicate, client, from: contents.lastRow)
  }

  /// Makes a query that delivers what changes from an anchor on, and then each later change.
  ///
  /// HealthKit: `HKAnchoredObjectQuery` with an update handler, which allows no limit.
  public mutating func changesQuery(
    of types: [ObjectType], since anchor: QueryAnchor? = nil,
    matching predicate: SamplePredicate = .all, limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    guard limit == nil else { throw .invalidArgument(.updatesWithLimit) }
    try checkLiveQuery(types, predicate, client)
    return liveQueries.add(.changes, types, predicate, client, from: anchor?.row ?? 0)
  }

  /// Starts a query.
  ///
  /// HealthKit: `execute(_:)`.
  ///
  /// - Throws: `invalidArgument` when it was started before or is unknown.
  public mutating func execute(_ query: LiveQuery) throws(HealthStoreError) {
    guard let index = liveQueries.index(of: query) else { throw .invalidArgument(.unknownQuery) }
    guard !liveQueries.entries[index].isExecuted else {
      throw .invalidArgument(.queryAlreadyExecuted)
    }
    let row = contents.lastRow
    let units = query.types.map { preferredUnit(for: $0) }
    liveQueries.update(index) { entry in
      entry.isExecuted = true
      if query.kind == .observer { entry.seen = entry.seen.map { _ in row } }
      entry.units = units
    }
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
    guard !contents.registry.settings.isLocked else { return [] }
    var deliveries: [QueryDelivery] = []
    for index in liveQueries.entries.indices where liveQueries.entries[index].isExecuted {
      let entry = liveQueries.entries[index]
      do {
        deliveries += try takeDeliveries(of: entry, at: index)
      } catch .authorizationNotDetermined {
        // The user took back every decision about the type; the query waits until it is asked for.
        continue
      }
      let row = contents.lastRow
      let units = entry.query.types.map { preferredUnit(for: $0) }
      liveQueries.update(index) { entry in
        entry.hasFired = true
        entry.seen = entry.seen.map { _ in row }
        entry.units = units
      }
    }
    return deliveries
  }

  private mutating func takeDeliveries(
    of entry: LiveQueries.Entry, at index: Int
  ) throws(HealthStoreError) -> [QueryDelivery] {
    switch entry.query.kind {
    case .observer: return try hasNews(entry) ? [.update(entry.query)] : []
    case .changes: return try news(entry)
    case .statistics, .activitySummaries:
      let figures = try figures(of: entry.query)
      liveQueries.update(index) { $0.figures = figures }
      return figures != entry.figures ? [figures] : []
    case .preferredUnits:
      let changed = zip(entry.query.types, entry.units).filter { preferredUnit(for: $0) != $1 }
      return changed.isEmpty ? [] : [.preferredUnits(entry.query, changed.map(\.0))]
    }
  }

  private func hasNews(_ entry: LiveQueries.Entry) throws(HealthStoreError) -> Bool {
    guard entry.hasFired else { return true }
    for (type, row) in zip(entry.query.types, entry.seen)
    where try contents.hasChanges(
      of: type, since: row, matching: entry.query.predicate, entry.query.client)
    {
      return true
    }
    return false
  }

  private func news(_ entry: LiveQueries.Entry) throws(HealthStoreError) -> [QueryDelivery] {
    var deliveries: [QueryDelivery] = []
    for (type, row) in zip(entry.query.types, entry.seen) {
      let changes = try changes(
        of: type, since: QueryAnchor(row: row), matching: entry.query.predicate,
        as: entry.query.client)
      guard !changes.isEmpty || !entry.hasFired else { continue }
      deliveries.append(.changes(entry.query, type, changes))
    }
    return deliveries
  }

  func checkLiveQuery(
    _ types: [ObjectType], _ predicate: SamplePredicate, _ client: ClientID
  ) throws(HealthStoreError) {
    guard !types.isEmpty else { throw .invalidArgument(.emptyList) }
    for type in types {
      guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
      if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
      if type.kind != .correlation {
        _ = try contents.registry.visibilityFilter(of: type, for: client)
      }
    }
  }
}
