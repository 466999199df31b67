/// The parameters of a command, collected by ``Command/describe(_:)``.
///
/// Defaults shown in the help are read from a fresh `Root()`.
public struct Parameters<Root: Command> {
  private(set) var all: [Parameter<Root>] = []
  private let defaults = Root()

  init() {}

  /// A word in its place, such as one file; it may be left out unless it is required.
  ///
  /// - Parameters:
  ///   - name: What the help calls it, without the angle brackets.
  ///   - path: The property that takes the value.
  ///   - isRequired: Whether leaving it out is an error.
  ///   - help: One sentence.
  public mutating func positional<Value: ArgumentValue>(
    _ name: String, _ path: WritableKeyPath<Root, Value>, isRequired: Bool = true, help: String
  ) {
    var facts = Self.facts(.positional, name, nil, name, help, for: Value.self)
    facts.isRequired = isRequired
    facts.defaultWord = isRequired ? nil : defaults[keyPath: path].word
    add(facts, setting: path)
  }

  /// A word in its place that may be left out, in which case the property stays `nil`.
  public mutating func positional<Value: ArgumentValue>(
    _ name: String, _ path: WritableKeyPath<Root, Value?>, isRequired: Bool = false, help: String
  ) {
    var facts = Self.facts(.positional, name, nil, name, help, for: Value.self)
    facts.isRequired = isRequired
    add(facts, settingOptional: path)
  }

  /// All remaining words in place, such as files; at least one unless it is not required.
  public mutating func positional<Value: ArgumentValue>(
    _ name: String, _ path: WritableKeyPath<Root, [Value]>, isRequired: Bool = true, help: String
  ) {
    var facts = Self.facts(.positional, name, nil, name, help, for: Value.self)
    facts.isRequired = isRequired
    facts.isRepeating = true
    add(facts, appendingTo: path)
  }

  /// A named value with a default: `--seed 7`, `--seed=7`, `-s 7`.
  ///
  /// - Parameters:
  ///   - name: The long name, without the dashes.
  ///   - short: The letter of the short name.
  ///   - path: The property that takes the value.
  ///   - valueName: What the help calls the value; the long name unless given.
  ///   - help: One sentence.
  public mutating func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil, _ path: WritableKeyPath<Root, Value>,
    valueName: String? = nil, help: String
  ) {
    var facts = Self.facts(.option, name, short, valueName ?? name, help, for: Value.self)
    facts.defaultWord = defaults[keyPath: path].word
    add(facts, setting: path)
  }

  /// A named value without a default: the property stays `nil` when it is left out.
  public mutating func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil, _ path: WritableKeyPath<Root, Value?>,
    valueName: String? = nil, isRequired: Bool = false, help: String
  ) {
    var facts = Self.facts(.option, name, short, valueName ?? name, help, for: Value.self)
    facts.isRequired = isRequired
    facts.defaultWord = defaults[keyPath: path]?.word
    add(facts, settingOptional: path)
  }

  /// The name of a file that is written in place of what is printed, where it is given.
  ///
  /// With `-` the property is `nil`, as without the option: that is standard output.
  public mutating func output(
    _ name: String, short: Character? = nil, _ path: WritableKeyPath<Root, String?>,
    valueName: String? = nil, help: String
  ) {
    let facts = Self.facts(.option, name, short, valueName ?? name, help, for: String.self)
    all.append(
      Parameter(facts: facts) { root, word in
        root[keyPath: path] = word == "-" ? nil : word
        return .stored
      })
  }

  /// The name of a file or folder that is written beside what is printed, with a default.
  ///
  /// `-`, which elsewhere is standard output, is refused: a file of that name helps nobody.
  public mutating func destination(
    _ name: String, short: Character? = nil, _ path: WritableKeyPath<Root, String>,
    valueName: String? = nil, help: String
  ) {
    option(name, short: short, path, valueName: valueName, help: help)
    all[all.count - 1].facts.isDestination = true
  }

  /// The name of a file or folder that is written beside what is printed, where it is given.
  ///
  /// `-`, which elsewhere is standard output, is refused: a file of that name helps nobody.
  public mutating func destination(
    _ name: String, short: Character? = nil, _ path: WritableKeyPath<Root, String?>,
    valueName: String? = nil, help: String
  ) {
    option(name, short: short, path, valueName: valueName, help: help)
    all[all.count - 1].facts.isDestination = true
  }

  /// A named value that may be given several times.
  public mutating func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil, _ path: WritableKeyPath<Root, [Value]>,
    valueName: String? = nil, isRequired: Bool = false, help: String
  ) {
    var facts = Self.facts(.option, name, short, valueName ?? name, help, for: Value.self)
    facts.isRequired = isRequired
    facts.isRepeating = true
    add(facts, appendingTo: path)
  }

  /// A switch: its presence makes the property true.
  ///
  /// - Parameters:
  ///   - name: The long name, without the dashes.
  ///   - short: The letter of the short name.
  ///   - inverse: The long name that makes the property false, such as `no-noise`.
  ///   - path: The property that is switched.
  ///   - help: One sentence.
  public mutating func flag(
    _ name: String, short: Character? = nil, inverse: String? = nil,
    _ path: WritableKeyPath<Root, Bool>, help: String
  ) {
    var facts = ParameterFacts(
      kind: .flag(inverse: inverse), name: name, short: short, valueName: name, help: help)
    if let inverse { facts.defaultWord = "--\(defaults[keyPath: path] ? name : inverse)" }
    let off = inverse.map { "--\($0)" }
    all.append(
      Parameter(facts: facts) { root, spelling in
        root[keyPath: path] = spelling != off
        return .stored
      })
  }

  private static func facts<Value: ArgumentValue>(
    _ kind: ParameterFacts.Kind, _ name: String, _ short: Character?, _ valueName: String,
    _ help: String, for type: Value.Type
  ) -> ParameterFacts {
    ParameterFacts(
      kind: kind, name: name, short: short, valueName: valueName, help: help,
      allowedWords: Value.allowedWords, knownWords: Value.knownWords,
      expected: Value.expectation)
  }

  private mutating func add<Value: ArgumentValue>(
    _ facts: ParameterFacts, setting path: WritableKeyPath<Root, Value>
  ) {
    all.append(
      Parameter(facts: facts) { root, word in
        guard let value = Value(argument: word) else { return .refused }
        root[keyPath: path] = value
        return .stored
      })
  }

  private mutating func add<Value: ArgumentValue>(
    _ facts: ParameterFacts, settingOptional path: WritableKeyPath<Root, Value?>
  ) {
    all.append(
      Parameter(facts: facts) { root, word in
        guard let value = Value(argument: word) else { return .refused }
        root[keyPath: path] = value
        return .stored
      })
  }

  private mutating func add<Value: ArgumentValue>(
    _ facts: ParameterFacts, appendingTo path: WritableKeyPath<Root, [Value]>
  ) {
    all.append(
      Parameter(facts: facts) { root, word in
        guard let value = Value(argument: word) else { return .refused }
        root[keyPath: path].append(value)
        return .stored
      })
  }
}
