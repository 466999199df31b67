internal import ClosedLoop
public import Quantities

/// What the app warned the person of in a run.
public struct AppWarningRecord: Hashable, Sendable {
  /// When it first did.
  public var instant: Instant
  /// When it was last refused the same; when it first was where it warns of what it does.
  public var last: Instant
  /// At how many instants it was refused.
  public var times = 1
  /// The warning, in whole sentences.
  public var text: String
  /// Whether somebody refused the app something; else it warns of what it does.
  public var isRefusal: Bool

  init(_ warning: AppWarning, at instant: Instant) {
    self.instant = instant
    last = instant
    text = warning.description
    isRefusal = warning.isRefusal
  }

  /// Notes that the same was refused again, unless it was at the same instant.
  mutating func repeated(at instant: Instant) {
    guard instant > last else { return }
    last = instant
    times += 1
  }
}
