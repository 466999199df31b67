extension CompletionScript {
  /// The script for fish: verbs, options and values, each with what it means.
  var fish: String {
    let name = root.name
    var lines = [
      "# Completes \(name) in fish. Load it with: \(name) completions fish | source",
      "function \(fishFunction)", "  set -l verb \(name)",
      "  for word in (commandline -opc)", "    switch \"$verb $word\"",
    ]
    for page in pages {
      for entry in page.subcommands {
        let patterns = entry.names.map { "'\(page.path) \($0)'" }.joined(separator: " ")
        lines.append("      case \(patterns); set verb '\(page.path) \(entry.names[0])'")
      }
      if let file = page.fileSubcommand {
        // The first pattern that fits counts, so that an option is none of a file.
        lines.append("      case '\(page.path) -*'")
        lines.append(
          "      case '\(page.path) *.*' '\(page.path) */*'; set verb '\(page.path) \(file)'")
      }
    }
    lines += [
      "    end", "  end", "  test \"$verb\" = \"$argv\"", "end",
      "complete -c \(name) -s h -l help -d '\(CommandPage.helpMeaning)'",
      "complete -c \(name) -f -n '\(fishFunction) \(name)' -a help -d '\(Self.helpVerbMeaning)'",
    ]
    if root.version != nil {
      lines.append("complete -c \(name) -l version -d '\(CommandPage.versionMeaning)'")
    }
    for page in pages {
      let condition = "\(fishFunction) \(page.path)"
      for entry in page.subcommands {
        for word in entry.names {
          let text = Self.quoted(entry.abstract)
          // Where a file may stand too, files are offered beside the verbs.
          let only = page.fileSubcommand == nil ? " -f" : ""
          lines.append("complete -c \(name)\(only) -n '\(condition)' -a \(word) -d '\(text)'")
        }
      }
      for facts in page.parameters where !facts.isPositional {
        for spelling in facts.spellings where spelling.hasPrefix("--") {
          var line = "complete -c \(name) -n '\(condition)' -l \(spelling.dropFirst(2))"
          if let short = facts.short { line += " -s \(short)" }
          line += " -d '\(Self.quoted(facts.help))'"
          if !facts.isFlag {
            line +=
              facts.allowedWords.isEmpty
              ? " -r" : " -x -a '\(facts.allowedWords.joined(separator: " "))'"
          }
          lines.append(line)
        }
      }
      for facts in page.parameters where facts.isPositional && !facts.allowedWords.isEmpty {
        let words = facts.allowedWords.joined(separator: " ")
        lines.append("complete -c \(name) -f -n '\(condition)' -a '\(words)'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The function that tells fish whether the words so far lead to a command.
  private var fishFunction: String {
    "__" + String(root.name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) + "_at"
  }

  private static let helpVerbMeaning = "Show help of a command."

  /// The script for zsh's own completion, with a description beside every word.
  var zsh: String {
    let name = root.name
    let function = "_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    var lines = [
      "#compdef \(name)",
      "# Completes \(name) in zsh. Load it with: source <(\(name) completions zsh)",
      "\(function)() {", "  local verb=\"\(name)\" index word",
      "  local -a entries options",
      "  for ((index = 2; index < CURRENT; index++)); do",
      "    case \"$verb ${words[index]}\" in",
    ]
    lines += pages.flatMap(Self.transitions).map { "      \($0)" }
    lines += ["    esac", "  done", "  case \"$verb\" in"]
    for page in pages { lines += zshArm(page) }
    lines += [
      "  esac", "  if [[ ${words[CURRENT]} == -* ]]; then _describe option options",
      "  elif (( ${#entries} )); then _describe word entries || _files; else _files; fi", "}",
      "compdef \(function) \(name)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func zshArm(_ page: CommandPage) -> [String] {
    // The first colon ends the word; those behind it are of the text.
    func described(_ word: String, _ text: String) -> String {
      "'\(Self.quoted(word)):\(Self.quoted(text))'"
    }
    var entries = page.subcommands.flatMap { entry in
      entry.names.map { described($0, entry.abstract) }
    }
    entries += page.parameters.filter(\.isPositional).flatMap { facts in
      facts.allowedWords.map { described($0, facts.help) }
    }
    if page.verbs.count == 1 { entries.append(described("help", Self.helpVerbMeaning)) }
    var options = page.parameters.filter { !$0.isPositional }.flatMap { facts in
      facts.spellings.map { described($0, facts.help) }
    }
    options += page.commonOptions.map {
      described($0, $0 == "--version" ? CommandPage.versionMeaning : CommandPage.helpMeaning)
    }
    var lines = ["    \"\(page.path)\")"]
    let values = page.parameters.filter { $0.kind == .option && !$0.allowedWords.isEmpty }
    if !values.isEmpty {
      lines.append("      case ${words[CURRENT-1]} in")
      for facts in values {
        let words = facts.allowedWords.map { "'\($0)'" }.joined(separator: " ")
        lines.append(
          "        \(facts.spellings.joined(separator: "|"))) compadd -- \(words); return ;;")
      }
      lines.append("      esac")
    }
    lines.append("      entries=(\(entries.joined(separator: " ")))")
    lines.append("      options=(\(options.joined(separator: " "))) ;;")
    return lines
  }

  /// Text within single quotes.
  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "'\\''")
  }
}
