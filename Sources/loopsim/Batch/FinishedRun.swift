import Bridge
import Expectations
import Outcomes
import Quantities
import Reports
import RunPlans
import Scenarios
import Simulation
import StructuredText

/// One run of a batch before it starts.
struct PlannedRun: Sendable {
  var file: String
  var run: ExpandedRun
  /// Why the run must not be carried out, although it might be: what was found wrong with its file.
  var obstacle: RunObstacle?
  /// Whether a warning is an error.
  var isStrict = false
  /// Which warnings of its runs are ones of its file; nothing where it is the only run.
  var warnings: PlanWarnings?
  /// How long the runs of its file may take together; nothing when that is not limited.
  var timeLimit: Duration?
  /// Who answers where a program decides.
  var desk = ProgramDesk.nobody
  /// What is never divided among shards: a run, or a scenario whose runs are looked at together.
  var unit = 0
  /// Whether other runs of its scenario are left out, so that nothing can be said of them together.
  var isPart = false
  /// Whether it may read files outside its scenario's folder.
  var allowsOutside = false
  /// Where its folder will stand that is begun while it ends; `nil` if it is written after that.
  var folder: String?

  /// Whether the scenario says that a program decides, or is the body.
  var namesProgram: Bool {
    run.tree["controller"] != nil || run.tree["patient"]?["model"]?.string == "external"
  }

  /// The problems that building it has found, without those that are none of its file.
  func holding(_ problems: [TextProblem]) -> [TextProblem] {
    warnings?.holding(problems, of: run) ?? problems
  }

  /// The same run, whose questions others answer.
  func asking(_ desk: ProgramDesk) -> Self {
    var run = self
    run.desk = desk
    return run
  }

  /// The same run, whose folder is begun below another as soon as its health store is whole.
  func beginningFolder(below place: String) -> Self {
    var planned = self
    planned.folder = "\(place)/\(run.id)"
    return planned
  }
}

/// One run of a batch when it is over.
struct FinishedRun: Sendable {
  var file: String
  var id: String
  /// The result; nothing when the run could not be built.
  var result: RunResult?
  var summary: RunSummary?
  var expectations: [ExpectationResult]
  /// What the run has for expectations that look at several runs.
  var contributions: [Contribution] = []
  /// Why a run has no result: what stopped it, in a sentence.
  var whyThereIsNoResult: String {
    expectations.first { $0.outcome == .error }?.message
      ?? problems.first { $0.severity == .error }?.description ?? "It has no result."
  }
  /// Why a run has no result, with all that is wrong with its scenario.
  ///
  /// What a program has to do with it stands in no file, and so among no problems.
  var allThatStoppedIt: String {
    problems.isEmpty
      ? whyThereIsNoResult : problems.map(\.description).joined(separator: "\n")
  }
  /// What came of those, with the last run of a scenario.
  var joint: [ExpectationResult] = []
  /// What the scenario keeps of the run.
  var output = OutputSelection()
  /// What the run was made from, where it is lived through again for the inputs of its cycles.
  var setup: Setup?
  /// The scenario as it was expanded for the run, and what was seen of the run while it lived.
  var source: ExpandedRun?
  var observation: RunObservation?
  /// What is wrong with the scenario, warnings and notes included.
  var problems: [TextProblem]
  /// Which of these are of recorded answers that the run has not asked for: before it was carried
  /// out nobody could know.
  var unusedAnswers: [TextProblem] = []
  /// The questions of programs that decided or were the body, with their answers.
  var transcripts: [Transcript] = []
  /// Why a run with a program has no result.
  var failure: ProgramFailure?
  /// Its folder, if that is begun with its health store, which the result is without then.
  var begun: BegunFolder?
  /// Whether it was not carried out because the scenario's time was used up.
  var ranOutOfTime = false

  /// What came of every expectation that ends with this run.
  var verdicts: [ExpectationResult] { expectations + joint }

  /// What the page of the run tells; nothing when the run could not be built.
  var report: RunReport? { report(withDoses: true) }

  /// What is told of the run, with its records dose by dose or without.
  func report(withDoses: Bool) -> RunReport? {
    guard let summary, let observation, let source else { return nil }
    return RunReport(summary, observation, of: source, file: file, withDoses: withDoses)
  }

  /// The run itself as a case of a report: passed when it came to its end and broke no law of the
  /// simulation, also where its file expects nothing; `nil` for a run without a result, of which
  /// the expectations tell the reason.
  var itself: ExpectationResult? {
    guard let result else { return nil }
    var verdict = ExpectationResult(.passed, expectation: "runs", run: id, file: file)
    guard let first = result.violations.first else { return verdict }
    verdict.outcome = .failed
    verdict.message = "\(first.name): \(first.text)"
    verdict.body = result.violations.map {
      "\(result.clock.iso8601($0.instant))  \($0.name): \($0.text)"
    }.joined(separator: "\n")
    return verdict
  }

  /// Whether an expectation failed, or a law of the simulation was broken; also one that looks at
  /// several runs, of which this was the last.
  var hasFailed: Bool { hasFailedItself || joint.contains(where: Self.fails) }

  /// Whether the run alone failed.
  var hasFailedItself: Bool {
    expectations.contains(where: Self.fails) || !(result?.violations.isEmpty ?? true)
  }

  private static func fails(_ verdict: ExpectationResult) -> Bool {
    !verdict.isWarning && (verdict.outcome == .failed || verdict.outcome == .error)
  }
}

extension FinishedRun {
  /// A run that a client lived through.
  init(_ served: ServedResult) {
    self.init(
      file: served.file, id: served.result.id, result: served.result, summary: served.summary,
      expectations: served.summary.expectations, output: served.built.output,
      source: served.source, observation: served.observation, problems: [],
      transcripts: served.transcripts)
  }
}
