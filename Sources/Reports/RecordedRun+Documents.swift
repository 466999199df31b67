public import StructuredText

/// What the documents of a result say in words, and which run they are of.
extension RecordedRun {
  /// Takes what a `summary.json` says beside its figures.
  ///
  /// Of expectations only those that fail are said: their texts are the scenario's own.
  public mutating func read(summary tree: JSONValue) {
    figures += Self.figures(of: tree)
    for (name, path) in Self.facts {
      if let text = path.reduce(Optional(tree), { $0?[$1] })?.words {
        identity.append((name, text))
      }
    }
    if let digest = tree["digest"]?.words {
      statements.append("the digest of the run is \(digest)")
    }
    if let answer = tree["records"]?["answer"]?.words {
      statements.append("whether the records agree: \(answer)")
    }
    for trouble in tree["troubles"]?.items ?? [] {
      let times = trouble["count"]?.words.map { $0 == "1" ? "" : " (\($0) times)" } ?? ""
      statements.append(
        "\(trouble["kind"]?.words ?? "trouble") from \(trouble["start"]?.words ?? "?"): "
          + "\(trouble["text"]?.words ?? "")\(times)")
    }
    for fault in tree["faults"]?.items ?? [] {
      statements.append("fault \(fault["id"]?.words ?? "?") from \(fault["start"]?.words ?? "?")")
    }
    for difference in tree["records"]?["differences"]?.items ?? [] {
      statements.append(
        "\(difference["severity"]?.words ?? "difference"): \(difference["text"]?.words ?? "")")
    }
    for law in tree["violations"]?.items ?? [] {
      statements.append("law \(law["law"]?.words ?? "?"): \(law["text"]?.words ?? "")")
    }
    if let at = tree["lethal"]?["at"]?.words {
      statements.append("the run ended as lethal at \(at)")
    }
    for expectation in tree["expectations"]?.items ?? [] {
      guard let outcome = expectation["outcome"]?.words, outcome != "passed" else { continue }
      let id = expectation["id"]?.words ?? "?"
      statements.append(
        "expectation \(id) \(outcome): \(expectation["message"]?.words ?? "")")
    }
  }

  /// Takes the figures of a `ledger.json`, under the name `ledger`.
  public mutating func read(ledger tree: JSONValue) {
    figures += Self.figures(of: tree, prefix: "ledger")
    if tree["conserved"]?.words == "false" {
      statements.append("the accounts of the ledger do not balance")
    }
  }

  /// What says which run it is; two that differ in it may be the same otherwise.
  private static let facts = [
    ("run", ["id"]), ("start", ["start"]), ("end", ["end"]), ("seed", ["seed"]),
    ("time zone", ["source", "time_zone"]), ("glucose unit", ["source", "glucose_unit"]),
    ("version of loopsim", ["version"]),
  ]
}

extension JSONValue {
  /// The value as it is said in a sentence; `nil` for a list, an object or nothing.
  fileprivate var words: String? {
    switch self {
    case .string(let text): text
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .bool(let bool): "\(bool)"
    case .null, .array, .object: nil
    }
  }
}
