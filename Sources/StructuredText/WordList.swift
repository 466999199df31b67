/// Lists and numbers of things in a sentence.
public enum WordList {
  /// A list such as `a, b and 3 more`, which names so many at most.
  public static func text(_ words: [String], atMost count: Int) -> String {
    let rest = words.count - count
    let shown = words.prefix(count).joined(separator: ", ")
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }

  /// A number of things: `1 sample`, `3 samples`, `2 entries`, `2 boluses`.
  public static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(count == 1 ? noun : plural(noun))"
  }

  /// A number of things and what they do: `1 run is`, `2 runs are`.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - noun: What one is called.
  ///   - verb: What one does, such as `is`, `has` or `lies`.
  /// - Returns: The words.
  public static func counted(_ count: Int, _ noun: String, _ verb: String) -> String {
    "\(counted(count, noun)) \(self.verb(verb, of: count))"
  }

  /// What so many things do, by what one does: `is` and `are`, `lies` and `lie`.
  public static func verb(_ verb: String, of count: Int) -> String {
    guard count != 1 else { return verb }
    switch verb {
    case "is": return "are"
    case "was": return "were"
    case "has": return "have"
    case "does": return "do"
    default:
      assert(verb.hasSuffix("s"), "A verb is named as one thing does it.")
      return String(verb.dropLast(verb.hasSuffix("sses") ? 2 : 1))
    }
  }

  /// Several of what a noun names.
  private static func plural(_ noun: String) -> String {
    if ["s", "x", "ch", "sh"].contains(where: noun.hasSuffix) { return noun + "es" }
    let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
    guard noun.hasSuffix("y"), let before = noun.dropLast().last, !vowels.contains(before) else {
      return noun + "s"
    }
    return noun.dropLast() + "ies"
  }
}
