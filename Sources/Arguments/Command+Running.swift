extension Command {
  /// The exit code for words that are wrong, as in `sysexits.h`.
  private static var usageCode: Int32 { 64 }

  /// Runs the program on its words, without its own name, and returns the exit code.
  public static func run(_ words: [String], to console: any Console) async -> Int32 {
    do {
      let command = try Parser(root: self, width: console.width).command(words)
      try await command.run(to: console)
      return 0
    } catch let error as CommandLineError {
      return report(error, to: console)
    } catch {
      console.note(announced("\(error)"))
      return exitCode(for: error)
    }
  }

  /// A message as an error; one that begins with the place of an error, as compilers' do, says
  /// already that it is one.
  private static func announced(_ message: String) -> String {
    let first = message.prefix { !$0.isNewline }
    return first.contains(": error: ") ? message : "Error: \(message)"
  }

  private static func report(_ error: CommandLineError, to console: any Console) -> Int32 {
    switch error {
    case .cleanExit(let text):
      console.print(text)
      return 0
    case .exitCode(let code):
      return code
    case .usage(let message, let help, let usage):
      console.note("Error: \(message)")
      if let help { console.note("Help:  \(help)") }
      console.note(usage)
      return usageCode
    }
  }
}
