public import Quantities

/// Insulin that no command to the pump gave, as the body, the app and the health store have it.
public struct OutsideDose: Sendable {
  /// What the body got; `nil` where a record alone tells of it.
  public var injection: InjectionRecord?
  /// The dose of the app.
  public var dose: InsulinDeliveryRecord?
  /// The sample of the health store.
  public var sample: InsulinSampleRecord?

  /// When a record says that it began, or else when it did.
  public var start: Instant? { sample?.start ?? dose?.start ?? injection?.instant }
  /// When a record says that it ended.
  public var end: Instant? { sample?.end ?? dose?.end ?? injection?.instant }

  /// How far from an injection a record of it may lie.
  static let reach = TimeSpan.hours(1)

  /// Brings together what injections, app and health store have of each dose.
  ///
  /// The app knows a sample by its identifier. An injection and a record belong together that have
  /// the same amount and lie within an hour of each other. Of all such pairs those nearest in time
  /// come first, whichever of several injections of one amount was given first. A record of the
  /// very instant of an injection that has no better one tells of that injection, with another
  /// amount: both stay alone, and neither is taken for a pair with anything else. What would be a
  /// second record of one injection is the record of another that was given at the same instant.
  ///
  /// - Parameters:
  ///   - injections: What the body got.
  ///   - doses: The app's doses that are not from the pump.
  ///   - samples: The samples of the health store that do not tell of the pump.
  ///   - tells: Whether a sample can be the record of an injection of any instant.
  /// - Returns: Each dose once: those with a record first, the samples before the app's own.
  public static func matched(
    injections: [InjectionRecord], doses: [InsulinDeliveryRecord],
    samples: [InsulinSampleRecord], where tells: (InsulinSampleRecord) -> Bool
  ) -> [Self] {
    var matching = InjectionMatching(
      injections, records(of: doses, samples), where: tells)
    let pairs = matching.pairs(with: matching.candidates)
    let atOnce = pairs.prefix { $0.distance == .zero }
    let apart = pairs[atOnce.endIndex...]
    matching.match(atOnce)
    matching.match(matching.pairs(with: matching.seconds).prefix { $0.distance == .zero })
    let misstated = matching.misstated
    matching.match(
      apart.filter {
        !misstated.injections.contains($0.injection) && !misstated.records.contains($0.record)
      })
    return matching.doses
  }

  /// What the health store has, each sample with the app's dose of it, and then what the app has
  /// alone.
  private static func records(
    of doses: [InsulinDeliveryRecord], _ samples: [InsulinSampleRecord]
  ) -> [Self] {
    var rest = doses
    let stored = samples.map { sample -> Self in
      let index = rest.firstIndex {
        $0.sampleID == sample.sampleID
          || (sample.isOwn && $0.identifier == sample.syncIdentifier)
      }
      return Self(dose: index.map { rest.remove(at: $0) }, sample: sample)
    }
    return stored + rest.map { Self(dose: $0) }
  }

  /// How far the record lies from an injection that it can be of; `nil` where it cannot.
  fileprivate func distance(to injection: InjectionRecord) -> TimeSpan? {
    guard let start, let units = sample?.units ?? dose?.units,
      (units - injection.units).magnitude < 0.005
    else { return nil }
    let distance = (start - injection.instant).magnitude
    return distance <= Self.reach ? distance : nil
  }
}

extension OutsideDose {
  /// Whether a difference of a kind, at the start of this dose, is about this dose.
  ///
  /// - Parameters:
  ///   - kind: The kind of the difference.
  ///   - isMisstated: Whether a record of that instant states another amount than was injected: why
  ///     one place lacks it is then about the record.
  /// - Returns: Whether it is about this dose.
  public func isConcerned(by kind: RecordDifference.Kind, isMisstated: Bool) -> Bool {
    let hasRecord = dose != nil || sample != nil
    return switch kind {
    case .unloggedInjection: !hasRecord
    case .misstatedDose: injection == nil || !hasRecord
    case .notInjected, .duplicateSample, .conflictingSample: injection == nil
    // Of the pump's, it may come at the same time.
    case .unrequestedDelivery: false
    case .externalDose: injection != nil && hasRecord
    default: (injection != nil || isMisstated) && hasRecord
    }
  }
}

/// Brings injections together with the records of them, each with one at the most.
private struct InjectionMatching {
  /// An injection and a record that can be of it, by their places.
  typealias Pair = (distance: TimeSpan, injection: Int, record: Int)

  private let injections: [InjectionRecord]
  /// Which of the injections have a record.
  private var isMatched: [Bool]
  /// The records, with the injections that they have been found to be of.
  private var found: [OutsideDose]
  /// A record by the time that it states.
  typealias Candidate = (start: Instant, record: Int)
  /// The records that can be of an injection, by the times that they state.
  let candidates: [Candidate]
  /// The other records, which tell of something a second time, by the times that they state.
  let seconds: [Candidate]

  init(
    _ injections: [InjectionRecord], _ records: [OutsideDose],
    where tells: (InsulinSampleRecord) -> Bool
  ) {
    self.injections = injections
    isMatched = injections.map { _ in false }
    found = records
    let stated = records.indices
      .compactMap { record in records[record].start.map { (start: $0, record: record) } }
      .sorted { ($0.start, $0.record) < ($1.start, $1.record) }
    candidates = stated.filter { records[$0.record].sample.map(tells) ?? true }
    seconds = stated.filter { !(records[$0.record].sample.map(tells) ?? true) }
  }

  /// Each dose once: those with a record first, and then the injections without one.
  var doses: [OutsideDose] {
    found
      + injections.indices.filter { !isMatched[$0] }.map { OutsideDose(injection: injections[$0]) }
  }

  /// All injections with all of some records that can be of them, the nearest in time first.
  func pairs(with candidates: [Candidate]) -> [Pair] {
    injections.indices.flatMap { injection -> [Pair] in
      // Only those in reach are looked at.
      let instant = injections[injection].instant
      let first = candidates.partitioningIndex { $0.start >= instant - OutsideDose.reach }
      return candidates[first...].prefix { $0.start <= instant + OutsideDose.reach }
        .compactMap { candidate -> Pair? in
          found[candidate.record].distance(to: injections[injection])
            .map { ($0, injection, candidate.record) }
        }
    }.sorted { $0 < $1 }
  }

  /// Matches pairs in their order, as far as both are still alone.
  mutating func match(_ pairs: some Sequence<Pair>) {
    for pair in pairs where !isMatched[pair.injection] && found[pair.record].injection == nil {
      found[pair.record].injection = injections[pair.injection]
      isMatched[pair.injection] = true
    }
  }

  /// The injections that are still alone and have a record of their very instant, and these
  /// records: they state another amount.
  var misstated: (injections: Set<Int>, records: Set<Int>) {
    var misstated: (injections: Set<Int>, records: Set<Int>) = ([], [])
    for injection in injections.indices where !isMatched[injection] {
      let instant = injections[injection].instant
      let first = candidates.partitioningIndex { $0.start >= instant }
      let record = candidates[first...].prefix { $0.start == instant }.first {
        found[$0.record].injection == nil && !misstated.records.contains($0.record)
      }
      guard let record else { continue }
      misstated.injections.insert(injection)
      misstated.records.insert(record.record)
    }
    return misstated
  }
}
