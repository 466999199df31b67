public import Scenarios
internal import StructuredText

/// Writes the results of expectations in the Test Anything Protocol, version 13.
///
/// Readers of version 14 take 13 as well, and Perl's `prove` takes nothing later.
public enum TAPReport {
  /// The stream of all suites: one test point for each expectation of a run.
  public static func text(_ suites: [ExpectationSuite]) -> String {
    let results = suites.flatMap(\.results)
    var text = "TAP version 13\n1..\(results.count)\n"
    for (index, result) in results.enumerated() {
      let isFine = result.outcome == .passed || result.outcome == .skipped || result.isWarning
      text += "\(isFine ? "ok" : "not ok") \(index + 1) - \(escaped(result.title))"
      if result.outcome == .skipped { text += " # SKIP \(oneLine(result.message))" }
      text += "\n"
      if result.outcome == .failed || result.outcome == .error { text += diagnostic(result) }
    }
    return text
  }

  private static func diagnostic(_ result: ExpectationResult) -> String {
    var text = "  ---\n"
    text += "  message: \(quoted(result.message))\n"
    text += "  severity: \(result.isWarning ? "warning" : result.outcome.rawValue)\n"
    let place = result.line.map { ":\($0)" } ?? ""
    text += "  at: \(quoted(result.file + place))\n"
    if !result.details.isEmpty {
      text += "  detail: |\n"
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
  /// One line for each result that is not fine; empty when all passed.
  public static func text(_ suites: [ExpectationSuite]) -> String {
    suites.flatMap(\.results).reduce(into: "") { $0 += line($1) }
  }

  private static func line(_ result: ExpectationResult) -> String {
    let level: String
    switch result.outcome {
    case .passed: return ""
    case .skipped: level = "notice"
    case .failed, .error: level = result.isWarning ? "warning" : "error"
    }
    var properties = "file=\(escaped(result.file, isProperty: true))"
    if let line = result.line { properties += ",line=\(line)" }
    if let column = result.column { properties += ",col=\(column)" }
    properties += ",title=\(escaped(result.title, isProperty: true))"
    return "::\(level) \(properties)::\(escaped(result.message))\n"
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
