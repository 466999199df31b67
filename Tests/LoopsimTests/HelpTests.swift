import Arguments
import Testing

@testable import loopsim

@Suite("Help of every command")
struct CommandHelpTests {
  /// A command and the words that lead to it.
  struct Entry: Sendable, CustomTestStringConvertible {
    let command: any Command.Type
    let verbs: [String]
    var testDescription: String { verbs.joined(separator: " ") }
  }

  static let entries = below(Loopsim.self, verbs: [])

  private static func below(_ command: any Command.Type, verbs: [String]) -> [Entry] {
    command.subcommands.flatMap { inner in
      let words = verbs + [inner.name]
      return [Entry(command: inner, verbs: words)] + below(inner, verbs: words)
    }
  }

  @Test("Names are words that can be typed, and no two commands share one")
  func namesAreDistinct() {
    let names: [String] = Self.entries.filter { $0.verbs.count == 1 }.map(\.command)
      .flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(name)") }
    #expect(!names.contains("help"))
  }

  @Test("A command says in one sentence what it does", arguments: entries)
  func hasAbstract(entry: Entry) {
    #expect(entry.command.abstract.hasSuffix("."))
    #expect(entry.command.abstract.first?.isUppercase == true)
    #expect(entry.command.abstract.count <= 100)
  }

  @Test("Its help fits a terminal, and every line of it is explained", arguments: entries)
  func helpFits(entry: Entry) async {
    let console = QuietConsole()
    let code = await Loopsim.run(entry.verbs + ["--help"], to: console)
    let text = console.output
    #expect(code == 0)
    #expect(console.error.isEmpty)
    let lines = text.split(separator: "\n")
    for line in lines where !line.hasPrefix("USAGE: ") {
      #expect(line.count <= 80, "\(line)")
    }
    for index in lines.indices where lines[index].hasPrefix("  -") || lines[index].hasPrefix("  <")
    {
      let isExplained = lines[index].count > 26 || lines[index + 1].hasPrefix("      ")
      #expect(isExplained, "\(lines[index])")
    }
    #expect(!text.contains("  --help"), "The program answers --help itself.")
  }
}
