/// Words in a sentence, of which a long list names the first alone and says how many are left.
public enum WordList {
  /// A list such as `a, b and 3 more`; all of them where there are at most so many.
  public static func text(_ words: [String], atMost count: Int) -> String {
    let rest = words.count - count
    let shown = words.prefix(count).joined(separator: ", ")
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }
}
