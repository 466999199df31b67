import Arguments
import Bridge
import Expectations
import FileSystem
import FoundationEssentials
import Pages
import Reports
import RunPlans
import Simulation
import StructuredText

/// Replays scenarios and compares them with the results that were kept.
struct VerifyCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue { case text, json }

  static let name = "verify"
  static let abstract = "Replay scenarios and compare them with their kept results."
  static let discussion = """
    Without files, every scenario below Scenarios/ is replayed. Each run must give the bytes that \
    Results/ holds in the same folders, and its expectations must hold; the first difference of \
    each file is printed. \
    A result that no scenario has any more is told, and removed by --update, where all scenarios \
    of its folder are replayed. \
    Where a program decides, its answers are taken from the record beside the results, and no \
    program is started; with --allow-programs it is asked again.
    """

  var files: [String] = []
  var results = KeptResult.folder
  var updates = false
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var isQuiet = false
  var format = Format.text
  var tags: [String] = []
  var shard = ""
  var junit = ""
  var tap = ""
  var annotates = false
  var page = ""
  var figures: String?
  var allowsOutside = false
  var programOptions = ProgramOptions()

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "files", \.files, isRequired: false, help: "Scenario files or folders; all when left out.")
    it.option("results", \.results, help: "Where the kept results are.")
    it.flag("update", \.updates, help: "Keep the new results in place of the old ones.")
    it.option("jobs", short: "j", \.jobs, help: "How many runs at a time.")
    it.flag("quiet", short: "q", \.isQuiet, help: "Print only what differs.")
    it.option("format", \.format, help: "How to print what came of each run.")
    it.option("tag", \.tags, help: "Only scenarios with this tag; may be repeated.")
    it.option("shard", \.shard, help: "Only one part of the runs, such as 2/4; parts count from 1.")
    it.destination("junit", \.junit, help: "Write JUnit XML to this file.")
    it.destination("tap", \.tap, help: "Write TAP to this file.")
    it.flag("github", \.annotates, help: "Print annotations for GitHub.")
    it.destination(
      "report", \.page, valueName: "file", help: "Write a page of what changed to this file.")
    it.destination("svg", \.figures, valueName: "folder", help: ChartFolder.help)
    ProgramOptions.describe(
      &it, at: \.programOptions,
      consent: "Start the programs that scenarios name; else their kept answers count.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func validate() throws {
    try Shard.check(shard)
    try Jobs.check(jobs)
    if programOptions.areFresh, !programOptions.isAllowed {
      throw Failure(
        .usage,
        "Without --allow-programs no program is started: add it, or leave out --fresh-programs.")
    }
  }

  func run(to console: any Console) async throws {
    if updates, BatchGoldenFiles.isAutomated {
      throw Failure(.usage, "Results are not updated while CI is set. Update them by hand.")
    }
    if Files.isFolder(results) == false {
      throw Failure(
        .badInput, "\(results) is a file, where the folder of the kept results is wanted.")
    }
    let reports = ReportFiles(
      junit: junit, tap: tap, annotates: annotates, isJSON: format == .json)
    let scenarios = try Self.scenarios(files) { console.note($0) }
    try reports.check(for: scenarios)
    try reports.keepApart(from: page)
    try Files.keep(scenarios, apartFrom: [page])
    try Files.keepFolder(results, apartFrom: page)
    let batch = await ScenarioBatch.reading(
      scenarios, tags: tags, allowsOutside: allowsOutside)
    try batch.check(tags: tags)
    try reports.keep(batch, apartFromToo: page)
    try reports.prepare(
      for: batch,
      results: batch.runs.map { KeptResult.folder(of: $0.run.id, file: $0.file, below: results) })
    if !page.isEmpty { try Files.prepare(page) }
    var filter = ProblemFilter()
    for problem in filter.fresh(batch.problems) where problem.severity == .error {
      console.note(problem.description)
    }
    // The usual folder is not there before results are first kept; another is likely misspelt.
    if !updates, results != KeptResult.folder, !FileManager.default.fileExists(atPath: results) {
      console.note("Warning: There is no folder \"\(results)\", where kept results are looked for.")
    }
    let pool = programOptions.pool
    defer { pool?.end() }
    let desk = ProgramDesk(
      allowsPrograms: programOptions.isAllowed, pool: pool, records: [results],
      options: lastingOptions)
    let runs = batch.shard(Shard(shard)).map { $0.asking(desk) }
    // A shard may be empty where there are fewer runs; a tag that nothing has is a mistake.
    guard !batch.runs.isEmpty || batch.hasErrors else {
      throw Failure(.badInput, "No scenario matches. Check the tags.")
    }
    programOptions.noteWhereIdle(runs.contains(where: \.namesProgram), on: console)
    let growing = GrowingReport(
      BatchReport(unreadable: batch.unreadable), of: runs.count, in: reports, on: console)
    let tally: Tally
    do {
      tally = try await replay(runs, of: batch, growing, &filter, to: console)
    } catch {
      growing.breakOff(by: error)
      throw error
    }
    try reports.write(growing.finish().suites, to: console)
    if batch.hasErrors || tally.hasBadInput { throw CommandLineError.exit(batch.inputCode) }
    if tally.hasFailedProgram { throw CommandLineError.exit(.programFailed) }
    if tally.differing > 0 || tally.failed > 0 || tally.gone > 0 {
      throw CommandLineError.exit(.expectationFailed)
    }
  }

  /// Replays the runs, and looks for results without a scenario.
  private func replay(
    _ runs: [PlannedRun], of batch: ScenarioBatch, _ growing: GrowingReport,
    _ filter: inout ProblemFilter, to console: any Console
  ) async throws -> Tally {
    var tally = Tally()
    var replay = ReplayReport(results: results, options: lastingOptions)
    var progress = ProgressLine(on: console)
    let keeper = updates ? GoldenKeeper() : nil
    let trouble = ReadTrouble()
    let surroundings = BatchGoldenFiles.noting(trouble, keeper: keeper)
    try await ScenarioBatch.carryOut(
      runs, jobs: jobs, seed: nil, forPages: false, in: surroundings
    ) { run in
      progress.hide()
      if let problem = keeper?.problem ?? trouble.problem { throw problem }
      for line in filter.lines(run.unusedAnswers) { console.note(line) }
      // What is replaced is told, for a change of results is to be looked at.
      let found = try compare(run)
      let isAnew = updates && run.result != nil && !found.isEmpty
      if updates { try update(run) }
      let differences = updates ? [] : found
      tally.add(run, differences, isAnew: isAnew)
      growing.add(run, differences: differences)
      let lines = lines(of: run, differences, isAnew: isAnew)
      if format == .text { for line in lines { console.print(line) } }
      if !page.isEmpty || figures != nil { replay.add(run, differences, lines: lines) }
      progress.update(run.id, done: Double(tally.count) / Double(runs.count))
      return true
    }
    progress.finish()
    for line in filter.rest { console.note(line) }
    for file in batch.unreadable {
      if format == .text { console.print("failed   \(file.run)  \(file.sentence)") }
      tally.add(unreadable: file)
    }
    for gone in try withoutScenario(batch) {
      if updates, gone.renamed == nil {
        try gone.remove(upTo: results)
        let line = "removed  \(gone.id)  No scenario had this result."
        if format == .text { console.print(line) } else { console.note(line) }
        continue
      }
      let line = "gone     \(gone.id)  \(gone.sentence)"
      if format == .text { console.print(line) }
      tally.add(gone)
      growing.change { $0.add(gone) }
      replay.add(gone, lines: [line])
    }
    if format == .json {
      console.printJSON(.array(tally.runs))
    } else {
      let gone =
        tally.gone == 0 ? "" : ", \(WordList.counted(tally.gone, "result")) without a scenario"
      let (differing, failed) = (tally.differing, tally.failed)
      console.print(
        "\(WordList.counted(tally.count, "run")): \(tally.same) the same, "
          + (tally.anew == 0 ? "" : "\(tally.anew) kept anew, ")
          + "\(differing) \(WordList.verb("differs", of: differing)), "
          + "\(failed) \(WordList.verb("fails", of: failed))\(gone); digest "
          + RunSummary.digest(of: tally.digests))
    }
    try write(replay.page, to: console)
    return tally
  }

  /// The scenarios that are named, or all below the folder that is replayed unless one is.
  private static func scenarios(
    _ files: [String], noting note: (String) -> Void
  ) throws -> [String] {
    let folder = "Scenarios"
    guard files.isEmpty else { return try ScenarioFolder.files(files, noting: note) }
    guard FileManager.default.fileExists(atPath: folder) else {
      throw Failure(
        .badInput,
        "There is no folder \"\(folder)\" here, whose scenarios are replayed where none is named. "
          + "Name files, or go to the folder that holds it.")
    }
    return try ScenarioFolder.files([folder], noting: note)
  }

  /// The results that no scenario has; none where only some of the scenarios are replayed.
  private func withoutScenario(_ batch: ScenarioBatch) throws -> [GoneResult] {
    // In a matrix one part tells of them.
    guard tags.isEmpty, !batch.hasErrors, Shard(shard)?.isFirst ?? true else { return [] }
    let kept = Set(
      batch.runs.map { KeptResult.folder(of: $0.run.id, file: $0.file, below: results) })
    // A folder may be named twice, or beside one above it.
    var told: Set<String> = []
    return try (files.isEmpty ? ["Scenarios"] : files).flatMap {
      try GoneResult.all(
        of: $0, below: results, except: kept, updatedBy: files, with: lastingOptions)
    }.filter { told.insert($0.folder).inserted }
  }

  /// The options that a command which goes on from this one must have as well.
  private var lastingOptions: [String] {
    (results == KeptResult.folder ? [] : ["--results", results])
      + (allowsOutside ? ["--allow-outside"] : [])
  }

  /// Writes the page and the charts that were asked for.
  private func write(_ drawn: ReplayPage, to console: any Console) throws {
    if !page.isEmpty {
      try Files.write(drawn.html, to: page)
      console.note("page in \(page)")
    }
    try ChartFolder.write(drawn.figures, to: figures, none: "No basal sample differs", console)
  }

  /// What is printed of a run; of one that is the same nothing, where only differences are wanted.
  private func lines(
    of run: FinishedRun, _ differences: [ReplayOutcome.Difference], isAnew: Bool
  ) -> [String] {
    var lines = differences.map { "differs  \(run.id)  \($0.sentence)" }
    for result in run.verdicts where result.outcome != .passed && !result.isWarning {
      // What looks at several runs comes with the last of them, and is of another, or of a group.
      lines.append("failed   \(result.run)  \(result.sentence)")
      if !result.replay.isEmpty { lines.append("         \(result.replay)") }
    }
    for violation in run.result?.violations ?? [] {
      lines.append("broken   \(run.id)  \(violation.name): \(violation.text)")
    }
    if isAnew {
      lines.append("kept     \(run.id)  \(run.summary?.digest ?? "")")
    } else if !isQuiet, differences.isEmpty, !run.hasFailed, run.result != nil {
      lines.append("same     \(run.id)  \(run.summary?.digest ?? "")")
    }
    return lines
  }

  /// The first difference of each file from the kept one, the first in time before others.
  ///
  /// - Throws: ``FileProblem`` where a file is there and cannot be read: nobody knows then whether
  ///   it differs.
  private func compare(_ run: FinishedRun) throws -> [ReplayOutcome.Difference] {
    let reference = RunFolder.reference(run)
    guard !reference.isEmpty else { return [] }
    let expected = Set(reference.map(\.name))
    let names = NewFolder.names(in: folder(of: run))
    // Folders below are those of other runs; a hidden name is nothing that was kept, and the page
    // is what 'loopsim report' writes of a result, unless another place is named.
    let surplus = names.filter { name in
      !name.hasPrefix(".") && name != RunFolder.page && !expected.contains(name)
        && InputFile.isRegular("\(folder(of: run))/\(name)")
    }
    let differences = try reference.flatMap { file -> [ReplayOutcome.Difference] in
      guard names.contains(file.name) else {
        return [.init(file: file.name, words: "is not there; keep it with: \(updateLine(run))")]
      }
      let bytes = try Files.read("\(folder(of: run))/\(file.name)")
      let kept = String(decoding: bytes, as: UTF8.self)
      return ReplayOutcome.differences(of: file.name, kept: kept, found: file.text)
    }
    return ReplayOutcome.ordered(differences)
      + surplus.map { .init(file: $0, words: "is there, and the run has no such file") }
  }

  private func folder(of run: FinishedRun) -> String {
    KeptResult.folder(of: run.id, file: run.file, below: results)
  }

  private func update(_ run: FinishedRun) throws {
    // A run that came to nothing leaves what was kept before, answers of a program among it.
    guard run.result != nil else { return }
    let output = try OutputFolder(at: folder(of: run))
    for file in RunFolder.reference(run) { try output.write(file.text, named: file.name) }
    try output.finish()
  }

  private func updateLine(_ run: FinishedRun) -> String {
    KeptResult.updateLine(run.file, with: lastingOptions)
  }
}

/// What verifying comes to.
private struct Tally {
  /// How many runs there are, each of which is one of the next four.
  var count = 0
  /// How many runs gave the bytes that were kept.
  var same = 0
  /// How many gave others, which are kept now, and what they are held to holds.
  var anew = 0
  /// How many gave others, and what they are held to holds.
  var differing = 0
  /// How many have no result, or do not come to what they are held to, whatever bytes they gave.
  var failed = 0
  /// How many results have no scenario.
  var gone = 0
  /// Whether a scenario was found wrong only where a run of it was built.
  var hasBadInput = false
  var hasFailedProgram = false
  var digests: [String] = []
  /// What came of each run, as JSON.
  var runs: [JSONValue] = []

  /// What came of one run, as JSON names it.
  private enum Outcome: String { case same, kept, differs, failed }

  mutating func add(
    _ run: FinishedRun, _ differences: [ReplayOutcome.Difference], isAnew: Bool
  ) {
    count += 1
    let hasFailed = run.hasFailed || run.result == nil
    let outcome: Outcome =
      hasFailed ? .failed : isAnew ? .kept : differences.isEmpty ? .same : .differs
    switch outcome {
    case .failed: failed += 1
    case .same: same += 1
    case .kept: anew += 1
    case .differs: differing += 1
    }
    if run.failure?.kind == .program { hasFailedProgram = true }
    if run.result == nil, run.failure == nil, !run.ranOutOfTime { hasBadInput = true }
    if let digest = run.summary?.digest { digests.append("\(run.id) \(digest)") }
    let failures = run.verdicts.filter { $0.outcome != .passed && !$0.isWarning }
    runs.append([
      "id": .string(run.id), "file": .string(run.file),
      "outcome": .string(outcome.rawValue),
      "digest": run.summary.map { .string($0.digest) } ?? .null,
      "differences": .array(differences.map { .string($0.sentence) }),
      "troubles": run.summary?.troublesJSON ?? [],
      "failures": .array(failures.map { $0.json(named: true) }),
      "joint": .array(run.joint.map { $0.json(named: true) }),
    ])
  }

  /// Adds a file of which no run could be told, as one that failed.
  mutating func add(unreadable file: ExpectationResult) {
    count += 1
    failed += 1
    runs.append([
      "id": .string(file.run), "file": .string(file.file),
      "outcome": .string(Outcome.failed.rawValue), "digest": .null, "differences": [],
      "troubles": [], "failures": [file.json(named: true)], "joint": [],
    ])
  }

  mutating func add(_ result: GoneResult) {
    gone += 1
    runs.append([
      "id": .string(result.id), "file": .string(result.file), "outcome": "gone", "digest": .null,
      "differences": [.string(result.sentence)], "troubles": [], "failures": [], "joint": [],
    ])
  }
}
