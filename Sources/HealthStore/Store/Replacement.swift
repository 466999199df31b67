/// The replacing of samples by repaired ones: what is to be written and deleted, and what was done
/// before.
struct Replacement {
  /// The new identity of each old sample, in their order.
  private(set) var pairs: [(old: SampleUUID, new: SampleUUID)] = []
  /// The samples that are still to be saved, each with a mark of the one that it replaces.
  private(set) var writes: [Sample] = []
  /// The old samples that are still there.
  private(set) var deletions: [SampleUUID] = []

  /// Finds out what is left to do.
  init<Backend>(
    of old: [SampleUUID], with new: [Sample], as client: ClientID,
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    guard old.count == new.count else {
      throw .invalidArgument(.replacementCount(old: old.count, new: new.count))
    }
    for (uuid, sample) in zip(old, new) {
      let mark = MetadataValue.text("\(uuid)")
      let done = try contents.samples(
        of: sample.type, matching: .metadataValue(.migratedFrom, allowed: [mark]), limit: 1,
        as: client)
      if let done = done.first {
        pairs.append((uuid, done.uuid))
      } else {
        writes.append(
          Sample(
            restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
            value: sample.value, device: sample.device,
            metadata: sample.metadata.with(.migratedFrom, mark)))
        pairs.append((uuid, sample.uuid))
      }
      if try contents.backend.stored(uuid) != nil { deletions.append(uuid) }
    }
  }
}
