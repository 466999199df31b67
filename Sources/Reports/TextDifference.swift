/// The first place at which two texts differ, for people.
public enum TextDifference {
  /// One sentence with the line and both readings; nothing when the texts are equal.
  public static func first(between kept: String, and found: String) -> String? {
    guard kept != found else { return nil }
    let old = kept.split(separator: "\n", omittingEmptySubsequences: false)
    let new = found.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(old.count, new.count) {
      let (left, right) = (line(index, of: old), line(index, of: new))
      if left != right {
        return "line \(index + 1): kept \(quoted(left)), found \(quoted(right))"
      }
    }
    return "the bytes differ"
  }

  private static func line(_ index: Int, of lines: [Substring]) -> Substring? {
    index < lines.count ? lines[index] : nil
  }

  private static func quoted(_ line: Substring?) -> String {
    line.map { "\"\($0.prefix(120))\"" } ?? "nothing"
  }
}
