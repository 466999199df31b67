/// A verb of a command-line program, as a value.
///
/// `init()` supplies the defaults, ``describe(_:)`` ties each property to its spelling, and
/// ``run(to:)`` does the work. A command that has subcommands only groups them: it has no
/// parameters of its own and prints its help when no further word follows.
///
///     struct Greet: Command {
///       static let name = "greet"
///       static let abstract = "Greet people by name."
///       var people: [String] = []
///       var isLoud = false
///
///       static func describe(_ it: inout Parameters<Self>) {
///         it.positional("people", \.people, help: "Whom to greet.")
///         it.flag("loud", short: "l", \.isLoud, help: "Use capital letters.")
///       }
///
///       func run(to console: any Console) async throws {
///         for name in people { console.print("Hello, \(isLoud ? name.uppercased() : name)") }
///       }
///     }
public protocol Command: SendableMetatype {
  /// The word that chooses this command.
  static var name: String { get }

  /// Other words that choose this command.
  static var aliases: [String] { get }

  /// One sentence on what the command does.
  static var abstract: String { get }

  /// What else a reader of the help should know; paragraphs are separated by an empty line.
  static var discussion: String { get }

  /// The version of the program; only the root's counts.
  static var version: String? { get }

  /// The commands that this one groups, in the order of the help.
  static var subcommands: [any Command.Type] { get }

  /// What one may want, each with the names of the commands for it; the help lists them so.
  ///
  /// Commands that are in no group come last.
  static var groups: [CommandGroup] { get }

  /// What `--version` prints where it is more than the version; only the root's counts.
  static var versionText: String? { get }

  /// The subcommand that reads a file which stands in place of a subcommand; `nil` where none may.
  ///
  /// A word that is no option and has a point or a slash is a file.
  static var fileSubcommand: (any Command.Type)? { get }

  /// What is wrong with a word in the place of a subcommand, where the command knows better than
  /// that there is no such one; `nil` where it does not.
  static func complaint(about word: String) -> String?

  /// The exit code for an error that ``run(to:)`` threw; only the root's counts.
  static func exitCode(for error: any Error) -> Int32

  /// Creates the command with its defaults.
  init()

  /// Names the parameters and ties each to a property.
  static func describe(_ it: inout Parameters<Self>)

  /// Checks what no single parameter can check; a thrown error is a usage error.
  func validate() throws

  /// Does the work; an error that is thrown is printed, and ends the program with its exit code.
  func run(to console: any Console) async throws
}

/// Commands that serve one purpose, for the help.
public struct CommandGroup: Sendable {
  /// The purpose, such as `Look`.
  public var title: String
  /// The names of the commands, in the order of the help.
  public var names: [String]

  /// Creates a group of commands by their names.
  public init(_ title: String, _ names: [String]) {
    self.title = title
    self.names = names
  }
}

extension Command {
  public static var aliases: [String] { [] }
  public static var discussion: String { "" }
  public static var version: String? { nil }
  public static var subcommands: [any Command.Type] { [] }
  public static var groups: [CommandGroup] { [] }
  public static var versionText: String? { version }
  public static var fileSubcommand: (any Command.Type)? { nil }
  public static func complaint(about word: String) -> String? { nil }
  public static func exitCode(for error: any Error) -> Int32 { 1 }
  public static func describe(_ it: inout Parameters<Self>) {}
  public func validate() throws {}

  /// Prints the help: what a command that only groups others does.
  public func run(to console: any Console) async throws {
    throw CommandLineError.cleanExit(Self.help(width: console.width))
  }
}

extension Command {
  /// The help of this command, as a program of its own.
  public static func help(width: Int = 80) -> String {
    HelpText(page: page(verbs: [name], offersVersion: version != nil)).rendered(width: width)
  }
}
