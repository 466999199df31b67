internal import Quantities

/// The spellings of dates and times in Tidepool's simulator files.
enum TidepoolTime {
  /// Reads `8/15/2019 12:00:00`, with or without leading zeros and seconds; nothing for other text.
  static func date(_ text: String) -> CivilTime? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, let time = clock(String(parts[1])) else { return nil }
    if parts[0].utf8.contains(UInt8(ascii: "-")) { return isoDate(String(parts[0]), time) }
    let numbers = parts[0].split(separator: "/", omittingEmptySubsequences: false).map {
      digits($0)
    }
    guard numbers.count == 3, let month = numbers[0], let day = numbers[1], let year = numbers[2]
    else { return nil }
    return valid(CivilTime(year: year, month: month, day: day, timeOfDay: time))
  }

  /// Reads `6:00:00`, `06:00:00` or `6:00`; nothing for other text.
  static func clock(_ text: String) -> TimeOfDay? {
    // Nearly all times are whole seconds, written so; a large library has millions of them.
    let bytes = Array(text.utf8)
    guard bytes.count == 8, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":"),
      let hour = pair(bytes, 0), let minute = pair(bytes, 3), let second = pair(bytes, 6)
    else { return TimeOfDay(text) }
    return TimeOfDay(hour: hour, minute: minute, second: second)
  }

  private static func pair(_ bytes: [UInt8], _ place: Int) -> Int? {
    assert(place >= 0 && place + 1 < bytes.count, "Two digits lie within the text.")
    let (tens, ones) = (Int(bytes[place]) - 48, Int(bytes[place + 1]) - 48)
    guard (0...9).contains(tens), (0...9).contains(ones) else { return nil }
    return tens * 10 + ones
  }

  /// The distance between two civil times of one clock that never changes.
  static func span(from start: CivilTime, to end: CivilTime) -> TimeSpan {
    .milliseconds(end.millisecondsSince1970 - start.millisecondsSince1970)
  }

  private static func isoDate(_ text: String, _ time: TimeOfDay) -> CivilTime? {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { digits($0) }
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2]
    else { return nil }
    return valid(CivilTime(year: year, month: month, day: day, timeOfDay: time))
  }

  private static func valid(_ civil: CivilTime) -> CivilTime? {
    (1970...9_999).contains(civil.year) && civil.isValid ? civil : nil
  }

  private static func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }
}
