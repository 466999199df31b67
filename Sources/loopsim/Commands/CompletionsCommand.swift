import Arguments

/// Prints the script that makes a shell complete loopsim's words.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let abstract = "Print the script that makes a shell complete loopsim's words."
  static let discussion = """
    For this session: source <(loopsim completions bash)
    For zsh: source <(loopsim completions zsh)
    For fish: loopsim completions fish | source

    With --man it prints the manual page instead, for share/man/man1/loopsim.1.
    """

  var shell: CompletionShell?
  var isManual = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("shell", \.shell, help: "The shell to write for; bash unless given.")
    it.flag("man", \.isManual, help: "Print the manual page instead.")
  }

  func validate() throws {
    if isManual, let shell {
      throw ValidationError("The manual page is for no shell: leave out \(shell.word) or --man.")
    }
  }

  func run(to console: any Console) async throws {
    if isManual {
      console.write(ManualPage(of: Loopsim.self).text, to: .output)
      return
    }
    console.print(CompletionScript(of: Loopsim.self).text(for: shell ?? .bash))
  }
}
