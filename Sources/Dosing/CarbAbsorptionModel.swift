/// A curve by which carbohydrate is absorbed.
///
/// Each curve is a fraction absorbed `F(x)` at the fraction `x` of the absorption time, its inverse
/// `G(y)`, and its rate `r(x)`, the derivative of `F`.
///
/// Source: LoopKit/LoopAlgorithm, `CarbMath.swift`; the parabolic curve (Scheiner) is the one of
/// the older LoopKit/LoopKit, `CarbKit/CarbMath.swift`.
public enum CarbAbsorptionModel: String, Hashable, Sendable, CaseIterable {
  /// At one rate.
  case linear
  /// At a rate that rises and falls as a parabola (Scheiner).
  case parabolic
  /// The rate rises until 15 % of the time, holds until 50 %, and falls to nothing.
  case piecewiseLinear

  /// `F(x)`, the fraction absorbed at the fraction `x` of the absorption time.
  public func fractionAbsorbed(_ x: Double) -> Double {
    switch self {
    case .linear: max(0, min(x, 1))
    case .parabolic: Self.parabola(x)
    case .piecewiseLinear: PiecewiseLinear.fraction(x)
    }
  }

  /// `G(y)`, the fraction of the absorption time at which the fraction `y` is absorbed.
  public func timeFraction(absorbing y: Double) -> Double {
    switch self {
    case .linear:
      return max(0, min(y, 1))
    case .parabolic:
      if y <= 0 { return 0 }
      if y <= 0.5 { return (0.5 * y).squareRoot() }
      return y < 1 ? 1 - (0.5 * (1 - y)).squareRoot() : 1
    case .piecewiseLinear:
      return PiecewiseLinear.time(y)
    }
  }

  /// `r(x)`, the rate of absorption at the fraction `x` of the absorption time.
  public func rate(_ x: Double) -> Double {
    switch self {
    case .linear: x > 0 && x <= 1 ? 1 : 0
    case .parabolic: x > 0 && x <= 0.5 ? 4 * x : x > 0.5 && x < 1 ? 4 - 4 * x : 0
    case .piecewiseLinear: PiecewiseLinear.rate(x)
    }
  }

  private static func parabola(_ x: Double) -> Double {
    if x <= 0 { return 0 }
    if x <= 0.5 { return 2 * x * x }
    return x < 1 ? -1 + 2 * x * (2 - x) : 1
  }
}

/// The piecewise linear curve: `A = 0.15`, `B = 0.5`, plateau `c = 2/(1 + B − A)`.
enum PiecewiseLinear {
  private static let A = 0.15
  private static let B = 0.5
  private static let c = 2.0 / (1.0 + B - A)

  static func fraction(_ x: Double) -> Double {
    if x <= 0 { return 0 }
    if x < A { return 0.5 * c * (x * x) / A }
    if x < B { return c * (x - 0.5 * A) }
    if x < 1 { return c * (B - 0.5 * A + (x - B) * (1 - 0.5 * (x - B) / (1 - B))) }
    return 1
  }

  static func time(_ y: Double) -> Double {
    if y <= 0 { return 0 }
    if y < 0.5 * c * A { return (2 * A * y / c).squareRoot() }
    if y < c * (B - 0.5 * A) { return 0.5 * A + y / c }
    return y < 1 ? 1 - ((1 - B) * (1 + B - A) * (1 - y)).squareRoot() : 1
  }

  static func rate(_ x: Double) -> Double {
    if x > 0 && x < A { return c * x / A }
    if x >= A && x < B { return c }
    return x >= B && x < 1 ? c * ((1 - x) / (1 - B)) : 0
  }
}
