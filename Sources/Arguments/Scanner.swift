/// Reads words from left to right into a command.
struct Scanner<Root: Command> {
  private let parameters: [Parameter<Root>]
  private let makePage: () -> CommandPage
  private var words: ArraySlice<String>
  private var root = Root()
  private var inPlace: [String] = []
  /// The word that each parameter was last given.
  private var given: [String: String] = [:]

  /// What is said of mistakes.
  private var page: CommandPage { makePage() }

  init(words: ArraySlice<String>, page: @escaping () -> CommandPage) {
    var parameters = Parameters<Root>()
    Root.describe(&parameters)
    self.parameters = parameters.all
    makePage = page
    self.words = words
  }

  /// The command that the words stand for.
  mutating func command() throws(CommandLineError) -> Root {
    var onlyPlaces = false
    while let word = words.popFirst() {
      if onlyPlaces || word == "-" || !word.hasPrefix("-") {
        inPlace.append(word)
      } else if word == "--" {
        onlyPlaces = true
      } else if word.hasPrefix("--") {
        try readLong(word)
      } else {
        try readShort(word)
      }
    }
    try placeWords()
    if let missing = parameters.first(where: {
      $0.facts.isRequired && given[$0.facts.name] == nil
    }) {
      throw page.complaint(
        "Missing expected argument '\(missing.facts.expectation)'", about: missing.facts)
    }
    return root
  }

  private mutating func readLong(_ word: String) throws(CommandLineError) {
    let (spelling, value) = Self.split(word)
    guard let parameter = parameters.first(where: { $0.facts.spellings.contains(spelling) })
    else { throw page.unknownOption(spelling) }
    try read(parameter, spelling: spelling, attached: value)
  }

  /// Reads `-s 7`, `-s=7`, `-s7`, and clusters of flags with an option last, such as `-qs 7`.
  ///
  /// Only a number may be attached: anything else may be a cluster that was misspelt.
  private mutating func readShort(_ word: String) throws(CommandLineError) {
    let (letters, value) = Self.split(word)
    var rest = letters.dropFirst()
    guard !rest.isEmpty else { throw page.unknownOption(word) }
    while let letter = rest.popFirst() {
      let spelling = "-\(letter)"
      guard let parameter = parameters.first(where: { $0.facts.short == letter }) else {
        throw page.unknownOption(letters.count == 2 ? spelling : letters)
      }
      if !parameter.facts.isFlag, !rest.isEmpty, value == nil, Double(rest) != nil {
        return try read(parameter, spelling: spelling, attached: String(rest))
      }
      if !parameter.facts.isFlag && !rest.isEmpty {
        let reference = parameter.facts.reference(spelling: spelling)
        throw page.complaint(
          "Unknown option '\(word)'\n   or: Missing value for '\(reference)' in '\(word)'")
      }
      try read(parameter, spelling: spelling, attached: rest.isEmpty ? value : nil)
    }
  }

  private mutating func read(
    _ parameter: Parameter<Root>, spelling: String, attached: String?
  ) throws(CommandLineError) {
    if parameter.facts.isFlag {
      if let attached {
        throw page.complaint(
          "The option '\(spelling)' does not take any value, but '\(attached)' was specified.")
      }
      return try store(spelling, in: parameter, spelling: spelling)
    }
    if let attached, !attached.isEmpty {
      return try store(attached, in: parameter, spelling: spelling)
    }
    // An empty word is what a shell makes of a variable that nobody has set.
    if attached == nil, let next = words.first, !next.isEmpty,
      next == "-" || !next.hasPrefix("-")
    {
      words.removeFirst()
      return try store(next, in: parameter, spelling: spelling)
    }
    var message = "Missing value for '\(parameter.facts.reference(spelling: spelling))'"
    if attached == nil, let next = words.first, CommandPage.beginsAsNumber(next) {
      message += ". To give '\(next)', write '\(spelling)=\(next)'."
    }
    throw page.complaint(message, about: parameter.facts)
  }

  private mutating func placeWords() throws(CommandLineError) {
    for parameter in parameters where parameter.facts.isPositional {
      let count = parameter.facts.isRepeating ? inPlace.count : min(1, inPlace.count)
      for word in inPlace.prefix(count) { try store(word, in: parameter, spelling: nil) }
      inPlace.removeFirst(count)
    }
    switch inPlace.count {
    case 0: return
    case 1: throw page.complaint("Unexpected argument '\(inPlace[0])'")
    default:
      let list = inPlace.map { "'\($0)'" }.joined(separator: ", ")
      throw page.complaint("\(inPlace.count) unexpected arguments: \(list)")
    }
  }

  private mutating func store(
    _ word: String, in parameter: Parameter<Root>, spelling: String?
  ) throws(CommandLineError) {
    try refuseAnother(word, of: parameter.facts)
    given[parameter.facts.name] = word
    if parameter.facts.isDestination, word == "-" {
      throw page.complaint(
        "'-' is standard output, which cannot be the "
          + "'\(parameter.facts.reference(spelling: spelling))'. Name what is to be written, or "
          + "write './-'.", about: parameter.facts)
    }
    guard parameter.store(&root, word) == .refused else { return }
    let reference = parameter.facts.reference(spelling: spelling)
    let suggestion = Wording.suggestion(for: word, among: parameter.facts.knownWords)
    let expected = parameter.facts.expected.map { ". It must be \($0)." } ?? ""
    throw page.complaint(
      "The value '\(word)' is invalid for '\(reference)'"
        + Wording.choices(parameter.facts.allowedWords)
        + (suggestion.isEmpty ? expected : suggestion),
      about: parameter.facts)
  }

  /// Refuses a second value that is not the first: one of them would be ignored.
  private func refuseAnother(
    _ word: String, of facts: ParameterFacts
  ) throws(CommandLineError) {
    guard !facts.isRepeating, let before = given[facts.name], before != word else { return }
    guard let inverse = facts.inverse.map({ "--\($0)" }) else {
      guard !facts.isFlag else { return }
      throw page.complaint(
        "'--\(facts.name)' is given as '\(before)' and as '\(word)'. Give one of them.",
        about: facts)
    }
    guard (before == inverse) != (word == inverse) else { return }
    throw page.complaint("'\(before)' and '\(word)' contradict each other. Give one of them.")
  }

  /// A word up to its first `=`, and what follows it.
  private static func split(_ word: String) -> (spelling: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
