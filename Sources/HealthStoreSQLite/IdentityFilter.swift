internal import HealthStore

/// Knows of most identities and sync identifiers that they are not in a file, without a look into
/// it.
///
/// A Bloom filter (Bloom 1970, https://doi.org/10.1145/362686.362692) of four bits for each
/// identity, which are drawn from two hashes (Kirsch and Mitzenmacher 2006). With two million
/// identities it is in doubt, which costs the look, about once in 400 times.
struct IdentityFilter {
  /// The logarithm of the number of bits, which take 4 MiB.
  private static let logarithm: UInt64 = 25

  private var words = [UInt64](repeating: 0, count: 1 << Int(Self.logarithm - 6))

  /// Inserts what a sample can be found by.
  mutating func insert(_ sample: Sample) {
    insert(sample.uuid)
    if let identifier = sample.metadata.syncIdentifier { insert(Self.stand(for: identifier)) }
  }

  mutating func insert(_ uuid: SampleUUID) {
    for number in 0..<4 as Range<UInt64> {
      let (word, bit) = Self.place(of: uuid, number)
      words[word] |= bit
    }
  }

  /// Whether an identity may have been inserted; `false` is certain.
  func mayContain(_ uuid: SampleUUID) -> Bool {
    for number in 0..<4 as Range<UInt64> {
      let (word, bit) = Self.place(of: uuid, number)
      if words[word] & bit == 0 { return false }
    }
    return true
  }

  /// Whether a sync identifier may have been inserted; `false` is certain.
  func mayContain(_ identifier: SyncIdentifier) -> Bool {
    mayContain(Self.stand(for: identifier))
  }

  /// An identity in whose places a sync identifier stands.
  private static func stand(for identifier: SyncIdentifier) -> SampleUUID {
    SampleUUID(high: UInt64(truncatingIfNeeded: identifier.hashValue), low: 0)
  }

  private static func place(of uuid: SampleUUID, _ number: UInt64) -> (word: Int, bit: UInt64) {
    let first = (uuid.high ^ uuid.low &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    let second = (uuid.low ^ first >> 31) &* 0x94D0_49BB_1331_11EB | 1
    let bit = (first &+ number &* second) >> (64 - logarithm)
    return (Int(bit >> 6), 1 << (bit & 63))
  }
}
