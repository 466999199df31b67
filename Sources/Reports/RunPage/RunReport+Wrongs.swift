internal import Outcomes
internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText

extension RunReport {
  /// What went wrong in the run, a sentence each, the gravest first.
  var wrongs: [String] {
    var lines: [String] = []
    if let end = summary.lethalLine { lines.append(end) }
    lines += run.violations.map { "\(clock($0.instant)) \($0.name): \($0.text)" }
    lines += summary.expectations.filter { $0.outcome != .passed && !$0.isWarning }.map {
      "Expectation \($0.expectation): \($0.message)"
    }
    lines += run.trace.happenings.filter { $0.kind == .alert }.map {
      "\(date($0.instant, withYear: false)) \(clock($0.instant)) \($0.text)"
    }
    let missed = run.cycles.due - run.cycles.completed
    if missed > 0 {
      let reasons = summary.measurements.loop.failures
      let first = reasons.first.map { " (\($0.reason))" } ?? ""
      lines.append("\(missed) of \(run.cycles.due) cycles came to no decision\(first).")
    }
    return lines
  }
}
