extension HealthRecordStore {
  /// Makes a query that stays alive; it does nothing until it is executed.
  ///
  /// - Throws: `invalidArgument` for what the query cannot tell of, and what reading throws.
  public mutating func makeQuery(
    _ kind: LiveQuery.Kind, matching predicate: SamplePredicate = .all, as client: ClientID
  ) throws(HealthStoreError) -> LiveQuery {
    try liveQueries.add(kind, matching: predicate, as: client, in: contents)
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
