internal import Quantities

extension HealthRecordStore {
  /// Checks what must hold before a client reads.
  func checkedReader(_ client: ClientID) throws(HealthStoreError) -> HealthClient {
    let reader = try checkedClient(client)
    guard !registry.settings.isLocked else { throw .databaseInaccessible }
    return reader
  }

  /// Whether a client can read at all, whatever it is allowed to see.
  ///
  /// One whose anchors lie at ``lastRow`` then finds nothing new.
  public func isReadable(by client: ClientID) -> Bool { (try? checkedReader(client)) != nil }

  /// Which stored samples of a type a client sees.
  func visibilityFilter(
    of type: ObjectType, for client: ClientID
  ) throws(HealthStoreError) -> VisibilityFilter {
    let reader = try checkedReader(client)
    let earliest = registry.settings.earliestPermittedSampleDate
    let source = Int32(sourceIndex(of: reader))
    switch authorization(of: client, for: type).visibility {
    case .all: return VisibilityFilter(only: nil, showsAny: true, earliest: earliest)
    case .own: return VisibilityFilter(only: source, showsAny: true, earliest: earliest)
    case .nothing: return VisibilityFilter(only: nil, showsAny: false, earliest: earliest)
    case .undetermined:
      throw .authorizationNotDetermined(client: reader.name, type: type)
    }
  }

  /// The visible samples of a type that match, without members and source revisions.
  ///
  /// Documents that the user has not granted are among them only where that is asked for.
  func storedSamples(
    of type: ObjectType, matching predicate: SamplePredicate, sortedBy sorts: [SampleSort],
    limit: Int?, as client: ClientID, includingUngranted: Bool = false
  ) throws(HealthStoreError) -> [StoredSample] {
    guard type.isSampleType else { throw .invalidArgument(.notReadable(type)) }
    if let fault = predicate.fault(for: type) { throw .invalidArgument(fault) }
    let filter = try readFilter(of: type, for: client)
    guard filter.showsAny else { return [] }
    let predicate = try resolved(predicate)
    let bounds = predicate.bounds
    let registry = registry
    let isByStart = sorts == [SampleSort(.start)]
    let most = Self.most(limit)
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

  /// How many results a limit allows; none and 0 allow all.
  ///
  /// HealthKit: `HKObjectQueryNoLimit`, which is 0.
  static func most(_ limit: Int?) -> Int { limit.map { $0 > 0 ? $0 : .max } ?? .max }

  /// The filter for a query: correlations are seen when their members are.
  func readFilter(
    of type: ObjectType, for client: ClientID
  ) throws(HealthStoreError) -> VisibilityFilter {
    guard type.kind == .correlation else { return try visibilityFilter(of: type, for: client) }
    _ = try checkedReader(client)
    return VisibilityFilter(
      only: nil, showsAny: true, earliest: registry.settings.earliestPermittedSampleDate)
  }

  /// Stored samples as a client gets them: with source revision, members, and no document content.
  func restored(
    _ stored: [StoredSample], as client: ClientID
  ) throws(HealthStoreError) -> [Sample] {
    var result: [Sample] = []
    result.reserveCapacity(stored.count)
    for entry in stored {
      var sample = entry.sample
      sample.sourceRevision = registry.revisions[Int(entry.revision)].revision
      switch sample.value {
      case .correlation:
        guard let members = try visibleMembers(of: entry, as: client) else { continue }
        sample.value = .correlation(
          members.map { member in
            var sample = member.sample
            sample.sourceRevision = registry.revisions[Int(member.revision)].revision
            return sample
          })
      case .document(let document):
        guard isGranted(entry.sample.uuid, of: entry.source, to: client) else { continue }
        sample.value = .document(document.withoutContent)
      case .quantity, .category, .workout: break
      }
      result.append(sample)
    }
    return result
  }

  /// Whether a client sees a document: its own, or one that the user granted it.
  private func isGranted(_ uuid: SampleUUID, of source: Int32, to client: ClientID) -> Bool {
    guard client != .user, let reader = registry.clients[client.number] else { return true }
    return source == Int32(sourceIndex(of: reader)) || grant(of: uuid, reader) == .granted
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
        case .document: isGranted(entry.sample.uuid, of: entry.source, to: client)
        default: true
        }
      if isVisible { visible.append(entry) }
    }
    return visible
  }

  /// Whether a client sees the trace of a deletion: that of a document where the document was
  /// granted, that of a correlation where its members could be read.
  func isVisible(_ stone: Tombstone, to client: ClientID) -> Bool {
    func shows(_ type: ObjectType) -> Bool {
      (try? visibilityFilter(of: type, for: client))?.shows(stone) ?? false
    }
    return switch stone.type {
    case .clinicalDocument: isGranted(stone.uuid, of: stone.source, to: client)
    case .bloodPressure: shows(.bloodPressureSystolic) && shows(.bloodPressureDiastolic)
    case .food: ObjectType.allCases.contains { $0.isDietary && shows($0) }
    default: true
    }
  }

  /// The members of a correlation that a client may read; nothing when it may not see a required
  /// one.
  func visibleMembers(
    of correlation: StoredSample, as client: ClientID
  ) throws(HealthStoreError) -> [StoredSample]? {
    var members: [StoredSample] = []
    for member in try backend.members(of: correlation.row) {
      let filter = try? visibilityFilter(of: member.sample.type, for: client)
      guard let filter, filter.shows(member) else {
        if correlation.sample.type == .bloodPressure { return nil }
        continue
      }
      members.append(member)
    }
    return members.isEmpty ? nil : members
  }
}

/// Which samples of one type a client sees.
struct VisibilityFilter {
  /// The only source whose samples are shown; nothing for all.
  var only: Int32?
  var showsAny: Bool
  var earliest: Instant?

  func shows(_ stored: StoredSample) -> Bool {
    shows(source: stored.source, end: stored.sample.end)
  }

  func shows(_ tombstone: Tombstone) -> Bool {
    shows(source: tombstone.source, end: tombstone.end)
  }

  private func shows(source: Int32, end: Instant) -> Bool {
    guard showsAny else { return false }
    if let only, source != only { return false }
    return earliest.map { end >= $0 } ?? true
  }
}

extension ObjectType {
  /// Whether it takes more than the type and the source to say who sees a sample.
  var isJudgedOneByOne: Bool { kind == .correlation || kind == .document }
}
