import Arguments
import Dosing
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import Records
import StructuredText

/// An insulin by its brand, on the command line.
struct InsulinWord: ArgumentValue {
  let type: InsulinType

  init?(argument: String) {
    guard let type = InsulinType(rawValue: argument) else { return nil }
    self.type = type
  }

  static var allowedWords: [String] { InsulinType.allCases.map(\.rawValue) }
  var word: String { type.rawValue }
}

/// What commands on real records ask of their input.
struct RecordArguments {
  var zone: ZoneWord?
  var dates: DateWord?
  var unit: TableUnit?
  var fromWord: InstantWord?
  var toWord: InstantWord?
  /// The bytes of files that can be read only once, and were.
  var held: [String: [UInt8]] = [:]

  /// The start of what is asked for; a time without an offset is one of a clock.
  private func from(on clock: WallClock) -> Instant? { fromWord?.instant(on: clock) }
  /// The end of what is asked for; a time without an offset is one of a clock.
  private func to(on clock: WallClock) -> Instant? { toWord?.instant(on: clock) }

  /// Whether nothing was asked for.
  var isEmpty: Bool {
    zone == nil && dates == nil && unit == nil && fromWord == nil && toWord == nil
  }

  static func describe<Root>(
    _ it: inout Parameters<Root>, _ path: WritableKeyPath<Root, RecordArguments>
  ) {
    it.option(
      "zone", path.appending(path: \.zone), help: "The time zone of days and of local times.")
    it.option(
      "dates", path.appending(path: \.dates),
      help: "Whether 03/04/2026 begins with the day or the month.")
    it.option(
      "unit", path.appending(path: \.unit),
      help: "The unit of glucose in a table that does not say its own, and of glucose in text "
        + "and on a page; else that of the files, or mg/dL.")
    it.option(
      "from", path.appending(path: \.fromWord), valueName: "time",
      help: "Only what ends after this, \(InstantWord.formBesideZone).")
    it.option(
      "to", path.appending(path: \.toWord), valueName: "time", help: "Only what starts before this."
    )
  }

  /// The samples of all files, what came of their records, and how often files name time zones.
  ///
  /// The files of Nightscout are read as one, as each says something of the others, and so are
  /// those of Tidepool. Of what two others hold the one that is named later counts.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - glucoseAlone: Whether insulin is not asked for.
  ///   - look: Gets the name and the document of each dump of Nightscout, which may hold more.
  /// - Returns: The samples, sentences on how the files were read, and how often they name zones.
  /// - Throws: ``Failure`` or ``FileProblem`` where a file cannot be used.
  func samples(
    of files: [String], glucoseAlone: Bool = false,
    looking look: (String, JSONNode) -> Void = { _, _ in }
  ) throws -> (samples: [RestoredSample], notes: [String], zones: [String: Int]) {
    // Of another clock, that of the record, it is known once that is read.
    if let zone { _ = try span(on: zone.clock) }
    let options = RecordOptions(zone: zone, dates: dates?.order, unit: unit)
    var parts: [(place: Int, file: String, samples: [RestoredSample])] = []
    var reports: [ImportReport] = []
    var dumps: [ExchangeFormat: [(name: String, bytes: [UInt8])]] = [:]
    var lastPlaces: [ExchangeFormat: Int] = [:]
    var born: (day: Int, file: String)?
    var refused = RefusedFiles()
    var hasTable = false
    for (place, file) in files.enumerated() {
      switch try refused.reading({ try read(file, options) }) {
      case nil: continue
      case .dump(let format, let bytes):
        dumps[format, default: []].append((file, bytes))
        lastPlaces[format] = place
      case .samples(let own, let report, let birth, let isTable):
        parts.append((place, file, own))
        if let report { reports.append(report) }
        hasTable = hasTable || isTable
        guard let birth else { continue }
        guard born.map({ $0.day == birth }) ?? true else {
          throw Failure(
            .badInput,
            "\(file): the person was born on another day than that of \(born?.file ?? ""). "
              + "A record is that of one person.")
        }
        born = (birth, file)
      }
    }
    for format in RecordInput.joined {
      guard let files = dumps[format] else { continue }
      let read = try refused.reading {
        try RecordInput.together(files, as: format, options) { file, document in
          if format == .nightscout { look(file, document) }
        }
      }
      guard let read else { continue }
      parts.append((lastPlaces[format] ?? 0, read.report.file, read.samples))
      reports.append(read.report)
    }
    try refused.check()
    guard dates == nil || hasTable else {
      throw Failure(
        .usage,
        "--dates is for tables, and \(files.joined(separator: ", ")) has none. Leave it out.")
    }
    var joined = JoinedSamples()
    for part in parts.sorted(by: { $0.place < $1.place }) {
      joined.add(part.samples, of: part.file)
    }
    var notes = reports.flatMap(Self.notes)
    if !glucoseAlone { notes += reports.compactMap(Self.assumedBasal) }
    var samples = joined.samples
    if let open = Self.takeOpen(from: &samples, glucoseAlone: glucoseAlone) {
      notes.append("\(files.joined(separator: ", ")): \(open)")
    }
    var zones = reports.reduce(into: [:]) { $0.merge($1.timeZones) { $0 + $1 } }
    for file in files {
      // Beside the store of a run it is said in which zone the run was.
      guard let store = StoreFile.path(of: StoreFile.inFolder(file)),
        let zone = try RunSettings(beside: store).zone
      else { continue }
      zones[zone.word, default: 0] += 1
    }
    return (samples, notes + joined.notes, zones)
  }

  /// Takes out what has no end yet, and says so; `nil` where there is nothing of that kind, of
  /// glucose or of everything.
  private static func takeOpen(
    from samples: inout [RestoredSample], glucoseAlone: Bool
  ) -> String? {
    let open = samples.map(\.sample).filter(\.hasUndeterminedDuration)
    samples.removeAll { $0.sample.hasUndeterminedDuration }
    let told = open.filter { !glucoseAlone || $0.type == .bloodGlucose }
    guard let first = told.first else { return nil }
    return "\(WordList.counted(told.count, "sample", "has")) no end yet (HealthKit's undetermined "
      + "duration) and \(WordList.verb("is", of: told.count)) left out, the first "
      + "\(SampleWords(first))."
  }

  /// What is worth knowing of how a file was read.
  private static func notes(_ report: ImportReport) -> [String] {
    report.warnings.map(\.description)
      + report.account.totals.compactMap { total in
        let rest = report.account.unexplained(of: total.quantity)
        return rest == .zero
          ? nil : "\(report.file): \(total.quantity.rawValue): \(rest) unexplained."
      }
  }

  /// Which basal of a file is the profile's, and no record's.
  private static func assumedBasal(_ report: ImportReport) -> String? {
    guard let rebuilt = report.account.rebuilt else { return nil }
    let places = WordList.counted(rebuilt.count, "place")
    return "\(report.file): \(rebuilt.amount) U of basal in \(places) are what the profile "
      + "schedules where no temp basal is recorded. The files do not say that they were given."
  }

  /// The notes as an answer tells them, of which none is a warning any more.
  static func reading(_ notes: [String]) -> [String] {
    notes.map { $0.replacing(": warning: ", with: ": ", maxReplacements: 1) }
  }

  /// The span that is asked for, by the clock of ``zone(of:named:therapy:)``.
  ///
  /// - Parameters:
  ///   - clock: The clock.
  ///   - console: Where it is told of a time that the clock shows twice, or not at all.
  /// - Returns: The start and the end; `nil` where none is asked for.
  /// - Throws: ``Failure`` where it ends before it begins.
  func span(
    on clock: WallClock, notes console: (any Console)? = nil
  ) throws(Failure) -> (from: Instant?, to: Instant?) {
    console?.note([fromWord, toWord], on: clock)
    let (from, to) = (from(on: clock), to(on: clock))
    if let from, let to, to <= from {
      throw Failure(.usage, "--to \(to) is not after --from \(from): the span holds nothing.")
    }
    return (from, to)
  }

  /// What was asked for, for sentences: ` between … and …`, or nothing where all is.
  func spanWords(on clock: WallClock) -> String {
    switch (from(on: clock), to(on: clock)) {
    case (nil, nil): ""
    case (let from?, nil): " from \(from) on"
    case (nil, let to?): " before \(to)"
    case (let from?, let to?): " between \(from) and \(to)"
    }
  }

  /// Refuses samples of two people: see ``IdentifierClash``.
  func checkPerson(_ samples: [RestoredSample], of files: [String]) throws {
    let clashes = IdentifierClash.all(in: samples)
    guard clashes.count >= IdentifierClash.fewestOfTwoPeople else { return }
    let sentences = clashes.prefix(3).map { clash in
      "'\(clash.identifier)' is \(SampleWords(clash.first)), and \(SampleWords(clash.second))"
    }
    throw Failure(
      .badInput,
      "\(files.joined(separator: ", ")): error: \(clashes.count) sync identifiers of "
        + "\(clashes[0].first.source?.name ?? "one source") each stand for two doses, such as "
        + "\(sentences.joined(separator: "; ")). These are two people, and a record is that of "
        + "one: divide the files.")
  }

  /// The unit in which glucose is told: that of the arguments, that which a store's user prefers,
  /// or the one in which most files write it that name one at their beginning, else the samples.
  ///
  /// - Throws: ``Failure`` or ``FileProblem`` where a file cannot be read.
  func glucoseUnit(of files: [String], read samples: [RestoredSample]) throws -> GlucoseUnit {
    try GlucoseUnit(
      asked: unit, named: try files.compactMap { try glucoseUnit(of: $0) },
      samples: Self.glucoseUnit(of: samples))
  }

  /// The unit in which most glucose is written: in an export of Apple Health it may stand far
  /// behind the beginning.
  static func glucoseUnit(of samples: [RestoredSample]) -> GlucoseUnit {
    GlucoseUnit(
      ofMost: samples.lazy.map(\.sample).filter { $0.type == .bloodGlucose }.map {
        $0.quantity?.unit == .millimolePerLitre ? .millimolesPerLitre : .milligramsPerDecilitre
      })
  }

  /// The order in which a store prefers its sources of insulin; `nil` where there is not one store.
  static func priority(of files: [String]) throws -> [Source]? {
    guard files.count == 1, let store = StoreFile.path(of: StoreFile.inFolder(files[0]))
    else { return nil }
    return try StoreFile.reading(store).registry.prioritizedSources(for: .insulinDelivery)
  }

  private func glucoseUnit(of file: String) throws -> GlucoseUnit? {
    // What came by standard input is read once.
    guard file != "-" || held[file] != nil else { return nil }
    let first = try parts(of: StoreFile.inFolder(file))()
    if first.starts(with: Array("SQLite".utf8)) {
      let preferred = try StoreFile.reading(file).registry.preferredUnit(for: .bloodGlucose)
      return preferred == .millimolePerLitre ? .millimolesPerLitre : .milligramsPerDecilitre
    }
    return try ExchangeFormat(of: first, file: file).glucoseUnit(of: first)
  }

  /// What a file holds.
  private enum Content {
    /// Samples, what came of the file's records, the day of birth that it states, and whether it
    /// is a table.
    case samples([RestoredSample], ImportReport?, dateOfBirth: Int?, isTable: Bool = false)
    /// A dump in one of the forms of which several files are read as one.
    case dump(ExchangeFormat, [UInt8])
  }

  /// The bytes of a file part by part; empty at the end.
  private func parts(of file: String) throws -> () throws -> [UInt8] {
    guard let bytes = held[file] else { return try Files.parts(of: file) }
    var rest = bytes
    return {
      defer { rest = [] }
      return rest
    }
  }

  private func read(_ named: String, _ options: RecordOptions) throws -> Content {
    let file = StoreFile.inFolder(named)
    let parts = try self.parts(of: file)
    let first = try parts()
    guard !first.isEmpty else { throw Failure(.badInput, "\(file): the file is empty.") }
    if file != "-", first.starts(with: Array("SQLite".utf8)) {
      let store = try StoreFile.reading(file)
      let types: [ObjectType] = [.insulinDelivery, .bloodGlucose, .dietaryCarbohydrates]
      let birth = store.registry.characteristics.first { $0.type == .dateOfBirth }?.value
      return .samples(try store.allSamples(of: types), nil, dateOfBirth: birth)
    }
    let format = try ExchangeFormat(of: first, file: file)
    guard format == .appleHealth else {
      var bytes = first
      while case let part = try parts(), !part.isEmpty {
        bytes += part
        guard bytes.count <= Files.sizeLimit else { throw Files.tooLarge(file) }
      }
      guard !RecordInput.joined.contains(format) else { return .dump(format, bytes) }
      let read = try RecordInput(file: file, options: options).samples(of: bytes, as: format)
      return .samples(read.samples, read.report, dateOfBirth: nil, isTable: true)
    }
    var waiting: [UInt8]? = first
    let types: Set<ObjectType> = [.insulinDelivery, .bloodGlucose, .dietaryCarbohydrates]
    var reader = AppleHealthReader(file: file, types: types)
    var samples: [RestoredSample] = []
    let input: () throws -> [UInt8] = {
      defer { waiting = nil }
      return try waiting ?? parts()
    }
    do {
      while let part = try reader.next(upTo: 10_000, input: input) { samples += part }
    } catch let problem as TextProblem {
      throw Failure(.badInput, "\(problem)")
    }
    let birth = reader.characteristics.first { $0.type == .dateOfBirth }?.value
    return .samples(samples, reader.report, dateOfBirth: birth)
  }
}
