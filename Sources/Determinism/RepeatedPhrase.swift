/// A phrase that digests absorb very often, as what all readings of a sensor have in common.
///
/// An exclusive or with a byte changes only the lowest byte of a digest, and by an amount that
/// depends on nothing but that; a multiplication carries nothing down into it. So all that a phrase
/// does to a digest is a multiplication by the power of the prime for its length and an addition of
/// one of 256 numbers, which the lowest byte of the digest selects. Each is reckoned when it is
/// first needed.
///
/// Invariant: a digest has the value that ``RunningDigest/absorb(_:)-(DigestPhrase)`` would have
/// given it.
public struct RepeatedPhrase: Sendable {
  /// How often a phrase is absorbed step by step before its numbers are kept, which takes 2 kB.
  private static let usesWithout = 16

  private let phrase: DigestPhrase
  private let factor: UInt64
  private var uses = 0
  /// What is added to a digest, by its lowest byte; 0 where that is not known, and empty at first.
  private var increments: [UInt64] = []

  /// Prepares a phrase.
  public init(_ phrase: DigestPhrase) {
    self.phrase = phrase
    factor = phrase.steps.reduce(1) { $0 &* $1.factor }
  }

  /// Takes a digest's value through the phrase.
  @inline(__always)
  mutating func absorb(into digest: inout RunningDigest) {
    let place = Int(truncatingIfNeeded: digest.value & 0xFF)
    guard !increments.isEmpty, increments[place] != 0 else {
      return absorbStepwise(into: &digest, place)
    }
    digest.advance(by: factor, plus: increments[place])
  }

  @inline(never)
  private mutating func absorbStepwise(into digest: inout RunningDigest, _ place: Int) {
    let before = digest.value
    digest.absorb(phrase)
    uses += 1
    guard uses > Self.usesWithout, phrase.steps.count > 2 else { return }
    if increments.isEmpty { increments = Array(repeating: 0, count: 256) }
    increments[place] = digest.value &- before &* factor
  }
}

extension RunningDigest {
  /// Absorbs a phrase that is absorbed very often.
  @inline(__always)
  public mutating func absorb(_ phrase: inout RepeatedPhrase) { phrase.absorb(into: &self) }
}
