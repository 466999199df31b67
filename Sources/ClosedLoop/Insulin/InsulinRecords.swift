internal import Devices
internal import Dosing
internal import HealthStore
internal import LargeValues
internal import Quantities

/// The insulin that was delivered, as the app has it on record: the deliveries that follow from
/// what the pump says, and those that others gave.
///
/// A synchronisation brings the deliveries up to date with the event history and the pulses of the
/// pump. Where nothing has happened that they follow from, it leaves them alone.
package struct InsulinRecords: Sendable {
  private let mark = PassedByAddress()

  /// The insulin delivery store.
  package private(set) var delivery: InsulinDeliveryStore
  /// The deliveries that counted and became too old to be kept, in the order of their starts.
  ///
  /// The app itself knows nothing of them any more.
  package private(set) var forgotten: [InsulinDeliveryStore.Row] = []
  /// Cuts basal into segments.
  package private(set) var reporter: BasalReporter
  /// The last change of the event history that the deliveries have followed.
  private var eventsSeen: Int64 = 0
  /// What the last synchronisation found, once it was done.
  private var synchronised: Synchronised?
  /// The finished doses as the algorithm takes them, kept from cycle to cycle.
  private(set) var finished = FinishedDoses()
  /// When the deliveries were last brought up to date: what is dated since then may be in the event
  /// history alone, as may what the pump told later.
  private(set) var lastSynchronisation: Instant?
  /// When the app began to observe.
  let start: Instant
  /// The app's identity, under which it writes.
  let provenance: String
  /// Whether insulin of other apps is read.
  let readsForeign: Bool
  /// How far back doses are presented again and written late.
  private let window: TimeSpan
  /// Whether a dose deleted in the health store only comes back while the event history has it.
  private let rereportsDeleted: Bool

  init(_ configuration: LoopAppConfiguration, from start: Instant) {
    delivery = InsulinDeliveryStore(retention: configuration.retention)
    reporter = BasalReporter(policy: configuration.reporting, from: start)
    self.start = start
    provenance = configuration.bundleIdentifier
    readsForeign = configuration.readsForeignInsulin
    window = configuration.rereportWindow
    rereportsDeleted = configuration.rereportsDeleted
  }

  /// Gives up the deliveries, those too that are forgotten.
  mutating func releaseDeliveries() {
    delivery = InsulinDeliveryStore(retention: delivery.retention)
    forgotten = []
    finished = FinishedDoses()
  }

  /// Notes that the algorithm has seen the doses: with the finished ones first as they are kept, or
  /// others.
  mutating func noteLook(isWhole: Bool) { finished.noteLook(isWhole: isWhole) }

  // MARK: - Following the pump

  /// Brings the insulin delivery store up to date with the event history.
  ///
  /// Boluses of the last day are presented when they change, basal segments once they are closed,
  /// running programs as doses that may change. What was deleted in the health store only comes
  /// back while the event history has it.
  mutating func synchronise(
    with pump: inout KnownPump, _ therapies: TherapyHistory, at now: Instant
  ) {
    defer { noteSynchronisation(therapies, at: now) }
    let known = min(now, pump.programsKnownThrough)
    if let synchronised, known < synchronised.quietUntil,
      synchronised.origin == origin(pump, therapies), !delivery.mayRevive
    {
      return
    }
    follow(&pump, therapies, at: now)
    synchronised = Synchronised(
      origin: origin(pump, therapies),
      quietUntil: reporter.quietUntil(from: known, pump.delivery(on: therapies.basal)))
  }

  /// What was found at an instant holds still, and counts for the next cycle.
  private mutating func noteSynchronisation(_ therapies: TherapyHistory, at now: Instant) {
    lastSynchronisation = now
    finished.refresh(at: now, delivery, therapies.presets, AppInsulin(therapies.current))
  }

  private mutating func follow(
    _ pump: inout KnownPump, _ therapies: TherapyHistory, at now: Instant
  ) {
    let earliest = now - window
    for dose in untakenBoluses(of: pump, at: now) {
      delivery.present(
        dose.resolvingDelivery, event: dose.syncIdentifier, provenance: provenance, at: now)
    }
    var unfinished = pump.events.unfinishedBoluses
    eventsSeen = pump.events.counter
    closeSegments(of: &pump, therapies, at: now)
    for index in pump.programs.indices where pump.programs[index].isMutable {
      var running = pump.programs[index]
      guard let identifier = running.syncIdentifier else { continue }
      unfinished.append(identifier)
      running.scheduledBasalRate = therapies.basal.value(at: running.start).unitsPerHour
      delivery.present(running, event: identifier, provenance: provenance, at: now)
    }
    delivery.dropUnfinished(except: unfinished, at: now)
    if rereportsDeleted, delivery.mayRevive {
      let events = pump.events
      delivery.restoreDeletedRows(since: earliest) { events.contains(syncIdentifier: $0) }
    }
  }

  /// The boluses that the next synchronisation presents: those of which the pump has told since the
  /// last one, whenever they are dated, as they stand now.
  ///
  /// A pump that could not be read tells of a bolus after the cycle before which it was given, and
  /// of one that was stopped it says anew what it gave.
  func untakenBoluses(of pump: KnownPump, at now: Instant) -> [DoseEntry] {
    var untaken: [DoseEntry] = []
    for (dose, isShown) in pump.events.boluses(from: now - window, changedAfter: eventsSeen) {
      guard let identifier = dose.syncIdentifier else { continue }
      // An event the user deleted no longer brings a dose in, but finishes one that is there.
      let stored = delivery.row(syncIdentifier: identifier, from: dose.start)
      guard isShown ? stored?.dose.isMutable ?? true : stored?.dose.isMutable ?? false
      else { continue }
      untaken.append(dose)
    }
    return untaken
  }

  /// Closes the basal segments whose trigger has come, and puts them among the deliveries; at the
  /// end of a run those that are open as well.
  mutating func closeSegments(
    of pump: inout KnownPump, _ therapies: TherapyHistory, at now: Instant, isFinal: Bool = false
  ) {
    let known = isFinal ? pump.pulsesKnownThrough : pump.programsKnownThrough
    let closed = reporter.close(
      through: min(now, known), pump.delivery(on: therapies.basal), isFinal: isFinal)
    guard !closed.isEmpty else { return }
    for segment in closed {
      delivery.present(
        segment.dose, event: segment.eventIdentifier, provenance: provenance, at: now)
    }
    if isFinal, let end = closed.last?.end { dropRunning(before: end, pump, at: now) }
    assert(closed.allSatisfy { $0.start < $0.end }, "A segment that is reported lasts some time.")
    pump.forgetPulses(through: reporter.reportedUntil)
    pump.refreshPrograms(reportedUntil: reporter.reportedUntil)
  }

  /// Lets what runs at the end of a run count by the segments alone, which end there.
  ///
  /// They take the place of its row where they have its start and its name. One does not that
  /// begins later, as the app was installed anew meanwhile, is one of several parts, or began with
  /// a temp basal before of the same rate.
  private mutating func dropRunning(
    before end: Instant, _ pump: KnownPump, at now: Instant
  ) {
    let later = pump.programs.lazy.filter { $0.isMutable && $0.start >= end }
    delivery.dropUnfinished(
      except: pump.events.unfinishedBoluses + later.compactMap(\.syncIdentifier), at: now)
  }

  /// What the deliveries follow from, as it is.
  private func origin(_ pump: KnownPump, _ therapies: TherapyHistory) -> Origin {
    Origin(
      boluses: pump.events.bolusChanges, programs: pump.programsRevision,
      deliveries: delivery.doseChanges, basal: therapies.basalRevision)
  }

  /// What the deliveries follow from, but for the time: numbers that rise with every change.
  private struct Origin: Sendable, Equatable {
    /// Of the boluses in the event history.
    var boluses: Int64
    /// Of the programs that the pump carried out.
    var programs: Int64
    /// Of the doses in the delivery store.
    var deliveries: Int64
    /// Of the basal schedule.
    var basal: Int64
  }

  /// What the last synchronisation found.
  ///
  /// Invariant: while the origin is the same, and the pump's pulses are not known through
  /// `quietUntil`, another would change nothing.
  private struct Synchronised: Sendable {
    var origin: Origin
    var quietUntil: Instant
  }

  // MARK: - What a person does

  /// Whether a person may log so much insulin, in U, as given at an instant.
  static func canLog(_ units: Double, at date: Instant, now: Instant) -> Bool {
    units > 0 && units <= 30 && date <= now
  }

  /// Puts insulin among the deliveries that no pump gave.
  mutating func log(
    _ units: Double, of type: InsulinType, at date: Instant, as identifier: SyncIdentifier,
    now: Instant
  ) {
    assert(Self.canLog(units, at: date, now: now), "What is logged is a number of units.")
    let dose = DoseEntry(
      .bolus, from: date, to: date, .units(units), deliveredUnits: units,
      syncIdentifier: identifier, insulinType: type, isAutomatic: false, isManuallyEntered: true)
    delivery.present(dose, provenance: provenance, at: now)
  }

  /// Takes note that the event history shows an event again, whose dose may have to come back.
  mutating func noteRestoredEvent() { delivery.noteRestoredEvent() }

  // MARK: - The health store

  /// Takes in a sample that the app has not seen, unless its dose is on record with it.
  mutating func receive(_ sample: Sample, from source: String, at now: Instant) {
    guard !delivery.has(sample: sample.uuid), let dose = DoseEntry(sample) else { return }
    delivery.add(
      dose, sample: sample.uuid, provenance: source,
      hasLoopKitOrigin: sample.metadata.hasLoopKitOrigin, isForeign: source != provenance, at: now)
  }

  /// Lets the dose of a sample stop counting, because the sample was deleted; false if no dose that
  /// counts has it, or it counts again with the next cycle as the event history has its event.
  mutating func noteDeletion(
    ofSample sample: SampleUUID, at now: Instant, hasEvent: (SyncIdentifier) -> Bool
  ) -> Bool {
    guard let row = delivery.noteDeletion(ofSample: sample, at: now) else { return false }
    let comesBack =
      rereportsDeleted && !row.dose.isMutable && row.dose.start >= now - window
      && row.eventIdentifier.map(hasEvent) ?? false
    return !comesBack
  }

  /// The deliveries that are due to be written.
  mutating func due(at now: Instant) -> [InsulinDeliveryStore.Row] {
    delivery.pendingWrites(since: now - window)
  }

  /// Notes the sample that was written for a delivery.
  mutating func noteSample(
    _ sample: SampleUUID, for identifier: SyncIdentifier, at now: Instant
  ) {
    delivery.noteSample(sample, for: identifier, at: now)
  }

  // MARK: - Forgetting

  /// Forgets deliveries that are too old to be kept.
  mutating func purge(at now: Instant) { forgotten += delivery.purge(at: now) }

  /// The event history is another, whose changes are numbered apart: the next synchronisation looks
  /// at all of it.
  mutating func followAnew() {
    synchronised = nil
    eventsSeen = 0
  }

  /// Forgets what is not kept on disk: the next synchronisation looks at everything.
  mutating func forgetMemory() {
    synchronised = nil
    lastSynchronisation = nil
  }
}

extension KnownPump {
  /// What the reporter cuts segments from, where the pump runs a basal schedule.
  func delivery(on basal: ScheduleHistory<InsulinRate>) -> BasalReporter.Delivery {
    BasalReporter.Delivery(programs: programs, basal: basal, pulses: pulses)
  }
}
