/// What help, errors and completion need to know about one parameter.
struct ParameterFacts {
  enum Kind: Equatable {
    case positional
    case option
    /// A flag; `inverse` is the long name that turns it off.
    case flag(inverse: String?)
  }

  var kind: Kind
  /// The long name of an option or flag; the value's name of a positional.
  var name: String
  var short: Character?
  var valueName: String
  var help: String
  var allowedWords: [String] = []
  var knownWords: [String] = []
  /// What a word must be, where neither the lists nor the help say it.
  var expected: String?
  /// The word that stands for the value used when the parameter is left out.
  var defaultWord: String?
  var isRequired = false
  var isRepeating = false
  /// Whether the value names what is written, which standard output cannot stand for.
  var isDestination = false

  var isPositional: Bool { kind == .positional }

  var isFlag: Bool {
    if case .flag = kind { return true }
    return false
  }

  var inverse: String? {
    if case .flag(let inverse) = kind { return inverse }
    return nil
  }

  /// The words that choose this option or flag, as completion offers them.
  var spellings: [String] {
    guard !isPositional else { return [] }
    let short = short.map { ["-\($0)"] } ?? []
    return short + ["--\(name)"] + (inverse.map { ["--\($0)"] } ?? [])
  }

  /// The parameter under one of its spellings: `--seed <seed>`, `<scenarios>` or `--quiet`.
  func reference(spelling: String? = nil) -> String {
    switch kind {
    case .positional: "<\(valueName)>"
    case .option: "\(spelling ?? "--\(name)") <\(valueName)>"
    case .flag: spelling ?? "--\(name)"
    }
  }

  /// The parameter as a missing-argument message names it: `<scenarios> ...`.
  var expectation: String { reference() + (isRepeating ? " ..." : "") }

  /// The parameter in a usage line: `[--seed <seed>]`, `<scenarios> ...`.
  var synopsis: String {
    let words = [reference()] + (inverse.map { ["--\($0)"] } ?? [])
    return words.map { word in
      let text = word + (isRepeating ? " ..." : "")
      return isRequired ? text : "[\(text)]"
    }.joined(separator: " ")
  }

  /// The parameter at the left of a help page: `-s, --seed <seed>`, `--noise/--no-noise`.
  var label: String {
    let prefix = short.map { "-\($0), " } ?? ""
    guard let inverse else { return prefix + reference() }
    return "\(prefix)--\(name)/--\(inverse)"
  }

  /// The help with the allowed words and the default behind it.
  var description: String {
    var remarks: [String] = []
    if !allowedWords.isEmpty {
      remarks.append("values: \(allowedWords.joined(separator: ", "))")
    }
    if let defaultWord, !defaultWord.isEmpty { remarks.append("default: \(defaultWord)") }
    guard !remarks.isEmpty else { return help }
    return "\(help) (\(remarks.joined(separator: "; ")))"
  }

  /// The line that explains this parameter under an error.
  var helpLine: String { "\(reference())  \(help)" }
}

/// A parameter and what its words do to a command.
struct Parameter<Root> {
  /// What became of a word.
  enum Outcome {
    case stored
    /// The word does not stand for a value.
    case refused
  }

  var facts: ParameterFacts

  /// Stores a word; a flag receives the spelling that was used.
  var store: (inout Root, String) -> Outcome
}
