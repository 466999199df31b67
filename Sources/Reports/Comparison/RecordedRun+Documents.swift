public import StructuredText

/// What the documents of a result say in words, and which run they are of.
extension RecordedRun {
  /// Takes what a `summary.json` says beside its figures.
  ///
  /// Of expectations only those that fail are said: their texts are the scenario's own. The place
  /// of a run in its scenario, such as a point of a sweep, says which run it is and is no figure:
  /// what is frozen of it stands in no sweep.
  public mutating func read(summary tree: JSONValue) {
    figures += Self.figures(of: tree).filter { !$0.name.hasPrefix("\(Self.source).") }
    for (name, path) in Self.facts {
      if let text = path.reduce(Optional(tree), { $0?[$1] })?.words {
        identity.append((name, text))
      }
    }
    for place in Self.figures(of: tree[Self.source] ?? .null) {
      let text = Int64(exactly: place.value).map { "\($0)" } ?? "\(place.value)"
      identity.append((place.name, text))
    }
    if let digest = tree["digest"]?.words {
      statements.append("the digest of the run is \(digest)")
    }
    if let answer = tree["records"]?["answer"]?.words {
      statements.append("whether the records agree: \(answer)")
    }
    for trouble in tree["troubles"]?.items ?? [] {
      let times = trouble["count"]?.words.map { $0 == "1" ? "" : " (\($0) times)" } ?? ""
      let units = trouble["units"]?.words.map { ", \($0) U" } ?? ""
      let seconds = trouble["seconds"]?.words.map { ", \($0) s in all" } ?? ""
      statements.append(
        "\(trouble["kind"]?.words ?? "trouble")\(trouble.stretch)\(seconds)\(units): "
          + "\(trouble["text"]?.words ?? "")\(times)")
    }
    for fault in tree["faults"]?.items ?? [] {
      let text = fault["text"]?.words.map { ": \($0)" } ?? ""
      statements.append("fault \(fault["id"]?.words ?? "?")\(fault.stretch)\(text)")
    }
    sayDifferences(tree)
    for law in tree["violations"]?.items ?? [] {
      let time = law["time"]?.words.map { " at \($0)" } ?? ""
      statements.append("law \(law["law"]?.words ?? "?")\(time): \(law["text"]?.words ?? "")")
    }
    if let at = tree["lethal"]?["at"]?.words {
      statements.append("the run ended as lethal at \(at)")
    }
    for stretch in tree["outside_model"]?["stretches"]?.items ?? [] {
      func words(_ key: String) -> String { stretch[key]?.words ?? "?" }
      statements.append(
        "outside the body's model from \(words("from")) until \(words("to")), "
          + "\(words("lowest_mgdL")) to \(words("highest_mgdL")) mg/dL")
    }
    if tree["privileged"]?.words == "true" {
      statements.append("a program that decided might see the truth")
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
    sayDifferences(tree)
  }

  /// Says how the records differ; what summary and ledger both say is said once.
  private mutating func sayDifferences(_ tree: JSONValue) {
    let known = Set(statements)
    for difference in tree["records"]?["differences"]?.items ?? [] {
      let units = difference["units"]?.words.map { ", \($0) U" } ?? ""
      let records = (difference["records"]?.items ?? []).compactMap(\.words)
      let severity = difference["severity"]?.words ?? "difference"
      let kind = difference["kind"]?.words.map { ", \($0)" } ?? ""
      let sentence =
        "\(severity)\(kind)\(difference.stretch)\(units)"
        + (records.isEmpty ? "" : " in \(records.joined(separator: ", "))")
        + ": \(difference["text"]?.words ?? "")"
      if !known.contains(sentence) { statements.append(sentence) }
    }
  }

  /// The key of a summary under which stands from what the run was made.
  private static let source = "source"

  /// What says which run it is; two that differ in it may be the same otherwise.
  private static let facts = [
    ("run", ["id"]), ("start", ["start"]), ("end", ["end"]), ("seed", ["seed"]),
    ("time zone", [source, "time_zone"]), ("glucose unit", [source, "glucose_unit"]),
    ("version of loopsim", ["version"]),
  ]
}

extension JSONValue {
  /// From when until when something was, as part of a sentence; nothing where it says no time.
  fileprivate var stretch: String {
    guard let start = self["start"]?.words else { return "" }
    let end = self["end"]?.words ?? start
    return " from \(start)" + (end == start ? "" : " until \(end)")
  }

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
