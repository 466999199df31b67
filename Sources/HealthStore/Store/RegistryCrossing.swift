/// How a second device takes over what the first knows beside samples, under numbers of its own.
///
/// What is a device's own stays there: how it is set up, who is to be woken, and how far uploads
/// have come. Apps that are on the second device alone keep their numbers and permissions.
struct RegistryCrossing: Sendable {
  /// The numbers of the first device's clients on the second, by those on the first.
  private var numbers: [Int: Int] = [:]

  /// The changes after which the second device knows what the first does.
  mutating func changes(
    from first: StoreRegistry, to second: StoreRegistry
  ) -> [RegistryChange] {
    var draft = Draft(registry: second)
    for (number, client) in first.clients.enumerated() where client == nil {
      guard let here = numbers.removeValue(forKey: number) else { continue }
      draft.add(.client(number: here, nil))
    }
    for (number, client) in first.clients.enumerated() {
      guard let client else { continue }
      let here = draft.number(of: client, like: number)
      numbers[number] = here
      draft.add(.client(number: here, client))
    }
    let sources = first.sources.map { draft.place(of: $0) }
    for entry in first.revisions { draft.add(entry.revision, ofSource: sources[entry.source]) }
    for change in first.allChanges {
      switch change {
      case .settings, .client, .source, .revision, .delivery, .subscription: continue
      case .priority(var entry):
        entry.sources = entry.sources.map { sources[$0] }
        draft.add(.priority(entry))
      case .authorization, .characteristic, .displayUnit, .grant, .forgetGrants: draft.add(change)
      }
    }
    return draft.changes + first.withdrawals(since: second)
  }

  /// A registry with the changes that were made so far.
  private struct Draft {
    var registry: StoreRegistry
    var changes: [RegistryChange] = []

    mutating func add(_ change: RegistryChange) {
      registry.apply(change)
      changes.append(change)
    }

    /// The number of a client: the one it has, or else the same as on the first device where nobody
    /// has had that here, who may have deleted samples under it.
    func number(of client: HealthClient, like number: Int) -> Int {
      if let known = registry.client(bundleIdentifier: client.bundleIdentifier) {
        return known.number
      }
      return max(number, registry.clients.count)
    }

    /// The place of a source, which has the name of the first device from now on.
    mutating func place(of source: Source) -> Int {
      let known = registry.sources.firstIndex { $0.bundleIdentifier == source.bundleIdentifier }
      let place = known ?? registry.sources.count
      add(.source(index: place, source))
      return place
    }

    mutating func add(_ revision: SourceRevision, ofSource source: Int) {
      guard !registry.revisions.contains(where: { $0.revision == revision }) else { return }
      add(.revision(index: registry.revisions.count, .init(source: source, revision: revision)))
    }
  }
}

extension StoreRegistry {
  /// The number under which a client of another device is known here; one that nobody has where it
  /// is not.
  func number(of client: ClientID, on other: StoreRegistry) -> ClientID {
    let identifier =
      other.clients.indices.contains(client.number)
      ? other.clients[client.number]?.bundleIdentifier : nil
    return identifier.flatMap { self.client(bundleIdentifier: $0) } ?? .nobody
  }
}

extension ClientID {
  /// A number that no client has.
  static let nobody = Self(number: -1)
}
