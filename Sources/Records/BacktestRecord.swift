internal import ClosedLoop
internal import Dosing
internal import HealthStore
internal import Quantities

/// What a record is replayed under.
struct BacktestTherapy {
  /// The settings in force all the time.
  let settings: TherapySettings
  /// Which app's rules are followed.
  let generation: LoopGeneration
  /// The clock of the schedules.
  let clock: WallClock
}

/// A record as the algorithm could have seen it at any time.
///
/// An app knows its own doses when they begin, and writes them to a store some minutes after they
/// end. What is written so late that an audit calls it late was not known before it was written.
struct BacktestRecord {
  /// The readings that the cycles go by, by time.
  let readings: [Sample]
  /// What is used of each source of readings.
  let glucoseSources: [Backtest.GlucoseSource]
  /// How many readings a person entered, which are not among those.
  let readingsByHand: Int
  /// How many readings a source has twice, which are used once.
  let readingsTwice: Int
  /// Basal that no app built on LoopKit wrote, and insulin without a reason: an app reads neither.
  private(set) var unread: (basal: Backtest.UnreadInsulin, unlabelled: Backtest.UnreadInsulin)
  private let doses: [KnownDose]
  /// Those of them that last more than a day, by start.
  private let longDoses: [KnownDose]
  /// The times of which it says what basal was given.
  private let told: IntervalSet
  private let food: [(sample: Sample, written: Instant)]
  /// Whether there is any food.
  var hasFood: Bool { !food.isEmpty }

  /// A dose of the record.
  private struct KnownDose {
    /// The dose as the app counts it.
    var entry: DoseEntry
    /// Since when the app knew of it.
    var known: Instant
    /// What the record says was delivered, in U.
    var delivered: Double
  }

  init(_ samples: [RestoredSample]) {
    let ordered = samples.sorted {
      ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid)
    }
    let glucose = ordered.map(\.sample).filter { $0.type == .bloodGlucose }
    let measured = glucose.filter { !$0.metadata.wasUserEntered }
    readingsByHand = glucose.count - measured.count
    let chosen = BacktestGlucose(measured)
    (readings, glucoseSources, readingsTwice) = (chosen.readings, chosen.sources, chosen.copies)
    doses = ordered.filter { $0.sample.type == .insulinDelivery }.compactMap { restored in
      DoseEntry(restored.sample).map { Self.known($0, written: restored.created) }
    }
    longDoses = doses.filter { $0.entry.duration > .days(1) }
    told = IntervalSet(
      doses.filter { $0.entry.kind != .bolus }.map { ($0.entry.start, $0.entry.end) })
    food = ordered.filter { $0.sample.type == .dietaryCarbohydrates }
      .map { ($0.sample, $0.created) }
    unread = (.init(), .init())
    for sample in ordered.map(\.sample) where sample.type == .insulinDelivery {
      guard let units = sample.storedValue, DoseEntry(sample) == nil else { continue }
      if sample.metadata.insulinDeliveryReason == .basal {
        unread.basal.add(units)
      } else {
        unread.unlabelled.add(units)
      }
    }
  }

  /// A dose as the app counts it, since when it knew of it, and what was delivered.
  private static func known(_ dose: DoseEntry, written: Instant) -> KnownDose {
    var entry = dose
    // Scheduled basal counts as programmed, so that it adds nothing to the schedule.
    if entry.kind == .basal, let rate = entry.scheduledBasalRate {
      entry.amount = .unitsPerHour(rate)
      entry.deliveredUnits = nil
    }
    let delay = entry.kind == .bolus ? UsualDelay.ofBolus : UsualDelay.ofBasal
    return KnownDose(
      entry: entry, known: written <= entry.end + delay ? entry.start : written,
      delivered: dose.deliverableUnits)
  }

  /// The doses that were known at an instant and act at it or after it; basal that runs ends there.
  ///
  /// Doses that the loop gave at the instant itself follow from the cycle and are not among them.
  func doses(knownAt now: Instant) -> [DoseEntry] {
    let earliest = DataWindows(at: now).doses.lowerBound
    return doses(actingFrom: earliest, to: now).compactMap { dose in
      let entry = dose.entry
      guard dose.known <= now, entry.end >= earliest else { return nil }
      guard entry.start < now || (entry.kind == .bolus && entry.isAutomatic != true) else {
        return nil
      }
      return entry.running(at: now)
    }
  }

  /// The readings of the hours before an instant, as the algorithm takes them.
  func glucose(before now: Instant) -> [AlgorithmInput.GlucoseSample] {
    between(readings, DataWindows(at: now).glucose.lowerBound, now) { $0.start }
      .compactMap { sample in
        sample.storedValue.map {
          AlgorithmInput.GlucoseSample(
            date: sample.start, quantity: .mgdL($0),
            provenanceIdentifier: sample.source?.bundleIdentifier ?? "")
        }
      }
  }

  /// The input of a cycle: what was known by then, and the therapy.
  ///
  /// The stretches for which schedules are given are those of the app.
  func input(
    at now: Instant, _ therapy: BacktestTherapy, glucose: [AlgorithmInput.GlucoseSample],
    doses entries: [DoseEntry], lastCompletedLoop: Instant?
  ) -> AlgorithmInput {
    let (clock, generation) = (therapy.clock, therapy.generation)
    let therapy = therapy.settings
    let windows = DataWindows(at: now)
    let counted = AppInsulin(therapy)
    let doses = entries.map { $0.algorithmDose(counted) }.sorted { $0.startDate < $1.startDate }
    let firstDose = doses.first?.startDate ?? now
    let lastDose = doses.map(\.endDate).max() ?? now
    let model = therapy.pumpInsulinModel
    let firstNeeded = min(firstDose, glucose.first?.date ?? now)
    // A prediction without doses ends later than inhaled insulin acts.
    let lastNeeded = doses.reduce(windows.target.upperBound) {
      max($0, $1.endDate + .seconds(Int64($1.insulinModel.effectDuration)))
    }
    let basal = therapy.basal.timeline(
      from: min(windows.doses.lowerBound, firstDose),
      to: max(now, lastDose) + .milliseconds(1), on: clock)
    let sensitivity = therapy.sensitivity.timeline(
      from: firstNeeded.floored(to: .minutes(5)), to: lastNeeded.ceiled(to: .minutes(5)), on: clock)
    let carbRatio = therapy.carbRatio.timeline(
      from: windows.carbEntries.lowerBound, to: windows.carbEntries.upperBound, on: clock)
    let target = therapy.targets.timeline(from: now, to: windows.target.upperBound, on: clock)
    var input = AlgorithmInput(
      predictionStart: now, glucoseHistory: glucose, doses: doses, carbEntries: food(at: now),
      basal: .init(basal.merged, number: \.unitsPerHour),
      sensitivity: .init(sensitivity.merged, number: \.mgdLPerUnit),
      carbRatio: .init(carbRatio.merged, number: \.gramsPerUnit), target: .init(target.merged),
      suspendThreshold: therapy.suspendThreshold, maximumBolus: therapy.maximumBolus.units,
      maximumBasalRate: therapy.maximumBasalRate.unitsPerHour,
      maximumActiveInsulinMultiplier: therapy.activeInsulinMultiplier,
      useIntegralRetrospectiveCorrection: therapy.usesIntegralRetrospectiveCorrection,
      includePositiveVelocityAndRC: therapy.includesPositiveVelocityAndRC,
      useMidAbsorptionISF: therapy.usesMidAbsorptionISF, recommendationInsulinModel: model,
      recommendationType: therapy.strategy.recommendation, generation: generation)
    if let range = target.segments.first?.value {
      input.completeShare(
        therapy.applicationFactor, from: range, lastCompletedLoop: lastCompletedLoop)
    }
    return input
  }

  private func food(at now: Instant) -> [AlgorithmInput.CarbEntry] {
    let window = DataWindows(at: now).carbEntries
    return between(food, window.lowerBound, window.upperBound) { $0.sample.start }
      .filter { $0.written <= now }.compactMap { entry in
        entry.sample.storedValue.map {
          AlgorithmInput.CarbEntry(
            date: entry.sample.start, quantity: .init(grams: $0),
            absorptionTime: entry.sample.metadata.absorptionTime)
        }
      }
  }

  /// The reading within two and a half minutes of an instant, in mg/dL.
  func reading(near instant: Instant) -> Double? { sample(near: instant)?.storedValue }

  /// The reading within two and a half minutes of an instant.
  func sample(near instant: Instant) -> Sample? {
    let near = between(readings, instant - .seconds(150), instant + .seconds(150)) { $0.start }
    return near.min { ($0.start - instant).magnitude < ($1.start - instant).magnitude }
  }

  /// What the record says was delivered in a stretch, in U: basal by its share of time; with all
  /// boluses, or with the loop's own alone.
  func delivered(from start: Instant, to end: Instant, byLoopOnly: Bool = false) -> Double {
    doses(actingFrom: start, to: end).reduce(0) { sum, dose in
      let entry = dose.entry
      if byLoopOnly, entry.kind == .bolus, entry.isAutomatic != true { return sum }
      guard entry.kind != .bolus, entry.duration > .zero else {
        return entry.start >= start && entry.start < end ? sum + dose.delivered : sum
      }
      let inside = min(entry.end, end) - max(entry.start, start)
      guard inside > .zero else { return sum }
      return sum + dose.delivered * inside.seconds / entry.duration.seconds
    }
  }

  /// What the schedule gives in a stretch while the record does not say what basal was given, in U:
  /// the algorithm takes it for given then.
  func assumed(
    from start: Instant, to end: Instant, _ schedule: DailySchedule<InsulinRate>,
    _ clock: WallClock
  ) -> Double {
    guard start < end, told.uncovered(start, end) > .zero else { return 0 }
    return schedule.timeline(from: start, to: end, on: clock).segments.reduce(0) { sum, segment in
      sum + segment.value.unitsPerHour * told.uncovered(segment.start, segment.end).hours
    }
  }

  /// When the last dose of the record ends; `nil` where it has none.
  var insulinEnd: Instant? { doses.lazy.map(\.entry.end).max() }

  /// The doses that may act between two instants, by start: few of them last more than a day.
  private func doses(actingFrom start: Instant, to end: Instant) -> ArraySlice<KnownDose> {
    let usual = between(doses, start - .days(1), end) { $0.entry.start }
    let earlier = longDoses.prefix { $0.entry.start < start - .days(1) }
      .filter { $0.entry.end >= start }
    return earlier.isEmpty ? usual : ArraySlice(earlier) + usual
  }

  /// The items of a list in the order of time that lie between two instants, both included.
  private func between<Item>(
    _ items: [Item], _ start: Instant, _ end: Instant, _ time: (Item) -> Instant
  ) -> ArraySlice<Item> {
    func place(_ isBefore: (Instant) -> Bool) -> Int {
      var (low, high) = (0, items.count)
      while low < high {
        let middle = (low + high) / 2
        if isBefore(time(items[middle])) { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let first = place { $0 < start }
    return items[first..<max(first, place { $0 <= end })]
  }
}

extension DoseEntry {
  /// The dose as the app counts it while it runs: basal up to an instant, at its programmed rate.
  ///
  /// How many pulses of a temp basal that goes on have come by then is not in the record, so that
  /// it counts as programmed. A bolus is kept whole (LoopKit/Loop, `LoopDataManager.swift`,
  /// `trimmed(to:)`).
  func running(at now: Instant) -> DoseEntry {
    guard kind != .bolus, end > now else { return self }
    guard kind == .tempBasal, case .unitsPerHour = amount else {
      return trimmed(to: now, syncIdentifier: syncIdentifier)
    }
    var part = self
    part.end = now
    part.deliveredUnits = nil
    return part
  }
}
