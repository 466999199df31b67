internal import HealthStore
internal import Quantities

/// Identities of samples, in an order that the seed decides (SplitMix64, Steele, Lea and Flood
/// 2014).
struct IdentitySequence: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed ^ 0x4C6F_6F70_4170_7021 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The identity of a sample that is made at an instant.
  mutating func next(at instant: Instant) -> SampleUUID { SampleUUID(at: instant, using: &self) }
}
