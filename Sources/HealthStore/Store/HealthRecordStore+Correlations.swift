extension HealthRecordStore {
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
    return try restored(Array(matching.prefix(Self.most(limit))), as: client)
  }
}
