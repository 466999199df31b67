import Arguments
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import Reports
import StructuredText

/// What came of an import into a store, which it does not hold: it is closed before that is told.
struct ImportTarget {
  var report: ImportReport?
  /// How many facts about the user were taken over, such as the date of birth.
  var facts = 0
  /// What is to be said of the facts.
  var notes: [String] = []
  private(set) var added = 0
  private var passedOver = 0
  /// How many doses and meals are here with another amount or another time, and the first of them.
  private var others = Found()
  private var refusals: [(reason: String, count: Int)] = []
  /// What the refused samples hold, and those of which the store keeps another version, which the
  /// report of the file counts as taken over.
  private var refused = ImportAccount()
  private var versions = ImportedVersions()

  /// The basal that was added to a store in which there was something.
  private var addedBasal: Set<SampleUUID> = []
  /// The boluses and carbohydrates that were added to such a store.
  private var addedAmounts: Set<SampleUUID> = []
  /// The days of these, each by its beginning.
  private var daysOfAmounts: Set<Instant> = []
  private let wasEmpty: Bool
  /// The clock whose times are printed.
  private let clock: WallClock
  /// The unit of most glucose of the first samples of glucose that an empty store got.
  private var glucoseUnit: GlucoseUnit?
  /// Whether glucose is shown in mmol/L from this import on.
  private var isShownMolar = false
  /// How often basal that was here goes on into basal of the file, and the first such pair.
  private var overlaps = Found()
  /// How many correlations were passed over of which the store has some members alone, as after an
  /// import of one type, and the first of them.
  private var parts = Found()
  /// How many boluses and carbohydrates are there twice now, and the first of them.
  private var copies = Found()

  init(into store: SQLiteHealthStore, printingBy clock: WallClock = .utc) {
    self.clock = clock
    wasEmpty = store.lastRow == 0
  }

  /// Takes over all samples of an export, in their order: while some are stored, the next are read.
  mutating func take(
    from source: ImportInput, into store: inout SQLiteHealthStore
  ) async throws {
    var next = Task { try await source.samples() }
    while let samples = try await next.value {
      next = Task { try await source.samples() }
      try take(samples, into: &store)
    }
  }

  /// Shows glucose in mmol/L where the file has it so and the store was empty.
  ///
  /// - Parameters:
  ///   - asked: The unit that was asked for.
  ///   - named: The units that the files name at their beginning.
  ///   - store: The store that was filled.
  /// - Throws: ``HealthStoreError`` where it cannot be written.
  mutating func show(
    _ asked: TableUnit?, named: [GlucoseUnit], in store: inout SQLiteHealthStore
  ) throws {
    guard let written = glucoseUnit,
      GlucoseUnit(asked: asked, named: named, samples: written) == .millimolesPerLitre
    else { return }
    try store.setPreferredUnit(.millimolePerLitre, for: .bloodGlucose)
    isShownMolar = true
  }

  mutating func take(
    _ samples: [RestoredSample], into store: inout SQLiteHealthStore
  ) throws {
    var rest = samples.filter { sample in
      let complaint = sample.sample.complaintOnValue
      if complaint != nil { refuse(sample.sample, "its value is larger than any that is recorded") }
      return complaint == nil
    }[...]
    if wasEmpty, glucoseUnit == nil, rest.contains(where: { $0.sample.type == .bloodGlucose }) {
      glucoseUnit = RecordArguments.glucoseUnit(of: Array(rest))
    }
    while !rest.isEmpty {
      let part = Array(rest.prefix(10_000))
      for (sample, outcome) in zip(part, try store.restore(part)) {
        switch outcome {
        case .added:
          added += 1
          if !wasEmpty { note(added: sample.sample) }
          takeBackSurplus(of: sample.sample, .added)
        case .passedOver:
          passedOver += 1
          let isKept = try isHere(sample.sample, store)
          takeBackSurplus(of: sample.sample, isKept ? .known : .absent)
          try notePart(of: sample.sample, store)
        case .refused(let fault): refuse(sample.sample, "\(fault)")
        }
      }
      rest = rest.dropFirst(10_000)
    }
  }

  private mutating func note(added sample: Sample) {
    // What a meal of several nutrients holds is in the store with it.
    for member in sample.members { note(added: member) }
    switch (sample.type, sample.metadata.insulinDeliveryReason) {
    case (.insulinDelivery, .basal): addedBasal.insert(sample.uuid)
    case (.insulinDelivery, _), (.dietaryCarbohydrates, _):
      addedAmounts.insert(sample.uuid)
      daysOfAmounts.insert(Self.day(of: sample))
    default: break
    }
  }

  /// Takes back what the file has more of than the store keeps: what is there twice, versions that
  /// a newer one replaces, and what was deleted here.
  private mutating func takeBackSurplus(
    of sample: Sample, _ outcome: ImportedVersions.Outcome
  ) {
    guard let surplus = versions.note(sample, outcome) else { return }
    refused.takeBack(surplus.quantity, surplus.amount, because: surplus.reason)
    guard surplus.wasAdded else { return }
    added -= 1
    passedOver += 1
  }

  /// Whether a dose or a meal that was passed over is in the store; where with another amount or
  /// time than the file has, as after a dump that was made while a bolus ran, that is noted.
  private mutating func isHere(
    _ sample: Sample, _ store: SQLiteHealthStore
  ) throws -> Bool {
    guard [.insulinDelivery, .dietaryCarbohydrates].contains(sample.type) else { return true }
    guard let here = try store.sample(sample.uuid, as: .user) else { return false }
    if here.start != sample.start || here.end != sample.end
      || here.storedValue != sample.storedValue
    {
      others.add(
        "\(SampleWords(here, clock)) here, \(SampleWords(sample, clock)) in the file")
    }
    return true
  }

  /// Notes a correlation that was passed over for members that are here alone, and the rest of it.
  private mutating func notePart(of sample: Sample, _ store: SQLiteHealthStore) throws {
    guard !sample.members.isEmpty, try store.sample(sample.uuid, as: .user) == nil else { return }
    let missing = try sample.members.filter { try store.sample($0.uuid, as: .user) == nil }
    guard !missing.isEmpty, missing.count < sample.members.count else { return }
    let names = WordList.text(missing.map(\.type.name).sorted(), atMost: 4)
    parts.add("\(names) of \(sample.type.name), \(clock.iso8601(sample.start))")
  }

  /// Notes where basal that was here goes on into basal of the file, or the other way round, as
  /// after a dump that ended while a temp basal ran: neither was cut for the other.
  mutating func findOverlaps(in store: SQLiteHealthStore) throws {
    guard !addedBasal.isEmpty else { return }
    var latest: [String: Sample] = [:]
    var found = Found()
    let isNew = addedBasal
    try store.visitSamples(of: .insulinDelivery, as: .user) { sample in
      guard sample.metadata.insulinDeliveryReason == .basal, sample.duration > .zero else { return }
      let source = sample.source?.bundleIdentifier ?? ""
      let before = latest[source]
      if before.map({ $0.end < sample.end }) ?? true { latest[source] = sample }
      guard let before, before.end - sample.start > .seconds(1),
        isNew.contains(before.uuid) != isNew.contains(sample.uuid)
      else { return }
      found.add(
        "\(SampleWords(before, clock)), before the end of which the next begins, "
          + clock.iso8601(sample.start))
    }
    overlaps = found
  }

  /// Notes boluses and carbohydrates that were here under another identity, to the second.
  ///
  /// They count twice now. So it is where one record comes from two programs, or where what tells
  /// its samples apart has changed.
  mutating func findCopies(in store: SQLiteHealthStore) throws {
    var found = Found()
    for type in [ObjectType.insulinDelivery, .dietaryCarbohydrates] {
      // Days to which nothing was added need no look, of however many years the store is.
      for day in daysOfAmounts.sorted() {
        let samples = try store.samples(of: type, from: day, to: day + .days(1), as: .user)
        // How many there are of a moment and an amount that were here, less those that were added.
        var before: [Amount: Int] = [:]
        let amounts = samples.filter { Self.day(of: $0) == day }.compactMap { sample in
          Amount(sample).map { (sample: sample, amount: $0) }
        }
        for one in amounts where !addedAmounts.contains(one.sample.uuid) {
          before[one.amount, default: 0] += 1
        }
        for one in amounts where addedAmounts.contains(one.sample.uuid) {
          guard let left = before[one.amount], left > 0 else { continue }
          before[one.amount] = left - 1
          found.add(SampleWords(one.sample, clock).description)
        }
      }
    }
    copies = found
  }

  /// How many of a kind there are, and the first of them in words.
  private struct Found {
    private(set) var count = 0
    private(set) var first = ""

    mutating func add(_ words: @autoclosure () -> String) {
      if count == 0 { first = words() }
      count += 1
    }
  }

  private static func day(of sample: Sample) -> Instant { sample.start.floored(to: .days(1)) }

  /// What one bolus or meal is told from another by, whoever recorded it, and however often its
  /// amount was converted since.
  private struct Amount: Hashable {
    let second: Int64
    let thousandths: Int64

    init?(_ sample: Sample) {
      guard let value = sample.storedValue, value > 0,
        let thousandths = Int64(exactly: (value * 1_000).rounded()),
        sample.metadata.insulinDeliveryReason != .basal
      else { return nil }
      second = sample.start.floored(to: .seconds(1)).millisecondsSince1970
      self.thousandths = thousandths
    }
  }

  private mutating func refuse(_ sample: Sample, _ reason: String) {
    refused.takeBack(sample, because: "refused by the store: \(reason)")
    if let index = refusals.firstIndex(where: { $0.reason == reason }) {
      refusals[index].count += 1
    } else {
      refusals.append((reason, 1))
    }
  }

  /// What came of the records, less what the store refused or keeps once.
  private var kept: ImportReport? {
    guard var kept = report else { return nil }
    kept.account.add(refused)
    return kept
  }

  /// What came of the records, and of the samples in the store.
  var json: JSONValue {
    var members: [JSONValue.Member] = []
    if case .object(let own)? = kept?.json { members = own }
    members.append(
      .init(
        "store",
        [
          "added": .integer(Int64(added)), "known": .integer(Int64(passedOver)),
          "other": .integer(Int64(others.count)),
          "partial": .integer(Int64(parts.count)),
          "overlaps": .integer(Int64(overlaps.count)),
          "copies": .integer(Int64(copies.count)), "facts": .integer(Int64(facts)),
          "refused": .array(
            refusals.map { ["reason": .string($0.reason), "count": .integer(Int64($0.count))] }),
        ]))
    return .object(members)
  }

  /// Whether nothing came of the import: no sample was added or known, and no fact.
  var isEmptyHanded: Bool { added == 0 && passedOver == 0 && facts == 0 }

  /// A sentence on why nothing came of an import of some types, or of all for `nil`.
  func nothing(of types: Set<ObjectType>?) -> String {
    let refused = refusals.reduce(0) { $0 + $1.count }
    guard refused == 0 else {
      return "nothing was taken over: the store refused "
        + (refused == 1 ? "its only sample." : "all \(refused) samples.")
    }
    if let types {
      let names = WordList.text(types.map(\.name).sorted(), atMost: 4)
      return "nothing was taken over: it holds no sample of \(names) that can be read."
    }
    let left = report?.omissions.reduce(0) { $0 + $1.count } ?? 0
    return "nothing was taken over: it holds no sample that can be read"
      + (left == 0 ? "." : "; \(WordList.counted(left, "record")) left out, as said above.")
  }

  func print(to console: any Console) {
    for note in notes { console.note(note) }
    var table = StoreTable(columns: OutputGuide.storeImported.map(\.name))
    for count in report?.types ?? [] {
      table.rows.append([
        .text(count.type.name), .integer(count.samples), .text(clock.iso8601(count.first)),
        .text(clock.iso8601(count.last)), .text(count.sources.joined(separator: ", ")),
      ])
    }
    if !table.rows.isEmpty { table.print(as: .text, to: console) }
    for warning in report?.warnings ?? [] { console.note("\(warning)") }
    if let count = report?.controlCharacters, count > 0 {
      console.note(
        "Control characters, which XML cannot hold: \(count), read as blanks.")
    }
    for line in kept?.account.lines ?? [] { console.note(line) }
    if facts > 0 { console.note("Facts about the person, taken over: \(facts).") }
    for refusal in refusals.prefix(20) {
      console.note("Refused, \(refusal.count) of them: \(refusal.reason)")
    }
    if others.count > 0 {
      console.note(
        "Here already with another amount or time, \(others.count) of them, and kept as they are "
          + "here: the first is \(others.first). To have the file's, import the files together "
          + "into a new store.")
    }
    if parts.count > 0 {
      console.note(
        "Correlations of which the store has some members alone, \(parts.count) of them, and of "
          + "which the rest is left out: the first is \(parts.first). To have it, import the whole "
          + "file into a new store.")
    }
    if overlaps.count > 0 {
      console.note(
        "Basal here and basal of the file at the same time, \(overlaps.count) of them: the first "
          + "is \(overlaps.first). What did not run is counted. To have it cut, import the files "
          + "together into a new store.")
    }
    if copies.count > 0 {
      console.note(
        "Boluses and carbohydrates that were here already under another identity, "
          + "\(copies.count) of them: the first is \(copies.first). They count twice now, and "
          + "boluses in the insulin on board as well; 'loopsim audit' shows them. Keep the records "
          + "of one program in a store.")
    }
    if isShownMolar {
      console.note(
        "Glucose is shown in mmol/L, as in the file; 'loopsim store unit' chooses another unit.")
    }
    console.print("Added: \(added). Here already, or deleted here: \(passedOver).")
  }
}
