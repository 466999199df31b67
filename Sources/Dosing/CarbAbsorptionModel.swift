/// A curve by which carbohydrate is absorbed.
///
/// Each curve is a fraction absorbed `F(x)` at the fraction `x` of the absorption time.
///
/// Source: LoopKit/LoopAlgorithm, `CarbMath.swift`; the parabolic curve (Scheiner) is the one of
/// the older LoopKit/LoopKit, `CarbKit/CarbMath.swift`.
public enum CarbAbsorptionModel: String, Hashable, Sendable, CaseIterable {
  case linear
  case parabolic
  /// The rate rises until 15 % of the time, holds until 50 %, and falls to nothing.
  case piecewiseLinear
}
