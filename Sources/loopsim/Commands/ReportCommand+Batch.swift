import Arguments
import FoundationEssentials
import Pages
import Reports
import RunPlans
import StructuredText
import Studies

/// The runs of a batch that a page is about.
struct BatchSource {
  /// The files of the scenarios, and the runs of them with the digests that they must have.
  var files: [String] = []
  var digests: [String: String] = [:]
  /// The seeds with which the runs were lived through.
  var seeds: [String: UInt64] = [:]
  /// Where the page goes unless a place is named.
  var page: String
  /// The runs that came to no result.
  var missing: [RunWithoutResult] = []
  /// The tables of parts that are not there.
  var absent: [String] = []
  /// The tables of another batch, of which the page tells nothing.
  var others: [String] = []

  /// Reads what the folder of a batch says of its runs; `nil` where the word means no such folder.
  init?(_ folder: String) throws {
    let (tables, others) = BatchFiles.tables(in: folder)
    page = "\(folder)/\(RunFolder.page)"
    let summary = "\(folder)/\(RunFolder.summaryName)"
    guard !FileManager.default.fileExists(atPath: summary), !tables.isEmpty else { return nil }
    for name in tables {
      let count = try read("\(folder)/\(name)")
      missing += try BatchFiles.withoutResult(beside: name, in: folder, of: count)
    }
    absent = BatchFiles.absent(among: tables)
    self.others = others
    // The parts have the runs of every file in turn; the order is that of a folder read as a whole.
    if tables.count > 1 { files.sort() }
  }

  /// Takes the runs of a table, and returns how many there are.
  private mutating func read(_ path: String) throws -> Int {
    let table = try CSVTable.whole(try Files.read(path), file: path)
    guard let id = table.index(of: "id"), let file = table.index(of: "file"),
      let digest = table.index(of: "digest")
    else {
      throw Failure(.badInput, "\(path) is not the table of a batch: it needs id, file and digest.")
    }
    let seed = table.index(of: "seed")
    for row in table.rows {
      let run = row[id].text
      if let other = digests[run], other != row[digest].text {
        throw Failure(
          .badInput,
          "\(row[id].position): error: \(run) has the result \(row[digest].text) here, and "
            + "\(other) in the table of another part: they are parts of different batches. Remove "
            + "the tables of the older one.")
      }
      digests[run] = row[digest].text
      if let seed { seeds[row[id].text] = UInt64(row[seed].text) }
      if !files.contains(row[file].text) { files.append(row[file].text) }
    }
    return table.rows.count
  }
}

extension ReportCommand {
  /// Writes the page of a batch, whose runs are carried out again; false where the source is none.
  func writeBatch(to console: any Console) async throws -> Bool {
    guard let source = try BatchSource(source) else { return false }
    guard only == nil, day == nil else {
      throw Failure(
        .usage, "--run and --day are for a run; name the folder of one below \(self.source).")
    }
    guard !source.digests.isEmpty || !source.missing.isEmpty else {
      throw Failure(
        .badInput,
        "\(self.source) has no run: there are only tables without rows. Carry out the other parts "
          + "of the batch.")
    }
    let files = try source.files.map { try ReportSource.scenario($0, near: self.source) }
    let batch = await ScenarioBatch.reading(files, allowsOutside: allowsOutside)
    try Files.keep(batch.inputs, apartFrom: [output])
    var runs = batch.runs.filter { source.digests[$0.run.id] != nil }
    if seed == nil {
      for index in runs.indices { runs[index].run.statedSeed = source.seeds[runs[index].run.id] }
    }
    guard !batch.hasErrors, runs.count == source.digests.count else {
      let errors = batch.problems.filter { $0.severity == .error }.map(\.description)
      throw Failure(
        .badInput,
        errors.isEmpty
          ? "\(self.source) has \(WordList.counted(source.digests.count, "run")), of which the "
            + "scenarios have \(runs.count). Run them again, with --report for the page."
          : errors.joined(separator: "\n"))
    }
    var made = BatchFiles(shard: nil)
    made.options = options(for: runs.map(\.run), of: batch.runs.count).map {
      $0 + (allowsOutside ? ["--allow-outside"] : [])
    }
    for run in source.missing { made.add(run) }
    let desk = ProgramDesk(records: [self.source, KeptResult.folder])
    var unusedAnswers: [TextProblem] = []
    _ = try await ScenarioBatch.carryOut(
      runs.map { $0.asking(desk) }, jobs: ProcessInfo.processInfo.activeProcessorCount, seed: seed
    ) { finished in
      let kept = source.digests[finished.id] ?? ""
      guard let digest = finished.summary?.digest else {
        throw Failure(.badInput, finished.allThatStoppedIt)
      }
      guard digest == kept else {
        throw Failure(
          .badInput,
          """
          \(finished.id) has the result \(kept), and \(finished.file) now gives \(digest). Run \
          the batch again, with --report for its page.
          """)
      }
      made.add(finished)
      unusedAnswers += finished.unusedAnswers
      return true
    }
    console.note(unusedAnswers)
    if !source.others.isEmpty {
      let verb = WordList.verb("is", of: source.others.count)
      console.note(
        "Warning: \(WordList.text(source.others, atMost: 8)) \(verb) of another batch, in parts, "
          + "and the page is that of runs.csv. Remove the tables of the older one.")
    }
    var page = made.page
    page.absentTables = source.absent
    if !source.absent.isEmpty {
      let verb = WordList.verb("is", of: source.absent.count)
      console.note(
        "Warning: \(WordList.text(source.absent, atMost: 8)) \(verb) not there: runs of these "
          + "parts are in no figure of the page.")
    }
    if let figures { try ChartFolder.write(page.figures, to: figures, console) }
    try write(page.html(linksToRuns: false), to: output ?? source.page, console)
    return true
  }

  /// The words that give the runs of a batch again; `nil` where they are a part of those that the
  /// files have, or no one seed gives them.
  private func options(for runs: [ExpandedRun], of count: Int) -> [String]? {
    guard runs.count == count else { return nil }
    func areDrawn(from seed: (ExpandedRun) -> UInt64) -> Bool {
      runs.allSatisfy { run in
        let drawn = RunSeed.value(
          seed: seed(run), replicate: run.replicate, patient: run.chanceOf)
        return run.statedSeed == nil || run.statedSeed == drawn
      }
    }
    if let seed { return ["--seed", "\(seed)"] }
    if areDrawn(from: \.seed) { return [] }
    let stated = runs.first { !$0.drawsSeed }?.statedSeed
    guard let stated, areDrawn(from: { _ in stated }) else { return nil }
    return ["--seed", "\(stated)"]
  }

  /// Writes the page of a study from its cases; false where the source is no study's folder.
  func writeStudy(to console: any Console) throws -> Bool {
    let place = StudyFolder(path: source)
    guard FileManager.default.fileExists(atPath: place.planPath) else { return false }
    guard only == nil, seed == nil, day == nil else {
      throw Failure(.usage, "--run, --seed and --day are for a run; \(source) is a study.")
    }
    try OutsideHelp.refuse(allowsOutside, beside: source, "a study")
    let results = StudyResults(folder: place, planned: try place.load())
    try results.confirmCases()
    let (analysis, digest) = try results.publish()
    let page = try place.page(analysis, digest)
    if let figures { try ChartFolder.write(page.figures, to: figures, console) }
    try write(page.html, to: output ?? "\(source)/\(RunFolder.page)", console)
    return true
  }

  /// Writes a page to a file, or to standard output for `-`.
  func write(_ page: String, to path: String, _ console: any Console) throws {
    if path == "-" { return console.write(page, to: .output) }
    if output == nil { try Files.keep(whereNobodyNamed: path) }
    try Files.write(page, to: path)
    console.print("page in \(path)")
  }
}
