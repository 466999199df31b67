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
    var digits = Digits(String(text))
    guard let hour = digits.number(1...2), digits.skip(":"), let minute = digits.number(2...2)
    else { return nil }
    var (second, fraction) = (0, 0)
    if digits.skip(":") {
      guard let number = digits.number(2...2) else { return nil }
      second = number
      if digits.skip(".") {
        guard let number = digits.number(1...3) else { return nil }
        fraction = number * [100, 10, 1][digits.count - 1]
      }
    }
    guard digits.isAtEnd, let whole = Self(hour: hour, minute: minute, second: second) else {
      return nil
    }
    self.init(milliseconds: whole.milliseconds + Int64(fraction))
  }

  /// The time since midnight on a day without a change of clocks.
  public var sinceMidnight: TimeSpan { TimeSpan(milliseconds: milliseconds) }
}

extension TimeOfDay: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }
}

extension TimeOfDay: CustomStringConvertible {
  /// The time as `07:15:00`, with milliseconds only where there are some.
  public var description: String { ASCIIText { $0.append(self) }.text }

  /// The time as `07:15`, for tables that need no seconds.
  public var hoursAndMinutes: String { String(description.prefix(5)) }
}

/// Walks over a text of numbers from left to right.
///
/// It is not generic: a generic one, called from another module, was 15 % of the time of
/// `loopsim check`.
private struct Digits {
  private var bytes: String.UTF8View.Iterator
  private var next: UInt8?
  /// How many digits the last number has.
  private(set) var count = 0

  init(_ text: String) {
    bytes = text.utf8.makeIterator()
    next = bytes.next()
  }

  var isAtEnd: Bool { next == nil }

  /// Goes over a character, if it is the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    next = bytes.next()
    return true
  }

  /// A number of so many digits, and no more.
  mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    var number = 0
    count = 0
    while let byte = next, (0x30...0x39).contains(byte), count < digits.upperBound {
      number = number * 10 + Int(byte) - 0x30
      count += 1
      next = bytes.next()
    }
    return count >= digits.lowerBound ? number : nil
  }
}
