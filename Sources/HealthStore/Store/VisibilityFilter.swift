internal import Quantities

/// Which samples of one type a client sees.
struct VisibilityFilter {
  /// The only source whose samples are shown; nothing for all.
  var only: Int32?
  var showsAny: Bool
  var earliest: Instant?

  func shows(_ stored: StoredSample) -> Bool {
    shows(source: stored.source, end: stored.sample.end)
  }

  func shows(_ tombstone: Tombstone) -> Bool {
    shows(source: tombstone.source, end: tombstone.end)
  }

  private func shows(source: Int32, end: Instant) -> Bool {
    guard showsAny else { return false }
    if let only, source != only { return false }
    return earliest.map { end >= $0 } ?? true
  }
}

extension ObjectType {
  /// Whether it takes more than the type and the source to say who sees a sample.
  var isJudgedOneByOne: Bool { kind == .correlation || kind == .document }
}
