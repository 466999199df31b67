import Arguments
import FoundationEssentials
import Glibc
import StructuredText
import Studies
import Synchronization

/// Carries out shards of a planned study.
struct StudyRunCommand: Command {
  static let name = "run"
  static let abstract = "Carry out one shard of a study, or all that are missing."
  static let discussion = """
    With --shard I/N one shard is carried out, counted from 0; N must be that of the plan, so that \
    a wrong one is noticed. With --task T --from FILE it is the shard on line T of a file, counted \
    from 0, for schedulers whose index cannot leave any out. Otherwise all missing shards are.

    A shard that is complete is left as it is. On SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2 or \
    SIGXCPU the command ends with 75 and leaves nothing behind.
    """

  var folder = ""
  var shard: String?
  var task: Int?
  var from: String?
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var programOptions = ProgramOptions()
  var programs = ""

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("dir", \.folder, help: "The folder of the study.")
    it.option(
      "shard", \.shard, valueName: "I/N",
      help: "The shard, counted from 0 as by schedulers; the parts of loopsim run count from 1.")
    it.option("task", \.task, help: "The line of --from with the shard, counted from 0.")
    it.option("from", \.from, valueName: "file", help: "A list of shards, one a line.")
    it.option("jobs", short: "j", \.jobs, help: "How many runs at a time.")
    ProgramOptions.describeFolder(&it, at: \.programs)
    ProgramOptions.describe(&it, at: \.programOptions)
  }

  func validate() throws {
    try Jobs.check(jobs)
    guard (task == nil) == (from == nil), shard == nil || task == nil else {
      throw Failure(.usage, "Give either --shard, or --task together with --from.")
    }
  }

  func run(to console: any Console) async throws {
    StudyWork.stop.await()
    let place = StudyFolder(path: folder)
    let planned = try place.load()
    try StudyPrograms.check(programs, for: planned.study.plan)
    programOptions.noteWhereIdle(!planned.study.plan.programs.isEmpty, on: console)
    let pool = programOptions.pool
    defer { pool?.end() }
    let work = StudyWork(
      folder: place, planned: planned, jobs: jobs,
      programs: try StudyPrograms(from: programs, isAllowed: programOptions.isAllowed, pool: pool)
        .following(planned.study.plan, in: folder))
    guard let chosen = try chosenShard(planned) else {
      let failed = try await Self.runMissing(work, to: console)
      Self.noteFailures(failed, of: planned.study.plan.runs, in: place, to: console)
      return
    }
    let manifest = try await work.run(shard: chosen) { _ in }
    console.print("shard \(chosen) of \(planned.shards) is complete")
    Self.noteFailures(manifest.failed, of: manifest.cases, in: place, to: console)
  }

  /// Warns of runs that failed: a shard is complete with them, and what they leave is a reason.
  private static func noteFailures(
    _ failed: Int, of runs: Int, in folder: StudyFolder, to console: any Console
  ) {
    guard failed > 0 else { return }
    console.note(
      "Warning: \(failed) of \(WordList.counted(runs, "run")) failed; see the column "
        + "\"reason\" of the tables in "
        + "\(folder.path)/shards.")
  }

  /// Carries out every shard that is missing, with progress and an estimate.
  ///
  /// - Returns: How many runs of the whole study failed.
  @discardableResult
  static func runMissing(_ work: StudyWork, to console: any Console) async throws -> Int {
    let states = try work.folder.incomplete(in: work.planned, hashing: true)
    let missing = states.missing
    var failed = states.complete.reduce(0) { $0 + $1.failed }
    let plan = work.planned.study.plan
    let units = missing.reduce(0) {
      $0 + plan.units(ofShard: $1, of: work.planned.shards).count
    }
    let progress = StudyProgress(
      units: units, runsPerUnit: plan.runsPerUnit, on: console)
    defer { progress.finish() }
    for shard in missing {
      failed += try await work.run(shard: shard) { progress.finished($0) }.failed
    }
    return failed
  }

  private func chosenShard(_ planned: StudyFolder.Planned) throws -> Int? {
    if let task, let from {
      let lines = String(decoding: try Files.read(from), as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      guard lines.indices.contains(task), let numbers = ShardList.numbers(String(lines[task])),
        numbers.count == 1, numbers[0] < planned.shards
      else {
        throw Failure(.badInput, "\(from): line \(task) names no shard of this study.")
      }
      return numbers[0]
    }
    guard let shard else { return nil }
    let parts = shard.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard let index = parts.first ?? nil, !parts.contains(nil), parts.count <= 2, index >= 0 else {
      throw Failure(.usage, "A shard is written as 3/8 or 3, counted from 0.")
    }
    if parts.count == 2, parts[1] != planned.shards {
      throw Failure(
        .badInput,
        "The study has \(WordList.counted(planned.shards, "shard")); "
          + "\(shard) is a part of another number."
      )
    }
    guard index < planned.shards else {
      throw Failure(
        .badInput,
        "The study has the shards 0 to \(planned.shards - 1): they count from 0, as schedulers do, "
          + "and the parts of loopsim run from 1.")
    }
    return index
  }
}

/// How far the runs of a study have come, and how long they will take.
final class StudyProgress: Sendable {
  private let line: Mutex<ProgressLine>
  private let done = Atomic(0)
  private let units: Int
  private let runsPerUnit: Int
  private let start = ContinuousClock.now

  init(units: Int, runsPerUnit: Int, on console: any Console) {
    self.units = units
    self.runsPerUnit = runsPerUnit
    line = Mutex(ProgressLine(on: console))
  }

  /// Some units are done.
  func finished(_ count: Int) {
    let done = done.add(count, ordering: .relaxed).newValue
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let left = elapsed / Double(max(1, done)) * Double(units - done)
    let runs = WordList.counted(units * runsPerUnit, "run")
    let text = "\(done * runsPerUnit) of \(runs), about \(Self.span(left)) left"
    line.withLock { $0.update(text, done: Double(done) / Double(max(1, units))) }
  }

  func finish() { line.withLock { $0.finish() } }

  /// A span of time in the unit that suits it.
  static func span(_ seconds: Double) -> String {
    if seconds < 90 { return "\(Int(seconds.rounded())) s" }
    if seconds < 5_400 { return "\(Int((seconds / 60).rounded())) min" }
    return "\(Int((seconds / 3_600).rounded())) h"
  }
}
