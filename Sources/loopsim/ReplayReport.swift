import Quantities
import Reports
import Scenarios
import Simulation

/// Gathers what the page of a replay tells.
struct ReplayReport {
  private let results: String
  private var outcomes: [ReplayOutcome] = []
  private var lines: [String] = []

  /// Begins a page about runs that are held against the results in a folder.
  init(results: String) { self.results = results }

  /// Takes a run that is over, with what was printed of it.
  mutating func add(_ run: FinishedRun, lines: [String]) {
    self.lines += lines
    outcomes.append(outcome(of: run))
  }

  /// Takes a kept result that no scenario has.
  mutating func add(_ gone: GoneResult, lines: [String]) {
    self.lines += lines
    var outcome = ReplayOutcome(id: gone.id, file: gone.folder, title: gone.sentence, state: .gone)
    outcome.command = gone.command
    outcomes.append(outcome)
  }

  /// The page.
  var page: ReplayPage { ReplayPage(outcomes, lines: lines, version: Loopsim.version ?? "") }

  private func outcome(of run: FinishedRun) -> ReplayOutcome {
    var outcome = ReplayOutcome(
      id: run.id, file: run.file, title: run.summary?.title ?? "", state: .passed,
      verdicts: run.verdicts)
    outcome.update = KeptResult.updateLine(run.file, below: results)
    var isNew = false
    let folder = KeptResult.folder(of: run.id, file: run.file, below: results)
    for file in RunFolder.reference(run) {
      guard let bytes = try? Files.read("\(folder)/\(file.name)") else {
        isNew = true
        continue
      }
      let kept = String(decoding: bytes, as: UTF8.self)
      let found = ReplayOutcome.differences(of: file.name, kept: kept, found: file.text)
      guard !found.isEmpty else { continue }
      outcome.differences += found
      if file.name == OutputSelection.File.basalSegments.fileName {
        outcome.kept = ReplayOutcome.segments(kept)
        outcome.found = ReplayOutcome.segments(file.text)
      }
    }
    outcome.differences = ReplayOutcome.ordered(outcome.differences)
    outcome.violations = run.result?.violations.map { "\($0.name): \($0.text)" } ?? []
    outcome.clock = run.result?.clock ?? .utc
    outcome.state =
      run.result == nil
      ? .broken
      : run.hasFailed ? .failed : isNew ? .new : outcome.differences.isEmpty ? .passed : .changed
    return outcome
  }
}
