internal import Quantities

/// Insulin that no command to the pump gave: in the body, in the app, and in the health store.
struct OutsideInsulinComparison {
  private let compared: ComparedRecords
  private let own: OwnSamples

  init(_ compared: ComparedRecords) {
    self.compared = compared
    own = OwnSamples(compared.samples)
  }

  private var causes: RecordCauses { compared.causes }
  private func time(_ instant: Instant) -> String { compared.time(instant) }
  private func span(_ start: Instant, _ end: Instant) -> String { compared.span(start, end) }

  func differences() -> [RecordDifference] {
    var doses = outsideDoses()
    let misstated = takeMisstated(from: &doses)
    let partners = misdated(doses)
    return misstated
      + doses.indices.flatMap { differences(doses[$0], dated: partners[$0].map { doses[$0] }) }
  }

  /// Injections and what the app has of them at another time, because the phone's clock was wrong:
  /// the place of the one by that of the other.
  private func misdated(_ doses: [OutsideDose]) -> [Int: Int] {
    guard causes.wrongClocks.contains(where: { $0.owner == .phone }) else { return [:] }
    var partners: [Int: Int] = [:]
    for (place, dose) in doses.enumerated() where dose.hasNoRecord {
      let other = doses.indices.first { other in
        partners[other] == nil && doses[other].isOfApp
          && (max(doses[other].inApp, doses[other].inStore) - dose.inBody).magnitude
            <= ComparedRecords.tolerance
      }
      guard let other else { continue }
      (partners[place], partners[other]) = (other, place)
    }
    return partners
  }

  /// Injections that a record has with another amount, each in one sentence.
  ///
  /// Such an injection and its record are of the same instant; they are taken from `doses`. What
  /// another source has of a dose of the pump tells of no injection.
  private func takeMisstated(from doses: inout [OutsideDose]) -> [RecordDifference] {
    var found: [RecordDifference] = []
    var told: Set<Int> = []
    // Those without a record, the last of an instant first.
    var unlogged: [Instant: [Int]] = [:]
    for place in doses.indices.reversed() where doses[place].hasNoRecord {
      guard let instant = doses[place].injection?.instant else { continue }
      unlogged[instant, default: []].append(place)
    }
    for (place, logged) in doses.enumerated() {
      guard logged.injection == nil, logged.sample.map(tellsOfInjection) ?? true,
        let start = logged.start,
        max(logged.inApp, logged.inStore) > ComparedRecords.tolerance,
        let other = unlogged[start]?.popLast()
      else { continue }
      told.formUnion([place, other])
      var dose = logged
      dose.injection = doses[other].injection
      found += misstated(dose)
    }
    doses = doses.indices.filter { !told.contains($0) }.map { doses[$0] }
    return found
  }

  /// What is told of an injection that its record has with another amount.
  private func misstated(_ dose: OutsideDose) -> [RecordDifference] {
    guard let start = dose.start, let end = dose.end else { return [] }
    let (isInApp, isInStore) = (dose.inApp > 0, dose.inStore > 0)
    let logged = isInStore ? dose.inStore : dose.inApp
    let counts =
      isInApp ? "; IOB counts \(unitsText(dose.inApp)) U." : ", which IOB does not count."
    let records = [(RecordAgreement.Record.app, isInApp), (.healthStore, isInStore)]
    let difference = RecordDifference(
      .check, .misstatedDose, .elsewhere, in: records.filter(\.1).map(\.0), from: start, to: end,
      units: logged - dose.inBody,
      "\(source(dose)) says \(unitsText(logged)) U at \(time(start)), where "
        + "\(unitsText(dose.inBody)) U were injected\(counts)")
    return [difference] + (isInApp ? [] : [notInApp(dose, from: start, to: end)])
      + (isInStore ? [] : [notInStore(dose, from: start, to: end)])
  }

  private func outsideDoses() -> [OutsideDose] {
    OutsideDose.matched(
      injections: compared.injections, doses: compared.doses.filter { !$0.isFromPump },
      samples: compared.samples.filter { !compared.isFromPump($0) },
      where: tellsOfInjection)
  }

  /// Whether a sample can be the record of an injection, and is no copy of one of the app's.
  private func tellsOfInjection(_ sample: InsulinSampleRecord) -> Bool {
    own.original(of: sample) == nil
  }

  private func differences(
    _ dose: OutsideDose, dated partner: OutsideDose?
  ) -> [RecordDifference] {
    guard let start = dose.start, let end = dose.end else { return [] }
    func difference(
      _ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind,
      in records: [RecordAgreement.Record], _ units: Double, _ text: String
    ) -> RecordDifference {
      RecordDifference(
        severity, kind, .elsewhere, in: records, from: start, to: end, units: units, text)
    }
    let (more, inStore) = (dose.inApp - dose.inBody, dose.inStore - dose.inBody)
    let isInApp = more.magnitude <= ComparedRecords.tolerance
    let isInStore = inStore.magnitude <= ComparedRecords.tolerance
    if isInApp, isInStore {
      // A dose of nothing, and one that every record has.
      guard dose.inStore > 0 else { return [] }
      return [
        difference(
          .expected, .externalDose, in: [], dose.inStore,
          "\(unitsText(dose.inStore)) U at \(time(start)) come from \(source(dose)), not from the "
            + "pump; \(countsSentence(dose)).")
      ]
    }
    if dose.hasNoRecord {
      return [
        difference(
          .check, .unloggedInjection, in: [.app, .healthStore], more,
          "\(unitsText(dose.inBody)) U injected at \(time(start)) are in no record"
            + clause(ofUnlogged: start, dose.inBody, dated: partner))
      ]
    }
    if dose.injection == nil { return notInjected(dose, dated: partner, difference) }
    return (isInApp ? [] : [notInApp(dose, from: start, to: end)])
      + (isInStore ? [] : [notInStore(dose, from: start, to: end)])
  }

  /// Why what was injected at an instant is in no record, as the end of a sentence.
  private func clause(
    ofUnlogged start: Instant, _ units: Double, dated partner: OutsideDose?
  ) -> String {
    if let partner, let instant = partner.start {
      return " of that time: \(source(partner)) has them at \(time(instant)), and the phone's "
        + "clock was wrong."
    }
    let injections = compared.injections.map(\.instant)
    if let log = causes.lostLog(of: start, units, among: injections) {
      return ": " + clause(log)
    }
    if let sample = causes.undelivered(of: start, among: injections) {
      let place = sample.fault.map { "health store, because of the fault \($0)." }
      return ": what \(sample.source) wrote has not reached the "
        + (place ?? "phone, which was off.")
    }
    let deletion = causes.deletionOfLog(of: start, among: injections)
    return deletion.map {
      ": a sample was deleted in the health store at \(time($0.instant))."
    } ?? "."
  }

  /// How the app came to lose what was logged in it, or not to take it.
  private func clause(_ log: RecordCauses.LostLog) -> String {
    let instant = time(log.instant)
    return switch log.loss {
    case .crash:
      "they were logged in the app, which lost that in a crash, and started again without it at "
        + "\(instant)."
    case .newInstallation:
      "they were logged in the app, which was installed anew at \(instant) before it had written "
        + "them."
    case .phoneOff: "they could not be logged in the app at \(instant), as the phone was off."
    case .refusal: "the app did not take them when they were logged in it at \(instant)."
    }
  }

  /// That the app has not what was injected, and why.
  private func notInApp(
    _ dose: OutsideDose, from start: Instant, to end: Instant
  ) -> RecordDifference {
    lacking(
      dose, in: .app, dose.inApp - dose.inBody, from: start, to: end, causeInApp(dose),
      "come from \(source(dose)), not from the pump; \(countsSentence(dose))")
  }

  /// That the health store has not what was injected, and why.
  private func notInStore(
    _ dose: OutsideDose, from start: Instant, to end: Instant
  ) -> RecordDifference {
    lacking(
      dose, in: .healthStore, dose.inStore - dose.inBody, from: start, to: end,
      causeInStore(dose), "are not in the health store")
  }

  private func lacking(
    _ dose: OutsideDose, in record: RecordAgreement.Record, _ units: Double,
    from start: Instant, to end: Instant, _ cause: DifferenceCause?, _ text: String
  ) -> RecordDifference {
    RecordDifference(
      cause?.severity ?? .fault, cause?.kind ?? .missingBolus, .elsewhere, in: [record],
      from: start, to: end, units: units,
      "\(unitsText(dose.inBody)) U at \(time(start)) \(text): "
        + "\(cause?.clause ?? "no cause is known").")
  }

  private func source(_ dose: OutsideDose) -> String {
    dose.sample?.source ?? dose.dose?.source ?? "elsewhere"
  }

  /// What the app counts of a dose, computed from its records.
  private func countsSentence(_ dose: OutsideDose) -> String {
    if dose.inApp == 0 { return "they do not count in IOB" }
    return (dose.inApp - dose.inStore).magnitude <= ComparedRecords.tolerance
      ? "they count in IOB" : "\(unitsText(dose.inApp)) U count in IOB"
  }

  /// Why the app does not count a dose that is in the health store.
  private func causeInApp(_ dose: OutsideDose) -> DifferenceCause? {
    if let row = dose.dose {
      return row.countsInInsulinOnBoard
        ? nil : .init(.check, .foreignBasal, "the app's IOB takes basal only from the pump")
    }
    guard let sample = dose.sample else { return nil }
    if sample.isBasal {
      return .init(.check, .foreignBasal, "the app takes no basal of other sources")
    }
    if !causes.readsForeignInsulin {
      return .init(.check, .turnedOff, "the app is set not to read insulin of other sources")
    }
    if let reading = causes.reading { return .init(.check, .notAllowed, compared.clause(reading)) }
    if let denial = causes.pastReadingDenials.last(where: {
      $0.hides(whatWasWrittenAt: sample.writtenAt)
    }) {
      return .init(.check, .notAllowed, clause(denial))
    }
    if let stop = causes.stop, sample.writtenAt + causes.usualDelay >= stop.since {
      return .init(.check, .appStopped, compared.clause(stop))
    }
    if causes.stop != nil, let last = causes.lastLook, sample.writtenAt > last {
      return .init(
        .check, .appStopped, "the app last looked at the health store at \(time(last))"
      )
    }
    if let anew = causes.installedAnew, sample.end <= anew {
      return .init(
        .check, .installedAnew,
        "the app was installed anew at \(time(anew)) and does not look that far back"
      )
    }
    if sample.writtenAt + causes.usualDelay > compared.end {
      return .init(.note, .notYetReported, "the app reads them in its next cycle")
    }
    return nil
  }

  /// Why the app has not seen what was written before a stretch in which it might not read, or
  /// in it.
  private func clause(_ denial: AppObstacles.ReadingDenial) -> String {
    let late = denial.lastLook.flatMap {
      denial.span.lowerBound - $0 > causes.usualDelay ? $0 : nil
    }
    let look = late.map { "last looked at the health store at \(time($0)), " } ?? ""
    return "the app \(look)was not allowed to read insulin from "
      + "\(span(denial.span.lowerBound, denial.span.upperBound)), and does not look back"
  }

  /// Why a dose that the app counts is not in the health store.
  private func causeInStore(_ dose: OutsideDose) -> DifferenceCause? {
    guard let row = dose.dose else { return nil }
    if let deletion = causes.deletion(of: row.identifier) {
      return .init(.check, .deleted, "deleted there at \(time(deletion.instant))")
    }
    if let deletion = causes.foreignDeletion(from: row.start, to: row.end) {
      return .init(
        .check, .deleted,
        "deleted there at \(time(deletion.instant)), which the app has not seen"
      )
    }
    if let writing = causes.writing { return .init(.check, .notAllowed, compared.clause(writing)) }
    if let stop = causes.stop { return .init(.check, .appStopped, compared.clause(stop)) }
    if row.end + causes.usualDelay > compared.end {
      return .init(.note, .notYetReported, "the app writes them in its next cycle")
    }
    return compared.causeOfAge(from: row.start, to: row.end, in: .healthStore, .missingBolus)
  }

  // MARK: - Records of what was not injected

  /// A record of insulin that did not enter the body from elsewhere.
  private func notInjected(
    _ dose: OutsideDose, dated partner: OutsideDose?,
    _ difference: (
      RecordDifference.Severity, RecordDifference.Kind, [RecordAgreement.Record], Double, String
    ) -> RecordDifference
  ) -> [RecordDifference] {
    let (kind, sentence) = story(of: dose, dated: partner)
    let (inApp, inStore) = (dose.inApp, dose.inStore)
    let counts =
      inApp == 0
      ? "which IOB does not count"
      : isAhead(dose)
        ? "which IOB does not count before then\(entering(at: partner))" : "which IOB counts"
    if (inApp - inStore).magnitude <= ComparedRecords.tolerance {
      return [difference(.check, kind, [.app, .healthStore], inStore, "\(sentence), \(counts).")]
    }
    var found: [RecordDifference] = []
    if inStore.magnitude > ComparedRecords.tolerance {
      found.append(difference(.check, kind, [.healthStore], inStore, "\(sentence), \(counts)."))
    }
    if inApp.magnitude > ComparedRecords.tolerance {
      found.append(
        difference(
          .check, kind, [.app], inApp,
          "The app counts \(unitsText(inApp)) U at \(time(dose.start ?? compared.start)) from "
            + "\(source(dose)), which did not enter the body then."))
    }
    return found
  }

  /// When insulin that is dated after the run entered the body, at the end of a sentence; empty
  /// where it never did.
  private func entering(at partner: OutsideDose?) -> String {
    partner?.start.map { "; they entered the body at \(time($0))" } ?? ""
  }

  /// Whether a record says that insulin will be given after the run.
  private func isAhead(_ dose: OutsideDose) -> Bool {
    dose.start.map { $0 > compared.end } ?? false
  }

  private func story(
    of dose: OutsideDose, dated partner: OutsideDose?
  ) -> (RecordDifference.Kind, String) {
    let units = unitsText(dose.sample?.units ?? dose.inApp)
    let at = time(dose.start ?? compared.start)
    guard let sample = dose.sample, let original = own.original(of: sample) else {
      return (
        .notInjected,
        "\(source(dose)) says \(units) U at \(at)"
          + (isAhead(dose)
            ? ", after the end of the run"
            : " that did not enter the body then"
              + (partner?.start.map { ", but at \(time($0))" } ?? ""))
      )
    }
    let kind = sample.isBasal ? "basal" : "bolus"
    return (sample.units - original.units).magnitude <= ComparedRecords.tolerance
      ? (
        .duplicateSample,
        "The \(kind) of \(at) (\(units) U) comes a second time from \(sample.source)"
      )
      : (
        .conflictingSample,
        "\(sample.source) says \(units) U of the \(kind) of \(at) beside the app's "
          + "\(unitsText(original.units)) U"
      )
  }
}

extension OutsideDose {
  /// Whether the body alone tells of it.
  fileprivate var hasNoRecord: Bool { dose == nil && sample == nil }
  /// Whether the app alone tells of it, by the phone's clock.
  fileprivate var isOfApp: Bool {
    injection == nil && (sample.map(\.isOwn) ?? (dose != nil))
  }
  fileprivate var inBody: Double { injection?.units ?? 0 }
  fileprivate var inApp: Double { dose.map { $0.countsInInsulinOnBoard ? $0.units : 0 } ?? 0 }
  fileprivate var inStore: Double { sample?.units ?? 0 }
}
