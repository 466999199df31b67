import Bridge
import FileSystem
import FoundationEssentials
import HealthStore
import HealthStoreSQLite
import Reports
import Scenarios
import Simulation
import StructuredText

/// One side of a comparison: what one or several runs left behind.
struct ComparisonInput {
  /// The runs by their names; the name is empty where there is a single one.
  var runs: [(name: String, run: RecordedRun)]
  /// The files of the scenario that was carried out; none where results were read.
  private(set) var scenarioFiles: [String] = []
  /// What is to be known of the scenario that was carried out, and of its run.
  private(set) var warnings: [TextProblem] = []

  /// Reads a folder of results, a folder of such folders, one file of a result, or carries out a
  /// run.
  ///
  /// - Parameters:
  ///   - word: A path; a scenario file may be followed by `@` and the id of a run.
  ///   - allowsOutside: Whether a scenario may name files outside its folder.
  /// - Throws: ``Failure`` with the place of what cannot be read.
  init(_ word: String, allowsOutside: Bool = false) throws {
    if let name = Self.document(word) {
      var run = RecordedRun(tables: [])
      try Self.read(try Files.read(word), file: word, named: name, into: &run)
      runs = [("", run)]
      return
    }
    if let (file, run) = Self.scenario(word) {
      try Self.refuseDocument(file)
      let selection = try RunSelection(
        run, in: file, allowsOutside: allowsOutside, isNamedInWord: true)
      scenarioFiles = selection.files
      let (run, unusedAnswers) = try Self.carriedOut(selection)
      runs = [("", run)]
      warnings = selection.problems + unusedAnswers
      return
    }
    guard let isFolder = Files.isFolder(word) else {
      throw Failure(.badInput, "There is no file or folder \"\(word)\". Check the path.")
    }
    guard isFolder else {
      let name = word.hasSuffix(".csv") ? "table" : word
      let bytes = try Files.read(word)
      guard !bytes.starts(with: Array("SQLite".utf8)) else {
        throw Failure(
          .badInput,
          "\"\(word)\" is a health store, which is compared as a part of the folder that a run "
            + "has written. Name the two folders, or compare tables of loopsim store samples "
            + "--format csv.")
      }
      runs = [("", RecordedRun(tables: [.init(name, try CSVTable.whole(bytes, file: word))]))]
      return
    }
    let study = StudyFolder(path: word)
    guard !study.isPlanned else {
      throw Failure(
        .badInput,
        "\"\(word)\" is the folder of a study, and no result of runs. Compare its tables one by "
          + "one, such as \(study.result("patients.csv")).")
    }
    runs = try Self.folders(below: word).map { folder in
      (folder, try Self.recorded(folder.isEmpty ? word : "\(word)/\(folder)"))
    }
    guard !runs.isEmpty else {
      throw Failure(
        .badInput,
        "\"\(word)\" holds no results of a run: there is no table or summary of one below it.")
    }
  }

  /// Lets a single run be compared with the only one of a folder, whatever its name.
  ///
  /// - Throws: ``Failure`` where one side is a single run and the other has several.
  static func match(
    _ left: inout Self, _ leftWord: String, _ right: inout Self, _ rightWord: String
  ) throws {
    guard left.isSingle != right.isSingle else { return }
    let several = left.isSingle ? right : left
    let (word, other) = left.isSingle ? (rightWord, leftWord) : (leftWord, rightWord)
    guard several.runs.count == 1 else {
      throw Failure(
        .badInput,
        "\"\(word)\" holds \(WordList.counted(several.runs.count, "run")), and \"\(other)\" is "
          + "one. Name one of them, such as \(word)/\(several.runs[0].name).")
    }
    left.runs[0].name = ""
    right.runs[0].name = ""
  }

  /// Whether it is one run that was itself named, and no folder of runs.
  private var isSingle: Bool { runs.count == 1 && runs[0].name.isEmpty }

  /// The name of what a run has left, when the word means such a file that is no table; a scenario
  /// of that name states its format as a text.
  private static func document(_ word: String) -> String? {
    let name = word.split(separator: "/").last.map(String.init) ?? word
    guard documents.contains(name) || name == settings else { return nil }
    guard Files.isFolder(word) == false, let bytes = try? Files.read(word) else { return nil }
    let isScenario = JSONReader.read(bytes, file: word).root?["format"]?.string != nil
    return isScenario ? nil : name
  }

  /// A scenario file and the id of one of its runs, when the word means such.
  private static func scenario(_ word: String) -> (file: String, run: String?)? {
    for ending in [".json5", ".json"] {
      if word.hasSuffix(ending) { return (word, nil) }
      if let range = word.firstRange(of: "\(ending)@") {
        return (word[..<range.lowerBound] + ending, String(word[range.upperBound...]))
      }
    }
    return nil
  }

  /// Refuses what a command has written of several runs, such as `batch.json`: its format is a
  /// number, and it has no patient.
  private static func refuseDocument(_ file: String) throws {
    guard Files.isFolder(file) == false, let bytes = try? Files.read(file),
      let root = JSONReader.read(bytes, file: file).root,
      let format = root["format"], format.integer != nil, root["patient"] == nil
    else { return }
    let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let folder = parts.isEmpty ? "." : parts.joined(separator: "/")
    let tables = NewFolder.names(in: folder).filter { $0.hasSuffix(".csv") }
    let beside = tables.isEmpty ? "" : ", such as \(WordList.text(tables, atMost: 4)) beside it"
    throw Failure(
      .badInput,
      "\(format.position): error: A number as \"format\" is of a file that loopsim has written, "
        + "and of no scenario. Of such files summary.json, ledger.json and settings.json of a run "
        + "are compared under these names, and of several runs folders and tables\(beside).")
  }

  private static func carriedOut(
    _ selection: RunSelection
  ) throws -> (RecordedRun, unusedAnswers: [TextProblem]) {
    let finished = ScenarioBatch.carryOut(selection.planned.asking(.ofRecords()), seed: nil)
    guard let result = finished.result else {
      throw Failure(.badInput, finished.allThatStoppedIt)
    }
    var run = RecordedRun(tables: [])
    let files = RunFolder.files(of: finished)
    run.tables = inOrder(
      try files.filter { $0.name.hasSuffix(".csv") }.map {
        .init($0.name, try CSVTable.whole(Array($0.text.utf8), file: $0.name))
      })
    for file in files where !file.name.hasSuffix(".csv") {
      try read(Array(file.text.utf8), file: file.name, named: file.name, into: &run)
    }
    if finished.output.files.contains(.healthStore) { try read(result.store, into: &run) }
    return (run, finished.unusedAnswers)
  }

  /// The folders with tables or a summary, relative to the one given; that one itself is the empty
  /// text.
  private static func folders(below folder: String) throws -> [String] {
    let holders = try Files.paths(below: folder, named: folder).compactMap { path -> String? in
      let parts = path.split(separator: "/")
      guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") }),
        name.hasSuffix(".csv") || name == RunFolder.summaryName
      else { return nil }
      // What tells of a whole batch is no run.
      if BatchFiles.isTable(name) { return nil }
      return parts.dropLast().joined(separator: "/")
    }
    return Set(holders).sorted()
  }

  private static let settings = OutputSelection.File.settings.fileName
  private static let store = OutputSelection.File.healthStore.fileName

  /// The files that a run leaves beside its tables and its page, and that are no tables themselves.
  private static let documents = Set(ProgramRole.allCases.map(Transcript.fileName))
    .union([RunFolder.summaryName, OutputSelection.File.ledger.fileName])

  private static func recorded(_ folder: String) throws -> RecordedRun {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    var run = RecordedRun(tables: [])
    let tables = try names.filter { $0.hasSuffix(".csv") && !BatchFiles.isTable($0) }.map { name in
      let path = "\(folder)/\(name)"
      return RecordedRun.Table(name, try CSVTable.whole(try Files.read(path), file: path))
    }
    run.tables = inOrder(tables)
    for name in names where documents.contains(name) || name == settings {
      let path = "\(folder)/\(name)"
      try read(try Files.read(path), file: path, named: name, into: &run)
    }
    if names.contains(store) { try read(try StoreFile.reading("\(folder)/\(store)"), into: &run) }
    return run
  }

  /// The timeline first, the others by name.
  private static func inOrder(_ tables: [RecordedRun.Table]) -> [RecordedRun.Table] {
    let timeline = OutputSelection.File.timeline.fileName
    return tables.filter { $0.name == timeline } + tables.filter { $0.name != timeline }
  }

  /// Takes what a summary, a ledger, settings or the record of a program say.
  private static func read(
    _ bytes: [UInt8], file: String, named name: String, into run: inout RecordedRun
  ) throws {
    guard name.hasSuffix(".json") else {
      run.read(transcript: try lines(bytes, file: file), named: name)
      return
    }
    if name != settings { run.documents.append(name) }
    let reading = JSONReader.read(bytes, file: file)
    guard let root = reading.root else {
      throw Failure(.badInput, reading.problems.map(\.description).joined(separator: "\n"))
    }
    switch name {
    case settings: run.read(settings: JSONValue(root), named: name)
    case RunFolder.summaryName: run.read(summary: JSONValue(root))
    default: run.read(ledger: JSONValue(root))
    }
  }

  /// The lines of a record of questions and answers.
  private static func lines(_ bytes: [UInt8], file: String) throws -> [JSONValue] {
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    return try lines.enumerated().filter { !$0.element.isEmpty }.map { number, line in
      let reading = JSONReader.read(Array(line), file: file)
      guard let root = reading.root else {
        let problems = reading.problems.map { problem in
          var problem = problem
          problem.position.line = number + 1
          return problem.description
        }
        throw Failure(.badInput, problems.joined(separator: "\n"))
      }
      return JSONValue(root)
    }
  }

  /// Takes the samples of a health store, what was deleted, and who may do what.
  private static func read<Backend>(
    _ records: HealthRecordStore<Backend>, into run: inout RecordedRun
  ) throws {
    run.documents.append(store)
    let types = ObjectType.allCases.filter(\.isSampleType)
    for type in types {
      run.read(samples: try records.allSamples(of: [type], besides: types), of: type, named: store)
    }
    let deletions = try types.flatMap { try records.backend.tombstones(of: $0, after: 0) }
    run.read(deletions: deletions, in: records.registry, named: store)
    run.read(permissionsOf: records.registry, named: store)
  }
}
