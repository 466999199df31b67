// What is new since a row.

extension StoreContents {
  /// What changed since an anchor: the samples added and those deleted.
  func changes(
    of type: ObjectType, since anchor: QueryAnchor? = nil,
    matching predicate: SamplePredicate = .all, limit: Int? = nil, as client: ClientID
  ) throws(HealthStoreError) -> SampleChanges {
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    let filter = try registry.readFilter(of: type, for: client)
    let predicate = try resolved(predicate)
    let since = anchor.map(\.row) ?? 0
    // An anchor beyond the last row stems from a newer copy of the store: start again.
    let isForeign = since > backend.lastRow
    let from = isForeign ? 0 : since
    let hasGap = since > 0 && (isForeign || from < registry.settings.highestPurgedRow)
    if from == backend.lastRow {
      return SampleChanges(
        added: [], deleted: [], anchor: QueryAnchor(row: from), mayHaveMissedDeletions: hasGap)
    }
    let stones = try backend.tombstones(of: type, after: from).filter {
      filter.shows($0) && $0.matches(predicate, in: registry) && registry.isVisible($0, to: client)
    }
    let most = SampleSort.most(limit)
    let added = try addedSamples(of: type, after: from, predicate, filter, most, as: client)
    var (kept, gone) = (added[...], stones[...])
    if most < .max, added.count + stones.count > most {
      (kept, gone) = Self.oldest(most, added, stones)
    }
    let last = max(kept.last?.row ?? from, gone.last?.row ?? from)
    assert(last >= from, "An anchor never moves back.")
    assert(kept.count + gone.count <= most, "No more is told than was asked for.")
    let isComplete = kept.count + gone.count < most
    return SampleChanges(
      added: try restored(Array(kept), as: client), deleted: gone.map { DeletedObject($0) },
      anchor: QueryAnchor(row: isComplete ? backend.lastRow : last),
      mayHaveMissedDeletions: hasGap)
  }

  /// Whether anything visible was added or deleted after a row; never while nothing was asked.
  func hasChanges(
    of type: ObjectType, since row: Int64, matching predicate: SamplePredicate = .all,
    _ client: ClientID
  ) throws(HealthStoreError) -> Bool {
    guard row < backend.lastRow else { return false }
    do {
      return try !changes(
        of: type, since: QueryAnchor(row: row), matching: predicate, limit: 1, as: client
      ).isEmpty
    } catch .authorizationNotDetermined {
      return false
    }
  }

  /// The visible samples after a row that match, as many as a limit can need.
  private func addedSamples(
    of type: ObjectType, after row: Int64, _ predicate: SamplePredicate,
    _ filter: VisibilityFilter, _ most: Int, as client: ClientID
  ) throws(HealthStoreError) -> [StoredSample] {
    guard filter.showsAny else { return [] }
    var added: [StoredSample] = []
    if case .all = predicate {
      try backend.visit(.rows(type, after: row)) { stored in
        guard type.isJudgedOneByOne || added.count < most else { return false }
        if filter.shows(stored) { added.append(stored) }
        return true
      }
      return type.isJudgedOneByOne ? try visible(added, to: client) : added
    }
    let registry = registry
    try backend.visit(.rows(type, after: row)) { stored in
      guard type.isJudgedOneByOne || added.count < most else { return false }
      if filter.shows(stored), predicate.matches(stored, in: registry) { added.append(stored) }
      return true
    }
    return type.isJudgedOneByOne ? try visible(added, to: client) : added
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
