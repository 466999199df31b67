/// The digest SHA-256 of bytes (FIPS 180-4), which names a file's content for others to check.
public struct SHA256: Sendable {
  private var state: InlineArray<8, UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var words = InlineArray<64, UInt32>(repeating: 0)
  private var block: [UInt8] = []
  private var length: UInt64 = 0

  /// Creates the digest of nothing.
  public init() { block.reserveCapacity(64) }

  /// The digest of bytes as 64 lower-case hexadecimal digits.
  public static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    var digest = SHA256()
    digest.absorb(bytes)
    return digest.hexadecimal
  }

  /// Absorbs bytes.
  public mutating func absorb(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      block.append(byte)
      length += 1
      if block.count == 64 { compress() }
    }
  }

  /// The digest so far as 64 lower-case hexadecimal digits.
  public var hexadecimal: String {
    var copy = self
    let bits = copy.length &* 8
    copy.absorb(CollectionOfOne(0x80))
    while copy.block.count != 56 { copy.absorb(CollectionOfOne(0)) }
    for shift in stride(from: 56, through: 0, by: -8) {
      copy.absorb(CollectionOfOne(UInt8(truncatingIfNeeded: bits >> UInt64(shift))))
    }
    var text = ""
    for index in 0..<8 {
      let digits = String(copy.state[index], radix: 16)
      text += String(repeating: "0", count: 8 - digits.count) + digits
    }
    return text
  }

  private mutating func compress() {
    for index in 0..<16 {
      var word: UInt32 = 0
      for place in 0..<4 { word = word << 8 | UInt32(block[4 * index + place]) }
      words[index] = word
    }
    block.removeAll(keepingCapacity: true)
    for index in 16..<64 {
      let a = words[index - 15]
      let b = words[index - 2]
      let s0 = Self.turned(a, 7) ^ Self.turned(a, 18) ^ (a >> 3)
      let s1 = Self.turned(b, 17) ^ Self.turned(b, 19) ^ (b >> 10)
      words[index] = words[index - 16] &+ s0 &+ words[index - 7] &+ s1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let s1 = Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ s1 &+ choice &+ Self.constants[index] &+ words[index]
      let s0 = Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ s0 &+ majority)
    }
    state[0] = state[0] &+ a
    state[1] = state[1] &+ b
    state[2] = state[2] &+ c
    state[3] = state[3] &+ d
    state[4] = state[4] &+ e
    state[5] = state[5] &+ f
    state[6] = state[6] &+ g
    state[7] = state[7] &+ h
  }

  private static func turned(_ word: UInt32, _ places: UInt32) -> UInt32 {
    word >> places | word << (32 - places)
  }

  private static let constants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
