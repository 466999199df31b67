internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// The apps on the phone of a run as they are installed, and the health store that they share.
struct PhoneApps {
  /// The closed-loop app; without an app in the scenario only its settings count.
  let loop: LoopApp
  /// The sensor maker's own app, where there is one.
  let vendor: VendorGlucoseApp?
  /// The health store, which the apps have opened.
  let store: InMemoryHealthStore

  /// Installs the apps.
  ///
  /// - Parameters:
  ///   - configuration: The closed-loop app's.
  ///   - isOpened: Whether there is such an app, which then opens the health store.
  ///   - hasVendorApp: Whether there is the sensor maker's.
  ///   - unit: The unit in which the person wants to see glucose.
  ///   - beginning: When they are installed.
  /// - Throws: What the health store refuses.
  init(
    _ configuration: LoopAppConfiguration, isOpened: Bool, hasVendorApp: Bool,
    showing unit: GlucoseUnit, at beginning: Instant
  ) throws {
    var store = InMemoryHealthStore()
    if unit == .millimolesPerLitre {
      try store.setPreferredUnit(.millimolePerLitre, for: .bloodGlucose)
    }
    var loop = LoopApp(configuration: configuration, at: beginning)
    if isOpened { try loop.open(&store, granting: .full) }
    var vendor: VendorGlucoseApp?
    if hasVendorApp {
      // Another seed, so that the two apps give their samples different identifiers.
      var app = VendorGlucoseApp(identitySeed: configuration.identitySeed &+ 1)
      try app.open(&store)
      vendor = app
    }
    self.loop = loop
    self.vendor = vendor
    self.store = store
  }
}
