public import StructuredText

/// What the documents of a result say in words, and which run they are of.
extension RecordedRun {
  /// Takes what a `summary.json` says beside its figures.
  ///
  /// Of expectations only those that fail are said: their texts are the scenario's own.
  public mutating func read(summary tree: JSONValue) {
    figures += Self.figures(of: tree)
    let root = Node(tree)
    for (name, path) in Self.facts {
      if let text = root.at(path).text { identity.append((name, text)) }
    }
    if let digest = root["digest"].text { statements.append("the digest of the run is \(digest)") }
    if let answer = root["records"]["answer"].text {
      statements.append("whether the records agree: \(answer)")
    }
    for trouble in root["troubles"].items {
      let times = trouble["count"].text.map { $0 == "1" ? "" : " (\($0) times)" } ?? ""
      statements.append(
        "\(trouble["kind"].text ?? "trouble") from \(trouble["start"].text ?? "?"): "
          + "\(trouble["text"].text ?? "")\(times)")
    }
    for fault in root["faults"].items {
      statements.append("fault \(fault["id"].text ?? "?") from \(fault["start"].text ?? "?")")
    }
    for difference in root["records"]["differences"].items {
      statements.append(
        "\(difference["severity"].text ?? "difference"): \(difference["text"].text ?? "")")
    }
    for law in root["violations"].items {
      statements.append("law \(law["law"].text ?? "?"): \(law["text"].text ?? "")")
    }
    if let at = root["lethal"]["at"].text { statements.append("the run ended as lethal at \(at)") }
    for expectation in root["expectations"].items {
      guard let outcome = expectation["outcome"].text, outcome != "passed" else { continue }
      let id = expectation["id"].text ?? "?"
      statements.append(
        "expectation \(id) \(outcome): \(expectation["message"].text ?? "")")
    }
  }

  /// Takes the figures of a `ledger.json`, under the name `ledger`.
  public mutating func read(ledger tree: JSONValue) {
    figures += Self.figures(of: tree, prefix: "ledger")
    if Node(tree)["conserved"].text == "false" {
      statements.append("the accounts of the ledger do not balance")
    }
  }

  /// What says which run it is; two that differ in it may be the same otherwise.
  private static let facts = [
    ("run", ["id"]), ("start", ["start"]), ("end", ["end"]), ("seed", ["seed"]),
    ("time zone", ["source", "time_zone"]), ("glucose unit", ["source", "glucose_unit"]),
    ("version of loopsim", ["version"]),
  ]

  /// A place in a JSON tree that may not be there.
  private struct Node {
    private var value: JSONValue?

    init(_ value: JSONValue?) { self.value = value }

    subscript(key: String) -> Node {
      guard case .object(let members) = value else { return Node(nil) }
      return Node(members.first { $0.key == key }?.value)
    }

    func at(_ path: [String]) -> Node { path.reduce(self) { $0[$1] } }

    var items: [Node] {
      guard case .array(let items) = value else { return [] }
      return items.map { Node($0) }
    }

    var text: String? {
      switch value {
      case .string(let text): text
      case .integer(let integer): "\(integer)"
      case .number(let number): "\(number)"
      case .bool(let bool): "\(bool)"
      default: nil
      }
    }
  }
}
