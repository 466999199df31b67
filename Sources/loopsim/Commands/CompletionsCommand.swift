import Arguments

/// Prints the script that makes a shell complete loopsim's words.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let abstract = "Print the script that makes a shell complete loopsim's words."
  static let discussion = """
    For this session: source <(loopsim completions bash)
    For zsh: source <(loopsim completions zsh)
    """

  var shell = CompletionShell.bash

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("shell", \.shell, isRequired: false, help: "The shell to write for.")
  }

  func run(to console: any Console) async throws {
    console.print(CompletionScript(of: Loopsim.self).text(for: shell))
  }
}
