/// Finding what somebody may have meant.
public enum Suggestion {
  /// The candidate nearest to a word, when it is near enough to be worth asking about.
  ///
  /// Near enough is an edit distance below 4 that also leaves a part of the word untouched. Of
  /// candidates at the same distance the first wins. Nearest of all is a candidate of several parts
  /// whose last one is the word: `America/Chicago` for `chicago`.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let part = "/" + word.lowercased().split(separator: " ").joined(separator: "_")
    if let meant = candidates.first(where: { $0.lowercased().hasSuffix(part) }) { return meant }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let distance = editDistance(word, candidate)
      guard distance < min(4, max(word.count, candidate.count)) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// The number of insertions, deletions and substitutions that turn one word into another.
  ///
  /// Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals" (1966).
  static func editDistance(_ first: String, _ second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (line, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in target.indices {
        let substituted = diagonal + (character == target[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
      }
    }
    return row[target.count]
  }
}
