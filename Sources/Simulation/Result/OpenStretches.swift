internal import Quantities

/// When something was so, of which one may go on.
struct OpenStretches: Sendable {
  private var past: [Range<Instant>] = []
  /// Since when it is so; `nil` while it is not.
  private var start: Instant?

  /// Notes whether it is so from an instant on.
  mutating func note(_ isSo: Bool, at now: Instant) {
    guard isSo != (start != nil) else { return }
    if let start, start < now { past.append(start..<now) }
    start = isSo ? now : nil
  }

  /// The stretches up to an instant, earliest first.
  func all(until end: Instant) -> [Range<Instant>] {
    guard let start, start < end else { return past }
    return past + [start..<end]
  }
}
