import Quantities

/// Carbohydrate on its way from the mouth, in up to eight meals of different speed at a time.
///
/// Each meal passes two compartments of one time constant, so that a meal eaten at once appears as
/// t exp(−t/τ) / τ². Amounts are in grams.
struct MealChains: Hashable, Sendable {
  typealias Chains = SIMD8<Double>

  var first = Chains(repeating: 0)
  var second = Chains(repeating: 0)
  /// What has left the second compartments.
  var absorbed = 0.0

  func adding(_ other: Self, times h: Double) -> Self {
    Self(
      first: first + h * other.first, second: second + h * other.second,
      absorbed: absorbed + h * other.absorbed)
  }

  var grams: Double { Self.sum(first + second) }

  /// The sum, in which chains that nothing has passed change no bit.
  static func sum(_ amounts: Chains) -> Double { amounts.lowHalf.sum() + amounts.highHalf.sum() }

  static func worstShare(of e: Self, from a: Self, to b: Self, tolerance t: Double) -> Double {
    var worst = 0.0
    for slot in 0..<Chains.scalarCount {
      worst = max(
        worst, errorShare(e.first[slot], a.first[slot], b.first[slot], t),
        errorShare(e.second[slot], a.second[slot], b.second[slot], t))
    }
    return worst
  }

  mutating func clearTraces() {
    for slot in 0..<Chains.scalarCount {
      clearTrace(&first[slot])
      clearTrace(&second[slot])
    }
  }
}

/// The speed of each of the chains, and which of them take what is eaten now.
struct MealChainSpeeds: Hashable, Sendable {
  typealias Chains = MealChains.Chains

  /// One over the time constants, per minute.
  private(set) var rates: Chains
  /// The share of what is eaten now that each chain takes.
  private(set) var shares = Chains(repeating: 0)
  private let ownTimeConstant: Double

  /// Time constants after which 95 % of a meal have been absorbed.
  static let timeConstantsPerMeal = 4.743_9

  init(ownTimeConstant: Double) {
    assert(ownTimeConstant > 0, "A meal takes some time.")
    self.ownTimeConstant = ownTimeConstant
    rates = Chains(repeating: 1 / ownTimeConstant)
  }

  /// Chooses chains for what is eaten now: one of its speed, or else the emptiest, which is empty
  /// but where more than eight speeds meet.
  ///
  /// A meal that states an absorption time has 95 % absorbed by then; any other takes the patient's
  /// own time constant.
  mutating func choose(for bite: Plate.Bite, in chains: MealChains) {
    assert(bite.grams > 0, "A bite is more than nothing.")
    shares = Chains(repeating: 0)
    var contents = chains.first + chains.second
    for portion in bite.portions {
      let chain = chain(
        for: portion.absorption, taking: portion.grams + bite.gramsLeft, among: contents)
      shares[chain] += bite.portions.count == 1 ? 1 : portion.grams / bite.grams
      contents[chain] += portion.grams
    }
  }

  /// The chain for an absorption time, and so many grams.
  private mutating func chain(
    for absorption: TimeSpan?, taking grams: Double, among contents: Chains
  ) -> Int {
    let constant =
      absorption.map { max($0.minutes, 5) / Self.timeConstantsPerMeal } ?? ownTimeConstant
    let rate = 1 / constant
    if let same = contents.indices.first(where: { rates[$0] == rate }) { return same }
    let emptiest = contents.indices.min { contents[$0] < contents[$1] } ?? 0
    // Either what lies in the emptiest chain takes this speed, or what is eaten takes that of the
    // chain whose own is nearest: whichever moves fewer grams by less time.
    func shift(_ chain: Int) -> Double { (1 / rates[chain] - constant).magnitude }
    let nearest = rates.indices.min { shift($0) < shift($1) } ?? emptiest
    if grams * shift(nearest) < contents[emptiest] * shift(emptiest) { return nearest }
    rates[emptiest] = rate
    return emptiest
  }

  /// The fastest rate of the chains, per minute.
  func fastestRate(emptying: Double) -> Double { rates.max() * emptying }

  /// The change of the chains, and the appearance in g/min.
  func change(of chains: MealChains, eating: Double, emptying: Double)
    -> (MealChains, appearance: Double)
  {
    assert(eating == 0 || abs(shares.sum() - 1) < 1e-9, "Chains take all that is eaten.")
    let speed = rates * emptying
    let passing = chains.first * speed
    let leaving = chains.second * speed
    var change = MealChains(first: shares * eating - passing, second: passing - leaving)
    change.absorbed = MealChains.sum(leaving)
    return (change, change.absorbed)
  }
}
