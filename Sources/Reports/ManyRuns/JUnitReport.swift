public import Expectations
internal import Simulation

/// Writes the results of expectations as JUnit XML, the form that CI servers read.
///
/// One `testsuite` stands for a scenario file and one `testcase` for an expectation of a run. The
/// elements and attributes are those of the schema of the Jenkins xUnit plug-in (`junit-10.xsd`),
/// without its times: the same runs give the same bytes.
public enum JUnitReport {
  /// The XML document of the suites.
  public static func text(_ suites: [ExpectationSuite]) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let results = suites.flatMap(\.results)
    text += "<testsuites name=\"loopsim\"\(counts(results))>\n"
    for suite in suites { text += self.text(suite) }
    return text + "</testsuites>\n"
  }

  private static func text(_ suite: ExpectationSuite) -> String {
    var text = "  <testsuite name=\(quoted(suite.name)) file=\(quoted(suite.file))"
    text += "\(counts(suite.results)) skipped=\"\(suite.count(.skipped))\">\n"
    let properties =
      suite.properties
      + suite.troubles.map { .init("went wrong in \($0.run)", $0.trouble.sentence) }
    if !properties.isEmpty {
      text += "    <properties>\n"
      for property in properties {
        text += "      <property name=\(quoted(property.name)) value=\(quoted(property.value))/>\n"
      }
      text += "    </properties>\n"
    }
    for result in suite.results { text += self.text(result) }
    return text + "  </testsuite>\n"
  }

  private static func text(_ result: ExpectationResult) -> String {
    let head =
      "    <testcase classname=\(quoted(result.run)) name=\(quoted(result.expectation))"
    switch result.outcome {
    case .passed where result.holdsInPart:
      let note = escaped("holds in part: \(result.remark)")
      return head + ">\n      <system-out>\(note)</system-out>\n    </testcase>\n"
    case .passed: return head + "/>\n"
    case .skipped:
      return head + ">\n      <skipped message=\(quoted(result.message))/>\n    </testcase>\n"
    case .failed where result.isWarning, .error where result.isWarning:
      let note = "warning: \(result.message)\n\(result.details)"
      return head + ">\n      <system-out>\(escaped(note))</system-out>\n    </testcase>\n"
    case .failed, .error:
      let element = result.outcome == .failed ? "failure" : "error"
      let type = result.outcome == .failed ? "expectation" : "run"
      return head
        + ">\n      <\(element) message=\(quoted(result.message)) type=\"\(type)\">"
        + "\(escaped(result.details))</\(element)>\n    </testcase>\n"
    }
  }

  private static func counts(_ results: [ExpectationResult]) -> String {
    let failures = results.count { $0.outcome == .failed && !$0.isWarning }
    let errors = results.count { $0.outcome == .error && !$0.isWarning }
    return " tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text, isAttribute: true))\"" }

  /// The text with markup escaped and characters that XML 1.0 forbids replaced by U+FFFD.
  private static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where isAttribute: result += "&quot;"
      case "\n" where isAttribute: result += "&#10;"
      case "\t" where isAttribute: result += "&#9;"
      case "\r": result += "&#13;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        let isForbidden = scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff
        result.unicodeScalars.append(isForbidden ? "\u{fffd}" : scalar)
      }
    }
    return result
  }
}
