internal import Devices
internal import Dosing
internal import HealthStore
internal import Quantities

/// The doses that count at an instant: those on record, and what still runs.
extension InsulinRecords {
  // MARK: - As the algorithm takes them

  /// The doses of a stretch of time as the algorithm takes them, but for what still runs.
  ///
  /// With what ``visitRunning(from:at:listsScheduled:_:_:_:)`` visits behind them they are in the
  /// order of ``history(from:to:_:_:)``.
  struct AlgorithmDoses {
    /// The finished ones, as they are kept from cycle to cycle.
    var finished: [AlgorithmInput.InsulinDose]
    /// Boluses that only the event history has so far.
    var recent: [AlgorithmInput.InsulinDose] = []
    /// Whether what still runs is among the finished ones already.
    var hasRunning = false
    /// Whether the finished ones are all that are kept, as they are kept.
    var isWhole = false
  }

  /// The doses of a stretch of time as the algorithm takes them.
  ///
  /// Scheduled basal that makes no difference to insulin on board is among them where
  /// `listsScheduled` says so. Where nothing but time has passed since the last cycle, only what
  /// still runs has to be looked at again.
  func algorithmDoses(
    from earliest: Instant, to now: Instant, listsScheduled: Bool,
    _ pump: KnownPump, _ therapies: TherapyHistory
  ) -> AlgorithmDoses {
    let insulin = AppInsulin(therapies.current)
    if let told = pump.toldByReservoir(from: earliest, to: now, therapies.current) {
      var doses: [AlgorithmInput.InsulinDose] = []
      for dose in dosesBesideReservoir(told, from: earliest, to: now, pump, therapies)
      where listsScheduled || therapies.counts(dose) { doses.append(dose.algorithmDose(insulin)) }
      pump.visitReservoirDrops(from: earliest, to: now) { drop in
        doses.append(drop.algorithmDose(to: now, insulin))
      }
      return AlgorithmDoses(finished: doses, hasRunning: true)
    }
    // For the hours in which the level could tell but does not, the list is made anew: the sums of
    // the one that is kept differ in their last bits.
    guard pump.source == .pumpHistory,
      let recent = finished.missing(
        of: recentBoluses(of: pump, from: earliest, with: untakenBoluses(of: pump, at: now)),
        delivery, insulin),
      let kept = finished.doses(
        from: earliest, to: now, delivery, therapies.presets, insulin,
        listsScheduled: listsScheduled)
    else {
      let doses =
        listsScheduled
        ? history(from: earliest, to: now, pump, therapies)
        : counted(from: earliest, to: now, pump, therapies)
      return AlgorithmDoses(
        finished: doses.map { $0.algorithmDose(insulin) }, hasRunning: true)
    }
    var doses = AlgorithmDoses(finished: kept.doses, isWhole: kept.isWhole)
    if earliest <= start {
      let before = basalBeforeStart(from: earliest, therapies).filter {
        listsScheduled || therapies.counts($0)
      }
      doses.finished.insert(contentsOf: before.map { $0.algorithmDose(insulin) }, at: 0)
      doses.isWhole = false
    }
    for dose in recent { doses.recent.append(dose.algorithmDose(insulin)) }
    return doses
  }

  /// What is known of a list of doses for the algorithm.
  struct DoseListing {
    /// Over which time they reach.
    var extent: DoseExtent
    /// Whether the list begins with the finished doses as they are kept.
    var isWhole: Bool
  }

  /// Lists the doses that the algorithm's input has, in the order of their starts.
  ///
  /// With the future a running temp basal counts to its end. Without it nothing counts that lies
  /// ahead of the app's clock, as in Loop before it doses by itself: what the pump gave before the
  /// phone was set back may be dated so, and the algorithm takes no basal from the future. The list
  /// keeps its storage.
  func listDoses(
    from earliest: Instant, to now: Instant, includingFuture: Bool,
    _ pump: KnownPump, _ therapies: TherapyHistory,
    into doses: inout [AlgorithmInput.InsulinDose]
  ) -> DoseListing {
    let counted = algorithmDoses(
      from: earliest, to: now, listsScheduled: true, pump, therapies)
    // The finished ones are in order as they are kept, but not with what ran before the app began,
    // and not where the level of the reservoir tells a part of them.
    let sorted = earliest <= start || counted.hasRunning ? 1 : max(1, counted.finished.count)
    doses.removeAll(keepingCapacity: true)
    doses += counted.finished
    doses += counted.recent
    if !counted.hasRunning {
      visitRunning(from: earliest, at: now, listsScheduled: true, pump, therapies) {
        doses.append($0)
      }
    }
    if includingFuture, let program = pump.status?.program, program.kind == .tempBasal,
      let end = program.end, end > now
    {
      let start = max(now, program.start)
      let insulin = AppInsulin(therapies.current)
      doses.append(
        .init(
          type: .basal, startDate: start, endDate: end,
          volume: program.rate.unitsPerHour * (end - start).hours,
          insulinModel: insulin.type.model(rapidActing: insulin.rapidActing)))
    }
    var listing = DoseListing(
      extent: counted.isWhole ? finished.extent : DoseExtent(counted.finished),
      isWhole: counted.isWhole)
    for index in counted.finished.count..<doses.count { listing.extent.add(doses[index]) }
    if !includingFuture, let end = listing.extent.latestEnd, end > now {
      doses = doses.compactMap { $0.trimmed(to: now) }
      listing = DoseListing(extent: DoseExtent(doses), isWhole: false)
    }
    // In order but for what still runs, which comes last: nearly always nothing has to move.
    var index = sorted
    while index < doses.count, doses[index - 1].startDate <= doses[index].startDate { index += 1 }
    if index < doses.count {
      doses.sort { $0.startDate < $1.startDate }
      listing.isWhole = false
    }
    return listing
  }

  /// The net insulin on board that the doses amount to, in U.
  func insulinOnBoard(
    at now: Instant, _ pump: KnownPump, _ therapies: TherapyHistory
  ) -> Double? {
    let earliest = DataWindows(at: now).doses.lowerBound
    let doses = algorithmDoses(
      from: earliest, to: now, listsScheduled: false, pump, therapies)
    if !doses.hasRunning, let rate = therapies.onlyBasalEntry(from: earliest, through: now) {
      // Every dose of the window ends within it, so that the rate need not begin before it.
      var onBoard = InsulinOnBoardAtOneRate(
        against: rate, at: now,
        near: (doses.finished.first ?? doses.recent.first)?.startDate ?? earliest)
      onBoard.add(doses.finished)
      onBoard.add(doses.recent)
      visitRunning(from: earliest, at: now, listsScheduled: false, pump, therapies) {
        onBoard.add($0)
      }
      return onBoard.units
    }
    var all = doses.finished + doses.recent
    if !doses.hasRunning {
      visitRunning(from: earliest, at: now, listsScheduled: false, pump, therapies) {
        all.append($0)
      }
    }
    var first = earliest
    for dose in all { first = min(first, dose.startDate) }
    return try? LoopAlgorithm.insulinOnBoard(
      of: all, basal: therapies.basalEntries(from: first, through: now), at: now)
  }

  /// Visits what still runs as the algorithm takes it: the doses of
  /// ``unfinishedDoses(from:at:_:_:)``, or those of them that count.
  func visitRunning(
    from earliest: Instant, at now: Instant, listsScheduled: Bool, _ pump: KnownPump,
    _ therapies: TherapyHistory,
    _ visit: (AlgorithmInput.InsulinDose) -> Void
  ) {
    let insulin = AppInsulin(therapies.current)
    for bolus in pump.uncertainBoluses(insulin.type) { visit(bolus.algorithmDose(insulin)) }
    // A visitor that names a part of the app would take all of it along.
    let known = pump.pulsesKnownThrough
    let presets = therapies.presets.presets
    reporter.visitOpen(from: earliest, at: now, pump.delivery(on: therapies.basal)) { stretch in
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
        volume += rate * (stretch.end - max(stretch.start, known)).hours
      }
      let type = stretch.insulinType ?? insulin.type
      visit(
        .init(
          type: .basal, startDate: stretch.start, endDate: stretch.end, volume: volume,
          insulinModel: type.model(rapidActing: insulin.rapidActing)))
    }
  }

  // MARK: - As they are on record

  /// The doses that make a difference to insulin on board at an instant.
  ///
  /// Running programs count up to the instant, with the pulses given so far. Scheduled basal counts
  /// only where a preset makes the usual schedule something else than the neutral one; everywhere
  /// else it adds nothing.
  func counted(
    from earliest: Instant, to now: Instant,
    _ pump: KnownPump, _ therapies: TherapyHistory
  ) -> [DoseEntry] {
    history(from: earliest, to: now, pump, therapies).filter { therapies.counts($0) }
  }

  /// The doses that the algorithm is given, scheduled basal among them.
  ///
  /// Scheduled basal adds nothing to insulin on board, but the algorithm forecasts for as long as
  /// its latest dose acts: without it the forecast of an hour without temp basals ends early, and a
  /// correction range that changes later is compared with the wrong glucose. Loop's delivery store
  /// therefore hands it over like every other dose (LoopKit, `DoseStore.swift`,
  /// `getNormalizedDoseEntries`).
  func history(
    from earliest: Instant, to now: Instant,
    _ pump: KnownPump, _ therapies: TherapyHistory
  ) -> [DoseEntry] {
    guard let told = pump.toldByReservoir(from: earliest, to: now, therapies.current) else {
      return basalBeforeStart(from: earliest, therapies)
        + recordedDoses(from: earliest, to: now, pump, therapies)
    }
    var doses = dosesBesideReservoir(told, from: earliest, to: now, pump, therapies)
    let insulin = therapies.current.insulinType
    pump.visitReservoirDrops(from: earliest, to: now) {
      doses.append($0.dose(to: now, of: insulin))
    }
    return doses
  }

  /// The doses that count beside those of which the level of the reservoir tells.
  ///
  /// Insulin that no pump gave goes on counting as it was entered; LoopKit cuts it off where the
  /// values of the level begin (`DoseStore.swift`), which would lose it. Of the pump's own doses
  /// what lies outside the stretch counts.
  private func dosesBesideReservoir(
    _ told: Range<Instant>, from earliest: Instant, to now: Instant,
    _ pump: KnownPump, _ therapies: TherapyHistory
  ) -> [DoseEntry] {
    var others: [DoseEntry] = []
    var own: [DoseEntry] = []
    for dose in basalBeforeStart(from: earliest, therapies) {
      dose.addParts(outside: told, to: &own)
    }
    let untaken = untakenBoluses(of: pump, at: now)
    // Rows are looked at where they lie: nearly all are of the stretch, and none of them is copied.
    for index in delivery.places(from: earliest, to: now)
    where delivery.rows[index].isFinished && delivery.rows[index].dose.end >= earliest {
      if delivery.rows[index].dose.isManuallyEntered
        || delivery.rows[index].provenance != provenance
      {
        others.append(delivery.rows[index].dose)
      } else if !delivery.rows[index].dose.lies(in: told),
        !untaken.contains(where: { $0.syncIdentifier == delivery.rows[index].syncIdentifier })
      {
        delivery.rows[index].dose.addParts(outside: told, to: &own)
      }
    }
    for dose in recentBoluses(of: pump, from: earliest, with: untaken) {
      if untaken.contains(where: { $0.syncIdentifier == dose.syncIdentifier }) {
        dose.addParts(outside: told, to: &own)
        continue
      }
      let row = dose.syncIdentifier.flatMap { delivery.row(syncIdentifier: $0, from: dose.start) }
      // A row that the phone's clock has not come to was not visited.
      if let row, row.isFinished, row.dose.start <= now, row.dose.end >= earliest { continue }
      dose.addParts(outside: told, to: &own)
    }
    for dose in unfinishedDoses(from: earliest, at: now, pump, therapies) {
      dose.addParts(outside: told, to: &own)
    }
    return others + own
  }

  /// The basal of the hours before the app began to observe: what the schedule gave.
  ///
  /// The pieces are the same in every cycle, whatever the window, until they have left it.
  private func basalBeforeStart(
    from earliest: Instant, _ therapies: TherapyHistory
  ) -> [DoseEntry] {
    guard earliest <= start else { return [] }
    let first = DataWindows(at: start).doses.lowerBound
    return therapies.basal.timeline(from: first, to: start).segments.filter { $0.end >= earliest }
      .map { .scheduledBasal($0) }
  }

  private func recordedDoses(
    from earliest: Instant, to now: Instant,
    _ pump: KnownPump, _ therapies: TherapyHistory
  ) -> [DoseEntry] {
    var doses = delivery.doses(from: earliest, to: now).filter(\.countsAsDelivered)
    let untaken = untakenBoluses(of: pump, at: now)
    if !untaken.isEmpty {
      doses.removeAll { dose in untaken.contains { $0.syncIdentifier == dose.syncIdentifier } }
    }
    doses = doses.appendedUnion(with: recentBoluses(of: pump, from: earliest, with: untaken))
    return doses + unfinishedDoses(from: earliest, at: now, pump, therapies)
  }

  /// The boluses that the event history may have beside the deliveries, as they stand now: those
  /// dated since these were last brought up to date, and those that are not taken yet.
  private func recentBoluses(
    of pump: KnownPump, from earliest: Instant, with untaken: [DoseEntry]
  ) -> [DoseEntry] {
    var recent = pump.events.boluses(from: lastSynchronisation)
    for dose in untaken
    where dose.end >= earliest
      && !recent.contains(where: { $0.syncIdentifier == dose.syncIdentifier })
    {
      recent.append(dose)
    }
    return recent
  }

  /// What still runs, and the boluses of which nobody knows whether they were given.
  private func unfinishedDoses(
    from earliest: Instant, at now: Instant, _ pump: KnownPump, _ therapies: TherapyHistory
  ) -> [DoseEntry] {
    let insulin = therapies.current.insulinType
    var doses = pump.uncertainBoluses(insulin)
    for var dose in reporter.open(
      from: earliest, at: now, pump.delivery(on: therapies.basal))
    {
      let known = pump.pulsesKnownThrough
      if dose.end > known, let delivered = dose.deliveredUnits {
        // What the pump has not told yet is taken as programmed.
        let unknown = dose.end - max(dose.start, known)
        dose.deliveredUnits = delivered + dose.unitsPerHour * unknown.hours
      }
      dose.insulinType = dose.insulinType ?? insulin
      doses.append(dose)
    }
    return doses
  }
}

extension DoseEntry {
  /// Whether a delivery counts in insulin on board while it acts.
  ///
  /// A basal program that still runs counts by the pulses given so far, not by its row.
  package var countsAsDelivered: Bool { kind == .bolus || !isMutable }
}

extension KnownPump {
  /// The boluses of which nobody knows whether they were given: better counted twice than not at
  /// all.
  fileprivate func uncertainBoluses(_ insulin: InsulinType) -> [DoseEntry] {
    uncertain.compactMap { pending in
      guard case .startBolus(let amount, let automatic) = pending.command else { return nil }
      return DoseEntry(
        .bolus, from: pending.instant, to: pending.instant, .units(amount.units),
        insulinType: insulin, isAutomatic: automatic)
    }
  }
}
