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
  @specialized(where Backend == MemoryBackend)
  public mutating func delete(
    _ uuids: [SampleUUID], as client: ClientID, at now: Instant
  ) throws(HealthStoreError) {
    try contents.delete(Deletion(of: uuids, as: client, in: contents), by: client, at: now)
  }

  /// Checks that samples can be deleted, and deletes none.
  ///
  /// HealthKit has nothing like it: for who keeps what is about to be deleted.
  ///
  /// - Throws: What ``delete(_:as:at:)`` throws of them.
  public func checkDeletion(
    of uuids: [SampleUUID], as client: ClientID
  ) throws(HealthStoreError) {
    _ = try Deletion(of: uuids, as: client, in: contents)
  }

  /// Deletes the client's own samples that match, and returns how many those were.
  ///
  /// Samples of others are passed over in silence; the user's call deletes those of all sources.
  /// HealthKit: `deleteObjects(of:predicate:)`.
  @discardableResult
  public mutating func deleteSamples(
    of type: ObjectType, matching predicate: SamplePredicate, as client: ClientID, at now: Instant
  ) throws(HealthStoreError) -> Int {
    let deletion = try Deletion(of: type, matching: predicate, as: client, in: contents)
    guard !deletion.samples.isEmpty else { return 0 }
    try contents.delete(deletion, by: client, at: now)
    return deletion.samples.count
  }
}
