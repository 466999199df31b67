/// A named source of random numbers that gives the same sequence on every machine.
///
/// Each consumer of chance owns one stream, derived from the seed of the run, the consumer's name
/// and the number of the cohort member. Adding a draw in one place therefore changes nothing
/// elsewhere. The generator is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014); names are hashed with 64-bit FNV-1a.
public struct RandomStream: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Creates the stream of one consumer.
  ///
  /// - Parameters:
  ///   - seed: The seed of the run.
  ///   - name: The consumer's name, such as `cgm`.
  ///   - member: The number of the cohort member, so that members differ under one seed.
  public init(seed: UInt64, name: String, member: UInt64 = 0) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a: hashValue differs from process to process.
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    state = Self.mixed(seed &+ Self.mixed(hash &+ Self.mixed(member)))
  }

  /// Creates a stream at a given state of the published generator, so that other programs can
  /// repeat its draws.
  public init(state: UInt64) { self.state = state }

  /// Draws 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mixed(state)
  }

  /// Draws from 0 ..< 1, with 53 random bits.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Draws a number between the bounds of a range, each equally likely.
  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    assert(
      range.lowerBound.isFinite && range.upperBound.isFinite,
      "Numbers are drawn between finite bounds.")
    let drawn = range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    return min(drawn, range.upperBound)
  }

  /// Draws a whole number from 0 ..< `bound`, each equally likely, or 0 when `bound` is 0.
  ///
  /// The method is Lemire's multiplication with rejection ("Fast Random Integer Generation in an
  /// Interval", ACM TOMACS 29, 2019), so that no number is favoured.
  public mutating func integer(below bound: UInt64) -> UInt64 {
    guard bound > 0 else { return 0 }
    var product = next().multipliedFullWidth(by: bound)
    guard product.low < bound else { return product.high }
    let threshold = (0 &- bound) % bound
    while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    return product.high
  }

  /// Decides by chance: `true` with the given probability, always drawing once.
  public mutating func bernoulli(_ probability: Double) -> Bool { unit() < probability }

  /// The finalizer of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
