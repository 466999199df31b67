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
    try wakeUps.enable(of: type, frequency: frequency, as: client, in: &contents)
  }

  /// Ends wake-ups for a type.
  ///
  /// HealthKit: `disableBackgroundDelivery(for:)`.
  public mutating func disableBackgroundDelivery(
    of type: ObjectType, as client: ClientID
  ) throws(HealthStoreError) {
    try contents.registry.check(client)
    try contents.commit(
      contents.registry.changes(endingWakeUpsFor: .init(client: client, type: type)))
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
  public mutating func relaunch(_ client: ClientID) {
    liveQueries.stopAll(of: client)
    wakeUps.stopAll(of: client)
  }

  /// The clients to wake at an instant, in the order of clients and types.
  ///
  /// Wake-ups of one type are never closer together than the client's frequency and the type
  /// allow. One that the client does not complete is repeated after 1 and after 2 minutes; after
  /// the third in vain, wake-ups end until they are enabled again.
  ///
  /// HealthKit: background delivery to an `HKObserverQuery`.
  public mutating func takeWakeUps(at now: Instant) throws(HealthStoreError) -> [WakeUp] {
    try wakeUps.take(at: now, observing: liveQueries, in: &contents)
  }

  /// Takes the client's word that it has dealt with a wake-up.
  ///
  /// HealthKit: `HKObserverQueryCompletionHandler`.
  public mutating func complete(_ wakeUp: WakeUp) throws(HealthStoreError) {
    try wakeUps.complete(wakeUp, in: &contents)
  }
}
