internal import ClosedLoop
internal import Determinism
internal import HealthStore
internal import Quantities

/// What people and other apps do with the health store, apart from what is in it.
struct HealthStoreUse: Sendable {
  /// What the person allows the app, whatever faults make of it.
  private(set) var permissions: [HealthStoreAccess.Data: Authorization]
  /// What the store last lost.
  var backup: [Sample] = []
  /// What other devices and apps keep for a phone that is off, with the names of the events.
  var waiting: [(write: HealthStoreWrite, event: String)] = []
  /// Identities of samples that other apps write.
  private var identities: RandomStream

  init(beginning setup: Setup) {
    permissions = Run.permissions(
      of: setup.app.configuration.bundleIdentifier, in: setup.store)
    identities = RandomStream(seed: setup.seed, name: "healthStore")
  }

  /// The identity of a sample that another app writes at an instant.
  mutating func nextIdentity(at now: Instant) -> SampleUUID {
    SampleUUID(at: now, using: &identities)
  }

  /// The person allows or refuses data, where the app has asked for them.
  mutating func answer(_ access: HealthStoreAccess) {
    let answer = access.isGranted ? AuthorizationStatus.authorized : .denied
    for data in access.data {
      if access.directions.contains(.write) { permissions[data]?.share = answer }
      if access.directions.contains(.read) { permissions[data]?.read = answer }
    }
  }
}
