public import Quantities

extension Instant {
  /// Reads a date and time with its zone in ISO 8601's extended format; nothing for other text.
  ///
  /// As Foundation's decoder, it takes `Z`, `z`, `UTC` and offsets (`+01:00`, `+0100`, `-05`), a
  /// fraction of a second (kept to the millisecond) and trailing spaces, and fields just out of
  /// range roll over: `24:00:00` is the next day's midnight.
  public init?(iso8601 text: String) {
    var scanner = DateScanner(text)
    guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2),
      scanner.skip("-"), let day = scanner.digits(2), scanner.skip("T"),
      let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2),
      scanner.skip(":"), let second = scanner.digits(2), let fraction = scanner.fraction(),
      let offset = scanner.zone(), scanner.isAtEnd, (1...12).contains(month), day <= 31,
      hour <= 24, minute <= 60, second <= 60
    else { return nil }
    // A day beyond the month's end rolls over, because days are counted from the month's first.
    let days = CivilTime(year: year, month: month, day: 1).dayNumber + Int64(day - 1)
    let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second) - Int64(offset)
    self.init(millisecondsSince1970: seconds * 1_000 + Int64(fraction))
  }

  /// Reads a date and time of a person's record as ``init(iso8601:)`` does; nothing for a day that
  /// does not exist, since nobody knows which one was meant.
  init?(recorded text: String) {
    guard let instant = Instant(iso8601: text), CivilTime(iso8601: text.prefix(10)) != nil else {
      return nil
    }
    self = instant
  }

  /// The instant in UTC to the second, its fraction cut off: `2024-06-01T12:02:30Z`.
  public var iso8601Seconds: String { floored(to: .seconds(1)).description }

  /// The instant in UTC with its milliseconds: `2026-02-03T06:00:00.000Z`.
  var iso8601Milliseconds: String {
    let fraction = millisecondsSince1970 - floored(to: .seconds(1)).millisecondsSince1970
    let digits = "\(fraction)"
    return iso8601Seconds.dropLast()
      + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }
}

/// Reads the parts of a date one after the other.
private struct DateScanner {
  private let bytes: [UInt8]
  private var next = 0

  init(_ text: String) {
    var bytes = Array(text.utf8)
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    self.bytes = bytes
  }

  var isAtEnd: Bool { next == bytes.count }

  mutating func skip(_ character: Character) -> Bool {
    guard next < bytes.count, bytes[next] == character.asciiValue else { return false }
    next += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int? {
    assert((1...18).contains(count), "So many digits are a number that fits.")
    guard next + count <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[next..<(next + count)] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte) - 0x30
    }
    next += count
    return value
  }

  /// A fraction of a second in milliseconds, rounded; zero where there is none.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    var value = 0
    var scale = 100_000
    let start = next
    while next < bytes.count, (0x30...0x39).contains(bytes[next]) {
      value += (Int(bytes[next]) - 0x30) * scale
      scale /= 10
      next += 1
    }
    return next > start ? (value + 500) / 1_000 : nil
  }

  /// The offset from UTC in seconds.
  mutating func zone() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    if skip("U") { return skip("T") && skip("C") ? 0 : nil }
    let sign = skip("-") ? -1 : skip("+") ? 1 : 0
    guard sign != 0, let hours = digits(2) else { return nil }
    if isAtEnd { return sign * hours * 3_600 }
    _ = skip(":")
    return digits(2).map { sign * (hours * 3_600 + $0 * 60) }
  }
}
