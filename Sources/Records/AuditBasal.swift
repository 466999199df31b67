internal import HealthStore
internal import Quantities
internal import StructuredText

/// Judges basal segments: gaps, lengths, rates, midnights.
struct AuditBasal {
  let book: AuditBook

  /// The highest rate that any pump gives, in U/h.
  private static let highestRate = 35.0
  /// What lasts less than this is of a moment.
  private static let shortestLasting = TimeSpan.minutes(1)
  /// What is as long as this is no gap yet; ten minutes are one.
  private static let shortestGap = TimeSpan.minutes(10) - .milliseconds(1)

  var findings: [AuditFinding] {
    let all = book.sources.priority.map { (source: $0, basal: book.basal(of: $0)) }
      .filter { !$0.basal.isEmpty || book.surrounds($0.source) }
    // Who writes all of it tells first what no source covers.
    let writers = all.filter { book.scheduleWriters.contains($0.source) }
    let others = all.filter { !book.scheduleWriters.contains($0.source) }
    var told = IntervalSet()
    return (writers + others).flatMap { source, basal in
      let name = book.sources.name(source)
      return coverage(basal, name, source, besides: &told) + lengths(basal, name)
        + rates(basal, name) + midnights(basal, name)
    } + [betweenSources].compactMap(\.self)
  }

  // MARK: - Coverage

  /// What is not covered between the samples of a source, besides what is told of another.
  private func coverage(
    _ basal: [AuditRecord], _ name: String, _ source: Int, besides told: inout IntervalSet
  ) -> [AuditFinding] {
    var gaps: [AuditFinding.Occurrence] = []
    var explained: [AuditFinding.Occurrence] = []
    var others = covered(besides: source)
    // Where others have basal too, what is missing is covered by none of them, and told once.
    let isAlone = others.stretches.isEmpty
    others.formUnion(told.stretches)
    let writesSchedule = book.scheduleWriters.contains(source)
    let around = book.basalAround(source)
    // Between temp basals alone the usual distance is what the schedule covers.
    let threshold = writesSchedule ? usualGap(of: source) : Self.shortestGap
    var reached = around[0]
    for record in around.dropFirst() {
      if record.start > reached.end + threshold,
        let stretch = book.judged(from: reached.end, to: record.start)
      {
        let isExplained = reached.isOpenSuspension
        for part in others.gaps(from: stretch.start, to: stretch.end)
        where isGap(part, threshold) {
          let missing = book.schedule.units(from: part.start, to: part.end) ?? 0
          let place = AuditFinding.Occurrence.missing(
            isExplained ? 0 : missing, from: part.start, to: part.end,
            [reached.sample.uuid, record.sample.uuid])
          if isExplained { explained.append(place) } else { gaps.append(place) }
        }
      }
      if record.end > reached.end { reached = record }
    }
    if !writesSchedule {
      gaps += unscheduledEnds(around, source, reached, outside: others)
      gaps.sort { $0.start < $1.start }
    }
    told.formUnion(gaps.map { ($0.start, $0.end) })
    told.formUnion(explained.map { ($0.start, $0.end) })
    var findings: [AuditFinding] = []
    if !gaps.isEmpty, writesSchedule {
      findings.append(
        AuditFinding(
          kind: .gap, severity: .fault, sources: [name], title: "Basal is missing",
          cause: "No sample of \(isAlone ? name : "any source") covers "
            + "\(Self.times(gaps.count)).",
          consequence: "Totals lack these units; insulin on board takes the stretch as scheduled.",
          occurrences: gaps))
    } else if !gaps.isEmpty {
      let isByDesign = book.sources.sources[source].source.bundleIdentifier.hasPrefix(
        "import.nightscout")
      findings.append(
        AuditFinding(
          kind: .scheduleMissing, severity: isByDesign ? .note : .check, sources: [name],
          title: "Scheduled basal is not written",
          cause: "\(name) writes temp basals and nothing between, before or after them.",
          consequence: isByDesign
            ? "Totals of basal are too low; the profile, in another file perhaps, has the rest."
            : "Totals of basal are too low.", occurrences: gaps))
    }
    if !explained.isEmpty {
      findings.append(
        AuditFinding(
          kind: .gap, severity: .note, sources: [name], title: "No basal after a suspension",
          cause: "Delivery was suspended, and the next sample starts later.",
          consequence: "Nothing is missing if delivery did not resume earlier.",
          occurrences: explained))
    }
    return findings
  }

  /// What the schedule gave before the first temp basal of a source, from its first dose or food
  /// on, and after its last until the record ends.
  private func unscheduledEnds(
    _ basal: [AuditRecord], _ source: Int, _ last: AuditRecord,
    outside others: IntervalSet
  ) -> [AuditFinding.Occurrence] {
    // Glucose alone does not tell that a pump was worn.
    let first = max(
      book.start, book.records.first { $0.source == source }?.start ?? basal[0].start)
    let isSuspended = last.isOpenSuspension
    let ends = [
      (from: first, to: basal[0].start, beside: basal[0]),
      (from: last.end, to: isSuspended ? last.end : book.reached, beside: last),
    ]
    return ends.filter { $0.from < $0.to }.flatMap { end in
      others.gaps(from: end.from, to: end.to)
        .filter { $0.end - $0.start > Self.shortestGap }
        .map { part in
          .missing(
            book.schedule.units(from: part.start, to: part.end) ?? 0, from: part.start,
            to: part.end, [end.beside.sample.uuid])
        }
    }
  }

  /// The times in which other sources have basal.
  private func covered(besides source: Int) -> IntervalSet {
    IntervalSet(
      book.insulin.filter { $0.kind == .basal && $0.source != source }.map { ($0.start, $0.end) })
  }

  /// Stretches without basal between the last of one source and the first of another.
  private var betweenSources: AuditFinding? {
    let between = placesBetween
    guard !between.places.isEmpty else { return nil }
    return AuditFinding(
      kind: .gap, severity: .fault, sources: between.sources.sorted().map(book.sources.name),
      title: "Basal is missing between two sources",
      cause: "No sample of any source covers \(Self.times(between.places.count)).",
      consequence: "Totals lack these units; insulin on board takes the stretch as scheduled.",
      occurrences: between.places)
  }

  /// Where nothing is between the last of one source and the first of another, and of whom.
  var placesBetween: (places: [AuditFinding.Occurrence], sources: Set<Int>) {
    let own = book.sources.sources.indices.map(book.basalAround)
    let all = own.flatMap(\.self).sorted { $0.start < $1.start }
    var sources: Set<Int> = []
    var places: [AuditFinding.Occurrence] = []
    guard var reached = all.first else { return (places, sources) }
    for record in all.dropFirst() {
      defer { if record.end > reached.end { reached = record } }
      guard record.start > reached.end + Self.shortestGap, !reached.isOpenSuspension
      else { continue }
      let neighbours = [reached.source, record.source]
      // What one source has on both sides is a gap of its own.
      let isWithinOne = own.contains { basal in
        (basal.first.map { $0.start < record.start } ?? false)
          && (basal.last.map { $0.start >= record.start } ?? false)
      }
      guard !isWithinOne, neighbours.contains(where: book.scheduleWriters.contains),
        record.start > reached.end + (neighbours.map(usualGap).max() ?? Self.shortestGap),
        let part = book.judged(from: reached.end, to: record.start),
        part.end - part.start > Self.shortestGap
      else { continue }
      sources.formUnion(neighbours)
      places.append(
        .missing(
          book.schedule.units(from: part.start, to: part.end) ?? 0, from: part.start,
          to: part.end, [reached.sample.uuid, record.sample.uuid]))
    }
    return (places, sources)
  }

  /// Whether a stretch without basal is longer than usual; one that is cut off where the judged
  /// time begins or ends goes on there.
  private func isGap(_ part: (start: Instant, end: Instant), _ threshold: TimeSpan) -> Bool {
    let isCut = part.start == book.start || part.end == book.end
    return part.end - part.start > (isCut ? Self.shortestGap : threshold)
  }

  private func usualGap(of source: Int) -> TimeSpan { book.usualGaps[source] ?? Self.shortestGap }

  /// A gap that is no longer than usual is none: twice the usual distance from the end of a sample
  /// to the next start, and at least ten minutes.
  ///
  /// Usual is what more than half of the distances reach, between samples of a moment each, as
  /// injections of a pen or single pulses are. Samples that last tell what ran in their time, and
  /// of the time between them nothing, however regularly it comes again.
  static func longestUsualGap(_ basal: [AuditRecord]) -> TimeSpan {
    let lengths = basal.map(\.sample.duration).sorted()
    guard let usual = lengths.isEmpty ? nil : lengths[(lengths.count - 1) / 2],
      usual < shortestLasting
    else { return shortestGap }
    let distances = zip(basal, basal.dropFirst()).map { max(.zero, $1.start - $0.end) }.sorted()
    guard !distances.isEmpty else { return shortestGap }
    return max(shortestGap, distances[(distances.count - 1) / 2] * 2)
  }

  static func times(_ count: Int) -> String { count == 1 ? "one stretch" : "\(count) stretches" }

  // MARK: - Lengths and rates

  private func lengths(_ basal: [AuditRecord], _ name: String) -> [AuditFinding] {
    let long = basal.filter { $0.sample.duration >= .days(1) }
    guard !long.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .longSample, severity: .check, sources: [name], title: "A sample of a day or more",
        cause: "A basal sample lasts 24 hours or longer.",
        consequence: "Insulin on board spreads its units evenly, which hides when they acted.",
        occurrences: long.map(Self.whole))
    ]
  }

  private func rates(_ basal: [AuditRecord], _ name: String) -> [AuditFinding] {
    var findings: [AuditFinding] = []
    let impossible = basal.filter { record in
      record.sample.duration < .minutes(10) && record.amount > 1
        && record.amount / record.sample.duration.hours > Self.highestRate
    }
    if !impossible.isEmpty {
      let highest = impossible.map { $0.amount / $0.sample.duration.hours }.max() ?? 0
      findings.append(
        AuditFinding(
          kind: .impossibleRate, severity: .fault, sources: [name],
          title: "A bolus written as basal",
          cause: "\(AuditText.number(highest)) U/h is more than any pump gives.",
          consequence: "The day's total is right; these units belong to boluses.",
          occurrences: impossible.map { Self.whole($0, amount: 0) }))
    }
    var tolerance = BasalTolerance(pulse: book.pulse ?? 0.05)
    let wrong = basal.compactMap { record -> AuditFinding.Occurrence? in
      // What ran before is not known where nothing is written and no schedule.
      guard !impossible.contains(where: { $0.sample.uuid == record.sample.uuid }),
        let rate = Self.statedRate(record),
        let difference = tolerance.excess(
          of: record.sample, units: record.amount, rate: rate,
          after: book.schedule.rate(at: record.start - .seconds(1)))
      else { return nil }
      return Self.whole(record, amount: difference)
    }
    if !wrong.isEmpty {
      findings.append(
        AuditFinding(
          kind: .rateMismatch, severity: .check, sources: [name],
          title: "Units are not what the rate amounts to",
          cause:
            "\(WordList.counted(wrong.count, "segment", "differs"))"
            + " from rate times time by more than pulses explain.",
          consequence: "Either the rate or the units are not what the pump did.",
          occurrences: wrong))
    }
    return findings
  }

  /// The rate that a segment states, in U/h; `nil` where it states none.
  private static func statedRate(_ record: AuditRecord) -> Double? {
    let metadata = record.metadata
    if metadata.isSuspend == true { return 0 }
    return (metadata.programmedTempBasalRate ?? metadata.scheduledBasalRate)?.unitsPerHour
  }

  private func midnights(_ basal: [AuditRecord], _ name: String) -> [AuditFinding] {
    let crossing = basal.filter { record in
      // A midnight before what is asked for, or after it, is none of the record.
      let (from, to) = (max(record.start, book.start), min(record.end, book.end))
      return book.options.clock.midnight(after: from) < to
    }
    guard !crossing.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .missingMidnight, severity: .note, sources: [name],
        title: "Basal crosses midnight in one sample",
        cause: "Not divided at midnight: \(WordList.counted(crossing.count, "sample")).",
        consequence: "A day's total takes its share by time.",
        occurrences: crossing.map { Self.whole($0, amount: 0) })
    ]
  }

  static func whole(_ record: AuditRecord) -> AuditFinding.Occurrence {
    whole(record, amount: record.amount)
  }

  static func whole(_ record: AuditRecord, amount: Double) -> AuditFinding.Occurrence {
    .init(start: record.start, end: record.end, amount: amount, samples: [record.sample.uuid])
  }
}
