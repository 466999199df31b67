internal import Quantities

/// Finds where pump, app and health store tell different stories.
///
/// Every basal sample is held against the pulses the pump gave in the same half-open window, and
/// every bolus against its row in the event history, in the insulin delivery store and in the
/// health store.
struct RecordComparison {
  var start: Instant
  var end: Instant
  /// The latest instant up to which the app had reported basal when the run ended.
  var reportedThrough: Instant
  var basalDelivered: (Instant, Instant) -> InsulinAmount
  var boluses: [PumpBolusRecord]
  var eventHistory: [EventHistoryRecord]
  var delivery: [InsulinDeliveryRecord]
  var samples: [InsulinSampleRecord]
  /// The identifiers of pump events a person deleted.
  var deletedEvents: Set<String>
  /// The sync identifiers of insulin samples a person deleted from the health store.
  var deletedSamples: Set<String>
  var clock: WallClock

  /// Two amounts differ when they are further apart than half a milliunit.
  static let tolerance = 0.0005

  func compare() -> RecordAgreement {
    var agreement = RecordAgreement()
    let own = samples.filter(\.isOwn)
    let basal = own.filter(\.isBasal).sorted { ($0.start, $0.sampleID) < ($1.start, $1.sampleID) }
    agreement.basal.pump = basalDelivered(start, end).units
    agreement.basal.healthStore = sum(basal.map(\.units))
    agreement.basal.app = sum(
      delivery.filter { $0.isFromPump && !$0.isMutable && $0.kind != "bolus" }.map(\.units))
    agreement.bolus.pump = sum(boluses.map(\.delivered.units))
    agreement.bolus.healthStore = sum(
      own.filter { !$0.isBasal && isFromPump($0) }.map(\.units))
    agreement.bolus.app = sum(
      delivery.filter { $0.isFromPump && $0.kind == "bolus" }.map(\.units))
    agreement.external = sum(samples.filter { !isFromPump($0) && !$0.isBasal }.map(\.units))

    agreement.add(appDifferences(agreement))
    agreement.add(basalDifferences(basal) + bolusDifferences(own) + externalDifferences())
    return agreement
  }

  // MARK: - Totals

  /// What the app counts as given, held against what the pump gave.
  private func appDifferences(_ agreement: RecordAgreement) -> [RecordDifference] {
    [("basal", agreement.basal), ("bolus", agreement.bolus)].compactMap { name, totals in
      let difference = totals.app - totals.pump
      guard difference.magnitude > Self.tolerance else { return nil }
      return RecordDifference(
        .check, .appDiffers, from: start, to: end, units: difference,
        "The app counts \(unitsText(totals.app)) U of \(name), and the pump gave "
          + "\(unitsText(totals.pump)) U.")
    }
  }

  // MARK: - Basal

  private func basalDifferences(_ basal: [InsulinSampleRecord]) -> [RecordDifference] {
    var found: [RecordDifference] = []
    var covered = start
    for (index, sample) in basal.enumerated() {
      if index > 0, basal[index - 1].start == sample.start, basal[index - 1].end == sample.end {
        found.append(
          RecordDifference(
            .fault, .duplicateSample, from: sample.start, to: sample.end, units: sample.units,
            "The health store holds the basal of \(span(sample)) twice."))
        continue
      }
      if sample.start > covered { found += missing(from: covered, to: sample.start) }
      if sample.start < covered {
        found.append(
          RecordDifference(
            .fault, .overlappingSamples, from: sample.start, to: min(covered, sample.end),
            units: sample.units,
            "The basal sample of \(span(sample)) overlaps the one before it."))
      }
      let pulses = basalDelivered(sample.start, sample.end).units
      if (sample.units - pulses).magnitude > Self.tolerance {
        found.append(
          RecordDifference(
            .fault, .unitsDiffer, from: sample.start, to: sample.end,
            units: sample.units - pulses,
            "The basal sample of \(span(sample)) says \(unitsText(sample.units)) U, "
              + "and the pump gave "
              + "\(unitsText(pulses)) U."))
      }
      covered = max(covered, sample.end)
    }
    if covered < end { found += missing(from: covered, to: end) }
    return found
  }

  /// Basal that no sample covers: not yet due, or missing.
  private func missing(from gap: Instant, to gapEnd: Instant) -> [RecordDifference] {
    var found: [RecordDifference] = []
    let due = min(gapEnd, max(gap, reportedThrough))
    if due > gap {
      let units = basalDelivered(gap, due).units
      found.append(
        RecordDifference(
          .fault, .missingSpan, from: gap, to: due, units: -units,
          "\(unitsText(units)) U of basal from \(time(gap)) to \(time(due)) are missing from the "
            + "health store."))
    }
    if gapEnd > due {
      let units = basalDelivered(due, gapEnd).units
      found.append(
        RecordDifference(
          .note, .notYetReported, from: due, to: gapEnd, units: -units,
          "\(unitsText(units)) U of basal since \(time(due)) are not reported yet: "
            + "the next report is "
            + "at midnight or the next change of rate."))
    }
    return found
  }

  // MARK: - Boluses

  private func bolusDifferences(_ own: [InsulinSampleRecord]) -> [RecordDifference] {
    var found: [RecordDifference] = []
    for bolus in boluses {
      let row = eventHistory.first { $0.identifier == bolus.identifier }
      let sample = own.first { $0.syncIdentifier == bolus.identifier }
      let given = bolus.delivered.units
      func difference(
        _ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind, _ units: Double,
        _ text: String
      ) {
        found.append(
          RecordDifference(
            severity, kind, from: bolus.start, to: bolus.end, units: units,
            "The bolus of \(time(bolus.start)) (\(unitsText(given)) U) " + text))
      }
      if bolus.delivered < bolus.asked, !bolus.isRunning {
        difference(
          .note, .interruptedBolus, given - bolus.asked.units,
          "was stopped before the \(unitsText(bolus.asked.units)) U asked for were given.")
      }
      if given == 0 || bolus.isRunning { continue }
      switch (row, sample) {
      case (nil, nil) where deletedEvents.contains(bolus.identifier):
        difference(
          .check, .deletedEverywhere, -given,
          "was deleted in both places; the body has it, and IOB no longer counts it.")
      case (nil, .some(let sample)):
        let severity: RecordDifference.Severity =
          deletedEvents.contains(bolus.identifier) ? .check : .fault
        difference(
          severity, .deletedFromEventHistory, sample.units - given,
          "is not in the event history, is in the health store, and still counts in IOB.")
      case (_, nil):
        let isLate = bolus.end + .minutes(10) <= end
        difference(
          isLate ? .fault : .note, isLate ? .missingBolus : .notYetReported, -given,
          isLate
            ? "is missing from the health store."
            : "ended less than two cycles ago and is not in the health store yet.")
      case (.some, .some(let sample)):
        if (sample.units - given).magnitude > Self.tolerance {
          difference(
            .fault, .unitsDiffer, sample.units - given,
            "is in the health store with \(unitsText(sample.units)) U.")
        } else if deletedSamples.contains(bolus.identifier) {
          difference(
            .check, .writtenAgain, 0,
            "was deleted in the health store alone, and was written there again at "
              + "\(time(sample.writtenAt)).")
        }
      }
    }
    return found
  }

  // MARK: - Insulin from elsewhere

  private func externalDifferences() -> [RecordDifference] {
    samples.filter { !isFromPump($0) }.map { sample in
      if let original = original(of: sample) { return difference(sample, from: original) }
      let isForeignBasal = sample.isBasal
      return RecordDifference(
        isForeignBasal ? .note : .expected, isForeignBasal ? .foreignBasal : .externalDose,
        from: sample.start, to: sample.end, units: sample.units,
        isForeignBasal
          ? "\(unitsText(sample.units)) U of basal at \(time(sample.start)) come from "
            + "\(sample.source); they have no influence on IOB."
          : "\(unitsText(sample.units)) U at \(time(sample.start)) come from \(sample.source), not "
            + "from the pump; they count in IOB.")
    }
  }

  /// The app's own sample of the same delivery, where another source has one too.
  private func original(of sample: InsulinSampleRecord) -> InsulinSampleRecord? {
    guard !sample.isOwn else { return nil }
    return samples.first {
      $0.isOwn && $0.start == sample.start && $0.end == sample.end && $0.isBasal == sample.isBasal
    }
  }

  /// What another source says of a delivery that the app has written.
  private func difference(
    _ sample: InsulinSampleRecord, from original: InsulinSampleRecord
  ) -> RecordDifference {
    let isSame = (sample.units - original.units).magnitude <= Self.tolerance
    let kind = sample.isBasal ? "basal" : "bolus"
    let consequence =
      sample.isBasal ? "it has no influence on IOB" : "it counts in IOB a second time"
    return RecordDifference(
      .check, isSame ? .duplicateSample : .conflictingSample, from: sample.start, to: sample.end,
      units: sample.units,
      isSame
        ? "The \(kind) of \(time(sample.start)) comes a second time from \(sample.source); "
          + "\(consequence)."
        : "\(sample.source) says \(unitsText(sample.units)) U of the \(kind) of "
          + "\(time(sample.start)), and the app \(unitsText(original.units)) U; \(consequence).")
  }

  /// Whether a sample tells of insulin that the pump gave.
  private func isFromPump(_ sample: InsulinSampleRecord) -> Bool {
    guard sample.isOwn else { return false }
    guard !sample.isBasal, let identifier = sample.syncIdentifier else { return sample.isBasal }
    return boluses.contains { $0.identifier == identifier }
  }

  // MARK: - Words

  private func time(_ instant: Instant) -> String {
    clock.civilTime(at: instant).timeOfDay.description
  }

  private func span(_ sample: InsulinSampleRecord) -> String {
    "\(time(sample.start)) to \(time(sample.end))"
  }

  /// A sum in the order of the numbers.
  private func sum(_ numbers: [Double]) -> Double { numbers.reduce(0, +) }
}
