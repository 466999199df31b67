public import Expectations
internal import Simulation
internal import StructuredText

/// Writes the results of expectations in the Test Anything Protocol, version 13.
///
/// Readers of version 14 take 13 as well, and Perl's `prove` takes nothing later.
public enum TAPReport {
  /// The stream of all suites: one test point for each expectation of a run.
  ///
  /// What went wrong in the runs of a suite stands in comments before its points.
  public static func text(_ suites: [ExpectationSuite]) -> String {
    var text = "TAP version 13\n1..\(suites.reduce(0) { $0 + $1.results.count })\n"
    var number = 0
    for suite in suites {
      for trouble in suite.troubles {
        text += "# went wrong in \(oneLine(trouble.run)): \(oneLine(trouble.trouble.sentence))\n"
      }
      for result in suite.results {
        number += 1
        text += point(number, result)
      }
    }
    return text
  }

  private static func point(_ number: Int, _ result: ExpectationResult) -> String {
    let isFine = result.outcome == .passed || result.outcome == .skipped || result.isWarning
    var text = "\(isFine ? "ok" : "not ok") \(number) - \(escaped(result.title))"
    if result.outcome == .skipped { text += " # SKIP \(oneLine(result.message))" }
    text += "\n"
    if result.holdsInPart {
      text += "# \(oneLine(result.title)) holds in part: \(oneLine(result.remark))\n"
    }
    if result.outcome == .failed || result.outcome == .error { text += diagnostic(result) }
    return text
  }

  private static func diagnostic(_ result: ExpectationResult) -> String {
    var text = "  ---\n"
    text += "  message: \(quoted(result.message))\n"
    text += "  severity: \(result.isWarning ? "warning" : result.outcome.rawValue)\n"
    let place = result.line.map { ":\($0)" } ?? ""
    text += "  at: \(quoted(result.fileOfPlace + place))\n"
    if !result.details.isEmpty {
      text += "  detail: |\n"
      // The first line says how far all are indented, so that it begins with no blank.
      if result.details.first(where: { $0 != "\n" }) == " " {
        text += "    \(oneLine(result.title))\n"
      }
      for line in result.details.split(separator: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "    \(InertText.line(String(line)))\n"
      }
    }
    return text + "  ...\n"
  }

  private static func quoted(_ text: String) -> String {
    let inner = oneLine(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(inner)\""
  }

  private static func escaped(_ text: String) -> String {
    oneLine(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  private static func oneLine(_ text: String) -> String {
    InertText.line(String(text.map { $0.isNewline ? " " : $0 }))
  }
}

/// Writes failed expectations as workflow commands that GitHub shows at the line of the file.
public enum GitHubAnnotations {
  /// One line for each result that is not fine, or holds in part, and one for each run in which
  /// something went wrong; empty when there is neither.
  ///
  /// What several runs say of one place in one sentence, such as a wrong key, is one line.
  public static func text(_ suites: [ExpectationSuite]) -> String {
    suites.reduce(into: "") { text, suite in
      var counts: [ExpectationResult: Int] = [:]
      for result in suite.results { counts[withoutRun(result), default: 0] += 1 }
      for result in suite.results {
        if let count = counts.removeValue(forKey: withoutRun(result)) {
          text += line(result, count: count)
        }
      }
      text += troubleLines(suite)
    }
  }

  /// What an annotation says of a result beside its run.
  private static func withoutRun(_ result: ExpectationResult) -> ExpectationResult {
    var other = ExpectationResult(
      result.outcome, expectation: result.expectation, run: "", file: result.file,
      line: result.line, column: result.column, isWarning: result.isWarning,
      message: result.message)
    other.source = result.source
    other.remark = result.remark
    other.others = result.others
    return other
  }

  private static func troubleLines(_ suite: ExpectationSuite) -> String {
    var runs: [String] = []
    for trouble in suite.troubles where runs.last != trouble.run { runs.append(trouble.run) }
    return runs.reduce(into: "") { text, run in
      let lines = suite.troubles.filter { $0.run == run }.map(\.trouble.sentence)
      let title = escaped("went wrong in \(run)", isProperty: true)
      text += "::warning file=\(escaped(suite.file, isProperty: true)),line=1,title=\(title)::"
      text += escaped(lines.joined(separator: "\n")) + "\n"
    }
  }

  private static func line(_ result: ExpectationResult, count: Int) -> String {
    let level: String
    switch result.outcome {
    case .passed where !result.holdsInPart: return ""
    case .passed, .skipped: level = "notice"
    case .failed, .error: level = result.isWarning ? "warning" : "error"
    }
    let others = count > 1 ? " and \(count - 1) more" : ""
    var properties = "title=\(escaped(result.title + others, isProperty: true))"
    // What is about no file, such as a batch that was interrupted, has no place.
    if !result.file.isEmpty {
      let column = result.column.map { ",col=\($0)" } ?? ""
      // Without a line some readers show nothing.
      properties =
        "file=\(escaped(result.fileOfPlace, isProperty: true)),line=\(result.line ?? 1)\(column),"
        + properties
    }
    return "::\(level) \(properties)::\(escaped(result.messages))\n"
  }

  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result += InertText.line(String(scalar))
      }
    }
    return result
  }
}
