import Foundation
import Testing

@testable import loopsim

/// What the documents tell people to type is what the program takes.
@Suite("Commands and snippets of the documents")
struct DocumentCommandTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private static let documents =
    ["README.md", "Sources/python/README.md"]
    + ["GUIDE", "RECORDS", "BRIDGE", "OUTPUT", "PROMISES", "SECURITY", "README"].map {
      "Scenarios/\($0).md"
    }

  private static func text(of document: String) throws -> String {
    String(decoding: try Files.read("\(root)/\(document)"), as: UTF8.self)
  }

  /// The pieces of code within sentences, each on one line.
  private static func inlineCode(of text: String) -> [String] {
    let prose = text.replacing(/(?ms)^```.*?^```/, with: "")
    return prose.matches(of: /`([^`]+)`/).map { String($0.1).replacing("\n", with: " ") }
  }

  /// The lines of blocks of code, fenced or indented.
  private static func lines(of text: String) -> [String] {
    let joined = text.replacing(/[ ]*\\\n[ ]*/, with: " ")
    let fenced = joined.matches(of: /(?ms)^```(?:sh|console)\n(.*?)^```/).flatMap {
      $0.1.split(separator: "\n").map(String.init)
    }
    return fenced + joined.matches(of: /(?m)^    (\S.*)$/).map { String($0.1) }
  }

  /// What stands behind the name of the program, up to a remark or another command.
  private static func words(of line: String) -> [String]? {
    guard let command = line.firstMatch(of: /(?:^|[\s\/])loopsim ([a-z-][^#;|]*)/) else {
      return nil
    }
    return command.1.split(separator: " ").map(String.init)
  }

  @Test("Every command in them is one of the program's, with options that it has")
  func commands() async throws {
    var count = 0
    for document in Self.documents {
      let text = try Self.text(of: document)
      let code = Self.inlineCode(of: text).filter { $0.hasPrefix("loopsim ") }
      let lines = Self.lines(of: text).filter { $0.contains(/^(\$ )?(\S+=\S+ )*\S*loopsim [a-z-]/) }
      for line in code + lines {
        guard let words = Self.words(of: line), let first = words.first, !first.hasPrefix("-")
        else { continue }
        let verbs = CommandHelpTests.entries.map(\.verbs)
          .filter { words.starts(with: $0) }.max { $0.count < $1.count }
        let known = try #require(verbs, "\(document): \(line)")
        var help = await program(known + ["--help"]).output
        // The verb may be left out.
        if known == ["study"] { help += await program(["study", "start", "--help"]).output }
        for option in words where option.hasPrefix("--") {
          let name = option.prefix { $0 != "=" }
          #expect(help.contains("\(name) ") || help.contains("\(name)]"), "\(document): \(line)")
          count += 1
        }
      }
    }
    #expect(count > 40)
  }

  @Test("The list of exit codes has each of them")
  func exitCodes() throws {
    let text = try Self.text(of: "README.md")
    let start = try #require(text.range(of: "Exit codes: ")).lowerBound
    let end = try #require(text[start...].range(of: "\n\n")).lowerBound
    for code in (Int32(0)...255).compactMap(ExitCode.init(rawValue:)) {
      #expect(text[start..<end].contains(try Regex("[ \\n]\(code.rawValue)[ \\n]")), "\(code)")
    }
  }

  /// A folder with what snippets need around them.
  private func surroundings() throws -> Scratch {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        therapy: { basal: [['00:00', 1.25]], sensitivity: [['00:00', 40]],
          carbRatio: [['00:00', 10]] } }
      """, to: scratch.file("base.json5"))
    try Files.write(
      "id,patient\n" + (1...5).map { "p\($0),adult#00\($0)\n" }.joined(),
      to: scratch.file("adults.csv"))
    return scratch
  }

  /// Whether a scenario with these members has no error.
  private func isScenario(_ members: String, extending base: Bool, in scratch: Scratch)
    async throws -> Bool
  {
    let file = scratch.file("snippet.json5")
    let head = base ? "extends: 'base.json5'," : ""
    try Files.write("{ format: 'loopsim/1', id: 'snippet', \(head)\n\(members)\n}", to: file)
    return await program(["check", file]).code == 0
  }

  @Test("The scenarios that BRIDGE.md shows a part of are without errors")
  func bridge() async throws {
    let text = try Self.text(of: "Scenarios/BRIDGE.md")
    let blocks = text.matches(of: /(?ms)^```json5\n(.*?)^```/).map { String($0.1) }
    #expect(blocks.count == 2)
    let scratch = try surroundings()
    for block in blocks {
      let isBody = block.contains("patient:")
      let people = "cohort: { from: 'adults.csv', columns: { patient: 'patient.name' } },\n"
      let text = (isBody ? "" : people) + block
      #expect(try await isScenario(text, extending: !isBody, in: scratch), "\(block)")
    }
  }

  @Test("Each value within a sentence of GUIDE.md is one that a scenario may have at its place")
  func snippets() async throws {
    let text = try Self.text(of: "Scenarios/GUIDE.md")
    let prose = try #require(text.components(separatedBy: "<!-- keys -->").first)
    let scratch = try surroundings()
    var count = 0
    for snippet in Self.inlineCode(of: prose)
    // Parts that stand for others, such as `{ from, to, step }`, are no values.
    where snippet.contains("{") && snippet.contains(": ")
      && !snippet.contains(/…|\$|[{\[,] ?[a-z]+ ?[,}\]]/)
    {
      let inner =
        snippet.hasPrefix("{ ") ? String(snippet.dropFirst(2).dropLast(2)) : snippet
      let places = [
        snippet, "events: [\(snippet)]", "events: [{ at: '10:00', \(inner) }]",
        "events: [{ at: '10:00', remote: \(snippet) }]",
        "faults: [{ during: ['10:00', '1h'], \(inner) }]", "expect: [{ id: 'x', \(inner) }]",
      ]
      var fits = false
      for place in places where !fits {
        fits = try await isScenario(place, extending: true, in: scratch)
      }
      #expect(fits, "\(snippet)")
      count += 1
    }
    #expect(count >= 14)
  }
}
