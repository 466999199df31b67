internal import Quantities

extension SyncIdentifier {
  /// Finds the form that a text has, if it is one of those that are kept as numbers.
  ///
  /// A guess is made by the look of the text. It holds only where the form writes the same text
  /// again, so that no text ever changes.
  struct Reader {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Whether an instant is written with a year of four digits, as it is read again.
    static func isKept(_ instant: Instant) -> Bool {
      earliest <= instant && instant < Instant.yearsOfFourDigits.upperBound
    }

    private static let earliest = Instant(secondsSince1970: -30_610_224_000)  // The year 1000.

    /// The identifier in its form; `nil` where the text has none of them.
    var identifier: SyncIdentifier? {
      guard let guess else { return nil }
      let bytes = text.utf8Span.span
      let isSame = guess.withUTF8 { written in
        written.count == bytes.count && written.indices.allSatisfy { written[$0] == bytes[$0] }
      }
      return isSame ? guess : nil
    }

    private var guess: SyncIdentifier? {
      let bytes = text.utf8Span.span
      guard (2...66).contains(bytes.count) else { return nil }
      if bytes[0] == UInt8(ascii: "B"), bytes.count > 40 { return scheduledBasal }
      if bytes.count == 36, let uuid = SampleUUID(text) { return SyncIdentifier(uuid) }
      return bytes[bytes.count - 1] == UInt8(ascii: "Z") ? reading : hexadecimal
    }

    /// `BasalRateSchedule <start> <end>`.
    private var scheduledBasal: SyncIdentifier? {
      let words = text.split(separator: " ")
      guard words.count == 3, let start = Instant(iso8601: words[1]),
        let end = Instant(iso8601: words[2])
      else { return nil }
      return .scheduledBasal(from: start, to: end)
    }

    /// `<sensor>-<number>-<time>`.
    private var reading: SyncIdentifier? {
      let words = text.split(separator: "-", maxSplits: 2)
      guard words.count == 3, let sensor = Int(words[0]), let number = Int64(words[1]),
        let instant = Instant(iso8601: words[2])
      else { return nil }
      return .reading(sensor: sensor, number: number, at: instant)
    }

    /// Up to eight bytes, perhaps with a part.
    private var hexadecimal: SyncIdentifier? {
      let bytes = text.utf8Span.span
      var word: UInt64 = 0
      var count = 0
      while count < bytes.count, bytes[count] != UInt8(ascii: " ") {
        let letter = bytes[count]
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(letter - 48)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(letter - 87)
        default: return nil
        }
        count += 1
      }
      guard (1...16).contains(count), count.isMultiple(of: 2) else { return nil }
      let whole = SyncIdentifier(hexadecimalOf: word, count: count / 2)
      guard count < bytes.count else { return whole }
      let numbers = text.utf8.dropFirst(count + 1).split(separator: UInt8(ascii: "/"))
      guard numbers.count == 2, let part = Int(Substring(numbers[0])),
        let parts = Int(Substring(numbers[1])), part > 0, part <= parts
      else { return nil }
      return whole.part(part, of: parts)
    }
  }
}
