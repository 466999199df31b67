public import Quantities

extension HealthRecordStore {
  /// Asks to be woken when a type changes; to be asked again at every launch of the client.
  ///
  /// The client needs an observer query for the type as well. HealthKit:
  /// `enableBackgroundDelivery(for:frequency:)`.
  ///
  /// - Throws: `invalidArgument` for a correlation, and on a watch.
  public mutating func enableBackgroundDelivery(
    of type: ObjectType, frequency: UpdateFrequency, as client: ClientID
  ) throws(HealthStoreError) {
    let asking = try contents.registry.checkedClient(client)
    guard !asking.isOnWatch else { throw .invalidArgument(.backgroundDeliveryOnWatch) }
    guard type.kind != .correlation else {
      throw .invalidArgument(.backgroundDeliveryOfCorrelation(type))
    }
    let target = WakeUp.Target(client: client, type: type)
    var delivery =
      delivery(for: target)
      ?? BackgroundDelivery(
        client: client, type: type, frequency: frequency, isEnabled: true,
        seenRow: contents.lastRow)
    delivery.frequency = frequency
    delivery.isEnabled = true
    delivery.failures = 0
    if !liveQueries.armed.contains(target) { liveQueries.armed.append(target) }
    try contents.commit([.delivery(delivery)])
  }

  /// Ends wake-ups for a type.
  ///
  /// HealthKit: `disableBackgroundDelivery(for:)`.
  public mutating func disableBackgroundDelivery(
    of type: ObjectType, as client: ClientID
  ) throws(HealthStoreError) {
    _ = try contents.registry.checkedClient(client)
    guard var delivery = delivery(for: .init(client: client, type: type)) else { return }
    delivery.isEnabled = false
    try contents.commit([.delivery(delivery)])
  }

  /// Ends all wake-ups of a client.
  ///
  /// HealthKit: `disableAllBackgroundDelivery()`.
  public mutating func disableAllBackgroundDelivery(
    as client: ClientID
  ) throws(HealthStoreError) {
    for delivery in contents.registry.deliveries
    where delivery.client == client && delivery.isEnabled {
      try disableBackgroundDelivery(of: delivery.type, as: client)
    }
  }

  /// Takes note that a client was started again: its queries are gone, and it is not woken until it
  /// asks again.
  ///
  /// HealthKit: an app asks again in `application(_:didFinishLaunchingWithOptions:)`.
  public mutating func relaunch(_ client: ClientID) { liveQueries.stopAll(of: client) }

  /// The clients to wake at an instant, in the order of clients and types.
  ///
  /// Wake-ups of one type are never closer together than the client's frequency and the type
  /// allow. One that the client does not complete is repeated after 1 and after 2 minutes; after
  /// the third in vain, wake-ups end until they are enabled again.
  ///
  /// HealthKit: background delivery to an `HKObserverQuery`.
  public mutating func takeWakeUps(at now: Instant) throws(HealthStoreError) -> [WakeUp] {
    guard !contents.registry.settings.isLocked else { return [] }
    var wakeUps: [WakeUp] = []
    let targets = liveQueries.armed.sorted {
      ($0.client, $0.type.rawValue) < ($1.client, $1.type.rawValue)
    }
    for target in targets {
      guard var delivery = delivery(for: target), delivery.isEnabled, isObserved(target) else {
        continue
      }
      let isAwaited = liveQueries.awaiting.contains { $0.target == target }
      guard now >= earliestWakeUp(delivery, isAwaited: isAwaited) else { continue }
      if isAwaited {
        delivery.failures += 1
        liveQueries.awaiting.removeAll { $0.target == target }
        if delivery.failures >= 3 {
          delivery.isEnabled = false
          try contents.commit([.delivery(delivery)])
          continue
        }
      } else if try !contents.hasChanges(of: target.type, since: delivery.seenRow, target.client) {
        continue
      }
      delivery.lastWakeUp = now
      let wakeUp = WakeUp(target: target, instant: now, row: contents.lastRow)
      liveQueries.awaiting.append(wakeUp)
      wakeUps.append(wakeUp)
      try contents.commit([.delivery(delivery)])
    }
    return wakeUps
  }

  /// Takes the client's word that it has dealt with a wake-up.
  ///
  /// HealthKit: `HKObserverQueryCompletionHandler`.
  public mutating func complete(_ wakeUp: WakeUp) throws(HealthStoreError) {
    guard liveQueries.awaiting.contains(wakeUp), var delivery = delivery(for: wakeUp.target) else {
      return
    }
    liveQueries.awaiting.removeAll { $0 == wakeUp }
    delivery.failures = 0
    delivery.seenRow = wakeUp.row
    try contents.commit([.delivery(delivery)])
  }

  private func delivery(for target: WakeUp.Target) -> BackgroundDelivery? {
    contents.registry.deliveries.first { $0.client == target.client && $0.type == target.type }
  }

  private func isObserved(_ target: WakeUp.Target) -> Bool {
    liveQueries.entries.contains {
      $0.isExecuted && $0.query.kind == .observer && $0.query.client == target.client
        && $0.query.types.contains(target.type)
    }
  }

  private func earliestWakeUp(_ delivery: BackgroundDelivery, isAwaited: Bool) -> Instant {
    guard let last = delivery.lastWakeUp else { return Instant(millisecondsSince1970: .min) }
    if isAwaited { return last + .minutes(delivery.failures == 0 ? 1 : 2) }
    return last + max(delivery.frequency.interval, delivery.type.minimumDeliveryInterval)
  }
}
