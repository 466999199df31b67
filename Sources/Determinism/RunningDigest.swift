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
  /// The eighth power of the prime.
  private static let eighthPower: UInt64 = 0x1efa_c709_0aef_4a21

  /// Absorbs bytes, without their number.
  public mutating func absorb(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { absorb(byte) }
  }

  /// Absorbs an integer as its eight bytes, least significant first.
  public mutating func absorb(_ integer: UInt64) {
    // After one byte, seven of nothing: each only multiplies by the prime.
    guard integer > 255 else {
      value = (value ^ integer) &* Self.eighthPower
      return
    }
    var rest = integer
    for _ in 0..<8 {
      absorb(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
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

  /// The digest as sixteen lower-case hexadecimal digits.
  public var hexadecimal: String { Self.hexadecimal(of: value) }

  /// A digest's value as sixteen lower-case hexadecimal digits.
  public static func hexadecimal(of value: UInt64) -> String {
    let digits = String(value, radix: 16)
    assert(digits.count <= 16, "A digest has sixteen hexadecimal digits.")
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
