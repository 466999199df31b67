/// What the user is asked when a client requests authorization.
///
/// HealthKit: the sheet that `requestAuthorization(toShare:read:)` shows.
public struct AuthorizationSheet: Hashable, Sendable {
  /// The number of the request in its store.
  public let number: Int
  /// Who asks.
  public let client: ClientID
  /// The types whose writing is still undetermined.
  public let share: [ObjectType]
  /// The types whose reading is still undetermined.
  public let read: [ObjectType]
}

/// What a request for authorization came to.
///
/// HealthKit: the completion of `requestAuthorization(toShare:read:)`, whose `success` says that
/// the request was processed.
public enum AuthorizationRequestOutcome: Hashable, Sendable {
  /// The request was processed, which does not say that anything was granted.
  case processed
  /// The user has not answered yet.
  case pending(AuthorizationSheet)
}

/// Whether asking would show the user anything.
///
/// HealthKit: `HKAuthorizationRequestStatus`.
public enum AuthorizationRequestStatus: Int, Hashable, Sendable {
  /// It is not known.
  case unknown = 0
  /// The user would be asked.
  case shouldRequest = 1
  /// Everything has been decided.
  case unnecessary = 2
}

extension HealthRecordStore {
  /// Asks the user for permissions.
  ///
  /// The sheet lists only what is undetermined; when nothing is, none is shown. HealthKit:
  /// `requestAuthorization(toShare:read:)`.
  ///
  /// - Throws: `invalidArgument` for an empty request, a correlation, a type that apps may not
  ///   write, or a client that does not say why it asks.
  public mutating func requestAuthorization(
    toShare share: [ObjectType], read: [ObjectType], as client: ClientID
  ) throws(HealthStoreError) -> AuthorizationRequestOutcome {
    let asking = try contents.registry.checkedClient(client)
    try checkRequest(share, read, asking)
    let undetermined = undetermined(share, read, client)
    guard !undetermined.share.isEmpty || !undetermined.read.isEmpty else { return .processed }
    sheetCount += 1
    let sheet = AuthorizationSheet(
      number: sheetCount, client: client, share: undetermined.share, read: undetermined.read)
    sheets.append(sheet)
    return .pending(sheet)
  }

  /// The sheet that the user sees now; nothing when none can be shown.
  public var visibleSheet: AuthorizationSheet? {
    contents.registry.settings.canPrompt ? sheets.first : nil
  }

  /// Takes the user's answer to a sheet: what is not ticked is denied.
  ///
  /// Returns `true`: the request was processed, even when everything was denied.
  ///
  /// HealthKit: what the completion of `requestAuthorization(toShare:read:)` is called with.
  @discardableResult
  public mutating func answer(
    _ sheet: AuthorizationSheet, share: [ObjectType], read: [ObjectType]
  ) throws(HealthStoreError) -> Bool {
    guard contents.registry.settings.canPrompt, let index = sheets.firstIndex(of: sheet) else {
      throw .invalidArgument(.unknownQuery)
    }
    let family = try contents.registry.checkedClient(sheet.client).family
    sheets.remove(at: index)
    var changes: [RegistryChange] = []
    for type in ObjectType.allCases where sheet.share.contains(type) || sheet.read.contains(type) {
      var authorization = contents.registry.authorization(of: family, for: type)
      if sheet.share.contains(type) {
        authorization.share = share.contains(type) ? .authorized : .denied
      }
      if sheet.read.contains(type) {
        authorization.read = read.contains(type) ? .authorized : .denied
      }
      changes.append(.authorization(family: family, type, authorization))
    }
    try contents.commit(changes)
    return true
  }

  /// Takes note that the user left a sheet without an answer.
  ///
  /// HealthKit: `HKError.errorUserCanceled`.
  public mutating func dismiss(_ sheet: AuthorizationSheet) throws(HealthStoreError) {
    sheets.removeAll { $0 == sheet }
    throw .userCanceled
  }

  /// The permission to write; whether reading is allowed nobody is told.
  ///
  /// HealthKit: `authorizationStatus(for:)`.
  public func authorizationStatus(
    for type: ObjectType, as client: ClientID
  ) throws(HealthStoreError) -> AuthorizationStatus {
    _ = try contents.registry.checkedClient(client)
    return contents.registry.authorization(of: client, for: type).share
  }

  /// Whether a request for these types would show a sheet.
  ///
  /// HealthKit: `getRequestStatusForAuthorization(toShare:read:)`.
  public func authorizationRequestStatus(
    toShare share: [ObjectType], read: [ObjectType], as client: ClientID
  ) -> AuthorizationRequestStatus {
    guard let asking = try? contents.registry.checkedClient(client) else { return .unknown }
    guard (try? checkRequest(share, read, asking)) != nil else { return .unknown }
    let undetermined = undetermined(share, read, client)
    return undetermined.share.isEmpty && undetermined.read.isEmpty ? .unnecessary : .shouldRequest
  }

  private func checkRequest(
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

  private func undetermined(
    _ share: [ObjectType], _ read: [ObjectType], _ client: ClientID
  ) -> (share: [ObjectType], read: [ObjectType]) {
    let types = ObjectType.allCases
    return (
      types.filter {
        share.contains($0)
          && contents.registry.authorization(of: client, for: $0).share == .notDetermined
      },
      types.filter {
        read.contains($0)
          && contents.registry.authorization(of: client, for: $0).read == .notDetermined
      }
    )
  }
}
