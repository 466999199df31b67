import Expectations
import Quantities
import StructuredText
import Testing

@testable import Reports

/// Holds the reports against the schema that CI servers share.
///
/// Source: jenkinsci/xunit-plugin, `junit-10.xsd`.
@Suite("JUnit reports are valid")
struct JUnitSchemaTests {
  /// What an element may have.
  private struct Rule {
    var required: Set<String> = []
    var optional: Set<String> = []
    var children: Set<String> = []
    var hasText = false
  }

  private static let rules: [String: Rule] = {
    let trouble = Rule(optional: ["type", "message"], hasText: true)
    let text = Rule(hasText: true)
    return [
      "testsuites": Rule(
        optional: ["name", "time", "tests", "failures", "errors"], children: ["testsuite"]),
      "testsuite": Rule(
        required: ["name", "tests", "failures", "errors"],
        optional: [
          "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log",
          "url",
        ], children: ["testsuite", "properties", "testcase", "system-out", "system-err"]),
      "properties": Rule(children: ["property"]),
      "property": Rule(required: ["name", "value"]),
      "testcase": Rule(
        required: ["name"], optional: ["time", "classname", "group"],
        children: ["skipped", "error", "failure", "system-out", "system-err"]),
      "failure": trouble, "error": trouble, "skipped": trouble, "system-out": text,
      "system-err": text,
    ]
  }()

  /// What breaks the schema, as sentences.
  private static func complaints(_ text: String) throws -> [String] {
    var scanner = XMLScanner(Array(text.utf8), file: "junit.xml")
    var complaints: [String] = []
    var open: [String] = []
    while let piece = try scanner.next() {
      switch piece {
      case .start:
        let name = scanner.name
        if let parent = open.last {
          if Self.rules[parent]?.children.contains(name) != true {
            complaints.append("\(name) in \(parent)")
          }
        } else if name != "testsuites" {
          complaints.append("the root is \(name)")
        }
        let given = Set(scanner.allAttributes.map(\.name))
        let rule = Self.rules[name] ?? Rule()
        complaints += rule.required.subtracting(given).map { "\(name) lacks \($0)" }
        complaints += given.subtracting(rule.required).subtracting(rule.optional).map {
          "\(name) has \($0)"
        }
        for (key, value) in scanner.allAttributes where key == "time" && !isTime(value) {
          complaints.append("\(name) time \(value)")
        }
        open.append(name)
      case .end: open.removeLast()
      case .text:
        let isBlank = scanner.text.allSatisfy { " \n\t".contains($0) }
        if let name = open.last, Self.rules[name]?.hasText != true, !isBlank {
          complaints.append("text in \(name)")
        }
      }
    }
    return complaints
  }

  /// Whether a text is a time of the schema: digits, a point, digits.
  private static func isTime(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }

  @Test("Every outcome, with markup and control characters, keeps to the schema")
  func valid() throws {
    #expect(try Self.complaints(JUnitReport.text(ContinuousIntegrationTests.suites)) == [])
    #expect(try Self.complaints(JUnitReport.text([])) == [])
    let odd = ["<&>\"'", "\u{0}\u{1b}\n\r\t", "]]>", "\u{fffe}é🙂", ""]
    let results = odd.flatMap { text in
      ExpectationResult.Outcome.allCases.flatMap { outcome in
        [true, false].map {
          ExpectationResult(
            outcome, expectation: text, run: text, file: text, isWarning: $0, message: text,
            body: text)
        }
      }
    }
    let suite = ExpectationSuite(
      name: odd[0], file: odd[3], properties: odd.map { .init($0, $0) }, results: results)
    #expect(try Self.complaints(JUnitReport.text([suite, suite])) == [])
  }

  @Test("The counts are those of the cases")
  func counts() throws {
    var scanner = XMLScanner(
      Array(JUnitReport.text(ContinuousIntegrationTests.suites).utf8), file: "junit.xml")
    var stated: [Int] = []
    var found = ["testcase": 0, "failure": 0, "error": 0, "skipped": 0]
    while let piece = try scanner.next() {
      guard piece == .start else { continue }
      found[scanner.name]? += 1
      if scanner.isNamed("testsuite") {
        stated = try ["tests", "failures", "errors", "skipped"].map { (key: String) -> Int in
          let attribute = try #require(scanner.allAttributes.first { $0.name == key })
          return try #require(Int(attribute.value))
        }
      }
    }
    let counted = ["testcase", "failure", "error", "skipped"].compactMap { found[$0] }
    #expect(stated == counted)
  }

  @Test("The check itself finds what is wrong")
  func findsTrouble() throws {
    let wrong = """
      <testsuites skipped="1"><testsuite name="a" tests="1" failures="0" errors="0">\
      <testcase classname="b"><note/></testcase>words</testsuite></testsuites>
      """
    #expect(
      try Self.complaints(wrong) == [
        "testsuites has skipped", "testcase lacks name", "note in testcase", "text in testsuite",
      ])
  }
}
