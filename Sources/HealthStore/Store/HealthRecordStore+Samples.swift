public import Quantities

extension HealthRecordStore {
  /// Whether a client can read at all, whatever it is allowed to see.
  ///
  /// One whose anchors lie at ``lastRow`` then finds nothing new.
  @specialized(where Backend == MemoryBackend)
  public func isReadable(by client: ClientID) -> Bool {
    (try? contents.registry.checkReader(client)) != nil
  }

  /// The samples of a type that match, as far as the client may see them.
  ///
  /// HealthKit: `HKSampleQuery`.
  ///
  /// Ties of the order are broken by the order of commits; the limit counts after sorting, and 0
  /// stands for none. Throws
  /// `authorizationNotDetermined` when nothing was ever asked, `databaseInaccessible` while locked.
  /// A refused permission is no error: there is nothing to see.
  @specialized(where Backend == MemoryBackend)
  public func samples(
    of type: ObjectType, matching predicate: SamplePredicate = .all,
    sortedBy sorts: [SampleSort] = [SampleSort(.start)], limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    try contents.samples(
      of: type, matching: predicate, sortedBy: sorts, limit: limit, as: client)
  }

  /// Hands over the samples of a type one after the other, in the order of their starts, and keeps
  /// none of them: a type may have more than memory should hold.
  public func visitSamples(
    of type: ObjectType, as client: ClientID, _ body: (Sample) -> Void
  ) throws(HealthStoreError) {
    try contents.visitSamples(of: type, as: client, body)
  }

  /// The samples of a type that overlap `[start, end)` or end at its start, in the order of their
  /// starts.
  public func samples(
    of type: ObjectType, from start: Instant, to end: Instant, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    try samples(of: type, matching: .samples(start: start, end: end), as: client)
  }

  /// The sample that ends last.
  ///
  /// HealthKit: a sample query sorted by end, descending, with limit 1.
  public func latestSample(
    of type: ObjectType, matching predicate: SamplePredicate = .all, as client: ClientID
  ) throws(HealthStoreError) -> Sample? {
    try samples(
      of: type, matching: predicate, sortedBy: [SampleSort(.end, ascending: false)], limit: 1,
      as: client
    ).first
  }

  /// The sample with an identity, if the client may see it.
  ///
  /// HealthKit: a sample query with `predicateForObject(with:)`.
  public func sample(_ uuid: SampleUUID, as client: ClientID) throws(HealthStoreError) -> Sample? {
    try contents.sample(uuid, as: client)
  }

  /// The samples that match one of several pairs of type and predicate, each once.
  ///
  /// HealthKit: `HKSampleQuery(queryDescriptors:limit:)`.
  public func samples(
    matchingAnyOf descriptors: [(type: ObjectType, predicate: SamplePredicate)],
    sortedBy sorts: [SampleSort] = [SampleSort(.start)], limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    try contents.samples(
      matchingAnyOf: descriptors, sortedBy: sorts, limit: limit, as: client)
  }

  /// The correlations that match, with the members that the client may read.
  ///
  /// For each type with a predicate of its own, one member that the client may read must match.
  /// Members the client may not read are left out, and a correlation that lacks a required one is
  /// not seen at all. HealthKit: `HKCorrelationQuery`.
  public func correlations(
    of type: ObjectType, matching predicate: SamplePredicate = .all,
    members memberPredicates: [(type: ObjectType, predicate: SamplePredicate)] = [],
    sortedBy sorts: [SampleSort] = [SampleSort(.start)], limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    try contents.correlations(
      of: type, matching: predicate, members: memberPredicates, sortedBy: sorts, limit: limit,
      as: client)
  }

  /// What changed since an anchor: the samples added and those deleted.
  ///
  /// HealthKit: `HKAnchoredObjectQuery`.
  ///
  /// A sample both added and deleted since the anchor appears only as deleted. The cost grows with
  /// the number of changes, not with the number of samples.
  ///
  /// Without an anchor all live samples and kept deletions come back; the anchor of an empty store
  /// is the same as none. With a limit the oldest changes come first: call again until fewer than
  /// the limit come back. A limit of 0 is none.
  @specialized(where Backend == MemoryBackend)
  public func changes(
    of type: ObjectType, since anchor: QueryAnchor? = nil,
    matching predicate: SamplePredicate = .all, limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> SampleChanges {
    let query = try ChangesQuery(
      of: type, since: anchor, matching: predicate, limit: limit, as: client, in: contents)
    return try query.changes(in: contents)
  }

  /// All samples with the times at which they were saved, by type and in the order of saving.
  ///
  /// Members come with their correlations where these are asked for, and else as samples of their
  /// own: the carbohydrates of a meal of several nutrients are carbohydrates. Documents come with
  /// their content.
  ///
  /// - Parameters:
  ///   - types: The types of the samples.
  ///   - others: What is asked for in other calls: members of correlations of these types are left
  ///     to those calls.
  /// - Returns: The samples, type by type in the order in which these are named.
  /// - Throws: ``HealthStoreError`` when the store cannot be read.
  public func allSamples(
    of types: [ObjectType] = ObjectType.allCases, besides others: [ObjectType] = []
  ) throws(HealthStoreError) -> [RestoredSample] {
    try contents.allSamples(of: types, besides: others)
  }
}
