internal import Quantities

// The questions that queries ask.

extension StoreContents {
  /// The samples of a type that match, as far as a client may see them.
  func samples(
    of type: ObjectType, matching predicate: SamplePredicate = .all,
    sortedBy sorts: [SampleSort] = [SampleSort(.start)], limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    try restored(
      storedSamples(of: type, matching: predicate, sortedBy: sorts, limit: limit, as: client),
      as: client)
  }

  /// Hands over the samples of a type one after the other, in the order of their starts.
  func visitSamples(
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

  /// The sample with an identity, if a client may see it.
  func sample(_ uuid: SampleUUID, as client: ClientID) throws(HealthStoreError) -> Sample? {
    try registry.checkReader(client)
    guard let stored = try backend.stored(uuid) else { return nil }
    let filter = try registry.readFilter(of: stored.sample.type, for: client)
    return filter.shows(stored) ? try restored([stored], as: client).first : nil
  }

  /// The samples that match one of several pairs of type and predicate, each once.
  func samples(
    matchingAnyOf descriptors: [(type: ObjectType, predicate: SamplePredicate)],
    sortedBy sorts: [SampleSort], limit: Int?, as client: ClientID
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
    return try restored(Array(found.prefix(SampleSort.most(limit))), as: client)
  }

  /// The correlations that match, with the members that a client may read.
  func correlations(
    of type: ObjectType, matching predicate: SamplePredicate,
    members memberPredicates: [(type: ObjectType, predicate: SamplePredicate)],
    sortedBy sorts: [SampleSort], limit: Int?, as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    guard type.kind == .correlation else { throw .invalidArgument(.notReadable(type)) }
    var wanted: [(type: ObjectType, predicate: SamplePredicate)] = []
    for entry in memberPredicates {
      if let fault = entry.predicate.fault(for: entry.type) { throw .invalidArgument(fault) }
      wanted.append((entry.type, try resolved(entry.predicate)))
    }
    let found = try storedSamples(
      of: type, matching: predicate, sortedBy: sorts, limit: nil, as: client)
    var matching: [StoredSample] = []
    for stored in found {
      let members = try visibleMembers(of: stored, as: client) ?? []
      let isMatch = wanted.allSatisfy { entry in
        members.contains {
          $0.sample.type == entry.type && entry.predicate.matches($0, in: registry)
        }
      }
      if isMatch { matching.append(stored) }
    }
    return try restored(Array(matching.prefix(SampleSort.most(limit))), as: client)
  }

  /// All samples of some types with the times at which they were saved, as the user sees them;
  /// members alone where their correlations are neither among these types nor among the others.
  func allSamples(
    of types: [ObjectType], besides others: [ObjectType]
  ) throws(HealthStoreError) -> [RestoredSample] {
    try registry.checkReader(.user)
    var samples: [RestoredSample] = []
    let inside = Set((types + others).flatMap(\.memberTypes))
    for type in types where type.isSampleType {
      var found: [StoredSample] = []
      try backend.visit(.rows(type, after: 0)) { stored in
        if stored.parent == 0 || !inside.contains(type) { found.append(stored) }
        return true
      }
      for stored in found {
        var sample = registry.revised(stored)
        if case .correlation = sample.value {
          var members: [Sample] = []
          for member in try backend.members(of: stored.row) {
            members.append(registry.revised(member))
          }
          sample.value = .correlation(members)
        }
        samples.append(RestoredSample(sample, created: stored.created))
      }
    }
    return samples
  }
}
