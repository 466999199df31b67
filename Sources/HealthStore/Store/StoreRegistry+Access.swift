internal import Quantities

// Who may do what, and see what: the rules need no sample but the one that is asked about.

extension StoreRegistry {
  /// Checks what must hold before any call of a client.
  ///
  /// What the client declares of itself is looked at where it is: to take it out copies a dozen
  /// texts.
  func check(_ client: ClientID) throws(HealthStoreError) {
    guard settings.isAvailable else { throw .healthDataUnavailable }
    guard !settings.isRestricted else { throw .healthDataRestricted }
    guard clients.indices.contains(client.number),
      let isEntitled = clients[client.number]?.isEntitled
    else { throw .invalidArgument(.unknownClient) }
    guard isEntitled else { throw .notEntitled(client: name(of: client)) }
  }

  /// What a client declares of itself, once it is checked.
  func checkedClient(_ client: ClientID) throws(HealthStoreError) -> HealthClient {
    try check(client)
    guard let declared = clients[client.number] else { throw .invalidArgument(.unknownClient) }
    return declared
  }

  /// Checks what must hold before a client reads.
  func checkReader(_ client: ClientID) throws(HealthStoreError) {
    try check(client)
    guard !settings.isLocked else { throw .databaseInaccessible }
  }

  /// What a client may do with a type; the user may do everything.
  public func authorization(of client: ClientID, for type: ObjectType) -> Authorization {
    guard client != .user else { return .full }
    precondition(
      clients.indices.contains(client.number),
      "A client is registered with the store that it is used with.")
    guard let family = clients[client.number]?.family else { return .notDetermined }
    return authorization(of: family, for: type)
  }

  /// The permission to write; whether reading is allowed nobody is told.
  ///
  /// HealthKit: `authorizationStatus(for:)`.
  public func authorizationStatus(
    for type: ObjectType, as client: ClientID
  ) throws(HealthStoreError) -> AuthorizationStatus {
    try check(client)
    return authorization(of: client, for: type).share
  }

  /// Which stored samples of a type a client sees.
  func visibilityFilter(
    of type: ObjectType, for client: ClientID
  ) throws(HealthStoreError) -> VisibilityFilter {
    try checkReader(client)
    let earliest = settings.earliestPermittedSampleDate
    let source = Int32(sourceIndex(of: client))
    switch authorization(of: client, for: type).visibility {
    case .all: return VisibilityFilter(only: nil, showsAny: true, earliest: earliest)
    case .own: return VisibilityFilter(only: source, showsAny: true, earliest: earliest)
    case .nothing: return VisibilityFilter(only: nil, showsAny: false, earliest: earliest)
    case .undetermined:
      throw .authorizationNotDetermined(client: name(of: client), type: type)
    }
  }

  /// The filter for a query: correlations are seen when their members are, of which the client must
  /// have been asked about one.
  func readFilter(
    of type: ObjectType, for client: ClientID
  ) throws(HealthStoreError) -> VisibilityFilter {
    guard type.kind == .correlation else { return try visibilityFilter(of: type, for: client) }
    try checkReader(client)
    let isDetermined = type.memberTypes.contains {
      authorization(of: client, for: $0).visibility != .undetermined
    }
    guard isDetermined else {
      throw .authorizationNotDetermined(client: name(of: client), type: type)
    }
    return VisibilityFilter(
      only: nil, showsAny: true, earliest: settings.earliestPermittedSampleDate)
  }

  /// What the user decided about a document; `nil` while it was never offered.
  func grant(of document: SampleUUID, _ client: HealthClient) -> DocumentGrant.State? {
    grants.first { $0.family == client.family && $0.uuid == document }?.state
  }

  /// Whether a client sees a document: its own, or one that the user granted it.
  func isGranted(_ uuid: SampleUUID, of source: Int32, to client: ClientID) -> Bool {
    guard client != .user, let reader = clients[client.number] else { return true }
    return source == Int32(sourceIndex(of: client)) || grant(of: uuid, reader) == .granted
  }

  /// Whether a client sees the trace of a deletion: that of a document where the document was
  /// granted, that of a correlation where its members could be read.
  func isVisible(_ stone: Tombstone, to client: ClientID) -> Bool {
    func shows(_ type: ObjectType) -> Bool {
      (try? visibilityFilter(of: type, for: client))?.shows(stone) ?? false
    }
    return switch stone.type {
    case .clinicalDocument: isGranted(stone.uuid, of: stone.source, to: client)
    case .bloodPressure: stone.type.memberTypes.allSatisfy(shows)
    case .food: stone.type.memberTypes.contains(where: shows)
    default: true
    }
  }
}
