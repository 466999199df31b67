extension HealthRecordStore {
  /// What changed since an anchor: the samples added and those deleted.
  ///
  /// HealthKit: `HKAnchoredObjectQuery`.
  ///
  /// A sample both added and deleted since the anchor appears only as deleted. The cost grows with
  /// the number of changes, not with the number of samples.
  ///
  /// Without an anchor all live samples and kept deletions come back. With a limit the oldest
  /// changes come first: call again until fewer than the limit come back.
  public func changes(
    of type: ObjectType, since anchor: QueryAnchor? = nil,
    matching predicate: SamplePredicate = .all, limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> SampleChanges {
    guard type.isSampleType, type.kind != .correlation else {
      return try correlationChanges(of: type, since: anchor, matching: predicate, as: client)
    }
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    let filter = try visibilityFilter(of: type, for: client)
    return try changes(
      of: type, since: anchor, matching: predicate, limit: limit, filter: filter, as: client)
  }

  private func correlationChanges(
    of type: ObjectType, since anchor: QueryAnchor?, matching predicate: SamplePredicate,
    as client: ClientID
  ) throws(HealthStoreError) -> SampleChanges {
    guard type.kind == .correlation else { throw .invalidArgument(.notReadable(type)) }
    _ = try checkedReader(client)
    let filter = VisibilityFilter(
      only: nil, showsAny: true, earliest: registry.settings.earliestPermittedSampleDate)
    return try changes(
      of: type, since: anchor, matching: predicate, limit: nil, filter: filter, as: client)
  }

  private func changes(
    of type: ObjectType, since anchor: QueryAnchor?, matching predicate: SamplePredicate,
    limit: Int?, filter: VisibilityFilter, as client: ClientID
  ) throws(HealthStoreError) -> SampleChanges {
    let predicate = try resolved(predicate)
    // An anchor beyond the last row stems from a newer copy of the store: start again.
    let isForeign = (anchor?.row ?? 0) > backend.lastRow
    let from = isForeign ? 0 : anchor?.row ?? 0
    let hasGap = anchor != nil && (isForeign || from < registry.settings.highestPurgedRow)
    let registry = registry
    let stones = try backend.tombstones(of: type, after: from).filter {
      filter.shows($0) && ($0.matches(predicate, in: registry))
    }
    var added: [StoredSample] = []
    let most = max(0, limit ?? .max)
    if filter.showsAny {
      try backend.visit(.rows(type, after: from)) { stored in
        guard added.count < most else { return false }
        if filter.shows(stored), predicate.matches(stored, in: registry) { added.append(stored) }
        return true
      }
    }
    var (kept, gone) = (added[...], stones[...])
    if added.count + stones.count > most {
      (kept, gone) = Self.oldest(most, added, stones)
    }
    let last = max(kept.last?.row ?? from, gone.last?.row ?? from)
    let isComplete = kept.count + gone.count < most
    return SampleChanges(
      added: try restored(Array(kept), as: client), deleted: gone.map { DeletedObject($0) },
      anchor: QueryAnchor(row: isComplete ? backend.lastRow : last),
      mayHaveMissedDeletions: hasGap)
  }

  /// The first changes of two lists that ascend by row, counted together.
  private static func oldest(
    _ count: Int, _ added: [StoredSample], _ stones: [Tombstone]
  ) -> (ArraySlice<StoredSample>, ArraySlice<Tombstone>) {
    var (left, right) = (0, 0)
    while left + right < count {
      if right == stones.count || (left < added.count && added[left].row < stones[right].row) {
        left += 1
      } else {
        right += 1
      }
    }
    return (added[..<left], stones[..<right])
  }
}

extension Tombstone {
  /// Whether the deleted sample matched, or may have.
  func matches(_ predicate: SamplePredicate, in registry: StoreRegistry) -> Bool {
    predicate.matches(self, in: registry) ?? true
  }
}
