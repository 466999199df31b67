public import HealthStore
public import Quantities

/// What the app exchanges with the health store.
extension LoopApp {
  /// Makes the app known to a health store.
  ///
  /// What the user allows holds for the types that the app asks for; `nil` leaves the permissions
  /// as they are.
  ///
  /// - Throws: `HealthStoreError` when the store has no health data.
  public mutating func open(
    _ store: inout InMemoryHealthStore, granting authorization: Authorization? = .full
  ) throws(HealthStoreError) {
    try health.open(&store, granting: authorization)
  }

  /// Takes in what others did in the health store since the app last looked.
  ///
  /// A store that cannot be read leaves everything as it is; the next call catches up.
  public mutating func ingestChanges(of store: inout InMemoryHealthStore, at now: Instant) {
    guard health.mustRead(store) else { return }
    do {
      if let changes = try health.changes(of: .insulin, in: store, at: now) {
        let events = pump.events
        let hasLost = insulin.take(changes, at: now) { events.contains(syncIdentifier: $0) }
        if hasLost, isClosedLoop { warned.note(.deletionInClosedLoop) }
      }
      if let changes = try health.changes(of: .glucose, in: store, at: now) {
        glucose.take(changes)
      }
      if let changes = try health.changes(of: .carbs, in: store, at: now) {
        carbs.take(
          changes, own: configuration.bundleIdentifier,
          readsForeign: configuration.readsForeignCarbs, at: now)
      }
      health.noteReading(of: store)
    } catch {
      health.noteRefusedReading(error)
    }
    noteRefusals()
  }

  /// Writes what is due to the health store.
  ///
  /// Glucose and carbohydrates are written at once. Insulin is written in a cycle, or at its
  /// trigger when the policy says so. What the store refuses stays due.
  ///
  /// - Parameters:
  ///   - store: The health store.
  ///   - now: When.
  ///   - isLongBefore: Whether the next cycle comes so late that what there is to write would be
  ///     too old for it, as in a long pre-roll; it is written now.
  public mutating func report(
    to store: inout InMemoryHealthStore, at now: Instant, isLongBefore: Bool = false
  ) {
    glucose.write(to: &store, through: &health, at: now)
    carbs.write(to: &store, through: &health, at: now)
    if configuration.reporting.write == .atTrigger || cycles.last == now || isLongBefore {
      synchronise(at: now)
      insulin.write(to: &store, through: &health, at: now)
    }
    noteRefusals()
  }

  /// Takes note of the types that the health store fails to take, though the person lets the app
  /// write them; what it did not take is written when it does not fail any more.
  public mutating func noteStore(failsToTake types: [ObjectType]) { health.failing = types }

  /// Closes what is open and writes everything, at the end of a run.
  ///
  /// What the pump gave since it was last read is not known, and is not made up.
  public mutating func flush(to store: inout InMemoryHealthStore, at now: Instant) {
    synchronise(at: now)
    insulin.closeSegments(of: &pump, therapies, at: now, isFinal: true)
    glucose.write(to: &store, through: &health, at: now)
    carbs.write(to: &store, through: &health, at: now)
    insulin.write(to: &store, through: &health, at: now)
    noteRefusals()
  }

  /// Lets a person know what the health store refused.
  private mutating func noteRefusals() {
    for refusal in health.takeRefusals() { warned.note(refusal) }
  }
}
