internal import Devices
internal import Dosing
internal import HealthStore
internal import Quantities

extension LoopApp {
  /// Brings the insulin delivery store up to date with the event history.
  ///
  /// Boluses of the last day are presented when they change, basal segments once they are closed,
  /// running programs as doses that may change. What was deleted in the health store only comes
  /// back while the event history has it.
  mutating func synchronise(at now: Instant) {
    let known = min(now, pump.pulsesKnownThrough)
    if let synchronised, known < synchronised.quietUntil, synchronised.origin == deliveryOrigin,
      !delivery.mayRevive
    {
      noteSynchronisation(at: now)
      return
    }
    bringDeliveriesUpToDate(at: now)
    synchronised = Synchronised(
      origin: deliveryOrigin, quietUntil: reporter.quietUntil(from: known, basalDelivery))
  }

  /// What the deliveries follow from, as it is.
  private var deliveryOrigin: DeliveryOrigin {
    DeliveryOrigin(
      boluses: pump.events.bolusChanges, programs: pump.programsRevision,
      deliveries: delivery.doseChanges, basal: therapies.basalRevision)
  }

  /// What was found at an instant holds still, and counts for the next cycle.
  private mutating func noteSynchronisation(at now: Instant) {
    lastSynchronisation = now
    finishedDoses.refresh(at: now, delivery, therapies.presets, AppInsulin(therapies.current))
  }

  private mutating func bringDeliveriesUpToDate(at now: Instant) {
    let provenance = configuration.bundleIdentifier
    var unfinished: [SyncIdentifier] = []
    let window = now - configuration.rereportWindow
    for (dose, isShown) in pump.events.boluses(from: window, changedAfter: eventsSeen) {
      guard let identifier = dose.syncIdentifier else { continue }
      // An event the user deleted no longer brings a dose in, but finishes one that is there.
      let stored = delivery.row(syncIdentifier: identifier, from: dose.start)
      guard isShown ? stored?.dose.isMutable ?? true : stored?.dose.isMutable ?? false
      else { continue }
      delivery.present(
        dose.resolvingDelivery, event: identifier, provenance: provenance, at: now)
    }
    unfinished += pump.events.unfinishedBoluses
    eventsSeen = pump.events.counter
    closeSegments(through: min(now, pump.pulsesKnownThrough), at: now)
    for index in pump.programs.indices where pump.programs[index].isMutable {
      var running = pump.programs[index]
      guard let identifier = running.syncIdentifier else { continue }
      unfinished.append(identifier)
      running.scheduledBasalRate = therapies.basal.value(at: running.start).unitsPerHour
      delivery.present(running, event: identifier, provenance: provenance, at: now)
    }
    delivery.dropUnfinished(except: unfinished, at: now)
    if configuration.rereportsDeleted, delivery.mayRevive {
      let events = pump.events
      delivery.restoreDeletedRows(since: window) {
        events.contains(syncIdentifier: $0)
      }
    }
    noteSynchronisation(at: now)
  }

  /// What the deliveries follow from, but for the time: numbers that rise with every change.
  struct DeliveryOrigin: Sendable, Equatable {
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
  struct Synchronised: Sendable {
    var origin: DeliveryOrigin
    var quietUntil: Instant
  }

  /// Closes the basal segments whose trigger has come, and puts them among the deliveries.
  mutating func closeSegments(through instant: Instant, at now: Instant, isFinal: Bool = false) {
    let closed = reporter.close(through: instant, basalDelivery, isFinal: isFinal)
    guard !closed.isEmpty else { return }
    for segment in closed {
      delivery.present(
        segment.dose, event: segment.eventIdentifier, provenance: configuration.bundleIdentifier,
        at: now)
      segments.append(BasalSegmentRecord(segment: segment, closedAt: now))
    }
    assert(closed.allSatisfy { $0.start < $0.end }, "A segment that is reported lasts some time.")
    pump.forgetPulses(through: reporter.reportedUntil)
    pump.refreshPrograms(reportedUntil: reporter.reportedUntil)
  }

  /// The doses that make a difference to insulin on board at an instant.
  ///
  /// Running programs count up to the instant, with the pulses given so far. Scheduled basal counts
  /// only where a preset makes the usual schedule something else than the neutral one; everywhere
  /// else it adds nothing.
  func countedDoses(from earliest: Instant, to now: Instant) -> [DoseEntry] {
    doseHistory(from: earliest, to: now).filter { therapies.counts($0) }
  }

  /// The doses that the algorithm is given, scheduled basal among them.
  ///
  /// Scheduled basal adds nothing to insulin on board, but the algorithm forecasts for as long as
  /// its latest dose acts: without it the forecast of an hour without temp basals ends early, and a
  /// correction range that changes later is compared with the wrong glucose. Loop's delivery store
  /// therefore hands it over like every other dose (LoopKit, `DoseStore.swift`,
  /// `getNormalizedDoseEntries`).
  func doseHistory(from earliest: Instant, to now: Instant) -> [DoseEntry] {
    followingReservoir(
      basalBeforeStart(from: earliest) + recordedDoses(from: earliest, to: now), from: earliest)
  }

  /// The basal of the hours before the app began to observe: what the schedule gave.
  ///
  /// The pieces are the same in every cycle, whatever the window, until they have left it.
  func basalBeforeStart(from earliest: Instant) -> [DoseEntry] {
    guard earliest <= start else { return [] }
    let first = DataWindows(at: start).doses.lowerBound
    return therapies.basal.timeline(from: first, to: start).segments.filter { $0.end >= earliest }
      .map { .scheduledBasal($0) }
  }

  private func recordedDoses(from earliest: Instant, to now: Instant) -> [DoseEntry] {
    var doses = delivery.doses(from: earliest, to: now).filter(countsAsDelivered)
    if let lastSynchronisation {
      let recent = pump.events.doses(from: lastSynchronisation).filter { $0.kind == .bolus }
      doses = doses.appendedUnion(with: recent)
    }
    return doses + unfinishedDoses(at: now)
  }

  /// The boluses of which nobody knows whether they were given: better counted twice than not at
  /// all.
  private var uncertainBoluses: [DoseEntry] {
    pump.uncertain.compactMap { pending in
      guard case .startBolus(let amount, let automatic) = pending.command else { return nil }
      return DoseEntry(
        .bolus, from: pending.instant, to: pending.instant, .units(amount.units),
        insulinType: therapies.current.insulinType, isAutomatic: automatic)
    }
  }

  /// What still runs as the algorithm takes it: the doses of ``unfinishedDoses(at:)``, or those of
  /// them that count.
  func unfinishedDoses(
    at now: Instant, listsScheduled: Bool, _ insulin: AppInsulin
  ) -> [AlgorithmInput.InsulinDose] {
    var doses: [AlgorithmInput.InsulinDose] = []
    for bolus in uncertainBoluses { doses.append(bolus.algorithmDose(insulin)) }
    // A visitor that names a part of the app would take all of it along.
    let known = pump.pulsesKnownThrough
    let presets = therapies.presets.presets
    reporter.visitOpen(at: now, basalDelivery) { stretch in
      let isScheduled = stretch.kind == .basal
      guard
        listsScheduled || !isScheduled
          || presets.changeNeeds(from: stretch.start, to: stretch.end)
      else { return }
      let rate = stretch.rate.unitsPerHour
      var volume = stretch.units.units
      if isScheduled {
        // Scheduled basal counts as programmed, so that it adds nothing to the schedule.
        volume = rate * (stretch.end - stretch.start).hours
      } else if stretch.end > known {
        let unknown = now - max(stretch.start, known)
        if unknown > .zero { volume += rate * unknown.hours }
      }
      let type = stretch.insulinType ?? insulin.type
      doses.append(
        .init(
          type: .basal, startDate: stretch.start, endDate: stretch.end, volume: volume,
          insulinModel: type.model(rapidActing: insulin.rapidActing)))
    }
    return doses
  }

  /// What still runs, and the boluses of which nobody knows whether they were given.
  func unfinishedDoses(at now: Instant) -> [DoseEntry] {
    var doses = uncertainBoluses
    for var dose in reporter.open(at: now, basalDelivery) {
      let unknown = now - max(dose.start, min(dose.end, pump.pulsesKnownThrough))
      if dose.end > pump.pulsesKnownThrough, unknown > .zero, let delivered = dose.deliveredUnits {
        // What the pump has not told yet is taken as programmed.
        dose.deliveredUnits = delivered + dose.unitsPerHour * unknown.hours
      }
      dose.insulinType = dose.insulinType ?? therapies.current.insulinType
      doses.append(dose)
    }
    return doses
  }

  /// Whether a delivery counts in insulin on board while it acts.
  ///
  /// A basal program that still runs counts by the pulses given so far, not by its row.
  public func countsAsDelivered(_ dose: DoseEntry) -> Bool {
    dose.kind == .bolus || !dose.isMutable
  }
}
