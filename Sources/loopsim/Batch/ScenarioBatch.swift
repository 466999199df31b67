import Bridge
import Determinism
import Expectations
import Outcomes
import Quantities
import Reports
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText

/// Reads scenario files, expands them into runs, and carries the runs out.
struct ScenarioBatch {
  var runs: [PlannedRun] = []
  /// What is wrong with the files, in their order.
  var problems: [TextProblem] = []
  /// The files of which no run could be told, each with what is wrong.
  var unreadable: [ExpectationResult] = []
  /// Whether a warning keeps a scenario from being run.
  let isStrict: Bool
  /// The tags of all scenarios, where some are chosen by theirs.
  private(set) var tags: Set<String> = []
  /// The scenarios that could be read, each with the place of its id.
  private var scenarios: [(file: String, id: String, place: TextPosition)] = []

  /// The most runs that are planned at once, each of which takes some memory: 200,000.
  static let maximumRuns = 200_000

  /// How many runs of a file that is refused are built to find what else is wrong with it.
  private static let mostBuiltInVain = 1_000

  /// Whether there is a file that cannot be run.
  var hasErrors: Bool { problems.contains { $0.severity.stops(isStrict) } }

  /// The files that its scenarios are made of, as the first run of each variant tells them.
  var inputs: [String] {
    var seen: Set<String> = []
    var files: Set<String> = []
    for planned in runs
    where seen.insert("\(planned.file)\n\(planned.run.variant ?? "")").inserted {
      files.insert(planned.file)
      files.formUnion(planned.run.tree.files)
    }
    return files.sorted()
  }

  /// The exit code for what is wrong with the files: the system's failure to read one comes first.
  var inputCode: ExitCode {
    ExitCode(of: problems)
  }

  /// Reads, checks and expands files.
  ///
  /// The runs of a file with errors stay in the plan, with what stands in their way.
  ///
  /// - Parameters:
  ///   - files: The scenario files.
  ///   - tags: Only scenarios with one of these tags; all when empty.
  ///   - isStrict: Whether a warning keeps a scenario from being run.
  ///   - allowsOutside: Whether scenarios may name files outside their folder.
  init(
    _ files: [String], tags: [String] = [], isStrict: Bool = false, allowsOutside: Bool = false
  ) {
    var reader = ScenarioReader(files: MachineFiles(), allowsOutside: allowsOutside)
    var units = -1
    for file in files {
      let list = ProblemList()
      // What is wrong with a file that can be read is told by its check, which reads it again.
      let reading = ProblemList()
      let document = reader.read(file, problems: reading)
      if document == nil { list.add(reading.problems) }
      if !tags.isEmpty { self.tags.formUnion(document?.tags ?? []) }
      if let document, !tags.isEmpty, !document.tags.contains(where: tags.contains) { continue }
      // What stands in place of an id that cannot be one is no scenario's.
      if let document, document.tree["id"].map({ $0.string == document.id }) ?? true {
        let place = document.tree["id"]?.position ?? document.tree.position
        scenarios.append((file, document.id, place))
      }
      let plan =
        document == nil ? nil : ScenarioCheck.plan(file, reader: &reader, problems: list)
      let isTooLarge = (plan?.count ?? 0) > Self.maximumRuns - runs.count
      if let plan, isTooLarge {
        list.error(
          at: Self.placeOfCount(in: plan.document.tree), Self.refusal(ofRuns: plan.count))
      }
      let isRefused = list.problems.contains { $0.severity.stops(isStrict) }
      // One run stands for all of a plan that is refused as a whole.
      let count = isTooLarge ? 1 : plan?.count ?? 0
      let first = runs.count
      let warnings = plan.map { PlanWarnings(of: $0) }
      for place in 0..<count {
        guard let run = plan?.run(at: place) else { continue }
        if place == 0 || plan?.joinsRuns == false { units += 1 }
        runs.append(
          PlannedRun(
            file: file, run: run, isStrict: isStrict, warnings: warnings,
            timeLimit: plan?.maximumSeconds.map { .seconds($0) }, unit: units,
            allowsOutside: allowsOutside))
      }
      if isRefused {
        // What cannot be run is not built later: the rest of what is wrong with it is told as well.
        let some = runs[first...].prefix(Self.mostBuiltInVain)
        if let plan { ScenarioCheck.build(some.lazy.map(\.run), of: plan, problems: list) }
        let obstacles = RunObstacles(
          list.sorted.filter { $0.severity.stops(isStrict) }, of: runs[first...].map(\.run))
        for place in runs.indices[first...] {
          runs[place].obstacle = obstacles.obstacle(of: runs[place].run)
        }
        if plan == nil {
          let whole = obstacles.ofFile
          unreadable.append(Self.error(whole, run: document?.id ?? file, file: file))
        }
      }
      problems += list.sorted
    }
    self.isStrict = isStrict
  }

  /// Reads, checks and expands files on all processors.
  ///
  /// The outcome is that of ``init(_:tags:isStrict:)``. Scenarios that share an id are refused but
  /// for the first: their results would overwrite one another.
  static func reading(
    _ files: [String], tags: [String] = [], isStrict: Bool = false, allowsOutside: Bool = false
  ) async -> ScenarioBatch {
    let parts = await files.parts(of: filesAtATime).concurrentMap {
      ScenarioBatch($0, tags: tags, isStrict: isStrict, allowsOutside: allowsOutside)
    }
    var batch = ScenarioBatch([], isStrict: isStrict)
    for part in parts { batch.append(part) }
    batch.refuseSharedIDs()
    return batch
  }

  /// How many files a task reads: enough that a file which many extend is read seldom.
  private static let filesAtATime = 32

  /// Where it is said how many runs a scenario has.
  private static func placeOfCount(in tree: JSONNode) -> TextPosition {
    tree["random"]?["replicates"]?.position ?? tree.position
  }

  /// Why so many runs of a scenario are not planned, in a sentence and what to do.
  private static func refusal(ofRuns count: Int) -> String {
    let runs = WordList.counted(count, "run")
    return count > maximumRuns
      ? """
      This scenario has \(runs), and at most \(maximumRuns) are planned at once. Divide it among \
      several files, and name each in a command of its own.
      """
      : """
      This scenario has \(runs): with those of the files before it these are more than the \
      \(maximumRuns) that are planned at once. Name fewer files in one command.
      """
  }

  /// Refuses the files whose runs are more than there is room for; one run stands for each.
  private mutating func refuseRuns(beyond room: Int) {
    guard runs.count > room else { return }
    var kept: [PlannedRun] = []
    var rest = runs[...]
    while var first = rest.first {
      let own = rest.prefix { $0.file == first.file }
      rest = rest.dropFirst(own.count)
      if own.count <= room - kept.count {
        kept += own
        continue
      }
      if first.obstacle == nil {
        let problem = TextProblem(
          .error, at: Self.placeOfCount(in: first.run.tree), Self.refusal(ofRuns: own.count))
        problems.append(problem)
        first.obstacle = RunObstacle([problem])
      }
      kept.append(first)
    }
    runs = kept
  }

  private mutating func append(_ part: ScenarioBatch) {
    var part = part
    part.refuseRuns(beyond: Self.maximumRuns - runs.count)
    let unit = (runs.last?.unit ?? -1) + 1
    runs += part.runs.map { planned in
      var planned = planned
      planned.unit += unit
      return planned
    }
    problems += part.problems
    unreadable += part.unreadable
    tags.formUnion(part.tags)
    scenarios += part.scenarios
  }

  private mutating func refuseSharedIDs() {
    var owners: [String: String] = [:]
    var obstacles: [String: RunObstacle] = [:]
    for scenario in scenarios {
      guard let owner = owners[scenario.id] else {
        owners[scenario.id] = scenario.file
        continue
      }
      let problem = TextProblem(
        .error, at: scenario.place,
        """
        The id "\(scenario.id)" is that of \(owner) too, and their results would overwrite one \
        another. Give each its own.
        """)
      obstacles[scenario.file] = RunObstacle([problem])
      problems.append(problem)
    }
    guard !obstacles.isEmpty else { return }
    for index in runs.indices {
      runs[index].obstacle = runs[index].obstacle ?? obstacles[runs[index].file]
    }
  }

  /// Checks every run without carrying it out.
  func check() async -> [TextProblem] {
    // What reading a file and building its runs find stands in the order of its lines.
    let parts = await runs.parts(of: Self.filesAtATime).concurrentMap { runs in
      let list = ProblemList(limit: 10_000)
      var records: Set<String> = []
      for planned in runs where planned.obstacle == nil {
        list.add(where: { planned.warnings?.holds($0, of: planned.run) ?? true }) {
          guard let built = RunBuilder.build(planned.run, problems: list) else { return }
          ProgramDesk.checkRecords(of: built, besides: &records, problems: list)
        }
      }
      return list.sorted
    }
    let list = ProblemList(limit: .max)
    for problems in [self.problems] + parts { list.add(problems) }
    return list.sorted
  }

  /// Builds a run and lives through it.
  ///
  /// Predictions are kept where the scenario writes them, and with `forPage`, as the page of the
  /// run draws them.
  static func carryOut(
    _ planned: PlannedRun, seed: UInt64?, checksStep: Bool = false, forPage: Bool = true,
    in surroundings: GoldenFiles = BatchGoldenFiles.comparing,
    until deadline: ContinuousClock.Instant? = nil, watching progress: RunProgress? = nil
  ) -> FinishedRun {
    if let obstacle = planned.obstacle { return refused(planned, obstacle, []) }
    let list = ProblemList()
    var expanded = planned.run
    expanded.checksStep = checksStep
    let built = RunBuilder.build(expanded, seed: seed, problems: list)
    let found = planned.holding(list.sorted)
    let obstacles = found.filter { $0.severity.stops(planned.isStrict) }
    guard let built, obstacles.isEmpty else {
      return refused(planned, RunObstacle(obstacles), found)
    }
    var setup = built.setup
    // What broke off is named by who answers; where that may be one of two, by neither.
    let role = built.body == nil ? "controller" : "program"
    let programs: RunPrograms
    do throws(ProgramFailure) {
      programs = try planned.desk.programs(for: built, &setup, file: planned.file)
    } catch {
      return failed(planned, role, error)
    }
    let result: RunResult
    let observation: RunObservation
    let begun: BegunFolder?
    do throws(ProgramFailure) {
      guard
        let lived = try Run.lived(
          setup, keeping: built.output, in: planned.folder, forPage: forPage, until: deadline,
          watching: progress, answeredBy: programs)
      else {
        programs.abandon()
        return late(planned)
      }
      (result, observation, begun) = lived
      try programs.end(result, digest: RunningDigest.hexadecimal(of: result.digest))
    } catch {
      programs.abandon()
      return failed(planned, role, error)
    }
    let unused = programs.unusedAnswers
    if let first = unused.first(where: { $0.severity.stops(planned.isStrict) }) {
      return failed(planned, role, ProgramFailure(.replay, "\(first)"))
    }
    let measurements = RunMeasurements(result)
    var verdicts: [ExpectationResult] = []
    var contributions: [Contribution] = []
    var joint: [ExpectationResult] = []
    for expectation in built.expectations {
      if expectation.joinsRuns, planned.isPart {
        if !expectation.isReference { joint.append(leftOut(expectation, of: planned)) }
      } else if expectation.joinsRuns {
        contributions.append(
          expectation.contribution(
            of: result, measurements: measurements, place: planned.run.place,
            file: planned.file, in: surroundings))
      } else {
        let verdict = expectation.evaluate(
          result, measurements: measurements, file: planned.file, in: surroundings)
        verdicts.append(withReplay(verdict, of: planned, seed: seed))
      }
    }
    if let failure = Expectation.survival(of: result, built.expectations, file: planned.file) {
      verdicts.append(withReplay(failure, of: planned, seed: seed))
    }
    var summary = RunSummary(
      result, measurements, title: built.title, expectations: verdicts,
      version: Loopsim.version ?? "", scenarioDigest: built.scenarioDigest)
    summary.derivedTherapy = built.derivedTherapy
    summary.isPrivileged = setup.isPrivileged
    summary.coordinates = RunCoordinates(planned.run, file: planned.file)
    return FinishedRun(
      file: planned.file, id: result.id, result: result, summary: summary,
      expectations: verdicts, contributions: contributions, joint: joint, output: built.output,
      setup: built.output.loopInputs == nil ? nil : setup, source: planned.run,
      observation: observation, problems: found + unused, unusedAnswers: unused,
      transcripts: programs.transcripts, begun: begun)
  }

  /// What is said of an expectation about several runs where some of them are left out.
  private static func leftOut(
    _ expectation: Expectation, of planned: PlannedRun
  ) -> ExpectationResult {
    ExpectationResult(
      .skipped, expectation: expectation.id, run: planned.run.id, file: planned.file,
      message: "It looks at several runs of the scenario, and --run leaves some of them out."
    ).standing(at: expectation.position)
  }

  /// A run that broke off because of a program that decides, or is the body.
  private static func failed(
    _ planned: PlannedRun, _ role: String, _ failure: ProgramFailure
  ) -> FinishedRun {
    FinishedRun(
      file: planned.file, id: planned.run.id,
      expectations: [
        ExpectationResult(
          .error, expectation: role, run: planned.run.id, file: planned.file,
          message: failure.description)
      ], problems: [], failure: failure)
  }

  /// The result with the words that show the run where it failed.
  static func withReplay(
    _ result: ExpectationResult, of planned: PlannedRun, seed: UInt64?
  ) -> ExpectationResult {
    var result = result
    if let moment = result.moment {
      result.replay = ReplayCommand.line(
        result.file, run: moment.run, at: moment.time, seed: seed,
        allowsOutside: planned.allowsOutside)
    }
    return result
  }

  /// What is named in place of an expectation where a run was not carried out.
  static let wholeScenario = "scenario"

  /// A run that was not carried out, with what stood in its way as the result of an expectation.
  private static func refused(
    _ planned: PlannedRun, _ obstacle: RunObstacle, _ problems: [TextProblem]
  ) -> FinishedRun {
    FinishedRun(
      file: planned.file, id: planned.run.id,
      expectations: [error(obstacle, run: planned.run.id, file: planned.file)],
      problems: problems)
  }

  /// A run for which the time of its scenario did not suffice.
  private static func late(_ planned: PlannedRun) -> FinishedRun {
    FinishedRun(
      file: planned.file, id: planned.run.id,
      expectations: [
        ExpectationResult(
          .error, expectation: wholeScenario, run: planned.run.id, file: planned.file,
          message: "The time that budget.maxSeconds allows was used up; this run has no result.")
      ], problems: [], ranOutOfTime: true)
  }

  /// What is wrong with a scenario as the result of an expectation.
  private static func error(
    _ obstacle: RunObstacle, run: String, file: String
  ) -> ExpectationResult {
    var result = ExpectationResult(
      .error, expectation: wholeScenario, run: run, file: file, message: obstacle.sentence
    ).standing(at: obstacle.position)
    result.others = obstacle.others
    return result
  }
}
