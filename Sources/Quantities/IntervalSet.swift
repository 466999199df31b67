/// Moments of time that something covers: disjoint stretches in ascending order.
package struct IntervalSet: Sendable {
  /// The stretches, each longer than nothing.
  package private(set) var stretches: [(start: Instant, end: Instant)] = []

  /// Covers nothing.
  package init() {}

  /// Covers stretches that ascend by start.
  package init(_ stretches: [(start: Instant, end: Instant)]) { formUnion(stretches) }

  /// Adds stretches that ascend by start.
  package mutating func formUnion(_ added: [(start: Instant, end: Instant)]) {
    var merged: [(start: Instant, end: Instant)] = []
    merged.reserveCapacity(stretches.count + added.count)
    var (left, right) = (0, 0)
    while left < stretches.count || right < added.count {
      let takesLeft =
        right == added.count
        || (left < stretches.count && stretches[left].start <= added[right].start)
      let next = takesLeft ? stretches[left] : added[right]
      if takesLeft { left += 1 } else { right += 1 }
      guard next.start < next.end else { continue }
      if let last = merged.last, next.start <= last.end {
        merged[merged.count - 1].end = max(last.end, next.end)
      } else {
        merged.append(next)
      }
    }
    assert(zip(merged, merged.dropFirst()).allSatisfy { $0.end < $1.start }, "Stretches lie apart.")
    stretches = merged
  }

  /// How much of a stretch is not covered.
  package func uncovered(_ start: Instant, _ end: Instant) -> TimeSpan {
    assert(start <= end, "What is not covered lies in a stretch of time.")
    var rest = end - start
    var index = firstEnding(after: start)
    while index < stretches.count, stretches[index].start < end {
      rest = rest - (min(end, stretches[index].end) - max(start, stretches[index].start))
      index += 1
    }
    return rest
  }

  /// The parts of a stretch that are not covered, earliest first.
  package func gaps(from start: Instant, to end: Instant) -> [(start: Instant, end: Instant)] {
    var gaps: [(start: Instant, end: Instant)] = []
    var reached = start
    for stretch in stretches[firstEnding(after: start)...] {
      guard stretch.start < end else { break }
      if stretch.start > reached { gaps.append((reached, stretch.start)) }
      reached = stretch.end
    }
    if reached < end { gaps.append((reached, end)) }
    return gaps
  }

  /// What is covered of a stretch.
  package func within(_ start: Instant, _ end: Instant) -> Self {
    var part = Self()
    guard start < end else { return part }
    for stretch in stretches[firstEnding(after: start)...] {
      guard stretch.start < end else { break }
      part.stretches.append((max(start, stretch.start), min(end, stretch.end)))
    }
    return part
  }

  /// Whether a moment is covered; the end of a stretch is not.
  package func contains(_ instant: Instant) -> Bool {
    let index = firstEnding(after: instant)
    return index < stretches.count && stretches[index].start <= instant
  }

  /// How much time is covered.
  package var length: TimeSpan { stretches.reduce(.zero) { $0 + ($1.end - $1.start) } }

  private func firstEnding(after instant: Instant) -> Int {
    var low = 0
    var high = stretches.count
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].end <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
