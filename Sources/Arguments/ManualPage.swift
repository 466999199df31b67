/// The manual page of a program, as `man` reads it (troff with the `man` macros).
public struct ManualPage {
  private let root: any Command.Type
  private var pages: [CommandPage] = []

  /// Creates the page of a program with all its commands.
  public init(of root: any Command.Type) {
    self.root = root
    collect(root, verbs: [root.name])
  }

  private mutating func collect(_ command: any Command.Type, verbs: [String]) {
    pages.append(command.page(verbs: verbs, offersVersion: root.version != nil))
    for inner in command.subcommands { collect(inner, verbs: verbs + [inner.name]) }
  }

  /// The page's text; the same for the same program.
  public var text: String {
    let name = root.name
    let title = Self.escaped(name).uppercased()
    var lines = [
      ".TH \(title) 1 \"\" \"\(name) \(root.version ?? "")\" \"User Commands\"",
      ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(root.abstract))", ".SH SYNOPSIS",
      ".B \(Self.escaped(name))", ".I subcommand", "[options]", ".SH DESCRIPTION",
    ]
    lines += paragraphs(root.discussion)
    lines.append(".SH COMMANDS")
    for page in pages.dropFirst() {
      lines += [".SS \(Self.escaped(page.path))", Self.escaped(page.abstract)]
      lines += [".PP", ".B \(Self.escaped(page.usage))"]
      lines += paragraphs(page.discussion).isEmpty ? [] : [".PP"] + paragraphs(page.discussion)
      for facts in page.parameters {
        lines += [".TP", ".B \(Self.escaped(facts.label))", Self.escaped(facts.description)]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func paragraphs(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(line.isEmpty ? ".PP" : Self.escaped(String(line)))
    }
    return lines
  }

  /// Text in which nothing is a request: backslashes, hyphens, and dots or quotes that begin a
  /// line.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
