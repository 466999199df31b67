/// The arrow a CGM shows beside a reading.
///
/// Classes and their bounds are those of LoopKit's `GlucoseTrend` and of Dexcom Share, which
/// numbers them from 1 (double up) to 7 (double down).
public enum GlucoseTrend: Int, Hashable, Sendable, CaseIterable {
  /// Rising fast.
  case upUpUp = 1
  /// Rising.
  case upUp
  /// Rising slowly.
  case up
  /// Steady.
  case flat
  /// Falling slowly.
  case down
  /// Falling.
  case downDown
  /// Falling fast.
  case downDownDown

  /// The class of a rate of change, in milligrams per decilitre per minute.
  ///
  /// Returns nothing for a rate that is not a number.
  public init?(rate: Double) {
    guard !rate.isNaN else { return nil }
    self =
      if rate >= 3 {
        .upUpUp
      } else if rate >= 2 {
        .upUp
      } else if rate >= 1 {
        .up
      } else if rate > -1 {
        .flat
      } else if rate > -2 {
        .down
      } else if rate > -3 {
        .downDown
      } else {
        .downDownDown
      }
  }

  /// The arrow as a character.
  public var arrow: String {
    switch self {
    case .upUpUp: "⇈"
    case .upUp: "↑"
    case .up: "↗"
    case .flat: "→"
    case .down: "↘"
    case .downDown: "↓"
    case .downDownDown: "⇊"
    }
  }
}
