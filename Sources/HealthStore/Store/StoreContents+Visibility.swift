internal import Quantities

// What a client sees of the samples.

extension StoreContents {
  /// The visible samples of a type that match, without members and source revisions.
  ///
  /// Documents that the user has not granted are among them only where that is asked for.
  func storedSamples(
    of type: ObjectType, matching predicate: SamplePredicate, sortedBy sorts: [SampleSort],
    limit: Int?, as client: ClientID, includingUngranted: Bool = false
  ) throws(HealthStoreError) -> [StoredSample] {
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    let filter = try registry.readFilter(of: type, for: client)
    guard filter.showsAny else { return [] }
    let predicate = try resolved(predicate)
    let bounds = predicate.bounds
    let registry = registry
    let isByStart = sorts == [SampleSort(.start)]
    let most = SampleSort.most(limit)
    let isEachJudged = type.isJudgedOneByOne && !includingUngranted
    var found: [StoredSample] = []
    try backend.visit(.time(type, from: bounds.from, to: bounds.to)) { stored in
      guard filter.shows(stored), predicate.matches(stored, in: registry) else { return true }
      found.append(stored)
      return !(isByStart && !isEachJudged && found.count == most)
    }
    if isEachJudged { found = try visible(found, to: client) }
    if !isByStart { found.sort { SampleSort.precedes($0, $1, by: sorts) } }
    return found.count > most ? Array(found.prefix(most)) : found
  }

  /// Stored samples as a client gets them: with source revision, members, and no document content.
  func restored(
    _ stored: [StoredSample], as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    var result: [Sample] = []
    result.reserveCapacity(stored.count)
    for entry in stored {
      var sample = registry.revised(entry)
      switch sample.value {
      case .correlation:
        guard let members = try visibleMembers(of: entry, as: client) else { continue }
        sample.value = .correlation(members.map { registry.revised($0) })
      case .document(let document):
        guard registry.isGranted(entry.sample.uuid, of: entry.source, to: client) else { continue }
        sample.value = .document(document.withoutContent)
      case .quantity, .category, .workout: break
      }
      result.append(sample)
    }
    return result
  }

  /// Those of some samples that a client sees, where that is decided for each by itself.
  func visible(
    _ stored: [StoredSample], to client: ClientID
  ) throws(HealthStoreError) -> [StoredSample] {
    var visible: [StoredSample] = []
    for entry in stored {
      let isVisible =
        switch entry.sample.type.kind {
        case .correlation: try visibleMembers(of: entry, as: client) != nil
        case .document: registry.isGranted(entry.sample.uuid, of: entry.source, to: client)
        default: true
        }
      if isVisible { visible.append(entry) }
    }
    return visible
  }

  /// The members of a correlation that a client may read; nothing when it may not see a required
  /// one.
  func visibleMembers(
    of correlation: StoredSample, as client: ClientID
  ) throws(HealthStoreError) -> [StoredSample]? {
    var members: [StoredSample] = []
    for member in try backend.members(of: correlation.row) {
      let filter = try? registry.visibilityFilter(of: member.sample.type, for: client)
      guard let filter, filter.shows(member) else {
        if correlation.sample.type == .bloodPressure { return nil }
        continue
      }
      members.append(member)
    }
    return members.isEmpty ? nil : members
  }

  /// A predicate in which the parts of workouts are named one by one, as backends compare them.
  func resolved(_ predicate: SamplePredicate) throws(HealthStoreError) -> SamplePredicate {
    switch predicate {
    case .ofWorkout(let uuid): return .objects(try backend.samples(ofWorkout: uuid))
    case .and(let parts): return .and(try resolved(parts))
    case .or(let parts): return .or(try resolved(parts))
    case .not(let part): return .not(try resolved(part))
    default: return predicate
    }
  }

  private func resolved(
    _ parts: [SamplePredicate]
  ) throws(HealthStoreError) -> [SamplePredicate] {
    var result: [SamplePredicate] = []
    for part in parts { result.append(try resolved(part)) }
    return result
  }
}
