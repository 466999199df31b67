internal import Dosing
internal import HealthStore
internal import Quantities
internal import StructuredText

/// Judges single doses: when they were written, what they amount to, and who wrote them.
struct AuditDoses {
  let book: AuditBook
  /// Boluses of the pump that another source has as well.
  let copiedBoluses: Set<SampleUUID>

  var findings: [AuditFinding] {
    book.insulinBySource.flatMap { source, name, own -> [AuditFinding] in
      amounts(own, name) + pulses(own, name, source) + late(own, name, source)
        + foreign(own, name, source)
    } + food()
  }

  /// No pump gives more in one bolus, and no pen, in U.
  private static let largestBolus = 100.0

  private func amounts(_ own: [AuditRecord], _ name: String) -> [AuditFinding] {
    var findings: [AuditFinding] = []
    let wrong = own.filter { record in
      record.amount < 0 || record.end < record.start
        || (record.kind == .basal && record.sample.duration == .zero && record.amount > 0
          && record.metadata.hasLoopKitOrigin)
    }
    if !wrong.isEmpty {
      findings.append(
        AuditFinding(
          kind: .zeroOrNegative, severity: .fault, sources: [name],
          title: "Insulin that cannot have been given so",
          cause: "\(WordList.counted(wrong.count, "sample", "lasts")) no time, or "
            + "\(WordList.verb("is", of: wrong.count)) negative.",
          consequence: "Totals and insulin on board are wrong by these units.",
          occurrences: wrong.map(AuditBasal.whole)))
    }
    let huge = own.filter { $0.countsAsBolus && $0.amount > Self.largestBolus }
    if let most = huge.map(\.amount).max() {
      findings.append(
        AuditFinding(
          kind: .impossibleRate, severity: .fault, sources: [name],
          title: "A bolus that no pump and no pen gives",
          cause:
            "\(WordList.counted(huge.count, "sample", "holds"))"
            + " more than "
            + "\(AuditText.units(Self.largestBolus)), up to \(AuditText.units(most)).",
          consequence: "Totals and insulin on board are too high by most of these units.",
          occurrences: huge.map(AuditBasal.whole)))
    }
    let mute = own.filter { $0.kind == .unlabelled }
    if !mute.isEmpty {
      findings.append(
        AuditFinding(
          kind: .unlabelled, severity: .check, sources: [name],
          title: "Insulin without a reason",
          cause:
            "\(WordList.counted(mute.count, "sample", "says")) "
            + "neither basal nor bolus.",
          consequence: "It is counted as a bolus here; an app may leave it out.",
          occurrences: mute.map(AuditBasal.whole)))
    }
    return findings
  }

  private func pulses(_ own: [AuditRecord], _ name: String, _ source: Int) -> [AuditFinding] {
    guard let pulse = book.pulse, source == book.sources.dosing else { return [] }
    let off = own.filter { !$0.isByHand }.compactMap { record -> AuditFinding.Occurrence? in
      let pulses = record.amount / pulse
      let rest = record.amount - pulses.rounded() * pulse
      guard rest.magnitude > 1e-6 else { return nil }
      return AuditBasal.whole(record, amount: rest)
    }
    guard !off.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .offPulse, severity: .note, sources: [name], title: "Units that are no whole pulses",
        cause:
          "\(WordList.counted(off.count, "sample")) "
          + "\(off.count == 1 ? "is no multiple" : "are no multiples") "
          + "of \(AuditText.pulse(pulse)).",
        consequence: "A calculated amount stands in place of what the pump counted.",
        occurrences: off)
    ]
  }

  private func late(_ own: [AuditRecord], _ name: String, _ source: Int) -> [AuditFinding] {
    func isLate(_ record: AuditRecord, by span: TimeSpan) -> Bool {
      record.created - record.end > span
    }
    var findings: [AuditFinding] = []
    let boluses = own.filter { $0.countsAsBolus && isLate($0, by: UsualDelay.ofBolus) }
    let veryLate = boluses.filter { isLate($0, by: .hours(2)) }
    let segments = own.filter { $0.kind == .basal && isLate($0, by: UsualDelay.ofBasal) }
    func places(_ records: [AuditRecord]) -> [AuditFinding.Occurrence] {
      records.map {
        .init(start: $0.start, end: $0.created, amount: 0, samples: [$0.sample.uuid])
      }
    }
    if !veryLate.isEmpty {
      findings.append(
        AuditFinding(
          kind: .late, severity: .check, sources: [name], title: "Boluses written hours late",
          cause: "\(WordList.counted(veryLate.count, "sample")) of \(name) "
            + (veryLate.count == 1
              ? "was written more than two hours after it ended."
              : "were written more than two hours after they ended."),
          consequence:
            "Until then whoever read the record missed up to "
            + "\(AuditText.units(mostUnwritten(veryLate))) of "
            + "active insulin.", occurrences: places(veryLate)))
    }
    let others = boluses.filter { !isLate($0, by: .hours(2)) } + segments
    if !others.isEmpty {
      findings.append(
        AuditFinding(
          kind: .late, severity: .note, sources: [name], title: "Insulin written late",
          cause: "\(WordList.counted(others.count, "sample")) of \(name) "
            + "\(WordList.verb("was", of: others.count)) written more than two cycles after a "
            + "bolus, "
            + "or an hour after a segment.",
          consequence: "The record was behind for that long.", occurrences: places(others)))
    }
    return findings
  }

  /// The most insulin that acted at one time of doses that were not written yet, in U, looked for
  /// every five minutes: a dose counts whole for ten.
  private func mostUnwritten(_ records: [AuditRecord]) -> Double {
    let doses = records.sorted { $0.end < $1.end }
    let model = book.options.model
    // Those that have been given, from the first that still acts.
    var acting = 0..<0
    var most = 0.0
    for instant in Set(doses.map(\.end.ceiledToFiveMinutes)).sorted() {
      let earliest = AuditInsulinOnBoard.earliestStill(actingAt: instant)
      var (first, next) = (acting.lowerBound, acting.upperBound)
      while next < doses.count, doses[next].end <= instant { next += 1 }
      while first < next, doses[first].end <= earliest { first += 1 }
      acting = first..<next
      let sum = doses[acting].reduce(0) { sum, dose in
        guard dose.created > instant else { return sum }
        return sum + dose.amount * model.fractionRemaining(after: instant - dose.end)
      }
      most = max(most, sum)
    }
    return most
  }

  private func foreign(_ own: [AuditRecord], _ name: String, _ source: Int) -> [AuditFinding] {
    let entry = book.sources.sources[source]
    let isCopy = source == book.sources.dosing || entry.hasBasalSegments || entry.isLoopKit
    let doses = own.filter { record in
      record.amount > 0 && !copiedBoluses.contains(record.sample.uuid)
        && (!isCopy || record.isByHand)
    }
    guard !doses.isEmpty else { return [] }
    let long = doses.filter { $0.kind == .basal }
    // Where nobody writes the basal of a pump, it may be the pump's boluses that these are.
    let mayBePumps = book.sources.dosing == nil && doses.contains { !$0.isByHand }
    return [
      AuditFinding(
        kind: .foreignInsulin, severity: .expected, sources: [name],
        title: mayBePumps
          ? "Insulin of a source without a pump's basal" : "Insulin from elsewhere than the pump",
        cause: "\(WordList.counted(doses.count, "sample")) of \(name)"
          + (long.isEmpty
            ? "." : ", \(doses.count == 1 ? "" : "\(long.count) of them ")long-acting."),
        consequence: long.isEmpty
          ? mayBePumps
            ? "The record does not say whether a pump gave it."
            : "It counts if the dosing app reads it."
          : "Long-acting insulin counts in totals, and not in insulin on board.",
        occurrences: doses.map(AuditBasal.whole))
    ]
  }

  /// Food of another app than the one that doses, where a file names them.
  private func food() -> [AuditFinding] {
    guard let dosing = book.sources.dosing else { return [] }
    var bySource: [Int: [AuditFinding.Occurrence]] = [:]
    for record in book.records
    where record.kind == .carbohydrates && record.source != dosing
      && !book.sources.mayBe(record.source, dosing)
    {
      bySource[record.source, default: []].append(AuditBasal.whole(record))
    }
    return bySource.keys.sorted().compactMap { source in
      guard let places = bySource[source] else { return nil }
      let name = book.sources.name(source)
      return AuditFinding(
        kind: .foreignCarbs, severity: .check, sources: [name],
        title: "Food of another app",
        cause: "\(WordList.counted(places.count, "sample")) of \(name).",
        consequence: "A loop that reads food of other apps doses for it.",
        quantity: .carbohydrates, occurrences: places)
    }
  }
}

/// How long after its end a dose is written at most, when nothing went wrong.
enum UsualDelay {
  /// Two cycles of the loop.
  static let ofBolus = TimeSpan.minutes(10)
  static let ofBasal = TimeSpan.hours(1)
}
