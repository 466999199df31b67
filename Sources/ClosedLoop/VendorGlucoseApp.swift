public import Devices
public import HealthStore
public import Quantities

/// The CGM vendor's own app on the same phone, which writes glucose late and smoothed.
///
/// Dexcom's app writes 3 hours after a value and smooths what it writes (LoopDocs, Apple HealthKit
/// FAQs). How it smooths is not public; here the value of a time is the mean of those from 10
/// minutes before to 10 minutes after it with weights 1, 2, 3, 2, 1, over those there are, in whole
/// mg/dL.
public struct VendorGlucoseApp: Sendable {
  /// The weights of values 10 and 5 minutes before, at, and 5 and 10 minutes after a time.
  static let weights = [1.0, 2, 3, 2, 1]

  public let client: HealthClient
  /// How long after a value its sample is written.
  public let delay: TimeSpan
  private var readings: [GlucoseReading] = []
  private var written = 0
  private var identities: IdentitySequence
  private var clientID: ClientID?

  /// Creates the app; the seed chooses the identities of its samples.
  public init(
    client: HealthClient = HealthClient(bundleIdentifier: "com.dexcom.G6", name: "Dexcom G6"),
    delay: TimeSpan = .hours(3), identitySeed: UInt64 = 1
  ) {
    self.client = client
    self.delay = delay
    identities = IdentitySequence(seed: identitySeed)
  }

  /// Makes the app known to a health store, with permission to write.
  ///
  /// - Throws: ``HealthStoreError`` when the store has no health data.
  public mutating func open(_ store: inout InMemoryHealthStore) throws(HealthStoreError) {
    clientID = try store.register(client, granting: .full)
  }

  /// Takes in a value of the CGM; unreliable ones and those out of order are left out.
  public mutating func observe(_ reading: GlucoseReading) {
    guard !reading.isUnreliable, !reading.isDisplayOnly else { return }
    if let last = readings.last, last.instant >= reading.instant { return }
    readings.append(reading)
  }

  /// When the next sample is due.
  public var nextWrite: Instant? {
    written < readings.count ? readings[written].instant + delay : nil
  }

  /// Writes the samples that are due.
  ///
  /// - Throws: ``HealthStoreError`` when the store takes none; they stay due.
  public mutating func write(to store: inout InMemoryHealthStore, at now: Instant)
    throws(HealthStoreError)
  {
    guard let clientID else { return }
    var samples: [Sample] = []
    var next = written
    while next < readings.count, readings[next].instant + delay <= now {
      let reading = readings[next]
      samples.append(
        .bloodGlucose(
          smoothed(next), at: reading.instant, uuid: identities.next(at: reading.instant)))
      next += 1
    }
    guard !samples.isEmpty else { return }
    try store.save(samples, as: clientID, at: now)
    written = next
    // What is more than 10 minutes before the next value smooths nothing any more.
    if written > 64 {
      readings.removeFirst(written - 8)
      written = 8
    }
  }

  private func smoothed(_ index: Int) -> GlucoseConcentration {
    let time = readings[index].instant
    var sum = 0.0
    var weight = 0.0
    for neighbour in max(0, index - 4)...min(readings.count - 1, index + 4) {
      let steps = Int(((readings[neighbour].instant - time).minutes / 5).rounded())
      guard (-2...2).contains(steps) else { continue }
      sum += Self.weights[steps + 2] * readings[neighbour].glucose.mgdL
      weight += Self.weights[steps + 2]
    }
    return .mgdL((sum / weight).rounded())
  }
}
