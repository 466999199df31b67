/// Finds the command that a line of words stands for.
struct Parser {
  let root: any Command.Type
  let width: Int

  /// The command to run.
  ///
  /// Requests for help or the version are answered wherever they stand before a `--`, whatever else
  /// is wrong with the line, but for a verb that does not exist: nobody knows whose help is meant.
  func command(_ words: [String]) throws(CommandLineError) -> any Command {
    var command = root
    var verbs = [root.name]
    var rest = words[...]
    var askedByVerb = false
    /// Takes the word "help" where commands are named: `loopsim help store`, `loopsim store help`.
    func takeHelp() {
      guard !askedByVerb, rest.first == "help", !command.subcommands.isEmpty else { return }
      askedByVerb = true
      rest.removeFirst()
    }
    if rest.first == "version", !root.subcommands.contains(where: { $0.names.contains("version") }),
      let version = root.versionText
    {
      throw .cleanExit(version)
    }
    takeHelp()
    while let word = rest.first, !word.hasPrefix("-"),
      let next = command.subcommands.first(where: { $0.names.contains(word) })
    {
      command = next
      verbs.append(next.name)
      rest.removeFirst()
      takeHelp()
    }
    if let next = command.fileSubcommand, let word = rest.first, !word.hasPrefix("-"),
      word.contains(where: { $0 == "." || $0 == "/" })
    {
      command = next
      verbs.append(next.name)
    }
    // A line without mistakes needs no page.
    let (chosen, spelled) = (command, verbs)
    let makePage = { [root] in chosen.page(verbs: spelled, offersVersion: root.version != nil) }
    if !command.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-") {
      let page = makePage()
      throw command.complaint(about: word).map { page.complaint($0) }
        ?? page.unknownSubcommand(word)
    }
    try answerRequests(in: rest, on: makePage)
    guard !command.subcommands.isEmpty || askedByVerb else {
      return try command.scan(rest, page: makePage)
    }
    let page = makePage()
    try answerCompletionRequest(in: rest, on: page)
    guard let word = rest.first else { throw .cleanExit(help(of: page)) }
    if askedByVerb && command.subcommands.isEmpty {
      throw page.complaint("Unexpected argument '\(word)'")
    }
    let spelling = word.prefix { $0 != "=" }
    throw page.unknownOption(String(spelling))
  }

  private func help(of page: CommandPage) -> String {
    HelpText(page: page).rendered(width: width)
  }

  private func answerRequests(
    in words: ArraySlice<String>, on page: () -> CommandPage
  ) throws(CommandLineError) {
    for word in words.prefix(while: { $0 != "--" }) {
      if word == "--help" || word == "-h" { throw .cleanExit(help(of: page())) }
      if word == "--version", let version = root.versionText { throw .cleanExit(version) }
    }
  }

  private func answerCompletionRequest(
    in words: ArraySlice<String>, on page: CommandPage
  ) throws(CommandLineError) {
    let option = "--generate-completion-script"
    guard page.verbs.count == 1, let first = words.first else { return }
    let shell: String?
    if first == option {
      shell = words.dropFirst().first
    } else if first.hasPrefix("\(option)=") {
      shell = String(first.dropFirst(option.count + 1))
    } else {
      return
    }
    guard let shell, !shell.isEmpty else {
      throw page.complaint("Missing value for '\(option) <shell>'")
    }
    guard let known = CompletionShell(rawValue: shell) else {
      throw page.complaint(
        "The value '\(shell)' is invalid for '\(option) <shell>'"
          + Wording.choices(CompletionShell.allowedWords))
    }
    throw .cleanExit(CompletionScript(of: root).text(for: known))
  }
}
