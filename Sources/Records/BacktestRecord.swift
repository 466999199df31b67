internal import ClosedLoop
internal import Dosing
internal import HealthStore
internal import Quantities

/// A record as the algorithm could have seen it at any time.
struct BacktestRecord {
  /// The readings of the source with most of them, by time.
  let readings: [Sample]
  private let doses: [(entry: DoseEntry, written: Instant)]
  private let food: [(sample: Sample, written: Instant)]

  init(_ samples: [RestoredSample]) {
    let ordered = samples.sorted {
      ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid)
    }
    let glucose = ordered.filter {
      $0.sample.type == .bloodGlucose && !$0.sample.metadata.wasUserEntered
    }.map(\.sample)
    var counts: [String: Int] = [:]
    for sample in glucose { counts[sample.source?.bundleIdentifier ?? "", default: 0] += 1 }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    readings = glucose.filter { ($0.source?.bundleIdentifier ?? "") == most }
    doses = ordered.filter { $0.sample.type == .insulinDelivery }.compactMap { restored in
      DoseEntry(restored.sample).map { ($0, restored.created) }
    }
    food = ordered.filter { $0.sample.type == .dietaryCarbohydrates }
      .map { ($0.sample, $0.created) }
  }

  /// The input of a cycle: what had been written by then, and the therapy.
  func input(at now: Instant, _ therapy: TherapySettings, _ clock: WallClock) -> AlgorithmInput {
    let windows = DataWindows(at: now)
    let model = therapy.insulinType.model(rapidActing: therapy.rapidActingModel)
    let known = between(doses, windows.doses.lowerBound - .days(1), now) { $0.entry.start }
      .filter { $0.written <= now && $0.entry.end >= windows.doses.lowerBound }
    let insulin = known.map { dose(of: $0.entry, model) }
    let history = between(readings, windows.glucose.lowerBound, now) { $0.start }
    let first = min(insulin.first?.startDate ?? now, windows.glucose.lowerBound)
    let end = now + .hours(14)
    let start = first - .minutes(10)
    return AlgorithmInput(
      predictionStart: now,
      glucoseHistory: history.compactMap { sample in
        sample.storedValue.map {
          AlgorithmInput.GlucoseSample(
            date: sample.start, quantity: .mgdL($0),
            provenanceIdentifier: sample.source?.bundleIdentifier ?? "")
        }
      },
      doses: insulin,
      carbEntries: between(food, windows.carbEntries.lowerBound, windows.carbEntries.upperBound) {
        $0.sample.start
      }.filter { $0.written <= now }.compactMap { entry in
        entry.sample.storedValue.map {
          AlgorithmInput.CarbEntry(
            date: entry.sample.start, quantity: .init(grams: $0),
            absorptionTime: entry.sample.metadata.absorptionTime)
        }
      },
      basal: .init(
        therapy.basal.timeline(from: start, to: end, on: clock), number: \.unitsPerHour),
      sensitivity: .init(
        therapy.sensitivity.timeline(from: start, to: end, on: clock), number: \.mgdLPerUnit),
      carbRatio: .init(
        therapy.carbRatio.timeline(from: start, to: end, on: clock), number: \.gramsPerUnit),
      target: .init(therapy.targets.timeline(from: now, to: end, on: clock)),
      suspendThreshold: therapy.suspendThreshold, maximumBolus: therapy.maximumBolus.units,
      maximumBasalRate: therapy.maximumBasalRate.unitsPerHour,
      useIntegralRetrospectiveCorrection: therapy.usesIntegralRetrospectiveCorrection,
      includePositiveVelocityAndRC: therapy.includesPositiveVelocityAndRC,
      useMidAbsorptionISF: therapy.usesMidAbsorptionISF, recommendationInsulinModel: model,
      recommendationType: therapy.strategy == .tempBasal ? .tempBasal : .automaticBolus)
  }

  /// A dose as the app counts it: scheduled basal as programmed.
  private func dose(of entry: DoseEntry, _ model: InsulinModel) -> AlgorithmInput.InsulinDose {
    let scheduled = entry.kind == .basal ? entry.scheduledBasalRate : nil
    return AlgorithmInput.InsulinDose(
      type: entry.kind == .bolus ? .bolus : .basal, startDate: entry.start, endDate: entry.end,
      volume: scheduled.map { $0 * entry.duration.hours } ?? entry.deliverableUnits,
      insulinModel: model)
  }

  /// The reading within two and a half minutes of an instant, in mg/dL.
  func reading(near instant: Instant) -> Double? {
    let near = between(readings, instant - .seconds(150), instant + .seconds(150)) { $0.start }
    return near.min {
      ($0.start - instant).magnitude < ($1.start - instant).magnitude
    }?.storedValue
  }

  /// What the record says was delivered in a stretch, in U: basal by its share of time.
  func delivered(from start: Instant, to end: Instant) -> Double {
    between(doses, start - .days(1), end) { $0.entry.start }.reduce(0) { sum, dose in
      let entry = dose.entry
      guard entry.kind != .bolus, entry.duration > .zero else {
        return entry.start >= start && entry.start < end ? sum + entry.deliverableUnits : sum
      }
      let inside = min(entry.end, end) - max(entry.start, start)
      guard inside > .zero else { return sum }
      return sum + entry.deliverableUnits * inside.seconds / entry.duration.seconds
    }
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
