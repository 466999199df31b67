/// A time of day on a wall clock, in whole milliseconds after midnight.
public struct TimeOfDay: Hashable, Sendable {
  /// The milliseconds after midnight, 0 to 86,399,999.
  public let milliseconds: Int64

  /// Creates a time of day.
  ///
  /// - Precondition: The time lies within one day.
  public init(milliseconds: Int64) {
    precondition(
      (0..<86_400_000).contains(milliseconds), "A time of day lies between 00:00 and 24:00.")
    self.milliseconds = milliseconds
  }

  /// The start of the day, 00:00.
  public static let midnight = Self(milliseconds: 0)

  /// Creates a time of day from hours, minutes and seconds, or nothing when one is out of range.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
    else { return nil }
    self.init(milliseconds: Int64((hour * 60 + minute) * 60 + second) * 1_000)
  }

  /// Reads `7:15`, `07:15`, `07:15:30` or `07:15:30.250`; nothing for other text.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count),
      let hour = Self.digits(parts[0], upTo: 2), let minute = Self.digits(parts[1], exactly: 2)
    else { return nil }
    guard parts.count == 3 else {
      self.init(hour: hour, minute: minute)
      return
    }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard seconds.count <= 2, let second = Self.digits(seconds[0], exactly: 2),
      let whole = Self(hour: hour, minute: minute, second: second)
    else { return nil }
    guard seconds.count == 2 else {
      self = whole
      return
    }
    guard let fraction = Self.digits(seconds[1], upTo: 3) else { return nil }
    let scale = [100, 10, 1][seconds[1].utf8.count - 1]
    self.init(milliseconds: whole.milliseconds + Int64(fraction * scale))
  }

  /// The time since midnight on a day without a change of clocks.
  public var sinceMidnight: TimeSpan { TimeSpan(milliseconds: milliseconds) }

  private static func digits(_ text: some StringProtocol, upTo most: Int) -> Int? {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= most, bytes.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func digits(_ text: some StringProtocol, exactly count: Int) -> Int? {
    text.utf8.count == count ? digits(text, upTo: count) : nil
  }
}

extension TimeOfDay: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }
}

extension TimeOfDay: CustomStringConvertible {
  /// The time as `07:15:00`, with milliseconds only where there are some.
  public var description: String { ISO8601Text { $0.append(self) }.text }

  /// The time as `07:15`, for tables that need no seconds.
  public var hoursAndMinutes: String { String(description.prefix(5)) }
}
