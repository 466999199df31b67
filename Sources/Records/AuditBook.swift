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
  /// Glucose with the place of its source and when it was written, by start.
  private(set) var glucose: [(sample: Sample, source: Int, written: Instant)] = []
  private(set) var pulse: Double?
  private(set) var start = Instant(secondsSince1970: 0)
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
    // A source has one name, whatever part of a record is judged.
    for (_, restored) in ordered where !options.hold(restored.sample) {
      _ = sources.index(of: restored.sample)
    }
    assert(
      records.allSatisfy { sources.sources.indices.contains($0.source) },
      "A record has a source that is known.")
    insulin = records.filter { $0.kind != .carbohydrates }
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
  }

  /// Each source with its name and its insulin, which is by start.
  var insulinBySource: [(source: Int, name: String, insulin: [AuditRecord])] {
    let grouped = Dictionary(grouping: insulin, by: \.source)
    return sources.sources.indices.map { ($0, sources.name($0), grouped[$0] ?? []) }
  }

  /// The basal of a source, by start.
  func basal(of source: Int) -> [AuditRecord] {
    insulin.filter { $0.source == source && $0.kind == .basal && $0.sample.duration > .zero }
  }

  /// The scheduled rate at an instant, in U/h; as stated, else that of the samples around it.
  func scheduledRate(at instant: Instant) -> Double? {
    if let schedule = options.schedule {
      return schedule.value(at: options.clock.timeOfDay(at: instant))
    }
    let time = options.clock.timeOfDay(at: instant)
    let day = TimeSpan.days(1).milliseconds
    var best: (distance: Int64, rate: Double)?
    for record in insulin where record.kind == .basal {
      guard let rate = Self.scheduled(record) else { continue }
      let own = options.clock.timeOfDay(at: record.start)
      // A segment may pass midnight, and what ran late in the evening is near to the night.
      let since = (time.milliseconds - own.milliseconds + day) % day
      let past = since - record.sample.duration.milliseconds
      // The end of a segment is the first moment that it does not cover.
      let distance = past < 0 ? 0 : min(past + 1, day - since)
      if best.map({ distance < $0.distance }) ?? true { best = (distance, rate) }
    }
    return best?.rate
  }

  /// The scheduled units of a stretch; `nil` where no schedule is known.
  func scheduledUnits(from start: Instant, to end: Instant) -> Double? {
    let clock = options.clock
    var sum = 0.0
    var time = start
    // A record may lack months, of which one day of 24 hours is like another.
    var usual: Double?
    while time < end {
      let next = min(end, clock.midnight(after: time))
      let isUsual = next - time == .days(1) && clock.timeOfDay(at: time) == .midnight
      guard let units = (isUsual ? usual : nil) ?? scheduledUnits(within: time, next) else {
        return nil
      }
      if isUsual { usual = units }
      sum += units
      time = next
    }
    return sum
  }

  /// The scheduled units of a part of a day.
  private func scheduledUnits(within start: Instant, _ end: Instant) -> Double? {
    var sum = 0.0
    var time = start
    while time < end {
      let next = min(end, nextChange(after: time))
      guard let rate = scheduledRate(at: time) else { return nil }
      sum += rate * (next - time).hours
      time = next
    }
    return sum
  }

  /// The next moment from which another rate may be scheduled: a half hour by the clock, or the
  /// start of a part of the schedule that is stated.
  private func nextChange(after instant: Instant) -> Instant {
    let time = options.clock.timeOfDay(at: instant).milliseconds
    let halfHour = TimeSpan.minutes(30).milliseconds
    let reached = (time / halfHour + 1) * halfHour
    let starts = options.schedule?.entries.map(\.start.milliseconds) ?? []
    let next = starts.filter { time < $0 && $0 < reached }.min() ?? reached
    return instant + .milliseconds(next - time)
  }

  /// The scheduled rate that a sample of basal states.
  static func scheduled(_ record: AuditRecord) -> Double? {
    record.metadata.scheduledBasalRate?.unitsPerHour
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
      reasons.append("Basal: no source writes basal segments.")
    } else if scheduledRate(at: start) == nil {
      reasons.append(
        "Basal on board: no schedule is known, so that only boluses count; name one with --profile."
      )
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
