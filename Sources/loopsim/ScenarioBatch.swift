import Outcomes
import Quantities
import Reports
import Scenarios
import Simulation
import StructuredText

/// One run of a batch before it starts.
struct PlannedRun: Sendable {
  var file: String
  var run: ExpandedRun
  /// Why the run must not be carried out, although it might be: what was found wrong with its file.
  var obstacle: TextProblem?
  /// Whether a warning is an error.
  var isStrict = false
}

/// One run of a batch when it is over.
struct FinishedRun: Sendable {
  var file: String
  var id: String
  /// The result; nothing when the run could not be built.
  var result: RunResult?
  var summary: RunSummary?
  var expectations: [ExpectationResult]
  /// What is wrong with the scenario, warnings and notes included.
  var problems: [TextProblem]

  /// Whether an expectation failed, or a law of the simulation was broken.
  var hasFailed: Bool {
    expectations.contains { !$0.isWarning && ($0.outcome == .failed || $0.outcome == .error) }
      || !(result?.violations.isEmpty ?? true)
  }
}

/// Reads scenario files, expands them into runs, and carries the runs out.
struct ScenarioBatch {
  var runs: [PlannedRun] = []
  /// What is wrong with the files, in their order.
  var problems: [TextProblem] = []
  /// The files of which no run could be told, each with the first thing that is wrong.
  var unreadable: [ExpectationResult] = []
  /// Whether a warning keeps a scenario from being run.
  let isStrict: Bool

  /// Whether there is a file that cannot be run.
  var hasErrors: Bool { problems.contains { $0.severity.stops(isStrict) } }

  /// Reads, checks and expands files.
  ///
  /// The runs of a file with errors stay in the plan, with what stands in their way.
  ///
  /// - Parameters:
  ///   - files: The scenario files.
  ///   - tags: Only scenarios with one of these tags; all when empty.
  ///   - isStrict: Whether a warning keeps a scenario from being run.
  init(_ files: [String], tags: [String] = [], isStrict: Bool = false) {
    var reader = ScenarioReader(files: MachineFiles(), root: nil, allowsOutside: true)
    for file in files {
      let list = ProblemList()
      let document = reader.read(file, problems: list)
      if let document, !tags.isEmpty, !document.tags.contains(where: tags.contains) { continue }
      let plan =
        document == nil ? nil : ScenarioCheck.plan(file, reader: &reader, problems: list)
      let obstacle = list.sorted.first { $0.severity.stops(isStrict) }
      for place in 0..<(plan?.count ?? 0) {
        guard let run = plan?.run(at: place) else { continue }
        runs.append(PlannedRun(file: file, run: run, obstacle: obstacle, isStrict: isStrict))
      }
      if plan == nil, let obstacle {
        unreadable.append(Self.error(obstacle, run: document?.id ?? file, file: file))
      }
      problems += list.sorted
    }
    self.isStrict = isStrict
  }

  /// The runs of one of several shards: every n-th, so that long scenarios are spread out.
  func shard(_ shard: Shard?) -> [PlannedRun] {
    guard let shard else { return runs }
    return runs.enumerated()
      .filter { $0.offset % shard.count == shard.index - 1 }
      .map(\.element)
  }

  /// Checks every run without carrying it out.
  func check() -> [TextProblem] {
    let list = ProblemList(limit: 10_000)
    for planned in runs { _ = RunBuilder.build(planned.run, problems: list) }
    return list.sorted
  }

  /// Builds a run and lives through it.
  static func carryOut(
    _ planned: PlannedRun, seed: UInt64?, progress: @Sendable (Double) -> Void = { _ in }
  ) -> FinishedRun {
    if let obstacle = planned.obstacle { return refused(planned, obstacle, []) }
    let list = ProblemList()
    let built = RunBuilder.build(planned.run, seed: seed, problems: list)
    let obstacle = list.sorted.first { $0.severity.stops(planned.isStrict) }
    guard let built, obstacle == nil else { return refused(planned, obstacle, list.sorted) }
    var run = Run(built.setup)
    var steps = 0
    while run.step() {
      steps += 1
      if steps % 512 == 0 { progress(run.progress) }
    }
    let result = run.finish()
    let measurements = RunMeasurements(result)
    let expectations = built.expectations.map { expectation in
      var verdict = expectation.evaluate(result, measurements: measurements, file: planned.file)
      verdict.replay =
        verdict.instant.map {
          ReplayCommand.line(
            planned.file, run: planned.run.id, at: result.clock.iso8601($0), seed: seed)
        } ?? ""
      return verdict
    }
    let summary = RunSummary(
      result, title: built.title, expectations: expectations, version: Loopsim.version ?? "",
      scenarioDigest: built.scenarioDigest)
    return FinishedRun(
      file: planned.file, id: result.id, result: result, summary: summary,
      expectations: expectations, problems: list.sorted)
  }

  /// A run that was not carried out, with what stood in its way as the result of an expectation.
  private static func refused(
    _ planned: PlannedRun, _ obstacle: TextProblem?, _ problems: [TextProblem]
  ) -> FinishedRun {
    FinishedRun(
      file: planned.file, id: planned.run.id,
      expectations: [error(obstacle, run: planned.run.id, file: planned.file)],
      problems: problems)
  }

  /// What is wrong with a scenario as the result of an expectation.
  private static func error(
    _ obstacle: TextProblem?, run: String, file: String
  ) -> ExpectationResult {
    ExpectationResult(
      .error, expectation: "scenario", run: run, file: file, line: obstacle?.position.line,
      column: obstacle?.position.column,
      message: obstacle.map(\.description) ?? "The scenario cannot be built.")
  }

  /// Carries runs out, at most `jobs` at a time, and hands each over in the order of the plan.
  ///
  /// - Returns: False when `receive` asked to stop early.
  @discardableResult
  static func carryOut(
    _ runs: [PlannedRun], jobs: Int, seed: UInt64?,
    receive: (FinishedRun) throws -> Bool
  ) async throws -> Bool {
    try await withThrowingTaskGroup(of: (Int, FinishedRun).self) { group in
      var waiting = runs.indices.makeIterator()
      var finished: [Int: FinishedRun] = [:]
      var next = 0
      func start(_ index: Int) {
        let planned = runs[index]
        group.addTask { (index, carryOut(planned, seed: seed)) }
      }
      for _ in 0..<max(1, jobs) {
        if let index = waiting.next() { start(index) }
      }
      while let (index, run) = try await group.next() {
        finished[index] = run
        while let ready = finished.removeValue(forKey: next) {
          next += 1
          if try !receive(ready) {
            group.cancelAll()
            return false
          }
        }
        if let index = waiting.next() { start(index) }
      }
      return true
    }
  }
}
