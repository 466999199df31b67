import Bridge
import Expectations
import Reports
import Simulation
import StructuredText

/// What a batch comes to, run by run.
struct BatchReport {
  var runs = 0
  var passed = 0
  var failures: [ExpectationResult] = []
  /// How many runs have no result, and how many of the failures are the reasons.
  private(set) var withoutResult = (runs: 0, reasons: 0)
  /// The summaries as they are printed, where they are: a summary itself holds the whole run.
  var summaries: [JSONValue] = []
  var suites: [ExpectationSuite] = []
  var hasBadInput = false
  var hasFailed = false
  /// Whether a program that decides has failed.
  var hasFailedProgram = false
  private let keeps: Summaries

  /// Of which runs the summaries are printed.
  enum Summaries {
    case none, ofFailed, all
  }

  /// Begins a report with the files of which no run could be told.
  init(unreadable: [ExpectationResult] = [], keeps: Summaries = .none) {
    self.keeps = keeps
    runs = unreadable.count
    failures = unreadable
    withoutResult = (unreadable.count, unreadable.count)
    suites = unreadable.map { ExpectationSuite(name: $0.run, file: $0.file, results: [$0]) }
    guard keeps != .none else { return }
    summaries = unreadable.map {
      FinishedRun(file: $0.file, id: $0.run, expectations: [$0], problems: []).json
    }
  }

  /// Takes note of a run without a result, and of why a program is the reason.
  mutating func note(_ failure: ProgramFailure?) {
    switch failure?.kind {
    case .program: hasFailedProgram = true
    case .replay: hasFailed = true
    case .input, nil: hasBadInput = true
    }
  }

  /// Adds a run, with what differs from the results that were kept of it.
  mutating func add(_ run: FinishedRun, differences: [ReplayOutcome.Difference] = []) {
    runs += 1
    let verdicts =
      run.verdicts
      + differences.map {
        ExpectationResult(
          .failed, expectation: "reference \($0.name)", run: run.id, file: run.file,
          message: $0.sentence)
      }
    passed += verdicts.count { $0.outcome == .passed }
    failures += verdicts.filter { $0.outcome == .failed || $0.outcome == .error }
    if run.result == nil {
      withoutResult.runs += 1
      withoutResult.reasons += run.expectations.count { $0.outcome == .error }
    }
    if run.hasFailed { hasFailed = true }
    let isBad = run.hasFailed || run.result == nil
    if keeps == .all || keeps == .ofFailed && isBad { summaries.append(run.json) }
    // Runs of one file have seeds of their own.
    let isOneOfSeveral = run.id.contains("/")
    var properties =
      run.result.map {
        [ExpectationSuite.Property(isOneOfSeveral ? "seed of \(run.id)" : "seed", "\($0.seed)")]
      } ?? []
    if let summary = run.summary, summary.isPrivileged {
      let name = isOneOfSeveral ? "privileged in \(run.id)" : "privileged"
      properties.append(ExpectationSuite.Property(name, "true"))
    }
    let troubles = (run.summary?.troubles ?? []).map {
      ExpectationSuite.Trouble($0, in: run.id)
    }
    let cases = Self.namedApart([run.itself].compactMap(\.self) + verdicts)
    // The runs of a file come one after the other.
    if let last = suites.indices.last, suites[last].file == run.file {
      suites[last].results += cases
      suites[last].properties += properties
      suites[last].troubles += troubles
    } else {
      let name = run.id.split(separator: "/").first.map(String.init) ?? run.id
      let version = ExpectationSuite.Property("version", Loopsim.version ?? "")
      suites.append(
        ExpectationSuite(
          name: name, file: run.file, properties: [version] + properties, results: cases,
          troubles: troubles))
    }
  }

  /// Why a run was not carried out that comes after the first that failed.
  static let leftOut = "Not carried out: the batch stopped at the first failure (--fail-fast)."

  /// Notes that runs were not carried out as the batch stopped at the first failure: without it
  /// the reports would read as those of a batch that had no more.
  ///
  /// - Parameter count: How many.
  /// - Returns: A sentence on it; `nil` where there was none to leave out.
  mutating func leaveOut(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    let words =
      "Stopped at the first failure (--fail-fast): \(count) of "
      + "\(WordList.counted(runs + count, "run")) \(WordList.verb("was", of: count)) "
      + "not carried out."
    let verdict = ExpectationResult(
      .skipped, expectation: "fail-fast", run: "batch", file: "", message: words)
    suites.append(ExpectationSuite(name: "stopped", file: "", results: [verdict]))
    return words
  }

  /// The cases of a run in which none that the file does not hold has the name of one that it does:
  /// of two with one name a service that reads the report shows the first, and the other's failure
  /// is seen by nobody.
  private static func namedApart(_ cases: [ExpectationResult]) -> [ExpectationResult] {
    let held = Set(cases.filter { $0.line != nil }.map(\.expectation))
    return cases.map { verdict in
      var verdict = verdict
      while verdict.line == nil, held.contains(verdict.expectation) {
        verdict.expectation += " (loopsim)"
      }
      return verdict
    }
  }

  /// Adds a kept result that no scenario has.
  mutating func add(_ gone: GoneResult) {
    let verdict = ExpectationResult(
      .failed, expectation: "reference", run: gone.id, file: gone.file, message: gone.sentence)
    failures.append(verdict)
    hasFailed = true
    suites.append(ExpectationSuite(name: gone.id, file: gone.file, results: [verdict]))
  }
}
