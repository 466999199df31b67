public import Quantities
internal import TimeZones

/// A time as files write it.
public enum TimeText: Hashable, Sendable {
  /// `18:30`: the next such time on the wall clock; `18:30~2` the second of two.
  case clock(TimeOfDay, isSecond: Bool)
  /// `d1 07:15`: that time on the day after the day of the start.
  case day(Int, TimeOfDay, isSecond: Bool)
  /// `+1h30m`, `-90m`: counted from the anchor.
  case offset(TimeSpan)
  /// `2026-03-07T18:00:00`: that date and time on the wall clock.
  case civil(CivilTime, isSecond: Bool)
  /// `2026-03-07T18:00:00-08:00` or with `Z`: an instant, whatever the wall clock shows.
  case absolute(Instant)

  /// The forms, for sentences that say what was expected.
  public static let forms =
    "a time such as '18:30', 'd1 07:15', '+1h30m' or '2026-03-07T18:00:00'"

  /// Whether it says the day by a date.
  var hasDate: Bool {
    switch self {
    case .civil, .absolute: true
    case .clock, .day, .offset: false
    }
  }

  /// Reads a time; nothing for text that is none.
  public init?(_ text: String) {
    if text.hasPrefix("+") || text.hasPrefix("-") {
      guard let span = SpanText.milliseconds(of: text) else { return nil }
      self = .offset(TimeSpan(milliseconds: span))
      return
    }
    let isSecond = text.hasSuffix("~2")
    let text = isSecond ? String(text.dropLast(2)) : text
    if text.hasPrefix("d") {
      let parts = text.dropFirst().split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, let day = Self.digits(parts[0], upTo: 4),
        let time = TimeOfDay(parts[1])
      else { return nil }
      self = .day(day, time, isSecond: isSecond)
    } else if let time = TimeOfDay(text) {
      self = .clock(time, isSecond: isSecond)
    } else if let civil = Self.iso8601(text) {
      switch civil.offset {
      case nil: self = .civil(civil.time, isSecond: isSecond)
      case let offset? where !isSecond:
        let local = civil.time.millisecondsSince1970
        self = .absolute(Instant(millisecondsSince1970: local - offset.milliseconds))
      default: return nil
      }
    } else {
      return nil
    }
  }

  /// Reads `2026-03-07T18:00`, with seconds and an offset where there are some, or a date alone.
  ///
  /// Years go from 1900 to 2200.
  static func iso8601(_ text: String) -> (time: CivilTime, offset: TimeSpan?)? {
    guard let date = date(text.prefix(10)) else { return nil }
    var rest = text.dropFirst(10)
    guard !rest.isEmpty else { return (date, nil) }
    guard rest.first == "T" || rest.first == " " else { return nil }
    rest = rest.dropFirst()
    let clock = rest.prefix { ("0"..."9").contains($0) || $0 == ":" || $0 == "." }
    guard let time = TimeOfDay(clock), clock.utf8.first != UInt8(ascii: ":") else { return nil }
    let civil = CivilTime(year: date.year, month: date.month, day: date.day, timeOfDay: time)
    rest = rest[clock.endIndex...]
    guard !rest.isEmpty else { return (civil, nil) }
    return TimeSpan(utcOffset: rest).map { (civil, $0) }
  }

  /// Reads a date such as `2026-03-07`, from 1900 to 2200.
  static func date(_ text: some StringProtocol) -> CivilTime? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      let year = digits(parts[0], upTo: 4), let month = digits(parts[1], upTo: 2),
      let day = digits(parts[2], upTo: 2), (1_900...2_200).contains(year)
    else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    return civil.isValid ? civil : nil
  }

  private static func digits(_ text: some StringProtocol, upTo most: Int) -> Int? {
    guard !text.isEmpty, text.utf8.count <= most,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}
