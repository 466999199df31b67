/// One double, or several that the same is done with: a processor computes two at once.
///
/// Each lane has the same bits that it would have alone.
protocol Lanes {
  /// The same number in every lane.
  static func all(_ number: Double) -> Self
  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  static func * (left: Self, right: Self) -> Self
}

extension Double: Lanes {
  @inline(__always) static func all(_ number: Double) -> Double { number }
}

/// Two doubles side by side.
///
/// The compiler puts both into one register; `SIMD2` would have it do so too, at a hundred times
/// the cost in a build without optimisation.
struct DoubleLanes: Lanes {
  let first: Double
  let second: Double

  @inline(__always)
  init(_ first: Double, _ second: Double) {
    self.first = first
    self.second = second
  }

  @inline(__always)
  static func all(_ number: Double) -> Self { Self(number, number) }

  @inline(__always)
  static func + (left: Self, right: Self) -> Self {
    Self(left.first + right.first, left.second + right.second)
  }

  @inline(__always)
  static func - (left: Self, right: Self) -> Self {
    Self(left.first - right.first, left.second - right.second)
  }

  @inline(__always)
  static func * (left: Self, right: Self) -> Self {
    Self(left.first * right.first, left.second * right.second)
  }
}
