import Arguments
import Testing

@Suite("Usage errors")
struct UsageErrorTests {
  static let runUsage = """
    Usage: loopsim run <scenarios> ... [--seed <seed>] [--format <format>] \
    [--quiet] [--noise] [--no-noise]
      See 'loopsim run --help' for more information.

    """
  static let sumUsage = """
    Usage: loopsim data sum <first> [<second>] [--unit <unit>] [--day <day>] [--more <number> ...]
      See 'loopsim data sum --help' for more information.

    """
  static let wholeNumber = "It must be a whole number from 0 to 18446744073709551615."
  static let seedHelp = "Help:  --seed <seed>  Seed for the random streams.\n"

  /// A line of words and what must appear on standard error before the usage.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let line: String
    let message: String
    var help = ""
    var testDescription: String { line }
  }

  @Test(
    "Wrong words for a command end with its usage and code 64",
    arguments: [
      Mistake(line: "run --sed 7", message: "Unknown option '--sed'. Did you mean '--seed'?"),
      Mistake(line: "run --sed=7", message: "Unknown option '--sed'. Did you mean '--seed'?"),
      Mistake(line: "run --temperature 7", message: "Unknown option '--temperature'"),
      Mistake(line: "run a -x", message: "Unknown option '-x'"),
      Mistake(line: "run a -qx", message: "Unknown option '-qx'"),
      Mistake(line: "run a -=5", message: "Unknown option '-=5'"),
      Mistake(line: "run a -=", message: "Unknown option '-='"),
      Mistake(
        line: "run a --seed", message: "Missing value for '--seed <seed>'", help: seedHelp),
      Mistake(line: "run a -s", message: "Missing value for '-s <seed>'", help: seedHelp),
      Mistake(
        line: "run a --seed=", message: "Missing value for '--seed <seed>'", help: seedHelp),
      Mistake(
        line: "run a --seed --quiet", message: "Missing value for '--seed <seed>'", help: seedHelp),
      Mistake(
        line: "run a --seed -3",
        message: "Missing value for '--seed <seed>'. To give '-3', write '--seed=-3'.",
        help: seedHelp),
      Mistake(
        line: "run a --seed -06:00",
        message: "Missing value for '--seed <seed>'. To give '-06:00', write '--seed=-06:00'.",
        help: seedHelp),
      Mistake(
        line: "run a -5",
        message: "Unknown option '-5'. To give it as an argument, write '--' before it."),
      Mistake(
        line: "run a --seed x",
        message: "The value 'x' is invalid for '--seed <seed>'. \(wholeNumber)", help: seedHelp),
      Mistake(
        line: "run a --seed 1.0",
        message: "The value '1.0' is invalid for '--seed <seed>'. \(wholeNumber)",
        help: seedHelp),
      Mistake(
        line: "run a --seed 7 --seed=8",
        message: "'--seed' is given as '7' and as '8'. Give one of them.", help: seedHelp),
      Mistake(
        line: "run a -s 8 --seed 7",
        message: "'--seed' is given as '8' and as '7'. Give one of them.", help: seedHelp),
      Mistake(
        line: "run --noise --no-noise a",
        message: "'--noise' and '--no-noise' contradict each other. Give one of them."),
      Mistake(
        line: "run --no-noise --noise a",
        message: "'--no-noise' and '--noise' contradict each other. Give one of them."),
      Mistake(
        line: "run a -s=x",
        message: "The value 'x' is invalid for '-s <seed>'. \(wholeNumber)", help: seedHelp),
      Mistake(
        line: "run a --format x",
        message: "The value 'x' is invalid for '--format <format>'. "
          + "Please provide one of 'text', 'json' or 'html'.",
        help: "Help:  --format <format>  Output format.\n"),
      Mistake(
        line: "run", message: "Missing expected argument '<scenarios> ...'",
        help: "Help:  <scenarios>  Scenario files to run.\n"),
      Mistake(
        line: "run a --quiet=yes",
        message: "The option '--quiet' does not take any value, but 'yes' was specified."),
      Mistake(
        line: "run a -q=yes",
        message: "The option '-q' does not take any value, but 'yes' was specified."),
      Mistake(
        line: "run a -sq",
        message: "Unknown option '-sq'\n   or: Missing value for '-s <seed>' in '-sq'"),
      Mistake(line: "run a --seed 13", message: "The seed 13 is unlucky; take another."),
    ])
  func explains(mistake: Mistake) async {
    let expected = "Error: \(mistake.message)\n\(mistake.help)\(Self.runUsage)"
    #expect(await sample(mistake.line) == Outcome(code: 64, error: expected))
  }

  @Test("A word like a number is no argument where a command takes none")
  func numberWithoutPlace() async {
    #expect(await sample("data -5").error.hasPrefix("Error: Unknown option '-5'\nUsage:"))
  }

  @Test("An empty word is no value: a shell makes it of a variable that nobody has set")
  func emptyWords() async {
    for spelling in ["--seed", "-s"] {
      let console = RecordedConsole(width: 80)
      #expect(await Sample.run(["run", "a", spelling, ""], to: console) == 64)
      #expect(console.error.hasPrefix("Error: Missing value for '\(spelling) <seed>'\n"))
    }
  }

  @Test(
    "Closed sets, places and counts are named",
    arguments: [
      Mistake(line: "data sum 1 2 b", message: "Unexpected argument 'b'"),
      Mistake(line: "data sum 1 2 b c", message: "2 unexpected arguments: 'b', 'c'"),
      Mistake(
        line: "data sum x",
        message: "The value 'x' is invalid for '<first>'. It must be a number, such as 0.05.",
        help: "Help:  <first>  A number.\n"),
      Mistake(
        line: "data sum 0x70",
        message: "The value '0x70' is invalid for '<first>'. It must be a number, such as 0.05.",
        help: "Help:  <first>  A number.\n"),
      Mistake(
        line: "data sum nan",
        message: "The value 'nan' is invalid for '<first>'. It must be a number, such as 0.05.",
        help: "Help:  <first>  A number.\n"),
      Mistake(
        line: "data sum 1 --unit x",
        message:
          "The value 'x' is invalid for '--unit <unit>'. "
          + "Please provide one of 'units' and 'grams'.",
        help: "Help:  --unit <unit>  What is added.\n"),
      Mistake(
        line: "data sum 1 --day x",
        message: """
          The value 'x' is invalid for '--day <day>'. Please provide one of the following:
            - mon
            - tue
            - wed
            - thu
            - fri
            - sat
            - sun
          """,
        help: "Help:  --day <day>  When.\n"),
    ])
  func explainsValues(mistake: Mistake) async {
    let expected = "Error: \(mistake.message)\n\(mistake.help)\(Self.sumUsage)"
    #expect(await sample(mistake.line) == Outcome(code: 64, error: expected))
  }

  @Test(
    "A verb that does not exist is named, with the nearest one that does",
    arguments: [
      ("rnu", "Unknown subcommand 'rnu'. Did you mean 'run'?"),
      ("help rnu", "Unknown subcommand 'rnu'. Did you mean 'run'?"),
      ("rnu --help", "Unknown subcommand 'rnu'. Did you mean 'run'?"),
      ("rnu a.json5 -h", "Unknown subcommand 'rnu'. Did you mean 'run'?"),
      ("rnu --version", "Unknown subcommand 'rnu'. Did you mean 'run'?"),
      ("simulate-everything", "Unknown subcommand 'simulate-everything'"),
      ("--vers", "Unknown option '--vers'. Did you mean '--version'?"),
      ("--vers=2", "Unknown option '--vers'. Did you mean '--version'?"),
      ("-x", "Unknown option '-x'"),
    ])
  func explainsVerbs(line: String, message: String) async {
    let usage =
      "Usage: loopsim <subcommand>\n  See 'loopsim --help' for more information.\n"
    #expect(await sample(line) == Outcome(code: 64, error: "Error: \(message)\n\(usage)"))
  }

  @Test("A verb below a group is looked for in that group")
  func explainsVerbsOfGroups() async {
    let expected = """
      Error: Unknown subcommand 'sun'. Did you mean 'sum'?
      Usage: loopsim data <subcommand>
        See 'loopsim data --help' for more information.

      """
    #expect(await sample("data sun") == Outcome(code: 64, error: expected))
    #expect(await sample("data sun --help") == Outcome(code: 64, error: expected))
  }

  @Test("A required option that is left out is missing")
  func requiresOptions() async {
    let outcome = await sample("many a")
    #expect(outcome.code == 64)
    #expect(outcome.error.hasPrefix("Error: Missing expected argument '--key <key>'\n"))
  }
}
