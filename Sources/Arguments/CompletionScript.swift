/// A shell for which a completion script can be written.
public enum CompletionShell: String, ArgumentValue, CaseIterable, Sendable {
  /// The shell by its name.
  case bash, zsh, fish
}

/// The script that makes a shell complete a program's verbs, options and closed sets of values.
///
/// Where nothing of that fits, the shell offers files.
public struct CompletionScript {
  let root: any Command.Type
  private(set) var pages: [CommandPage] = []

  /// Creates the script for a program.
  public init(of root: any Command.Type) {
    self.root = root
    collect(root, verbs: [root.name])
  }

  /// The script's text.
  public func text(for shell: CompletionShell) -> String {
    switch shell {
    case .bash: script
    case .zsh: zsh
    case .fish: fish
    }
  }

  private mutating func collect(_ command: any Command.Type, verbs: [String]) {
    pages.append(command.page(verbs: verbs, offersVersion: root.version != nil))
    for inner in command.subcommands { collect(inner, verbs: verbs + [inner.name]) }
  }

  private var script: String {
    let name = root.name
    let function = "_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return """
      # Completes \(name) in bash. Load it with: source <(\(name) completions bash)
      \(function)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local verb="\(name)" words="" index
        # The shell takes "--name=value" apart into three words.
        if [ "$previous" = "=" ]; then
          previous="${COMP_WORDS[COMP_CWORD-2]}"
        elif [ "$current" = "=" ]; then
          current=""
        fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          case "$verb ${COMP_WORDS[index]}" in
      \(lines(transitions, indent: 6))
          esac
        done
        case "$verb" in
      \(lines(pages.flatMap(arm), indent: 4))
        esac
        COMPREPLY=( $(compgen -W "$words" -- "$current") )
      }
      complete -o default -F \(function) \(name)
      """
  }

  /// The arms that lead from one verb to the next.
  private var transitions: [String] {
    pages.flatMap(Self.transitions) + ["\"\(root.name) help\") ;;"]
  }

  /// The arms that lead from one verb to those below it, for bash and zsh: one of each name, and
  /// one of a file in place of a name, which is no option and has a point or a slash.
  static func transitions(from page: CommandPage) -> [String] {
    var arms = page.subcommands.map { entry in
      let patterns = entry.names.map { "\"\(page.path) \($0)\"" }.joined(separator: "|")
      return "\(patterns)) verb=\"\(page.path) \(entry.names[0])\" ;;"
    }
    if let name = page.fileSubcommand {
      let patterns = ["[./]*", "[!-]*[./]*"].map { "\"\(page.path) \"\($0)" }
      arms.append("\(patterns.joined(separator: "|"))) verb=\"\(page.path) \(name)\" ;;")
    }
    return arms
  }

  /// The arm that offers words behind one verb.
  private func arm(for page: CommandPage) -> [String] {
    guard page.subcommands.isEmpty else {
      let verbs = page.subcommands.flatMap(\.names)
      let help = page.verbs.count == 1 ? ["help"] : []
      let words = (verbs + help + page.commonOptions).joined(separator: " ")
      return ["\"\(page.path)\") words=\"\(words)\" ;;"]
    }
    var lines = ["\"\(page.path)\")", "  case \"$previous\" in"]
    for facts in page.parameters where facts.kind == .option {
      let patterns = facts.spellings.joined(separator: "|")
      let values = facts.allowedWords.joined(separator: " ")
      lines.append("    \(patterns)) words=\"\(values)\" ;;")
    }
    let options = page.parameters.flatMap(\.spellings) + page.commonOptions
    let places = page.parameters.filter(\.isPositional).flatMap(\.allowedWords)
    return lines + [
      "    *)",
      "      case \"$current\" in",
      "        -*) words=\"\(options.joined(separator: " "))\" ;;",
      "        *) words=\"\(places.joined(separator: " "))\" ;;",
      "      esac ;;",
      "  esac ;;",
    ]
  }

  private func lines(_ lines: [String], indent: Int) -> String {
    lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
  }
}
