package import Determinism
public import Quantities

/// The identifier by which a client knows its own samples again.
///
/// HealthKit: the text under `HKMetadataKeySyncIdentifier`. Outside it is text, and here it is kept
/// as the numbers it was made of, where its text has one of the forms that apps built on LoopKit
/// write. Those take twenty-four bytes without a reference, and are compared without reading text.
///
/// Invariant: two identifiers are equal exactly where their texts are. Text that looks like one of
/// the forms is therefore kept as one, wherever it comes from.
public struct SyncIdentifier: Hashable, Sendable {
  /// What an identifier is kept as; every text has exactly one form.
  private enum Form: Hashable, Sendable {
    /// Up to eight bytes in lower-case hexadecimal; ` part/parts` follows unless `parts` is 0.
    case bytes(UInt64, count: UInt8, part: UInt16, parts: UInt16)
    /// `BasalRateSchedule <start> <end>`.
    case scheduledBasal(from: Instant, to: Instant)
    /// `<sensor>-<number>-<time>`.
    case reading(sensor: UInt32, number: UInt32, at: Instant)
    /// The usual form of an identity, in capital letters.
    case identity(SampleUUID)
    /// Any other text.
    case text(String)
  }

  private var form: Form

  private init(_ form: Form) { self.form = form }

  /// Creates the identifier with a text.
  public init(_ text: String) { self = Reader(text).identifier ?? Self(.text(text)) }

  /// The bytes by which a pump names an event, in lower-case hexadecimal.
  public init(hexadecimalOf bytes: [UInt8]) {
    if (1...8).contains(bytes.count) {
      self.init(hexadecimalOf: bytes.reduce(0) { $0 << 8 | UInt64($1) }, count: bytes.count)
    } else {
      self.init(Self.hexadecimal(of: bytes))
    }
  }

  /// The last bytes of a number, the most significant first, in lower-case hexadecimal.
  public init(hexadecimalOf word: UInt64, count: Int = 8) {
    precondition((1...8).contains(count), "A number has up to eight bytes.")
    assert(count == 8 || word >> (8 * UInt64(count)) == 0, "The bytes that are left out are zero.")
    form = .bytes(word, count: UInt8(count), part: 0, parts: 0)
  }

  /// The usual form of an identity, in capital letters.
  public init(_ uuid: SampleUUID) { form = .identity(uuid) }

  /// The name of scheduled basal between two instants: `BasalRateSchedule <start> <end>`, both in
  /// ISO 8601 and UTC.
  ///
  /// Source: LoopKit, `DoseStore.swift`.
  public static func scheduledBasal(from start: Instant, to end: Instant) -> Self {
    let identifier = Self(.scheduledBasal(from: start, to: end))
    return Reader.isKept(start) && Reader.isKept(end)
      ? identifier : Self(.text(identifier.description))
  }

  /// The name of a reading: `<sensor>-<number>-<time>`.
  public static func reading(sensor: Int, number: Int64, at instant: Instant) -> Self {
    guard let small = UInt32(exactly: sensor), let count = UInt32(exactly: number),
      Reader.isKept(instant)
    else { return Self(.text("\(sensor)-\(number)-\(instant)")) }
    return Self(.reading(sensor: small, number: count, at: instant))
  }

  /// The name of a part of what has this name, such as `<name> 1/2`.
  public func part(_ part: Int, of parts: Int) -> Self {
    assert((1...max(1, parts)).contains(part), "A part is one of those there are.")
    guard case .bytes(let word, let count, _, 0) = form, let number = UInt16(exactly: part),
      let all = UInt16(exactly: parts)
    else { return Self(.text("\(self) \(part)/\(parts)")) }
    return Self(.bytes(word, count: count, part: number, parts: all))
  }

  /// Whether this is the name of a reading at an instant.
  public func isReading(at instant: Instant) -> Bool {
    if case .reading(_, _, let date) = form { date == instant } else { false }
  }

  /// The names of which this can be that of a part: what stands before each space.
  public var wholes: [Self] {
    switch form {
    case .bytes(_, _, _, 0), .reading, .identity: return []
    case .bytes(let word, let count, _, _):
      return [Self(.bytes(word, count: count, part: 0, parts: 0))]
    case .scheduledBasal, .text:
      let text = description
      return text.indices.filter { text[$0] == " " }.map { Self(String(text[..<$0])) }
    }
  }

  /// Bytes in lower-case hexadecimal.
  private static func hexadecimal(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  fileprivate static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}

extension SyncIdentifier {
  /// Calls a function with the bytes of the text, in UTF-8.
  public func withUTF8<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    if case .text(let text) = form { return body(text.utf8Span.span) }
    return ASCIIText { write(to: &$0) }.withBytes(body)
  }

  /// Gives the bytes of the text to a digest, and their number.
  package func absorb(into digest: inout RunningDigest) {
    switch form {
    case .identity(let uuid): uuid.absorbUsualForm(into: &digest)
    case .bytes(let word, 8, _, 0):
      // As most pumps name events: no text is put together.
      let letter = UInt8(ascii: "a")
      let first = HexadecimalDigits(of: UInt32(truncatingIfNeeded: word &>> 32), letters: letter)
      let last = HexadecimalDigits(of: UInt32(truncatingIfNeeded: word), letters: letter)
      digest.absorb(first.letters)
      digest.absorb(last.letters)
      digest.absorb(16)
    case .bytes, .scheduledBasal, .reading, .text: withUTF8 { digest.absorb(text: $0) }
    }
  }

  /// Writes the text of every form but the last.
  private func write(to text: inout ASCIIText) {
    switch form {
    case .bytes(let word, let count, let part, let parts):
      text.append(hexadecimal: word, digits: 2 * Int(count), letters: UInt8(ascii: "a"))
      guard parts > 0 else { return }
      text.append(byte: UInt8(ascii: " "))
      text.append(Int64(part))
      text.append(byte: UInt8(ascii: "/"))
      text.append(Int64(parts))
    case .scheduledBasal(let start, let end):
      text.append("BasalRateSchedule ")
      text.append(start)
      text.append(byte: UInt8(ascii: " "))
      text.append(end)
    case .reading(let sensor, let number, let instant):
      text.append(Int64(sensor))
      text.append(byte: UInt8(ascii: "-"))
      text.append(Int64(number))
      text.append(byte: UInt8(ascii: "-"))
      text.append(instant)
    case .identity(let uuid): uuid.write(to: &text)
    case .text: break
    }
  }
}

extension SyncIdentifier {
  /// The hash by which ``SyncIndex`` finds a place: the same in every run, and for numbers without
  /// reading them as text.
  var placeHash: UInt64 {
    let (first, second) =
      switch form {
      case .bytes(let word, let count, let part, let parts):
        (word, UInt64(count) << 32 | UInt64(part) << 16 | UInt64(parts))
      case .scheduledBasal(let start, let end): (Self.word(start), Self.word(end))
      case .reading(let sensor, let number, let instant):
        (UInt64(sensor) << 32 | UInt64(number), Self.word(instant))
      case .identity(let uuid): (uuid.high, uuid.low)
      case .text(let text): (Self.hash(text), 0)
      }
    let hash = (first ^ first >> 32) &* 0x9E37_79B9_7F4A_7C15 ^ second
    return (hash ^ hash >> 29) &* 0xD6E8_FEB8_6659_FD93
  }

  private static func word(_ instant: Instant) -> UInt64 {
    UInt64(bitPattern: instant.millisecondsSince1970)
  }

  /// FNV-1a over the bytes of a text.
  private static func hash(_ text: String) -> UInt64 {
    let bytes = text.utf8Span.span
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices {
      hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
    }
    return hash
  }
}

extension SyncIdentifier: CustomStringConvertible {
  /// The text.
  public var description: String {
    if case .text(let text) = form { return text }
    return ASCIIText { write(to: &$0) }.text
  }
}

extension SyncIdentifier: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}
