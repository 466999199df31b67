import StructuredText
import Testing

@Suite("Text that must not be obeyed")
struct InertTextTests {
  @Test(
    "Control characters and characters of direction are shown",
    arguments: [
      ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\u{0}b\u{7F}", "a\\u{0}b\\u{7F}"),
      ("\u{9B}2J", "\\u{9B}2J"), ("a\u{202E}b\u{2066}", "a\\u{202E}b\\u{2066}"),
      ("a\u{61C}b", "a\\u{61C}b"),
      ("a\r\nb\tc", "a\\r\\nb\\tc"), ("\u{2028}", "\\u{2028}"), ("plain äöü → 漢", "plain äöü → 漢"),
    ])
  func shown(text: String, expected: String) {
    #expect(InertText.line(text) == expected)
  }

  @Test("JSON says the same where what could be obeyed is an escape")
  func json() throws {
    let value: JSONValue = ["a\u{202E}": "b\u{9B}\u{FEFF} – 漢", "c": 1]
    let text = InertText.json(JSONWriter().text(value))
    #expect(text == "{\n  \"a\\u202e\": \"b\\u009b\\ufeff – 漢\",\n  \"c\": 1\n}\n")
    #expect(JSONValue(try #require(JSONReader.read(text: text, file: "").root)) == value)
  }

  @Test("Several lines stay, and none of them is an order to a service that runs checks")
  func orders() {
    let text = "a\n::error::x\n  ::set-env name=a::b\n##[group]y\n##vso[task]z\n## Head\n\tb: c::d"
    let shown = InertText.lines(text).split(separator: "\n").map(String.init)
    #expect(
      shown == [
        "a", "\\u{3A}:error::x", "  \\u{3A}:set-env name=a::b", "\\u{23}#[group]y",
        "\\u{23}#vso[task]z", "## Head", "\tb: c::d",
      ])
    #expect(InertText.line("::error::x") == "\\u{3A}:error::x")
  }

  @Test("A problem is one line, whatever its file is called")
  func problem() {
    let problem = TextProblem(
      at: TextPosition(file: "a\n::error::b", line: 1, column: 2), "\u{1B}]0;title\u{7} is wrong.")
    #expect(
      problem.description
        == "a\\n::error::b:1:2: error: \\u{1B}]0;title\\u{7} is wrong.")
  }

  @Test("Cells that a spreadsheet would execute get an apostrophe, numbers do not")
  func formulas() {
    var writer = CSVWriter(header: ["name", "value"])
    writer.append(row: ["=cmd|' /C calc'!A0", "-4.5"])
    writer.append(row: ["@SUM(A1)", "+1+1"])
    writer.append(row: ["plain, \"quoted\"", ""])
    let safe = CSVWriter.withoutFormulas(writer.text)
    #expect(
      safe == "name,value\n'=cmd|' /C calc'!A0,-4.5\n'@SUM(A1),'+1+1\n\"plain, \"\"quoted\"\"\",\n")
    #expect(CSVWriter.withoutFormulas(safe) == safe)
  }
}
