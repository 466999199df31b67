import Arguments
import Foundation
import Reports
import Scenarios
import Simulation
import StructuredText

/// Replays scenarios and compares them with the results that were kept.
struct VerifyCommand: Command {
  static let name = "verify"
  static let abstract = "Replay scenarios and compare them with their kept results."
  static let discussion = """
    Without files, every scenario below Scenarios/ is replayed. Each run must give the bytes that \
    Results/ holds, and its expectations must hold; the first difference of each file is printed.
    """

  var files: [String] = []
  var results = "Results"
  var updates = false
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var isQuiet = false
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "files", \.files, isRequired: false, help: "Scenario files or folders; all when left out.")
    it.option("results", \.results, help: "Where the kept results are.")
    it.flag("update", \.updates, help: "Keep the new results in place of the old ones.")
    it.option("jobs", short: "j", \.jobs, help: "How many runs at a time.")
    it.flag("quiet", short: "q", \.isQuiet, help: "Print only what differs.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func run(to console: any Console) async throws {
    if updates, BatchSurroundings.isAutomated {
      throw Failure(.usage, "Results are not updated while CI is set. Update them by hand.")
    }
    let batch = await ScenarioBatch.reading(
      try ScenarioFolder.files(files.isEmpty ? ["Scenarios"] : files),
      allowsOutside: allowsOutside)
    var filter = ProblemFilter()
    for problem in filter.fresh(batch.problems) where problem.severity == .error {
      console.note(problem.description)
    }
    var progress = ProgressLine(on: console)
    var differing = 0
    var failed = 0
    var count = 0
    var digests: [String] = []
    let surroundings =
      updates ? BatchSurroundings.keepingGolden() : BatchSurroundings.comparing
    try await ScenarioBatch.carryOut(
      batch.runs, jobs: jobs, seed: nil, in: surroundings
    ) { run in
      count += 1
      progress.update(run.id, done: Double(count) / Double(batch.runs.count))
      let differences = updates ? try update(run) : compare(run)
      for difference in differences { console.print("differs  \(run.id)  \(difference)") }
      for result in run.verdicts where result.outcome != .passed && !result.isWarning {
        console.print("failed   \(run.id)  \(result.expectation): \(result.message)")
        if !result.replay.isEmpty { console.print("         \(result.replay)") }
      }
      for violation in run.result?.violations ?? [] {
        console.print("broken   \(run.id)  \(violation.name): \(violation.text)")
      }
      if !differences.isEmpty { differing += 1 }
      if run.hasFailed || run.result == nil { failed += 1 }
      if let digest = run.summary?.digest { digests.append("\(run.id) \(digest)") }
      if !isQuiet, differences.isEmpty, !run.hasFailed, run.result != nil {
        console.print("same     \(run.id)  \(run.summary?.digest ?? "")")
      }
      return true
    }
    progress.finish()
    console.print(
      "\(counted(count, "run")): \(count - differing) the same, \(differing) differ, "
        + "\(failed) fail; digest "
        + RunSummary.digest(of: digests))
    if batch.hasErrors { throw CommandLineError.exit(.badInput) }
    if differing > 0 || failed > 0 { throw CommandLineError.exit(.expectationFailed) }
  }

  /// The first difference of each file from the kept one.
  private func compare(_ run: FinishedRun) -> [String] {
    RunFolder.reference(run).compactMap { file in
      let path = "\(results)/\(run.id)/\(file.name)"
      guard let bytes = try? Files.read(path) else {
        return "\(file.name) is not there; keep it with: loopsim verify \(run.file) --update"
      }
      let kept = String(decoding: bytes, as: UTF8.self)
      return TextDifference.first(between: kept, and: file.text).map { "\(file.name) \($0)" }
    }
  }

  private func update(_ run: FinishedRun) throws -> [String] {
    let output = try OutputFolder(at: "\(results)/\(run.id)", replacing: true)
    for file in RunFolder.reference(run) { try output.write(file.text, named: file.name) }
    try output.finish()
    return []
  }
}
