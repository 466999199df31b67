/// One part of several into which a batch is divided, written `2/4`.
struct Shard: Hashable, Sendable {
  var index: Int
  var count: Int

  /// Whether it is the first of all, which tells what concerns them together.
  var isFirst: Bool { index == 1 }

  /// The most parts, as many as there are runs at most: more would have nothing to do, and those
  /// that are lacking are told one by one.
  static let maximumCount = ScenarioBatch.maximumRuns

  /// Checks a word that names a part; an empty one names all.
  ///
  /// - Throws: ``Failure`` where it is no part.
  static func check(_ word: String) throws {
    guard word.isEmpty || Self(word) != nil else {
      throw Failure(
        .usage,
        "A shard is written as 2/4: the second of four parts, of which there are at most "
          + "\(maximumCount).")
    }
  }

  /// Reads `i/N`, with i from 1 to N, and N up to ``maximumCount``.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.maximumCount).contains(count), (1...count).contains(index)
    else { return nil }
    self.index = index
    self.count = count
  }
}

extension ScenarioBatch {
  /// The runs of one of several shards.
  ///
  /// Runs are dealt out in their order, one to each shard in turn, so that long scenarios are
  /// spread out. The runs of a scenario with an expectation that looks at several of them are
  /// dealt out together.
  func shard(_ shard: Shard?) -> [PlannedRun] {
    guard let shard else { return runs }
    return runs.filter { $0.unit % shard.count == shard.index - 1 }
  }
}
