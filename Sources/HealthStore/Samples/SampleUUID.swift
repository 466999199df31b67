internal import Determinism
public import Quantities

/// The identity of an object in a health store: 128 bits, for the life of the object.
///
/// HealthKit: `HKObject.uuid`. Nothing here draws a random number by itself: an identity comes from
/// a stream that the caller owns, so that the same run gives the same identities.
public struct SampleUUID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  /// Creates an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Draws a random identity: version 4 of RFC 9562.
  public init(using generator: inout some RandomNumberGenerator) {
    let (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
    self.init(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// Draws an identity that begins with a time: version 7 of RFC 9562.
  ///
  /// Identities made one after the other lie side by side in an index, which keeps large files
  /// fast. Times before 1970 count as 1970.
  public init(at instant: Instant, using generator: inout some RandomNumberGenerator) {
    let (first, second): (UInt64, UInt64) = (generator.next(), generator.next())
    let time = UInt64(max(0, instant.millisecondsSince1970)) & 0xFFFF_FFFF_FFFF
    self.init(
      high: time << 16 | 0x7000 | first & 0x0FFF,
      low: second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// An identity that follows from a name: version 8 of RFC 9562.
  ///
  /// The same parts always give the same identity. Two FNV-1a digests of 64 bits make the number;
  /// nothing secret is hidden by it.
  public init(named parts: [String]) {
    var name = Name(parts: parts.count)
    for part in parts { name.append(part.utf8Span.span) }
    self = name.identity
  }

  /// The name from which an identity follows, given part by part.
  public struct Name: Sendable {
    private var first = RunningDigest()
    private var second = RunningDigest()

    /// Begins a name of so many parts.
    public init(parts count: Int) { second.absorb(count) }

    /// Appends the UTF-8 bytes of a part.
    public mutating func append(_ part: Span<UInt8>) {
      first.absorb(text: part)
      second.absorb(text: part)
    }

    /// The identity that follows from the parts.
    public var identity: SampleUUID {
      let (high, low) = (first.value, second.value &* 0x9E37_79B9_7F4A_7C15 ^ first.value >> 32)
      return SampleUUID(
        high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
        low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
  }

  /// Reads the usual form of 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  public init?(_ text: some StringProtocol) {
    var digits: [UInt64] = []
    for (index, letter) in text.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard letter == UInt8(ascii: "-") else { return nil }
        continue
      }
      switch letter {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(UInt64(letter - 48))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(UInt64(letter - 87))
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(UInt64(letter - 55))
      default: return nil
      }
      guard index < 36 else { return nil }
    }
    guard digits.count == 32 else { return nil }
    self.init(
      high: digits[..<16].reduce(0) { $0 << 4 | $1 }, low: digits[16...].reduce(0) { $0 << 4 | $1 })
  }
}

extension SampleUUID: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.high, lhs.low) < (rhs.high, rhs.low)
  }
}

extension SampleUUID: CustomStringConvertible {
  /// The usual form in capital letters, such as `01890A5D-AC96-774B-BCCE-B302099A8057`.
  public var description: String {
    ASCIIText { write(to: &$0) }.text
  }

  /// Writes the usual form.
  func write(to text: inout ASCIIText) {
    let letters = usualForm
    text.append(letters: letters.0, count: 8)
    text.append(letters: letters.1, count: 8)
    text.append(letters: letters.2, count: 8)
    text.append(letters: letters.3, count: 8)
    text.append(letters: letters.4, count: 4)
  }

  /// Gives the bytes of the usual form to a digest, and their number.
  func absorbUsualForm(into digest: inout RunningDigest) {
    let letters = usualForm
    digest.absorb(letters.0)
    digest.absorb(letters.1)
    digest.absorb(letters.2)
    digest.absorb(letters.3)
    digest.absorb(letters: letters.4, count: 4)
    digest.absorb(36)
  }

  /// The usual form as bytes of words, the first the lowest: four of eight and one of four.
  private var usualForm: (UInt64, UInt64, UInt64, UInt64, UInt64) {
    func digits(_ word: UInt64) -> UInt64 {
      HexadecimalDigits(of: UInt32(truncatingIfNeeded: word), letters: UInt8(ascii: "A")).letters
    }
    let hyphen = UInt64(UInt8(ascii: "-"))
    let (first, second) = (digits(high &>> 32), digits(high))
    let (third, fourth) = (digits(low &>> 32), digits(low))
    let half: UInt64 = 0xFFFF_FFFF
    return (
      first,
      hyphen | (second & half) &<< 8 | hyphen &<< 40 | (second &>> 32) &<< 48,
      second &>> 48 | hyphen &<< 16 | (third & half) &<< 24 | hyphen &<< 56,
      third &>> 32 | fourth &<< 32,
      fourth &>> 32
    )
  }
}
