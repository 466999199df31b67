/// A 64-bit digest of everything it has been given, in order, the same on every machine.
///
/// The function is FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo). It tells runs apart by accident, not
/// by intent: it is no protection against someone who wants two results to look equal.
public struct RunningDigest: Hashable, Sendable {
  /// The digest so far.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the digest of nothing.
  public init() {}

  /// Absorbs one byte.
  public mutating func absorb(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* Self.prime
  }

  static let prime: UInt64 = 0x0000_0100_0000_01b3

  /// A power of the prime, from the first to the eighth.
  @inline(__always)
  private static func power(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 1: 0x0000_0100_0000_01b3
    case 2: 0x0003_6600_0002_e329
    case 3: 0x08a9_7b00_04e7_feab
    case 4: 0x9ffa_ac08_5635_bc91
    case 5: 0x0cae_e32a_7d4f_6a63
    case 6: 0xdc96_6432_edf1_c639
    case 7: 0xc552_7b8a_51d3_d2db
    default: 0x1efa_c709_0aef_4a21
    }
  }

  /// Absorbs bytes, without their number.
  public mutating func absorb(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { absorb(byte) }
  }

  /// Absorbs an integer as its eight bytes, least significant first.
  public mutating func absorb(_ integer: UInt64) {
    // Behind the last byte that is not 0 each only multiplies by the prime: at once for all.
    var rest = integer
    var bytes = 8
    while rest > 255 {
      absorb(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
      bytes -= 1
    }
    value = (value ^ rest) &* Self.power(bytes)
  }

  /// Absorbs an integer as its two's complement, least significant byte first.
  public mutating func absorb(_ integer: Int64) { absorb(UInt64(bitPattern: integer)) }

  /// Absorbs an integer as its two's complement of 64 bits, least significant byte first.
  public mutating func absorb(_ integer: Int) { absorb(Int64(integer)) }

  /// Absorbs the bit pattern of a number, so that 0 and −0 differ and a last bit counts.
  public mutating func absorb(_ number: Double) { absorb(number.bitPattern) }

  /// Absorbs a truth value as one byte.
  public mutating func absorb(_ flag: Bool) { absorb(UInt8(flag ? 1 : 0)) }

  /// Absorbs a text as its UTF-8 bytes and their number, so that neighbouring texts stay apart.
  public mutating func absorb(_ text: String) {
    // A span of the bytes: the iterator of a string takes four times as long.
    absorb(text: text.utf8Span.span)
  }

  /// Absorbs a text that is given as its UTF-8 bytes.
  public mutating func absorb(text bytes: Span<UInt8>) {
    for index in bytes.indices { absorb(bytes[index]) }
    absorb(UInt64(bytes.count))
  }

  /// Absorbs the first of eight letters that are bytes of a word, the first the lowest.
  public mutating func absorb(letters: UInt64, count: Int) {
    assert((0...8).contains(count), "A word has eight bytes.")
    var rest = letters
    for _ in 0..<count {
      absorb(UInt8(truncatingIfNeeded: rest))
      rest &>>= 8
    }
  }

  /// Absorbs a phrase.
  public mutating func absorb(_ phrase: DigestPhrase) {
    let steps = phrase.steps.span
    for index in steps.indices { value = (value ^ steps[index].byte) &* steps[index].factor }
  }

  /// Takes the digest through bytes of which the power of the prime for their number and what they
  /// add are known.
  mutating func advance(by factor: UInt64, plus increment: UInt64) {
    value = value &* factor &+ increment
  }

  /// The digest as sixteen lower-case hexadecimal digits.
  public var hexadecimal: String { Self.hexadecimal(of: value) }

  /// A digest's value as sixteen lower-case hexadecimal digits.
  public static func hexadecimal(of value: UInt64) -> String {
    let digits = String(value, radix: 16)
    assert(digits.count <= 16, "A digest has sixteen hexadecimal digits.")
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
