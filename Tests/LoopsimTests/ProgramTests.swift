import Arguments
import Testing

@testable import loopsim

@Suite("The program")
struct ProgramTests {
  @Test("Without a word it prints its help and ends well")
  func printsHelp() throws {
    let result = try Binary.run([])
    #expect(result.code == 0)
    #expect(result.error.isEmpty)
    #expect(result.output.hasPrefix("OVERVIEW: "))
    #expect(result.output.contains("not a medical device"))
    for command in Loopsim.subcommands { #expect(result.output.contains("\n  \(command.name) ")) }
  }

  @Test("Its version says which forms of files it reads and writes")
  func printsVersion() throws {
    let result = try Binary.run(["--version"])
    #expect(result == .init(code: 0, output: "\(Loopsim.versionText ?? "")\n", error: ""))
  }

  @Test("Wrong words end with code 64 and say so on standard error")
  func refusesWrongWords() throws {
    let result = try Binary.run(["completoins"])
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(
      result.error.hasPrefix(
        "Error: Unknown subcommand 'completoins'. Did you mean 'completions'?\n"))
  }

  @Test("The completion script names every command")
  func printsCompletions() throws {
    let result = try Binary.run(["completions", "bash"])
    #expect(result.code == 0)
    for command in Loopsim.subcommands {
      #expect(result.output.contains("\"loopsim \(command.name)\""))
    }
    let zsh = try Binary.run(["completions", "zsh"])
    for command in Loopsim.subcommands { #expect(zsh.output.contains("\(command.name):")) }
  }

  @Test("The manual page is for no shell")
  func manualPage() throws {
    #expect(try Binary.run(["completions", "--man"]).code == 0)
    let both = try Binary.run(["completions", "bash", "--man"])
    #expect(both.code == 64)
    #expect(both.output.isEmpty)
    #expect(both.error.contains("leave out bash or --man."), "\(both.error)")
  }

  @Test("A narrow terminal narrows the help")
  func obeysColumns() throws {
    let result = try Binary.run(["completions", "--help"], environment: ["COLUMNS": "50"])
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("USAGE") }
    #expect(lines.allSatisfy { $0.count <= 50 })
    let usual = try Binary.run(["--help"])
    for nonsense in ["-1", "0", "\(Int.min)"] {
      #expect(try Binary.run(["--help"], environment: ["COLUMNS": nonsense]) == usual)
    }
  }

  @Test("The language and time zone of the machine change nothing")
  func ignoresLocale() throws {
    let plain = try Binary.run(["help"])
    let turkish = try Binary.run(
      ["help"], environment: ["LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"])
    #expect(plain == turkish)
  }

  @Test(
    "An error leads to the exit code of its kind",
    arguments: [
      (.expectationFailed, 1), (.badInput, 65), (.inputOutput, 74), (.storeInUse, 75),
    ] as [(ExitCode, Int32)])
  func classifiesErrors(kind: ExitCode, code: Int32) {
    #expect(Loopsim.exitCode(for: Failure(kind, "It failed.")) == code)
  }

  @Test("An error that nobody classified is our fault")
  func ownsUnknownErrors() {
    struct Surprise: Error {}
    #expect(Loopsim.exitCode(for: Surprise()) == 70)
  }
}
