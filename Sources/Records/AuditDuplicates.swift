internal import HealthStore
internal import Quantities
internal import StructuredText

/// Finds what is recorded more than once: within a source, and across sources.
struct AuditDuplicates {
  private(set) var findings: [AuditFinding] = []
  /// What of each sample only repeats another's, by identity.
  private(set) var repeats: [SampleUUID: AuditRepeat] = [:]
  /// The boluses of other sources that the source of the pump has as well.
  private(set) var copiedBoluses: Set<SampleUUID> = []
  /// The keys of the sources that repeat what another wrote.
  private(set) var copies: Set<String> = []

  private let book: AuditBook
  private let options: Audit.Options
  /// The app that doses, of what is judged or else of the record; `nil` where no source has basal.
  private let dosing: Int?
  /// The order in which the sources are held against each other, of what is judged as well.
  private let priority: [Int]

  /// How far apart two sources may write one dose.
  private static let window = TimeSpan.seconds(150)
  /// How long a bolus lasts at most of which another source may write the end alone.
  private static let longest = TimeSpan.minutes(30)

  /// Looks in all of a record, and tells what of it lies in the part that is judged.
  ///
  /// Who has another pump than before doses with another app in that part than in the most of the
  /// record.
  init(book: AuditBook, judging part: AuditBook) {
    self.book = book
    options = part.options
    let places = Dictionary(
      uniqueKeysWithValues: book.sources.sources.enumerated().map { ($1.key, $0) })
    let ordered = part.sources.priority.compactMap { places[part.sources.sources[$0].key] }
    let own = part.sources.dosing == nil ? book.sources.dosing : ordered.first
    dosing = own
    priority = (own.map { [$0] } ?? []) + ordered.filter { $0 != own }
    let versions = AuditVersions(book: book, judging: options)
    findings = versions.findings
    for uuid in versions.outdated { repeats[uuid] = .whole }
    within()
    let halfPulse = max(book.pulse ?? 0.05, 0.05) / 2
    across(
      book.insulin.filter { $0.countsAsBolus && $0.amount > 0 }, tolerance: halfPulse,
      titled: "Boluses counted twice")
    // What a pen gave at once and acts for long is no segment that could be covered.
    across(
      book.insulin.filter { $0.kind == .basal && $0.sample.duration == .zero && $0.amount > 0 },
      tolerance: halfPulse, titled: "Long-acting insulin counted twice")
    across(
      book.records.filter { $0.kind == .carbohydrates && $0.amount > 0 }, tolerance: 0.05,
      titled: "Food counted twice", of: .carbohydrates)
    acrossBasal()
    overlaps()
  }

  // MARK: - Within a source

  private mutating func within() {
    var found: [Int: [AuditFinding.Occurrence]] = [:]
    var food: [Int: [AuditFinding.Occurrence]] = [:]
    let records = book.records
    for (index, record) in records.enumerated() {
      for other in records[(index + 1)...] {
        guard other.start - record.start <= .seconds(1) else { break }
        guard other.source == record.source, other.kind == record.kind, record.amount > 0,
          other.isAlike(record), !Self.isSameObject(record.metadata, other.metadata),
          repeats[other.sample.uuid] == nil
        else { continue }
        repeats[other.sample.uuid] = .whole
        guard let place = options.place(of: [other], among: [record, other]) else { continue }
        if record.kind == .carbohydrates {
          food[record.source, default: []].append(place)
        } else {
          found[record.source, default: []].append(place)
        }
      }
    }
    for source in book.sources.sources.indices {
      add(
        "Insulin is there twice in one source", at: found[source], of: source, sharing: "units",
        consequence: "A sum of all samples is too high by these units.", quantity: .insulin)
      add(
        "Food is there twice in one source", at: food[source], of: source, sharing: "grams",
        consequence: "A loop that reads both doses for both.", quantity: .carbohydrates)
    }
  }

  /// Adds what one source has twice, where there is such a thing.
  private mutating func add(
    _ title: String, at places: [AuditFinding.Occurrence]?, of source: Int, sharing same: String,
    consequence: String, quantity: AuditFinding.Quantity
  ) {
    guard let places else { return }
    let name = book.sources.name(source)
    let twice =
      "\(WordList.counted(places.count, "sample")) of \(name) "
      + "\(WordList.verb("stands", of: places.count)) twice"
    findings.append(
      AuditFinding(
        kind: .duplicateWithin, severity: .fault, sources: [name], title: title,
        cause: "\(twice), with the same time and \(same).", consequence: consequence,
        quantity: quantity, occurrences: places))
  }

  /// Whether two samples are versions of one object, which is another finding.
  private static func isSameObject(_ one: Metadata, _ other: Metadata) -> Bool {
    one.syncIdentifier != nil && one.syncIdentifier == other.syncIdentifier
  }

  // MARK: - Across sources

  /// Doses or food that two sources wrote at nearly the same time.
  private mutating func across(
    _ doses: [AuditRecord], tolerance: Double, titled title: String,
    of quantity: AuditFinding.Quantity = .insulin
  ) {
    var pairs: [String: (sources: [Int], places: [AuditFinding.Occurrence])] = [:]
    let ends = bolusEnds
    // The sources that have a dose already which is kept: a second one of theirs is another dose.
    var partners: [SampleUUID: Set<Int>] = [:]
    for (index, record) in doses.enumerated() where repeats[record.sample.uuid] == nil {
      var chain = [record]
      var taken = partners[record.sample.uuid, default: []].union([record.source])
      // One source may have a dose, and its food, at its beginning, and another at its end.
      let end = ends[record.source]?[record.start] ?? record.start
      for other in doses[(index + 1)...] {
        guard other.start - end <= Self.window else { break }
        guard other.start - record.start <= Self.window || end - other.start <= Self.window,
          repeats[other.sample.uuid] == nil, !taken.contains(other.source),
          (other.amount - record.amount).magnitude <= tolerance,
          taken.isDisjoint(with: partners[other.sample.uuid, default: []])
        else { continue }
        chain.append(other)
        taken.formUnion(partners[other.sample.uuid, default: []].union([other.source]))
      }
      guard chain.count > 1 else { continue }
      let kept = chain.min { rank($0.source) < rank($1.source) } ?? record
      let extra = chain.filter { $0.sample.uuid != kept.sample.uuid }
      partners[kept.sample.uuid] = taken
      for copy in extra {
        repeats[copy.sample.uuid] = .whole
      }
      let isOfPump = { [dosing] (record: AuditRecord) in
        record.source == dosing && record.countsAsBolus && !record.isByHand
      }
      if chain.contains(where: isOfPump) {
        copiedBoluses.formUnion(chain.filter { !isOfPump($0) }.map(\.sample.uuid))
      }
      guard let place = options.place(of: extra, among: chain) else { continue }
      if quantity == .insulin {
        copies.formUnion(extra.map { book.sources.sources[$0.source].key })
      }
      let sources = [kept.source] + extra.map(\.source)
      let key = sources.map(String.init).joined(separator: " ")
      pairs[key, default: (sources, [])].places.append(place)
    }
    for key in pairs.keys.sorted() {
      guard let pair = pairs[key] else { continue }
      let names = pair.sources.map { book.sources.name($0) }
      findings.append(
        AuditFinding(
          kind: .duplicateAcross, severity: .fault, sources: names,
          title: title,
          cause: "\(WordList.counted(pair.places.count, "sample")) of \(names[0]) "
            + "\(WordList.verb("stands", of: pair.places.count)) again under "
            + "\(names.dropFirst().joined(separator: " and ")).",
          consequence: doses.first?.kind == .basal
            ? "The sum of all samples counts them twice."
            : "The sum of all samples counts them twice, and so does a loop that reads them.",
          quantity: quantity, occurrences: pair.places))
    }
  }

  /// The ends of boluses that take no long time, by source and start.
  private var bolusEnds: [Int: [Instant: Instant]] {
    var ends: [Int: [Instant: Instant]] = [:]
    for record in book.insulin where record.countsAsBolus && record.end > record.start {
      guard record.end - record.start <= Self.longest else { continue }
      ends[record.source, default: [:]][record.start] = record.end
    }
    return ends
  }

  private func rank(_ source: Int) -> Int {
    priority.firstIndex(of: source) ?? .max
  }

  /// Stretches that the basal of two sources covers, where these are half an hour or more.
  private mutating func acrossBasal() {
    let order = priority.filter { book.sources.sources[$0].hasBasalSegments }
    for (place, source) in order.enumerated() {
      for other in order[(place + 1)...] {
        let places = common(book.basal(of: source), book.basal(of: other))
        guard !places.isEmpty else { continue }
        copies.insert(book.sources.sources[other].key)
        let names = [book.sources.name(source), book.sources.name(other)]
        findings.append(
          AuditFinding(
            kind: .duplicateAcross, severity: .fault, sources: names, title: "Basal counted twice",
            cause: "\(names[1]) writes basal for the time that \(names[0]) covers.",
            consequence: "The sum of all samples is too high by these units.", occurrences: places))
      }
    }
  }

  private mutating func common(
    _ first: [AuditRecord], _ second: [AuditRecord]
  ) -> [AuditFinding.Occurrence] {
    var stretches: [AuditFinding.Occurrence] = []
    var total = TimeSpan.zero
    // Where the first overlaps itself, what the second has there repeats it once.
    let own = IntervalSet(first.map { ($0.start, $0.end) })
    var changed: [(uuid: SampleUUID, before: AuditRepeat?)] = []
    for copy in second {
      // What repeats another source's is told once.
      guard let known = parts(of: copy) else { continue }
      var covered = known
      covered.formUnion(own.within(copy.start, copy.end).stretches)
      func added(_ start: Instant, _ end: Instant) -> TimeSpan {
        known.uncovered(start, end) - covered.uncovered(start, end)
      }
      let length = added(copy.start, copy.end)
      guard length > .zero else { continue }
      total = total + length
      changed.append((copy.sample.uuid, repeats[copy.sample.uuid]))
      repeats[copy.sample.uuid] = .parts(covered)
      // Of a copy that only in part lies in the time that is asked for, that part is told: its
      // neighbours in a stretch have other rates.
      guard options.hold(copy.sample) else { continue }
      let (start, end) = options.judged(copy.start, copy.end)
      let units = copy.amount * added(start, end).seconds / copy.sample.duration.seconds
      if var last = stretches.last, start - last.end <= .seconds(1) {
        last.end = max(last.end, end)
        last.amount += units
        last.samples.append(copy.sample.uuid)
        stretches[stretches.count - 1] = last
      } else {
        stretches.append(
          .init(start: start, end: end, amount: units, samples: [copy.sample.uuid]))
      }
    }
    // Two pumps may go on beside one another for a moment as one takes the place of the other.
    guard total < .minutes(30) else { return stretches }
    for (uuid, before) in changed { repeats[uuid] = before }
    return []
  }

  /// The parts of a sample's time that are known to repeat others; `nil` where all of it is.
  private func parts(of record: AuditRecord) -> IntervalSet? {
    switch repeats[record.sample.uuid] {
    case .whole: nil
    case .parts(let covered): covered
    case nil: IntervalSet()
    }
  }

  /// Overlapping basal within a source counts twice as well, but for what is told already.
  private mutating func overlaps() {
    for source in book.sources.sources.indices {
      var places: [AuditFinding.Occurrence] = []
      var reached: AuditRecord?
      for record in book.basal(of: source) {
        guard let known = parts(of: record) else { continue }
        if let reached, let place = overlap(of: record, known, with: reached) {
          places.append(place)
        }
        if record.end > reached?.end ?? record.start { reached = record }
      }
      guard !places.isEmpty else { continue }
      let name = book.sources.name(source)
      findings.append(
        AuditFinding(
          kind: .overlap, severity: .fault, sources: [name], title: "Basal segments overlap",
          cause: "Two samples of \(name) cover the same time.",
          consequence: "These units are counted twice.", occurrences: places))
    }
  }

  /// Notes what of a segment, of which some is known to repeat others, repeats one that began
  /// before; `nil` where that is nothing to be told.
  private mutating func overlap(
    of record: AuditRecord, _ known: IntervalSet, with reached: AuditRecord
  ) -> AuditFinding.Occurrence? {
    guard reached.end - record.start > .seconds(1) else { return nil }
    let end = min(reached.end, record.end)
    var covered = known
    covered.formUnion([(record.start, end)])
    repeats[record.sample.uuid] = .parts(covered)
    let length = known.uncovered(record.start, end)
    // Nothing that is there twice takes nothing.
    guard length > .zero, record.amount > 0 || !record.isAlike(reached) else { return nil }
    return AuditFinding.Occurrence(
      start: record.start, end: end,
      amount: record.amount * length.seconds / record.sample.duration.seconds,
      samples: [reached.sample.uuid, record.sample.uuid])
  }
}
