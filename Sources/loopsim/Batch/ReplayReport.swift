import Pages
import Quantities
import Reports
import Scenarios
import Simulation

/// Gathers what the page of a replay tells.
struct ReplayReport {
  private let results: String
  private let options: [String]
  private var outcomes: [ReplayOutcome] = []
  private var lines: [String] = []

  /// Begins a page about runs that are held against the results in a folder.
  ///
  /// - Parameters:
  ///   - results: The folder of all kept results.
  ///   - options: The options of the commands that the page tells.
  init(results: String, options: [String]) {
    self.results = results
    self.options = options
  }

  /// Takes a run that is over, with where it differs from its kept result and what was printed.
  mutating func add(
    _ run: FinishedRun, _ differences: [ReplayOutcome.Difference], lines: [String]
  ) {
    self.lines += lines
    outcomes.append(outcome(of: run, differences))
  }

  /// Takes a kept result that no scenario has.
  mutating func add(_ gone: GoneResult, lines: [String]) {
    self.lines += lines
    var outcome = ReplayOutcome(id: gone.id, file: gone.folder, title: gone.sentence, state: .gone)
    outcome.command = gone.command
    outcomes.append(outcome)
  }

  /// The page.
  var page: ReplayPage {
    ReplayPage(
      outcomes, lines: lines, options: options, version: Loopsim.version ?? "")
  }

  private func outcome(
    of run: FinishedRun, _ differences: [ReplayOutcome.Difference]
  ) -> ReplayOutcome {
    var outcome = ReplayOutcome(
      id: run.id, file: run.file, title: run.summary?.title ?? "", state: .passed,
      verdicts: run.verdicts)
    outcome.update = KeptResult.updateLine(run.file, with: options)
    let folder = KeptResult.folder(of: run.id, file: run.file, below: results)
    let kept = RunFolder.reference(run).compactMap { file in
      (try? Files.read("\(folder)/\(file.name)"))
        .map { (file: file, text: String(decoding: $0, as: UTF8.self)) }
    }
    // Of a result of which nothing was kept yet no file differs.
    outcome.differences = kept.isEmpty ? [] : differences
    for (file, text) in kept where file.name == OutputSelection.File.basalSegments.fileName {
      guard file.text != text else { continue }
      outcome.kept = ReplayOutcome.segments(text)
      outcome.found = ReplayOutcome.segments(file.text)
    }
    outcome.violations = run.result?.violations.map { "\($0.name): \($0.text)" } ?? []
    outcome.clock = run.result?.clock ?? .utc
    outcome.state =
      run.result == nil
      ? .broken
      : run.hasFailed
        ? .failed
        : kept.isEmpty ? .new : outcome.differences.isEmpty ? .passed : .changed
    return outcome
  }
}
