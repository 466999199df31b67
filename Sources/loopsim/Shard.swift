/// One part of several into which a batch is divided, written `2/4`.
struct Shard: Hashable, Sendable {
  var index: Int
  var count: Int

  /// Whether it is the first of all, which tells what concerns them together.
  var isFirst: Bool { index == 1 }

  /// Reads `i/N`, with i from 1 to N.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), count >= 1,
      (1...count).contains(index)
    else { return nil }
    self.index = index
    self.count = count
  }
}
