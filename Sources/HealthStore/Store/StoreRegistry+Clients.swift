// What has to change when an app comes or goes, and when the user has a say about one.

extension StoreRegistry {
  /// The client with a bundle identifier.
  public func client(bundleIdentifier: String) -> ClientID? {
    clients.firstIndex { $0?.bundleIdentifier == bundleIdentifier }
      .map { ClientID(number: $0) }
  }

  /// The client with a bundle identifier, where one is `likely` that need not be looked for.
  package func client(bundleIdentifier: String, likely: ClientID?) -> ClientID? {
    if let likely, clients.indices.contains(likely.number),
      clients[likely.number]?.bundleIdentifier == bundleIdentifier
    {
      return likely
    }
    return client(bundleIdentifier: bundleIdentifier)
  }

  /// The changes that make the registry of a new store: the user, who acts through the health app.
  var beginning: [RegistryChange] {
    [
      .settings(settings), .source(index: 0, .healthApp),
      .revision(
        index: 0, .init(source: 0, revision: SourceRevision(source: .healthApp))),
      .client(
        number: 0,
        HealthClient(
          bundleIdentifier: Source.healthApp.bundleIdentifier, name: Source.healthApp.name)),
    ]
  }

  /// The changes that make a client known, or take over what a known one now declares, and its
  /// number.
  func changes(
    registering client: HealthClient, granting authorization: Authorization?,
    for types: [ObjectType]
  ) -> (number: Int, changes: [RegistryChange]) {
    let known = clients.firstIndex { $0?.bundleIdentifier == client.bundleIdentifier }
    let number = known ?? clients.count
    var changes: [RegistryChange] = [.client(number: number, client)]
    let source = sources.firstIndex { $0.bundleIdentifier == client.bundleIdentifier }
    let sourceIndex = source ?? sources.count
    let revision = client.revision
    if source == nil || sources[sourceIndex] != revision.source {
      changes.append(.source(index: sourceIndex, revision.source))
    }
    if !revisions.contains(where: { $0.revision == revision }) {
      changes.append(
        .revision(index: revisions.count, .init(source: sourceIndex, revision: revision)))
    }
    if let authorization {
      for type in types where type.kind != .correlation {
        var allowed = authorization
        if !type.isShareable && allowed.share == .authorized { allowed.share = .denied }
        changes.append(.authorization(family: client.family, type, allowed))
      }
    }
    return (number, changes)
  }

  /// The changes that remove a client: the permissions of its family are undetermined again when
  /// nobody else is of it.
  func changes(
    uninstalling client: ClientID, of family: String
  ) -> [RegistryChange] {
    var changes: [RegistryChange] = [.client(number: client.number, nil)]
    let isShared = clients.enumerated().contains {
      $0.offset != client.number && $0.element?.family == family
    }
    guard !isShared else { return changes }
    for type in ObjectType.allCases
    where authorization(of: family, for: type) != .notDetermined {
      changes.append(.authorization(family: family, type, .notDetermined))
    }
    changes.append(.forgetGrants(family: family))
    return changes
  }
}
