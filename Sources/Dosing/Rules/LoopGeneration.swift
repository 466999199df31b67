/// Which app's rules are followed around the algorithm.
public enum LoopGeneration: String, Hashable, Sendable, CaseIterable {
  /// The app built on the LoopAlgorithm package: LoopKit/Loop, branch `tidepool-merge`.
  case current
  /// The app with the algorithm inside LoopKit: LoopKit/Loop, branch `dev`.
  case older
}
