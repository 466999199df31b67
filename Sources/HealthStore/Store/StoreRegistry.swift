/// Everything in a store that is not a sample: who writes, who may, and how the device is set up.
///
/// Small, always in memory, and written through to the backend one change at a time.
public struct StoreRegistry: Hashable, Sendable {
  /// How the device is set up.
  public internal(set) var settings = StoreSettings()
  /// The clients; number 0 is the user.
  public internal(set) var clients: [HealthClient?] = []
  /// The sources; other entries name them by their place.
  public internal(set) var sources: [Source] = []
  /// The source revisions, each with the index of its source.
  public internal(set) var revisions: [RevisionEntry] = []
  /// The permissions, by family of clients.
  public internal(set) var families: [FamilyEntry] = []
  /// The characteristics of the user, by type.
  public internal(set) var characteristics: [CharacteristicEntry] = []
  /// The user's order of sources by type, where it was changed; indices of sources.
  public internal(set) var priorities: [PriorityEntry] = []
  /// Which documents each family may see.
  public internal(set) var grants: [DocumentGrant] = []
  /// Who wants to be woken for changes.
  public internal(set) var deliveries: [BackgroundDelivery] = []
  /// The user's display units, where they differ from the types' own.
  public internal(set) var displayUnits: [DisplayUnitEntry] = []
  /// What uploading services are subscribed to.
  public internal(set) var subscriptions: [SubscriptionEntry] = []

  /// Creates the registry of an empty store.
  public init() {}

  /// A source revision and its source.
  public struct RevisionEntry: Hashable, Sendable {
    /// The place of the source among the sources.
    public var source: Int
    /// The revision.
    public var revision: SourceRevision

    /// Creates a `RevisionEntry` from its parts; see the properties.
    public init(source: Int, revision: SourceRevision) {
      self.source = source
      self.revision = revision
    }
  }

  /// The permissions of a family of clients.
  public struct FamilyEntry: Hashable, Sendable {
    /// The name of the family.
    public var name: String
    /// One entry for each type, by raw value.
    var authorizations: [Authorization]
  }

  /// The order of sources for a type.
  public struct PriorityEntry: Hashable, Sendable {
    /// The type.
    public var type: ObjectType
    /// The places of the sources, the preferred one first.
    public var sources: [Int]

    /// Creates a `PriorityEntry` from its parts; see the properties.
    public init(type: ObjectType, sources: [Int]) {
      self.type = type
      self.sources = sources
    }
  }

  /// A fact about the user.
  public struct CharacteristicEntry: Hashable, Sendable {
    /// Which fact it is.
    public var type: ObjectType
    /// The fact, by HealthKit's number.
    public var value: Int

    /// Creates a `CharacteristicEntry` from its parts; see the properties.
    public init(type: ObjectType, value: Int) {
      self.type = type
      self.value = value
    }
  }

  /// The unit in which the user wants to see a type.
  public struct DisplayUnitEntry: Hashable, Sendable {
    /// The type.
    public var type: ObjectType
    /// The unit in which the user wants to see it.
    public var unit: HealthUnit

    /// Creates a `DisplayUnitEntry` from its parts; see the properties.
    public init(type: ObjectType, unit: HealthUnit) {
      self.type = type
      self.unit = unit
    }
  }

  /// Types to which an uploading service is subscribed.
  public struct SubscriptionEntry: Hashable, Sendable {
    /// The name of the service.
    public var service: String
    /// The types.
    public var types: [ObjectType]
    /// The row up to which each type was queued, in the order of `types`.
    public var anchors: [Int64]

    /// Creates a `SubscriptionEntry` from its parts; see the properties.
    public init(service: String, types: [ObjectType], anchors: [Int64]) {
      self.service = service
      self.types = types
      self.anchors = anchors
    }
  }
}

extension StoreRegistry {
  /// Takes over one change.
  public mutating func apply(_ change: RegistryChange) {
    switch change {
    case .settings(let settings): self.settings = settings
    case .client(let number, let client):
      assert(number >= 0, "Clients are numbered from 0.")
      while clients.count <= number { clients.append(nil) }
      clients[number] = client
      // Nobody is woken any more; the number may be given out again from a file.
      if client == nil { deliveries.removeAll { $0.client.number == number } }
    case .source(let index, let source):
      assert(index >= 0, "Sources are numbered from 0.")
      let isRenamed = index < sources.count && sources[index] != source
      while sources.count <= index { sources.append(source) }
      sources[index] = source
      // A file keeps one name of a source, with which its revisions come back.
      if isRenamed { renameRevisions(ofSource: index) }
    case .revision(let index, let entry):
      assert(index >= 0, "Revisions are numbered from 0.")
      while revisions.count <= index { revisions.append(entry) }
      revisions[index] = entry
    case .authorization(let name, let type, let authorization):
      assert(!name.isEmpty, "A family of clients has a name.")
      let family = index(ofFamily: name)
      families[family].authorizations[Int(type.rawValue)] = authorization
    case .priority(let entry): put(entry, in: \.priorities) { $0.type == entry.type }
    case .characteristic(let entry): put(entry, in: \.characteristics) { $0.type == entry.type }
    case .displayUnit(let entry): put(entry, in: \.displayUnits) { $0.type == entry.type }
    case .grant(let grant):
      put(grant, in: \.grants) { $0.family == grant.family && $0.uuid == grant.uuid }
    case .forgetGrants(let family): grants.removeAll { $0.family == family }
    case .delivery(let delivery):
      put(delivery, in: \.deliveries) {
        $0.client == delivery.client && $0.type == delivery.type
      }
    case .subscription(let entry): put(entry, in: \.subscriptions) { $0.service == entry.service }
    }
  }

  /// Gives the revisions of a source the name that it has now.
  private mutating func renameRevisions(ofSource index: Int) {
    for place in revisions.indices where revisions[place].source == index {
      revisions[place].revision = revisions[place].revision.ofSource(sources[index])
    }
  }

  private mutating func put<Entry>(
    _ entry: Entry, in list: WritableKeyPath<Self, [Entry]>, where isSame: (Entry) -> Bool
  ) {
    if let index = self[keyPath: list].firstIndex(where: isSame) {
      self[keyPath: list][index] = entry
    } else {
      self[keyPath: list].append(entry)
    }
  }

  private mutating func index(ofFamily name: String) -> Int {
    if let index = families.firstIndex(where: { $0.name == name }) { return index }
    let blank = [Authorization](repeating: .notDetermined, count: ObjectType.allCases.count)
    families.append(FamilyEntry(name: name, authorizations: blank))
    return families.count - 1
  }

  /// What a family may do with a type.
  public func authorization(of family: String, for type: ObjectType) -> Authorization {
    families.first { $0.name == family }?.authorizations[Int(type.rawValue)] ?? .notDetermined
  }

  /// The changes that make this registry out of an empty one, or, with ``withdrawals(since:)``, out
  /// of an earlier state of itself.
  public var allChanges: [RegistryChange] {
    var changes: [RegistryChange] = [.settings(settings)]
    for (index, source) in sources.enumerated() { changes.append(.source(index: index, source)) }
    for (index, entry) in revisions.enumerated() { changes.append(.revision(index: index, entry)) }
    for (number, client) in clients.enumerated() {
      changes.append(.client(number: number, client))
    }
    for family in families {
      for type in ObjectType.allCases {
        let authorization = family.authorizations[Int(type.rawValue)]
        guard authorization != .notDetermined else { continue }
        changes.append(.authorization(family: family.name, type, authorization))
      }
    }
    changes += priorities.map { .priority($0) }
    changes += characteristics.map { .characteristic($0) }
    changes += displayUnits.map { .displayUnit($0) }
    changes += families.map { .forgetGrants(family: $0.name) }
    changes += grants.map { .grant($0) }
    changes += deliveries.map { .delivery($0) }
    changes += subscriptions.map { .subscription($0) }
    return changes
  }

  /// The changes that take back what was permitted in an earlier state of this registry and is
  /// undetermined now.
  public func withdrawals(since earlier: StoreRegistry) -> [RegistryChange] {
    families.flatMap { family in
      ObjectType.allCases.filter { type in
        family.authorizations[Int(type.rawValue)] == .notDetermined
          && earlier.authorization(of: family.name, for: type) != .notDetermined
      }.map { .authorization(family: family.name, $0, .notDetermined) }
    }
  }
}
