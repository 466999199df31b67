public import Quantities

extension HealthRecordStore {
  /// The samples of a type that match, as far as the client may see them.
  ///
  /// HealthKit: `HKSampleQuery`.
  ///
  /// Ties of the order are broken by the order of commits; the limit counts after sorting. Throws
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
  public func sample(_ uuid: SampleUUID, as client: ClientID) throws(HealthStoreError) -> Sample? {
    _ = try checkedReader(client)
    guard let stored = try backend.stored(uuid) else { return nil }
    let filter = try visibilityFilter(of: stored.sample.type, for: client)
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
    return try restored(Array(found.prefix(limit ?? found.count)), as: client)
  }
}

extension HealthRecordStore {
  /// Checks what must hold before a client reads.
  func checkedReader(_ client: ClientID) throws(HealthStoreError) -> HealthClient {
    let reader = try checkedClient(client)
    guard !registry.settings.isLocked else { throw .databaseInaccessible }
    return reader
  }

  /// Which stored samples of a type a client sees.
  func visibilityFilter(
    of type: ObjectType, for client: ClientID
  ) throws(HealthStoreError) -> VisibilityFilter {
    let reader = try checkedReader(client)
    let earliest = registry.settings.earliestPermittedSampleDate
    let source = Int32(sourceIndex(of: reader))
    switch authorization(of: client, for: type).visibility {
    case .all: return VisibilityFilter(only: nil, showsAny: true, earliest: earliest)
    case .own: return VisibilityFilter(only: source, showsAny: true, earliest: earliest)
    case .nothing: return VisibilityFilter(only: nil, showsAny: false, earliest: earliest)
    case .undetermined:
      throw .authorizationNotDetermined(client: reader.name, type: type)
    }
  }

  /// The visible samples of a type that match, without members and source revisions.
  func storedSamples(
    of type: ObjectType, matching predicate: SamplePredicate, sortedBy sorts: [SampleSort],
    limit: Int?, as client: ClientID
  ) throws(HealthStoreError) -> [StoredSample] {
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    let filter = try readFilter(of: type, for: client)
    guard filter.showsAny, limit.map({ $0 > 0 }) ?? true else { return [] }
    let predicate = try resolved(predicate)
    let bounds = predicate.bounds
    let registry = registry
    let isByStart = sorts == [SampleSort(.start)]
    var found: [StoredSample] = []
    try backend.visit(.time(type, from: bounds.from, to: bounds.to)) { stored in
      guard filter.shows(stored), predicate.matches(stored, in: registry) else { return true }
      found.append(stored)
      return !(isByStart && found.count == limit)
    }
    if !isByStart { found.sort { SampleSort.precedes($0, $1, by: sorts) } }
    return limit.map { Array(found.prefix($0)) } ?? found
  }

  /// The filter for a query: correlations are seen when their members are.
  private func readFilter(
    of type: ObjectType, for client: ClientID
  ) throws(HealthStoreError) -> VisibilityFilter {
    guard type.kind == .correlation else { return try visibilityFilter(of: type, for: client) }
    _ = try checkedReader(client)
    return VisibilityFilter(
      only: nil, showsAny: true, earliest: registry.settings.earliestPermittedSampleDate)
  }

  /// Stored samples as a client gets them: with source revision, members, and no document content.
  func restored(
    _ stored: [StoredSample], as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    var result: [Sample] = []
    result.reserveCapacity(stored.count)
    for entry in stored {
      var sample = entry.sample
      sample.sourceRevision = registry.revisions[Int(entry.revision)].revision
      switch sample.value {
      case .correlation:
        guard let members = try visibleMembers(of: entry, as: client) else { continue }
        sample.value = .correlation(members)
      case .document(let document):
        guard isGranted(entry, to: client) else { continue }
        sample.value = .document(document.withoutContent)
      case .quantity, .category, .workout: break
      }
      result.append(sample)
    }
    return result
  }

  /// Whether a client sees a document: its own, or one that the user granted it.
  private func isGranted(_ stored: StoredSample, to client: ClientID) -> Bool {
    guard client != .user, let reader = registry.clients[client.number] else { return true }
    return stored.source == Int32(sourceIndex(of: reader))
      || grant(of: stored.sample.uuid, reader) == .granted
  }

  /// The members of a correlation that a client may read; nothing when it may not see a required
  /// one.
  private func visibleMembers(
    of correlation: StoredSample, as client: ClientID
  ) throws(HealthStoreError) -> [Sample]? {
    var members: [Sample] = []
    for member in try backend.members(of: correlation.row) {
      let filter = try? visibilityFilter(of: member.sample.type, for: client)
      guard let filter, filter.shows(member) else {
        if correlation.sample.type == .bloodPressure { return nil }
        continue
      }
      var sample = member.sample
      sample.sourceRevision = registry.revisions[Int(member.revision)].revision
      members.append(sample)
    }
    return members.isEmpty ? nil : members
  }
}

/// Which samples of one type a client sees.
struct VisibilityFilter {
  /// The only source whose samples are shown; nothing for all.
  var only: Int32?
  var showsAny: Bool
  var earliest: Instant?

  func shows(_ stored: StoredSample) -> Bool {
    shows(source: stored.source, end: stored.sample.end)
  }

  func shows(_ tombstone: Tombstone) -> Bool {
    shows(source: tombstone.source, end: tombstone.end)
  }

  private func shows(source: Int32, end: Instant) -> Bool {
    guard showsAny else { return false }
    if let only, source != only { return false }
    return earliest.map { end >= $0 } ?? true
  }
}
