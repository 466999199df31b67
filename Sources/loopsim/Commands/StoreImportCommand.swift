import Arguments
import FileSystem
import Glibc
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import StructuredText

/// Takes samples over from another program's file.
struct StoreImportCommand: Command {
  static let name = "import"
  static let abstract = "Take over samples from Apple Health, Tidepool, Nightscout or tables."
  static let discussion = """
    Reads the export.xml of Apple Health (unpack the archive first; any size), Tidepool's data \
    model in JSON, dumps of Nightscout and histories of oref in JSON, and the CSV exports of \
    \(RecordTable.programs). The \
    store's file is made where there is none. Samples keep their times and sources. Importing \
    the same file twice adds nothing, and what was deleted here does not come back. What is no \
    sample is left out, counted, and named, and insulin and carbohydrates are reconciled: what \
    the file states, what was taken over, and every difference with its reason. A file of which \
    nothing can be taken over is an error. Entries, treatments and profile of Nightscout may be \
    several files, which are read as one, as several of Tidepool are.
    """

  var file = ""
  var inputs: [String] = []
  var format: ExchangeFormat?
  var types: [TypeWord] = []
  var report: String?
  var zone: ZoneWord?
  var dates: DateWord?
  var unit: TableUnit?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional(
      "inputs", \.inputs,
      help:
        "The file to read, or '-' for standard input; of Nightscout, or of Tidepool, several.")
    it.destination(
      "report", \.report, valueName: "file", help: "Write what came of the records as JSON.")
    it.option("format", \.format, help: "The form of the input; else its content decides.")
    it.option(
      "zone", \.zone,
      help: "The time zone of a table whose times have none, and of the times that are printed.")
    it.option("dates", \.dates, help: "Whether 03/04/2026 begins with the day or the month.")
    it.option(
      "unit", \.unit, help: "The unit of glucose in a table; else the table's own, or mg/dL.")
    it.option("type", \.types, help: "Only samples of this type; repeatable.")
  }

  /// The store's file, also where its folder is named.
  private var place: String { StoreFile.inFolder(file) }

  func run(to console: any Console) async throws {
    try Files.keep(inputs.filter { $0 != "-" } + [place], apartFrom: [report])
    try Files.keepApart([place, report], called: "The store and the report")
    try ResultNames.keep(besides: inputs + [place], apartFrom: report)
    let sources = try inputs.map { try ImportInput($0, types: chosen) }
    let isNew = unsafe access(place, F_OK) != 0
    let newFolders = report.map(Files.missingFolders) ?? []
    do {
      try await take(sources, console)
    } catch {
      if isNew { removeEmptyStore() }
      // An export is read while it is taken over: of a broken one no report is written.
      for folder in newFolders { try? FileCalls.removeFolder(folder) }
      throw error
    }
  }

  private func take(_ sources: [ImportInput], _ console: any Console) async throws {
    let formats = try zip(inputs, sources).map { input, source in
      try format ?? ExchangeFormat(of: source.first, file: input)
    }
    guard
      sources.count == 1
        || RecordInput.joined.contains(where: { form in formats.allSatisfy { $0 == form } })
    else {
      throw Failure(
        .usage,
        "Several files are read as one where all are of Nightscout, or all of Tidepool. Import "
          + "these one by one.")
    }
    let ofTables = [
      ("--zone", zone != nil), ("--dates", dates != nil), ("--unit", unit != nil),
    ]
    if formats[0] != .table, let word = ofTables.first(where: \.1)?.0 {
      throw Failure(
        .usage,
        "\(word) is for tables, and \(WordList.text(inputs, atMost: 4)) is none. Leave it out.")
    }
    let target = try await taken(sources, formats)
    target.print(to: console)
    if let report { try Files.write(JSONWriter().text(target.json), to: report) }
    guard target.isEmptyHanded else { return }
    throw Failure(
      .badInput, "\(inputs.joined(separator: ", ")): error: \(target.nothing(of: chosen))")
  }

  /// Takes over the samples, and says what came of them; the store is closed then, so that nothing
  /// stays open where nobody can take the words.
  private func taken(
    _ sources: [ImportInput], _ formats: [ExchangeFormat]
  ) async throws -> ImportTarget {
    var store = try SQLiteHealthStore(path: place)
    var target = ImportTarget(into: store, printingBy: zone?.clock ?? .utc)
    if formats[0] == .appleHealth {
      try prepareReport()
      try await takeExport(&target, &store, sources[0])
    } else {
      let options = RecordOptions(zone: zone, dates: dates?.order, unit: unit, types: chosen)
      var documents: [(name: String, bytes: [UInt8])] = []
      for (input, source) in zip(inputs, sources) {
        documents.append((input, try await source.document()))
      }
      let read =
        documents.count == 1
        ? try RecordInput(file: inputs[0], options: options)
          .samples(of: documents[0].bytes, as: formats[0])
        : try RecordInput.together(documents, as: formats[0], options, isWholeRecord: false)
      target.report = read.report
      try prepareReport()
      try target.take(read.samples, into: &store)
    }
    let named = zip(formats, sources).compactMap { $0.glucoseUnit(of: $1.first) }
    try target.show(unit, named: named, in: &store)
    try target.findOverlaps(in: store)
    try target.findCopies(in: store)
    return target
  }

  /// Makes the folder of the report, once the file is known to be readable, as far as that can be
  /// known: a store that has changed and an exit code of failure would contradict one another.
  private func prepareReport() throws {
    if let report { try Files.prepare(report) }
  }

  private var chosen: Set<ObjectType>? { types.isEmpty ? nil : Set(types.map(\.type)) }

  private func takeExport(
    _ target: inout ImportTarget, _ store: inout SQLiteHealthStore, _ source: ImportInput
  ) async throws {
    do {
      try await target.take(from: source, into: &store)
    } catch let problem as TextProblem {
      let taken = "\(WordList.counted(target.added, "sample")) before it"
      throw Failure(
        .badInput, "\(problem)\n\(taken) \(WordList.verb("was", of: target.added)) taken over.")
    }
    for (type, value) in await source.characteristics where chosen == nil {
      let known = store.registry.characteristics.first { $0.type == type }?.value
      if let known, known != value, type == .dateOfBirth || known != 0 {
        // What a file does not say takes nothing away.
        if type != .dateOfBirth, value == 0 { continue }
        let (old, new) = (Self.word(for: known, type), Self.word(for: value, type))
        target.notes.append(
          "\(inputs[0]): warning: the \(type.name) was \(old) here and is \(new) now, as in the "
            + "file. A health store is that of one person.")
      }
      do throws(HealthStoreError) {
        try store.setCharacteristic(type, to: value)
        target.facts += 1
      } catch {
        guard case .invalidArgument(let reason, _) = error else { throw error }
        target.notes.append("\(inputs[0]): warning: the \(type) is left out. \(reason)")
      }
    }
    target.report = await source.report
  }

  private static func word(for value: Int, _ type: ObjectType) -> String {
    guard type != .dateOfBirth else { return CivilTime(dayNumber: Int64(value)).dateText }
    return CharacteristicNames.name(of: value, type: type)
  }

  /// Removes a file that was made for an import of which nothing came.
  private func removeEmptyStore() {
    do throws(HealthStoreError) {
      guard try SQLiteHealthStore(reading: place).lastRow == 0 else { return }
    } catch {
      guard case .notAHealthStore = error else { return }
    }
    for ending in ["", "-wal", "-shm", "-journal"] {
      try? FileCalls.remove(place + ending)
    }
  }
}
