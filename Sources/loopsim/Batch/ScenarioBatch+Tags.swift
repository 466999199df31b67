import StructuredText

extension ScenarioBatch {
  /// Refuses a tag by which scenarios are chosen and that none has: a misspelt one would leave out
  /// what it was to choose, and nobody would know.
  ///
  /// - Parameter wanted: The tags by which the scenarios were chosen.
  /// - Throws: ``Failure`` with the nearest tag. Where a file cannot be read it may have any tag,
  ///   and the file is told.
  func check(tags wanted: [String]) throws(Failure) {
    guard unreadable.isEmpty, let tag = wanted.first(where: { !tags.contains($0) }) else { return }
    let near = NearestName.suggestion(for: tag, among: tags.sorted())
    throw Failure(
      .badInput, "No scenario matches \"--tag \(tag)\".\(near) Check the tags.")
  }
}
