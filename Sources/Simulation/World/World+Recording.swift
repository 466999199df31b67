internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Physiology
internal import Quantities

/// What is written down: rows of the trace, cycles, and what stands in the way of the app.
extension World {
  /// Adds a row to the trace, from the start of the part that counts on.
  mutating func record() {
    appRecord.noteSchedules(of: phone, at: now)
    guard now >= start else { return }
    if row.since == nil { row.forgetReading(olderThan: now - Trace.longestInterval) }
    let since = row.since ?? now
    assert(since <= now, "A row counts what came after the row before it.")
    assert(trace.rows.last.map { $0.instant < now } ?? true, "Rows come in the order of time.")
    let app = appCondition
    let pump = delivery.pump.figures(after: since, through: now)
    var new = TraceRow(
      instant: now, trueGlucose: delivery.body.glucose, reading: row.reading,
      scheduledRate: pump.scheduledRate, programmedRate: pump.basalRate,
      basalDelivered: pump.basalDelivered, bolusDelivered: pump.bolusDelivered,
      carbsEaten: row.carbsEaten, carbsEntered: row.carbsEntered,
      insulinOnBoard: app.canRun ? phone.insulinOnBoard(at: now) : nil,
      bodyInsulin: delivery.body.insulinOnBoard,
      carbsOnBoard: app.canRun ? phone.carbsOnBoard : nil,
      recommendation: row.recommendation,
      mode: pump.isSuspended ? .suspended : app.mode(isClosedLoop: phone.isClosedLoop))
    new.readingInstant = row.readingInstant(at: now)
    trace.add(new)
    row = RowSums(after: new, of: row)
    // Nobody asks again for the pulses of a window that has its row.
    delivery.forgetPulses(through: now)
  }

  // MARK: - Obstacles

  /// Takes note of what keeps the app from following the pump and from using the health store.
  mutating func noteObstacles() {
    let (canWrite, canRead) = insulinAccess
    let stop = appCondition.stop(hearsPump: link.hearsPump)
    // Until it has been read again nobody knows whether the pump can be reached.
    if stop != nil { link.hearsPump = false }
    circumstances.obstacles.note(
      stop, canWrite: canWrite,
      storeFails: !canWrite && store.typesNotTaken.contains(.insulinDelivery), canRead: canRead,
      at: now)
  }

  /// Whether the app may write insulin to the health store now, and read it.
  var insulinAccess: (canWrite: Bool, canRead: Bool) {
    let allowed = authorization(of: .insulinDelivery)
    return (allowed?.share == .authorized, allowed?.read == .authorized)
  }

  /// What the app may do with a type in the health store; `nil` if the store does not know the app.
  func authorization(of type: ObjectType) -> Authorization? {
    // Asked in place: a method that only reads is given a copy of the store, here at every step.
    store.records.registry.client(
      bundleIdentifier: configuration.bundleIdentifier, likely: firstClient
    ).map { store.records.registry.authorization(of: $0, for: type) }
  }

  // MARK: - Cycles

  /// Notes what came of a cycle, and tells why there is no dosing where that is new.
  mutating func noteCycle(failure: String?, insulinOnBoard: Double?) {
    assert(insulinOnBoard?.isFinite ?? true, "Insulin on board is a number.")
    guard appRecord.countsCycle(at: now) else { return }
    let isNews = appRecord.note(
      CycleOutcome(instant: now, failure: failure, insulinOnBoard: insulinOnBoard))
    if isNews, let failure { note(.cycleFailed, "cycle", "No dosing. \(failure)") }
  }

  /// Notes on which glucose of another app a cycle decides, and what was true.
  mutating func noteGlucoseOfOthers() {
    guard appRecord.countsCycle(at: now),
      let shown = phone.newestGlucose(notOf: configuration.bundleIdentifier, at: now)
    else { return }
    appRecord.note(
      GlucoseOfOthers(
        instant: now, shown: shown, truth: delivery.body.glucose,
        sensor: person.recentGlucose(at: now)))
  }
}
