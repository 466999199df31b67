/// What `Package.swift` says about the modules, read as text.
struct Manifest {
  struct Module {
    var name: String
    var uses: [String]
  }

  let modules: [Module]

  /// Reads the calls of `module(…)` and `.executableTarget(…)` in the list of targets.
  init(_ text: String) {
    var modules: [Module] = []
    var rest = text[...]
    while let opening = Self.nextTarget(in: rest) {
      let call = Self.upToClosingParenthesis(rest[opening...])
      let words = Self.quotedWords(call)
      if let name = words.first {
        modules.append(Module(name: name, uses: Array(words.dropFirst())))
      }
      rest = rest[call.endIndex...]
    }
    self.modules = modules
  }

  /// Where the arguments of the next target begin.
  private static func nextTarget(in text: Substring) -> String.Index? {
    let starts = ["    module(", "    .executableTarget("].compactMap { opening in
      text.firstRange(of: opening)?.upperBound
    }
    return starts.min()
  }

  private static func upToClosingParenthesis(_ text: Substring) -> Substring {
    var depth = 1
    for index in text.indices {
      switch text[index] {
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
      if depth == 0 { return text[..<index] }
    }
    return text
  }

  private static func quotedWords(_ text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
