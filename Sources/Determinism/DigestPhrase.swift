/// What digests absorb again and again, prepared for it.
///
/// FNV-1a takes a byte by an exclusive or and a multiplication with its prime, and of a zero only
/// the multiplication counts. A phrase keeps its bytes as such steps, and zeros together with the
/// byte before them: small integers are little else.
///
/// Invariant: a digest that has absorbed the phrase has the value that the same parts would have
/// given it, absorbed one after the other.
public struct DigestPhrase: Sendable {
  /// A byte, and the power of the prime for it and the zeros behind it.
  struct Step: Sendable {
    var byte: UInt64
    var factor: UInt64
  }

  private(set) var steps: [Step] = []

  /// Creates a phrase without parts.
  public init() {}

  /// Makes room for so many bytes that are not 0.
  public mutating func reserveCapacity(_ count: Int) { steps.reserveCapacity(count) }

  /// Appends one byte.
  public mutating func append(_ byte: UInt8) {
    if byte == 0, !steps.isEmpty {
      steps[steps.count - 1].factor &*= RunningDigest.prime
    } else {
      steps.append(Step(byte: UInt64(byte), factor: RunningDigest.prime))
    }
  }

  /// Appends an integer as its eight bytes, least significant first.
  public mutating func append(_ integer: UInt64) {
    for place in 0..<8 { append(UInt8(truncatingIfNeeded: integer >> UInt64(8 * place))) }
  }

  /// Appends an integer as its two's complement of 64 bits.
  public mutating func append(_ integer: Int) { append(UInt64(bitPattern: Int64(integer))) }

  /// Appends the bit pattern of a number.
  public mutating func append(_ number: Double) { append(number.bitPattern) }

  /// Appends a truth value as one byte.
  public mutating func append(_ flag: Bool) { append(UInt8(flag ? 1 : 0)) }

  /// Appends a text as its UTF-8 bytes and their number.
  public mutating func append(_ text: String) {
    let bytes = text.utf8Span.span
    for index in bytes.indices { append(bytes[index]) }
    append(bytes.count)
  }
}
