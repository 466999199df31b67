internal import HealthStore
internal import Quantities
internal import StructuredText

/// Judges glucose: gaps, stuck sensors, readings that are there twice, and two sources beside one
/// another.
struct AuditGlucose {
  let book: AuditBook

  var findings: [AuditFinding] {
    let sources = Dictionary(grouping: book.glucose, by: \.source)
      .sorted { $0.key < $1.key }.map { source, own in (source: source, samples: own) }
    var findings: [AuditFinding] = []
    var series: [Series] = []
    for (source, readings) in sources {
      let distinct = DistinctReadings(readings.map(\.sample))
      let own = distinct.readings
      let name = book.sources.name(source)
      findings += twice(distinct.copies, name)
      let delays = readings.map { $0.written - $0.sample.end }.sorted()
      series.append(Series(name: name, samples: own, delay: delays[delays.count / 2]))
      // A meter is read a few times a day.
      guard own.count > 24 else { continue }
      findings += gaps(own, name) + stuck(own, name)
      findings += GlucoseShift.all(in: own, clock: book.options.clock).map { $0.finding(name) }
    }
    // Of thousands of sources most have too few readings to stand beside another.
    series.removeAll { $0.samples.count < GlucosePair.fewestBeside }
    for (index, first) in series.enumerated() {
      for other in series[(index + 1)...] {
        let pair = GlucosePair(
          first.samples, other.samples, delays: (first.delay, other.delay))
        if let pair {
          findings.append(
            pair.finding(first.name, other.name, in: book.options.glucoseUnit))
        }
      }
    }
    return findings + clockChanges() + zoneChanges()
  }

  /// The readings of a source by time, and the middle delay with which it writes them.
  private struct Series {
    var name: String
    var samples: [Sample]
    var delay: TimeSpan
  }

  /// The longest usual distance of a sensor's readings: what comes more seldom is no sensor's.
  private static let longestUsual = TimeSpan.minutes(30)

  /// The distance of a sensor's readings above which one is missing: a quarter of an hour, or half
  /// as far again as most, as some sensors keep a reading every 15 minutes, a few seconds sooner or
  /// later; `nil` for what comes too seldom.
  private func longestDistance(_ own: [Sample]) -> TimeSpan? {
    let distances = zip(own, own.dropFirst()).map { $1.start - $0.start }.sorted()
    guard let usual = distances.isEmpty ? nil : distances[distances.count / 2],
      usual <= Self.longestUsual
    else { return nil }
    return .minutes(max(15, (usual + usual + usual).quotient(by: .minutes(2))))
  }

  /// What a source has again with the same time and value.
  private func twice(
    _ copies: [(first: Sample, copy: Sample)], _ name: String
  ) -> [AuditFinding] {
    guard !copies.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .duplicateWithin, severity: .check, sources: [name],
        title: "Readings are there twice in one source",
        cause: "\(WordList.counted(copies.count, "reading")) of \(name) "
          + "\(WordList.verb("stands", of: copies.count)) twice, with the same time and value.",
        consequence: "A mean or a share of all readings counts them twice.",
        occurrences: copies.map { first, copy in
          .init(start: copy.start, end: copy.start, amount: 0, samples: [first.uuid, copy.uuid])
        })
    ]
  }

  /// Where readings lie further apart than that.
  private func gaps(_ own: [Sample], _ name: String) -> [AuditFinding] {
    guard let longest = longestDistance(own) else { return [] }
    let minutes = longest.quotient(by: .minutes(1))
    let places = zip(own, own.dropFirst()).compactMap { one, next -> AuditFinding.Occurrence? in
      guard next.start - one.start > longest else { return nil }
      return .init(start: one.start, end: next.start, amount: 0, samples: [one.uuid, next.uuid])
    }
    guard !places.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .glucoseGap, severity: .note, sources: [name], title: "Readings are missing",
        cause: "\(name) gave no reading for more than \(minutes) minutes, "
          + "\(AuditText.times(places.count)).",
        consequence: "A loop does not dose on old glucose.", occurrences: places)
    ]
  }

  /// Six or more equal readings; what follows tells a stuck sensor, which jumps, from calm glucose.
  ///
  /// What comes after a pause tells nothing.
  private func stuck(_ own: [Sample], _ name: String) -> [AuditFinding] {
    let longest = longestDistance(own) ?? .minutes(15)
    func follows(_ index: Int) -> Bool {
      index + 1 < own.count && own[index + 1].start - own[index].start <= longest
    }
    var calm: [AuditFinding.Occurrence] = []
    var jumps: [AuditFinding.Occurrence] = []
    var index = 0
    while index < own.count {
      var last = index
      while follows(last), own[last + 1].storedValue == own[index].storedValue { last += 1 }
      if last - index + 1 >= 6 {
        let place = AuditFinding.Occurrence(
          start: own[index].start, end: own[last].start, amount: 0,
          samples: [own[index].uuid, own[last].uuid])
        let next = follows(last) ? own[last + 1].storedValue : nil
        let jump = next.map { ($0 - (own[last].storedValue ?? $0)).magnitude } ?? 0
        if jump > 10 { jumps.append(place) } else { calm.append(place) }
      }
      index = last + 1
    }
    func finding(
      _ places: [AuditFinding.Occurrence], _ severity: AuditFinding.Severity, _ words: String
    ) -> AuditFinding {
      AuditFinding(
        kind: .glucoseStuck, severity: severity, sources: [name],
        title: "Equal readings one after another",
        cause: "\(name) showed one value six times or more, "
          + "\(AuditText.times(places.count))\(words).",
        consequence: "A sensor that stands still hides what glucose does.", occurrences: places)
    }
    return (jumps.isEmpty ? [] : [finding(jumps, .check, ", and jumped after it")])
      + (calm.isEmpty ? [] : [finding(calm, .note, "")])
  }

  private func clockChanges() -> [AuditFinding] {
    let clock = book.options.clock
    let places = clock.transitions.filter { $0.instant > book.start && $0.instant < book.end }
      .map {
        AuditFinding.Occurrence(start: $0.instant, end: $0.instant, amount: 0, samples: [])
      }
    guard !places.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .clockChange, severity: .note, sources: [], title: "Clocks were changed",
        cause: "The clock of the record's time zone jumps.",
        consequence: "Those days are longer or shorter than 24 hours.", occurrences: places)
    ]
  }

  /// Where a sample names another time zone than the one before: a journey, or a clock that is set.
  private func zoneChanges() -> [AuditFinding] {
    let zones = (book.records.map(\.sample) + book.glucose.map(\.sample)).compactMap {
      sample -> (sample: Sample, zone: String)? in
      guard case .text(let zone)? = sample.metadata[.timeZone] else { return nil }
      return (sample, zone)
    }.sorted { ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid) }
    let jumps = zip(zones, zones.dropFirst()).filter { $0.zone != $1.zone }
    guard let first = jumps.first else { return [] }
    return [
      AuditFinding(
        kind: .clockChange, severity: .note, sources: [], title: "The time zone changes",
        cause: "Samples name \(first.0.zone), and then \(first.1.zone)"
          + (jumps.count > 1 ? ", and others after that." : "."),
        consequence: "Schedules run by the clock of the pump or the phone, which may be another.",
        occurrences: jumps.map { one, next in
          .init(
            start: one.sample.start, end: next.sample.start, amount: 0,
            samples: [one.sample.uuid, next.sample.uuid])
        })
    ]
  }
}
