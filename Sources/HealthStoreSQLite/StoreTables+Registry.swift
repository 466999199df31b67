internal import HealthStore
internal import Quantities

extension StoreTables {
  /// Writes one change of the registry.
  func write(_ change: RegistryChange) throws(HealthStoreError) {
    switch change {
    case .settings(let settings): try write(settings)
    case .client(let number, let client): try write(client, number: number)
    case .source(let index, let source):
      registry.source.bind(1, integer: Int64(index) + 1)
      registry.source.bind(2, text: source.bundleIdentifier)
      registry.source.bind(3, text: source.name)
      try registry.source.run()
      sourceCount = max(sourceCount, index + 1)
    case .revision(let index, let entry):
      registry.revision.bind(1, integer: Int64(index) + 1)
      registry.revision.bind(2, integer: Int64(entry.source) + 1)
      registry.revision.bind(3, text: entry.revision.version)
      registry.revision.bind(4, text: entry.revision.productType)
      registry.revision.bind(5, text: entry.revision.operatingSystemVersion)
      try registry.revision.run()
      revisionCount = max(revisionCount, index + 1)
    case .authorization(let family, let type, let authorization):
      registry.authorization.bind(1, text: family)
      registry.authorization.bind(2, integer: types.row(of: type))
      registry.authorization.bind(3, integer: Int64(authorization.share.rawValue))
      registry.authorization.bind(4, integer: Int64(authorization.read.rawValue))
      try registry.authorization.run()
    case .priority(let entry): try write(entry)
    case .characteristic(let entry):
      registry.characteristic.bind(1, integer: types.row(of: entry.type))
      registry.characteristic.bind(2, integer: Int64(entry.value))
      try registry.characteristic.run()
    case .displayUnit(let entry):
      registry.displayUnit.bind(1, integer: types.row(of: entry.type))
      registry.displayUnit.bind(2, text: entry.unit.unitString)
      try registry.displayUnit.run()
    case .grant(let grant):
      registry.grant.bind(1, text: grant.family)
      registry.grant.bind(2, uuid: grant.uuid)
      registry.grant.bind(3, integer: Int64(grant.state.rawValue))
      try registry.grant.run()
    case .forgetGrants(let family):
      registry.forgetGrants.bind(1, text: family)
      try registry.forgetGrants.run()
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
      registry.meta.bind(1, text: key)
      registry.meta.bind(2, text: value)
      try registry.meta.run()
    }
  }

  private func write(_ client: HealthClient?, number: Int) throws(HealthStoreError) {
    guard let client else {
      registry.deleteClient.bind(1, integer: Int64(number))
      return try registry.deleteClient.run()
    }
    registry.client.bind(1, integer: Int64(number))
    registry.client.bind(2, text: client.bundleIdentifier)
    registry.client.bind(3, text: client.name)
    registry.client.bind(4, text: client.family)
    registry.client.bind(5, text: client.version)
    registry.client.bind(6, text: client.productType)
    registry.client.bind(7, text: client.operatingSystemVersion)
    registry.client.bind(8, integer: client.hasReadUsageDescription ? 1 : 0)
    registry.client.bind(9, integer: client.hasShareUsageDescription ? 1 : 0)
    registry.client.bind(10, integer: client.isEntitled ? 1 : 0)
    registry.client.bind(11, integer: client.isOnWatch ? 1 : 0)
    try registry.client.run()
  }

  private func write(_ entry: StoreRegistry.PriorityEntry) throws(HealthStoreError) {
    registry.clearPriority.bind(1, integer: types.row(of: entry.type))
    try registry.clearPriority.run()
    for (rank, source) in entry.sources.enumerated() {
      registry.priority.bind(1, integer: types.row(of: entry.type))
      registry.priority.bind(2, integer: Int64(rank))
      registry.priority.bind(3, integer: Int64(source) + 1)
      try registry.priority.run()
    }
  }

  private func write(_ delivery: BackgroundDelivery) throws(HealthStoreError) {
    registry.delivery.bind(1, integer: Int64(delivery.client.number))
    registry.delivery.bind(2, integer: types.row(of: delivery.type))
    registry.delivery.bind(3, integer: Int64(delivery.frequency.rawValue))
    registry.delivery.bind(4, integer: delivery.isEnabled ? 1 : 0)
    registry.delivery.bind(5, integer: Int64(delivery.failures))
    registry.delivery.bind(6, integer: delivery.lastWakeUp?.millisecondsSince1970)
    registry.delivery.bind(7, integer: delivery.seenRow)
    try registry.delivery.run()
  }

  private func write(_ entry: StoreRegistry.SubscriptionEntry) throws(HealthStoreError) {
    registry.clearSubscription.bind(1, text: entry.service)
    try registry.clearSubscription.run()
    for (position, (type, anchor)) in zip(entry.types, entry.anchors).enumerated() {
      registry.subscription.bind(1, text: entry.service)
      registry.subscription.bind(2, integer: Int64(position))
      registry.subscription.bind(3, integer: types.row(of: type))
      registry.subscription.bind(4, integer: anchor)
      try registry.subscription.run()
    }
  }
}
