package import Quantities

extension String {
  /// A sentence whose times in UTC, as the world writes them, are told otherwise.
  package func replacingTimes(by words: (Instant) -> String) -> String {
    guard utf8.contains(UInt8(ascii: "Z")) else { return self }
    return replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) { match in
      Instant(iso8601: String(match.0)).map(words) ?? String(match.0)
    }
  }
}
