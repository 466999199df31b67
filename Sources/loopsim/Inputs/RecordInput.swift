import Arguments
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import StructuredText

/// The forms of other programs' records, on the command line.
enum ExchangeFormat: String, ArgumentValue, CaseIterable {
  case appleHealth = "apple-health"
  case tidepool, nightscout, table

  /// The form of a file by its first bytes.
  ///
  /// XML begins with "<", JSON with a bracket; Nightscout's documents have an event, a reading or a
  /// profile; anything else that is text is a table.
  ///
  /// - Throws: ``Failure`` for what is no text, with what to export instead.
  init(of first: [UInt8], file: String) throws {
    guard !SQLiteBackend.wrote(fileOf: first) else {
      throw Failure(
        .badInput,
        "\(file): error: This is a health store of loopsim. Take over what it exports: "
          + ShellWord.line(["loopsim", "store", "export", file, "export.xml"]))
    }
    if let sentence = UnreadableFile.sentence(of: first) ?? UnreadableFile.logSentence(of: first) {
      throw Failure(.badInput, "\(file): error: \(sentence)")
    }
    guard !ScenarioText.isOne(first) else {
      throw Failure(
        .badInput,
        "\(file): error: This is a scenario, and no record. Run it, and name what it leaves: "
          + "loopsim run \(ShellWord.quoted(file)) --out FOLDER")
    }
    let text = String(decoding: first.prefix(1 << 16), as: UTF8.self)
    switch text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) {
    case "<": self = .appleHealth
    case "[", "{", nil:
      let marks = [
        "eventType", "sgv", "mbg", "entries", "treatments", "defaultProfile", "_type",
        "enteredBy", "devicestatus", "loop",
      ]
      self = marks.contains { Self.hasKey($0, in: text) } ? .nightscout : .tidepool
    default: self = .table
    }
  }
}

extension ExchangeFormat {
  /// The unit of glucose that a file of this form names in its first bytes; `nil` where none.
  func glucoseUnit(of first: [UInt8]) -> GlucoseUnit? {
    switch self {
    case .table: GlucoseUnit(ofTable: first)
    case .appleHealth: GlucoseUnit(ofAppleHealth: String(decoding: first, as: UTF8.self))
    case .tidepool, .nightscout: GlucoseUnit(ofDocuments: String(decoding: first, as: UTF8.self))
    }
  }

  /// Whether a JSON document has a key of that name, and not only a text of those words.
  private static func hasKey(_ name: String, in text: String) -> Bool {
    text.ranges(of: "\"\(name)\"").contains { range in
      text[range.upperBound...].first { !$0.isWhitespace } == ":"
    }
  }
}

/// The order of day and month, on the command line.
enum DateWord: String, ArgumentValue, CaseIterable {
  case dayFirst = "day-first"
  case monthFirst = "month-first"

  var order: DateOrder { self == .dayFirst ? .dayFirst : .monthFirst }
}

/// The unit of glucose, on the command line.
enum TableUnit: String, ArgumentValue, CaseIterable {
  case milligrams = "mg/dL"
  case millimoles = "mmol/L"

  var glucoseUnit: GlucoseUnit {
    self == .millimoles ? .millimolesPerLitre : .milligramsPerDecilitre
  }
}

extension GlucoseUnit {
  /// The unit that most of some files or series have; mg/dL where as many have either.
  init(ofMost units: some Collection<Self>) {
    let molar = units.count { $0 == .millimolesPerLitre }
    self = 2 * molar > units.count ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  /// The unit in which glucose of some files is told: the one that was asked for, else that which
  /// most of the files name at their beginning, or that of the samples where none names any.
  ///
  /// A file that names no unit, as readings of Nightscout, has no say beside one that does.
  init(
    asked: TableUnit?, named: @autoclosure () throws -> [Self], samples: @autoclosure () -> Self
  ) rethrows {
    if let asked {
      self = asked.glucoseUnit
      return
    }
    let named = try named()
    self = named.isEmpty ? samples() : GlucoseUnit(ofMost: named)
  }
}

/// What a command knows of a record beside its file.
struct RecordOptions {
  var zone: ZoneWord?
  var dates: DateOrder?
  var unit: TableUnit?
  var types: Set<ObjectType>?
}

/// Reads records of other programs into samples.
struct RecordInput {
  let file: String
  let options: RecordOptions

  /// The samples of a JSON document or a table, and what came of its records.
  ///
  /// - Throws: ``Failure`` with every problem where the file cannot be used.
  func samples(
    of bytes: [UInt8], as format: ExchangeFormat
  ) throws -> (samples: [RestoredSample], report: ImportReport) {
    let problems = ProblemList()
    let read = format == .table ? table(bytes, problems) : document(bytes, format, problems)
    guard let read, !problems.hasErrors else {
      throw Failure(problems.sorted)
    }
    guard let types = options.types else { return read }
    var report = read.report
    let kept = report.keep(types, of: read.samples)
    return (kept, report)
  }

  private func document(
    _ bytes: [UInt8], _ format: ExchangeFormat, _ problems: ProblemList
  ) -> (samples: [RestoredSample], report: ImportReport)? {
    var limits = JSONReader.Limits()
    limits.repeatedKeys = .lastCounts
    let reading = JSONReader.read(bytes, file: file, limits: limits)
    problems.add(reading.problems)
    guard let root = reading.root, !problems.hasErrors,
      var read = Self.samples(of: [root], in: file, as: format, isWholeRecord: false, problems)
    else { return nil }
    read.report.repeatedKeys = reading.repeatedKeys
    return read
  }

  /// The samples of JSON documents of one form, which are read as one.
  private static func samples(
    of roots: [JSONNode], in files: String, as format: ExchangeFormat, isWholeRecord: Bool,
    _ problems: ProblemList
  ) -> (samples: [RestoredSample], report: ImportReport)? {
    if format == .tidepool {
      var reader = TidepoolReader(file: files)
      return reader.samples(of: roots, problems: problems).map { ($0, reader.report) }
    }
    var reader = NightscoutReader(file: files, isWholeRecord: isWholeRecord) {
      ZoneWord(inFile: $0)?.clock
    }
    return reader.samples(of: roots, problems: problems).map { ($0, reader.report) }
  }

  /// The forms of which several files are read as one.
  static let joined: [ExchangeFormat] = [.nightscout, .tidepool]

  /// The samples of several files of Nightscout's, or of Tidepool's, which are read as one.
  ///
  /// - Parameters:
  ///   - files: The files by name.
  ///   - format: The form that they all have, one of ``joined``.
  ///   - options: What is known of them.
  ///   - isWholeRecord: Whether they are all that is known of the person.
  ///   - look: Gets the name and the document of each file that can be read, which may hold more.
  /// - Returns: The samples, and what came of the documents.
  /// - Throws: ``Failure`` with every problem where they cannot be used.
  static func together(
    _ files: [(name: String, bytes: [UInt8])], as format: ExchangeFormat,
    _ options: RecordOptions, isWholeRecord: Bool = true,
    looking look: (String, JSONNode) -> Void = { _, _ in }
  ) throws -> (samples: [RestoredSample], report: ImportReport) {
    let problems = ProblemList()
    var limits = JSONReader.Limits()
    limits.repeatedKeys = .lastCounts
    var repeatedKeys: [JSONReader.RepeatedKey] = []
    let roots = files.compactMap { file in
      let reading = JSONReader.read(file.bytes, file: file.name, limits: limits)
      problems.add(reading.problems)
      if let root = reading.root { look(file.name, root) }
      repeatedKeys += reading.repeatedKeys
      return reading.root
    }
    let names = files.map(\.name).joined(separator: ", ")
    guard !problems.hasErrors,
      let read = samples(
        of: roots, in: names, as: format, isWholeRecord: isWholeRecord, problems),
      !problems.hasErrors
    else { throw Failure(problems.sorted) }
    var report = read.report
    report.repeatedKeys = repeatedKeys
    let kept = options.types.map { report.keep($0, of: read.samples) }
    return (kept ?? read.samples, report)
  }

  private func table(
    _ bytes: [UInt8], _ problems: ProblemList
  ) -> (samples: [RestoredSample], report: ImportReport)? {
    let known = RecordTable.Options(
      isMolar: options.unit.map { $0 == .millimoles }, dateOrder: options.dates)
    guard
      var table = RecordTable.read(bytes, file: file, options: known, problems: problems),
      !problems.hasErrors
    else { return nil }
    let top = TextPosition(file: file, line: 1, column: 1)
    guard table.people.count < 2 else {
      problems.error(
        at: top,
        "The table holds \(table.people.count) people; a health store is that of one. Divide it.")
      return nil
    }
    if options.zone == nil, let local = table.rows.first(where: { $0.offset == nil }) {
      problems.error(
        at: local.position,
        "The times of this table are those of the clock on the wall. Say its time zone with "
          + "--zone, such as --zone Europe/Berlin.")
      return nil
    }
    let samples = table.samples(on: options.zone?.clock ?? .utc)
    return (samples, table.report)
  }
}
