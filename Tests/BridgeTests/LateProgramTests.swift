import Scenarios
import StructuredText
import Testing

@testable import Bridge

@Suite("What is said of a program that is late, and of an input that cannot be read")
struct LateProgramTests {
  /// A program that says some lines, and then nothing.
  private final class Silent: ProgramLines {
    private var left: [String]

    init(_ lines: [String]) { left = lines }

    func exchange(_ line: String, within limit: Duration) throws(LineFailure) -> [UInt8] {
      guard !left.isEmpty else { throw .timedOut }
      return Array(left.removeFirst().utf8)
    }

    func send(_ line: String) throws(LineFailure) {}
  }

  private func failure(after lines: [String]) -> String {
    var session = ProgramSession(
      Silent(lines), command: "test", spec: .standard, version: "test")
    do {
      try session.greet()
      return ""
    } catch {
      return error.description
    }
  }

  @Test("Who printed text and no message is not told to flush what has come")
  func banner() {
    let said = failure(after: ["Loading the model", "Ready."])
    #expect(said.contains("gave no answer in time"), "\(said)")
    #expect(
      said.hasSuffix(
        "it printed text (\"Ready.\"), and no \"hello\" after that. Print logs to standard error."),
      "\(said)")
    #expect(!said.contains("flush"), "\(said)")
    #expect(failure(after: [""]).contains("it printed an empty line, and no "))
  }

  @Test("Who printed nothing is told of line ends and buffers")
  func nothing() {
    let said = failure(after: [])
    #expect(
      said.hasSuffix("end each message with a line end, and flush standard output after it."),
      "\(said)")
  }

  @Test("All that is missing in an input is told, and of a seed how large it may be")
  func requests() throws {
    var session = BridgeFixture.session([:])
    let empty = try #require(session.ask(line: #"{"type":"predict","input":{}}"#).first)
    let text = try #require(empty.text("text"))
    for key in ["predictionStart", "glucoseHistory", "doses", "target", "maxBasalRate"] {
      #expect(text.contains("\"\(key)\" is missing"), "\(text)")
    }
    #expect(empty.text("path") == "$.input")
    for wrong in [-1, "+5", "-0", "18446744073709551616", ""] as [JSONValue] {
      let seed = session.ask(
        ["type": "reset", "text": .string(BridgeFixture.scenario()), "seed": wrong]
      ).first
      #expect(
        seed?.text("text")
          == "\"seed\" must be a whole number from 0 to 18446744073709551615, or its digits.",
        "\(wrong)")
    }
  }
}
