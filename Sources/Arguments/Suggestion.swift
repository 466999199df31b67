/// Finding what somebody may have meant.
public enum Suggestion {
  /// The candidate nearest to a word, when it is near enough to be worth asking about.
  ///
  /// Near enough is a word of which one character in three differs, at least one in a short word,
  /// or of which three characters or more begin the other; large letters are as small ones. Of
  /// candidates at the same distance the first wins. Nearest of all is a candidate of several parts
  /// whose last one is the word: `America/Chicago` for `chicago`.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    let part = "/" + word.split(separator: " ").joined(separator: "_")
    if let meant = candidates.first(where: { $0.lowercased().hasSuffix(part) }) { return meant }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let other = candidate.lowercased()
      let longest = max(word.count, other.count)
      let shortest = min(word.count, other.count)
      let begins = shortest >= 3 && (other.hasPrefix(word) || word.hasPrefix(other))
      // What is the same but for large letters is nearest.
      let distance = word == other ? 0 : begins ? 1 : editDistance(word, other)
      guard distance <= max(1, longest / 3), distance < longest else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// The number of insertions, deletions, substitutions and swaps of neighbours that turn one word
  /// into another, where nothing is changed twice.
  ///
  /// F. J. Damerau, "A technique for computer detection and correction of spelling errors" (1964).
  static func editDistance(_ first: String, _ second: String) -> Int {
    let (source, target) = (Array(first), Array(second))
    var beforeLast: [Int] = []
    var last = Array(0...target.count)
    for line in source.indices {
      var row = [line + 1]
      for column in target.indices {
        let substituted = last[column] + (source[line] == target[column] ? 0 : 1)
        row.append(min(substituted, row[column] + 1, last[column + 1] + 1))
        let isSwapped =
          line > 0 && column > 0 && source[line] == target[column - 1]
          && source[line - 1] == target[column]
        if isSwapped { row[column + 1] = min(row[column + 1], beforeLast[column - 1] + 1) }
      }
      (beforeLast, last) = (last, row)
    }
    return last[target.count]
  }
}
