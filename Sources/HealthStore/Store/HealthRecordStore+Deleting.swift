public import Quantities

extension HealthRecordStore {
  /// Deletes samples in one transaction: all of them or none.
  ///
  /// HealthKit: `delete(_:)`.
  ///
  /// A client deletes only what it saved itself, and needs permission to write the type; the user
  /// deletes anything. A correlation goes with its members. Each deletion leaves a trace that
  /// anchored queries return.
  ///
  /// - Throws: `invalidArgument` for an empty list, a sample that is not there, or a required
  ///   member of a correlation; `foreignObject` for a sample of another source.
  public mutating func delete(
    _ uuids: [SampleUUID], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    try commitDeletion(of: deletable(uuids, as: client), by: client, at: now)
  }

  /// The stored samples that a client wants to delete, if it may delete them all.
  func deletable(
    _ uuids: [SampleUUID], as client: ClientID
  ) throws(HealthStoreError) -> [StoredSample] {
    let writer = try contents.registry.checkedClient(client)
    guard !uuids.isEmpty else { throw .invalidArgument(.emptyList) }
    let source = Int32(contents.registry.sourceIndex(of: writer))
    var found: [StoredSample] = []
    var chosen: Set<SampleUUID> = []
    for (index, uuid) in uuids.enumerated() where chosen.insert(uuid).inserted {
      guard let stored = try contents.backend.stored(uuid) else {
        throw .invalidArgument(.notInStore(uuid), object: index)
      }
      try checkShare(stored, index: index, writer, client)
      if client != .user, stored.source != source {
        throw .foreignObject(client: writer.name, uuid: uuid)
      }
      found.append(stored)
    }
    let required = try requiredMembers(among: found)
    for (index, stored) in found.enumerated() where required.contains(stored.row) {
      throw .invalidArgument(.requiredMember(stored.sample.uuid), object: index)
    }
    return found
  }

  /// Deletes the client's own samples that match, and returns how many those were.
  ///
  /// Samples of others are passed over in silence; the user's call deletes those of all sources.
  /// HealthKit: `deleteObjects(of:predicate:)`.
  @discardableResult
  public mutating func deleteSamples(
    of type: ObjectType, matching predicate: SamplePredicate, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> Int {
    let writer = try contents.registry.checkedClient(client)
    let source = Int32(contents.registry.sourceIndex(of: writer))
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    try checkShareStatus(of: type, object: nil, writer, client)
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    var found: [StoredSample] = []
    let predicate = try contents.resolved(predicate)
    let (bounds, registry) = (predicate.bounds, contents.registry)
    try contents.backend.visit(.time(type, from: bounds.from, to: bounds.to)) { stored in
      if client == .user || stored.source == source, predicate.matches(stored, in: registry) {
        found.append(stored)
      }
      return true
    }
    if type.kind == .correlation {
      for stored in found { try checkShare(stored, index: nil, writer, client) }
    }
    let required = try requiredMembers(among: found)
    let deletable = found.filter { !required.contains($0.row) }
    guard !deletable.isEmpty else { return 0 }
    try commitDeletion(of: deletable, by: client, at: now)
    return deletable.count
  }

  mutating func commitDeletion(
    of found: [StoredSample], by client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    var batch = StoreBatch()
    var builder = BatchBuilder(
      writer: client, revision: 0, source: 0, now: now, row: contents.lastRow)
    try addDeletion(of: found, &builder, &batch)
    assert(batch.deleted.count >= found.count, "Every sample that is deleted leaves a trace.")
    batch.lastRow = builder.row
    try contents.commit(&batch)
  }

  /// Adds deletions to a batch, correlations with their members.
  func addDeletion(
    of found: [StoredSample], _ builder: inout BatchBuilder, _ batch: inout StoreBatch
  ) throws(HealthStoreError) {
    for stored in found where !builder.isDeleted(stored.sample.uuid) {
      for member in try contents.backend.members(of: stored.row)
      where !builder.isDeleted(member.sample.uuid) {
        builder.delete(member, from: &batch)
      }
      builder.delete(stored, from: &batch)
    }
  }

  private func checkShare(
    _ stored: StoredSample, index: Int?, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard stored.sample.type.kind == .correlation else {
      return try checkShareStatus(of: stored.sample.type, object: index, writer, client)
    }
    for member in try contents.backend.members(of: stored.row) {
      try checkShareStatus(of: member.sample.type, object: index, writer, client)
    }
  }

  private func checkShareStatus(
    of type: ObjectType, object: Int?, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard client != .user, type.kind != .correlation else { return }
    switch contents.registry.authorization(of: client, for: type).share {
    case .authorized: return
    case .denied: throw .authorizationDenied(client: writer.name, type: type, object: object)
    case .notDetermined: throw .authorizationNotDetermined(client: writer.name, type: type)
    }
  }

  /// The rows of members without which their correlation cannot be, and whose correlation stays:
  /// both of a blood pressure, and the last ones of a food.
  private func requiredMembers(
    among found: [StoredSample]
  ) throws(HealthStoreError) -> Set<Int64> {
    let rows = Set(found.map(\.row))
    var required: Set<Int64> = []
    for stored in found where stored.parent != 0 && !rows.contains(stored.parent) {
      switch stored.sample.type {
      case .bloodPressureSystolic, .bloodPressureDiastolic: required.insert(stored.row)
      default:
        if try contents.backend.members(of: stored.parent).allSatisfy({ rows.contains($0.row) }) {
          required.insert(stored.row)
        }
      }
    }
    return required
  }
}
