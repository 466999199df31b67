internal import ClosedLoop
public import Quantities

/// What the app warned the person of in a run.
public struct AppWarningRecord: Hashable, Sendable {
  /// When it first did.
  public var instant: Instant
  /// The warning, in whole sentences.
  public var text: String
  /// Whether somebody refused the app something; else it warns of what it does.
  public var isRefusal: Bool

  init(_ warning: AppWarning, at instant: Instant) {
    self.instant = instant
    text = warning.description
    isRefusal =
      switch warning {
      case .writeRefused, .readRefused: true
      case .readsForeignCarbs, .displayUnitDiffers, .deletionInClosedLoop: false
      }
  }
}
