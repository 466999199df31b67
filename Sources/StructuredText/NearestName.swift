/// Finds what somebody probably meant to write.
public enum NearestName {
  /// The number of characters to insert, delete, replace or swap with a neighbour to turn one
  /// text into another.
  ///
  /// This is the restricted Damerau–Levenshtein distance ("optimal string alignment") over
  /// Unicode scalars.
  public static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first.unicodeScalars)
    let second = Array(second.unicodeScalars)
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    var row = last
    for i in 1...first.count {
      row[0] = i
      for j in 1...second.count {
        let substitution = last[j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1)
        row[j] = min(last[j] + 1, row[j - 1] + 1, substitution)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[second.count]
  }

  /// The known name nearest to what was written, or nothing when none is near.
  ///
  /// A difference in letter case counts as near. Otherwise about one character in three may
  /// differ, at least one in a short name, or three characters or more must begin the other name.
  /// Among equally near names the first wins. Nearest of all is a name of several parts whose last
  /// one was written: `America/Chicago` for `Chicago`.
  public static func nearest(to written: String, among names: some Sequence<String>) -> String? {
    guard !written.isEmpty, written.utf8.count <= 80 else { return nil }
    let folded = written.lowercased()
    let length = folded.unicodeScalars.count
    var best: (name: String, distance: Int)?
    for name in names where name.utf8.count <= 80 {
      let other = name.lowercased()
      if isLastPart(folded, of: other) { return name }
      let longest = max(length, other.unicodeScalars.count)
      let shortest = min(length, other.unicodeScalars.count)
      let begins = shortest >= 3 && (other.hasPrefix(folded) || folded.hasPrefix(other))
      var distance = distance(folded, other)
      if begins { distance = min(distance, 2) }
      guard begins || distance <= max(1, longest / 3), distance < longest else { continue }
      if distance < (best?.distance ?? .max) { best = (name, distance) }
    }
    return best?.name
  }

  /// Whether a word, with spaces for underscores, is the last part of a name such as
  /// `america/new_york`.
  private static func isLastPart(_ word: String, of name: String) -> Bool {
    name.hasSuffix("/" + word.split(separator: " ").joined(separator: "_"))
  }

  /// The end of a sentence that offers the nearest name: ` Did you mean "carbs"?`, or nothing.
  public static func suggestion(for written: String, among names: some Sequence<String>) -> String {
    nearest(to: written, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
  }
}
