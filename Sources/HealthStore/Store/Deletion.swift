internal import Quantities

/// Samples that a client wants to delete and may.
struct Deletion {
  /// The samples, without members that go with their correlations.
  let samples: [StoredSample]

  /// Finds the samples with some identities, all of which the client must be allowed to delete.
  init<Backend>(
    of uuids: [SampleUUID], as client: ClientID, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    let writer = try StoreWriter(client, in: contents.registry)
    guard !uuids.isEmpty else { throw .invalidArgument(.emptyList) }
    var found: [StoredSample] = []
    var places: [Int] = []
    var chosen: Set<SampleUUID> = []
    for (index, uuid) in uuids.enumerated() where chosen.insert(uuid).inserted {
      guard let stored = try contents.backend.stored(uuid) else {
        throw .invalidArgument(.notInStore(uuid), object: index)
      }
      try contents.checkSharing(stored, object: index, writer)
      try writer.checkOwning(stored, in: contents.registry)
      found.append(stored)
      places.append(index)
    }
    let required = try contents.requiredMembers(among: found)
    for (index, stored) in zip(places, found) where required.contains(stored.row) {
      throw .invalidArgument(.requiredMember(stored.sample.uuid), object: index)
    }
    samples = found
  }

  /// Finds the client's own samples that match, and passes over those that have to stay.
  init<Backend>(
    of type: ObjectType, matching predicate: SamplePredicate, as client: ClientID,
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    let writer = try StoreWriter(client, in: contents.registry)
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    try writer.checkSharing(type, object: nil, in: contents.registry)
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    var found: [StoredSample] = []
    let predicate = try contents.resolved(predicate)
    let (bounds, registry) = (predicate.bounds, contents.registry)
    func take(_ stored: StoredSample) {
      if predicate.matches(stored, in: registry) { found.append(stored) }
    }
    if client == .user {
      try contents.backend.visit(.time(type, from: bounds.from, to: bounds.to)) { stored in
        take(stored)
        return true
      }
    } else {
      try contents.backend.visit(
        type, from: bounds.from, to: bounds.to, writtenBy: writer.source, take)
    }
    assert(found.allSatisfy(writer.owns), "A client deletes its own samples.")
    if type.kind == .correlation {
      for stored in found { try contents.checkSharing(stored, object: nil, writer) }
    }
    let required = try contents.requiredMembers(among: found)
    samples = found.filter { !required.contains($0.row) }
  }
}

extension StoreContents {
  /// Checks that a client may write a sample, or all members of a correlation.
  fileprivate func checkSharing(
    _ stored: StoredSample, object: Int?, _ writer: StoreWriter
  ) throws(HealthStoreError) {
    guard stored.sample.type.kind == .correlation else {
      return try writer.checkSharing(stored.sample.type, object: object, in: registry)
    }
    for member in try backend.members(of: stored.row) {
      try writer.checkSharing(member.sample.type, object: object, in: registry)
    }
  }

  /// The rows of members without which their correlation cannot be, and whose correlation stays:
  /// both of a blood pressure, and the last ones of a food.
  fileprivate func requiredMembers(
    among found: [StoredSample]
  ) throws(HealthStoreError) -> Set<Int64> {
    let rows = Set(found.map(\.row))
    var required: Set<Int64> = []
    for stored in found where stored.parent != 0 && !rows.contains(stored.parent) {
      switch stored.sample.type {
      case .bloodPressureSystolic, .bloodPressureDiastolic: required.insert(stored.row)
      default:
        if try backend.members(of: stored.parent).allSatisfy({ rows.contains($0.row) }) {
          required.insert(stored.row)
        }
      }
    }
    return required
  }
}
