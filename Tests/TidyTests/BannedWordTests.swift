import Foundation
import Testing

@Suite("Words")
struct BannedWordTests {
  /// What may not stand in a source file, and what to do instead.
  static let banned: [(word: String, remedy: String)] = [
    ("FIXME", "Do it, or leave it out."),
    ("TODO", "Do it, or leave it out."),
    ("XXX", "Do it, or leave it out."),
    ("not implemented", "Implement it, or leave it out."),
    ("placeholder", "Write the real thing; a parameter of SQL is called a parameter."),
    ("for now", "Settle it."),
    ("try!", "Throw, or use #require in tests."),
    ("as!", "Use as? and say what happens otherwise."),
    ("fatalError(", "Throw an error, or use precondition with a sentence."),
    ("@unchecked Sendable", "Use a value type or a Mutex."),
    ("nonisolated(unsafe)", "Use a value type or a Mutex."),
    ("Date()", "Time comes from the scenario."),
    ("Date.now", "Time comes from the scenario."),
    ("SystemRandomNumberGenerator", "Use a named RandomStream."),
    (".random(in", "Use RandomStream.unit()."),
    ("ISO8601DateFormatter", "Use WallClock and Instant."),
    ("/work/", "No path of one machine belongs into the package."),
  ]

  /// What may not stand in `Sources`, but may in a test that needs a name of its own on the disk.
  static let bannedInSources: [(word: String, remedy: String)] = [
    ("UUID()", "Identifiers come from a RandomStream or from content.")
  ]

  /// This file, which has to name the words.
  private static let ownPath = "Tests/TidyTests/BannedWordTests.swift"

  @Test("No file leaves anything behind")
  func leavesNothingBehind() {
    for file in Repository.sources + Repository.tests where file.path != Self.ownPath {
      leavesNothingBehind(file)
    }
  }

  private func leavesNothingBehind(_ file: Repository.SourceFile) {
    let lowercased = file.text.lowercased()
    let isSource = file.path.hasPrefix("Sources/")
    for (word, remedy) in Self.banned + (isSource ? Self.bannedInSources : []) {
      let isProse = word == word.lowercased()
      let isFound = contains(word, in: isProse ? lowercased : file.text)
      #expect(!isFound, "\(file.path): Remove \"\(word)\": \(remedy)")
    }
    let hasStub = lowercased.contains("stub") && words(of: lowercased).contains("stub")
    #expect(!hasStub, "\(file.path): Remove \"stub\": Write the real thing.")
  }

  /// Whether the word stands in the text, not only as the end of a longer one.
  private func contains(_ word: String, in text: String) -> Bool {
    // Most files have none of the words, which the system's own search is quick to see.
    guard unsafe strstr(text, word) != nil else { return false }
    var rest = text.startIndex..<text.endIndex
    while let range = text.range(of: word, options: .literal, range: rest) {
      let isStart =
        range.lowerBound == text.startIndex || word.first?.isLetter != true
        || !text[text.index(before: range.lowerBound)].isLetter
      if isStart { return true }
      rest = range.upperBound..<text.endIndex
    }
    return false
  }

  private func words(of text: String) -> Set<Substring> {
    Set(text.split { !$0.isLetter })
  }
}
