public import Quantities

extension HealthRecordStore {
  /// The samples of a type that match, as far as the client may see them.
  ///
  /// HealthKit: `HKSampleQuery`.
  ///
  /// Ties of the order are broken by the order of commits; the limit counts after sorting, and 0
  /// stands for none. Throws
  /// `authorizationNotDetermined` when nothing was ever asked, `databaseInaccessible` while locked.
  /// A refused permission is no error: there is nothing to see.
  public func samples(
    of type: ObjectType, matching predicate: SamplePredicate = .all,
    sortedBy sorts: [SampleSort] = [SampleSort(.start)], limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    try restored(
      storedSamples(of: type, matching: predicate, sortedBy: sorts, limit: limit, as: client),
      as: client)
  }

  /// Hands over the samples of a type one after the other, in the order of their starts, and keeps
  /// none of them: a type may have more than memory should hold.
  public func visitSamples(
    of type: ObjectType, as client: ClientID, _ body: (Sample) -> Void
  ) throws(HealthStoreError) {
    let hasParts = type.kind == .correlation || type.kind == .document
    if hasParts || type.isJudgedOneByOne {
      for sample in try samples(of: type, as: client) { body(sample) }
      return
    }
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    let filter = try registry.readFilter(of: type, for: client)
    guard filter.showsAny else { return }
    let bounds = SamplePredicate.all.bounds
    try backend.visit(.time(type, from: bounds.from, to: bounds.to)) { stored in
      if filter.shows(stored) { body(registry.revised(stored)) }
      return true
    }
  }

  /// The samples of a type that overlap `[start, end)`, in the order of their starts.
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
    _ = try registry.checkedReader(client)
    guard let stored = try backend.stored(uuid) else { return nil }
    let filter = try registry.readFilter(of: stored.sample.type, for: client)
    return filter.shows(stored) ? try restored([stored], as: client).first : nil
  }

  /// The samples that match one of several pairs of type and predicate, each once.
  ///
  /// HealthKit: `HKSampleQuery(queryDescriptors:limit:)`.
  public func samples(
    matchingAnyOf descriptors: [(type: ObjectType, predicate: SamplePredicate)],
    sortedBy sorts: [SampleSort] = [SampleSort(.start)], limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    var found: [StoredSample] = []
    var seen: Set<Int64> = []
    for descriptor in descriptors {
      let matching = try storedSamples(
        of: descriptor.type, matching: descriptor.predicate, sortedBy: sorts, limit: nil,
        as: client)
      found += matching.filter { seen.insert($0.row).inserted }
    }
    found.sort { SampleSort.precedes($0, $1, by: sorts) }
    return try restored(Array(found.prefix(Self.most(limit))), as: client)
  }
}
