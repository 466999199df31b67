internal import HealthStore
internal import Quantities

/// The records that an audit judges, in the order of time, with what is known of them.
struct AuditBook {
  let options: Audit.Options
  private(set) var sources = AuditSources()
  /// The places of the sources that wrote something of what is judged, before those of the others.
  private(set) var judgedSources: Range<Int> = 0..<0
  /// Insulin and food, by start.
  private(set) var records: [AuditRecord] = []
  /// Insulin alone, by start.
  private(set) var insulin: [AuditRecord] = []
  /// Where the basal of each source that lasts stands among that.
  private var basalPlaces: [Int: [Int]] = [:]
  /// What is no gap yet in the basal of each source, by all that it wrote.
  private(set) var usualGaps: [Int: TimeSpan] = [:]
  /// Glucose with the place of its source and when it was written, by start.
  private(set) var glucose: [(sample: Sample, source: Int, written: Instant)] = []
  private(set) var pulse: Double?
  /// The schedule of basal, also where only a part of the record is judged.
  let schedule: AuditSchedule
  /// The sources that write what runs by the schedule, in whatever part of the record.
  let scheduleWriters: Set<Int>
  /// The last basal of each source that ended before the judged time.
  private(set) var before: [Int: AuditRecord] = [:]
  /// The first basal of each source that began after the judged time.
  private(set) var after: [Int: AuditRecord] = [:]
  private(set) var start = Instant(secondsSince1970: 0)
  /// Until when something is recorded, within the judged time; a bolus may run on past it.
  private(set) var reached = Instant(secondsSince1970: 0)
  private(set) var end = Instant(secondsSince1970: 0)

  init(_ samples: [RestoredSample], _ options: Audit.Options) {
    self.options = options
    var seen: Set<SampleUUID> = []
    let ordered = samples.enumerated().sorted {
      let (one, other) = ($0.element.sample, $1.element.sample)
      return (one.start, one.end, one.uuid) < (other.start, other.end, other.uuid)
    }
    for (place, restored) in ordered
    where options.hold(restored.sample) && seen.insert(restored.sample.uuid).inserted {
      let source = sources.index(of: restored.sample)
      if let record = AuditRecord(restored, source: source, place: place) {
        sources.count(record, share: options.share(of: record.sample))
        records.append(record)
      } else if restored.sample.type == .bloodGlucose, restored.sample.storedValue != nil {
        sources.countReading(of: source)
        glucose.append((restored.sample, source, restored.created))
      }
    }
    judgedSources = sources.sources.indices
    // A source has one name, and the record one schedule, whatever part of it is judged.
    var others: [AuditRecord] = []
    for (place, restored) in ordered where !options.hold(restored.sample) {
      let source = sources.index(of: restored.sample)
      if let record = AuditRecord(restored, source: source, place: place) { others.append(record) }
    }
    let all = others.isEmpty ? records : (records + others).sorted { $0.start < $1.start }
    schedule = AuditSchedule(all, given: options.schedule, on: options.clock)
    scheduleWriters = Set(all.lazy.filter(\.runsBySchedule).map(\.source))
    assert(
      records.allSatisfy { sources.sources.indices.contains($0.source) },
      "A record has a source that is known.")
    insulin = records.filter { $0.kind != .carbohydrates }
    let lasting = insulin.indices.filter { insulin[$0].isLastingBasal }
    basalPlaces = Dictionary(grouping: lasting) { insulin[$0].source }
    usualGaps = Dictionary(grouping: all.lazy.filter(\.isLastingBasal), by: \.source)
      .mapValues(AuditBasal.longestUsualGap)
    for record in others where record.isLastingBasal {
      if let from = options.from, record.end <= from {
        let isLater = before[record.source].map { $0.end < record.end } ?? true
        if isLater { before[record.source] = record }
      } else if after[record.source] == nil {
        after[record.source] = record
      }
    }
    for source in sources.sources.indices where surrounds(source) {
      sources.noteBasalAround(source)
    }
    let dosing = sources.dosing
    pulse =
      options.pulse
      ?? PulseSize.inferred(
        from: insulin.filter { record in
          record.source == dosing ?? record.source && !record.isByHand
        })
    let times =
      records.map { ($0.start, $0.end) } + glucose.map { ($0.sample.start, $0.sample.end) }
    start = options.from ?? times.map(\.0).min() ?? start
    end = options.to ?? times.map(\.1).max() ?? end
    let recorded =
      all.map(\.reached)
      + samples.lazy.filter { $0.sample.type == .bloodGlucose }.map(\.sample.end)
    reached = min(end, recorded.max() ?? end)
  }

  /// Whether a source has basal on both sides of the judged time.
  func surrounds(_ source: Int) -> Bool { before[source] != nil && after[source] != nil }

  /// Each source with its name and its insulin, which is by start.
  var insulinBySource: [(source: Int, name: String, insulin: [AuditRecord])] {
    let grouped = Dictionary(grouping: insulin, by: \.source)
    return sources.sources.indices.map { ($0, sources.name($0), grouped[$0] ?? []) }
  }

  /// The basal of a source, by start.
  func basal(of source: Int) -> [AuditRecord] {
    basalPlaces[source, default: []].map { insulin[$0] }
  }

  /// The basal of a source, by start, with what lies next to the judged time, which tells that its
  /// ends are none of the record.
  func basalAround(_ source: Int) -> [AuditRecord] {
    [before[source]].compactMap(\.self) + basal(of: source) + [after[source]].compactMap(\.self)
  }

  /// The part of a stretch that lies within the judged time; `nil` for none.
  func judged(from start: Instant, to end: Instant) -> (start: Instant, end: Instant)? {
    let part = (start: max(start, self.start), end: min(end, self.end))
    return part.start < part.end ? part : nil
  }

  /// The parts of a stretch without the pauses of more than a month in which nothing at all is
  /// recorded, as between a record and one date that is wrong: there nothing tells of a pump.
  func recorded(from start: Instant, to end: Instant) -> [(start: Instant, end: Instant)] {
    let spans =
      (records.map { ($0.start, $0.end) } + glucose.map { ($0.sample.start, $0.sample.end) })
      .sorted { $0.0 < $1.0 }
    var parts = [(start: start, end: start)]
    for (from, to) in spans + [(end, end)] where to > start && from <= end {
      let last = parts[parts.count - 1].end
      if from - last > AuditDay.longestEmpty {
        parts.append((from, min(to, end)))
      } else {
        parts[parts.count - 1].end = min(max(last, to), end)
      }
    }
    return parts.filter { $0.start < $0.end }
  }

  /// What is not judged, and why.
  var notJudged: [String] {
    var reasons = [
      "Truth: what was really given is not known; the audit compares records with each other."
    ]
    if sources.dosing == nil {
      reasons.append(
        before.isEmpty && after.isEmpty
          ? "Basal: no source writes basal segments."
          : "Basal: no source has basal segments in the time that is asked for.")
    } else if schedule.rate(at: start) == nil {
      reasons.append(
        "Basal on board: no schedule is known, so that only boluses count; name one with --profile."
      )
    }
    if options.schedule != nil, schedule.isStated {
      reasons.append(
        "Profile: the samples state the schedule themselves, so that of --profile "
          + (schedule.isWholeStated
            ? "does not count." : "counts only for times of the day of which they do not."))
    }
    if let dosing = sources.dosing,
      records.contains(where: { $0.kind == .carbohydrates && sources.mayBe($0.source, dosing) })
    {
      reasons.append(
        "Food of other apps: the record does not name "
          + (sources.sources[dosing].isNamed
            ? "the app of some food, which may be the one that doses."
            : "the app that doses, which may be theirs."))
    }
    if pulse == nil {
      reasons.append("Pulses: too few boluses agree on one; name it with --pulse.")
    }
    if records.allSatisfy({ $0.created == $0.end || $0.created == $0.start }) {
      // So it is where the record does not say it, and where everything was written at once.
      reasons.append(
        "Late writing: by the record each sample was written as it began or ended, which is also "
          + "taken where it does not say when.")
    }
    if glucose.isEmpty { reasons.append("Glucose: there is none.") }
    return reasons
  }

  func summary(of index: Int, _ copies: Set<String>) -> Audit.SourceSummary {
    assert(sources.sources.indices.contains(index), "A summary is of a source that is known.")
    let entry = sources.sources[index]
    let role: Audit.SourceRole =
      if index == sources.dosing {
        .dosing
      } else if copies.contains(entry.key) {
        .copies
      } else if entry.isByHand {
        .byHand
      } else {
        entry.basal + entry.bolus > 0 ? .otherInsulin : .noInsulin
      }
    return Audit.SourceSummary(
      name: sources.name(index), samples: entry.samples, basal: entry.basal, bolus: entry.bolus,
      role: role)
  }
}
