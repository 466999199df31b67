internal import Quantities

/// A question for what has changed of one type since a row, as one client may ask it.
///
/// What is asked is checked once, and stands fast then: the rows it covers begin after an anchor of
/// this store, or at the beginning where the anchor is of another. Asked of the store from which it
/// was made, it tells every change once, and hands out the anchor after the last one told.
struct ChangesQuery {
  private let type: ObjectType
  private let client: ClientID
  private let filter: VisibilityFilter
  private let predicate: SamplePredicate
  /// The row after which changes are told.
  private let from: Int64
  /// Whether deletions may have been forgotten before they could be told.
  private let hasGap: Bool
  /// The most that is told.
  private let most: Int

  /// Asks for what follows an anchor; for everything where there is none.
  ///
  /// - Throws: `invalidArgument` for a type or predicate of which nothing can be asked.
  init<Backend>(
    of type: ObjectType, since anchor: QueryAnchor? = nil, matching predicate: SamplePredicate,
    limit: Int? = nil, as client: ClientID, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    filter = try contents.registry.readFilter(of: type, for: client)
    self.predicate = try contents.resolved(predicate)
    let since = anchor.map(\.row) ?? 0
    // An anchor beyond the last row stems from a newer copy of the store: start again.
    let isForeign = since > contents.backend.lastRow
    from = isForeign ? 0 : since
    hasGap = since > 0 && (isForeign || from < contents.registry.settings.highestPurgedRow)
    most = SampleSort.most(limit)
    self.type = type
    self.client = client
  }

  /// The samples added and those deleted, the oldest changes first.
  func changes<Backend>(
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> SampleChanges {
    if from == contents.backend.lastRow {
      return SampleChanges(
        added: [], deleted: [], anchor: QueryAnchor(row: from), mayHaveMissedDeletions: hasGap)
    }
    let stones = try deletions(in: contents)
    let added = try additions(in: contents)
    var (kept, gone) = (added[...], stones[...])
    if most < .max, added.count + stones.count > most {
      (kept, gone) = Self.oldest(most, added, stones)
    }
    let last = max(kept.last?.row ?? from, gone.last?.row ?? from)
    assert(last >= from, "An anchor never moves back.")
    assert(kept.count + gone.count <= most, "No more is told than was asked for.")
    let isComplete = kept.count + gone.count < most
    return SampleChanges(
      added: try contents.restored(Array(kept), as: client),
      deleted: gone.map { DeletedObject($0) },
      anchor: QueryAnchor(row: isComplete ? contents.backend.lastRow : last),
      mayHaveMissedDeletions: hasGap)
  }

  /// What is remembered of visible samples that were deleted and matched, or may have.
  private func deletions<Backend>(
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> [Tombstone] {
    try contents.backend.tombstones(of: type, after: from).filter {
      filter.shows($0) && $0.matches(predicate, in: contents.registry)
        && contents.registry.isVisible($0, to: client)
    }
  }

  /// The visible samples that were added and match, as many as the limit can need.
  private func additions<Backend>(
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> [StoredSample] {
    guard filter.showsAny else { return [] }
    var added: [StoredSample] = []
    if case .all = predicate {
      try contents.backend.visit(.rows(type, after: from)) { stored in
        guard type.isJudgedOneByOne || added.count < most else { return false }
        if filter.shows(stored) { added.append(stored) }
        return true
      }
    } else {
      let registry = contents.registry
      try contents.backend.visit(.rows(type, after: from)) { stored in
        guard type.isJudgedOneByOne || added.count < most else { return false }
        if filter.shows(stored), predicate.matches(stored, in: registry) { added.append(stored) }
        return true
      }
    }
    return type.isJudgedOneByOne ? try contents.visible(added, to: client) : added
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

extension ChangesQuery {
  /// Whether anything visible was added or deleted after a row, or may have been and is forgotten.
  static func hasNews<Backend>(
    of type: ObjectType, since row: Int64, matching predicate: SamplePredicate = .all,
    as client: ClientID, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> Bool {
    guard row < contents.backend.lastRow else { return false }
    let query = try Self(
      of: type, since: QueryAnchor(row: row), matching: predicate, limit: 1, as: client,
      in: contents)
    if query.hasGap && query.filter.showsAny { return true }
    return try !query.changes(in: contents).isEmpty
  }
}

extension Tombstone {
  /// Whether the deleted sample matched, or may have.
  fileprivate func matches(_ predicate: SamplePredicate, in registry: StoreRegistry) -> Bool {
    predicate.matches(self, in: registry) ?? true
  }
}
