internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// Boluses of the pump, held against event history, app and health store.
struct BolusComparison {
  let compared: ComparedRecords

  private var causes: RecordCauses { compared.causes }
  private func time(_ instant: Instant) -> String { compared.time(instant) }

  /// One bolus in all records.
  private struct BolusRecords {
    var bolus: PumpBolusRecord
    var dose: InsulinDeliveryRecord?
    var sample: InsulinSampleRecord?
    var given: Double { bolus.delivered.units }
    var inApp: Double { dose?.units ?? 0 }
    var inStore: Double { sample?.units ?? 0 }
    /// Whether the app assumed it of a command without a reply.
    var isAssumed: Bool { (dose?.identifier ?? sample?.syncIdentifier)?.isAssumed ?? false }
  }

  func differences() -> [RecordDifference] {
    var doses: [SyncIdentifier: InsulinDeliveryRecord] = [:]
    for dose in compared.doses where dose.isFromPump && dose.isBolus {
      doses[dose.identifier] = dose
    }
    var samples: [SyncIdentifier: InsulinSampleRecord] = [:]
    var found: [RecordDifference] = []
    for sample in compared.samples where compared.isFromPump(sample) && !sample.isBasal {
      guard let identifier = sample.syncIdentifier else { continue }
      if samples[identifier] != nil {
        found.append(
          RecordDifference(
            .fault, .duplicateSample, .bolus, in: [.healthStore], from: sample.start,
            to: sample.end, units: sample.units,
            "The health store holds the bolus of \(time(sample.start)) twice."))
      } else {
        samples[identifier] = sample
      }
    }
    let identifiers = BolusIdentifiers(
      boluses: compared.boluses, doses: compared.doses, samples: compared.samples,
      clocks: causes.wrongClocks)
    for bolus in compared.boluses {
      let identifier = identifiers[bolus.identifier]
      found += differences(
        BolusRecords(
          bolus: bolus, dose: doses.removeValue(forKey: identifier),
          sample: samples.removeValue(forKey: identifier)))
    }
    let others = doses.values.sorted {
      ($0.start, $0.identifier.description) < ($1.start, $1.identifier.description)
    }
    found += others.flatMap {
      notDelivered(
        $0.identifier, from: $0.start, to: $0.end, inApp: $0.units,
        inStore: samples.removeValue(forKey: $0.identifier)?.units ?? 0)
    }
    // What the app had assumed, and does not know any more.
    let kept = samples.filter(\.key.isAssumed).sorted {
      ($0.value.start, $0.key.description) < ($1.value.start, $1.key.description)
    }
    found += kept.flatMap { identifier, sample in
      notDelivered(
        identifier, from: sample.start, to: sample.end, inApp: 0, inStore: sample.units)
    }
    return found
  }

  private func differences(_ records: BolusRecords) -> [RecordDifference] {
    assert(records.given >= 0, "A pump takes no insulin back.")
    let bolus = records.bolus
    if bolus.isRunning { return running(records) }
    var found = interruption(records)
    let isInApp = (records.inApp - records.given).magnitude <= ComparedRecords.tolerance
    let isInStore = (records.inStore - records.given).magnitude <= ComparedRecords.tolerance
    switch (isInApp, isInStore) {
    case (true, true): found += remarks(records)
    case (true, false): found.append(storeDifference(records))
    case (false, _): found += appDifferences(records, isInStore: isInStore)
    }
    return found + misdated(records)
  }

  /// The boluses that were stopped early, which the pump alone tells of.
  func interruptions() -> [RecordDifference] {
    compared.boluses.flatMap { $0.isRunning ? [] : interruption(BolusRecords(bolus: $0)) }
  }

  private func interruption(_ records: BolusRecords) -> [RecordDifference] {
    guard records.bolus.delivered < records.bolus.asked else { return [] }
    return [
      difference(
        .note, .interruptedBolus, records, in: [], 0,
        "was stopped before the \(unitsText(records.bolus.asked.units)) U asked for were given.")
    ]
  }

  /// A bolus that the records have at another time than the pump gave it.
  private func misdated(_ records: BolusRecords) -> [RecordDifference] {
    let start = records.bolus.start
    let others = [
      (RecordAgreement.Record.app, records.dose?.start),
      (.healthStore, records.sample?.start),
    ].filter { ($0.1.map { ($0 - start).magnitude } ?? .zero) > Self.longestDelay }
    guard let recorded = others.first?.1 else { return [] }
    let isLate = records.isAssumed && records.bolus.sent != nil
    let cause = causes.wrongClocks.words ?? (isLate ? "its command reached the pump late" : nil)
    return [
      difference(
        cause == nil ? .fault : .check, .misdated, records, in: others.map(\.0), 0,
        "is recorded at \(time(recorded.roundedToSecond)), "
          + "\((recorded - start).magnitude.roundedToSecond) too "
          + "\(recorded > start ? "late" : "early")"
          + (cause.map { ": \($0)." } ?? ", and no cause is known."))
    ]
  }

  /// How far the start of a bolus may lie in a record from when the pump began to give it.
  private static let longestDelay = TimeSpan.minutes(2)

  private func difference(
    _ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind, _ bolus: BolusRecords,
    in records: [RecordAgreement.Record], _ units: Double, _ text: String
  ) -> RecordDifference {
    RecordDifference(
      severity, kind, .bolus, in: records, from: bolus.bolus.start, to: bolus.bolus.end,
      units: units,
      "The bolus of \(time(bolus.bolus.start)) (\(unitsText(bolus.given)) U) \(text)")
  }

  /// A bolus that was still being given when the run ended.
  private func running(_ records: BolusRecords) -> [RecordDifference] {
    let still = "is still being given, and is to be \(unitsText(records.bolus.asked.units)) U"
    let (more, missing) = (records.inApp - records.given, records.inStore - records.given)
    if records.dose == nil, more.magnitude > ComparedRecords.tolerance, more == missing {
      let cause = causeOfSilence(on: records.bolus)
      return [
        difference(
          cause.severity, cause.kind, records, in: [.app, .healthStore], more,
          "\(still); \(cause.clause), and IOB does not count it.")
      ]
    }
    var found: [RecordDifference] = []
    if more.magnitude > ComparedRecords.tolerance {
      found.append(
        difference(
          .expected, .runningBolus, records, in: [.app], more,
          "\(still); the app counts \(unitsText(records.inApp)) U."))
    }
    if missing.magnitude > ComparedRecords.tolerance {
      found.append(
        difference(
          .expected, .runningBolus, records, in: [.healthStore], missing,
          "\(still); "
            + ((causes.writing ?? causes.stop).map { "\(compared.clause($0))." }
              ?? "it is written when it ends.")))
    }
    return found
  }

  /// Why the app knows nothing of a bolus that is still being given.
  private func causeOfSilence(on bolus: PumpBolusRecord) -> DifferenceCause {
    if causes.deletedEvents.contains(bolus.identifier) {
      return .init(.check, .deletedFromEventHistory, "it was deleted from the event history")
    }
    if let stop = causes.stop { return .init(.check, .appStopped, compared.clause(stop)) }
    // What runs is in every report, but for what a lost reply leaves open.
    return .init(.check, .notReported, "the pump has not told of it")
  }

  /// What is worth saying of a bolus that all records have.
  private func remarks(_ records: BolusRecords) -> [RecordDifference] {
    let identifier = records.bolus.identifier
    guard records.given > 0 else { return [] }
    if records.isAssumed {
      return [
        difference(
          .note, .notReported, records, in: [], 0,
          "was never reported by the pump, and counts as given: its command had no reply.")
      ]
    }
    if !compared.shownBoluses.contains(identifier), records.bolus.start >= causes.historyStart {
      let counts = records.dose?.countsInInsulinOnBoard == true
      let rest = "is in the health store, and \(counts ? "still counts" : "does not count") in IOB"
      if causes.deletedEvents.contains(identifier) {
        return [
          difference(
            .check, .deletedFromEventHistory, records, in: [], 0,
            "was deleted from the event history alone, \(rest).")
        ]
      }
      if let anew = causes.installedAnew, records.bolus.start <= anew {
        return [
          difference(
            .check, .installedAnew, records, in: [], 0,
            "is not in the event history of the app, which was installed anew at \(time(anew)); "
              + "it \(rest).")
        ]
      }
      if let ahead = causes.clockAhead, records.bolus.start < causes.historyStart + ahead.span {
        return [
          difference(
            .check, .notReported, records, in: [], 0,
            "is in the health store alone, as the phone's clock was "
              + "\(ahead.span.roundedToSecond) ahead, and the app forgets what is old.")
        ]
      }
      return [
        difference(
          .fault, .deletedFromEventHistory, records, in: [], 0,
          "is not in the event history, \(rest).")
      ]
    }
    guard causes.deletedSamples.contains(identifier), let sample = records.sample else { return [] }
    return [
      difference(
        .note, .writtenAgain, records, in: [], 0,
        "was deleted in the health store alone, and was written there again at "
          + "\(time(sample.writtenAt)).")
    ]
  }

  /// The app counts the bolus as given, and the health store does not have it so.
  private func storeDifference(_ records: BolusRecords) -> RecordDifference {
    let units = records.inStore - records.given
    if records.sample != nil {
      return difference(
        .fault, .unitsDiffer, records, in: [.healthStore], units,
        "is in the health store with \(unitsText(records.inStore)) U.")
    }
    let store: [RecordAgreement.Record] = [.healthStore]
    let lacks = "is not in the health store"
    if let deletion = causes.deletion(of: records.bolus.identifier) {
      return difference(
        .check, .deleted, records, in: store, units,
        "\(lacks): deleted there at \(time(deletion.instant)). It still counts in IOB.")
    }
    if let writing = causes.writing {
      return difference(
        .check, .notAllowed, records, in: store, units, "\(lacks): \(compared.clause(writing)).")
    }
    if let stop = causes.stop, records.bolus.end + causes.usualDelay >= stop.since {
      return difference(
        .check, .appStopped, records, in: store, units, "\(lacks): \(compared.clause(stop)).")
    }
    if causes.stop != nil, let last = causes.lastWrite,
      records.bolus.end + causes.usualDelay > last
    {
      return difference(
        .check, .appStopped, records, in: store, units,
        "\(lacks): \(compared.clause(lastWrite: last)).")
    }
    if causes.stop != nil, let last = causes.lastLoop,
      records.bolus.end + causes.usualDelay > last
    {
      return difference(
        .check, .appStopped, records, in: store, units,
        "\(lacks): the loop last ran at \(time(last)).")
    }
    if causes.stop == nil, records.bolus.end + causes.usualDelay > compared.end {
      return difference(
        .note, .notYetReported, records, in: store, units,
        "\(lacks) yet: the app writes it in its next cycle.")
    }
    if let cause = age(of: records.bolus, in: .healthStore) {
      return difference(
        cause.severity, cause.kind, records, in: store, units, "\(lacks): \(cause.clause).")
    }
    return difference(
      .fault, .missingBolus, records, in: store, units, "\(lacks), and no cause is known.")
  }

  /// Why a bolus was too old for the app when it could have taken it in, or have written it.
  private func age(
    of bolus: PumpBolusRecord, in record: RecordAgreement.Record
  ) -> DifferenceCause? {
    compared.causeOfAge(from: bolus.start, to: bolus.end, in: record, .missingBolus)
  }

  /// What the body has of a bolus.
  private func bodyClause(_ records: BolusRecords) -> String {
    let units = compared.reached(records.bolus) ?? records.given
    if (units - records.given).magnitude <= ComparedRecords.tolerance { return "the body has it" }
    let amount = units <= ComparedRecords.tolerance ? "none of it" : "\(unitsText(units)) U"
    return "the body got \(amount) while it was given"
  }

  /// The app does not count the bolus as the pump gave it.
  private func appDifferences(
    _ records: BolusRecords, isInStore: Bool
  ) -> [RecordDifference] {
    let identifier = records.bolus.identifier
    let (more, inStore) = (records.inApp - records.given, records.inStore - records.given)
    let counts =
      records.dose == nil ? "IOB does not count it" : "IOB counts \(unitsText(records.inApp)) U"
    func found(
      _ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind, _ clause: String
    ) -> [RecordDifference] {
      let isSame = (more - inStore).magnitude <= ComparedRecords.tolerance
      var all = [
        difference(
          severity, kind, records, in: isSame ? [.app, .healthStore] : [.app], more,
          "\(clause); \(bodyClause(records)), and \(counts).")
      ]
      if !isSame, !isInStore {
        // What takes a bolus from the app puts no more of it in the health store.
        let surplus = inStore > 0 ? causeOfSurplus(records) : nil
        all.append(
          difference(
            surplus == nil ? severity : .check, surplus == nil ? kind : .notReported, records,
            in: [.healthStore], inStore,
            "\(surplus ?? clause); the health store has \(unitsText(records.inStore)) U."))
      }
      return all
    }
    if records.isAssumed, records.dose != nil {
      return found(.check, .notReported, Self.assumed)
    }
    if let deletion = causes.deletion(of: identifier), records.dose == nil {
      return causes.deletedEvents.contains(identifier)
        ? found(.check, .deletedEverywhere, "was deleted in both places")
        : found(
          .check, .deleted, "was deleted in the health store at \(time(deletion.instant))")
    }
    let isKept = isInStore || records.inStore > 0
    if causes.deletedEvents.contains(identifier), records.dose == nil, !isKept {
      return found(
        .check, .deletedFromEventHistory,
        "was deleted from the event history before the app had written it")
    }
    if more > 0, records.sample != nil, let surplus = causeOfSurplus(records) {
      return found(.check, .notReported, surplus)
    }
    // Of what no pump told no app had anything to lose, but for what it assumed and wrote.
    let isHidden =
      causes.hiddenEvents.contains(identifier) && !compared.shownBoluses.contains(identifier)
    if !isHidden || isKept,
      let anew = causes.installation(after: records.bolus.start, isInStore: isKept)
    {
      return found(
        .check, .installedAnew, "came before the app was installed anew at \(time(anew.instant))")
    }
    let isUntold = causes.untoldEvents.contains(identifier)
    // An app whose loop never ran has taken in nothing of the time before the run.
    if let stop = causes.stop,
      records.bolus.end + causes.usualDelay >= stop.since || isUntold || causes.lastLoop == nil
        || records.dose?.isMutable == true
    {
      return found(.check, .appStopped, "is not what the app knows of: \(compared.clause(stop))")
    }
    if causes.stop != nil, let last = causes.lastLoop,
      records.bolus.end + causes.usualDelay > last
    {
      return found(
        .check, .appStopped,
        "is not what the app knows of: the loop last ran at \(time(last))")
    }
    if isUntold {
      return found(
        .check, .notReported,
        "is not what the app knows of: the reply to its command was lost, and the pump has not "
          + "told of it")
    }
    if isHidden, more < 0 {
      return found(.check, .notReported, "was never reported by the pump")
    }
    if more > 0, let surplus = causeOfSurplus(records) {
      return found(.check, .notReported, surplus)
    }
    if records.dose == nil, let cause = age(of: records.bolus, in: .app) {
      return found(cause.severity, cause.kind, "is not what the app counts: \(cause.clause)")
    }
    return found(
      .fault, records.dose == nil ? .missingBolus : .unitsDiffer,
      "is not what the app counts, and no cause is known")
  }

  private static let assumed =
    "was never reported by the pump, and all of it counts as given: its command had no reply"

  /// Why a record has more of a bolus than the pump gave; `nil` where that is not known.
  private func causeOfSurplus(_ records: BolusRecords) -> String? {
    if records.isAssumed {
      return records.dose == nil
        ? "was never reported by the pump, and the app took all of it for given: its command had "
          + "no reply" : Self.assumed
    }
    return compared.ledger.reporting.overstated > .zero
      ? "was reported by the pump with another amount" : nil
  }
}
