internal import HealthStore
internal import Quantities

/// A sample as the audit looks at it.
struct AuditRecord {
  /// What a sample of insulin or food is.
  enum Kind: Hashable {
    case basal, bolus, unlabelled, carbohydrates
  }

  var sample: Sample
  var created: Instant
  /// The place of the source in ``AuditSources/sources``.
  var source: Int
  var kind: Kind
  /// The units or grams.
  var amount: Double
  /// The place in the record as it was given, in which it was written.
  var place: Int

  var start: Instant { sample.start }
  var end: Instant { sample.end }
  var metadata: Metadata { sample.metadata }

  init?(_ restored: RestoredSample, source: Int, place: Int) {
    let sample = restored.sample
    guard let amount = sample.storedValue else { return nil }
    switch sample.type {
    case .dietaryCarbohydrates: kind = .carbohydrates
    case .insulinDelivery:
      kind =
        switch sample.metadata.insulinDeliveryReason {
        case .basal: .basal
        case .bolus: .bolus
        case nil: .unlabelled
        }
    default: return nil
    }
    self.sample = sample
    self.source = source
    self.place = place
    self.amount = amount
    created = restored.created
  }

  /// Whether the units count as a bolus: a sample without a reason does.
  var countsAsBolus: Bool { kind == .bolus || kind == .unlabelled }

  /// Whether another record has the same time and amount, so that one may be there twice.
  func isAlike(_ other: AuditRecord) -> Bool {
    (start - other.start).magnitude <= .seconds(1) && (end - other.end).magnitude <= .seconds(1)
      && (amount - other.amount).magnitude < 5e-4
  }

  /// Whether it is a suspension that may go on.
  ///
  /// That of which another program's file tells the end has a rate of 0 that was programmed until
  /// then.
  var isOpenSuspension: Bool {
    metadata.isSuspend == true && metadata.programmedTempBasalRate == nil
  }

  /// Whether it is basal that lasts, and not of a moment only.
  var isLastingBasal: Bool { kind == .basal && sample.duration > .zero }

  /// Whether it is basal that lasts and runs by the schedule.
  var runsBySchedule: Bool {
    isLastingBasal && metadata.programmedTempBasalRate == nil && metadata.isSuspend != true
  }

  /// Until when the record goes on by this sample: that a bolus runs on is known before it has, and
  /// the file may have been written meanwhile, unless the sample was written after its end.
  var reached: Instant { kind == .basal || created > end ? end : start }

  /// Whether a person entered the sample, so that no pump counted it.
  var isByHand: Bool { metadata.isByHand }
}

/// Who wrote the samples, in the order of their first insulin.
struct AuditSources {
  struct Entry {
    var source: Source
    /// What stands for the source in every record that has it.
    var key: String
    /// The rank of the source for a health store whose user has set no order.
    var rank: Int
    /// Whether a file names the app; else the source has the name of its program.
    var isNamed = true
    var samples = 0
    var basal = 0.0
    var bolus = 0.0
    /// Whether an app built on LoopKit wrote insulin under this source.
    var isLoopKit = false
    var hasBasalSegments = false
    var isByHand = false
  }

  private(set) var sources: [Entry] = []
  /// The places of the sources by their keys: a record may have as many sources as samples.
  private var places: [String: Int] = [:]
  /// How many sources have each name.
  private var namesakes: [String: Int] = [:]

  mutating func index(of sample: Sample) -> Int {
    let source = sample.source ?? Source(name: "unknown", bundleIdentifier: "unknown")
    let key = Self.key(of: source)
    if let index = places[key] { return index }
    // The glucose of an app that the file names is that app's, by its name.
    let isPart = key != source.bundleIdentifier && key.split(separator: ".").count == 2
    sources.append(
      Entry(
        source: isPart
          ? Source(
            name: key.split(separator: ".").last.map(String.init) ?? source.name,
            bundleIdentifier: source.bundleIdentifier) : source,
        key: key, rank: source.rank(onProduct: sample.sourceRevision?.productType),
        isNamed: !isPart))
    places[key] = sources.count - 1
    namesakes[sources[sources.count - 1].source.name, default: 0] += 1
    return sources.count - 1
  }

  /// Counts a reading of glucose.
  mutating func countReading(of index: Int) {
    assert(sources.indices.contains(index), "A reading is of a source that is known.")
    sources[index].samples += 1
  }

  /// Notes that a source has basal before what is judged and after it: it is no pen's in between.
  mutating func noteBasalAround(_ index: Int) {
    assert(sources.indices.contains(index), "Basal is of a source that is known.")
    sources[index].hasBasalSegments = true
  }

  /// Counts a record of which a share lies within the time that is judged.
  mutating func count(_ record: AuditRecord, share: Double = 1) {
    assert(sources.indices.contains(record.source), "A record is of a source that is known.")
    sources[record.source].samples += 1
    guard record.kind != .carbohydrates else { return }
    if record.kind == .basal {
      sources[record.source].basal += record.amount * share
      if record.sample.duration > .zero { sources[record.source].hasBasalSegments = true }
    } else {
      sources[record.source].bolus += record.amount * share
    }
    if record.metadata.hasLoopKitOrigin { sources[record.source].isLoopKit = true }
    if record.isByHand { sources[record.source].isByHand = true }
  }

  /// The parts of one program's file, such as its pump and its food, are one source.
  private static func key(of source: Source) -> String {
    let parts = source.bundleIdentifier.split(separator: ".")
    if parts.count > 3, parts[0] == "import", parts.last == "cgm" {
      return String(source.bundleIdentifier.dropLast(4))
    }
    guard parts.count == 3, parts[0] == "import",
      ["pump", "food", "cgm"].contains(parts[2])
    else { return source.bundleIdentifier }
    return "import.\(parts[1])"
  }

  /// The app that doses: the one whose basal segments hold most insulin; `nil` where no source
  /// has any.
  var dosing: Int? {
    let candidates = sources.indices.filter { sources[$0].hasBasalSegments }
    return candidates.max { sources[$0].basal < sources[$1].basal }
  }

  /// Whether a source that is another than the one that doses may be of the same app, as a file
  /// does not name the one, or names the other and of this nobody.
  func mayBe(_ source: Int, _ dosing: Int) -> Bool {
    let (own, other) = (sources[source], sources[dosing])
    guard source != dosing else { return false }
    return !other.isNamed || !own.isNamed && other.key.hasPrefix(own.key + ".")
  }

  /// The order in which a health store prefers sources: as is said, and then by itself.
  func order(inStore chosen: [Source]?) -> [Int] {
    var seen: Set<Int> = []
    let first = (chosen ?? []).compactMap { places[Self.key(of: $0)] }
      .filter { seen.insert($0).inserted }
    return first
      + sources.indices.filter { !seen.contains($0) }
      .sorted { (sources[$0].rank, $0) < (sources[$1].rank, $1) }
  }

  /// The order in which sources are held against each other: the dosing app, then as they come.
  var priority: [Int] {
    let first = dosing
    return (first.map { [$0] } ?? []) + sources.indices.filter { $0 != first }
  }

  /// The name of a source; of those that share one, with the form of the file or the identifier.
  func name(_ index: Int) -> String {
    assert(sources.indices.contains(index), "A source that is named is known.")
    let source = sources[index].source
    return namesakes[source.name, default: 0] > 1 ? source.nameWithOrigin : source.name
  }
}

extension Source {
  /// The name with the form of the file that the source came with, or with its identifier, as it is
  /// told apart from others of its name.
  var nameWithOrigin: String {
    let parts = bundleIdentifier.split(separator: ".")
    let isImported = parts.count > 1 && parts[0] == "import"
    return "\(name) (\(isImported ? String(parts[1]) : bundleIdentifier))"
  }
}
