internal import HealthStore
internal import Quantities

/// The app's connection to the health store: as whom it speaks, how far it has read, and what was
/// refused to it.
///
/// It knows nothing of what the samples mean: each kind of record makes its own, and takes in what
/// others changed. Whoever uses the connection asks for ``takeRefusals()`` afterwards.
struct HealthConnection: Sendable {
  /// The kinds of sample that the app reads and writes: what Loop asks for.
  enum Kind: CaseIterable {
    case insulin, glucose, carbs

    /// The type of the samples.
    var type: ObjectType {
      switch self {
      case .insulin: .insulinDelivery
      case .glucose: .bloodGlucose
      case .carbs: .dietaryCarbohydrates
      }
    }
  }

  /// How far back samples are read when the app first opens a store: 8 hours, twice the time that
  /// slow food takes (LoopKit).
  static let firstReading = TimeSpan.hours(8)

  /// What the app may do in the health store, once it has opened one.
  private(set) var client: ClientID?
  private var anchors = HealthAnchors()
  private var identities: IdentitySequence
  /// What the store refused since somebody last asked.
  private var refusals: [AppWarning] = []
  /// The types that the store fails to take at present, though the person lets the app write them.
  var failing: [ObjectType] = []
  private let bundleIdentifier: String
  private let name: String

  init(_ configuration: LoopAppConfiguration) {
    bundleIdentifier = configuration.bundleIdentifier
    name = configuration.name
    identities = IdentitySequence(seed: configuration.identitySeed)
  }

  /// Makes the app known to a store; what the user allows holds for every kind.
  mutating func open(
    _ store: inout InMemoryHealthStore, granting authorization: Authorization?
  ) throws(HealthStoreError) {
    client = try store.register(
      HealthClient(bundleIdentifier: bundleIdentifier, name: name),
      granting: authorization, for: Kind.allCases.map(\.type))
  }

  /// Whether the app has opened a store.
  var isOpen: Bool { client != nil }

  /// The identity of a sample, or of a record of the app, that is made at an instant.
  mutating func newIdentity(at instant: Instant) -> SampleUUID { identities.next(at: instant) }

  /// Gives no identity that another connection has given.
  mutating func passOverIdentities(of other: Self) { identities = other.identities }

  /// What was refused since this was last asked for.
  mutating func takeRefusals() -> [AppWarning] {
    defer { refusals.removeAll() }
    return refusals
  }

  // MARK: - Reading

  /// Whether a store may hold something that the app has not seen.
  mutating func mustRead(_ store: InMemoryHealthStore) -> Bool {
    guard let client else { return false }
    anchors.passOverOwn(through: store.lastRow)
    return !anchors.haveSeen(store.lastRow) || !store.isReadable(by: client)
  }

  /// What changed in a store since the app last read a kind; nothing where it is not open.
  ///
  /// The first look at a store goes back some hours only.
  mutating func changes(
    of kind: Kind, in store: InMemoryHealthStore, at now: Instant
  ) throws(HealthStoreError) -> SampleChanges? {
    guard let client else { return nil }
    let anchor = anchors[kind]
    var changes = try store.changes(of: kind.type, since: anchor, as: client)
    if anchor == nil { changes.added.removeAll { $0.end < now - Self.firstReading } }
    anchors[kind] = changes.anchor
    return changes
  }

  /// Every kind has been read.
  mutating func noteReading(of store: InMemoryHealthStore) { anchors.known = store.lastRow }

  /// A store could not be read.
  mutating func noteRefusedReading(_ error: HealthStoreError) {
    if !isUndetermined(error) { refusals.append(.readRefused("\(error.withoutPlace)")) }
  }

  // MARK: - Writing

  /// Saves samples; `nil` where there are none, or the store refuses.
  mutating func save(
    _ samples: [Sample], to store: inout InMemoryHealthStore, at now: Instant
  ) -> [SaveOutcome]? {
    guard let client, !samples.isEmpty else { return nil }
    let outcomes = write(samples[0].type, to: &store) { (store) throws(HealthStoreError) in
      let outcomes = try store.save(samples, as: client, at: now)
      return (outcomes, outcomes.allSatisfy { $0 == .inserted })
    }
    assert(outcomes?.count ?? samples.count == samples.count, "Each sample has an outcome.")
    return outcomes
  }

  /// Saves a sample; `nil` where the store refuses.
  mutating func save(
    _ sample: Sample, to store: inout InMemoryHealthStore, at now: Instant
  ) -> SaveOutcome? {
    guard let client else { return nil }
    return write(sample.type, to: &store) { (store) throws(HealthStoreError) in
      let outcome = try store.save(sample, as: client, at: now)
      return (outcome, outcome == .inserted)
    }
  }

  /// Does what writes to a store and says whether all of it was new there; `nil` where the store
  /// refuses.
  private mutating func write<Outcome>(
    _ type: ObjectType, to store: inout InMemoryHealthStore,
    _ save: (inout InMemoryHealthStore) throws(HealthStoreError) -> (Outcome, isNew: Bool)
  ) -> Outcome? {
    guard !failing.contains(type) else {
      refusals.append(.writeRefused(type, "It fails at present."))
      return nil
    }
    do {
      let before = store.lastRow
      let (outcome, isNew) = try save(&store)
      // A sample that replaced another is a deletion as well, and is looked at.
      if anchors.known == before, isNew { anchors.known = store.lastRow }
      return outcome
    } catch {
      if !isUndetermined(error) {
        refusals.append(.writeRefused(error.deniedType, "\(error.withoutPlace)"))
      }
      return nil
    }
  }

  /// Deletes a sample; one that is gone already needs no deletion.
  ///
  /// - Returns: Whether the app was allowed to.
  @discardableResult
  func delete(_ sample: SampleUUID, in store: inout InMemoryHealthStore, at now: Instant) -> Bool {
    guard let client else { return true }
    do {
      try store.delete([sample], as: client, at: now)
      return true
    } catch .authorizationDenied {
      return false
    } catch {
      return true
    }
  }

  /// Deletes the app's own samples of a kind that start between two instants.
  mutating func delete(
    _ kind: Kind, from start: Instant, to end: Instant, in store: inout InMemoryHealthStore,
    at now: Instant
  ) {
    guard let client else { return }
    let predicate = SamplePredicate.samples(start: start, end: end, options: .strictStartDate)
    do {
      try store.deleteSamples(of: kind.type, matching: predicate, as: client, at: now)
    } catch {
      refusals.append(.deletionRefused(kind.type, "\(error.withoutPlace)"))
    }
  }

  /// Whether the user lets the app write a kind.
  func canWrite(_ kind: Kind, to store: InMemoryHealthStore) -> Bool {
    guard isOpen else { return false }
    return store.registry.authorization(of: bundleIdentifier, for: kind.type).share == .authorized
  }

  private func isUndetermined(_ error: HealthStoreError) -> Bool {
    if case .authorizationNotDetermined = error { true } else { false }
  }
}

/// How far the app has followed the health store.
private struct HealthAnchors: Sendable {
  private var insulin: QueryAnchor?
  private var glucose: QueryAnchor?
  private var carbs: QueryAnchor?
  /// The row up to which the store holds nothing but what the app has seen or written itself.
  var known: Int64?

  /// How far a kind has been read.
  subscript(kind: HealthConnection.Kind) -> QueryAnchor? {
    get {
      switch kind {
      case .insulin: insulin
      case .glucose: glucose
      case .carbs: carbs
      }
    }
    set {
      switch kind {
      case .insulin: insulin = newValue
      case .glucose: glucose = newValue
      case .carbs: carbs = newValue
      }
    }
  }

  /// Whether nothing was written that the app has not seen.
  func haveSeen(_ row: Int64) -> Bool {
    known == row && insulin?.row == row && glucose?.row == row && carbs?.row == row
  }

  /// Passes over what the app has written itself, where nobody else has written since.
  mutating func passOverOwn(through row: Int64) {
    guard known == row, insulin != nil, glucose != nil, carbs != nil else { return }
    (insulin, glucose, carbs) = (.init(row: row), .init(row: row), .init(row: row))
  }
}

extension HealthStoreError {
  /// The type that may not be written; `nil` where the error is about no single type.
  fileprivate var deniedType: ObjectType? {
    if case .authorizationDenied(_, let type, _) = self { type } else { nil }
  }
}

extension SaveOutcome {
  /// The identity under which the store holds the object now.
  func uuid(of sample: Sample) -> SampleUUID {
    if case .ignored(let existing) = self { existing } else { sample.uuid }
  }
}

extension Sample {
  /// The identifier of the app that wrote the sample; empty where that is not known.
  var writer: String { source?.bundleIdentifier ?? "" }
}
