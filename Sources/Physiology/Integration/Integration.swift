public import Quantities

/// How the equations of a body are solved.
///
/// A step always ends where an input changes: at every pulse, bite and change of rate. Kinks inside
/// the equations, such as the threshold of renal excretion, cost a fixed step a few 10⁻⁵ mg/dL; the
/// adaptive pair shortens its steps there. A fixed step is shortened only where something in a body
/// is so quick that errors would grow from step to step.
public enum Integration: Hashable, Sendable {
  /// The classical Runge–Kutta method of order 4 with steps of at most this length; shorter ones
  /// while the body eats, when stomach emptying changes fastest.
  case fixed(step: TimeSpan, whileEating: TimeSpan)
  /// The embedded pair of order 5(4) of J. R. Dormand and P. J. Prince (J. Comput. Appl. Math. 6,
  /// 1980), which keeps the estimated error of each step below `tolerance`, relative and absolute.
  case adaptive(tolerance: Double, longestStep: TimeSpan)

  /// One minute, and an eighth of it while eating: within 0.02 mg/dL of the true solution.
  public static let production = Self.fixed(
    step: .minutes(1), whileEating: .milliseconds(7_500))

  /// The adaptive pair at 10⁻¹⁰: within 10⁻⁵ mg/dL of the true solution.
  public static let reference = Self.adaptive(tolerance: 1e-10, longestStep: .minutes(5))

  /// The same method at half the step, or a hundredth of the tolerance, to see what the step costs.
  public var refined: Self {
    switch self {
    case .fixed(let step, let whileEating):
      let half = { (span: TimeSpan) in TimeSpan(milliseconds: max(1, span.milliseconds / 2)) }
      return .fixed(step: half(step), whileEating: half(whileEating))
    case .adaptive(let tolerance, let longestStep):
      return .adaptive(tolerance: max(tolerance / 100, 1e-13), longestStep: longestStep)
    }
  }
}
