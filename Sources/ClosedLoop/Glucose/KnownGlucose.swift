internal import Devices
internal import Dosing
internal import HealthStore
internal import Quantities

/// What the app knows of glucose: the values, also as the algorithm takes them, and whether the CGM
/// can be relied on.
package struct KnownGlucose: Sendable {
  /// The values.
  package private(set) var store: GlucoseStore
  /// Whether the sensor calls its values unreliable: then nothing is dosed automatically.
  private(set) var isUnreliable = false
  /// The sensor and the number of the newest reading, which says whether the CGM can be relied on.
  private var newestReading = (sensor: Int.min, number: Int64.min)
  /// The values of the last hours as the algorithm takes them.
  private(set) var history = GlucoseHistory()
  /// What was written of earlier values besides themselves.
  private var written = GlucoseMetadata()
  /// The last change of the store for which the permission to write was looked at.
  private var seen: Int64 = 0
  /// The app's identity, under which it stores its own values.
  private let provenance: String
  /// Whether glucose of other apps is read.
  private let readsForeign: Bool

  init(_ configuration: LoopAppConfiguration) {
    store = GlucoseStore(policy: configuration.sensor)
    provenance = configuration.bundleIdentifier
    readsForeign = configuration.readsForeignGlucose
  }

  // MARK: - What the CGM and a person say

  /// Takes in a value of the CGM, unless the sensor itself calls it unreliable.
  mutating func take(_ reading: GlucoseReading, at now: Instant) {
    // A reading that comes late says nothing of the sensor now.
    if (reading.sensor, reading.number) >= newestReading {
      newestReading = (reading.sensor, reading.number)
      isUnreliable = reading.isUnreliable
    }
    guard !reading.isUnreliable else { return }
    let identifier = SyncIdentifier.reading(
      sensor: reading.sensor, number: reading.number, at: reading.instant)
    store.add(
      GlucoseStore.Row(
        date: reading.instant, glucose: reading.glucose, syncIdentifier: identifier,
        provenance: provenance, isDisplayOnly: reading.isDisplayOnly,
        wasUserEntered: reading.isDisplayOnly,
        condition: reading.isOutOfRange ? reading.condition.rawValue : nil,
        trend: reading.trend?.arrow, trendRate: reading.trendRate))
    store.purge(at: now)
  }

  /// Whether a person may type in a value (Loop, `LoopConstants.swift`).
  static func canEnter(_ value: GlucoseConcentration) -> Bool {
    (.mgdL(10)...(.mgdL(600))).contains(value)
  }

  /// Takes in a value that a person types in.
  mutating func enter(
    _ value: GlucoseConcentration, as identifier: SyncIdentifier, at now: Instant
  ) {
    assert(Self.canEnter(value), "What is typed in is in the range of a meter.")
    store.add([
      GlucoseStore.Row(
        date: now, glucose: value, syncIdentifier: identifier, provenance: provenance,
        wasUserEntered: true)
    ])
  }

  // MARK: - As the algorithm takes it

  /// Carries the samples of the last hours on to an instant.
  mutating func refresh(at now: Instant) {
    history.refresh(store.rows(from: DataWindows(at: now).glucose.lowerBound, to: now), of: store)
  }

  /// Notes that the algorithm has seen the samples that are carried on, or others.
  mutating func noteLook(isKept: Bool) { history.noteLook(isKept: isKept) }

  /// The values between two instants as the algorithm takes them, and whether they are those that
  /// are carried on.
  func samples(
    from start: Instant, to end: Instant
  ) -> (samples: [AlgorithmInput.GlucoseSample], isKept: Bool) {
    history.samples(of: store.rows(from: start, to: end), in: store)
  }

  // MARK: - The health store

  /// Takes in what others changed.
  mutating func take(_ changes: SampleChanges) {
    for deleted in changes.deleted { store.noteDeletion(ofSample: deleted.uuid) }
    for sample in changes.added {
      let source = sample.writer
      guard source == provenance || readsForeign else { continue }
      store.receive(sample, from: source)
    }
  }

  /// Writes the values that are due.
  mutating func write(
    to health: inout InMemoryHealthStore, through connection: inout HealthConnection,
    at now: Instant
  ) {
    guard connection.isOpen else { return store.noteRefusal(at: now) }
    // A value that arrives while writing is not allowed is never written; one that could not be
    // written is written later (LoopKit, `GlucoseStore.swift`).
    let isFailing = connection.failing.contains(.bloodGlucose)
    if !isFailing, !connection.canWrite(.glucose, to: health) { store.keepBack(after: seen) }
    seen = store.counter
    guard !isFailing, let newest = writeDue(to: &health, through: &connection, at: now) else {
      return store.noteRefusal(at: now)
    }
    let window = store.managedWindow(newest: store.date(at: newest), at: now)
    guard let window else { return }
    connection.delete(.glucose, from: window.start, to: window.end, in: &health, at: now)
  }

  /// Writes the rows that are due, and returns the place of the one that came last; `nil` where
  /// none was due, or the store took none.
  private mutating func writeDue(
    to health: inout InMemoryHealthStore, through connection: inout HealthConnection,
    at now: Instant
  ) -> Int? {
    // One needs no lists.
    if let place = store.onlyDue(at: now) {
      let sample = sample(at: place, as: &connection)
      guard let outcome = connection.save(sample, to: &health, at: now) else { return nil }
      store.noteSample(outcome.uuid(of: sample), at: place)
      return place
    }
    let places = store.due(at: now)
    let samples = places.map { sample(at: $0, as: &connection) }
    guard let outcomes = connection.save(samples, to: &health, at: now) else { return nil }
    for (index, place) in places.enumerated() {
      store.noteSample(outcomes[index].uuid(of: samples[index]), at: place)
    }
    return places.last
  }

  /// The sample for the row at a place, with a new identity.
  private mutating func sample(at place: Int, as connection: inout HealthConnection) -> Sample {
    store.sample(
      at: place, uuid: connection.newIdentity(at: store.date(at: place)), knowing: &written)
  }

  // MARK: - Forgetting

  /// Forgets values that are too old to be kept.
  mutating func purge(at now: Instant) { store.purge(at: now) }

  /// Keeps in mind what an app in whose place this one starts has not written.
  mutating func passOverUnwritten(of other: Self) {
    store.passOverUnwritten(of: other.store)
  }

  /// Forgets what is not kept on disk.
  mutating func forgetMemory() { isUnreliable = false }
}
