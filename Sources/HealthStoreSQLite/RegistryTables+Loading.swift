internal import HealthStore
internal import Quantities

extension RegistryTables {
  /// Reads the registry from its tables.
  func load(
    _ connection: borrowing SQLiteConnection
  ) throws(HealthStoreError) -> StoreRegistry {
    var registry = StoreRegistry()
    registry.apply(.settings(try loadSettings(connection)))
    try loadSources(connection, into: &registry)
    try loadClients(connection, into: &registry)
    try loadAuthorizations(connection, into: &registry)
    try loadUserChoices(connection, into: &registry)
    try loadDeliveries(connection, into: &registry)
    try loadSubscriptions(connection, into: &registry)
    return registry
  }

  private func loadSettings(
    _ connection: borrowing SQLiteConnection
  ) throws(HealthStoreError) -> StoreSettings {
    var settings = StoreSettings()
    let row = try connection.prepare("SELECT key, value FROM meta ORDER BY key")
    while try row.step() {
      let value = row.text(1)
      switch row.text(0) {
      case "isAvailable": settings.isAvailable = value == "1"
      case "isRestricted": settings.isRestricted = value == "1"
      case "isLocked": settings.isLocked = value == "1"
      case "canPrompt": settings.canPrompt = value == "1"
      case "earliestPermittedSampleDate":
        if value.isEmpty { continue }
        settings.earliestPermittedSampleDate = Instant(
          millisecondsSince1970: try rules.setting(row.text(0), value, RowRules.milliseconds))
      case "tombstoneRetention":
        settings.tombstoneRetention = .milliseconds(
          try rules.setting(row.text(0), value, 0...RowRules.milliseconds.upperBound))
      case "highestPurgedRow":
        settings.highestPurgedRow = try rules.setting(row.text(0), value, RowRules.rows)
      default: break
      }
    }
    return settings
  }

  private func loadSources(
    _ connection: borrowing SQLiteConnection, into registry: inout StoreRegistry
  ) throws(HealthStoreError) {
    let source = try connection.prepare("SELECT id, bundle, name FROM source ORDER BY id")
    while try source.step() {
      let index = registry.sources.count
      try rules.checkOrder("source", source.integer(0), after: index)
      registry.apply(
        .source(
          index: index, Source(name: source.text(2), bundleIdentifier: source.text(1))))
    }
    let row = try connection.prepare(
      "SELECT id, source_id, version, product, os FROM source_revision ORDER BY id")
    while try row.step() {
      let index = registry.revisions.count
      try rules.checkOrder("source_revision", row.integer(0), after: index)
      let source = try rules.place(
        row.integer(1), in: registry.sources.count, "source_revision", row.integer(0), "source")
      let revision = SourceRevision(
        source: registry.sources[source], version: row.optionalText(2),
        productType: row.optionalText(3), operatingSystemVersion: row.optionalText(4))
      registry.apply(
        .revision(
          index: index, StoreRegistry.RevisionEntry(source: source, revision: revision)))
    }
  }

  private func loadClients(
    _ connection: borrowing SQLiteConnection, into registry: inout StoreRegistry
  ) throws(HealthStoreError) {
    let row = try connection.prepare(
      """
      SELECT id, bundle, name, family, version, product, os, explains_reading, explains_sharing,
        entitled, on_watch FROM client ORDER BY id
      """)
    while try row.step() {
      let number = row.integer(0)
      guard RowRules.clients.contains(number) else {
        throw rules.damaged(
          "client", number, "a client's number is from 0 to \(RowRules.clients.upperBound)")
      }
      let client = HealthClient(
        bundleIdentifier: row.text(1), name: row.text(2), family: row.text(3),
        version: row.optionalText(4), productType: row.optionalText(5),
        operatingSystemVersion: row.optionalText(6), hasReadUsageDescription: row.integer(7) != 0,
        hasShareUsageDescription: row.integer(8) != 0, isEntitled: row.integer(9) != 0,
        isOnWatch: row.integer(10) != 0)
      registry.apply(.client(number: Int(number), client))
    }
    // Only a store that nobody has opened yet has neither the user nor a source.
    guard registry.sources.isEmpty || registry.clients.first.flatMap(\.self) != nil else {
      throw rules.damaged("client", 0, "the user is missing")
    }
    try keepNumbers(connection, in: &registry)
  }

  /// Keeps the numbers of clients that are gone and have deleted samples: given out again, they
  /// would say that another app did it.
  private func keepNumbers(
    _ connection: borrowing SQLiteConnection, in registry: inout StoreRegistry
  ) throws(HealthStoreError) {
    let highest = try connection.prepare(
      "SELECT max(deleted_by) FROM tombstone WHERE deleted_by BETWEEN 0 AND ?1")
    highest.bind(1, integer: RowRules.clients.upperBound)
    guard try highest.step(), let number = highest.optionalInteger(0),
      number >= registry.clients.count
    else { return }
    registry.apply(.client(number: Int(number), nil))
  }

  private func loadAuthorizations(
    _ connection: borrowing SQLiteConnection, into registry: inout StoreRegistry
  ) throws(HealthStoreError) {
    let row = try connection.prepare(
      "SELECT family, type_id, share, read FROM authorization ORDER BY family, type_id")
    while try row.step() {
      guard let type = types.type(at: row.integer(1)) else { continue }
      func status(_ column: Int32, _ what: String) throws(HealthStoreError) -> AuthorizationStatus {
        let number = row.integer(column)
        return try rules.known(
          AuthorizationStatus(rawValue: Int(number)), number, "authorization", row.integer(1), what)
      }
      let authorization = Authorization(
        share: try status(2, "share"), read: try status(3, "read"))
      registry.apply(.authorization(family: row.text(0), type, authorization))
    }
  }

  private func loadUserChoices(
    _ connection: borrowing SQLiteConnection, into registry: inout StoreRegistry
  ) throws(HealthStoreError) {
    let priority = try connection.prepare(
      "SELECT type_id, source_id FROM source_priority ORDER BY type_id, rank")
    var order: [(ObjectType, [Int])] = []
    while try priority.step() {
      guard let type = types.type(at: priority.integer(0)) else { continue }
      if order.last?.0 != type { order.append((type, [])) }
      order[order.count - 1].1.append(
        try rules.place(
          priority.integer(1), in: registry.sources.count, "source_priority", priority.integer(0),
          "source"))
    }
    for (type, sources) in order { registry.apply(.priority(.init(type: type, sources: sources))) }
    let fact = try connection.prepare(
      "SELECT type_id, value FROM characteristic ORDER BY type_id")
    while try fact.step() {
      guard let type = types.type(at: fact.integer(0)) else { continue }
      // A day of birth is reckoned with; a number without a name is shown as "not set".
      if type == .dateOfBirth {
        try rules.check(
          fact.integer(1), in: RowRules.days, "characteristic", fact.integer(0), "the day of birth")
      }
      registry.apply(.characteristic(.init(type: type, value: Int(fact.integer(1)))))
    }
    let unit = try connection.prepare(
      "SELECT id, display_unit FROM type WHERE display_unit IS NOT NULL ORDER BY id")
    while try unit.step() {
      guard let type = types.type(at: unit.integer(0)), let unit = try? HealthUnit(unit.text(1))
      else { continue }
      registry.apply(.displayUnit(.init(type: type, unit: unit)))
    }
    let grant = try connection.prepare(
      "SELECT family, uuid, state FROM document_grant ORDER BY family, uuid")
    while try grant.step() {
      registry.apply(
        .grant(
          DocumentGrant(
            family: grant.text(0), uuid: grant.uuid(1),
            state: grant.integer(2) == 1 ? .granted : .refused)))
    }
  }

  private func loadDeliveries(
    _ connection: borrowing SQLiteConnection, into registry: inout StoreRegistry
  ) throws(HealthStoreError) {
    let row = try connection.prepare(
      """
      SELECT client_id, type_id, frequency, enabled, failures, last_wake_up_ms, seen_row
      FROM background_delivery ORDER BY client_id, type_id
      """)
    while try row.step() {
      guard let type = types.type(at: row.integer(1)) else { continue }
      let client = row.integer(0)
      guard RowRules.clients.contains(client) else {
        throw rules.damaged("background_delivery", client, "there is no client of this number")
      }
      // Earlier programs left the wishes of clients that are gone.
      guard client < registry.clients.count, registry.clients[Int(client)] != nil else { continue }
      try rules.check(row.integer(4), in: 0...(1 << 31), "background_delivery", client, "failures")
      try rules.check(
        row.integer(5), in: RowRules.milliseconds, "background_delivery", client, "time")
      try rules.check(row.integer(6), in: RowRules.rows, "background_delivery", client, "seen_row")
      let frequency = try rules.known(
        UpdateFrequency(rawValue: Int(row.integer(2))), row.integer(2), "background_delivery",
        client, "frequency")
      registry.apply(
        .delivery(
          BackgroundDelivery(
            client: ClientID(number: Int(client)), type: type, frequency: frequency,
            isEnabled: row.integer(3) != 0, failures: Int(row.integer(4)),
            lastWakeUp: row.optionalInteger(5).map { Instant(millisecondsSince1970: $0) },
            seenRow: row.integer(6))))
    }
  }

  private func loadSubscriptions(
    _ connection: borrowing SQLiteConnection, into registry: inout StoreRegistry
  ) throws(HealthStoreError) {
    let row = try connection.prepare(
      "SELECT service, position, type_id, anchor FROM subscription ORDER BY service, position")
    var entries: [StoreRegistry.SubscriptionEntry] = []
    while try row.step() {
      guard let type = types.type(at: row.integer(2)) else { continue }
      if entries.last?.service != row.text(0) {
        entries.append(.init(service: row.text(0), types: [], anchors: []))
      }
      try rules.check(row.integer(3), in: RowRules.rows, "subscription", row.integer(1), "anchor")
      entries[entries.count - 1].types.append(type)
      entries[entries.count - 1].anchors.append(row.integer(3))
    }
    for entry in entries { registry.apply(.subscription(entry)) }
  }
}
