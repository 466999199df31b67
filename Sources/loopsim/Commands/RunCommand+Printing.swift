import Arguments
import Expectations
import Reports
import StructuredText

extension RunCommand {
  /// Prints one run: in full when it is the only one, otherwise in one line.
  func print(_ run: FinishedRun, isOnly: Bool, to console: any Console) {
    guard format == .text, let summary = run.summary else { return }
    if isOnly, !isQuiet {
      let width = console.isTerminal(.output) ? console.width : nil
      for line in summary.lines(chartWidth: width) { console.print(line) }
      for result in run.joint where result.outcome != .passed || result.holdsInPart {
        let isOpen = [.passed, .skipped].contains(result.outcome)
        let word = isOpen ? result.outcome.rawValue : "failed "
        console.print("\(word) \(result.run)  \(result.sentence)")
      }
      console.print("results in \(out)/\(run.id)")
    } else if !isQuiet || run.hasFailedItself {
      console.print(summary.oneLine)
    }
    // The answer that was asked for is printed whatever else is kept quiet.
    if !isOnly || isQuiet, let line = summary.stepLine {
      console.print("step    \(run.id)  \(line)")
    }
  }

  /// Prints what failed and how many runs there were, and writes the reports.
  ///
  /// - Parameters:
  ///   - report: What there is of the batch.
  ///   - planned: How many runs it was to have, files of which none could be told among them.
  ///   - console: Where it is printed.
  /// - Throws: ``FileProblem`` where a report cannot be written.
  func write(_ report: BatchReport, of planned: Int, to console: any Console) throws {
    if format == .json { console.printJSON(.array(report.summaries)) }
    try reportFiles.write(report.suites, to: console)
    // What failed in a single run stands in its summary, unless that is kept quiet.
    let isOnly = planned <= 1
    guard format == .text, !isOnly || isQuiet else { return }
    let warnings = report.failures.count(where: \.isWarning)
    // What only warns leaves the exit code 0.
    let shown = report.failures.filter {
      !(isQuiet && $0.isWarning) && !(isOnly && $0.isOfWholeScenario)
    }
    if !shown.isEmpty { console.print("") }
    var withoutResult = RunsWithoutResult()
    var alike = AlikeFailures(shown)
    for failure in shown where withoutResult.shows(failure) && alike.shows(failure) {
      let word = failure.isWarning ? "warning" : "failed "
      console.print("\(word) \(failure.run)  \(failure.sentence)")
      if !failure.replay.isEmpty { console.print("        \(failure.replay)") }
      if let rest = alike.rest(of: failure) { console.print("        \(rest)") }
    }
    for line in withoutResult.rest { console.print(line) }
    guard !isOnly else { return }
    let parts = report.suites.flatMap(\.results).filter(\.holdsInPart)
    if let first = parts.first, !isQuiet {
      console.print(
        "note    \(WordList.counted(parts.count, "expectation", "holds")) for a part of what "
          + "is asked; the first is \(first.run)  "
          + first.sentence)
    }
    let without = report.withoutResult.runs
    let failed = report.failures.count - warnings - report.withoutResult.reasons
    console.print(
      "\(WordList.counted(report.runs, "run")), "
        + (without > 0 ? "\(without) of them without a result, " : "")
        + "\(WordList.counted(report.passed, "expectation", "holds")), "
        + "\(failed) \(WordList.verb("fails", of: failed))"
        + (warnings > 0 ? ", \(warnings) only \(WordList.verb("warns", of: warnings))." : ".")
    )
  }
}

extension ExpectationResult {
  /// Whether it says that a run, or a file of which no run could be told, has no result.
  fileprivate var isOfWholeScenario: Bool {
    outcome == .error && expectation == ScenarioBatch.wholeScenario
  }
}

/// Failures that say the same with other numbers, of which the first is told for many.
private struct AlikeFailures {
  private var counts: [AlikeCause.Key: Int] = [:]
  private var told: Set<AlikeCause.Key> = []

  init(_ failures: [ExpectationResult]) {
    for failure in failures where !failure.isOfWholeScenario {
      counts[Self.key(of: failure), default: 0] += 1
    }
  }

  private static func key(of failure: ExpectationResult) -> AlikeCause.Key {
    AlikeCause.Key(failure: failure.sentence)
  }

  /// How many say the same as a failure beside it; `nil` where each is told.
  private func others(like failure: ExpectationResult) -> Int? {
    guard let count = counts[Self.key(of: failure)], count > AlikeCause.mostToldAlone else {
      return nil
    }
    return count - 1
  }

  /// Whether a failure is told: any, and of many that are alike the first.
  mutating func shows(_ failure: ExpectationResult) -> Bool {
    others(like: failure) == nil || told.insert(Self.key(of: failure)).inserted
  }

  /// How many more say the same.
  func rest(of failure: ExpectationResult) -> String? {
    others(like: failure).map { "and \($0) more fail alike" }
  }
}

/// The runs of each file that were not carried out, of which the first few are told one by one.
private struct RunsWithoutResult {
  private static let shown = 3

  private var files: [(name: String, count: Int)] = []

  /// Whether a failure is told: any that has a result, and the first few of a file that have none.
  mutating func shows(_ failure: ExpectationResult) -> Bool {
    guard failure.isOfWholeScenario else { return true }
    let place = files.firstIndex { $0.name == failure.file } ?? files.count
    if place == files.count { files.append((failure.file, 0)) }
    files[place].count += 1
    return files[place].count <= Self.shown
  }

  /// How many more there are.
  var rest: [String] {
    files.filter { $0.count > Self.shown }.map { file in
      let number = file.count - Self.shown
      return "failed   \(WordList.counted(number, "more run")) of \(file.name) "
        + "\(WordList.verb("has", of: number)) no result."
    }
  }
}
