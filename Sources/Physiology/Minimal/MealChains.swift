import Quantities

/// Carbohydrate on its way from the mouth, in up to four meals of different speed at a time.
///
/// Each meal passes two compartments of one time constant, so that a meal eaten at once appears as
/// t exp(−t/τ) / τ². Amounts are in grams.
struct MealChains: Hashable, Sendable {
  var first = SIMD4<Double>(repeating: 0)
  var second = SIMD4<Double>(repeating: 0)
  /// What has left the second compartments.
  var absorbed = 0.0

  func adding(_ other: Self, times h: Double) -> Self {
    Self(
      first: first + h * other.first, second: second + h * other.second,
      absorbed: absorbed + h * other.absorbed)
  }

  var grams: Double { (first + second).sum() }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    var worst = 0.0
    for slot in 0..<4 {
      worst = max(
        worst, errorShare(e.first[slot], a.first[slot], b.first[slot], t),
        errorShare(e.second[slot], a.second[slot], b.second[slot], t))
    }
    return worst
  }

  mutating func clearTraces() {
    for slot in 0..<4 {
      clearTrace(&first[slot])
      clearTrace(&second[slot])
    }
  }
}

/// The speed of each of the chains, and the one that takes what is eaten now.
struct MealChainSpeeds: Hashable, Sendable {
  /// One over the time constants, per minute.
  private(set) var rates: SIMD4<Double>
  private(set) var current = 0
  private let ownTimeConstant: Double

  /// Time constants after which 95 % of a meal have been absorbed.
  static let timeConstantsPerMeal = 4.743_9

  init(ownTimeConstant: Double) {
    assert(ownTimeConstant > 0, "A meal takes some time.")
    self.ownTimeConstant = ownTimeConstant
    rates = SIMD4(repeating: 1 / ownTimeConstant)
  }

  /// Chooses the chain for what is eaten now: one of this speed, or else the emptiest.
  ///
  /// A meal that states an absorption time has 95 % absorbed by then; any other takes the patient's
  /// own time constant.
  mutating func choose(for bite: Plate.Bite, in chains: MealChains) {
    let constant =
      bite.absorption.map { max($0.minutes, 5) / Self.timeConstantsPerMeal } ?? ownTimeConstant
    let rate = 1 / constant
    if let same = (0..<4).first(where: { rates[$0] == rate }) {
      current = same
      return
    }
    let contents = chains.first + chains.second
    current = (0..<4).min { contents[$0] < contents[$1] } ?? 0
    rates[current] = rate
  }

  /// The fastest rate of the chains, per minute.
  func fastestRate(emptying: Double) -> Double { rates.max() * emptying }

  /// The change of the chains, and the appearance in g/min.
  func change(of chains: MealChains, eating: Double, emptying: Double)
    -> (MealChains, appearance: Double)
  {
    assert((0..<4).contains(current), "What is eaten goes into one of four chains.")
    let speed = rates * emptying
    let passing = chains.first * speed
    let leaving = chains.second * speed
    var change = MealChains(first: -passing, second: passing - leaving)
    change.first[current] += eating
    change.absorbed = leaving.sum()
    return (change, change.absorbed)
  }
}
