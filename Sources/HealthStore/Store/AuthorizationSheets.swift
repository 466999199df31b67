/// The requests for authorization that the user has not answered, oldest first.
struct AuthorizationSheets: Sendable {
  private var waiting: [AuthorizationSheet] = []
  /// How many sheets there ever were, which numbers them.
  private var count = 0

  /// The sheet that the user is to answer next, with what is still undetermined; the settings say
  /// whether any is shown.
  func visible(in registry: StoreRegistry) -> AuthorizationSheet? {
    guard registry.settings.canPrompt else { return nil }
    return waiting.lazy.compactMap { registry.undetermined($0) }.first
  }

  /// Adds a sheet for what is undetermined; without any, the request is done with.
  mutating func request(
    toShare share: [ObjectType], read: [ObjectType], as client: ClientID,
    in registry: StoreRegistry
  ) throws(HealthStoreError) -> AuthorizationRequestOutcome {
    let asking = try registry.checkedClient(client)
    try registry.checkRequest(share, read, asking)
    let undetermined = registry.undetermined(share, read, client)
    guard !undetermined.share.isEmpty || !undetermined.read.isEmpty else { return .processed }
    waiting.removeAll { registry.undetermined($0) == nil }
    count += 1
    let sheet = AuthorizationSheet(
      number: count, client: client, share: undetermined.share, read: undetermined.read)
    waiting.append(sheet)
    return .pending(sheet)
  }

  /// Takes a sheet away that the user answered, and returns the permissions that follow; what was
  /// decided meanwhile stays.
  mutating func answer(
    _ sheet: AuthorizationSheet, share: [ObjectType], read: [ObjectType],
    in registry: StoreRegistry
  ) throws(HealthStoreError) -> [RegistryChange] {
    guard registry.settings.canPrompt,
      let index = waiting.firstIndex(where: { $0.number == sheet.number })
    else { throw .invalidArgument(.unknownSheet) }
    let family = try registry.checkedClient(waiting[index].client).family
    let asked = waiting.remove(at: index)
    guard let sheet = registry.undetermined(asked) else { return [] }
    var changes: [RegistryChange] = []
    for type in ObjectType.allCases where sheet.share.contains(type) || sheet.read.contains(type) {
      var authorization = registry.authorization(of: family, for: type)
      if sheet.share.contains(type) {
        authorization.share = share.contains(type) ? .authorized : .denied
      }
      if sheet.read.contains(type) {
        authorization.read = read.contains(type) ? .authorized : .denied
      }
      changes.append(.authorization(family: family, type, authorization))
    }
    return changes
  }

  /// Takes a sheet away that the user left without an answer.
  mutating func dismiss(_ sheet: AuthorizationSheet) {
    waiting.removeAll { $0.number == sheet.number }
  }

  /// Takes the sheets of a client away.
  mutating func removeAll(of client: ClientID) { waiting.removeAll { $0.client == client } }
}

extension StoreRegistry {
  /// Whether a request for some types would show a sheet.
  ///
  /// HealthKit: `getRequestStatusForAuthorization(toShare:read:)`.
  public func requestStatus(
    toShare share: [ObjectType], read: [ObjectType], as client: ClientID
  ) -> AuthorizationRequestStatus {
    guard let asking = try? checkedClient(client) else { return .unknown }
    guard (try? checkRequest(share, read, asking)) != nil else { return .unknown }
    let undetermined = undetermined(share, read, client)
    return undetermined.share.isEmpty && undetermined.read.isEmpty ? .unnecessary : .shouldRequest
  }

  fileprivate func checkRequest(
    _ share: [ObjectType], _ read: [ObjectType], _ client: HealthClient
  ) throws(HealthStoreError) {
    guard !share.isEmpty || !read.isEmpty else { throw .invalidArgument(.nothingRequested) }
    for type in share + read where type.kind == .correlation {
      throw .invalidArgument(.correlationInRequest(type))
    }
    for type in share where !type.isShareable { throw .invalidArgument(.notShareable(type)) }
    if !share.isEmpty, !client.hasShareUsageDescription {
      throw .invalidArgument(.missingUsageDescription("NSHealthUpdateUsageDescription"))
    }
    if !read.isEmpty, !client.hasReadUsageDescription {
      throw .invalidArgument(.missingUsageDescription("NSHealthShareUsageDescription"))
    }
  }

  /// What of a sheet is still undetermined; `nil` where everything has been decided.
  fileprivate func undetermined(_ sheet: AuthorizationSheet) -> AuthorizationSheet? {
    let rest = undetermined(sheet.share, sheet.read, sheet.client)
    guard !rest.share.isEmpty || !rest.read.isEmpty else { return nil }
    return AuthorizationSheet(
      number: sheet.number, client: sheet.client, share: rest.share, read: rest.read)
  }

  fileprivate func undetermined(
    _ share: [ObjectType], _ read: [ObjectType], _ client: ClientID
  ) -> (share: [ObjectType], read: [ObjectType]) {
    let types = ObjectType.allCases
    return (
      types.filter {
        share.contains($0) && authorization(of: client, for: $0).share == .notDetermined
      },
      types.filter {
        read.contains($0) && authorization(of: client, for: $0).read == .notDetermined
      }
    )
  }
}
