internal import Quantities

/// Who asked to be woken since its launch, and which wake-ups nobody has dealt with yet.
///
/// Frequencies, failures and rows outlive the process: they are in the registry.
struct WakeUps: Sendable {
  /// Wake-ups that a client has not said to be done with.
  private var awaited: [WakeUp] = []
  /// The types for which a client asked for wake-ups since it was launched.
  private var armed: [WakeUp.Target] = []

  /// Wakes a client from now on when a type changes.
  mutating func enable<Backend>(
    of type: ObjectType, frequency: UpdateFrequency, as client: ClientID,
    in contents: inout StoreContents<Backend>
  ) throws(HealthStoreError) {
    let asking = try contents.registry.checkedClient(client)
    guard !asking.isOnWatch else { throw .invalidArgument(.backgroundDeliveryOnWatch) }
    guard type.kind != .correlation else {
      throw .invalidArgument(.backgroundDeliveryOfCorrelation(type))
    }
    let target = WakeUp.Target(client: client, type: type)
    var delivery =
      contents.registry.delivery(for: target)
      ?? BackgroundDelivery(
        client: client, type: type, frequency: frequency, isEnabled: true,
        seenRow: contents.lastRow)
    delivery.frequency = frequency
    delivery.isEnabled = true
    delivery.failures = 0
    if !armed.contains(target) { armed.append(target) }
    try contents.commit([.delivery(delivery)])
  }

  /// Takes note that a client was started again, or is gone.
  mutating func stopAll(of client: ClientID) {
    awaited.removeAll { $0.target.client == client }
    armed.removeAll { $0.client == client }
  }

  /// The clients to wake at an instant, in the order of clients and types.
  ///
  /// A client is woken for what its live queries observe.
  mutating func take<Backend>(
    at now: Instant, observing queries: LiveQueries, in contents: inout StoreContents<Backend>
  ) throws(HealthStoreError) -> [WakeUp] {
    guard !contents.registry.settings.isLocked else { return [] }
    var wakeUps: [WakeUp] = []
    let targets = armed.sorted {
      ($0.client, $0.type.rawValue) < ($1.client, $1.type.rawValue)
    }
    for target in targets {
      let predicates = queries.predicates(observing: target)
      guard var delivery = contents.registry.delivery(for: target), delivery.isEnabled,
        !predicates.isEmpty
      else { continue }
      let isAwaited = awaited.contains { $0.target == target }
      guard now >= delivery.earliestWakeUp(isAwaited: isAwaited) else { continue }
      if isAwaited {
        delivery.failures += 1
        awaited.removeAll { $0.target == target }
        if delivery.failures >= 3 {
          delivery.isEnabled = false
          try contents.commit([.delivery(delivery)])
          continue
        }
      } else if try !Self.hasNews(
        for: target, since: delivery.seenRow, matching: predicates, in: contents)
      {
        continue
      }
      delivery.lastWakeUp = now
      let wakeUp = WakeUp(target: target, instant: now, row: contents.lastRow)
      awaited.append(wakeUp)
      wakeUps.append(wakeUp)
      try contents.commit([.delivery(delivery)])
    }
    return wakeUps
  }

  /// Whether anything that an observer of the client follows has changed after a row; never while
  /// nothing was asked, or the client may not ask.
  private static func hasNews<Backend>(
    for target: WakeUp.Target, since row: Int64, matching predicates: [SamplePredicate],
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> Bool {
    do {
      for predicate in predicates
      where try ChangesQuery.hasNews(
        of: target.type, since: row, matching: predicate, as: target.client, in: contents)
      {
        return true
      }
    } catch .authorizationNotDetermined {
      return false
    } catch .notEntitled {
      return false
    }
    return false
  }

  /// Takes the client's word that it has dealt with a wake-up.
  mutating func complete<Backend>(
    _ wakeUp: WakeUp, in contents: inout StoreContents<Backend>
  ) throws(HealthStoreError) {
    guard awaited.contains(wakeUp),
      var delivery = contents.registry.delivery(for: wakeUp.target)
    else { return }
    awaited.removeAll { $0 == wakeUp }
    delivery.failures = 0
    delivery.seenRow = wakeUp.row
    try contents.commit([.delivery(delivery)])
  }
}

extension StoreRegistry {
  /// How a client wants to be woken for a type; `nil` when it never asked.
  fileprivate func delivery(for target: WakeUp.Target) -> BackgroundDelivery? {
    deliveries.first { $0.client == target.client && $0.type == target.type }
  }

  /// The change that ends wake-ups of a client for a type; none where it never asked for them.
  func changes(endingWakeUpsFor target: WakeUp.Target) -> [RegistryChange] {
    guard var delivery = delivery(for: target) else { return [] }
    delivery.isEnabled = false
    return [.delivery(delivery)]
  }
}

extension BackgroundDelivery {
  /// When the client may be woken next: sooner where it left the last wake-up unanswered.
  fileprivate func earliestWakeUp(isAwaited: Bool) -> Instant {
    guard let last = lastWakeUp else { return Instant(millisecondsSince1970: .min) }
    if isAwaited { return last + .minutes(failures == 0 ? 1 : 2) }
    return last + max(frequency.interval, type.minimumDeliveryInterval)
  }
}
