import Arguments
import Determinism
import Expectations
import FoundationEssentials
import RunPlans
import Scenarios
import Simulation
import StructuredText
import Studies

/// Lives through chosen cases of a study again and keeps everything of them.
struct StudyRunsCommand: Command {
  static let name = "runs"
  static let abstract = "Write whole runs of chosen cases, the worst of each arm unless named."
  static let discussion = """
    A study keeps one row of each run. This command carries chosen cases out again, which \
    gives the same runs, and writes their folders as `loopsim run` does, below DIR/runs. \
    A case that cannot be carried out is an error. Where programs have a part and answer \
    otherwise, the run is another one, and a warning says so.
    """

  private static let usualWorst = 10

  var folder = ""
  var worst: Int?
  var cases: [Int] = []
  var writesPages = false
  var programOptions = ProgramOptions()
  var programs = ""

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("dir", \.folder, help: "The folder of the study.")
    it.option(
      "worst", \.worst,
      help: "How many of each arm, by the first end point; \(Self.usualWorst) unless given.")
    it.option("case", \.cases, help: "A case by its number; may be repeated.")
    it.flag(
      "report", \.writesPages, help: "Write a page of each run: \(RunFolder.page) in its folder.")
    ProgramOptions.describeFolder(&it, at: \.programs)
    ProgramOptions.describe(&it, at: \.programOptions)
  }

  func validate() throws {
    if worst != nil, !cases.isEmpty {
      throw ValidationError("--worst and --case both choose the cases. Give one of them.")
    }
    guard worst ?? Self.usualWorst > 0 else {
      throw Failure(.usage, "The number of the worst cases of each arm must be 1 or more.")
    }
  }

  func run(to console: any Console) async throws {
    let place = StudyFolder(path: folder)
    let planned = try place.load()
    try StudyPrograms.check(programs, for: planned.study.plan)
    programOptions.noteWhereIdle(!planned.study.plan.programs.isEmpty, on: console)
    // Cases that are named can be carried out before the shards are joined.
    let isJoined = FileManager.default.fileExists(atPath: place.result("cases.csv"))
    let known = try cases.isEmpty || isJoined ? Self.table(place, planned).rows : nil
    let chosen: [Int]
    if let known, cases.isEmpty {
      chosen = worstCases(among: known, planned)
    } else {
      chosen = try named(planned)
    }
    let pool = programOptions.pool
    defer { pool?.end() }
    let desk = try StudyPrograms(
      from: programs, isAllowed: programOptions.isAllowed, pool: pool
    ).following(planned.study.plan, in: folder).desk
    for number in chosen {
      let item = planned.study.case(number)
      let run = planned.study.run(of: item)
      var finished = ScenarioBatch.carryOut(
        PlannedRun(file: planned.study.plan.file, run: run).asking(desk), seed: nil,
        forPage: writesPages)
      guard let result = finished.result else {
        let reasons =
          finished.problems.filter { $0.severity == .error }.map(\.description)
          + finished.expectations.filter { $0.outcome == .error }.map(\.message)
        let reason = reasons.first ?? "It has no result."
        throw Failure(
          .badInput,
          "Case \(number) cannot be carried out: \(reason)" + (reason.hasSuffix(".") ? "" : "."))
      }
      // A study keeps a row of each run; who asks for whole runs wants their files.
      if finished.output.files.isEmpty {
        finished.output.files = OutputSelection.whole(hasApp: result.hasApp)
      }
      try RunFolder.write(
        finished, into: "\(place.path)/runs/\(finished.id)", withPage: writesPages)
      let digest = RunningDigest.hexadecimal(of: result.digest)
      if let row = known?[number], row.status != .failed, row.digest != digest {
        console.note(
          "Warning: case \(number) has the digest \(digest) now; it had \(row.digest) in the "
            + "study. This is another run.")
      }
      console.print("case \(number)  \(place.path)/runs/\(finished.id)")
    }
  }

  private func named(_ planned: StudyFolder.Planned) throws -> [Int] {
    for number in cases where !(0..<planned.study.plan.runs).contains(number) {
      throw Failure(
        .badInput, "The study has the cases 0 to \(planned.study.plan.runs - 1), no \(number).")
    }
    var named: Set<Int> = []
    return cases.filter { named.insert($0).inserted }
  }

  /// The rows of the study.
  private static func table(
    _ place: StudyFolder, _ planned: StudyFolder.Planned
  ) throws -> CaseTable {
    let results = StudyResults(folder: place, planned: planned)
    try results.confirmMerged()
    try results.confirmCases()
    let path = place.result("cases.csv")
    let problems = ProblemList()
    guard
      let table = CaseTable(
        try Files.read(path), file: path, study: planned.study, problems: problems)
    else { throw Failure(problems.sorted) }
    return table
  }

  private func worstCases(among rows: [CaseRow], _ planned: StudyFolder.Planned) -> [Int] {
    guard let first = planned.study.design.endPoints.first else { return [] }
    return planned.study.plan.arms.flatMap { arm in
      let own = rows.filter { $0.arm == arm && $0.status != .failed }
      let sorted = own.sorted { left, right in
        let (a, b) = (left.values[0], right.values[0])
        guard let a, let b, a != b else {
          return (a == nil && b != nil) || (a == b && left.number < right.number)
        }
        return first.better == .lower ? a > b : a < b
      }
      return sorted.prefix(worst ?? Self.usualWorst).map(\.number)
    }
  }
}
