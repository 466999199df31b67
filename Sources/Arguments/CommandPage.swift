internal import StructuredText

/// One command as help, errors and completion see it.
struct CommandPage {
  /// One command below another, as the help lists it.
  struct Entry {
    var names: [String]
    var abstract: String
  }

  /// The words that lead here, the program's name first.
  var verbs: [String]
  var abstract: String
  var discussion: String
  var parameters: [ParameterFacts]
  var subcommands: [Entry]
  /// The name of the command below this one that a file in its place means.
  var fileSubcommand: String?
  /// What the commands below are for, as the help groups them.
  var groups: [CommandGroup] = []
  /// Whether `--version` is answered.
  var offersVersion: Bool

  var path: String { verbs.joined(separator: " ") }

  /// The long names and verbs of options that every command answers.
  var commonOptions: [String] { (offersVersion ? ["--version"] : []) + ["-h", "--help"] }

  /// What these options do.
  static let versionMeaning = "Show the version."
  static let helpMeaning = "Show help information."

  /// The usage line without the word "Usage".
  var usage: String {
    guard subcommands.isEmpty else { return "\(path) <subcommand>" }
    guard parameters.count > 12 else {
      return ([path] + parameters.map(\.synopsis)).joined(separator: " ")
    }
    let kept = parameters.filter { $0.isPositional || $0.isRequired }
    return ([path, "[<options>]"] + kept.map(\.synopsis)).joined(separator: " ")
  }

  /// A usage error of this command.
  func complaint(_ message: String, about facts: ParameterFacts? = nil) -> CommandLineError {
    .usage(
      message: message, help: facts?.helpLine,
      usage: "Usage: \(usage)\n  See '\(path) --help' for more information.")
  }

  /// Whether a word that looks like an option may be meant as a value, such as `-5` or `-06:00`.
  static func beginsAsNumber(_ word: String) -> Bool {
    Double(word) != nil || word.dropFirst().first?.isWholeNumber == true
  }

  /// The error for an option that this command does not have.
  func unknownOption(_ spelling: String) -> CommandLineError {
    if Self.beginsAsNumber(spelling), parameters.contains(where: \.isPositional) {
      return complaint(
        "Unknown option '\(spelling)'. To give it as an argument, write '--' before it.")
    }
    let known = parameters.flatMap(\.spellings) + commonOptions
    let long = known.filter { $0.hasPrefix("--") }
    guard spelling.hasPrefix("--"), let meant = NearestName.nearest(to: spelling, among: long)
    else { return complaint("Unknown option '\(spelling)'") }
    return complaint("Unknown option '\(spelling)'. Did you mean '\(meant)'?")
  }

  /// The error for a verb that this command does not have.
  func unknownSubcommand(_ word: String) -> CommandLineError {
    let names = subcommands.flatMap(\.names)
    guard let meant = NearestName.nearest(to: word, among: names)
    else { return complaint("Unknown subcommand '\(word)'") }
    return complaint("Unknown subcommand '\(word)'. Did you mean '\(meant)'?")
  }
}

extension Command {
  /// The facts about this command when it is reached through `verbs`.
  static func page(verbs: [String], offersVersion: Bool) -> CommandPage {
    var parameters = Parameters<Self>()
    describe(&parameters)
    return CommandPage(
      verbs: verbs, abstract: abstract, discussion: discussion,
      parameters: parameters.all.map(\.facts),
      subcommands: subcommands.map { .init(names: $0.names, abstract: $0.abstract) },
      fileSubcommand: fileSubcommand?.name,
      groups: groups, offersVersion: offersVersion)
  }

  /// The words that choose this command.
  static var names: [String] { [name] + aliases }

  /// Reads the words behind the verbs into a command of this type.
  static func scan(
    _ words: ArraySlice<String>, page: @escaping () -> CommandPage
  ) throws(CommandLineError) -> any Command {
    var scanner = Scanner<Self>(words: words, page: page)
    let command = try scanner.command()
    do {
      try command.validate()
    } catch {
      throw page().complaint(String(describing: error))
    }
    return command
  }
}
