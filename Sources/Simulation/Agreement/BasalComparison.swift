internal import Quantities

/// Basal of the app and of the health store, held against the pulses of the pump.
struct BasalComparison {
  let compared: ComparedRecords
  /// What was deleted in the health store of the app's basal; a bolus that was deleted explains no
  /// gap in it.
  private let deletions: [RecordCauses.Deletion]

  init(compared: ComparedRecords) {
    self.compared = compared
    deletions = compared.causes.deletions.filter { $0.isOwn && !compared.isOfPumpBolus($0) }
  }

  private var causes: RecordCauses { compared.causes }
  private func time(_ instant: Instant) -> String { compared.time(instant) }
  private func span(_ start: Instant, _ end: Instant) -> String { compared.span(start, end) }

  private typealias Piece = ComparedRecords.BasalPiece

  /// What a record has that is not what the pump gave.
  private struct Findings {
    var missing: [Range<Instant>] = []
    var differences: [RecordDifference] = []
  }

  func differences() -> [RecordDifference] {
    let app = findings(in: .app, compared.appBasal)
    let store = findings(in: .healthStore, compared.storeBasal)
    return merged(app.differences, store.differences)
      + missing(fromApp: app.missing, fromStore: store.missing)
  }

  private func findings(in record: RecordAgreement.Record, _ pieces: [Piece]) -> Findings {
    var found = Findings()
    var covered = compared.start
    for (index, piece) in pieces.enumerated() {
      if index > 0, pieces[index - 1].start == piece.start, pieces[index - 1].end == piece.end {
        found.differences.append(
          RecordDifference(
            .fault, .duplicateSample, .basal, in: [record], from: piece.start, to: piece.end,
            units: piece.units,
            "\(name(record)) the basal of \(span(piece.start, piece.end)) twice."))
        continue
      }
      if piece.start > covered { found.missing.append(covered..<piece.start) }
      if piece.start < covered {
        let overlap = compared.basalDelivered(piece.start, min(covered, piece.end)).units
        let cause = causeOfClock(piece)
        found.differences.append(
          RecordDifference(
            cause == nil ? .fault : .check, cause == nil ? .overlappingSamples : .installedAnew,
            .basal, in: [record], from: piece.start, to: min(covered, piece.end), units: overlap,
            "\(name(record)) basal of \(span(piece.start, piece.end)) that overlaps the one "
              + "before it\(cause.map { ": \($0)" } ?? "")."))
      }
      if let difference = difference(piece, in: record) { found.differences.append(difference) }
      covered = max(covered, piece.end)
    }
    assert(covered >= compared.start, "What is covered grows from the start.")
    if covered < compared.end { found.missing.append(covered..<compared.end) }
    return found
  }

  private func name(_ record: RecordAgreement.Record) -> String {
    record == .app ? "The app has" : "The health store holds"
  }

  /// Why a piece begins before the app was there; `nil` where it does not.
  private func causeOfClock(_ piece: Piece) -> String? {
    causes.installations.last { $0.shown <= piece.start && piece.start < $0.instant }.map {
      compared.clause(installedAnew: $0.instant, shown: $0.shown)
    }
  }

  private func difference(
    _ piece: Piece, in record: RecordAgreement.Record
  ) -> RecordDifference? {
    let pulses = compared.basalDelivered(piece.start, piece.end).units
    let units = piece.units - pulses
    guard units.magnitude > ComparedRecords.tolerance else { return nil }
    let sentence =
      "\(name(record)) \(unitsText(piece.units)) U of basal for \(span(piece.start, piece.end)), "
      + "and the pump gave \(unitsText(pulses)) U"
    if let cause = causeOfClock(piece) {
      return RecordDifference(
        .check, .installedAnew, .basal, in: [record], from: piece.start, to: piece.end,
        units: units, "\(sentence): \(cause).")
    }
    guard causes.roundsBasal else {
      return RecordDifference(
        .fault, .unitsDiffer, .basal, in: [record], from: piece.start, to: piece.end,
        units: units, "\(sentence).")
    }
    return RecordDifference(
      .check, .roundedBasal, .basal, in: [record], from: piece.start, to: piece.end, units: units,
      "\(sentence): the app is set to report rate times time, to the nearest 0.05 U.")
  }

  /// The differences of both records, those that are the same in both only once.
  private func merged(
    _ app: [RecordDifference], _ store: [RecordDifference]
  ) -> [RecordDifference] {
    // Both are in the order of time: what is alike stands near the end of what is left.
    var rest = Array(store.reversed())
    var found = app.map { difference -> RecordDifference in
      guard
        let index = rest.lastIndex(where: {
          $0.kind == difference.kind && $0.start == difference.start && $0.end == difference.end
            && $0.units == difference.units
        })
      else { return difference }
      var both = rest.remove(at: index)
      both.records = [.app, .healthStore]
      both.text = both.text.replacing(
        name(.healthStore), with: "The app and the health store have", maxReplacements: 1)
      return both
    }
    found += rest.reversed()
    return found
  }

  // MARK: - Missing

  private func missing(
    fromApp app: [Range<Instant>], fromStore store: [Range<Instant>]
  ) -> [RecordDifference] {
    guard !app.isEmpty || !store.isEmpty else { return [] }
    var borders = Set((app + store).flatMap { [$0.lowerBound, $0.upperBound] })
    for deletion in deletions { borders.formUnion([deletion.start, deletion.end]) }
    for installation in causes.installations {
      borders.formUnion([installation.instant, installation.shown])
    }
    borders.insert(compared.reportedThrough)
    let cuts = borders.filter { $0 >= compared.start && $0 <= compared.end }.sorted()
    let deleted = deletions(between: cuts)
    var found:
      [(span: Range<Instant>, records: [RecordAgreement.Record], cause: DifferenceCause?)] = []
    for (place, (from, to)) in zip(cuts, cuts.dropFirst()).enumerated() {
      // What is missing of one record comes in the order of time, and does not overlap.
      let isIn = { (spans: [Range<Instant>]) in
        let first = spans.partitioningIndex { $0.upperBound >= to }
        return first < spans.count && spans[first].lowerBound <= from
      }
      var records: [RecordAgreement.Record] = []
      if isIn(app) { records.append(.app) }
      if isIn(store) { records.append(.healthStore) }
      guard !records.isEmpty else { continue }
      let cause =
        records.contains(.app)
        ? causeOfAppGap(
          from: from, to: to, deleted[place], isInStore: !records.contains(.healthStore))
        : causeOfStoreGap(from: from, to: to, deleted[place])
      if let last = found.last, last.span.upperBound == from, last.records == records,
        last.cause == cause
      {
        found[found.count - 1].span = last.span.lowerBound..<to
      } else {
        found.append((from..<to, records, cause))
      }
    }
    return found.compactMap { difference($0.span, $0.records, $0.cause) }
  }

  private func difference(
    _ gap: Range<Instant>, _ records: [RecordAgreement.Record], _ cause: DifferenceCause?
  ) -> RecordDifference? {
    assert(!records.isEmpty, "Something is missing from a record.")
    let (from, to) = (gap.lowerBound, gap.upperBound)
    let units = compared.basalDelivered(from, to).units
    guard units > ComparedRecords.tolerance else {
      guard records.contains(.healthStore) else { return nil }
      return RecordDifference(
        .expected, .emptySpan, .basal, in: records, from: from, to: to, units: 0,
        "No basal sample covers \(span(from, to)), in which the pump gave no basal.")
    }
    // An app that was stopped knew of some of it from the pump's events, and counted it.
    let isKnown = cause?.kind == .appStopped && records == [.app, .healthStore]
    let sentence =
      "\(unitsText(units)) U of basal from \(span(from, to)) are "
      + "\(isKnown ? "recorded as given " : "")\(compared.words(records))"
    return RecordDifference(
      cause?.severity ?? .fault, cause?.kind ?? .missingSpan, .basal, in: records, from: from,
      to: to, units: -units,
      cause.map { "\(sentence): \($0.clause)." } ?? "\(sentence), and no cause is known.")
  }

  /// The last deletion of a sample of basal over each of the times between borders, among which
  /// those of the deletions are.
  private func deletions(between cuts: [Instant]) -> [RecordCauses.Deletion?] {
    var last = [RecordCauses.Deletion?](repeating: nil, count: max(0, cuts.count - 1))
    for deletion in deletions {
      var place = cuts.partitioningIndex { $0 >= deletion.start }
      while place < last.count, cuts[place + 1] <= deletion.end {
        last[place] = deletion
        place += 1
      }
    }
    return last
  }

  /// Why the app has no record of basal; `nil` where nothing explains it.
  private func causeOfAppGap(
    from: Instant, to: Instant, _ deletion: RecordCauses.Deletion?, isInStore: Bool
  ) -> DifferenceCause? {
    if let deletion {
      return .init(
        .check, .deleted,
        "deleted in the health store at \(time(deletion.instant))")
    }
    if let anew = causes.installation(after: to, isInStore: isInStore) {
      return .init(
        .check, .installedAnew,
        "the app was installed anew at \(time(anew.instant)) and has no record from before that")
    }
    if let anew = causes.installedAnew, let shown = causes.installedAnewShown, to <= shown {
      return .init(
        .check, .installedAnew,
        compared.clause(installedAnew: anew, shown: shown))
    }
    guard from >= compared.reportedThrough else { return nil }
    if let stop = causes.stop {
      return .init(.check, .appStopped, compared.clause(stop))
    }
    if causes.clockBehind > .zero, to - from <= causes.usualDelay {
      return .init(
        .check, .notYetReported,
        "the phone's clock is \(causes.clockBehind) behind and has not come to that time"
      )
    }
    return nil
  }

  /// Why basal that the app has recorded is not in the health store.
  private func causeOfStoreGap(
    from: Instant, to: Instant, _ deletion: RecordCauses.Deletion?
  ) -> DifferenceCause? {
    if let deletion {
      return .init(
        .check, .deleted,
        "deleted there at \(time(deletion.instant))")
    }
    if !causes.reportsBasal {
      return .init(
        .expected, .turnedOff, "the app is set not to report basal")
    }
    if let writing = causes.writing {
      return .init(.check, .notAllowed, compared.clause(writing))
    }
    if let stop = causes.stop, to + causes.usualDelay >= stop.since {
      return .init(.check, .appStopped, compared.clause(stop))
    }
    if causes.stop != nil, let last = causes.lastWrite, to + causes.usualDelay > last {
      return .init(.check, .appStopped, compared.clause(lastWrite: last))
    }
    if causes.stop == nil, to + causes.usualDelay > compared.end {
      return .init(
        .note, .notYetReported, "the app writes them in its next cycle")
    }
    return compared.causeOfAge(from: from, to: to, in: .healthStore, .missingSpan)
  }
}
