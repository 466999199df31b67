/// Which app's rules are followed around the algorithm.
public enum LoopGeneration: String, Hashable, Sendable, CaseIterable {
  /// The app built on the LoopAlgorithm package: LoopKit/Loop, branch `tidepool-merge`.
  case current
  /// The app with the algorithm inside LoopKit: LoopKit/Loop, branch `dev`.
  case older

  /// The part of the maximum bolus that an automatic bolus is at most, of the part that its
  /// settings state.
  ///
  /// The older app never gives more than the maximum bolus, whatever the part.
  public func largestPartOfMaximumBolus(stated part: Double) -> Double {
    switch self {
    case .current: part
    case .older: min(part, 1)
    }
  }
}
