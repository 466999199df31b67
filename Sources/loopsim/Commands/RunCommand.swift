import Arguments
import Bridge
import Expectations
import FileSystem
import FoundationEssentials
import Reports
import RunPlans
import Scenarios
import Simulation
import StructuredText

/// Carries out scenarios and writes their results.
struct RunCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue { case text, json }

  static let name = "run"
  static let abstract = "Run scenarios and write what happened."
  static let discussion = """
    FILES are scenario files, or folders whose scenario files are all run. Every run gets a folder \
    of \
    its own: summary.json, timeline.csv, basal-segments.csv, event-history.csv, \
    insulin-delivery.csv, \
    happenings.csv, doses.csv, pulses.csv, cycles.csv, predictions.csv, settings.json, ledger.json \
    and health.sqlite; with output.save: ['loopInputs'] in the \
    scenario also loop-inputs/, the algorithm's input of every cycle.

    With --check-step every body has a twin that gets the same insulin and food, and whose \
    equations are solved with half the step, or a hundredth of the tolerance. The largest \
    difference of plasma glucose is printed, and written to summary.json as "step_check". The run \
    itself is the same.

    With --controller 'python3 pid.py' a program decides in place of the app (no shell runs: \
    blanks divide, quotes group). A program that a scenario names, also as the body, is started \
    only with --allow-programs. What it answers is kept in decisions.ndjson or lived.ndjson, from \
    which the run is repeated without it. The messages are described in Scenarios/BRIDGE.md.

    The exit code is 0 when every expectation holds, 1 when one fails, 65 when a file is wrong, 69 \
    when a program failed.

    loopsim is not a medical device. Do not use it, or anything it prints, to decide about therapy.
    """

  var files: [String] = []
  var out = KeptResult.passing
  var seed: UInt64?
  var format = Format.text
  var isQuiet = false
  var tags: [String] = []
  var only: [String] = []
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var shard = ""
  var failsFast = false
  var junit = ""
  var tap = ""
  var annotates = false
  var isStrict = false
  var updatesGolden = false
  var checksStep = false
  var allowsOutside = false
  var hidesFormulas = false
  var writesPages = false
  var cleans = false
  var controller = ""
  var programOptions = ProgramOptions()

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "files", \.files, help: "Scenario files, folders, or - for standard input.")
    it.destination("out", short: "o", \.out, help: "The folder that gets a folder for each run.")
    it.option("seed", short: "s", \.seed, help: "A seed in place of the scenario's own.")
    it.option("format", \.format, help: "How to print the summaries.")
    it.flag("quiet", short: "q", \.isQuiet, help: "Print only what failed.")
    it.option("tag", \.tags, help: "Only scenarios with this tag; may be repeated.")
    it.option(
      "run", \.only, valueName: "id",
      help: "Only the run with this id, or the runs below it; may be repeated.")
    it.option("jobs", short: "j", \.jobs, help: "How many runs at a time.")
    it.option("shard", \.shard, help: "Only one part of the runs, such as 2/4; parts count from 1.")
    it.flag("fail-fast", \.failsFast, help: "Stop at the first failure.")
    it.destination("junit", \.junit, help: "Write JUnit XML to this file.")
    it.destination("tap", \.tap, help: "Write TAP to this file.")
    it.flag("github", \.annotates, help: "Print annotations for GitHub.")
    it.flag("report", \.writesPages, help: "Write a page of each run: report.html in its folder.")
    it.flag("clean", \.cleans, help: "Remove results of former batches from the folder.")
    it.flag("update-golden", \.updatesGolden, help: "Keep golden files anew.")
    it.flag("strict", \.isStrict, help: "Run nothing that has a warning.")
    it.flag(
      "check-step", \.checksStep,
      help: "Solve the body's equations with half the step too, and print what that changes.")
    it.flag(
      "csv-safe", \.hidesFormulas,
      help: "Put an apostrophe before cells of tables that a spreadsheet would execute.")
    it.option(
      "controller", \.controller, valueName: "command",
      help: "A program that decides in place of the app.")
    ProgramOptions.describe(&it, at: \.programOptions)
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func validate() throws {
    try Shard.check(shard)
    let part = !shard.isEmpty ? "--shard" : failsFast ? "--fail-fast" : only.isEmpty ? nil : "--run"
    if cleans, let part {
      throw Failure(.usage, "--clean is for a whole batch: leave out \(part).")
    }
    try Jobs.check(jobs)
    if !controller.isEmpty { _ = try CommandWords.words(of: controller) }
    if updatesGolden, BatchGoldenFiles.isAutomated {
      throw Failure(.usage, "Golden files are not updated while CI is set. Update them by hand.")
    }
  }

  /// The files and annotations in which it tells others what came of the batch.
  var reportFiles: ReportFiles {
    ReportFiles(junit: junit, tap: tap, annotates: annotates, isJSON: format == .json)
  }

  func run(to console: any Console) async throws {
    if let place = RunPages.place(among: writesPages ? files : []) {
      throw Failure(.usage, RunPages.sentence(on: place))
    }
    let scenarios = try ScenarioFolder.files(files) { console.note($0) }
    try reportFiles.check(for: scenarios)
    let batch = await ScenarioBatch.reading(
      scenarios, tags: tags, isStrict: isStrict, allowsOutside: allowsOutside)
    try batch.check(tags: tags)
    try reportFiles.prepare(
      for: batch, results: batch.runs.map { "\(out)/\($0.run.id)" },
      others: BatchFiles(shard: Shard(shard)).paths(in: out, withPage: writesPages))
    var filter = ProblemFilter()
    for line in filter.lines(batch.problems) { console.note(line) }
    let pool = programOptions.pool
    defer { pool?.end() }
    let desk = ProgramDesk(
      command: controller.isEmpty ? [] : try CommandWords.words(of: controller),
      allowsPrograms: programOptions.isAllowed || ProgramDesk.isAllowedByEnvironment, pool: pool)
    let chosen = try RunSelection.runs(only, of: batch)
    // A file of which no run can be told has failed before the first run.
    let hasFailed = failsFast && !batch.unreadable.isEmpty
    let wanted = chosen.shard(Shard(shard))
    let planned = batch.unreadable.count + wanted.count
    var runs = hasFailed ? [] : wanted.map { $0.asking(desk) }
    // What stops at the first failure leaves nothing of the runs that come after it.
    if !failsFast { runs = runs.map { $0.beginningFolder(below: out) } }
    var report = BatchReport(
      unreadable: batch.unreadable,
      keeps: format != .json ? .none : isQuiet ? .ofFailed : .all)
    guard !runs.isEmpty else {
      // A shard may be empty where there are fewer runs than shards.
      guard batch.hasErrors || !batch.runs.isEmpty else {
        throw Failure(.badInput, "No scenario matches. Check the tags.")
      }
      if hasFailed, let words = report.leaveOut(wanted.count) { console.note(words) }
      try write(report, of: planned, to: console)
      // Of what is refused as a whole nothing is written; a part without a run is one all the same.
      if hasFailed || batch.runs.isEmpty {
        tellOfFormer(BatchFiles(shard: Shard(shard)), to: console)
      } else {
        try BatchFiles.writeEmptyPart(Shard(shard), below: out)
      }
      guard !batch.hasErrors else { throw CommandLineError.exit(batch.inputCode) }
      return console.note("There is no run in shard \(shard).")
    }
    programOptions.noteWhereIdle(
      !controller.isEmpty || runs.contains(where: \.namesProgram), on: console)
    let growing = GrowingReport(
      report, of: runs.count, in: reportFiles, on: console,
      former: BatchFiles(shard: Shard(shard)).formerWords(in: out))
    let newFolders = Files.missingFolders(of: "\(out)/\(runs[0].run.id)")
    do {
      try await carryOut(runs, of: batch, &filter, growing, to: console)
    } catch {
      growing.breakOff(by: error)
      // A folder is begun while its run ends, and where all is refused then nothing is in these.
      for folder in newFolders { try? FileCalls.removeFolder(folder) }
      throw error
    }
    let whole = growing.finish()
    try write(whole, of: planned, to: console)
    if whole.hasBadInput || batch.hasErrors { throw CommandLineError.exit(batch.inputCode) }
    if whole.hasFailedProgram { throw CommandLineError.exit(.programFailed) }
    if whole.hasFailed { throw CommandLineError.exit(.expectationFailed) }
  }

  /// Carries out the runs of a batch and keeps their results.
  private func carryOut(
    _ runs: [PlannedRun], of batch: ScenarioBatch, _ filter: inout ProblemFilter,
    _ growing: GrowingReport, to console: any Console
  ) async throws {
    var batchFiles = BatchFiles(shard: Shard(shard))
    batchFiles.options = options
    try batchFiles.check(
      out, withPage: writesPages && runs.count + batch.unreadable.count > 1)
    var progress = ProgressLine(on: console)
    progress.update(WordList.counted(runs.count, "run"), done: 0)
    let only = runs.count == 1 ? RunProgress(on: console) : nil
    var count = 0
    let keeper = updatesGolden ? GoldenKeeper() : nil
    let trouble = ReadTrouble()
    let surroundings = BatchGoldenFiles.noting(trouble, keeper: keeper)
    let writesInOrder = failsFast
    let (out, hidesFormulas, writesPages) = (out, hidesFormulas, writesPages)
    @Sendable func written(_ run: FinishedRun) throws -> OutputFolder? {
      try RunFolder.written(
        run, into: "\(out)/\(run.id)", hidesFormulas: hidesFormulas, withPage: writesPages)
    }
    let keepAtOnce: @Sendable (FinishedRun) throws -> UnpublishedFolder? = { run in
      // Without its golden file a result would say that an expectation failed.
      if let problem = keeper?.problem ?? trouble.problem { throw problem }
      guard !writesInOrder, let folder = try written(run) else { return nil }
      return UnpublishedFolder(folder)
    }
    // The parts of a batch share a folder, in which the first tells of them.
    if (Shard(shard)?.index ?? 1) == 1 {
      for file in batch.unreadable {
        batchFiles.add(RunWithoutResult(id: file.run, reason: file.message))
      }
    }
    try await ScenarioBatch.carryOut(
      runs, jobs: jobs, seed: seed, checksStep: checksStep, forPages: writesPages,
      in: surroundings, watching: only, keep: keepAtOnce
    ) { finished in
      only?.finish()
      progress.hide()
      for line in filter.lines(finished.problems) { console.note(line) }
      if writesInOrder { try written(finished)?.finish() }
      if finished.result == nil, !finished.ranOutOfTime {
        growing.change { $0.note(finished.failure) }
      }
      if runs.count == 1, let failure = finished.failure { console.note("\(failure)") }
      if runs.count == 1, finished.ranOutOfTime {
        for verdict in finished.verdicts { console.note("\(finished.id): \(verdict.message)") }
      }
      print(finished, isOnly: runs.count == 1, to: console)
      growing.add(finished)
      count += 1
      progress.update(
        "\(count) of \(runs.count): \(finished.id)", done: Double(count) / Double(runs.count))
      batchFiles.add(finished)
      return !(failsFast && (finished.hasFailed || finished.result == nil))
    }
    progress.finish()
    for line in filter.rest { console.note(line) }
    for left in runs.dropFirst(count) {
      batchFiles.add(RunWithoutResult(id: left.run.id, reason: BatchReport.leftOut))
    }
    growing.change { report in
      if let words = report.leaveOut(runs.count - count) { console.note(words) }
    }
    if let keeper, keeper.isIdle {
      console.note("No golden file is kept: no expectation that was looked at names one.")
    }
    // What is refused as a whole replaces nothing, and so nothing gives way to it.
    if cleans, batchFiles.isBegun {
      let former = try FormerResults.remove(below: out, except: Set(runs.map(\.run.id)))
      if former > 0 {
        console.note("\(WordList.counted(former, "former result")) removed from \(out)")
      }
    }
    if format == .text, runs.count > 1, !isQuiet {
      for line in batchFiles.alikeLines { console.print(line) }
    }
    if let page = try batchFiles.write(below: out, withPage: writesPages) {
      console.note("page in \(page)")
    }
    if !batchFiles.isBegun { tellOfFormer(batchFiles, to: console) }
    try batchFiles.confirm(below: out)
  }

  /// Says that the tables in the folder are of an earlier batch, where this one writes none.
  private func tellOfFormer(_ files: BatchFiles, to console: any Console) {
    if let words = files.formerWords(in: out) { console.note(words) }
  }
}
