import Arguments
import Testing

@Suite("Help")
struct HelpTests {
  static let runHelp = """
    OVERVIEW: Run one or more scenario files.

    USAGE: loopsim run <scenarios> ... [--seed <seed>] [--format <format>] \
    [--quiet] [--noise] [--no-noise]

    ARGUMENTS:
      <scenarios>             Scenario files to run.

    OPTIONS:
      -s, --seed <seed>       Seed for the random streams. (default: 1)
      --format <format>       Output format. (values: text, json, html; default:
                              text)
      -q, --quiet             Print only errors.
      --noise/--no-noise      Add sensor noise. (default: --noise)
      --version               Show the version.
      -h, --help              Show help information.

    """

  static let rootHelp = """
    OVERVIEW: Simulate.

    USAGE: loopsim <subcommand>

    OPTIONS:
      --version               Show the version.
      -h, --help              Show help information.

    SUBCOMMANDS:
      run, r                  Run one or more scenario files.
      data                    Look at data.
      fail                    Fail.
      many                    Take many options.

      See 'loopsim help <subcommand>' for detailed help.

    """

  static let dataHelp = """
    OVERVIEW: Look at data.

    USAGE: loopsim data <subcommand>

    OPTIONS:
      --version               Show the version.
      -h, --help              Show help information.

    SUBCOMMANDS:
      sum                     Add numbers.

      See 'loopsim help data <subcommand>' for detailed help.

    """

  @Test(
    "The help of the deepest verb goes to standard output",
    arguments: [
      ("", rootHelp), ("--help", rootHelp), ("-h", rootHelp), ("help", rootHelp),
      ("help run", runHelp), ("run --help", runHelp), ("run -h", runHelp), ("r --help", runHelp),
      ("data", dataHelp), ("help data", dataHelp), ("data -h", dataHelp),
      ("data help", dataHelp),
    ])
  func answersHelp(line: String, expected: String) async {
    #expect(await sample(line) == Outcome(code: 0, output: expected))
  }

  @Test(
    "Help wins over mistakes on the same line",
    arguments: [
      "run --sed 7 --help", "run -h --format x", "run a --seed --help", "run --seed=x -h",
    ])
  func winsOverMistakes(line: String) async {
    #expect(await sample(line) == Outcome(code: 0, output: Self.runHelp))
  }

  @Test("Behind two dashes, words that look like requests are words")
  func isAWordBehindDashes() async {
    #expect(await sample("run -- --help").output == "--help 1 text\n")
    #expect(await sample("run -- --version").output == "--version 1 text\n")
  }

  @Test(
    "The version is answered at any depth",
    arguments: ["--version", "version", "run --version a"])
  func answersVersion(line: String) async {
    #expect(await sample(line) == Outcome(code: 0, output: "1.2.3\n"))
  }

  @Test("A narrow terminal wraps descriptions and leaves the usage line whole")
  func wrapsToWidth() async {
    let text = await sample("run --help", width: 48).output
    let lines = text.split(separator: "\n")
    #expect(
      text.contains(
        """
          -s, --seed <seed>       Seed for the random
                                  streams. (default: 1)
        """))
    #expect(lines.filter { $0.count > 48 }.allSatisfy { $0.hasPrefix("USAGE") })
  }

  @Test("Beyond twelve parameters the usage line keeps those that must be given")
  func shortensUsage() async {
    let text = await sample("many --help").output
    #expect(text.contains("USAGE: loopsim many [<options>] <file> --key <key>\n"))
  }

  @Test("A label that does not fit stands on its own line")
  func breaksAfterLongLabels() async {
    let text = await sample("many --help").output
    #expect(
      text.contains(
        """
          --number-a <number-a>   A number. (default: 0)
        """))
    #expect(
      Long.help().contains("  --a-rather-long-name <a-rather-long-name>\n" + margin + "Long."))
  }

  private let margin = String(repeating: " ", count: 26)

  private struct Long: Command {
    static let name = "long"
    static let abstract = ""
    var value: String?
    static func describe(_ it: inout Parameters<Self>) {
      it.option("a-rather-long-name", \.value, help: "Long.")
    }
  }
}
