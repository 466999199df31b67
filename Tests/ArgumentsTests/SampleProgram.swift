import Arguments
import Synchronization

/// A console that keeps what is written to it.
final class RecordedConsole: Console {
  private let texts = Mutex((output: "", error: ""))
  let width: Int

  init(width: Int = 80) { self.width = width }

  var output: String { texts.withLock { $0.output } }
  var error: String { texts.withLock { $0.error } }

  func write(_ text: String, to stream: ConsoleStream) {
    texts.withLock {
      switch stream {
      case .output: $0.output += text
      case .error: $0.error += text
      }
    }
  }

  func isTerminal(_ stream: ConsoleStream) -> Bool { false }
}

/// What a line of words leads to.
struct Outcome: Equatable {
  var code: Int32
  var output = ""
  var error = ""
}

/// Runs the sample program on words separated by single spaces.
func sample(_ line: String, width: Int = 80) async -> Outcome {
  let console = RecordedConsole(width: width)
  let words = line.split(separator: " ").map(String.init)
  let code = await Sample.run(words, to: console)
  return Outcome(code: code, output: console.output, error: console.error)
}

/// A program with a verb that runs, a verb that groups, and a verb that fails.
struct Sample: Command {
  static let name = "loopsim"
  static let abstract = "Simulate."
  static let version: String? = "1.2.3"
  static let subcommands: [any Command.Type] = [Run.self, Data.self, Fail.self, Many.self]

  static func exitCode(for error: any Error) -> Int32 { error is SpeakingError ? 74 : 1 }
}

struct SpeakingError: Error, CustomStringConvertible {
  var description: String { "The disk is full. Make room." }
}

struct PlainError: Error, CustomStringConvertible {
  var description: String { "It broke." }
}

/// Prints the values that it was given.
struct Run: Command {
  enum Format: String, ArgumentValue, CaseIterable { case text, json, html }

  static let name = "run"
  static let aliases = ["r"]
  static let abstract = "Run one or more scenario files."

  var scenarios: [String] = []
  var seed: UInt64 = 1
  var format = Format.text
  var isQuiet = false
  var hasNoise = true

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("scenarios", \.scenarios, help: "Scenario files to run.")
    it.option("seed", short: "s", \.seed, help: "Seed for the random streams.")
    it.option("format", \.format, help: "Output format.")
    it.flag("quiet", short: "q", \.isQuiet, help: "Print only errors.")
    it.flag("noise", inverse: "no-noise", \.hasNoise, help: "Add sensor noise.")
  }

  func validate() throws {
    guard seed != 13 else { throw ValidationError("The seed 13 is unlucky; take another.") }
  }

  func run(to console: any Console) async throws {
    console.print(
      "\(scenarios.joined(separator: ",")) \(seed) \(format.word)"
        + "\(isQuiet ? " quiet" : "")\(hasNoise ? "" : " silent")")
  }
}

struct Data: Command {
  static let name = "data"
  static let abstract = "Look at data."
  static let subcommands: [any Command.Type] = [Sum.self]
  static let fileSubcommand: (any Command.Type)? = Sum.self

  /// One required word, an optional one, an option without a default and a repeated one.
  struct Sum: Command {
    enum Unit: String, ArgumentValue, CaseIterable { case units, grams }
    enum Day: String, ArgumentValue, CaseIterable { case mon, tue, wed, thu, fri, sat, sun }

    static let name = "sum"
    static let abstract = "Add numbers."
    var first = 0.0
    var second: Double?
    var unit: Unit?
    var day: Day?
    var more: [Int] = []

    static func describe(_ it: inout Parameters<Self>) {
      it.positional("first", \.first, help: "A number.")
      it.positional("second", \.second, help: "Another number.")
      it.option("unit", \.unit, help: "What is added.")
      it.option("day", \.day, help: "When.")
      it.option("more", short: "m", \.more, valueName: "number", help: "A further number.")
    }

    func run(to console: any Console) async throws {
      let sum = first + (second ?? 0) + Double(more.reduce(0, +))
      console.print("\(sum) \(unit?.word ?? "-") \(day?.word ?? "-")")
    }
  }
}

/// Fails in the ways a command can fail.
struct Fail: Command {
  enum Way: String, ArgumentValue, CaseIterable { case plain, speaking, code, clean }

  static let name = "fail"
  static let abstract = "Fail."
  var way = Way.plain

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("way", \.way, isRequired: false, help: "How to fail.")
  }

  func run(to console: any Console) async throws {
    switch way {
    case .plain: throw PlainError()
    case .speaking: throw SpeakingError()
    case .code: throw CommandLineError.exitCode(75)
    case .clean: throw CommandLineError.cleanExit("Nothing to do.")
    }
  }
}

/// A command with more parameters than a usage line holds.
struct Many: Command {
  static let name = "many"
  static let abstract = "Take many options."
  var file = ""
  var key: String?
  var number = 0

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "A file.")
    it.option("key", \.key, isRequired: true, help: "A key, such as 7:00.")
    for letter in "abcdefghijk" { it.option("number-\(letter)", \.number, help: "A number.") }
  }

  func run(to console: any Console) async throws {}
}
