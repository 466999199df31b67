import Quantities

/// Whether a body has rested between two bouts of exercise.
///
/// A bout that begins at the very instant at which another ends goes on with it.
struct RestBetweenBouts: Hashable, Sendable {
  /// When exercise last ended.
  private var start: Instant?

  /// Takes up that exercise changes from one effort to another at an instant; answers whether a
  /// bout of its own begins, after rest.
  mutating func beginsBout(at now: Instant, from effort: Double, to next: Double) -> Bool {
    assert(effort >= 0 && next >= 0, "No effort is below rest.")
    if effort > 0, next == 0 { start = now }
    return effort == 0 && next > 0 && start != now
  }
}
