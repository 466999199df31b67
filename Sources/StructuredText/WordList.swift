/// Lists and numbers of things in a sentence.
public enum WordList {
  /// A list such as `a, b and 3 more`, which names so many at most.
  public static func text(_ words: [String], atMost count: Int) -> String {
    let rest = words.count - count
    let shown = words.prefix(count).joined(separator: ", ")
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }

  /// A number of things: `1 sample`, `3 samples`.
  public static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
