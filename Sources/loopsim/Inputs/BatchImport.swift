import Arguments
import FileSystem
import Formats
import FoundationEssentials
import Interchange
import StructuredText

/// The work that all imports of scenarios share: finding files, writing results, counting reasons.
struct BatchImport {
  /// A file to import, and its name below the folder that was given.
  struct Source: Sendable {
    var path: String
    var name: String
  }

  let paths: [String]
  let endings: [String]
  let output: String?
  let printsAll: Bool
  let report: String?

  /// The most files that one import takes.
  static let maximumFiles = 1_000_000

  /// The options that all imports have.
  static func describe<Root>(
    _ it: inout Parameters<Root>, output: WritableKeyPath<Root, String?>,
    printsAll: WritableKeyPath<Root, Bool>, report: WritableKeyPath<Root, String?>
  ) {
    it.output(
      "out", short: "o", output, valueName: "path",
      help:
        "The scenario file to write; for several files the folder, where nothing is overwritten. "
        + "Standard output for -, and unless given.")
    it.flag("all", printsAll, help: "Print warnings and notes of several files, not errors alone.")
    it.destination(
      "report", report, valueName: "file",
      help: "Write what came of each file as JSON: counts, reasons, amounts of insulin and carbs.")
  }

  /// The option that imports from Tidepool have.
  static func describe<Root>(
    _ it: inout Parameters<Root>, isLiteral: WritableKeyPath<Root, Bool>
  ) {
    it.flag(
      "literal", inverse: "as-intended", isLiteral,
      help: "Import what the other program does, or what the author wrote.")
  }

  /// The files named and those in the folders named, folders in the order of names.
  func files() throws -> [Source] {
    var sources: [Source] = []
    for path in paths {
      guard let isFolder = Files.isFolder(path) else {
        throw Failure(.badInput, "There is no file or folder \"\(path)\". Check its name.")
      }
      guard isFolder else {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        sources.append(Source(path: path, name: name))
        continue
      }
      let names = try Self.names(in: path).filter { name in
        endings.contains { name.lowercased().hasSuffix($0) }
          && !name.split(separator: "/").dropLast().contains("reusable")
      }
      sources += names.map { Source(path: "\(path)/\($0)", name: $0) }
    }
    try FileNames.check(sources.map(\.path))
    guard sources.count <= Self.maximumFiles else {
      throw Failure(
        .badInput, "\(sources.count) files are too many; import at most \(Self.maximumFiles).")
    }
    guard !sources.isEmpty else {
      throw Failure(
        .badInput,
        "There is no \(endings.joined(separator: " or ")) file in \(paths.joined(separator: ", "))."
      )
    }
    return sources
  }

  /// What turns the bytes of a file into a scenario.
  typealias Importing = (_ bytes: [UInt8], _ file: String) -> ImportOutcome

  /// Imports the files, writes the scenarios, and prints what there is to say, in the files' order.
  ///
  /// The files of a batch are read and imported on all processors, and so are their scenarios
  /// written; ids are given, and problems told, between the two.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - console: Where problems are told.
  ///   - makeImporting: Makes what imports; each task has one of its own.
  /// - Throws: ``FileProblem`` when a scenario cannot be written; the exit code for bad input when
  ///   a file could not be imported.
  func run(
    _ files: [Source], to console: any Console,
    _ makeImporting: @escaping @Sendable () -> Importing
  ) async throws {
    try Files.keep(files.map(\.path), apartFrom: [output, report])
    try keepScenarios(of: files)
    try Files.keepApart(
      [report] + files.map { place(of: $0, among: files) },
      called: "The report and what is imported")
    var tally = ImportTally()
    var progress = ProgressLine(on: console)
    var names = ImportedNames()
    let isOnly = files.count == 1
    var reports: [JSONValue] = []
    for start in stride(from: 0, to: files.count, by: Self.batch) {
      let batch = files[start..<min(start + Self.batch, files.count)]
      progress.update(batch.first?.name ?? "", done: Double(start) / Double(files.count))
      var outcomes: [(source: Source, outcome: ImportOutcome)] = []
      for (source, outcome) in zip(batch, await Self.outcomes(of: batch, makeImporting)) {
        let named = names.unique(outcome, of: source)
        tally.add(named)
        if report != nil { reports.append(named.json(file: source.path)) }
        if !named.problems.isEmpty { progress.finish() }
        report(named, isOnly: isOnly, to: console)
        outcomes.append((source, named))
      }
      try await write(outcomes, isOnly: isOnly, to: console)
    }
    progress.finish()
    if let report {
      try Files.write(JSONWriter().text(["files": .array(reports)]), to: report)
    }
    if files.count > 1 { count(tally, on: console) }
    for line in tally.account.lines { console.note(line) }
    if tally.imported < tally.files { throw CommandLineError.exit(.badInput) }
  }

  /// Refuses a folder in which a scenario would be lost: one that stands there, perhaps edited
  /// since it was imported, or one of two files that get one name.
  private func keepScenarios(of files: [Source]) throws(Failure) {
    guard let output, files.count > 1 || output.hasSuffix("/") else { return }
    var sources: [String: String] = [:]
    var present: [String] = []
    for source in files {
      let path = Self.scenario(of: source, in: output).path
      if let other = sources.updateValue(source.path, forKey: path) {
        throw Failure(
          .usage,
          "\(other) and \(source.path) would both be written to \(path). Import them into folders "
            + "of their own.")
      }
      if FileManager.default.fileExists(atPath: path) { present.append(path) }
    }
    guard let first = present.first else { return }
    throw Failure(
      .usage,
      "\(first)\(present.count > 1 ? " and \(present.count - 1) more" : "") would be lost. Name "
        + "another folder, or remove what is to be imported anew.")
  }

  /// Where the scenario of one of the files is written; nothing for standard output.
  func place(of source: Source, among files: [Source]) -> String? {
    guard let output, files.count > 1 || output.hasSuffix("/") else { return output }
    return Self.scenario(of: source, in: output).path
  }

  /// Where the scenario of one of several files is written.
  private static func scenario(of source: Source, in folder: String) -> URL {
    let name = source.name
    let start = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    // What is named itself may have no ending, and a name that begins with a point has none there.
    let end = name.lastIndex(of: ".").flatMap { $0 > start ? $0 : nil } ?? name.endIndex
    let stem = name[..<end]
    return URL(fileURLWithPath: folder).appendingPathComponent("\(stem).json5")
  }

  /// How many files are imported before their scenarios are written: memory stays bounded.
  private static let batch = 1_024
  private static let tasks = ProcessInfo.processInfo.activeProcessorCount

  /// What came of each file; of one that cannot be read, why.
  private static func outcomes(
    of files: ArraySlice<Source>, _ makeImporting: @escaping @Sendable () -> Importing
  ) async -> [ImportOutcome] {
    await withTaskGroup(of: [(Int, ImportOutcome)].self) { group in
      for task in 0..<min(tasks, files.count) {
        group.addTask {
          let importing = makeImporting()
          return stride(from: files.startIndex + task, to: files.endIndex, by: tasks).map { place in
            let path = files[place].path
            return (place, outcome(of: path, importing))
          }
        }
      }
      var outcomes = [ImportOutcome?](repeating: nil, count: files.count)
      for await part in group {
        for (place, outcome) in part { outcomes[place - files.startIndex] = outcome }
      }
      return outcomes.compactMap(\.self)
    }
  }

  private static func outcome(of path: String, _ importing: Importing) -> ImportOutcome {
    do throws(FileProblem) {
      return importing(try Files.read(path), path)
    } catch {
      let problem = TextProblem(
        at: TextPosition(file: path, line: 1, column: 1),
        "The file cannot be read: \(error.reason).")
      return ImportOutcome(
        scenario: nil, id: ImportOutcome.id(ofFile: path), runs: 0, problems: [problem])
    }
  }

  private func report(_ outcome: ImportOutcome, isOnly: Bool, to console: any Console) {
    for problem in outcome.problems where isOnly || printsAll || problem.severity == .error {
      console.note(problem.description)
    }
  }

  /// Writes the scenarios of a batch, or prints the only one.
  private func write(
    _ outcomes: [(source: Source, outcome: ImportOutcome)], isOnly: Bool, to console: any Console
  ) async throws {
    guard let output else {
      if isOnly, let only = outcomes.first, let text = Self.text(only.outcome, of: only.source) {
        console.write(text, to: .output)
      }
      return
    }
    if isOnly, !output.hasSuffix("/") {
      if let only = outcomes.first, let text = Self.text(only.outcome, of: only.source) {
        try Files.write(text, to: output)
      }
      return
    }
    let work = outcomes.compactMap { source, outcome -> (Source, ImportOutcome, URL)? in
      guard outcome.scenario != nil else { return nil }
      return (source, outcome, Self.scenario(of: source, in: output))
    }
    for folder in Set(work.map { $0.2.deletingLastPathComponent().path }).sorted() {
      do throws(FileFault) {
        try NewFolder.makeAll(folder)
      } catch {
        throw Files.problem(.write, error.path, error.number)
      }
    }
    try await withThrowingTaskGroup { group in
      for task in 0..<min(Self.tasks, work.count) {
        group.addTask {
          for place in stride(from: task, to: work.count, by: Self.tasks) {
            let (source, outcome, url) = work[place]
            guard let text = Self.text(outcome, of: source) else { continue }
            try Files.write(text, to: url.path)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func text(_ outcome: ImportOutcome, of source: Source) -> String? {
    outcome.text(header: ["Imported from \(source.name)."])
  }

  /// Prints how many files and runs came over, and why others did not.
  private func count(_ tally: ImportTally, on console: any Console) {
    console.note(
      "\(tally.imported) of \(WordList.counted(tally.files, "file")) imported, with "
        + "\(WordList.counted(tally.runs, "run")); \(WordList.counted(tally.lostRuns, "run")) lost."
    )
    for row in tally.reasons {
      let code = row.reason.rawValue.padded(to: 17)
      console.note(
        "  \(code)\(WordList.counted(row.places, "place")) in "
          + "\(WordList.counted(row.files, "file")): \(row.reason.meaning)")
    }
  }

  /// The files below a folder, relative to it, in the order of their names.
  ///
  /// - Throws: ``FileProblem`` where a folder cannot be read, whose files would be left out.
  static func names(in folder: String) throws(FileProblem) -> [String] {
    try Files.paths(below: folder, named: folder, atMost: maximumFiles + 1).sorted()
  }
}

/// The ids that imported scenarios have had, so that no two have the same.
private struct ImportedNames {
  private var ids: Set<String> = []
  private var numbers: [String: Int] = [:]

  /// The outcome under an id that no file before it has: the file's own name where ids collide.
  mutating func unique(_ outcome: ImportOutcome, of source: BatchImport.Source) -> ImportOutcome {
    guard outcome.scenario != nil, !ids.insert(outcome.id).inserted else { return outcome }
    let stem = ImportOutcome.id(ofFile: source.name)
    guard !ids.insert(stem).inserted else { return outcome.renamed(stem) }
    let short = String(stem.prefix(56))
    var number = numbers[short] ?? 2
    while !ids.insert("\(short)-\(number)").inserted { number += 1 }
    numbers[short] = number + 1
    return outcome.renamed("\(short)-\(number)")
  }
}
