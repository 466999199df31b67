internal import HealthStore
internal import Quantities

/// Judges glucose: gaps, stuck sensors, and two sources beside one another.
struct AuditGlucose {
  let book: AuditBook

  var findings: [AuditFinding] {
    let sources = Set(book.glucose.map(\.source)).sorted()
    var findings: [AuditFinding] = []
    var series: [[Sample]] = []
    for source in sources {
      let own = book.glucose.filter { $0.source == source }.map(\.sample)
      series.append(own)
      // A meter is read a few times a day.
      guard own.count > 24 else { continue }
      let name = book.sources.name(source)
      findings += gaps(own, name) + stuck(own, name)
    }
    for (index, first) in series.enumerated() {
      for other in series.indices where other > index {
        findings += pair(first, series[other], sources[index], sources[other])
      }
    }
    return findings + clockChanges()
  }

  private func gaps(_ own: [Sample], _ name: String) -> [AuditFinding] {
    let places = zip(own, own.dropFirst()).compactMap { one, next -> AuditFinding.Occurrence? in
      guard next.start - one.start > .minutes(15) else { return nil }
      return .init(start: one.start, end: next.start, units: 0, samples: [one.uuid, next.uuid])
    }
    guard !places.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .glucoseGap, severity: .note, sources: [name], title: "Readings are missing",
        cause: "\(name) gave no reading for more than 15 minutes, "
          + "\(AuditText.times(places.count)).",
        consequence: "A loop does not dose on old glucose.", occurrences: places)
    ]
  }

  /// Six or more equal readings; what follows tells a stuck sensor, which jumps, from calm glucose.
  private func stuck(_ own: [Sample], _ name: String) -> [AuditFinding] {
    var calm: [AuditFinding.Occurrence] = []
    var jumps: [AuditFinding.Occurrence] = []
    var index = 0
    while index < own.count {
      var last = index
      while last + 1 < own.count, own[last + 1].storedValue == own[index].storedValue,
        own[last + 1].start - own[last].start <= .minutes(15)
      { last += 1 }
      if last - index + 1 >= 6 {
        let place = AuditFinding.Occurrence(
          start: own[index].start, end: own[last].start, units: 0,
          samples: [own[index].uuid, own[last].uuid])
        let next = last + 1 < own.count ? own[last + 1].storedValue : nil
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

  /// How two sources differ where both have a reading within 150 seconds.
  private func pair(
    _ first: [Sample], _ second: [Sample], _ one: Int, _ other: Int
  ) -> [AuditFinding] {
    var differences: [Double] = []
    var index = 0
    var span: (start: Instant, end: Instant)?
    for sample in first {
      while index < second.count, second[index].start < sample.start - .seconds(150) { index += 1 }
      guard index < second.count, second[index].start - sample.start <= .seconds(150),
        let value = sample.storedValue, let near = second[index].storedValue
      else { continue }
      differences.append(near - value)
      span = (span?.start ?? sample.start, sample.start)
    }
    guard differences.count >= 3, let span else { return [] }
    let mean = differences.reduce(0, +) / Double(differences.count)
    let variance =
      differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(differences.count - 1)
    let names = [book.sources.name(one), book.sources.name(other)]
    return [
      AuditFinding(
        kind: .glucosePair, severity: .note, sources: names, title: "Two sources of glucose",
        cause:
          "\(differences.count) readings of \(names[1]) stand beside those of \(names[0]); they "
          + "differ by \(AuditText.number(mean)) mg/dL, SD "
          + "\(AuditText.number(variance.squareRoot())).",
        consequence: "An app that reads both may take one reading for two.",
        occurrences: [.init(start: span.start, end: span.end, units: 0, samples: [])])
    ]
  }

  private func clockChanges() -> [AuditFinding] {
    let clock = book.options.clock
    let places = clock.transitions.filter { $0.instant > book.start && $0.instant < book.end }
      .map {
        AuditFinding.Occurrence(start: $0.instant, end: $0.instant, units: 0, samples: [])
      }
    guard !places.isEmpty else { return [] }
    return [
      AuditFinding(
        kind: .clockChange, severity: .note, sources: [], title: "Clocks were changed",
        cause: "The clock of the record's time zone jumps.",
        consequence: "Those days have 23 or 25 hours.", occurrences: places)
    ]
  }
}
