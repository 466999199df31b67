public import Devices
public import HealthStore
public import Quantities

/// The CGM vendor's own app on the same phone, as a client of the health store.
///
/// What it writes, and when, is the business of `VendorApp`; here it becomes samples under the
/// vendor's name.
public struct VendorGlucoseApp: Sendable {
  /// The app as a client of the health store.
  public let client: HealthClient
  private var app: VendorApp
  private var pendingWrites: [Sample] = []
  /// What is due and waits for its release.
  private var heldBack: [Sample] = []
  private var identities: IdentitySequence
  private var clientID: ClientID?

  /// Creates the app; the seed chooses the identities of its samples.
  public init(
    _ app: VendorApp = VendorApp(),
    client: HealthClient = HealthClient(bundleIdentifier: "com.dexcom.G6", name: "Dexcom G6"),
    identitySeed: UInt64 = 1
  ) {
    self.app = app
    self.client = client
    identities = IdentitySequence(seed: identitySeed)
  }

  /// Makes the app known to a health store, with permission to write.
  ///
  /// - Throws: `HealthStoreError` when the store has no health data.
  public mutating func open(_ store: inout InMemoryHealthStore) throws(HealthStoreError) {
    clientID = try store.register(client, granting: .full, for: [.bloodGlucose])
  }

  /// Takes in a value of the CGM; one for display only is left out.
  public mutating func observe(_ reading: GlucoseReading) {
    guard !reading.isDisplayOnly else { return }
    app.receive(reading)
  }

  /// Writes the samples that are due, but for those that are held back, of which each is asked
  /// about once; they wait for a call that releases them.
  ///
  /// - Throws: `HealthStoreError` when the store takes none; they stay due.
  public mutating func write(
    to store: inout InMemoryHealthStore, at now: Instant, releasing releases: Bool = true,
    holdingBack isHeldBack: () -> Bool = { false }
  ) throws(HealthStoreError) {
    if releases {
      pendingWrites += heldBack
      heldBack.removeAll()
    }
    for reading in app.writes(at: now) {
      let sample = Sample.bloodGlucose(
        reading.glucose, at: reading.instant, uuid: identities.next(at: reading.instant))
      if isHeldBack() { heldBack.append(sample) } else { pendingWrites.append(sample) }
    }
    guard let clientID, !pendingWrites.isEmpty else { return }
    try store.save(pendingWrites, as: clientID, at: now)
    pendingWrites.removeAll()
  }
}
