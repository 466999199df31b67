/// A date with or without a time and an offset, as ISO 8601 text writes it.
///
/// Read are the extended calendar forms that health data come in: `2026-03-08`,
/// `2026-03-08T07:15`, `2026-03-08T07:15:00.250-07:00`, `2026-03-08 07:15:00 -0700` and
/// `2026-03-08T14:15:00Z`. Years have four digits. Of a fraction of a second, whole milliseconds
/// count and the rest is cut off. A leap second (`:60`) and `24:00` are refused.
public struct ISO8601Time: Hashable, Sendable {
  /// What the text says a clock on the wall shows; midnight when it gives a date alone.
  public var civil: CivilTime

  /// Local time minus UTC, when the text says so.
  public var offset: TimeSpan?

  /// Reads text; nothing when it is not such a time.
  public init?(_ text: some StringProtocol) { self.init(Cursor(rest: Substring(text).utf8)) }

  /// Reads bytes of ASCII text; nothing when they are not such a time.
  public init?(utf8 bytes: some Collection<UInt8>) {
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  private init?(_ cursor: Cursor) {
    var cursor = cursor
    guard let date = cursor.date() else { return nil }
    civil = date
    guard !cursor.isAtEnd else { return }
    guard cursor.skip(oneOf: "T", "t", " "), let time = cursor.timeOfDay() else { return nil }
    civil.timeOfDay = time
    guard !cursor.isAtEnd else { return }
    _ = cursor.skip(oneOf: " ")
    guard let offset = cursor.offset(), cursor.isAtEnd else { return nil }
    self.offset = offset
  }

  /// The moment in absolute time; nothing when the text gives no offset.
  public var instant: Instant? {
    offset.map {
      Instant(millisecondsSince1970: civil.millisecondsSince1970 - $0.milliseconds)
    }
  }
}

extension CivilTime {
  /// Reads ISO 8601 text without an offset, such as `2026-03-08T07:15:00` or `2026-03-08`.
  ///
  /// Returns nothing for other text, also for text that gives an offset.
  public init?(iso8601 text: some StringProtocol) {
    guard let time = ISO8601Time(text), time.offset == nil else { return nil }
    self = time.civil
  }
}

extension Instant {
  /// Reads ISO 8601 text with an offset, such as `2026-03-08T07:15:00-07:00` or `…T14:15:00Z`.
  ///
  /// Returns nothing for other text, also for text that gives no offset: then only a ``WallClock``
  /// knows the moment.
  public init?(iso8601 text: some StringProtocol) {
    guard let instant = ISO8601Time(text)?.instant else { return nil }
    self = instant
  }
}

/// Walks over the bytes of a time from left to right.
///
/// It is of one type, as other modules would go through a generic one call by call.
private struct Cursor {
  fileprivate var rest: Substring.UTF8View

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(oneOf characters: Unicode.Scalar...) -> Bool {
    guard let byte = rest.first, characters.contains(Unicode.Scalar(byte)) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func date() -> CivilTime? {
    guard let year = number(digits: 4), skip(oneOf: "-"), let month = number(digits: 2),
      skip(oneOf: "-"), let day = number(digits: 2)
    else { return nil }
    let date = CivilTime(year: year, month: month, day: day)
    return date.isValid ? date : nil
  }

  mutating func timeOfDay() -> TimeOfDay? {
    guard let hour = number(digits: 2), skip(oneOf: ":"), let minute = number(digits: 2) else {
      return nil
    }
    guard skip(oneOf: ":") else { return TimeOfDay(hour: hour, minute: minute) }
    guard let second = number(digits: 2),
      let whole = TimeOfDay(hour: hour, minute: minute, second: second)
    else { return nil }
    guard skip(oneOf: ".", ",") else { return whole }
    guard let milliseconds = fraction() else { return nil }
    return TimeOfDay(milliseconds: whole.milliseconds + milliseconds)
  }

  mutating func offset() -> TimeSpan? {
    if skip(oneOf: "Z", "z") { return .zero }
    let isWest = rest.first == 0x2D
    guard skip(oneOf: "+", "-"), let hours = number(digits: 2) else { return nil }
    var minutes = 0
    var seconds = 0
    if !isAtEnd {
      let hasColon = skip(oneOf: ":")
      guard let number = number(digits: 2) else { return nil }
      minutes = number
      if hasColon && !isAtEnd {
        guard skip(oneOf: ":"), let number = self.number(digits: 2) else { return nil }
        seconds = number
      }
    }
    guard hours < 24, minutes < 60, seconds < 60 else { return nil }
    let span = TimeSpan.seconds(Int64((hours * 60 + minutes) * 60 + seconds))
    return isWest ? -span : span
  }

  /// A number of exactly so many digits.
  private mutating func number(digits count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// The milliseconds that the digits behind a decimal mark give.
  private mutating func fraction() -> Int64? {
    guard let first = digit() else { return nil }
    var milliseconds = Int64(first) * 100
    var scale: Int64 = 10
    while let next = digit() {
      milliseconds += Int64(next) * scale
      scale /= 10
    }
    return milliseconds
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
    rest = rest.dropFirst()
    return Int(byte) - 0x30
  }
}
