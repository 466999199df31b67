internal import HealthStore
internal import Quantities

/// What is in a store beside samples, in tables of its own.
final class RegistryTables {
  /// How many sources and revisions the file has; what a sample names must be among them.
  private(set) var sourceCount = 0
  private(set) var revisionCount = 0
  /// The numbers of the types, and the checks of what is read.
  let types: TypeTable
  let rules: RowCheck
  private let putSetting: SQLiteStatement
  private let putSource: SQLiteStatement
  private let putRevision: SQLiteStatement
  private let putClient: SQLiteStatement
  private let deleteClient: SQLiteStatement
  private let forgetDeliveries: SQLiteStatement
  private let putAuthorization: SQLiteStatement
  private let clearPriority: SQLiteStatement
  private let putPriority: SQLiteStatement
  private let putCharacteristic: SQLiteStatement
  private let putDisplayUnit: SQLiteStatement
  private let putGrant: SQLiteStatement
  private let forgetGrants: SQLiteStatement
  private let putDelivery: SQLiteStatement
  private let clearSubscription: SQLiteStatement
  private let putSubscription: SQLiteStatement

  init(
    _ connection: borrowing SQLiteConnection, _ types: TypeTable
  ) throws(HealthStoreError) {
    putSetting = try connection.prepare("REPLACE INTO meta(key, value) VALUES(?1, ?2)")
    putSource = try connection.prepare(
      """
      INSERT INTO source(id, bundle, name) VALUES(?1, ?2, ?3)
      ON CONFLICT(id) DO UPDATE SET bundle = ?2, name = ?3
      """)
    putRevision = try connection.prepare(
      """
      INSERT INTO source_revision(id, source_id, version, product, os) VALUES(?1, ?2, ?3, ?4, ?5)
      ON CONFLICT(id) DO NOTHING
      """)
    putClient = try connection.prepare(
      "REPLACE INTO client VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")
    deleteClient = try connection.prepare("DELETE FROM client WHERE id = ?1")
    forgetDeliveries = try connection.prepare(
      "DELETE FROM background_delivery WHERE client_id = ?1")
    putAuthorization = try connection.prepare("REPLACE INTO authorization VALUES(?1, ?2, ?3, ?4)")
    clearPriority = try connection.prepare("DELETE FROM source_priority WHERE type_id = ?1")
    putPriority = try connection.prepare("INSERT INTO source_priority VALUES(?1, ?2, ?3)")
    putCharacteristic = try connection.prepare("REPLACE INTO characteristic VALUES(?1, ?2)")
    putDisplayUnit = try connection.prepare("UPDATE type SET display_unit = ?2 WHERE id = ?1")
    putGrant = try connection.prepare("REPLACE INTO document_grant VALUES(?1, ?2, ?3)")
    forgetGrants = try connection.prepare("DELETE FROM document_grant WHERE family = ?1")
    putDelivery = try connection.prepare(
      "REPLACE INTO background_delivery VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    clearSubscription = try connection.prepare("DELETE FROM subscription WHERE service = ?1")
    putSubscription = try connection.prepare("INSERT INTO subscription VALUES(?1, ?2, ?3, ?4)")
    self.types = types
    rules = RowCheck(path: connection.path)
  }

  /// Counts the sources and revisions anew.
  func count(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    sourceCount = Int(try connection.number("SELECT count(*) FROM source"))
    revisionCount = Int(try connection.number("SELECT count(*) FROM source_revision"))
  }

  /// Writes one change of the registry.
  func write(_ change: RegistryChange) throws(HealthStoreError) {
    switch change {
    case .settings(let settings): try write(settings)
    case .client(let number, let client): try write(client, number: number)
    case .source(let index, let source):
      putSource.bind(1, integer: Int64(index) + 1)
      putSource.bind(2, text: source.bundleIdentifier)
      putSource.bind(3, text: source.name)
      try putSource.run()
      sourceCount = max(sourceCount, index + 1)
    case .revision(let index, let entry):
      putRevision.bind(1, integer: Int64(index) + 1)
      putRevision.bind(2, integer: Int64(entry.source) + 1)
      putRevision.bind(3, text: entry.revision.version)
      putRevision.bind(4, text: entry.revision.productType)
      putRevision.bind(5, text: entry.revision.operatingSystemVersion)
      try putRevision.run()
      revisionCount = max(revisionCount, index + 1)
    case .authorization(let family, let type, let authorization):
      putAuthorization.bind(1, text: family)
      putAuthorization.bind(2, integer: types.row(of: type))
      putAuthorization.bind(3, integer: Int64(authorization.share.rawValue))
      putAuthorization.bind(4, integer: Int64(authorization.read.rawValue))
      try putAuthorization.run()
    case .priority(let entry): try write(entry)
    case .characteristic(let entry):
      putCharacteristic.bind(1, integer: types.row(of: entry.type))
      putCharacteristic.bind(2, integer: Int64(entry.value))
      try putCharacteristic.run()
    case .displayUnit(let entry):
      putDisplayUnit.bind(1, integer: types.row(of: entry.type))
      putDisplayUnit.bind(2, text: entry.unit.unitString)
      try putDisplayUnit.run()
    case .grant(let grant):
      putGrant.bind(1, text: grant.family)
      putGrant.bind(2, uuid: grant.uuid)
      putGrant.bind(3, integer: Int64(grant.state.rawValue))
      try putGrant.run()
    case .forgetGrants(let family):
      forgetGrants.bind(1, text: family)
      try forgetGrants.run()
    case .delivery(let delivery): try write(delivery)
    case .subscription(let entry): try write(entry)
    }
  }

  private func write(_ settings: StoreSettings) throws(HealthStoreError) {
    let values: [(String, String)] = [
      ("isAvailable", settings.isAvailable ? "1" : "0"),
      ("isRestricted", settings.isRestricted ? "1" : "0"),
      ("isLocked", settings.isLocked ? "1" : "0"), ("canPrompt", settings.canPrompt ? "1" : "0"),
      (
        "earliestPermittedSampleDate",
        settings.earliestPermittedSampleDate.map { "\($0.millisecondsSince1970)" } ?? ""
      ),
      ("tombstoneRetention", "\(settings.tombstoneRetention.milliseconds)"),
      ("highestPurgedRow", "\(settings.highestPurgedRow)"),
    ]
    for (key, value) in values {
      putSetting.bind(1, text: key)
      putSetting.bind(2, text: value)
      try putSetting.run()
    }
  }

  private func write(_ client: HealthClient?, number: Int) throws(HealthStoreError) {
    guard let client else {
      deleteClient.bind(1, integer: Int64(number))
      try deleteClient.run()
      forgetDeliveries.bind(1, integer: Int64(number))
      return try forgetDeliveries.run()
    }
    putClient.bind(1, integer: Int64(number))
    putClient.bind(2, text: client.bundleIdentifier)
    putClient.bind(3, text: client.name)
    putClient.bind(4, text: client.family)
    putClient.bind(5, text: client.version)
    putClient.bind(6, text: client.productType)
    putClient.bind(7, text: client.operatingSystemVersion)
    putClient.bind(8, integer: client.hasReadUsageDescription ? 1 : 0)
    putClient.bind(9, integer: client.hasShareUsageDescription ? 1 : 0)
    putClient.bind(10, integer: client.isEntitled ? 1 : 0)
    putClient.bind(11, integer: client.isOnWatch ? 1 : 0)
    try putClient.run()
  }

  private func write(_ entry: StoreRegistry.PriorityEntry) throws(HealthStoreError) {
    clearPriority.bind(1, integer: types.row(of: entry.type))
    try clearPriority.run()
    for (rank, source) in entry.sources.enumerated() {
      putPriority.bind(1, integer: types.row(of: entry.type))
      putPriority.bind(2, integer: Int64(rank))
      putPriority.bind(3, integer: Int64(source) + 1)
      try putPriority.run()
    }
  }

  private func write(_ delivery: BackgroundDelivery) throws(HealthStoreError) {
    putDelivery.bind(1, integer: Int64(delivery.client.number))
    putDelivery.bind(2, integer: types.row(of: delivery.type))
    putDelivery.bind(3, integer: Int64(delivery.frequency.rawValue))
    putDelivery.bind(4, integer: delivery.isEnabled ? 1 : 0)
    putDelivery.bind(5, integer: Int64(delivery.failures))
    putDelivery.bind(6, integer: delivery.lastWakeUp?.millisecondsSince1970)
    putDelivery.bind(7, integer: delivery.seenRow)
    try putDelivery.run()
  }

  private func write(_ entry: StoreRegistry.SubscriptionEntry) throws(HealthStoreError) {
    clearSubscription.bind(1, text: entry.service)
    try clearSubscription.run()
    for (position, (type, anchor)) in zip(entry.types, entry.anchors).enumerated() {
      putSubscription.bind(1, text: entry.service)
      putSubscription.bind(2, integer: Int64(position))
      putSubscription.bind(3, integer: types.row(of: type))
      putSubscription.bind(4, integer: anchor)
      try putSubscription.run()
    }
  }
}
